/* SPDX-License-Identifier: Apache-2.0
 *
 * The data files of the primitives' pictures, from made-up runs.
 */
#define BENCH "primitives"
#include "run_fixture.h"
#include "tests/unit/unit.h"

#include "runtime/host/error.h"

#define HEADER                                                                                     \
    "# device_number\tpanel_number\timplementation_number\tdevice\tpanel\timplementation\tgroups"  \
    "\tthroughput_median_ops_per_s\tthroughput_q1_ops_per_s\tthroughput_q3_ops_per_s\n"

/* A case with these parameters; its throughput has quartiles 10 % around the median. */
static cJSON *add(cJSON *run, const char *device, const char *params, double count,
                  double throughput)
{
    cJSON *item = add_case(run, device, "id", "%s", params);
    cJSON *metric = add_metric(item, "throughput", throughput);
    set_statistic(metric, "q1", 0.9 * throughput);
    set_statistic(metric, "q3", 1.1 * throughput);
    add_metric(item, "groups", count);
    return item;
}

/* The data of the run, which is deleted, below the header. */
static void assert_data(const char *id, cJSON *run, int points, const char *expected)
{
    assert_figure(id, HEADER, &run, 1, points, expected);
}

TEST(barriers_are_in_one_panel_without_a_title)
{
    cJSON *run = new_run();
    add(run, "d", "kind=barrier primitive=xf groups=N", 2112, 1000000);
    add(run, "d", "kind=barrier primitive=xf groups=1", 1, 3000000);
    add(run, "d", "kind=barrier primitive=counter groups=1", 1, 2000000);
    add(run, "d", "kind=mutex primitive=spin groups=1 section=0", 1, 2000000);
    assert_data("fig1", run, 3,
                "0\t0\t0\t\"GPU\"\t\t\"xf\"\t1\t3e+06\t2.7e+06\t3.3e+06\n"
                "0\t0\t0\t\"GPU\"\t\t\"xf\"\t2112\t1e+06\t900000\t1.1e+06\n"
                "\n\n"
                "0\t0\t1\t\"GPU\"\t\t\"counter\"\t1\t2e+06\t1.8e+06\t2.2e+06\n");
}

TEST(a_section_is_a_panel_of_mutexes)
{
    cJSON *run = new_run();
    add(run, "d", "kind=mutex primitive=ticket groups=4 section=16", 4, 100);
    add(run, "d", "kind=mutex primitive=ticket groups=4 section=0", 4, 200);
    add(run, "d", "kind=mutex primitive=array groups=4 section=1", 4, 300);
    assert_data(
        "fig2", run, 3,
        "0\t0\t0\t\"GPU\"\t\"critical section: empty\"\t\"ticket\"\t4\t200\t180\t220\n"
        "\n\n"
        "0\t1\t1\t\"GPU\"\t\"critical section: 1 increment\"\t\"array\"\t4\t300\t270\t330\n"
        "\n\n"
        "0\t2\t0\t\"GPU\"\t\"critical section: 16 increments\"\t\"ticket\"\t4\t100\t90\t110\n");
}

TEST(an_initial_value_is_a_panel_of_semaphores)
{
    cJSON *run = new_run();
    static const char *const values[] = {"10", "120", "2", "1"};
    for (size_t i = 0; i < CB_COUNTOF(values); i++) {
        char params[80];
        snprintf(params, sizeof params,
                 "kind=semaphore primitive=sleeping groups=N section=0 initial=%s", values[i]);
        add(run, "d", params, 33, 100 * atof(values[i]));
    }
    assert_data(
        "fig3", run, 4,
        "0\t0\t0\t\"GPU\"\t\"initial value: 1\"\t\"sleeping\"\t33\t100\t90\t110\n"
        "\n\n"
        "0\t1\t0\t\"GPU\"\t\"initial value: 2\"\t\"sleeping\"\t33\t200\t180\t220\n"
        "\n\n"
        "0\t2\t0\t\"GPU\"\t\"initial value: 10\"\t\"sleeping\"\t33\t1000\t900\t1100\n"
        "\n\n"
        "0\t3\t0\t\"GPU\"\t\"initial value: 120\"\t\"sleeping\"\t33\t12000\t10800\t13200\n");
}

TEST(tuning_and_failures_are_not_drawn)
{
    cJSON *run = new_run();
    add(run, "d", "kind=semaphore primitive=spin_backoff groups=N initial=1 tune=true", 33, 900);
    add(run, "d", "kind=semaphore primitive=spin_backoff groups=N initial=1 tune=false", 33, 100);
    cJSON *failed = add(run, "d", "kind=semaphore primitive=spin groups=N initial=1", 33, 300);
    set_text(failed, "status", "no");
    add(run, "d", "kind=semaphore primitive=sleeping groups=N initial=1", 33, 0);
    add(run, "unknown", "kind=semaphore primitive=spin groups=N initial=1", 33, 400);
    cJSON *other = add(run, "d", "kind=semaphore primitive=other groups=N initial=1", 33, 500);
    set_text(other, "bench", "memory");
    assert_data("fig3", run, 1,
                "0\t0\t0\t\"GPU\"\t\"initial value: 1\"\t\"spin_backoff\"\t33\t100\t90\t110\n");
}

