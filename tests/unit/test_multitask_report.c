/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables and the pictures' data of multitask, from made-up runs.
 */
#include "temp_folder.h"

#define BENCH "multitask"
#include "bench_fixture.h"
#include "measure/text/table.h"

/* --- Made-up runs ----------------------------------------------------------------------------- */

static cJSON *empty_run(void)
{
    return cJSON_Parse("{\"run_id\": \"first\", \"devices\": [{\"id\": \"d\", \"name\": \"GPU\"},"
                       " {\"id\": \"e\", \"name\": \"CPU\"}], \"cases\": []}");
}

static cJSON *add_case(cJSON *run, const char *device, const char *params)
{
    char text[1024];
    snprintf(text, sizeof text,
             "{\"bench\": \"multitask\", \"device\": \"%s\", \"status\": \"ok\", \"params\": {%s},"
             " \"metrics\": []}",
             device, params);
    return add_item(run, text);
}

/* Of a metric: the median, with quartiles half and double, and the 95th percentile 10 times that.
 */
static void add_metric(cJSON *item, const char *name, double median)
{
    cJSON *metric = cJSON_CreateObject();
    cJSON_AddStringToObject(metric, "name", name);
    cJSON_AddNumberToObject(metric, "median", median);
    cJSON_AddNumberToObject(metric, "mean", median);
    cJSON_AddNumberToObject(metric, "q1", median / 2);
    cJSON_AddNumberToObject(metric, "q3", median * 2);
    cJSON_AddNumberToObject(metric, "p95", median * 10);
    cJSON_AddItemToObject(metric, "p99", cJSON_CreateNull());
    cJSON_AddItemToArray(cJSON_GetObjectItem(item, "metrics"), metric);
}

#define BFS   "\"app\": \"bfs\", \"input\": \"usa\", \"barrier\": \"query\""
#define OTHER "\"app\": \"bfs\", \"input\": \"usa\", \"barrier\": \"atomic\""
#define GAME  "\"app\": \"game\", \"input\": \"8\", \"barrier\": \"none\""
#define HEAVY "\"workload\": \"heavy\", \"period_ns\": 40000000, \"duration_ns\": 10000000"
#define LIGHT "\"workload\": \"light\", \"period_ns\": 70000000, \"duration_ns\": 3000000"

/* A case with tasks: the gather time is as many µs, the execution time as many ms, as ...; the
 * period is what it should be. */
static cJSON *add_tasks(cJSON *run, const char *device, const char *params, const char *groups,
                        double count, double gather_us, double exec_ms, double overhead)
{
    char text[512];
    snprintf(text, sizeof text, "%s, \"groups\": \"%s\"", params, groups);
    cJSON *item = add_case(run, device, text);
    add_metric(item, "task_groups", count);
    add_metric(item, "gather_time", gather_us * 1e3);
    add_metric(item, "exec_time", exec_ms * 1e6);
    add_metric(item, "overhead", overhead);
    add_metric(item, "period",
               cJSON_GetObjectItem(cJSON_GetObjectItem(item, "params"), "period_ns")->valuedouble);
    add_metric(item, "deadlines_met", 0.96);
    return item;
}

/* --- Tables ----------------------------------------------------------------------------------- */

#define ONE_DEVICE "{\"devices\": [{\"id\": \"d\", \"name\": \"GPU\"}], \"cases\": []}"

