/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables of the primitives, and which of them is best.
 */
#define BENCH  "primitives"
#define SPREAD 0.5
#include "run_fixture.h"
#include "table_fixture.h"
#include "tests/unit/unit.h"

#include "probes/primitives/best.h"
#include "probes/primitives/report.h"

/* A case; more: further parameters. The interval of its throughput is 10 % around the median. A
 * count of 0: it timed out. */
static cJSON *add(cJSON *run, const char *kind, const char *name, const char *groups, double count,
                  const char *more, double throughput)
{
    cJSON *item =
        add_case(run, "d", "id", "kind=%s primitive=%s groups=%s %s", kind, name, groups, more);
    add_interval(item, "throughput", throughput, 0.9 * throughput, 1.1 * throughput);
    add_metric(item, "op_time", 1e9 / throughput);
    add_metric(item, "groups", count);
    return count > 0 ? item : set_text(item, "status", "timeout");
}

static const cJSON *predict(void *context, const char *device_id)
{
    assert_string_equal(device_id, "d");
    return context;
}

/* The tables of a run, which is deleted, with a prediction in JSON; NULL: none. */
static char *printed(cJSON *run, const char *prediction)
{
    char *text = NULL;
    size_t size = 0;
    cJSON *predicted = prediction ? cJSON_Parse(prediction) : NULL;
    assert_true(!prediction || predicted);
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    cb_primitives_report_with(out, run, predict, predicted);
    fclose(out);
    cJSON_Delete(predicted);
    cJSON_Delete(run);
    return text;
}

TEST(barriers_have_throughput_and_time)
{
    cJSON *run = new_run();
    add(run, "barrier", "xf", "1", 1, "", 1234567);
    add(run, "barrier", "xf", "N/8", 264, "", 999600);
    add(run, "barrier", "xf", "N", 2112, "", 54321);
    add(run, "barrier", "counter", "1", 1, "", 2000000000);
    add(run, "barrier", "counter", "N/8", 264, "", 500);
    add(run, "barrier", "counter", "N", 0, "", 1);
    char *text = printed(run, NULL);
    const char *table = after(text, "\nGPU: N = 2112 workgroups\n");
    table = after(table, "\nBarriers a second by number of workgroups\n");
    assert_row(table, "xf", "1", "1.23 M", "264", "1.00 M", "2112", "54.3 k");
    assert_row(table, "counter", "1", "2.00 G", "264", "500", "2112", "timeout");
    table = after(table, "\nTime of a barrier by number of workgroups\n");
    assert_row(table, "xf", "1", "810 ns", "264", "1.00 µs", "2112", "18.4 µs");
    assert_row(table, "counter", "1", "0.50 ns", "264", "2.00 ms", "2112", "timeout");
    free(text);
}

TEST(mutexes_have_fairness_with_the_most_workgroups)
{
    cJSON *run = new_run();
    cJSON *item = add(run, "mutex", "spin", "2", 2, "section=1", 100);
    add_metric(item, "longest_wait", 99);
    item = add(run, "mutex", "spin", "4", 4, "section=1", 80);
    add_metric(item, "longest_wait", 1234.5);
    add_metric(item, "out_of_order", 0.123);
    item = add(run, "mutex", "array", "4", 4, "section=1", 100);
    add_metric(item, "longest_wait", 1.5);
    add_metric(item, "out_of_order", 0);
    add(run, "mutex", "array", "4", 4, "section=0", 300);
    char *text = printed(run, NULL);
    const char *table = after(
        text, "\nMutex operations a second by number of workgroups, empty critical section\n");
    assert_int_equal(count_rows(table, ""), 1);
    assert_row(table, "array", "4", "300");
    table = after(table, "\nMutex operations a second by number of workgroups, 1 increment in the "
                         "critical section\n(longest wait over the mean, share of grants out of "
                         "order: with 4 workgroups)\n");
    assert_int_equal(count_rows(table, ""), 2);
    assert_row(table, "spin", "2", "100", "4", "80.0", "longest wait", "1.23 k", "out of order",
               "12.3 %");
    assert_row(table, "array", "2", "", "4", "100", "longest wait", "1.50", "out of order", "0 %");
    table = after(table, "\nBest primitive (SO'11 Tab. 5)\n");
    assert_row(table, "mutex, section 0", "low contention", "array at 4",
               "full contention (4 workgroups)", "array");
    assert_row(table, "mutex, section 1", "low contention", "spin at 2",
               "full contention (4 workgroups)", "array");
    after(table, "\nNo prediction: run 'coopbench memory' on this device first.\n");
    free(text);
}

