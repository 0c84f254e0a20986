/* SPDX-License-Identifier: Apache-2.0
 *
 * The pictures' data of multitask, from made-up runs and their traces.
 */
#include "multitask_report_fixture.h"
#include "tests/unit/unit.h"

/* --- Data of the pictures --------------------------------------------------------------------- */

#define HEADER_5                                                                                   \
    "# device_number\tkernel_number\ttime_number\tline_number\tdevice\tkernel\tline\tgroups"       \
    "\tshare\tmedian_ns\tp95_ns\tperiod_goal_ns\n"
#define HEADER_6                                                                                   \
    "# device_number\tkernel_number\tworkload_number\tdevice\tkernel\tbarrier\tworkload"           \
    "\tgroups\tshare\tperiod_goal_ns\toverhead_median\toverhead_q1\toverhead_q3"                   \
    "\tperiod_median_ns\tperiod_q1_ns\tperiod_q3_ns\n"

/* The data of some runs, which are deleted, below the header. */
static void assert_data_of(const char *id, cJSON **runs, int n, int points, const char *expected)
{
    const char *header = strcmp(id, "fse17_fig5") == 0   ? HEADER_5
                         : strcmp(id, "fse17_fig6") == 0 ? HEADER_6
                                                         : "";
    assert_figure(id, header, runs, n, points, expected);
}

static void assert_data(const char *id, cJSON *run, int points, const char *expected)
{
    assert_data_of(id, &run, 1, points, expected);
}

/* A line is a barrier's gather time, or a workload's execution time; of others it has the median.
 */
TEST(times_are_lines_of_barriers_and_workloads)
{
    cJSON *run = new_run();
    add_tasks(run, "d", BFS LIGHT, "N/2", 65, 20, 6, 1);
    add_tasks(run, "d", BFS LIGHT, "1", 1, 10, 300, 1);
    add_tasks(run, "d", BFS HEAVY, "N/2", 65, 40, 20, 1);
    add_tasks(run, "d", OTHER HEAVY, "N/2", 65, 5, 22, 1);
    assert_data("fse17_fig5", run, 6,
                "0\t0\t0\t0\t\"GPU\"\t\"bfs usa\"\t\"query\"\t1\t\t10000\t100000\tNaN\n"
                "0\t0\t0\t0\t\"GPU\"\t\"bfs usa\"\t\"query\"\t65\t\"N/2\"\t30000\t300000\tNaN\n"
                "\n\n"
                "0\t0\t0\t1\t\"GPU\"\t\"bfs usa\"\t\"atomic\"\t65\t\"N/2\"\t5000\t50000\tNaN\n"
                "\n\n"
                "0\t0\t1\t0\t\"GPU\"\t\"bfs usa\"\t\"light\"\t1\t\t3e+08\t3e+09\t7e+07\n"
                "0\t0\t1\t0\t\"GPU\"\t\"bfs usa\"\t\"light\"\t65\t\"N/2\"\t6e+06\t6e+07\t7e+07\n"
                "\n\n"
                "0\t0\t1\t1\t\"GPU\"\t\"bfs usa\"\t\"heavy\"\t65\t\"N/2\"\t2.1e+07\t2.1e+08\t"
                "4e+07\n");
}

