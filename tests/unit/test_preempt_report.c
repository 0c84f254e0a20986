/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables of preempt, FSE'17 Tab. 3 from cases of preempt and multitask, its picture, and the
 * mean time of runs beside tasks.
 */
#define BENCH  "preempt"
#define SPREAD 0.5
#include "run_fixture.h"
#include "table_fixture.h"
#include "tests/unit/unit.h"

#include "probes/preempt/app_runs.h"
#include "probes/preempt/report.h"
#include "probes/preempt/table3.h"

/* --- Made-up runs ----------------------------------------------------------------------------- */

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

/* "bench app workload place-or-barrier groups" and its numbers; the input is the app's with "x". */
static cJSON *add(const char *what, int task_groups, double overhead, double answer_ms,
                  double in_time)
{
    char bench[16], app[16], workload[16], how[16], groups[16];
    assert_int_equal(sscanf(what, "%15s %15s %15s %15s %15s", bench, app, workload, how, groups),
                     5);
    const bool heavy = strcmp(workload, "heavy") == 0;
    cJSON *item = add_case_of(run, bench, "d", "id",
                              "app=%s input=x%s workload=%s groups=%s period_ns=%g duration_ns=%g",
                              app, app, workload, groups, heavy ? 40e6 : 70e6, heavy ? 10e6 : 3e6);
    set_param(item, strcmp(bench, "preempt") == 0 ? "place" : "barrier", how);
    cJSON *metric = add_metric(item, "overhead", overhead);
    set_statistic(metric, "q1", overhead - 0.25);
    set_statistic(metric, "q3", overhead + 0.5);
    add_mean(item, "deadlines_met", in_time);
    set_statistic(add_metric(item, "answer_time", answer_ms * 1e6), "p95", answer_ms * 2e6);
    add_metric(item, "task_groups", task_groups);
    return item;
}

/* Two apps beside heavy, one beside light. */
static void add_all(void)
{
    add("preempt bfs heavy process N/2", 65, 1.25, 20, 1);
    add("preempt bfs heavy process N", 131, 1.125, 10.5, 1);
    add("preempt bfs heavy process N/4", 32, 1, 40, 0.5); /* is late */
    add("preempt bfs heavy queue N", 131, 0.5, 250, 1);   /* is no other process */
    add("multitask bfs heavy atomic 1", 1, 1, 1000, 0);
    add("multitask bfs heavy atomic N/4", 32, 1.5, 36, 1);
    add("multitask bfs heavy query N/4", 32, 1.375, 37, 1);
    add("multitask bfs heavy atomic N-1", 130, 1.75, 10.25, 1);
    add("preempt game heavy process N", 131, 1.375, 11, 0.9);
    add("multitask game heavy none N/2", 65, 1.625, 21, 0.96);
    add("preempt bfs light process N", 131, 1.0625, 4, 1);
}

static char *text_of(void (*print)(FILE *out))
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    print(out);
    fclose(out);
    return text;
}

static void print_tab3(FILE *out)
{
    cb_tab3_report(out, run, "d");
}

static void print_report(FILE *out)
{
    cb_preempt_report(out, run);
}

/* --- Tab. 3 ----------------------------------------------------------------------------------- */

TEST_WITH(tab3, setup, teardown)
{
    add_all();
    char *text = text_of(print_tab3);
    assert_row(text, "heavy | bfs xbfs", "P/(P-D)", "1.333", "preempted", "1.125",
               "preempted > task's", "N", "preempted > answer p50", "10.5 ms", "cooperative",
               "1.375", "cooperative > task's", "N/4", "cooperative > answer p50", "37.0 ms",
               "fastest", "1.750", "fastest > task's", "N-1", "fastest > answer p50", "10.2 ms");
    assert_row(text, "heavy | game xgame", "P/(P-D)", "1.333", "preempted", "1.375",
               "preempted > task's", "N, 90 % in time", "preempted > answer p50", "11.0 ms",
               "cooperative", "1.625", "cooperative > task's", "N/2", "cooperative > answer p50",
               "21.0 ms", "fastest", "1.625", "fastest > task's", "N/2", "fastest > answer p50",
               "21.0 ms");
    assert_row(text, "heavy | median of 2", "P/(P-D)", "1.333", "preempted", "1.250",
               "preempted > task's", "", "preempted > answer p50", "10.8 ms", "cooperative",
               "1.500", "cooperative > answer p50", "29.0 ms", "fastest", "1.688",
               "fastest > answer p50", "15.6 ms");
    assert_row(text, "light | bfs xbfs", "P/(P-D)", "1.045", "preempted", "1.062",
               "preempted > task's", "N", "preempted > answer p50", "4.00 ms", "cooperative", "-",
               "cooperative > task's", "-", "fastest", "-", "fastest > answer p50", "-");
    free(text);
}