static void tasks_of_a_kernel_are_a_table(void **unused)
{
    (void)unused;
    cJSON *run = cJSON_Parse(ONE_DEVICE);
    add_tasks(run, "d", BFS ", " HEAVY, "1", 1, 12, 1300, 1.0714);
    cJSON *item = add_tasks(run, "d", OTHER ", " HEAVY, "N/2", 65, 999.6, 22, 1.5);
    add_metric(item, "answer_time", 2e6);
    assert_report(
        run,
        "\nGPU\n"
        "\nbfs usa beside the workload heavy: a task of 10.0 ms every 40.0 ms\n\n"
        "| task's workgroups | barrier | gather p50 |     p95 | p99 | task p50 | answer p95 |  "
        "period | in time | overhead |\n"
        "| ----------------- | ------- | ---------: | ------: | --: | -------: | ---------: | "
        "------: | ------: | -------: |\n"
        "| 1                 | query   |    12.0 µs |  120 µs |   - |   1.30 s |          - | 40.0 "
        "ms |    96 % |    1.071 |\n"
        "| N/2 = 65          | atomic  |    1.00 ms | 10.0 ms |   - |  22.0 ms |    20.0 ms | 40.0 "
        "ms |    96 % |    1.500 |\n");
}

/* A failed case shows its status wherever it has no number. */
static void failures_show_their_status(void **unused)
{
    (void)unused;
    cJSON *run = cJSON_Parse(ONE_DEVICE);
    make_failed(add_tasks(run, "d", GAME ", " LIGHT, "N-1", 1, 1, 1, 1), "timeout");
    make_failed(add_case(run, "d", BFS), "unsupported");
    assert_report(
        run,
        "\nGPU\n"
        "\ngame 8 beside the workload light: a task of 3.00 ms every 70.0 ms\n\n"
        "| task's workgroups | barrier | gather p50 |     p95 |     p99 | task p50 | answer p95 |  "
        "period | in time | overhead |\n"
        "| ----------------- | ------- | ---------: | ------: | ------: | -------: | ---------: | "
        "------: | ------: | -------: |\n"
        "| N-1               | none    |    timeout | timeout | timeout |  timeout |    timeout | "
        "timeout | timeout |  timeout |\n"
        "\nWithout tasks (Tab. 2): time of a run, ratios\n\n"
        "| cooperative kernel | barrier |  workgroups | cooperative | specialised |    portable | "
        "coop. : spec. | coop. : port. |  with trace |\n"
        "| ------------------ | ------- | ----------: | ----------: | ----------: | ----------: | "
        "------------: | ------------: | ----------: |\n"
        "| bfs usa            | query   | unsupported | unsupported | unsupported | unsupported |  "
        " unsupported |   unsupported | unsupported |\n");
}

static void costs_without_tasks_are_one_table(void **unused)
{
    (void)unused;
    static const char *const names[] = {"workers", "app_time_alone", "specialised_time",
                                        "portable_time", "overhead_specialised"};
    static const double values[] = {131, 7.52e6, 7.4e6, 999600, 1.0164};
    cJSON *run = cJSON_Parse(ONE_DEVICE), *item = add_case(run, "d", GAME);
    for (size_t i = 0; i < CB_COUNTOF(names); i++)
        add_metric(item, names[i], values[i]);
    item = add_case(run, "d", BFS);
    add_metric(item, "overhead_portable", 0.9996);
    add_metric(item, "overhead_trace", 2);
    assert_report(
        run, "\nGPU\n"
             "\nWithout tasks (Tab. 2): time of a run, ratios\n\n"
             "| cooperative kernel | barrier | workgroups | cooperative | specialised | portable | "
             "coop. "
             ": spec. | coop. : port. | with trace |\n"
             "| ------------------ | ------- | ---------: | ----------: | ----------: | -------: | "
             "------------: | ------------: | ---------: |\n"
             "| game 8             | none    |        131 |     7.52 ms |     7.40 ms |  1.00 ms | "
             "      "
             "  1.016 |             - |          - |\n"
             "| bfs usa            | query   |          - |           - |           - |        - | "
             "      "
             "      - |         1.000 |      2.000 |\n");
}