/* Tasks that do something else, and the user's, are lines of their own. */
TEST(kinds_of_tasks_are_lines)
{
    cJSON *run = new_run();
    add_tasks(run, "d", GAME LIGHT, "1", 1, 0, 6, 1.5);
    add_tasks(run, "d", GAME SUMS, "1", 1, 0, 20, 2);
    add_tasks(run, "d", GAME BLUR, "1", 1, 0, 30, 3);
    cJSON *again = cJSON_Duplicate(run, true);
    assert_data("fse17_fig5", run, 3,
                "0\t0\t1\t0\t\"GPU\"\t\"game 8\"\t\"light\"\t1\t\t6e+06\t6e+07\t7e+07\n"
                "\n\n"
                "0\t0\t1\t1\t\"GPU\"\t\"game 8\"\t\"light (reduce)\"\t1\t\t2e+07\t2e+08\t"
                "7e+07\n"
                "\n\n"
                "0\t0\t1\t2\t\"GPU\"\t\"game 8\"\t\"blur\"\t1\t\t3e+07\t3e+08\t2e+07\n");
    assert_data("fse17_fig6", again, 3,
                "0\t0\t0\t\"GPU\"\t\"game 8\"\t\"none\"\t\"light\"\t1\t\t7e+07\t1.5\t0.75\t3\t"
                "7e+07\t3.5e+07\t1.4e+08\n"
                "\n\n"
                "0\t0\t1\t\"GPU\"\t\"game 8\"\t\"none\"\t\"light (reduce)\"\t1\t\t7e+07\t2\t1\t4"
                "\t7e+07\t3.5e+07\t1.4e+08\n"
                "\n\n"
                "0\t0\t2\t\"GPU\"\t\"game 8\"\t\"none\"\t\"blur\"\t1\t\t2e+07\t3\t1.5\t6\t"
                "2e+07\t1e+07\t4e+07\n");
}

TEST(the_median_of_three_workloads_is_the_middle_one)
{
    cJSON *run = new_run();
    add_tasks(run, "d", GAME LIGHT, "1", 1, 30, 0, 1);
    add_tasks(run, "d", GAME HEAVY, "1", 1, 7, 0, 1);
    add_tasks(run, "d", GAME "workload=x period_ns=1", "1", 1, 20, 0, 1);
    assert_data("fse17_fig5", run, 1,
                "0\t0\t0\t0\t\"GPU\"\t\"game 8\"\t\"none\"\t1\t\t20000\t200000\tNaN\n");
}

/* "1" and "N/4" of 7 are one point: the first of the document. */
TEST(of_one_number_of_workgroups_the_first_is_drawn)
{
    for (int figure = 5; figure <= 6; figure++) {
        cJSON *run = new_run();
        add_tasks(run, "d", GAME HEAVY, "N/4", 1, 10, 12, 1.5);
        add_tasks(run, "d", GAME HEAVY, "1", 1, 20, 24, 3);
        if (figure == 5)
            assert_data(
                "fse17_fig5", run, 2,
                "0\t0\t0\t0\t\"GPU\"\t\"game 8\"\t\"none\"\t1\t\"N/4\"\t10000\t100000\tNaN\n"
                "\n\n"
                "0\t0\t1\t0\t\"GPU\"\t\"game 8\"\t\"heavy\"\t1\t\"N/4\"\t1.2e+07\t1.2e+08\t"
                "4e+07\n");
        else
            assert_data("fse17_fig6", run, 1,
                        "0\t0\t0\t\"GPU\"\t\"game 8\"\t\"none\"\t\"heavy\"\t1\t\"N/4\"\t4e+07\t"
                        "1.5\t0.75\t3\t4e+07\t2e+07\t8e+07\n");
    }
}

/* The figure draws, of the barriers with the most points, the one with the least overhead. */
TEST(costs_are_drawn_with_the_best_barrier)
{
    cJSON *run = new_run();
    add_tasks(run, "d", BFS HEAVY, "1", 1, 1, 1, 1.25);
    add_tasks(run, "d", BFS LIGHT, "1", 1, 1, 1, 2);
    add_tasks(run, "d", OTHER HEAVY, "1", 1, 1, 1, 1.5);
    add_tasks(run, "d", OTHER LIGHT, "1", 1, 1, 1, 1.5);
    make_failed(add_tasks(run, "d", REGULAR HEAVY, "1", 1, 1, 1, 1), "timeout");
    add_tasks(run, "d", REGULAR LIGHT, "1", 1, 1, 1, 1);
    assert_data("fse17_fig6", run, 2,
                "0\t0\t0\t\"GPU\"\t\"bfs usa\"\t\"atomic\"\t\"heavy\"\t1\t\t4e+07\t1.5\t0.75\t3\t"
                "4e+07\t2e+07\t8e+07\n"
                "\n\n"
                "0\t0\t1\t\"GPU\"\t\"bfs usa\"\t\"atomic\"\t\"light\"\t1\t\t7e+07\t1.5\t0.75\t3\t"
                "7e+07\t3.5e+07\t1.4e+08\n");
}

