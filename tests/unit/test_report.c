/* SPDX-License-Identifier: Apache-2.0
 *
 * The discover benchmark's table.
 */
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define BENCH "discover"
#include "run_fixture.h"
#include "table_fixture.h"
#include "tests/unit/unit.h"

#include "analysis/documents/document.h"
#include "probes/discover/report.h"
#include "runtime/host/files.h"

#define HEADER                                                                                     \
    "\nWorkgroups found (mean ± std. dev.), recall (share of the bound), protocol time (median)\n"

/* A case "bound/CONFIGURATION" or "PROTOCOL/CONFIGURATION[/DELAY]" without numbers. */
static cJSON *add(cJSON *run, const char *id)
{
    char protocol[32], configuration[32], delay[32];
    const int n = sscanf(id, "%31[^/]/%31[^/]/%31s", protocol, configuration, delay);
    const bool sweep = strncmp(configuration, "wg=", 3) == 0;
    cJSON *item =
        add_case(run, "d", id, "protocol=%s wg-size=%s", protocol, sweep ? configuration + 3 : "1");
    assert_in_range(n, 2, 3);
    if (!sweep)
        set_params(item, "microbenchmark=%s", configuration);
    return n == 3 ? set_params(item, "delay=%s", delay) : item;
}

static cJSON *add_bound(cJSON *run, const char *configuration, double bound)
{
    char id[64];
    snprintf(id, sizeof id, "bound/%s", configuration);
    cJSON *item = add(run, id);
    add_metric(item, "groups_bound", bound);
    return item;
}

/* Adds a case with what a protocol found and its deviation; NaN: of that there is no number. */
static cJSON *add_found(cJSON *run, const char *id, double mean, double deviation, double recall,
                        double time_ns)
{
    cJSON *item = add(run, id);
    set_statistic(add_metric(item, "groups_found", mean), "stddev", deviation);
    if (!isnan(recall))
        add_metric(item, "recall", recall);
    if (!isnan(time_ns))
        add_metric(item, "protocol_time", time_ns);
    return item;
}

TEST(protocols_are_columns_where_they_fit)
{
    cJSON *run = new_run();
    add_bound(run, "11", 4224);
    add_found(run, "ticket/11/0", 4224, 0, 1, 40700000);
    add_found(run, "spin/11/0", 75.6, 41.2, 0.0179, 20800000);
    add_bound(run, "wg=1024", 8);
    add_found(run, "ticket/wg=1024/0", 8, NAN, 1, 912);
    set_text(add_found(run, "ticket/L1", 1, 0, 1, 1), "bench", "memory");
    char *text = report_of(run);
    const char *table = after(text, HEADER "\nGPU: 4 compute units\n");
    assert_int_equal(count_rows(table, ""), 2);
    assert_row(table, "1 item (11)", "bound", "4224", "ticket, delay 0", "4224, 100 %, 40.7 ms",
               "spin, delay 0", "75.6 ± 41.2, 1.8 %, 20.8 ms");
    assert_row(table, "1024 items", "bound", "8", "ticket, delay 0", "8, 100 %, 912 ns",
               "spin, delay 0", "");
    free(text);
}

TEST(other_tables_have_a_line_per_case)
{
    cJSON *run = new_run();
    add_bound(run, "11", 4224);
    add_found(run, "ticket/11/0", 4205.9, 8.1, 0.9957, 25306294);
    add_found(run, "ticket/11/adaptive", 4224, 0, 1, 40639152);
    set_text(add_found(run, "spin/11/10", 3, 0, 1, 1), "status", "timeout");
    add_found(run, "lockfree/11", 4224, 0, 1, 9358);
    make_failed(add(run, "bound/LW"), "deadlock");
    add_found(run, "lockfree/1W", 7.5, 0.5, NAN, NAN);
    char *text = report_of(run);
    const char *table = after(text, HEADER "\nGPU: 4 compute units\n");
    static const struct {
        const char *row, *found, *recall, *time;
    } rows[] = {
        {"1 item (11) | 4224 | ticket, delay 0", "4205.9 ± 8.1", "99.6 %", "25.3 ms"},
        {"1 item (11) | 4224 | ticket, adaptive", "4224", "100 %", "40.6 ms"},
        {"1 item (11) | 4224 | spin, delay 10", "timeout", "", ""},
        {"1 item (11) | 4224 | lockfree", "4224", "100 %", "9.36 µs"},
        {"widest, most local (LW) | deadlock", "", "", ""},
        {"widest (1W) | not searched | lockfree", "7.5 ± 0.5", "", ""},
    };
    assert_int_equal(count_rows(table, ""), CB_COUNTOF(rows));
    for (size_t i = 0; i < CB_COUNTOF(rows); i++)
        assert_row(table, rows[i].row, "found", rows[i].found, "recall", rows[i].recall, "time",
                   rows[i].time);
    free(text);
}