/* Each has tables of its own, in its order; so have the inputs of a kernel. */
static void devices_and_inputs_are_apart(void **unused)
{
    (void)unused;
    cJSON *run = empty_run();
    add_tasks(run, "e", BFS ", " HEAVY, "N", 7, 1, 1, 1);
    add_tasks(run, "d", GAME ", " LIGHT, "1", 1, 1, 1, 1);
    add_tasks(run, "d", "\"app\": \"game\", \"input\": \"9\", \"barrier\": \"none\", " LIGHT, "1",
              1, 1, 1, 1);
    add_tasks(run, "d", GAME ", " HEAVY, "1", 1, 1, 1, 1);
    add_tasks(run, "d", GAME ", " LIGHT, "N/4", 33, 1, 1, 1);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    the_bench()->report(out, run);
    fclose(out);
    static const char *const order[] = {
        "\nGPU\n",
        "\ngame 8 beside the workload light: ",
        "\n| 1 ",
        "\n| N/4 = 33 ",
        "\ngame 9 beside the workload light: ",
        "\n| 1 ",
        "\ngame 8 beside the workload heavy: ",
        "\n| 1 ",
        "\nCPU\n",
        "\nbfs usa beside the workload heavy: ",
        "\n| N = 7 ",
    };
    const char *at = text;
    for (size_t i = 0; i < CB_COUNTOF(order); i++) {
        const char *found = strstr(at, order[i]);
        if (!found)
            fail_msg("missing %s in:\n%s", order[i], at);
        at = found + strlen(order[i]) - 1;
    }
    assert_null(strstr(at, "beside"));
    free(text);
    cJSON_Delete(run);
}

static void long_texts_are_cut(void **unused)
{
    (void)unused;
    char params[512], input[CB_CELL_BYTES + 1];
    memset(input, 'x', CB_CELL_BYTES);
    input[CB_CELL_BYTES] = '\0';
    snprintf(params, sizeof params, "\"app\": \"bfs\", \"input\": \"%s\", \"barrier\": \"query\"",
             input);
    cJSON *run = cJSON_Parse(ONE_DEVICE);
    add_case(run, "d", params);
    make_failed(add_tasks(run, "d", BFS ", " HEAVY, input, 1, 1, 1, 1), "error");
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    the_bench()->report(out, run);
    fclose(out);
    assert_non_null(strstr(text, "| bfs xxxx"));
    assert_null(strstr(text, input));
    free(text);
    cJSON_Delete(run);
}