TEST(semaphores_have_a_table_per_initial_value)
{
    cJSON *run = new_run();
    add(run, "semaphore", "ticket", "N", 2, "initial=120 section=0", 1e6);
    cJSON *item = add(run, "semaphore", "ticket", "N", 2, "initial=2 section=0", 5e5);
    add_metric(item, "longest_wait", 2);
    add(run, "semaphore", "spin", "N", 2, "initial=2 tune=true", 9e9);
    char *text = printed(run, NULL);
    const char *table = after(text, "\nGPU: N = 2 workgroups\n");
    table =
        after(table, "\nSemaphore operations a second by number of workgroups, initial value 2\n"
                     "(longest wait over the mean: with 2 workgroups)\n");
    assert_int_equal(count_rows(table, ""), 1);
    assert_row(table, "ticket", "2", "500 k", "longest wait", "2.00");
    table = after(table,
                  "\nSemaphore operations a second by number of workgroups, initial value 120\n");
    assert_row(table, "ticket", "2", "1.00 M");
    free(text);
}

TEST(columns_tell_numbers_that_are_not_clear)
{
    cJSON *run = new_run();
    add(run, "barrier", "xf", "1", 1, "", 1e6);
    add(run, "barrier", "xf", "N/8", 1, "", 1e6);
    add(run, "barrier", "xf", "N", 8, "", 1e6);
    add(run, "barrier", "counter", "N", 6, "", 1e6);
    add(run, "barrier", "counter", "N/3", 0, "", 1e6);
    char *text = printed(run, NULL);
    const char *table = after(text, "\nGPU: N = 6 to 8 workgroups\n");
    assert_row(table, "xf", "1", "1.00 M", "N/8 = 1", "1.00 M", "N = 6-8", "1.00 M", "N/3", "");
    assert_row(table, "counter", "1", "", "N/8 = 1", "", "N = 6-8", "1.00 M", "N/3", "timeout");
    free(text);
}

TEST(wide_tables_are_turned)
{
    cJSON *run = new_run();
    char groups[8];
    for (int i = 1; i <= 14; i++) {
        snprintf(groups, sizeof groups, "%d", i);
        add(run, "barrier", "xf", groups, i, "", 1000.0 * i);
        add(run, "barrier", "counter", groups, i % 2 ? i : 0, "", 10000.0 * i);
    }
    char *text = printed(run, NULL);
    const char *table = after(text, "\nBarriers a second by number of workgroups\n");
    assert_int_equal(count_rows(table, ""), 14);
    assert_row(table, "1", "workgroups", "1", "xf", "1.00 k", "counter", "10.0 k");
    assert_row(table, "2", "workgroups", "2", "xf", "2.00 k", "counter", "timeout");
    assert_row(table, "3", "workgroups", "3", "xf", "3.00 k", "counter", "30.0 k");
    free(text);
}

TEST(native_is_compared_but_never_best)
{
    cJSON *run = new_run();
    add(run, "barrier", "native", "4", 4, "", 4000);
    add(run, "barrier", "native", "8", 8, "", 3000);
    add(run, "barrier", "native", "16", 16, "", 2000);
    add(run, "barrier", "relaunch", "4", 4, "", 12000);
    add(run, "barrier", "xf", "4", 4, "", 800);
    add(run, "barrier", "xf", "8", 8, "", 300);
    add(run, "barrier", "counter", "8", 8, "", 400);
    char *text = printed(run, NULL);
    after(text, "\nWith 8 workgroups, the best barrier, counter, takes 7.50 times as long as "
                "native\n");
    after(text, "\nWith 4 workgroups, the best barrier, xf, takes 15.00 times as long as "
                "relaunch\n");
    const char *table = after(text, "\nBest primitive (SO'11 Tab. 5)\n");
    assert_int_equal(count_rows(table, ""), 1);
    assert_row(table, "barrier", "low contention (4 workgroups)", "xf",
               "full contention (8 workgroups)", "counter");
    after(table, "\nNo prediction: run 'coopbench memory' on this device first.\n");
    free(text);
}

