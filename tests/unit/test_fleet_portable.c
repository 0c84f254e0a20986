/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet_fixture.h"
#include "tests/unit/unit.h"

#include "analysis/fleet/portable.h"

static struct cb_portables portables;

static int clear_all(void **state)
{
    cb_portables_free(&portables);
    return clear_runs(state);
}

/* A case of primitives, of which throughput is the first metric. */
static cJSON *add_primitive(cJSON *run, const char *kind, const char *name, const char *groups,
                            double throughput)
{
    char id[96];
    snprintf(id, sizeof id, "primitives/%s.%s/groups=%s", kind, name, groups);
    cJSON *c = add_time(run, id, throughput, 0);
    cJSON *metric = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(c, "metrics"), 0);
    cJSON *params = cJSON_GetObjectItemCaseSensitive(c, "params");
    cJSON_ReplaceItemInObjectCaseSensitive(c, "bench", cJSON_CreateString("primitives"));
    cJSON_ReplaceItemInObjectCaseSensitive(metric, "name", cJSON_CreateString("throughput"));
    cJSON_ReplaceItemInObjectCaseSensitive(metric, "better", cJSON_CreateString("higher"));
    cJSON_AddStringToObject(params, "kind", kind);
    cJSON_AddStringToObject(params, "primitive", name);
    cJSON_AddStringToObject(params, "groups", groups);
    return c;
}

static void find_portables(void)
{
    find();
    cb_portables_free(&portables);
    assert_true(cb_portables_find(&fleet.devices, &portables));
}

static const struct cb_way *way_of(const struct cb_portable *p, const char *name)
{
    for (int i = 0; i < p->n; i++)
        if (strcmp(p->ways[i].name, name) == 0)
            return &p->ways[i];
    fail_msg("no way is called %s", name);
    return NULL;
}

