/* SPDX-License-Identifier: Apache-2.0
 *
 * Medians over pairs of an app and an input, from made-up runs.
 */
#define BENCH  "multitask"
#define SPREAD 0.5
#include "run_fixture.h"
#include "table_fixture.h"
#include "tests/unit/unit.h"

#include "probes/multitask/over_pairs.h"

static cJSON *run;

static int setup(void **unused)
{
    (void)unused;
    run = new_run();
    return run ? 0 : -1;
}

static int teardown(void **unused)
{
    (void)unused;
    cJSON_Delete(run);
    return 0;
}

/* "app/input barrier workload groups", and its numbers. */
static cJSON *add(const char *what, int task_groups, double overhead, double in_time,
                  double gather_us)
{
    char app[16], input[16], barrier[16], workload[16], groups[16];
    assert_int_equal(
        sscanf(what, "%15[^/]/%15s %15s %15s %15s", app, input, barrier, workload, groups), 5);
    const bool heavy = strcmp(workload, "heavy") == 0;
    cJSON *item =
        add_case(run, "d", "id",
                 "app=%s input_name=%s barrier=%s workload=%s groups=%s period_ns=%g "
                 "duration_ns=%g",
                 app, input, barrier, workload, groups, heavy ? 40e6 : 70e6, heavy ? 10e6 : 3e6);
    add_metric(item, "overhead", overhead);
    add_mean(item, "deadlines_met", in_time);
    add_metric(item, "period", heavy ? 41e6 : 70e6);
    add_metric(item, "task_groups", task_groups);
    set_statistic(add_metric(item, "gather_time", gather_us * 1e3), "p99", gather_us * 2e3);
    return item;
}

static char *report(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    const struct cb_rows all = {.run = run, .bench = "multitask", .device = "d"};
    cb_over_pairs_report(out, &all);
    fclose(out);
    return text;
}

static void reports(const char *expected)
{
    char *text = report();
    assert_string_equal(text, expected);
    free(text);
}

/* Three pairs, of which one has offers: it belongs to both barriers. */
static void add_three(void)
{
    add("bfs/road query heavy N/4", 32, 1.1, 0.5, 10);
    add("bfs/road query heavy N/2", 65, 1.2, 1, 20);
    add("bfs/road atomic heavy N/2", 65, 1.15, 1, 30);
    add("bfs/rmat query heavy N/4", 32, 1.3, 0.9, 30);
    add("bfs/rmat query heavy N/2", 65, 1.4, 1, 40);
    add("bfs/rmat atomic heavy N/2", 65, 1.25, 0.96, 50);
    add("game/depth none heavy N/4", 131, 1.05, 1, 1500);
    add("game/depth none heavy N/2", 263, 1.35, 1, 1200);
    add("game/depth none light N/2", 263, 1.02, 1, 900);
}

TEST_WITH(tables, setup, teardown)
{
    add_three();
    char *text = report();
    const char *table = after(
        text, "\nMedians over all pairs of an app and an input, and the worst of them (Fig. 6); "
              "pairs without resizing\nbarriers belong to each barrier\n");
    static const struct {
        const char *row, *overhead, *worst, *in_time, *least, *gather, *p99, *worst_p99;
    } rows[] = {
        {"heavy | N/4 | query", "1.100", "1.300", "90 %", "50 %", "30.0 µs", "60.0 µs", "3.00 ms"},
        {"heavy | N/2 | query", "1.350", "1.400", "100 %", "100 %", "40.0 µs", "80.0 µs",
         "2.40 ms"},
        {"heavy | N/2 | atomic", "1.250", "1.350", "100 %", "96 %", "50.0 µs", "100 µs", "2.40 ms"},
    };
    assert_int_equal(count_rows(table, ""), CB_COUNTOF(rows));
    for (size_t i = 0; i < CB_COUNTOF(rows); i++)
        assert_row(table, rows[i].row, "pairs", "3", "overhead", rows[i].overhead,
                   "overhead > worst", rows[i].worst, "in time", rows[i].in_time, "in time > worst",
                   rows[i].least, "period", "41.0 ms", "gather p50", rows[i].gather, "p99",
                   rows[i].p99, "worst p99", rows[i].worst_p99);
    table =
        after(table, "\nOverhead of preempting whole kernels (a model) and of cooperative ones "
                     "(median over the pairs), with the\nfewest workgroups that meet the deadline "
                     "(Tab. 3)\n");
    assert_row(table, "heavy | query", "kernel-level P/(P-D)", "1.333", "cooperative", "1.350",
               "task's workgroups", "N/2");
    assert_row(table, "heavy | atomic", "kernel-level P/(P-D)", "1.333", "cooperative", "1.250",
               "task's workgroups", "N/2");
    free(text);
}