TEST(predictions_are_judged)
{
    cJSON *run = new_run();
    add(run, "barrier", "counter", "2", 2, "", 90);
    add(run, "barrier", "xf", "2", 2, "", 100); /* 90 to 110; 81 to 99 */
    add(run, "barrier", "far", "2", 2, "", 80); /* 72 to 88 */
    add(run, "barrier", "far", "N", 8, "", 80);
    add(run, "barrier", "xf", "N", 8, "", 60); /* 54 to 66 */
    add(run, "barrier", "slow", "N", 8, "", 10);
    add(run, "mutex", "array", "N", 6, "section=16", 100);
    add(run, "mutex", "spin", "N", 6, "section=8", 100);
    add(run, "semaphore", "spin", "1", 1, "initial=1", 100);
    add(run, "semaphore", "spin", "N", 0, "initial=2", 100); /* starves */
    add(run, "semaphore", "ticket", "N", 8, "initial=2", 100);
    add(run, "semaphore", "array", "N", 8, "initial=2", 50);
    char *text =
        printed(run, "{\"barrier\": {\"low\": \"counter\", \"full\": \"xf\"}, \"mutex\": {\"full\":"
                     " \"spin\"}, \"semaphore_1\": {\"low\": \"spin\", \"full\": \"spin\"},"
                     " \"semaphore_2\": {\"low\": \"spin\", \"full\": \"ticket\"}}");
    const char *table = after(text, "\nBest primitive (SO'11 Tab. 5)\n");
    static const struct {
        const char *primitive, *low, *full, *predicted_low, *predicted_full;
    } rows[] = {
        {"barrier", "xf, counter at 2 (tie)", "far at 8", "counter: cannot tell", "xf: wrong"},
        {"mutex, section 8", "spin at 6", "spin at 6", "-", "spin: cannot tell"},
        {"mutex, section 16", "array at 6", "array at 6", "-", "-"},
        {"semaphore, initial 1", "-", "-", "spin", "spin"},
        {"semaphore, initial 2", "ticket at 8", "ticket at 8", "spin: wrong", "ticket: right"},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        assert_row(table, rows[i].primitive, "low contention", rows[i].low, "full contention",
                   rows[i].full);
        assert_row_below(table, rows[i].primitive, "primitive", "predicted", "low contention",
                         rows[i].predicted_low, "full contention", rows[i].predicted_full);
    }
    after(table, "\nPredictions of 'coopbench memory': 1 right, 2 wrong, 2 where the measurements "
                 "cannot tell\n");
    free(text);
}

TEST(without_intervals_the_medians_decide)
{
    cJSON *run = new_run();
    cJSON *item = add_case(run, "d", "id", "kind=barrier primitive=xf groups=N");
    add_metric(item, "throughput", 105);
    add_metric(item, "groups", 8);
    add(run, "barrier", "counter", "N", 8, "", 100);
    add(run, "barrier", "far", "N", 8, "", 90);
    struct cb_primitive_cases set = cb_primitive_cases_of(run, "d");
    struct cb_best best = cb_best_at(&set, "barrier", 0, "N", 8);
    assert_int_equal(best.n, 2); /* 105; 90 to 110; 81 to 99 */
    assert_string_equal(best.names[0], "xf");
    assert_string_equal(best.names[1], "counter");
    assert_true(best.count == 8 && !(best.op_time > 0));
    assert_int_equal(cb_best_at(&set, "barrier", 0, "N", 7).n, 0);
    assert_int_equal(cb_best_at(&set, "barrier", 0, "8", 8).n, 0);
    cb_primitive_cases_free(&set);
    cJSON_Delete(run);
}

TEST(verdicts_are_of_every_section_and_initial_value)
{
    cJSON *run = new_run();
    for (int section = 0; section < 3; section++) {
        char params[32];
        snprintf(params, sizeof params, "section=%d", section);
        add(run, "mutex", section == 1 ? "ticket" : "spin", "N", 33, params, 100);
    }
    add(run, "semaphore", "spin", "N/8", 4, "initial=120", 100);
    add(run, "semaphore", "sleeping", "N", 33, "initial=120", 50);
    add(run, "semaphore", "ticket", "N", 33, "initial=120", 40);
    int n;
    struct cb_verdict *v = cb_verdicts_of(run, "d", &n);
    assert_int_equal(n, 4);
    assert_string_equal(v[0].key, "mutex");
    assert_true(v[0].variant == 0 && cb_best_has(&v[0].best[CB_CONTENTION_LOW], "spin"));
    assert_string_equal(v[1].key, "mutex_1");
    assert_true(v[1].variant == 1 && cb_best_has(&v[1].best[CB_CONTENTION_LOW], "ticket"));
    assert_string_equal(v[3].key, "semaphore_120");
    const struct cb_best *low = &v[3].best[CB_CONTENTION_LOW];
    const struct cb_best *full = &v[3].best[CB_CONTENTION_FULL];
    assert_true(low->n == 1 && low->count == 4 && low->op_time == 1e7);
    assert_string_equal(low->groups, "N/8");
    assert_string_equal(low->names[0], "spin");
    assert_true(full->n == 1 && full->count == 33 && !cb_best_has(full, "ticket"));
    assert_string_equal(full->names[0], "sleeping");
    free(v);
    assert_null(cb_verdicts_of(run, "e", &n));
    assert_int_equal(n, 0);
    cJSON_Delete(run);
}

TEST(runs_without_cases_have_no_tables)
{
    cJSON *other = new_run();
    set_text(add(other, "barrier", "xf", "N", 2, "", 1), "bench", "memory");
    cJSON *const runs[] = {new_run(), cJSON_Parse("{}"), other};
    for (size_t i = 0; i < CB_COUNTOF(runs); i++) {
        char *text = printed(runs[i], NULL);
        assert_string_equal(text, "");
        free(text);
    }
}
