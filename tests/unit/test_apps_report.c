/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables and the pictures' data of apps, from made-up runs.
 */
#define BENCH  "apps"
#define SPREAD 0.5
#include "run_fixture.h"
#include "table_fixture.h"
#include "tests/unit/unit.h"

#include <math.h>

#include "apps/host/run.h"
#include "probes/apps/pairs.h"

/* --- Made-up runs ----------------------------------------------------------------------------- */

/* A metric whose minimum is half its median, which has an interval of 1 % on both sides. */
static void add_times(cJSON *item, const char *name, double median)
{
    set_statistic(add_interval(item, name, median, 0.99 * median, 1.01 * median), "min",
                  median / 2);
}

static cJSON *add_pair_case(cJSON *run, const char *device, const char *id, const char *app,
                            const char *input, const char *mode)
{
    const char *barrier = strcmp(app, "game") == 0 ? "none" : "atomic";
    return add_case(run, device, id, "app=%s input=folder/%s.gr input_name=%s mode=%s barrier=%s",
                    app, input, input, mode, barrier);
}

/* A measured case. The host sees a time of 10 ms more. */
static cJSON *add_time(cJSON *run, const char *device, const char *app, const char *input,
                       const char *mode, double ms)
{
    cJSON *item = add_pair_case(run, device, "id", app, input, mode);
    add_times(item, "run_time", ms * 1e6);
    add_times(item, "host_time", (ms + 10) * 1e6);
    add_metric(item, "wg_size", 64);
    return item;
}

/* All modes: multikernel, specialised, portable, cooperative. */
static void add_pair(cJSON *run, const char *device, const char *app, const char *input,
                     const double ms[CB_APP_BASELINE])
{
    for (int m = 0; m < CB_APP_BASELINE; m++)
        add_time(run, device, app, input, cb_app_modes[m], ms[m]);
}

static cJSON *add_tuning(cJSON *run, const char *mode)
{
    char id[64];
    snprintf(id, sizeof id, "bfs/%s/road/tuning", mode);
    return set_params(add_pair_case(run, "d", id, "bfs", "road", mode), "sizes=64,128");
}

/* --- Tables ----------------------------------------------------------------------------------- */

TEST(pairs_have_times_and_ratios)
{
    cJSON *run = new_run();
    add_pair(run, "d", "bfs", "road", (double[]){20, 4, 5, 4.2});
    add_pair(run, "d", "bfs", "rmat", (double[]){2, 4, 2, 4});
    add_pair(run, "d", "game", "deep", (double[]){7, 8, 8, 8.4});
    char *text = report_of(run);
    const char *table =
        after(text, "\nGPU\n\nTime of a run: median, its 95 % interval (work-items a workgroup)\n");
    assert_int_equal(count_rows(table, ""), 3);
    assert_row(table, "bfs | road.gr", "multikernel", "20.0 ms ±1.0 % (64)", "specialised",
               "4.00 ms ±1.0 % (64)", "portable", "5.00 ms ±1.0 % (64)", "cooperative",
               "4.20 ms ±1.0 % (64)", "result, throughput", "");
    assert_row(table, "bfs | rmat.gr", "multikernel", "2.00 ms ±1.0 % (64)", "specialised",
               "4.00 ms ±1.0 % (64)", "portable", "2.00 ms ±1.0 % (64)", "cooperative",
               "4.00 ms ±1.0 % (64)");
    assert_row(table, "game | deep.gr", "multikernel", "7.00 ms ±1.0 % (64)", "specialised",
               "8.00 ms ±1.0 % (64)", "portable", "8.00 ms ±1.0 % (64)", "cooperative",
               "8.40 ms ±1.0 % (64)");

    table = after(table, "\nRatios of median times: ");
    static const struct {
        const char *pair, *speedup, *portability, *both, *cooperation;
    } ratios[] = {
        {"bfs [road]", "2.000", "1.250", "1.050", "0.840"},
        {"bfs [rmat]", "1.000", "0.500", "1.000", "2.000"},
        {"game [deep]", "-", "1.000", "1.050", "1.050"},
        {"geometric mean", "1.414", "0.855", "1.033", "1.208"},
        {"median", "1.500", "1.000", "1.050", "1.050"},
        {"maximum", "2.000", "1.250", "1.050", "2.000"},
        {"minimum", "1.000", "0.500", "1.000", "0.840"},
    };
    assert_int_equal(count_rows(table, ""), CB_COUNTOF(ratios));
    for (size_t i = 0; i < CB_COUNTOF(ratios); i++)
        assert_row(table, ratios[i].pair, "multikernel : portable", ratios[i].speedup,
                   "portable : specialised", ratios[i].portability, "cooperative : specialised",
                   ratios[i].both, "cooperative : portable", ratios[i].cooperation);

    table = after(table, "\nCooperation without multitasking (FSE'17 Tab. 2)\n");
    assert_row(table, "specialised", "all: mean", "1.033", "all: mean > maximum",
               "1.050, bfs [road]", "barriers: mean", "1.025", "barriers: mean > maximum",
               "1.050, bfs [road]", "work stealing: mean", "1.050", "work stealing: mean > maximum",
               "1.050, game [deep]");
    assert_row(table, "portable", "all: mean", "1.208", "all: mean > maximum", "2.000, bfs [rmat]",
               "barriers: mean", "1.296", "barriers: mean > maximum", "2.000, bfs [rmat]",
               "work stealing: mean", "1.050", "work stealing: mean > maximum",
               "1.050, game [deep]");
    free(text);
}