/* Cooperative cases with other tasks are not to be compared. */
TEST_WITH(other_tasks, setup, teardown)
{
    add_all();
    cJSON *item = add("multitask bfs heavy atomic 1", 1, 1.125, 5, 1);
    set_params(item, "task=reduce");
    char *text = text_of(print_tab3);
    assert_row(text, "heavy | bfs xbfs", "cooperative", "1.375", "cooperative > task's", "N/4",
               "cooperative > answer p50", "37.0 ms", "fastest", "1.750", "fastest > task's",
               "N-1");
    free(text);
}

/* The authors' apps stand by themselves, with a median of their own. */
TEST_WITH(variants, setup, teardown)
{
    add_all();
    set_params(add("preempt bfs heavy process N", 131, 2, 10, 1), "variant=paper");
    set_params(add("multitask bfs heavy master N/2", 65, 3, 12, 1), "variant=paper");
    set_params(add("preempt game heavy process N", 131, 4, 10, 1), "variant=paper");
    char *text = text_of(print_tab3);
    assert_row(text, "heavy | bfs xbfs, paper", "preempted", "2.000", "cooperative", "3.000",
               "cooperative > task's", "N/2");
    assert_row(text, "heavy | median of 2, paper", "preempted", "3.000", "cooperative", "3.000");
    after(text, "| heavy    | median of 2        |   1.333 |     1.250 |");
    free(text);
    text = text_of(print_report);
    after(text, "\nbfs xbfs, variant paper, without cooperation, beside the workload heavy: ");
    free(text);
}

/* If nothing is in time, the case in which most is. */
TEST_WITH(none_in_time, setup, teardown)
{
    add("preempt bfs heavy process N", 131, 1.125, 30, 0.25);
    add("preempt bfs heavy process N/2", 65, 1.25, 45, 0.125);
    struct cb_tab3_row *rows;
    assert_int_equal(cb_tab3_of(run, "d", &rows), 1);
    assert_string_equal(rows[0].side[CB_TAB3_PREEMPTION].groups, "N");
    assert_false(cb_tab3_meets(rows[0].side[CB_TAB3_PREEMPTION].in_time));
    assert_null(rows[0].side[CB_TAB3_COOPERATIVE].item);
    assert_true(isnan(rows[0].side[CB_TAB3_COOPERATIVE].overhead));
    free(rows);
}

TEST_WITH(tab3_without_cases, setup, teardown)
{
    add("multitask bfs heavy atomic N/4", 32, 1.5, 36, 1);
    add("preempt bfs heavy queue N", 131, 0.5, 250, 1);
    char *text = text_of(print_tab3);
    assert_string_equal(text, "");
    free(text);
}

/* Cases that failed, or are of another input, stand for nothing. */
TEST_WITH(cases_that_do_not_count, setup, teardown)
{
    add("preempt bfs heavy process N/2", 65, 1.25, 20, 1);
    set_text(add("preempt bfs heavy process N", 131, 1, 10, 1), "status", "no");
    set_params(add("multitask bfs heavy atomic N/4", 32, 1.5, 36, 1), "input=y");
    char *text = text_of(print_tab3);
    assert_row(text, "heavy | bfs xbfs", "preempted", "1.250", "preempted > task's", "N/2",
               "cooperative", "-", "cooperative > task's", "-");
    after(text, "'coopbench run table3' measures both in one run.\n");
    free(text);
}

TEST_WITH(model, setup, teardown)
{
    struct cb_tab3_row row = {.period_ns = 40, .duration_ns = 10};
    assert_true(fabs(cb_tab3_model(&row) - 4.0 / 3) < 1e-9);
    row.duration_ns = 40;
    assert_true(isnan(cb_tab3_model(&row)));
}