TEST(missing_numbers_are_no_numbers)
{
    cJSON *run = new_run();
    cJSON *item = add_case(run, "d", "id", GAME HEAVY "groups=N");
    add_spread(item, "task_groups", 7);
    assert_data("fse17_fig6", run, 1,
                "0\t0\t0\t\"GPU\"\t\"game 8\"\t\"none\"\t\"heavy\"\t7\t\"N\"\t4e+07"
                "\tNaN\tNaN\tNaN\tNaN\tNaN\tNaN\n");
    run = new_run();
    item = add_case(run, "d", "id", GAME HEAVY "groups=N");
    add_spread(item, "task_groups", 7);
    set_statistic(add_spread(item, "exec_time", 1e6), "p95", NAN);
    assert_data("fse17_fig5", run, 1,
                "0\t0\t1\t0\t\"GPU\"\t\"game 8\"\t\"heavy\"\t7\t\"N\"\t1e+06\tNaN\t4e+07\n");
}

/* Numbers of kernels and workloads are the same on all devices. */
TEST(devices_share_kernels_and_workloads)
{
    cJSON *run = new_run();
    add_tasks(run, "d", GAME HEAVY, "2", 2, 1, 1, 1);
    add_tasks(run, "e", BFS LIGHT, "2", 2, 1, 1, 1);
    add_tasks(run, "e", GAME LIGHT, "2", 2, 1, 1, 1);
    assert_data(
        "fse17_fig6", run, 3,
        "0\t0\t0\t\"GPU\"\t\"game 8\"\t\"none\"\t\"heavy\"\t2\t\t4e+07\t1\t0.5\t2\t4e+07\t"
        "2e+07\t8e+07\n"
        "\n\n"
        "1\t1\t1\t\"CPU\"\t\"bfs usa\"\t\"query\"\t\"light\"\t2\t\t7e+07\t1\t0.5\t2\t7e+07\t"
        "3.5e+07\t1.4e+08\n"
        "\n\n"
        "1\t0\t1\t\"CPU\"\t\"game 8\"\t\"none\"\t\"light\"\t2\t\t7e+07\t1\t0.5\t2\t7e+07\t"
        "3.5e+07\t1.4e+08\n");
}

TEST(the_same_device_in_two_runs_is_told_apart)
{
    cJSON *runs[] = {new_run(), new_run()};
    set_text(runs[1], "run_id", "no 2");
    for (int i = 0; i < 2; i++)
        add_tasks(runs[i], "e", GAME HEAVY, "1", 1, 1, 0, 1);
    assert_data_of("fse17_fig5", runs, 2, 2,
                   "0\t0\t0\t0\t\"CPU, run first\"\t\"game 8\"\t\"none\"\t1\t\t1000\t10000\tNaN\n"
                   "\n\n"
                   "1\t0\t0\t0\t\"CPU, run no 2\"\t\"game 8\"\t\"none\"\t1\t\t1000\t10000\tNaN\n");
}

/* Nothing ends a field, or is run by gnuplot. */
TEST(hostile_names_are_only_text)
{
    cJSON *run = new_run();
    rename_devices(run, "\"Tab\there\\n `rm x` \n");
    cJSON *item = add_tasks(run, "e", GAME HEAVY, "N", 1, 1, 0, 1);
    set_param(item, "app", "");
    set_param(item, "input", "a\"\\\n`b`");
    set_param(item, "barrier", "\t");
    set_param(item, "groups", "N\"/\t2");
    assert_data("fse17_fig5", run, 1,
                "0\t0\t0\t0\t\"Tab here n rm x #2\"\t\"a b\"\t\t1\t\"N / 2\"\t1000\t10000\tNaN\n");
}

