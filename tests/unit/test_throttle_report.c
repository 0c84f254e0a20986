/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables and the pictures' data of throttle, from made-up runs.
 */
#include "temp_folder.h"
#include "tests/unit/unit.h"

#define BENCH  "throttle"
#define SPREAD 0.5
#include "run_fixture.h"
#include "table_fixture.h"

/* --- Made-up runs ----------------------------------------------------------------------------- */

/* The parameters that all cases have. */
#define HELD "input=grid hold=3 "

/* watts 0: not measured. */
static cJSON *add_step(cJSON *run, const char *device, int step, const char *groups, double active,
                       double progress, double watts)
{
    cJSON *item = add_case(run, device, groups, HELD "app=color step=%d groups=%s", step, groups);
    add_metric(item, "active", active);
    add_metric(item, "progress", progress);
    add_metric(item, "workers", 130);
    if (watts > 0) {
        add_metric(item, "power", watts);
        add_metric(item, "idle_power", 75);
        add_metric(item, "energy_per_run", watts / progress);
        add_metric(item, "progress_per_watt", progress / watts);
    }
    return item;
}

/* --- Tables ----------------------------------------------------------------------------------- */

TEST(schedule)
{
    cJSON *run = new_run();
    cJSON *first = add_step(run, "d", 1, "N", 130, 2000, 250);
    add_metric(first, "power_limit", 700);
    add_metric(add_step(run, "d", 2, "N/2", 65, 1000, 160), "resize_time", 30e3);
    make_failed(add_step(run, "d", 3, "1", 1, 10, 80), "timeout");
    char *text = report_of(run);
    const char *table =
        after(text, "\nGPU\n\ncolor grid, 3 s a step, N = 130, idle 75.0 W, its own limit 700 W\n");
    assert_row(table, "N = 130", "resize", "-", "progress", "2.00 kruns/s", "of that with most",
               "100 %", "power", "250.0 W", "energy a run", "125 mJ", "progress per watt",
               "8.00 runs/J");
    assert_row(table, "N/2 = 65", "resize", "30.0 µs", "progress", "1.00 kruns/s",
               "of that with most", "50 %", "power", "160.0 W", "energy a run", "160 mJ",
               "progress per watt", "6.25 runs/J");
    assert_row(table, "1", "resize", "timeout", "progress", "timeout", "of that with most",
               "timeout", "power", "timeout", "energy a run", "timeout", "progress per watt",
               "timeout");
    free(text);
}

TEST(without_power)
{
    cJSON *run = new_run();
    add_note(add_step(run, "e", 1, "N", 7, 4, 0), "no power: there is none");
    add_note(add_step(run, "e", 2, "1", 1, 2, 0), "no power: there is none");
    char *text = report_of(run);
    const char *table = after(text, "\nCPU\n\ncolor grid, 3 s a step, N = 130\n");
    assert_row(table, "N = 7", "resize", "-", "progress", "4.00 runs/s", "of that with most",
               "100 %", "power", "-", "energy a run", "-", "progress per watt", "-");
    assert_row(table, "1", "progress", "2.00 runs/s", "of that with most", "50 %", "power", "-");
    assert_string_equal(after(table, "\n\n- no power: there is none\n"), "");
    free(text);
}

TEST(caps)
{
    cJSON *run = new_run();
    cJSON *item = add_case(run, "d", "id", HELD "app=color power-cap=300");
    add_metric(item, "settle_time", 0);
    set_statistic(add_mean(item, "power", 298), "max", 299.5);
    add_metrics(item, "over_cap", 0.25, "active", 77.0, "progress", 10.0, "energy_per_run", 30.0,
                "progress_per_watt", 0.5, NULL);
    add_note(item, "note");
    make_failed(add_case(run, "d", "id", HELD "app=game power-cap=99.5"), "unsupported");
    char *text = report_of(run);
    const char *table = after(text, "\nGPU\n\nPower caps\n");
    assert_row(table, "color, 300 W", "held after", "at once", "power", "298.0 W", "highest",
               "299.5 W", "time above", "25 %", "workgroups", "77", "progress", "10.0 runs/s",
               "energy a run", "30.0 J", "progress per watt", "500 mruns/J");
    assert_row(table, "game, 99.5 W", "held after", "unsupported", "power", "unsupported",
               "highest", "unsupported", "time above", "unsupported", "workgroups", "unsupported",
               "progress", "unsupported", "energy a run", "unsupported", "progress per watt",
               "unsupported");
    after(table, "\n- color, 300 W: note\n");
    free(text);
}

TEST(nothing)
{
    assert_report(new_run(), "");
}

/* --- Pictures --------------------------------------------------------------------------------- */

TEST(curves)
{
    int points;
    cJSON *run = new_run();
    add_step(run, "d", 1, "N", 130, 2000, 250);
    add_step(run, "d", 2, "1", 1, 100, 80);
    make_failed(add_step(run, "d", 3, "3", 3, 1, 1), "timeout");
    add_step(run, "e", 1, "N", 7, 4, 0);
    char *data = data_of("throttle", &run, 1, &points);
    assert_int_equal(points, 3);
    assert_string_equal(data,
                        "# device_number\tdevice\tapp\tactive\tprogress_share\tpower_w\tidle_w"
                        "\truns_per_joule\n"
                        "0\t\"GPU\"\t\"color\"\t1\t0.05\t80\t75\t1.25\n"
                        "0\t\"GPU\"\t\"color\"\t130\t1\t250\t75\t8\n"
                        "\n\n"
                        "1\t\"CPU\"\t\"color\"\t7\t1\tNaN\tNaN\tNaN\n");
    free(data);
    cJSON_Delete(run);
    run = new_run();
    data = data_of("throttle", &run, 1, &points);
    assert_int_equal(points, 0);
    free(data);
    cJSON_Delete(run);
}

TEST_WITH(traces, make_folder, remove_folder)
{
    char path[128];
    int points;
    snprintf(path, sizeof path, "%s/trace.tsv", folder);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs("# time_s\tpower_w\tactive\tidle_w\tcap_w\n0.1\t90\t0\t75\t300\n0.2\t95\t7\t75\t300\n",
          out);
    fclose(out);
    cJSON *run = new_run();
    for (int i = 0; i < 2; i++) /* the same file is drawn once */
        add_case(run, "d", "id", HELD "app=color power-cap=300 trace=%s", path);
    add_case(run, "d", "id", HELD "app=bfs step=1 trace=/nowhere");
    char *data = data_of("throttle_power", &run, 1, &points);
    assert_int_equal(points, 2);
    assert_string_equal(data, "# panel_number\tpanel\ttime_s\tpower_w\tactive\tidle_w\tcap_w\n"
                              "0\t\"GPU: color, at most 300 W\"\t0.1\t90\t0\t75\t300\n"
                              "0\t\"GPU: color, at most 300 W\"\t0.2\t95\t7\t75\t300\n");
    free(data);
    out = fopen(path, "w"); /* a later run has replaced it */
    assert_non_null(out);
    fputs("# of the run results/other\n0.1\t90\t0\t75\t300\n", out);
    fclose(out);
    data = data_of("throttle_power", &run, 1, &points);
    assert_int_equal(points, 0);
    free(data);
    cJSON_Delete(run);
}