/* A row without a time has its status, and no ratio. */
TEST(what_is_missing)
{
    cJSON *run = new_run();
    cJSON *item = add_time(run, "d", "bfs", "road", "portable", 2);
    add_metric(item, "throughput", 10.2e9);
    add_metric(item, "result", 7);
    make_failed(add_pair_case(run, "d", "id", "bfs", "road", "cooperative"), "timeout");
    char *text = report_of(run);
    assert_row(text, "bfs | road.gr", "multikernel", "-", "specialised", "-", "portable",
               "2.00 ms ±1.0 % (64)", "cooperative", "timeout", "result, throughput",
               "7, 10.2 G edges/s");
    assert_null(strstr(text, "Ratios"));
    free(text);
}

/* One run of each says nothing of how fast they are. */
TEST(runs_for_the_check_alone_have_no_ratios)
{
    static const char *const modes[] = {"portable", "specialised"};
    cJSON *run = new_run();
    for (int m = 0; m < 2; m++) {
        cJSON *item = add_pair_case(run, "d", "id", "game", "deep", modes[m]);
        set_params(item, "verify=true");
        add_metric(item, "run_time", 2e6);
        add_metric(item, "wg_size", 64);
    }
    char *text = report_of(run);
    assert_row(text, "game | deep.gr", "multikernel", "-", "specialised", "2.00 ms (64)",
               "portable", "2.00 ms (64)", "cooperative", "-");
    assert_null(strstr(text, "Ratios"));
    free(text);
}

/* The report tells a note of several modes of a pair once. */
TEST(tuning_is_a_table)
{
    cJSON *run = new_run();
    cJSON *item = add_tuning(run, "portable");
    set_statistic(add_metric(item, "wg_64", 2e6), "min", 1e6);
    set_statistic(add_metric(item, "wg_1024", 1e6), "min", 5e5);
    add_note(item, "a note");
    item = add_tuning(run, "cooperative");
    set_statistic(add_metric(item, "wg_128", 2e6), "min", 1e6);
    add_note(item, "a note");
    add_note(item, "another");
    add_time(run, "d", "bfs", "road", "portable", 2);
    char *text = report_of(run);
    assert_row(text, "bfs | road.gr", "portable", "2.00 ms ±1.0 % (64)", "cooperative", "-");
    const char *table = after(
        text, "\nTuning: least time of a run by work-items a workgroup (* best, - not run)\n");
    assert_row(table, "bfs [road] | portable", "64", "1.00 ms", "128", "-", "1024", "500 µs *");
    assert_row(table, "bfs [road] | cooperative", "64", "-", "128", "1.00 ms *", "1024", "-");
    assert_string_equal(after(table, "\n\n- bfs [road]: a note\n"), "- bfs [road]: another\n");
    free(text);
}

TEST(other_devices_and_benches_have_no_tables)
{
    static const char *const texts[] = {
        "{}",
        "{\"devices\": [{\"id\": \"d\"}], \"cases\": []}",
        "{\"devices\": [{\"id\": \"d\"}], \"cases\": [{\"bench\": \"apps\", \"device\": \"e\","
        " \"params\": {\"mode\": \"portable\"}}]}",
        "{\"devices\": [{\"id\": \"d\"}], \"cases\": [{\"bench\": \"multitask\","
        " \"device\": \"d\", \"params\": {\"mode\": \"portable\"}}]}",
    };
    for (size_t i = 0; i < CB_COUNTOF(texts); i++)
        assert_report(cJSON_Parse(texts[i]), "");
}

/* --- Summaries -------------------------------------------------------------------------------- */