static bool is_about(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

/* One barrier is best on one device and half as fast on the other, one is never best and never far
 * off: the second is the portable best. */
TEST_WITH(best, clear_all, clear_all)
{
    static const double speeds[2][3] = {{100, 80, 40}, {50, 90, 100}};
    for (int i = 0; i < 2; i++) {
        cJSON *run = new_run(i ? "another" : "D");
        add_primitive(run, "barrier", "counter", "N", speeds[i][0]);
        add_primitive(run, "barrier", "patient", "N", speeds[i][1]);
        add_primitive(run, "barrier", "xf", "N", speeds[i][2]);
        add_run(run);
    }
    find_portables();
    assert_int_equal(portables.n, 1);
    const struct cb_portable *p = portables.items;
    assert_string_equal(p->choice, "barrier");
    assert_int_equal(p->n, 3);
    assert_int_equal(p->places, 2);
    assert_int_equal(p->devices, 2);
    assert_string_equal(p->ways[p->least_worst].name, "patient");
    assert_int_equal(p->least_mean, p->least_worst);
    assert_true(is_about(way_of(p, "patient")->worst, 1.25));
    assert_true(is_about(way_of(p, "patient")->mean, sqrt(1.25 * 100 / 90)));
    assert_int_equal(way_of(p, "patient")->device, 0);
    assert_true(is_about(way_of(p, "counter")->worst, 2));
    assert_int_equal(way_of(p, "counter")->device, 1);
    assert_string_equal(way_of(p, "counter")->c->id, "primitives/barrier.counter/groups=N");
}

/* The least worst and the least mean are not the same. */
TEST_WITH(two_answers, clear_all, clear_all)
{
    for (int i = 0; i < 10; i++) {
        cJSON *run = new_run("D");
        add_primitive(run, "mutex", "spin", "N", i == 0 ? 50 : 100);
        add_primitive(run, "mutex", "ticket", "N", i == 0 ? 100 : 80);
        add_run(run);
    }
    find_portables();
    const struct cb_portable *p = portables.items;
    assert_string_equal(p->ways[p->least_worst].name, "ticket");
    assert_string_equal(p->ways[p->least_mean].name, "spin");
    assert_true(is_about(way_of(p, "spin")->mean, pow(2, 0.1)));
}

/* What is missing at a place is not the best of all, nor is what failed there. A place with one way
 * is no choice; what is only compared is no way; a device counts once, however many places it has.
 */
TEST_WITH(parts, clear_all, clear_all)
{
    for (int i = 0; i < 2; i++) {
        cJSON *run = new_run("D");
        add_primitive(run, "barrier", "counter", "N", 50);
        cJSON *best = add_primitive(run, "barrier", "patient", "N", 100);
        add_primitive(run, "barrier", "relaunch", "N", 1000);
        if (i == 0) {
            add_primitive(run, "barrier", "counter", "N/2", 100);
            add_primitive(run, "barrier", "patient", "N/2", 100);
            add_primitive(run, "barrier", "counter", "1", 50);
        } else {
            cJSON_ReplaceItemInObjectCaseSensitive(best, "status", cJSON_CreateString("timeout"));
            add_primitive(run, "barrier", "xf", "N", 100);
        }
        add_primitive(run, "mutex", "spin", "N", 1);
        add_run(run);
    }
    find_portables();
    assert_int_equal(portables.n, 1);
    const struct cb_portable *p = portables.items;
    assert_int_equal(p->places, 3);
    assert_string_equal(p->ways[p->least_worst].name, "counter");
    assert_true(is_about(way_of(p, "counter")->mean, sqrt(sqrt(2) * 2)));
    assert_int_equal(way_of(p, "patient")->places, 2);
    assert_int_equal(way_of(p, "xf")->places, 1);
}

/* A parameter is told if it makes a difference; of what is tuned for a device, the best stands. */
TEST_WITH(names, clear_all, clear_all)
{
    cJSON *run = new_run("D");
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            char groups[16];
            snprintf(groups, sizeof groups, "N%.*s", k, " "); /* another id, the same place */
            cJSON *c = add_primitive(run, "semaphore", i ? "ticket" : "spin", groups, 10 + i + k);
            cJSON *params = cJSON_GetObjectItemCaseSensitive(c, "params");
            cJSON_ReplaceItemInObjectCaseSensitive(params, "groups", cJSON_CreateString("N"));
            cJSON_AddStringToObject(params, "backoff", k ? "1000" : "250");
        }
    add_run(run);
    find_portables();
    const struct cb_portable *p = portables.items;
    assert_int_equal(p->n, 2);
    assert_int_equal(p->places, 1);
    assert_true(is_about(way_of(p, "ticket")->worst, 1));
    assert_true(is_about(way_of(p, "spin")->worst, 12. / 11));

    for (int i = 0; i < tables[0].count; i++) {
        cJSON *params = (cJSON *)(uintptr_t)tables[0].cases[i].params;
        cJSON_ReplaceItemInObjectCaseSensitive(params, "wg-size",
                                               cJSON_CreateNumber(i % 2 ? 128 : 64));
    }
    find_portables();
    assert_int_equal(portables.items->n, 4);
    assert_true(is_about(way_of(portables.items, "ticket, wg-size=128")->worst, 1));
}

/* Metrics that are ways: the workgroup sizes of a tuning. */
TEST_WITH(metrics, clear_all, clear_all)
{
    for (int i = 0; i < 2; i++) {
        cJSON *run = new_run("D"), *c = add_time(run, "apps/bfs/portable/tuning", 100, 0);
        cJSON *metrics = cJSON_GetObjectItemCaseSensitive(c, "metrics");
        cJSON *other = cJSON_Duplicate(cJSON_GetArrayItem(metrics, 0), true);
        cJSON_ReplaceItemInObjectCaseSensitive(c, "bench", cJSON_CreateString("apps"));
        cJSON_ReplaceItemInObjectCaseSensitive(cJSON_GetArrayItem(metrics, 0), "name",
                                               cJSON_CreateString("wg_64"));
        cJSON_ReplaceItemInObjectCaseSensitive(other, "name", cJSON_CreateString("wg_256"));
        cJSON_ReplaceItemInObjectCaseSensitive(other, "median", cJSON_CreateNumber(i ? 110 : 100));
        cJSON_DeleteItemFromObjectCaseSensitive(other, "ci95_low");
        cJSON_DeleteItemFromObjectCaseSensitive(other, "ci95_high");
        cJSON_AddItemToArray(metrics, other);
        add_run(run);
    }
    find_portables();
    assert_int_equal(portables.n, 1);
    assert_string_equal(portables.items->choice, "workgroup size");
    assert_string_equal(portables.items->ways[0].name, "64");
    assert_true(is_about(way_of(portables.items, "256")->mean, sqrt(1.1)));
}