/* --- The report ------------------------------------------------------------------------------- */

TEST_WITH(tables_of_tasks, setup, teardown)
{
    cJSON *item = add("preempt bfs heavy process N/2", 65, 1.25, 20, 1);
    cJSON *other = add("preempt bfs heavy queue N", 131, 0.5, 250, 0);
    add_metrics(other, "start_delay", 1e6, "exec_time", 2e6, "slices", 3.0, "away_time", 4e6,
                "period", 5e6, "launch_time", 6e6, NULL);
    add_note(item, "note this");
    add("preempt game light queue N", 131, 1, 3, 1);
    char *text = text_of(print_report);
    const char *table = after(text, "\nGPU\n\nbfs xbfs, without cooperation, beside the workload "
                                    "heavy: a task of 10.0 ms every 40.0 ms\n");
    assert_int_equal(count_rows(table, ""), 2);
    assert_row(table, "other process | N/2 = 65", "overhead", "1.250", "answer p50", "20.0 ms",
               "answer p50 > p95", "40.0 ms", "start delay", "-", "task p50", "-", "slices", "-",
               "away", "-", "period", "-", "in time", "100 %", "app's kernel", "-");
    assert_row(table, "second queue | N = 131", "overhead", "0.500", "answer p50", "250 ms",
               "answer p50 > p95", "500 ms", "start delay", "1.00 ms", "task p50", "2.00 ms",
               "slices", "3", "away", "4.00 ms", "period", "5.00 ms", "in time", "0 %",
               "app's kernel", "6.00 ms");
    table = after(table, "\n\n- note this\n\ngame xgame, without cooperation, beside the workload "
                         "light: a task of 3.00 ms every 70.0 ms\n");
    assert_row(table, "second queue", "answer p50", "3.00 ms");
    free(text);
}

TEST_WITH(table_of_two_apps, setup, teardown)
{
    cJSON *item = add_case_of(run, "preempt", "d", "id", "app=bfs input=x beside=game");
    add_metrics(item, "app_time_alone", 1e6, "app_time", 3e6, "other_time_alone", 4e6, "other_time",
                10e6, "stp", 0.75, "antt", 2.75, "fairness", 0.875, NULL);
    char *text = text_of(print_report);
    const char *table = after(text, "\nTwo apps, each in a process that has the whole device");
    assert_row(table, "bfs | game", "app alone", "1.00 ms", "app alone > beside : alone", "3.000",
               "other alone", "4.00 ms", "other alone > beside : alone", "2.500", "STP", "0.750",
               "ANTT", "2.750", "fairness", "0.875");
    free(text);
}

TEST_WITH(table_of_hybrid, setup, teardown)
{
    cJSON *item = add_case_of(run, "preempt", "d", "id",
                              "app=bfs input=x workload=light hybrid=true phase=0.5 groups=N");
    add_metrics(item, "task_groups", 131.0, "answer_time", 1e6, "answer_time_sliced", 2e6,
                "answer_time_cooperative", 3e6, "hybrid_to_sliced", 0.5, "answered_cooperatively",
                4.0, "answered_by_driver", 5.0, "gather_time", 6e6, "overhead", 1.125,
                "overhead_sliced", 1.25, "overhead_cooperative", 1.375, NULL);
    set_statistic(metric_of(item, "answer_time"), "p95", 9e6);
    char *text = text_of(print_report);
    const char *table = after(text, "\nHybrid preemption: ");
    assert_row(table, "bfs | light", "phase", "500 ms", "task's workgroups", "N = 131",
               "hybrid p50", "1.00 ms", "p95", "9.00 ms", "sliced p50", "2.00 ms", "coop. p50",
               "3.00 ms", "hybrid : sliced", "0.500", "hybrid : sliced > coop.", "4", "driver", "5",
               "gather p50", "6.00 ms", "overhead", "1.125", "overhead > sliced", "1.250",
               "sliced > coop.", "1.375");
    free(text);
}