TEST(long_names_are_cut)
{
    char name[1000];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    cJSON *run = new_run();
    cJSON_DeleteItemFromArray(cJSON_GetObjectItem(run, "devices"), 1);
    rename_devices(run, name);
    cJSON *item = add_tasks(run, "d", GAME HEAVY, "1", 1, 1, 0, 1);
    set_param(item, "app", name);
    set_param(item, "input", name);
    name[255] = '\0';
    char expected[2100];
    snprintf(expected, sizeof expected,
             "0\t0\t0\t0\t\"%s\"\t\"%s\"\t\"none\"\t1\t\t1000\t10000\tNaN\n", name, name);
    assert_data("fse17_fig5", run, 1, expected);
}

TEST(what_is_no_case_with_tasks_is_not_drawn)
{
    static const char *const ids[] = {"fse17_fig1", "fse17_fig5", "fse17_fig6"};
    for (size_t i = 0; i < CB_COUNTOF(ids); i++) {
        cJSON *run = new_run();
        make_failed(add_tasks(run, "d", BFS HEAVY, "1", 1, 1, 1, 1), "timeout");
        add_spread(add_case(run, "d", "id", BFS), "app_time_alone", 1);
        add_case(run, "d", "id", BFS HEAVY); /* without a number of workgroups */
        add_tasks(run, "unknown", BFS HEAVY, "1", 1, 1, 1, 1);
        cJSON *other = add_tasks(run, "d", BFS HEAVY, "1", 1, 1, 1, 1);
        set_text(other, "bench", "memory");
        assert_data(ids[i], run, 0, "");
        assert_data(ids[i], cJSON_Parse("{}"), 0, "");
        assert_data(ids[i], cJSON_Parse("{\"devices\": [{}], \"cases\": [{}]}"), 0, "");
    }
}

/* --- Traces ----------------------------------------------------------------------------------- */

static void write_trace(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

/* The first that is there; a case that failed has none, or that of another run. */
TEST_WITH(the_first_trace_is_drawn, make_folder, remove_folder)
{
    char bfs[256], gone[256], first[256], last[256];
    snprintf(bfs, sizeof bfs, BFS HEAVY "trace=%s/bfs", folder);
    snprintf(gone, sizeof gone, GAME HEAVY "trace=%s/gone", folder);
    snprintf(first, sizeof first, GAME HEAVY "trace=%s/first", folder);
    snprintf(last, sizeof last, GAME HEAVY "trace=%s/last", folder);
    cJSON *run = new_run();
    make_failed(add_tasks(run, "d", bfs, "N/2", 1, 1, 1, 1), "failed");
    add_tasks(run, "d", GAME HEAVY, "1", 1, 1, 1, 1);
    add_tasks(run, "d", gone, "1", 1, 1, 1, 1);
    add_tasks(run, "d", first, "N/4", 1, 1, 1, 1);
    add_tasks(run, "d", last, "N-1", 1, 1, 1, 1);
    write_trace("bfs.tsv", "failed\n");
    write_trace("first.tsv", "# slot\n0\t1\n\n\n# time\n");
    write_trace("last.tsv", "last\n");
    assert_data("fse17_fig1", run, 5, "# slot\n0\t1\n\n\n# time\n");
}

/* A later run may have written to the same folder. A joined run has its rounds' traces. */
TEST_WITH(traces_of_other_runs_are_not_drawn, make_folder, remove_folder)
{
    static const struct {
        const char *run_id, *folder;
        int points;
    } rows[] = {{"r1", "results/r1", 1},          {"r1", "/a b/r1", 1},
                {"r1", "results/r1/rounds/2", 1}, {"2", "results/r1/rounds/2", 1},
                {"r1", "results/r2", 0},          {"1", "results/r1/rounds/2", 0},
                {"r1", "results/r11", 0},         {"r1", "results/r", 0}};
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        char params[256], text[128];
        snprintf(params, sizeof params, GAME HEAVY "trace=%s/bars", folder);
        snprintf(text, sizeof text, "# of the run %s\n0\t1\n", rows[i].folder);
        write_trace("bars.tsv", text);
        cJSON *run = new_run();
        set_text(run, "run_id", rows[i].run_id);
        add_tasks(run, "d", params, "1", 1, 1, 1, 1);
        assert_data("fse17_fig1", run, rows[i].points, rows[i].points ? "0\t1\n" : "");
    }
}
