/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs of apps in several systems: variants, protocols, orders of ids and barriers beside each
 * other.
 */
#define BENCH  "apps"
#define SPREAD 0.5
#include "run_fixture.h"
#include "table_fixture.h"
#include "tests/unit/unit.h"

#include <math.h>

#include "probes/apps/pairs.h"

/* A measured case of one app; more: further parameters. The host sees 10 ms more. */
static void add_with(cJSON *run, const char *input, const char *mode, double ms, const char *more)
{
    cJSON *item =
        add_case(run, "d", "id", "app=bfs input=%s input_name=%s mode=%s barrier=atomic%s", input,
                 input, mode, more);
    add_metric(item, "run_time", ms * 1e6);
    add_metric(item, "host_time", (ms + 10) * 1e6);
}

static void add(cJSON *run, const char *mode, double ms, const char *more)
{
    add_with(run, "road", mode, ms, more);
}

#define TICKET     " protocol=ticket"
#define UNSAFE     " protocol=unsafe"
#define XF         " global-barrier=xf"
#define PAPER      " variant=paper"
#define IDS(order) " ids=" order

static cJSON *run_of_systems(void)
{
    cJSON *run = new_run();
    add(run, "multikernel", 20, "");
    add(run, "specialised", 4, XF);
    add(run, "specialised", 3, " global-barrier=patient");
    add(run, "portable", 6, TICKET XF);
    add(run, "portable", 5, UNSAFE XF);
    add(run, "portable", 5.5, UNSAFE IDS("arrival") XF);
    add(run, "portable", 5.7, TICKET IDS("native") XF);
    add(run, "portable", 3.3, " protocol=lockfree global-barrier=patient");
    add(run, "cooperative", 3, "");
    add(run, "specialised", 8, PAPER);
    add(run, "portable", 8.8, PAPER);
    return run;
}

TEST(rows_are_shared)
{
    static const struct {
        const char *name;
        double speedup, portability, cooperation;
    } expected[] = {
        {"", 30 / 13.3, 1.1, 1},
        {"protocol ticket, barrier xf", 30 / 16., 1.5, NAN},
        {"protocol unsafe, barrier xf", 30 / 15., 1.25, NAN},
        {"protocol unsafe, ids arrival, barrier xf", 30 / 15.5, 1.375, NAN},
        {"protocol ticket, ids native, barrier xf", 30 / 15.7, 1.425, NAN},
        {"variant paper", NAN, 1.1, NAN},
    };
    cJSON *run = run_of_systems();
    struct cb_apps_pairs pairs = cb_apps_pairs_of(run, "d");
    struct cb_apps_pairs system = cb_apps_first_system(&pairs);
    assert_int_equal(pairs.n, CB_COUNTOF(expected));
    for (size_t i = 0; i < CB_COUNTOF(expected); i++) {
        char name[CB_APPS_SYSTEM_BYTES];
        assert_int_equal(system.n, 1);
        cb_apps_system_name(system.list, name, sizeof name);
        assert_string_equal(name, expected[i].name);
        const double ratios[] = {expected[i].speedup, expected[i].portability,
                                 expected[i].cooperation};
        for (int r = 0; r < 3; r++) {
            double ratio = cb_apps_ratio(system.list, (enum cb_apps_ratio)r);
            assert_true(isnan(ratios[r]) ? isnan(ratio) : fabs(ratio - ratios[r]) < 1e-9);
        }
        system = cb_apps_next_system(&pairs, &system);
    }
    assert_int_equal(system.n, 0);
    assert_ptr_equal(cb_apps_main_system(&pairs).list, pairs.list);
    cb_apps_pairs_free(&pairs);
    cJSON_Delete(run);
}