TEST_WITH(nothing_to_report, setup, teardown)
{
    cJSON *const keep = run;
    cJSON *empty[] = {cJSON_Parse("{}"), cJSON_Parse("{\"devices\": [{}], \"cases\": [{}]}"), keep};
    for (size_t i = 0; i < 3; i++) {
        run = empty[i];
        char *text = text_of(print_report);
        assert_string_equal(text, "");
        free(text);
        int points = -1;
        free(data_of("fse17_tab3", &run, 1, &points));
        assert_int_equal(points, 0);
        if (run != keep)
            cJSON_Delete(run);
    }
    run = keep;
}

/* --- The picture ------------------------------------------------------------------------------ */

#define BFS  "\t\"GPU\"\t\"bfs xbfs\"\t"
#define GAME "\t\"GPU\"\t\"game xgame\"\t\"heavy\"\t"

TEST_WITH(figure, setup, teardown)
{
    int points = 0;
    add_all();
    char *data = data_of("fse17_tab3", &run, 1, &points);
    assert_int_equal(points, 10);
    assert_string_equal(
        data,
        "# panel_number\tworkload_number\tside_number\tdevice\tapp\tworkload\tside\tgroups"
        "\tperiod_goal_ns\tanswer_median_ns\tanswer_p95_ns\toverhead_median\toverhead_q1"
        "\toverhead_q3\n"
        "0\t0\t0" BFS "\"heavy\"\t\"preemption, model P/(P-D)\"\t\t4e+07\t1e+07\tNaN\t1.33333\t"
        "1.33333\t1.33333\n"
        "0\t0\t1" BFS "\"heavy\"\t\"preemption, measured\"\t\"N\"\t4e+07\t1.05e+07\t2.1e+07\t"
        "1.125\t0.875\t1.625\n"
        "0\t0\t2" BFS "\"heavy\"\t\"cooperative, fewest workgroups in time\"\t\"N/4\"\t4e+07\t"
        "3.7e+07\t7.4e+07\t1.375\t1.125\t1.875\n"
        "0\t0\t3" BFS "\"heavy\"\t\"cooperative, soonest answer\"\t\"N-1\"\t4e+07\t1.025e+07\t"
        "2.05e+07\t1.75\t1.5\t2.25\n"
        "0\t1\t0" BFS "\"light\"\t\"preemption, model P/(P-D)\"\t\t7e+07\t3e+06\tNaN\t1.04478\t"
        "1.04478\t1.04478\n"
        "0\t1\t1" BFS "\"light\"\t\"preemption, measured\"\t\"N\"\t7e+07\t4e+06\t8e+06\t1.0625\t"
        "0.8125\t1.5625\n"
        "\n\n"
        "1\t0\t0" GAME "\"preemption, model P/(P-D)\"\t\t4e+07\t1e+07\tNaN\t1.33333\t1.33333\t"
        "1.33333\n"
        "1\t0\t1" GAME "\"preemption, measured\"\t\"N\"\t4e+07\t1.1e+07\t2.2e+07\t1.375\t1.125\t"
        "1.875\n"
        "1\t0\t2" GAME "\"cooperative, fewest workgroups in time\"\t\"N/2\"\t4e+07\t2.1e+07\t"
        "4.2e+07\t1.625\t1.375\t2.125\n"
        "1\t0\t3" GAME "\"cooperative, soonest answer\"\t\"N/2\"\t4e+07\t2.1e+07\t4.2e+07\t1.625\t"
        "1.375\t2.125\n");
    free(data);
}

/* --- Runs beside tasks ------------------------------------------------------------------------ */

TEST_WITH(mean_run, setup, teardown)
{
    static const struct cb_preempt_span runs[] = {{0, 10}, {10, 22}, {22, 30}, {30, 50}};
    const struct cb_preempt_span all = {-INFINITY, INFINITY}, middle = {5, 30},
                                 short_one = {12, 14}, gone = {60, 70};
    assert_true(cb_preempt_mean_run(runs, 4, &all) == 12.5);
    assert_true(cb_preempt_mean_run(runs, 4, &middle) == 10);
    assert_true(cb_preempt_mean_run(runs, 4, &short_one) == 12);
    assert_true(isnan(cb_preempt_mean_run(runs, 4, &gone)));
    assert_true(isnan(cb_preempt_mean_run(runs, 0, &all)));
}