TEST(summaries_are_of_kinds)
{
    cJSON *run = new_run();
    add_pair(run, "d", "bfs", "road", (double[]){6, 4, 5, 4});
    add_pair(run, "d", "bfs", "rmat", (double[]){2, 4, 5, 16});
    add_pair(run, "d", "game", "deep", (double[]){7, 8, 8, 4});
    struct cb_apps_pairs pairs = cb_apps_pairs_of(run, "d");
    static const int counts[CB_APPS_KINDS] = {3, 2, 1};
    static const double means[CB_APPS_KINDS] = {1.25992105, 2, 0.5},
                        maxima[CB_APPS_KINDS] = {4, 4, 0.5};
    assert_int_equal(pairs.n, 3);
    for (int kind = 0; kind < CB_APPS_KINDS; kind++) {
        struct cb_apps_summary s =
            cb_apps_summary_of(&pairs, CB_APPS_COOPERATION, (enum cb_apps_kind)kind);
        assert_int_equal(s.n, counts[kind]);
        assert_true(fabs(s.mean - means[kind]) < 1e-6);
        assert_true(s.max == maxima[kind]);
        assert_ptr_equal(s.worst, &pairs.list[kind == CB_APPS_STEALING ? 2 : 1]);
    }
    struct cb_apps_summary none = cb_apps_summary_of(&pairs, CB_APPS_SPEEDUP, CB_APPS_STEALING);
    assert_int_equal(none.n, 0);
    assert_true(isnan(none.mean) && isnan(none.max) && !none.worst);
    cb_apps_pairs_free(&pairs);
    cJSON_Delete(run);
}

/* --- Data of the pictures --------------------------------------------------------------------- */

#define BARS                                                                                       \
    "# device_number\tpair_number\tdevice\tpair\tratio_name\tratio\tgeometric_mean\tmedian"        \
    "\tmaximum\tminimum\n"

static cJSON *run_of_two_devices(void)
{
    cJSON *run = new_run();
    rename_devices(run, "GPU");
    add_device(run, "f", "CPU");
    add_pair(run, "d", "bfs", "road", (double[]){20, 4, 5, 4});
    add_pair(run, "d", "game", "deep", (double[]){7, 8, 8, 4});
    add_pair(run, "e", "bfs", "rmat", (double[]){2, 4, 2, 4});
    add_time(run, "f", "bfs", "rmat", "portable", 2); /* nothing to compare with */
    return run;
}

/* An app without barriers has no bar, and neither has a pair that cannot be compared. */
TEST(speedups_are_of_apps_with_barriers)
{
    cJSON *run = run_of_two_devices();
    assert_figure("fig9", "", &run, 1, 2,
                  BARS
                  "0\t0\t\"GPU #1\"\t\"bfs [road]\"\t\"Speedup by the barrier\"\t2\t2\t2\t2\t2\n"
                  "\n\n"
                  "1\t0\t\"GPU #2\"\t\"bfs [rmat]\"\t\"Speedup by the barrier\"\t1\t1\t1\t1\t1\n");
}

TEST(slowdowns_are_of_all_apps)
{
    cJSON *run = run_of_two_devices();
    assert_figure(
        "fig10", "", &run, 1, 3,
        BARS
        "0\t0\t\"GPU #1\"\t\"bfs [road]\"\t\"Slowdown by "
        "portability\"\t1.25\t1.11803\t1.125\t1.25\t1\n"
        "0\t1\t\"GPU #1\"\t\"game [deep]\"\t\"Slowdown by "
        "portability\"\t1\t1.11803\t1.125\t1.25\t1\n"
        "\n\n"
        "1\t0\t\"GPU #2\"\t\"bfs [rmat]\"\t\"Slowdown by portability\"\t0.5\t0.5\t0.5\t0.5\t0.5\n");
}

TEST(slowdowns_have_times)
{
    cJSON *run = run_of_two_devices();
    assert_figure("fig11", "", &run, 1, 3,
                  "# device_number\tpair_number\tdevice\tpair\tspecialised_ns\tslowdown\n"
                  "0\t0\t\"GPU #1\"\t\"bfs [road]\"\t4e+06\t1.25\n"
                  "0\t1\t\"GPU #1\"\t\"game [deep]\"\t8e+06\t1\n"
                  "\n\n"
                  "1\t0\t\"GPU #2\"\t\"bfs [rmat]\"\t4e+06\t0.5\n");
}

TEST(runs_are_apart)
{
    cJSON *runs[] = {new_run(), new_run()};
    set_text(runs[1], "run_id", "other");
    for (int i = 0; i < 2; i++)
        add_pair(runs[i], "d", "bfs", "road", (double[]){20, 4, 5 - i, 4});
    assert_figure("fig11", "", runs, 2, 2,
                  "# device_number\tpair_number\tdevice\tpair\tspecialised_ns\tslowdown\n"
                  "0\t0\t\"GPU, run first\"\t\"bfs [road]\"\t4e+06\t1.25\n"
                  "\n\n"
                  "1\t0\t\"GPU, run other\"\t\"bfs [road]\"\t4e+06\t1\n");
}

TEST(nothing_to_draw)
{
    for (const struct cb_figure *figure = the_bench()->figures; figure->id; figure++) {
        cJSON *run = new_run();
        int written = -1;
        add_time(run, "d", "bfs", "road", "portable", 2);
        free(data_of(figure->id, &run, 1, &written));
        assert_int_equal(written, 0);
        cJSON_Delete(run);
    }
}