/* If no system of a run is as by default, the first is the main one. */
TEST(main_system)
{
    cJSON *run = new_run();
    struct cb_apps_pairs pairs = cb_apps_pairs_of(run, "d");
    assert_int_equal(pairs.n, 0);
    assert_int_equal(cb_apps_first_system(&pairs).n, 0);
    cb_apps_pairs_free(&pairs);
    add(run, "portable", 6, TICKET XF);
    add(run, "portable", 5, UNSAFE);
    pairs = cb_apps_pairs_of(run, "d");
    assert_string_equal(cb_apps_main_system(&pairs).list->protocol, "ticket");
    cb_apps_pairs_free(&pairs);
    cJSON_Delete(run);
}

/* Their numbers are geometric means: of 1 and 4, which are 2.5 on average, 2. */
TEST(systems_with_several_inputs)
{
    cJSON *run = new_run();
    add(run, "multikernel", 20, "");
    add_with(run, "usa", "multikernel", 110, "");
    add(run, "portable", 20, TICKET XF);
    add_with(run, "usa", "portable", 20, TICKET XF);
    add(run, "portable", 5, UNSAFE XF);
    char *text = report_of(run);
    const char *table = after(text, "\nSystems beside each other: ");
    assert_row(table, "ours | ticket | arrival | xf", "multikernel : portable", "2.000");
    assert_row(table, "ours | unsafe | native | xf", "multikernel : portable", "2.000");
    free(text);
}

TEST(table_of_systems)
{
    cJSON *run = run_of_systems();
    char *text = report_of(run);
    after(text, "Time of a run, protocol ticket, barrier xf: median");
    const char *table = after(text, "Ratios of median times, variant paper: speedup");
    table = after(table, "\nSystems beside each other: ");
    static const struct {
        const char *system, *speedup, *portability, *environment, *ids, *protocol;
    } rows[] = {
        {"ours | lockfree | arrival | patient", "2.256", "1.100", "-", "-", "-"},
        {"ours | ticket | arrival | xf", "1.875", "1.500", "1.250", "1.100", "1.091"},
        {"ours | unsafe | native | xf", "2.000", "1.250", "1.250", "1.000", "1.000"},
        {"ours | unsafe | arrival | xf", "1.935", "1.375", "1.250", "1.100", "1.000"},
        {"ours | ticket | native | xf", "1.911", "1.425", "1.250", "1.000", "1.140"},
        {"paper | lockfree | arrival | patient", "-", "1.100", "-", "-", "-"},
    };
    assert_int_equal(count_rows(table, ""), CB_COUNTOF(rows));
    for (size_t i = 0; i < CB_COUNTOF(rows); i++)
        assert_row(table, rows[i].system, "multikernel : portable", rows[i].speedup,
                   "portable : specialised", rows[i].portability, "of it: environment",
                   rows[i].environment, "order of ids", rows[i].ids, "order of ids > protocol",
                   rows[i].protocol);
    free(text);
}

/* A block for each, named by the device and the system. */
TEST(figures_have_systems)
{
    cJSON *run = run_of_systems();
    assert_figure(
        "fig11", "", &run, 1, 6,
        "# device_number\tpair_number\tdevice\tpair\tspecialised_ns\tslowdown\n"
        "0\t0\t\"GPU\"\t\"bfs [road]\"\t3e+06\t1.1\n\n\n"
        "1\t0\t\"GPU, protocol ticket, barrier xf\"\t\"bfs [road]\"\t4e+06\t1.5\n\n\n"
        "2\t0\t\"GPU, protocol unsafe, barrier xf\"\t\"bfs [road]\"\t4e+06\t1.25\n\n\n"
        "3\t0\t\"GPU, protocol unsafe, ids arrival, barrier xf\"\t\"bfs "
        "[road]\"\t4e+06\t1.375\n\n\n"
        "4\t0\t\"GPU, protocol ticket, ids native, barrier xf\"\t\"bfs [road]\"\t4e+06\t1.425\n\n\n"
        "5\t0\t\"GPU, variant paper\"\t\"bfs [road]\"\t8e+06\t1.1\n");
}
