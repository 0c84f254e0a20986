/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables of multitask, from made-up runs.
 */
#include "multitask_report_fixture.h"
#include "tests/unit/unit.h"

/* --- Tables ----------------------------------------------------------------------------------- */

TEST(tasks_of_a_kernel_are_a_table)
{
    cJSON *run = new_run();
    add_tasks(run, "d", BFS HEAVY, "1", 1, 12, 1300, 1.0714);
    cJSON *item = add_tasks(run, "d", OTHER HEAVY, "N/2", 65, 999.6, 22, 1.5);
    add_spread(item, "answer_time", 2e6);
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

#define TASK_HEADS                                                                                 \
    "| task's workgroups | barrier | gather p50 |    p95 | p99 | task p50 | answer p95 |  period " \
    "| in time | overhead |\n"                                                                     \
    "| ----------------- | ------- | ---------: | -----: | --: | -------: | ---------: | ------: " \
    "| ------: | -------: |\n"

/* What the authors' apps do is no part of what is said of ours. */
TEST(variants_have_tables_of_their_own)
{
    cJSON *run = new_run();
    add_tasks(run, "d", BFS HEAVY, "1", 1, 12, 1300, 1.1);
    add_tasks(run, "d", BFS "variant=paper " HEAVY, "1", 1, 12, 1300, 1.2);
    assert_report(
        run, "\nGPU\n\nOur apps\n"
             "\nbfs usa beside the workload heavy: a task of 10.0 ms every 40.0 ms\n\n" TASK_HEADS
             "| 1                 | query   |    12.0 µs | 120 µs |   - |   1.30 s |          - | "
             "40.0 ms "
             "|    96 % |    1.100 |\n"
             "\nThe apps as the authors' programs are\n"
             "\nbfs usa beside the workload heavy: a task of 10.0 ms every 40.0 ms\n\n" TASK_HEADS
             "| 1                 | query   |    12.0 µs | 120 µs |   - |   1.30 s |          - | "
             "40.0 ms "
             "|    96 % |    1.200 |\n");
}

/* A failed case shows its status wherever it has no number. */
TEST(failures_show_their_status)
{
    cJSON *run = new_run();
    make_failed(add_tasks(run, "d", GAME LIGHT, "N-1", 1, 1, 1, 1), "timeout");
    make_failed(add_case(run, "d", "id", BFS), "unsupported");
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
        "\nWithout tasks (Tab. 2): time of a run; ratios of pairs of runs, so not always of these "
        "times\n\n"
        "| cooperative kernel | barrier |  workgroups | cooperative | specialised |    portable | "
        "coop. : spec. | coop. : port. |  with trace |\n"
        "| ------------------ | ------- | ----------: | ----------: | ----------: | ----------: | "
        "------------: | ------------: | ----------: |\n"
        "| bfs usa            | query   | unsupported | unsupported | unsupported | unsupported |  "
        " unsupported |   unsupported | unsupported |\n");
}

TEST(costs_without_tasks_are_one_table)
{
    static const char *const names[] = {"workers", "app_time_alone", "specialised_time",
                                        "portable_time", "overhead_specialised"};
    static const double values[] = {131, 7.52e6, 7.4e6, 999600, 1.0164};
    cJSON *run = new_run(), *item = add_case(run, "d", "id", GAME);
    for (size_t i = 0; i < CB_COUNTOF(names); i++)
        add_spread(item, names[i], values[i]);
    item = add_case(run, "d", "id", BFS);
    add_spread(item, "overhead_portable", 0.9996);
    add_spread(item, "overhead_trace", 2);
    assert_report(
        run, "\nGPU\n"
             "\nWithout tasks (Tab. 2): time of a run; ratios of pairs of runs, so not always of "
             "these times\n\n"
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

/* Each has tables of its own, in its order; so have the inputs of a kernel, and what tasks do. */
TEST(devices_inputs_and_tasks_are_apart)
{
    cJSON *run = new_run();
    add_tasks(run, "e", BFS HEAVY, "N", 7, 1, 1, 1);
    add_tasks(run, "d", GAME LIGHT, "1", 1, 1, 1, 1);
    add_tasks(run, "d", "app=game input=9 barrier=none " LIGHT, "1", 1, 1, 1, 1);
    add_tasks(run, "d", GAME HEAVY, "1", 1, 1, 1, 1);
    add_tasks(run, "d", GAME SUMS, "1", 1, 1, 1, 1);
    add_tasks(run, "d", GAME BLUR, "1", 1, 1, 1, 1);
    add_tasks(run, "d", GAME LIGHT, "N/4", 33, 1, 1, 1);
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
        "\ngame 8 beside the workload light (reduce): a task of 3.00 ms every 70.0 ms\n",
        "\n| 1 ",
        "\ngame 8 beside the task blur: a task every 20.0 ms\n",
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

TEST(long_texts_are_cut)
{
    char input[CB_CELL_BYTES + 1];
    memset(input, 'x', CB_CELL_BYTES);
    input[CB_CELL_BYTES] = '\0';
    cJSON *run = new_run();
    add_case(run, "d", "id", "app=bfs input=%s barrier=query", input);
    make_failed(add_tasks(run, "d", BFS HEAVY, input, 1, 1, 1, 1), "error");
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

TEST(runs_without_devices_have_no_tables)
{
    static const char *const texts[] = {
        "{}",
        "{\"devices\": [], \"cases\": [{\"bench\": \"multitask\", \"params\": {}}]}",
        "{\"cases\": null}",
    };
    for (size_t i = 0; i < CB_COUNTOF(texts); i++)
        assert_report(cJSON_Parse(texts[i]), "");
}
