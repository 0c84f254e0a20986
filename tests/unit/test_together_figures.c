/* SPDX-License-Identifier: Apache-2.0
 *
 * The data of how policies share workgroups out over time, from made-up runs.
 */
#include "multitask_report_fixture.h"
#include "tests/unit/unit.h"

#define PAIR "app=bfs input=usa beside=game beside_input=8 "

/* A case of --together that has 8 workgroups; samples: of its windows. */
static cJSON *add_together(cJSON *run, const char *device, const char *params, const char *samples)
{
    cJSON *item = add_case(run, device, "id", "%s", params);
    add_spread(item, "workers", 8);
    add_spread(item, "stp", 1.5);
    cJSON_AddItemToObject(item, "samples", cJSON_Parse(samples));
    return item;
}

static void assert_shares(cJSON *run, int points, const char *expected)
{
    assert_figure("together_share",
                  "# panel_number\tline_number\tdevice\tpolicy\tapp\tbeside\ttime_s\tapp_groups"
                  "\tbeside_groups\tworkers\tapp_runs_per_s\tbeside_runs_per_s\n",
                  &run, 1, points, expected);
}

/* The first sample, up to the window in which the policy settled, which lasts for a quarter more
 * than the longest search of the pair. */
TEST(policies_of_a_pair_are_lines)
{
    cJSON *run = new_run();
    add_together(run, "d", PAIR "policy=fixed share=N/2",
                 "{\"window_begin\": [0, 0], \"window_end\": [9e9, 9e9],"
                 " \"window_settled\": [1, 1], \"window_app_groups\": [4, 4],"
                 " \"window_beside_groups\": [4, 4], \"window_app_rate\": [10, 11],"
                 " \"window_beside_rate\": [20, 21]}");
    add_together(run, "d", PAIR "policy=learned",
                 "{\"window_begin\": [0, 1e9, 2e9, 0], \"window_end\": [1e9, 2e9, 9e9, 9e9],"
                 " \"window_settled\": [0, 0, 1, 1], \"window_app_groups\": [7, 1, 3, 3],"
                 " \"window_beside_groups\": [1, 7, 5, 5], \"window_app_rate\": [1, 2, 3, 4],"
                 " \"window_beside_rate\": [5, 6, 7, 8]}");
    assert_shares(run, 6,
                  "0\t0\t\"GPU\"\t\"fixed N/2\"\t\"bfs\"\t\"game\"\t0\t4\t4\t8\t10\t20\n"
                  "0\t0\t\"GPU\"\t\"fixed N/2\"\t\"bfs\"\t\"game\"\t2.5\t4\t4\t8\t10\t20\n"
                  "\n\n"
                  "0\t1\t\"GPU\"\t\"learned\"\t\"bfs\"\t\"game\"\t0\t7\t1\t8\t1\t5\n"
                  "0\t1\t\"GPU\"\t\"learned\"\t\"bfs\"\t\"game\"\t1\t1\t7\t8\t2\t6\n"
                  "0\t1\t\"GPU\"\t\"learned\"\t\"bfs\"\t\"game\"\t2\t3\t5\t8\t3\t7\n"
                  "0\t1\t\"GPU\"\t\"learned\"\t\"bfs\"\t\"game\"\t2.5\t3\t5\t8\t3\t7\n");
}

/* Pairs and devices are panels. A pair that nobody searched for is drawn for its time. */
TEST(pairs_are_panels)
{
    const char *samples =
        "{\"window_begin\": [1000], \"window_end\": [3e9], \"window_settled\": [1],"
        " \"window_app_groups\": [7], \"window_beside_groups\": [1],"
        " \"window_app_rate\": [1], \"window_beside_rate\": [2]}";
    cJSON *run = new_run();
    add_together(run, "d", PAIR "policy=priority", samples);
    add_together(run, "e", PAIR "policy=priority", samples);
    assert_shares(run, 4,
                  "0\t0\t\"GPU\"\t\"priority\"\t\"bfs\"\t\"game\"\t1e-06\t7\t1\t8\t1\t2\n"
                  "0\t0\t\"GPU\"\t\"priority\"\t\"bfs\"\t\"game\"\t3\t7\t1\t8\t1\t2\n"
                  "\n\n"
                  "1\t0\t\"CPU\"\t\"priority\"\t\"bfs\"\t\"game\"\t1e-06\t7\t1\t8\t1\t2\n"
                  "1\t0\t\"CPU\"\t\"priority\"\t\"bfs\"\t\"game\"\t3\t7\t1\t8\t1\t2\n");
}

/* Not if it failed, has no samples, or none in which a policy settled. */
TEST(without_windows_there_is_no_line)
{
    cJSON *run = new_run();
    add_together(run, "d", PAIR "policy=learned", "{}");
    add_together(run, "d", PAIR "policy=priority", "{\"window_settled\": [0, 0]}");
    make_failed(add_together(run, "d", PAIR "policy=fixed", "{\"window_settled\": [1]}"), "failed");
    assert_shares(run, 0, "");
}