TEST(a_case_that_is_there_twice_is_told_twice)
{
    cJSON *run = new_run();
    cJSON_DeleteItemFromObject(cJSON_GetArrayItem(cJSON_GetObjectItem(run, "devices"), 0),
                               "compute_units");
    add_found(run, "lockfree/11", 4, 0, 1, 1000);
    make_failed(add(run, "lockfree/11"), "error");
    char *text = report_of(run);
    const char *table = after(text, HEADER "\nGPU\n");
    assert_int_equal(count_rows(table, ""), 2);
    assert_row(table, "1 item (11) | not searched | lockfree | 4", "recall", "100 %", "time",
               "1.00 µs");
    assert_row(table, "1 item (11) | not searched | lockfree | error", "recall", "");
    free(text);
}

/* The cell of one case with these numbers. */
static void assert_cell(double mean, double deviation, double recall, double time_ns,
                        const char *expected)
{
    cJSON *run = new_run();
    add_found(run, "lockfree/11", mean, deviation, recall, time_ns);
    char *text = report_of(run);
    assert_row(text, "1 item (11)", "bound", "not searched", "lockfree", expected);
    free(text);
}

TEST(numbers_have_the_digits_they_need)
{
    assert_cell(4224, 0, 1, 40700000, "4224, 100 %, 40.7 ms");
    assert_cell(7.999, 0.03, 0.999875, 999.6, "8.00 ± 0.03, 99.9 %, 1.00 µs");
    assert_cell(4223.99, 0.1, 0.9999976, 99960, "4224.0 ± 0.1, 99.9 %, 100 µs");
    assert_cell(4, 2.25, 0.5, 5000000000000, "4.0 ± 2.2, 50.0 %, 5000 s");
    assert_cell(1, 0, 0.00023674, 1.5, "1, 0.024 %, 1.50 ns");
    assert_cell(3, NAN, 0.00996, NAN, "3, 1.0 %");
    assert_cell(2, 0, 1, 2000000000, "2, 100 %, 2.00 s");
    assert_cell(2.5, NAN, NAN, 12340, "2.5, 12.3 µs");
}

TEST(many_configurations_are_all_told)
{
    cJSON *run = new_run();
    char id[64];
    for (int i = 0; i < 1000; i++) {
        snprintf(id, sizeof id, "lockfree/wg=%d", i);
        add_found(run, id, 4, 0, 1, 1000);
    }
    char *text = report_of(run);
    assert_int_equal(count_rows(text, ""), 1000);
    assert_row(text, "999 items", "bound", "not searched", "lockfree", "4, 100 %, 1.00 µs");
    free(text);
}

TEST(many_protocols_are_all_told)
{
    cJSON *run = new_run();
    char id[64];
    for (int i = 0; i < 100; i++) {
        snprintf(id, sizeof id, "ticket/11/%d", i);
        add_found(run, id, 4, 0, 1, 1000);
    }
    char *text = report_of(run);
    assert_int_equal(count_rows(text, ""), 100);
    for (int i = 0; i < 100; i += 99) {
        snprintf(id, sizeof id, "1 item (11) | not searched | ticket, delay %d", i);
        assert_row(text, id, "found", "4");
    }
    free(text);
}

TEST(runs_without_cases_have_no_table)
{
    assert_report(new_run(), "");
    assert_report(cJSON_Parse("{}"), "");
    cJSON *run = new_run();
    add_metric(add_case(run, "d", "11", NO_PARAMS), "groups_bound", 1);
    assert_report(run, "");
}