/* Tasks that do something else are another workload. */
TEST_WITH(kinds_of_tasks, setup, teardown)
{
    for (int reduce = 0; reduce <= 1; reduce++)
        for (int i = 0; i < 2; i++) {
            cJSON *item = add(i ? "bfs/rmat query heavy N/2" : "bfs/road query heavy N/2", 65,
                              reduce ? 1.5 : 1.25, 1, 20);
            if (reduce)
                set_params(item, "task=reduce");
        }
    char *text = report();
    assert_row(text, "heavy | N/2 | query", "pairs", "2", "overhead", "1.250");
    assert_row(text, "heavy (reduce) | N/2 | query", "pairs", "2", "overhead", "1.500");
    const char *table = after(text, "(Tab. 3)\n");
    assert_row(table, "heavy | query", "kernel-level P/(P-D)", "1.333", "cooperative", "1.250");
    assert_row(table, "heavy (reduce) | query", "kernel-level P/(P-D)", "1.333", "cooperative",
               "1.500");
    free(text);
}

/* Pairs without barriers have one line each; a case that failed is no pair. */
TEST_WITH(work_stealing_alone, setup, teardown)
{
    add("game/depth none light 1", 1, 1, 0.1, 10);
    add("octree/even none light 1", 1, 1.01, 0.2, 10);
    set_text(add("game/depth none light N/2", 263, 9, 0, 10), "status", "no");
    add("octree/even none light N/2", 263, 1.5, 0.9, 10);
    char *text = report();
    assert_row(text, "light | 1 | none", "pairs", "2", "overhead", "1.005");
    assert_row(text, "light | N/2 | none", "pairs", "1", "overhead", "1.500");
    assert_row(after(text, "(Tab. 3)\n"), "light | none", "kernel-level P/(P-D)", "1.045",
               "cooperative", "-", "task's workgroups", "-");
    free(text);
}

TEST_WITH(one_pair_has_none, setup, teardown)
{
    reports("");
    add("bfs/road query heavy N/4", 32, 1.1, 0.5, 10);
    add("bfs/road atomic heavy N/2", 65, 1.1, 1, 10);
    reports("");
}

TEST_WITH(figure, setup, teardown)
{
    char *data = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&data, &size);
    add_three();
    assert_non_null(out);
    assert_int_equal(cb_over_pairs_figure(out, &run, 1), 3);
    fclose(out);
    assert_string_equal(
        data, CB_FIG6_HEADS
        "0\t0\t0\t\"GPU\"\t\"median over 3 pairs\"\t\"query\"\t\"heavy\"\t32\t\"N/4\"\t4e+07\t1.1\t"
        "1.075\t1.2\t4.1e+07\t4.1e+07\t4.1e+07\n"
        "0\t0\t0\t\"GPU\"\t\"median over 3 "
        "pairs\"\t\"query\"\t\"heavy\"\t65\t\"N/2\"\t4e+07\t1.35\t"
        "1.275\t1.375\t4.1e+07\t4.1e+07\t4.1e+07\n"
        "\n\n"
        "0\t1\t0\t\"GPU\"\t\"median over 3 pairs\"\t\"atomic\"\t\"heavy\"\t65\t\"N/2\"\t4e+07\t"
        "1.25\t1.2\t1.3\t4.1e+07\t4.1e+07\t4.1e+07\n");
    free(data);
}