static void runs_without_devices_have_no_tables(void **unused)
{
    (void)unused;
    static const char *const texts[] = {
        "{}",
        "{\"devices\": [], \"cases\": [{\"bench\": \"multitask\", \"params\": {}}]}",
        "{\"cases\": null}",
    };
    for (size_t i = 0; i < CB_COUNTOF(texts); i++)
        assert_report(cJSON_Parse(texts[i]), "");
}

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
static void times_are_lines_of_barriers_and_workloads(void **unused)
{
    (void)unused;
    cJSON *run = empty_run();
    add_tasks(run, "d", BFS ", " LIGHT, "N/2", 65, 20, 6, 1);
    add_tasks(run, "d", BFS ", " LIGHT, "1", 1, 10, 300, 1);
    add_tasks(run, "d", BFS ", " HEAVY, "N/2", 65, 40, 20, 1);
    add_tasks(run, "d", OTHER ", " HEAVY, "N/2", 65, 5, 22, 1);
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

static void the_median_of_three_workloads_is_the_middle_one(void **unused)
{
    (void)unused;
    cJSON *run = empty_run();
    add_tasks(run, "d", GAME ", " LIGHT, "1", 1, 30, 0, 1);
    add_tasks(run, "d", GAME ", " HEAVY, "1", 1, 7, 0, 1);
    add_tasks(run, "d", GAME ", \"workload\": \"x\", \"period_ns\": 1", "1", 1, 20, 0, 1);
    assert_data("fse17_fig5", run, 1,
                "0\t0\t0\t0\t\"GPU\"\t\"game 8\"\t\"none\"\t1\t\t20000\t200000\tNaN\n");
}

/* "1" and "N/4" of 7 are one point: the first of the document. */
static void of_one_number_of_workgroups_the_first_is_drawn(void **unused)
{
    (void)unused;
    for (int figure = 5; figure <= 6; figure++) {
        cJSON *run = empty_run();
        add_tasks(run, "d", GAME ", " HEAVY, "N/4", 1, 10, 12, 1.5);
        add_tasks(run, "d", GAME ", " HEAVY, "1", 1, 20, 24, 3);
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

/* Of the barriers with the most points, the one with the least overhead. */
static void costs_are_drawn_with_the_best_barrier(void **unused)
{
    (void)unused;
    cJSON *run = empty_run();
    add_tasks(run, "d", BFS ", " HEAVY, "1", 1, 1, 1, 1.25);
    add_tasks(run, "d", BFS ", " LIGHT, "1", 1, 1, 1, 2);
    add_tasks(run, "d", OTHER ", " HEAVY, "1", 1, 1, 1, 1.5);
    add_tasks(run, "d", OTHER ", " LIGHT, "1", 1, 1, 1, 1.5);
    make_failed(add_tasks(run, "d",
                          "\"app\": \"bfs\", \"input\": \"usa\", \"barrier\": "
                          "\"regular\", " HEAVY,
                          "1", 1, 1, 1, 1),
                "timeout");
    add_tasks(run, "d", "\"app\": \"bfs\", \"input\": \"usa\", \"barrier\": \"regular\", " LIGHT,
              "1", 1, 1, 1, 1);
    assert_data("fse17_fig6", run, 2,
                "0\t0\t0\t\"GPU\"\t\"bfs usa\"\t\"atomic\"\t\"heavy\"\t1\t\t4e+07\t1.5\t0.75\t3\t"
                "4e+07\t2e+07\t8e+07\n"
                "\n\n"
                "0\t0\t1\t\"GPU\"\t\"bfs usa\"\t\"atomic\"\t\"light\"\t1\t\t7e+07\t1.5\t0.75\t3\t"
                "7e+07\t3.5e+07\t1.4e+08\n");
}

static void missing_numbers_are_no_numbers(void **unused)
{
    (void)unused;
    cJSON *run = empty_run();
    cJSON *item = add_case(run, "d", GAME ", " HEAVY ", \"groups\": \"N\"");
    add_metric(item, "task_groups", 7);
    assert_data("fse17_fig6", run, 1,
                "0\t0\t0\t\"GPU\"\t\"game 8\"\t\"none\"\t\"heavy\"\t7\t\"N\"\t4e+07"
                "\tNaN\tNaN\tNaN\tNaN\tNaN\tNaN\n");
    run = empty_run();
    item = add_case(run, "d", GAME ", " HEAVY ", \"groups\": \"N\"");
    add_metric(item, "task_groups", 7);
    add_metric(item, "exec_time", 1e6);
    cJSON *metric = cJSON_GetArrayItem(cJSON_GetObjectItem(item, "metrics"), 1);
    cJSON_ReplaceItemInObject(metric, "p95", cJSON_CreateNull());
    assert_data("fse17_fig5", run, 1,
                "0\t0\t1\t0\t\"GPU\"\t\"game 8\"\t\"heavy\"\t7\t\"N\"\t1e+06\tNaN\t4e+07\n");
}

/* Numbers of kernels and workloads are the same on all devices. */
static void devices_share_kernels_and_workloads(void **unused)
{
    (void)unused;
    cJSON *run = empty_run();
    add_tasks(run, "d", GAME ", " HEAVY, "2", 2, 1, 1, 1);
    add_tasks(run, "e", BFS ", " LIGHT, "2", 2, 1, 1, 1);
    add_tasks(run, "e", GAME ", " LIGHT, "2", 2, 1, 1, 1);
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

static void the_same_device_in_two_runs_is_told_apart(void **unused)
{
    (void)unused;
    cJSON *runs[] = {empty_run(), empty_run()};
    cJSON_SetValuestring(cJSON_GetObjectItem(runs[1], "run_id"), "no 2");
    for (int i = 0; i < 2; i++)
        add_tasks(runs[i], "e", GAME ", " HEAVY, "1", 1, 1, 0, 1);
    assert_data_of("fse17_fig5", runs, 2, 2,
                   "0\t0\t0\t0\t\"CPU, run first\"\t\"game 8\"\t\"none\"\t1\t\t1000\t10000\tNaN\n"
                   "\n\n"
                   "1\t0\t0\t0\t\"CPU, run no 2\"\t\"game 8\"\t\"none\"\t1\t\t1000\t10000\tNaN\n");
}

/* Nothing ends a field, or is run by gnuplot. */
static void hostile_names_are_only_text(void **unused)
{
    (void)unused;
    cJSON *run = empty_run();
    for (cJSON *device = cJSON_GetObjectItem(run, "devices")->child; device; device = device->next)
        cJSON_ReplaceItemInObject(device, "name", cJSON_CreateString("\"Tab\there\\n `rm x` \n"));
    cJSON *params =
        cJSON_GetObjectItem(add_tasks(run, "e", GAME ", " HEAVY, "N", 1, 1, 0, 1), "params");
    cJSON_ReplaceItemInObject(params, "app", cJSON_CreateString(""));
    cJSON_ReplaceItemInObject(params, "input", cJSON_CreateString("a\"\\\n`b`"));
    cJSON_ReplaceItemInObject(params, "barrier", cJSON_CreateString("\t"));
    cJSON_ReplaceItemInObject(params, "groups", cJSON_CreateString("N\"/\t2"));
    assert_data("fse17_fig5", run, 1,
                "0\t0\t0\t0\t\"Tab here n rm x #2\"\t\"a b\"\t\t1\t\"N / 2\"\t1000\t10000\tNaN\n");
}

static void long_names_are_cut(void **unused)
{
    (void)unused;
    char name[1000];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    cJSON *run = empty_run();
    cJSON_ReplaceItemInObject(cJSON_GetObjectItem(run, "devices")->child, "name",
                              cJSON_CreateString(name));
    cJSON *params =
        cJSON_GetObjectItem(add_tasks(run, "d", GAME ", " HEAVY, "1", 1, 1, 0, 1), "params");
    cJSON_ReplaceItemInObject(params, "app", cJSON_CreateString(name));
    cJSON_ReplaceItemInObject(params, "input", cJSON_CreateString(name));
    name[255] = '\0';
    char expected[2100];
    snprintf(expected, sizeof expected,
             "0\t0\t0\t0\t\"%s\"\t\"%s\"\t\"none\"\t1\t\t1000\t10000\tNaN\n", name, name);
    assert_data("fse17_fig5", run, 1, expected);
}

static void what_is_no_case_with_tasks_is_not_drawn(void **unused)
{
    (void)unused;
    static const char *const ids[] = {"fse17_fig1", "fse17_fig5", "fse17_fig6"};
    for (size_t i = 0; i < CB_COUNTOF(ids); i++) {
        cJSON *run = empty_run();
        make_failed(add_tasks(run, "d", BFS ", " HEAVY, "1", 1, 1, 1, 1), "timeout");
        add_metric(add_case(run, "d", BFS), "app_time_alone", 1);
        add_case(run, "d", BFS ", " HEAVY); /* without a number of workgroups */
        add_tasks(run, "unknown", BFS ", " HEAVY, "1", 1, 1, 1, 1);
        cJSON *other = add_tasks(run, "d", BFS ", " HEAVY, "1", 1, 1, 1, 1);
        cJSON_SetValuestring(cJSON_GetObjectItem(other, "bench"), "memory");
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
static void the_first_trace_is_drawn(void **unused)
{
    (void)unused;
    char bfs[256], gone[256], first[256], last[256];
    snprintf(bfs, sizeof bfs, BFS ", " HEAVY ", \"trace\": \"%s/bfs\"", folder);
    snprintf(gone, sizeof gone, GAME ", " HEAVY ", \"trace\": \"%s/gone\"", folder);
    snprintf(first, sizeof first, GAME ", " HEAVY ", \"trace\": \"%s/first\"", folder);
    snprintf(last, sizeof last, GAME ", " HEAVY ", \"trace\": \"%s/last\"", folder);
    cJSON *run = empty_run();
    make_failed(add_tasks(run, "d", bfs, "N/2", 1, 1, 1, 1), "failed");
    add_tasks(run, "d", GAME ", " HEAVY, "1", 1, 1, 1, 1);
    add_tasks(run, "d", gone, "1", 1, 1, 1, 1);
    add_tasks(run, "d", first, "N/4", 1, 1, 1, 1);
    add_tasks(run, "d", last, "N-1", 1, 1, 1, 1);
    write_trace("bfs.tsv", "failed\n");
    write_trace("first.tsv", "# slot\n0\t1\n\n\n# time\n");
    write_trace("last.tsv", "last\n");
    assert_data("fse17_fig1", run, 5, "# slot\n0\t1\n\n\n# time\n");
}

/* A later run may have written to the same folder; who joined rounds has theirs. */
static void traces_of_other_runs_are_not_drawn(void **unused)
{
    (void)unused;
    static const struct {
        const char *run_id, *folder;
        int points;
    } rows[] = {{"r1", "results/r1", 1},          {"r1", "/a b/r1", 1},
                {"r1", "results/r1/rounds/2", 1}, {"2", "results/r1/rounds/2", 1},
                {"r1", "results/r2", 0},          {"1", "results/r1/rounds/2", 0},
                {"r1", "results/r11", 0},         {"r1", "results/r", 0}};
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        char params[256], text[128];
        snprintf(params, sizeof params, GAME ", " HEAVY ", \"trace\": \"%s/bars\"", folder);
        snprintf(text, sizeof text, "# of the run %s\n0\t1\n", rows[i].folder);
        write_trace("bars.tsv", text);
        cJSON *run = empty_run();
        cJSON_DeleteItemFromObject(run, "run_id");
        cJSON_AddStringToObject(run, "run_id", rows[i].run_id);
        add_tasks(run, "d", params, "1", 1, 1, 1, 1);
        assert_data("fse17_fig1", run, rows[i].points, rows[i].points ? "0\t1\n" : "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_of_a_kernel_are_a_table),
        cmocka_unit_test(failures_show_their_status),
        cmocka_unit_test(costs_without_tasks_are_one_table),
        cmocka_unit_test(devices_and_inputs_are_apart),
        cmocka_unit_test(long_texts_are_cut),
        cmocka_unit_test(runs_without_devices_have_no_tables),
        cmocka_unit_test(times_are_lines_of_barriers_and_workloads),
        cmocka_unit_test(the_median_of_three_workloads_is_the_middle_one),
        cmocka_unit_test(of_one_number_of_workgroups_the_first_is_drawn),
        cmocka_unit_test(costs_are_drawn_with_the_best_barrier),
        cmocka_unit_test(missing_numbers_are_no_numbers),
        cmocka_unit_test(devices_share_kernels_and_workloads),
        cmocka_unit_test(the_same_device_in_two_runs_is_told_apart),
        cmocka_unit_test(hostile_names_are_only_text),
        cmocka_unit_test(long_names_are_cut),
        cmocka_unit_test(what_is_no_case_with_tasks_is_not_drawn),
        cmocka_unit_test_setup_teardown(the_first_trace_is_drawn, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(traces_of_other_runs_are_not_drawn, make_folder,
                                        remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