TEST(the_fixture_has_a_table_per_device)
{
    char *file = NULL;
    struct cb_err err;
    if (cb_read_file(COOPBENCH_TEST_DIR "/fixtures/run_two_devices.json", &cb_run_file, &file,
                     &err) != CB_OK)
        fail_msg("%s", err.text);
    cJSON *run = cJSON_Parse(file);
    char *text = report_of(run);
    const char *table = after(text, HEADER "\nNVIDIA H200 (fixture): 132 compute units\n");
    assert_row(table, "1 item (11) | 4224 | spin, delay 0", "found", "82.4 ± 21.4", "recall",
               "1.9 %", "time", "1.14 ms");
    assert_row(table, "1 item (11) | 4224 | ticket, delay 0", "found", "4224", "recall", "100 %",
               "time", "36.1 ms");
    table_in(after(table, "\n\ncpu-fixture-Intel(R) Xeon(R) Processor: 8 compute units\n"));
    free(text);
    free(file);
}

/* Returns whether a terminal of this width gets a line per configuration of a table that is 45
 * wide. */
static bool is_pivot_at(int width)
{
    char text[4096];
    struct winsize size = {.ws_row = 24, .ws_col = (unsigned short)width};
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0)
        skip();
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    if (slave < 0 || ioctl(slave, TIOCSWINSZ, &size) != 0)
        skip();
    cJSON *run = new_run();
    add_bound(run, "11", 4);
    add_found(run, "lockfree/11", 4, 0, 1, 1000);
    FILE *out = fdopen(slave, "w");
    assert_non_null(out);
    cb_discover_report(out, run);
    fflush(out);
    size_t length = 0; /* the terminal passes on a line at a time */
    for (ssize_t n = 1; n > 0 && !(length > 0 && strstr(text, "%")); length += (size_t)n) {
        n = read(master, text + length, sizeof text - 1 - length);
        assert_true(n > 0);
        text[length + (size_t)n] = '\0';
    }
    cJSON_Delete(run);
    fclose(out);
    close(master);
    return strstr(text, "| protocol") == NULL;
}

TEST(the_terminal_decides_what_fits)
{
    unsetenv("COLUMNS");
    assert_true(is_pivot_at(45));
    assert_false(is_pivot_at(44));
    assert_true(is_pivot_at(0)); /* a terminal that does not tell */
    setenv("COLUMNS", "44", 1);
    assert_false(is_pivot_at(200));
    unsetenv("COLUMNS");
}

/* Beside the bound, what is claimed; a device that CUDA does not know has no column of it, and a
 * run of an older program no table. */
TEST(claims)
{
    cJSON *run = new_run();
    cJSON *least = add_bound(run, "11", 128), *widest = add_bound(run, "1W", 4);
    add_found(run, "lockfree/11", 127.5, 1, 1, 912);
    char *text = report_of(cJSON_Duplicate(run, true));
    assert_null(strstr(text, "claimed"));
    free(text);
    add_metric(least, "api_wg_size", 256), add_metric(widest, "api_wg_size", 256);
    add_metric(least, "api_groups_items", 1024), add_metric(widest, "api_groups_items", 4);
    add_metric(least, "api_groups", 64);
    cJSON *copy = cJSON_Duplicate(run, true);
    text = report_of(run);
    const char *table = after(text, "What is claimed");
    assert_row(table, "1 item (11)", "run at once", "128", "lockfree", "127.5", "compute units",
               "4, too few", "by work-items", "1024, too many", "by local memory", "64, too few");
    assert_row(table, "widest (1W)", "run at once", "4", "lockfree", "", "compute units", "4",
               "by work-items", "4", "by local memory", "");
    assert_null(strstr(table, "CUDA"));
    free(text);
    add_metric(cJSON_GetArrayItem(cJSON_GetObjectItem(copy, "cases"), 0), "cuda_groups", 128);
    text = report_of(copy);
    table = after(text, "CUDA's occupancy calculator");
    assert_row(table, "1 item (11)", "CUDA", "128");
    assert_row(table, "widest (1W)", "CUDA", "");
    free(text);
}
