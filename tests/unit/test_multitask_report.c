/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables of multitask, from made-up runs.
 */
#define SPREAD 0.5
#include "multitask_report_fixture.h"
#include "table_fixture.h"
#include "tests/unit/unit.h"

/* --- Tables ----------------------------------------------------------------------------------- */

TEST(tasks_of_a_kernel_are_a_table)
{
    cJSON *run = new_run();
    add_tasks(run, "d", BFS HEAVY, "1", 1, 12, 1300, 1.0714);
    cJSON *item = add_tasks(run, "d", OTHER HEAVY, "N/2", 65, 999.6, 22, 1.5);
    add_spread(item, "answer_time", 2e6);
    set_statistic(metric_of(item, "gather_time"), "p99", 12e6);
    char *text = report_of(run);
    const char *table = after(
        text, "\nGPU\n\nbfs usa beside the workload heavy: a task of 10.0 ms every 40.0 ms\n");
    assert_int_equal(count_rows(table, ""), 2);
    assert_row(table, "1", "barrier", "query", "gather p50", "12.0 µs", "gather p50 > p95",
               "120 µs", "p99", "-", "task p50", "1.30 s", "answer p95", "-", "period", "40.0 ms",
               "in time", "96 %", "overhead", "1.071");
    assert_row(table, "N/2 = 65", "barrier", "atomic", "gather p50", "1.00 ms", "gather p50 > p95",
               "10.0 ms", "p99", "12.0 ms", "task p50", "22.0 ms", "answer p95", "20.0 ms",
               "period", "40.0 ms", "in time", "96 %", "overhead", "1.500");
    free(text);
}

/* The tables of our apps leave out what the authors' apps do. */
TEST(variants_have_tables_of_their_own)
{
    cJSON *run = new_run();
    add_tasks(run, "d", BFS HEAVY, "1", 1, 12, 1300, 1.1);
    add_tasks(run, "d", BFS "variant=paper " HEAVY, "1", 1, 12, 1300, 1.2);
    char *text = report_of(run);
    const char *table = after(text, "\nGPU\n\nOur apps\n\nbfs usa beside the workload heavy: ");
    assert_int_equal(count_rows(table, ""), 1);
    assert_row(table, "1", "overhead", "1.100");
    table = after(table, "\nThe apps as the authors' programs are\n\nbfs usa beside the workload "
                         "heavy: a task of 10.0 ms every 40.0 ms\n");
    assert_int_equal(count_rows(table, ""), 1);
    assert_row(table, "1", "overhead", "1.200");
    free(text);
}

TEST(two_apps_in_one_megakernel)
{
    cJSON *run = new_run();
    cJSON *item = add_case(run, "d", "id", BFS "beside=game policy=fixed share=N/2");
    add_metrics(item, "app_workers_alone", 130.0, "beside_workers_alone", 120.0, "app_groups", 60.0,
                "beside_groups", 70.0, "app_time_alone", 1e6, "app_time", 2e6, "beside_time_alone",
                3e6, "beside_time", 9e6, "stp", 0.75, "antt", 2.75, "fairness", 0.875,
                "overhead_beside_nobody", 1.25, "resize_time", 4e6, NULL);
    set_statistic(metric_of(item, "resize_time"), "p99", 5e6);
    char *text = report_of(run);
    const char *table = after(text, "\nTwo apps in one megakernel\n");
    assert_row(table, "bfs | game | fixed", "workgroups alone", "130, 120", "together", "60 + 70",
               "app alone", "1.00 ms", "app alone > together : alone", "2.000", "other alone",
               "3.00 ms", "other alone > together : alone", "3.000", "STP", "0.750", "ANTT",
               "2.750", "fairness", "0.875", "beside nobody", "1.250", "resize p50", "4.00 ms",
               "p99", "5.00 ms");
    free(text);
}

/* A failed case shows its status wherever it has no number. */
TEST(failures_show_their_status)
{
    cJSON *run = new_run();
    make_failed(add_tasks(run, "d", GAME LIGHT, "N-1", 1, 1, 1, 1), "timeout");
    make_failed(add_case(run, "d", "id", BFS), "unsupported");
    char *text = report_of(run);
    const char *table = after(text, "\ngame 8 beside the workload light: a task of 3.00 ms");
    assert_row(table, "N-1 | none", "gather p50", "timeout", "p95", "timeout", "p99", "timeout",
               "task p50", "timeout", "answer p95", "timeout", "period", "timeout", "in time",
               "timeout", "overhead", "timeout");
    table = after(table, "\nWithout tasks (Tab. 2): ");
    assert_row(table, "bfs usa | query", "workgroups", "unsupported", "cooperative", "unsupported",
               "specialised", "unsupported", "portable", "unsupported", "coop. : spec.",
               "unsupported", "coop. : port.", "unsupported", "with trace", "unsupported");
    free(text);
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
    char *text = report_of(run);
    const char *table = after(text, "\nWithout tasks (Tab. 2): time of a run; ratios of pairs of "
                                    "runs, so not always of these times\n");
    assert_row(table, "game 8", "barrier", "none", "workgroups", "131", "cooperative", "7.52 ms",
               "specialised", "7.40 ms", "portable", "1.00 ms", "coop. : spec.", "1.016",
               "coop. : port.", "-", "with trace", "-");
    assert_row(table, "bfs usa", "barrier", "query", "workgroups", "-", "cooperative", "-",
               "specialised", "-", "portable", "-", "coop. : spec.", "-", "coop. : port.", "1.000",
               "with trace", "2.000");
    free(text);
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
    char *text = report_of(run);
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
}

TEST(long_texts_are_cut)
{
    char input[CB_CELL_BYTES + 1];
    memset(input, 'x', CB_CELL_BYTES);
    input[CB_CELL_BYTES] = '\0';
    cJSON *run = new_run();
    add_case(run, "d", "id", "app=bfs input=%s barrier=query", input);
    make_failed(add_tasks(run, "d", BFS HEAVY, input, 1, 1, 1, 1), "error");
    char *text = report_of(run);
    assert_non_null(strstr(text, "| bfs xxxx"));
    assert_null(strstr(text, input));
    free(text);
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
