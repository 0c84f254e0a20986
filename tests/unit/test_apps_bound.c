/* SPDX-License-Identifier: Apache-2.0
 *
 * The occupancy bounds of specialised apps: what is planned, the table, what is concluded.
 */
#define BENCH  "apps"
#define SPREAD 0.5
#include "findings_fixture.h"
#include "table_fixture.h"
#include "tests/unit/unit.h"

#include "probes/apps/pairs.h"

static const struct cb_device cpu = {
    .id = "name:cpu", .name = "cpu-8", .type = "cpu", .compute_units = 8, .max_wg_size = 4096};

#define NEXT "next: `coopbench multitask --gpu` tells what urgent tasks beside them cost.\n"

/* --- Plans ------------------------------------------------------------------------------------ */

/* One for each system that is measured, with the size that it is measured with, and once. */
TEST(plan)
{
    plans_ids(&cpu,
              "app=bfs input=grid:9x9 mode=specialised,portable verify=true validate-bound=true "
              "global-barrier=xf,patient protocol=ticket",
              "bfs/specialised/grid:9x9/global-barrier=xf\nbfs/specialised/grid:9x9\n"
              "bfs/portable/grid:9x9/protocol=ticket,global-barrier=xf\n"
              "bfs/portable/grid:9x9/protocol=ticket\n"
              "bfs/specialised/grid:9x9/global-barrier=xf/bound\n"
              "bfs/specialised/grid:9x9/bound\n");
    has_params(&cpu,
               "app=bfs input=grid:9x9 mode=specialised wg-size=4 validate-bound=true workgroups=5",
               "apps/bfs/specialised/grid:9x9/bound",
               "{\"app\":\"bfs\",\"input\":\"grid:9x9\",\"input_name\":\"grid:9x9\","
               "\"mode\":\"specialised\",\"barrier\":\"atomic\",\"workgroups\":5,"
               "\"global-barrier\":\"patient\",\"wg-size\":4,\"validate-bound\":true}");
    refuses(&cpu, "app=bfs mode=portable validate-bound=true",
            "validate-bound: only the mode specialised has a bound to know");
}

TEST(tuned_plan)
{
    struct cb_plan plan = plans(&cpu, "app=bfs input=grid:9x9 mode=specialised,portable "
                                      "tune-by=mean validate-bound=true");
    assert_int_equal(plan.count, 5);
    const struct cb_case *c = case_of(&plan, "apps/bfs/specialised/grid:9x9/bound");
    assert_int_equal(c->needs, 1); /* portable's tuning, as specialised */
    assert_int_equal(c->group, 0);
    assert_int_equal(c->batch, 1);
    assert_true(c->own_stop);
    assert_int_equal(c->stop.min_runs, 1);
    assert_int_equal(c->stop.warmup, 0);
    cb_plan_free(&plan);
}

/* --- Tables and findings ---------------------------------------------------------------------- */

/* bound 0: there is none. */
static void add_bound(cJSON *run, const char *app, double found, double bound, const char *more)
{
    cJSON *item =
        add_case(run, "d", "x",
                 "app=%s input=x input_name=road mode=specialised barrier=atomic global-barrier=xf "
                 "validate-bound=true%s",
                 app, more);
    add_metric(item, "wg_size", 64);
    add_metric(item, "groups_found", found);
    add_metric(item, "one_more_ends", bound == 0);
    if (bound > 0)
        add_metric(item, "groups_bound", bound);
}

static cJSON *run_of_three(void)
{
    cJSON *run = new_run();
    add_bound(run, "bfs", 264, 264, "");
    add_bound(run, "mst", 264, 132, " variant=paper");
    add_bound(run, "bc", 9, 0, "");
    add_bound(run, "dmr", 4095, 4224, "");
    make_failed(add_case(run, "d", "y",
                         "app=mis input_name=grid mode=specialised "
                         "global-barrier=patient validate-bound=true"),
                "verify_failed");
    return run;
}

TEST(table)
{
    char *text = report_of(run_of_three());
    const char *table = after(
        text, "\nOccupancy bounds of the specialised apps: workgroups that the discovery found, "
              "and N, the most with\nwhich the app ends (OOPSLA'16 Section 5.3)\n");
    static const struct {
        const char *app, *barrier, *items, *found, *bound, *with_bound, *with_more;
    } rows[] = {
        {"bfs [road]", "xf", "64", "264", "264", "ends", "deadlock"},
        {"mst (paper) [road]", "xf", "64", "264", "132", "ends", "deadlock"},
        {"bc [road]", "xf", "64", "9", "-", "ends", "ends, too"},
        {"dmr [road]", "xf", "64", ">= 4095", "4224", "ends", "deadlock"},
        {"mis [grid]", "patient", "verify_failed", "verify_failed", "verify_failed", "-", "-"},
    };
    assert_int_equal(count_rows(table, ""), CB_COUNTOF(rows));
    for (size_t i = 0; i < CB_COUNTOF(rows); i++)
        assert_row(table, rows[i].app, "barrier", rows[i].barrier, "work-items", rows[i].items,
                   "found", rows[i].found, "N", rows[i].bound, "with N", rows[i].with_bound,
                   "with N + 1", rows[i].with_more);
    free(text);
}

/* They are no times. */
TEST(no_pairs)
{
    cJSON *run = run_of_three();
    struct cb_apps_pairs pairs = cb_apps_pairs_of(run, "d");
    assert_int_equal(pairs.n, 0);
    cb_apps_pairs_free(&pairs);
    cJSON_Delete(run);
}

TEST(findings)
{
    cJSON *run = new_run();
    add_bound(run, "bfs", 264, 264, "");
    add_bound(run, "bc", 132, 132, "");
    add_bound(run, "dmr", 4095, 4224, ""); /* that not more were found says nothing */
    assert_findings(run, "bound: The discovery finds the occupancy bound N of the specialised apps "
                         "exactly: all 2 end with N workgroups and deadlock with N + 1.\n" NEXT);
    run = new_run();
    add_bound(run, "bfs", 264, 264, "");
    add_bound(run, "bc", 264, 132, "");
    assert_findings(run, "bound: Each specialised app ends with N workgroups and deadlocks with "
                         "N + 1, but with 1 of 2 the discovery finds another number (bc [road]: "
                         "264, N is 132).\n" NEXT);
    run = new_run();
    add_bound(run, "bfs", 264, 264, "");
    add_bound(run, "bc", 9, 0, "");
    assert_findings(run, "bound: bc [road] ends with more workgroups than the discovery finds, up "
                         "to as many as there is room for: no bound was found.\n" NEXT);
}