TEST(of_one_number_of_workgroups_the_first_is_drawn)
{
    cJSON *run = new_run();
    add(run, "d", "kind=barrier primitive=xf groups=N", 8, 100);
    add(run, "d", "kind=barrier primitive=xf groups=N/8", 1, 300);
    add(run, "d", "kind=barrier primitive=xf groups=1", 1, 400);
    assert_data("fig1", run, 2,
                "0\t0\t0\t\"GPU\"\t\t\"xf\"\t1\t300\t270\t330\n"
                "0\t0\t0\t\"GPU\"\t\t\"xf\"\t8\t100\t90\t110\n");
}

TEST(devices_share_panels_and_implementations)
{
    cJSON *run = new_run();
    add(run, "e", "kind=mutex primitive=spin groups=2 section=0", 2, 100);
    add(run, "e", "kind=mutex primitive=array groups=2 section=1", 2, 200);
    add(run, "d", "kind=mutex primitive=array groups=2 section=1", 2, 300);
    assert_data(
        "fig2", run, 3,
        "0\t1\t0\t\"GPU\"\t\"critical section: 1 increment\"\t\"array\"\t2\t300\t270\t330\n"
        "\n\n"
        "1\t0\t1\t\"CPU\"\t\"critical section: empty\"\t\"spin\"\t2\t100\t90\t110\n"
        "\n\n"
        "1\t1\t0\t\"CPU\"\t\"critical section: 1 increment\"\t\"array\"\t2\t200\t180\t220\n");
}

TEST(a_device_without_cases_is_no_row)
{
    cJSON *run = new_run();
    add(run, "d", "kind=barrier primitive=xf groups=2", 2, 100);
    add(run, "e", "kind=semaphore primitive=spin groups=2 initial=1", 2, 200);
    assert_data("fig3", run, 1,
                "0\t0\t0\t\"CPU\"\t\"initial value: 1\"\t\"spin\"\t2\t200\t180\t220\n");
}

TEST(the_same_device_in_two_runs_is_told_apart)
{
    cJSON *runs[] = {new_run(), new_run()};
    set_text(runs[1], "run_id", "no 2");
    for (int i = 0; i < 2; i++)
        add(runs[i], "d", "kind=barrier primitive=xf groups=2", 2, 100);
    int points = 0;
    char *data = data_of("fig1", runs, 2, &points);
    assert_int_equal(points, 2);
    assert_string_equal(data, HEADER "0\t0\t0\t\"GPU, run first\"\t\t\"xf\"\t2\t100\t90\t110\n"
                                     "\n\n"
                                     "1\t0\t0\t\"GPU, run no 2\"\t\t\"xf\"\t2\t100\t90\t110\n");
    free(data);
    cJSON_Delete(runs[0]);
    cJSON_Delete(runs[1]);
}

TEST(two_devices_of_one_name_are_numbered)
{
    cJSON *run = new_run();
    rename_devices(run, "Tab\there (TM) \"x\"");
    add(run, "d", "kind=barrier primitive=xf groups=2", 2, 100);
    add(run, "e", "kind=barrier primitive=xf groups=2", 2, 100);
    assert_data("fig1", run, 2,
                "0\t0\t0\t\"Tab here x #1\"\t\t\"xf\"\t2\t100\t90\t110\n"
                "\n\n"
                "1\t0\t0\t\"Tab here x #2\"\t\t\"xf\"\t2\t100\t90\t110\n");
}

TEST(runs_without_cases_have_no_figures)
{
    static const char *const texts[] = {
        "{}",
        "{\"devices\": [], \"cases\": []}",
        "{\"devices\": [{\"id\": \"d\"}], \"cases\": [{\"bench\": \"primitives\", \"device\":"
        " \"d\", \"status\": \"timeout\", \"params\": {\"kind\": \"mutex\", \"primitive\":"
        " \"spin\", \"groups\": \"N\"}, \"metrics\": []}]}",
        "{\"devices\": [{}], \"cases\": [{\"bench\": \"primitives\", \"status\": \"ok\"}]}",
    };
    for (size_t i = 0; i < CB_COUNTOF(texts); i++)
        for (const struct cb_figure *figure = the_bench()->figures; figure->id; figure++) {
            cJSON *run = cJSON_Parse(texts[i]);
            assert_non_null(run);
            assert_data(figure->id, run, 0, "");
        }
}
