/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet_fixture.h"
#include "tests/unit/unit.h"

static enum cb_fleet_verdict verdict_of(int device)
{
    return fleet.judgements[device].verdict;
}

/* --- Outliers --------------------------------------------------------------------------------- */

/* The distance is Student's t: 5 values of which one is 10 off, by hand. */
TEST(distance)
{
    const double values[] = {-1, 0, 0, 1, 10}, errors[] = {NAN, NAN, NAN, NAN, NAN};
    struct cb_outlier found[5];
    assert_true(cb_outliers_find(values, errors, 5, 0, found));
    /* mean 0 and variance 2/3 of the others: t = 10 / sqrt(2/3 * 5/4), 3 degrees of freedom */
    assert_true(fabs(found[4].p - 0.00161) < 0.00002);
    assert_true(fabs(found[4].z - 10 / 1.4826) < 1e-9);
    for (int i = 0; i < 4; i++)
        assert_true(found[i].p == 1);
}

/* Two that stray as far do not hide each other. */
TEST(two_outliers)
{
    const double values[] = {0.1, -0.1, 0.05, -0.05, 0, 0.08, 5, 5.1};
    const double errors[8] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    struct cb_outlier found[8];
    assert_true(cb_outliers_find(values, errors, 8, 0, found));
    assert_true(found[6].p < 1e-5 && found[7].p < 1e-5);
    for (int i = 0; i < 6; i++)
        assert_true(found[i].p == 1);
}

/* What is within the errors, or within the least spread, is no outlier; equal values are none. */
TEST(floors)
{
    const double values[] = {0, 0, 0, 0, 0, 1}, none[6] = {0};
    double errors[6] = {NAN, NAN, NAN, NAN, NAN, 2};
    struct cb_outlier found[6];
    assert_true(cb_outliers_find(values, errors, 6, 0, found));
    assert_true(found[5].p > 0.5);
    errors[5] = NAN;
    assert_true(cb_outliers_find(values, errors, 6, 1, found));
    assert_true(found[5].p > 0.1);
    assert_true(cb_outliers_find(values, errors, 6, 0, found));
    assert_true(found[5].p == 0);
    assert_true(cb_outliers_find(none, errors, 6, 0, found));
    for (int i = 0; i < 6; i++)
        assert_true(found[i].p == 1 && found[i].z == 0);
}

/* Fewer than five are no yardstick. */
TEST(few)
{
    const double values[] = {1, 1, 1, 2}, errors[] = {0, 0, 0, 0};
    struct cb_outlier found[4];
    assert_true(cb_outliers_find(values, errors, 4, 0.1, found));
    for (int i = 0; i < 4; i++)
        assert_true(isnan(found[i].p));
    assert_true(cb_outliers_find(values, errors, 0, 0.1, found));
}

/* The share of sets of values of one normal distribution whose p is below alpha, corrected for the
 * number of values, is no more than alpha. The numbers are always the same. */
TEST(false_rate)
{
    enum { SETS = 4000 };
    static const size_t sizes[] = {5, 6, 7, 8, 9, 12, 20};
    double values[20], errors[20];
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const size_t n = sizes[k];
        struct cb_random random = {n};
        int found = 0;
        for (int set = 0; set < SETS; set++) {
            struct cb_outlier of[20];
            double least = 1;
            for (size_t i = 0; i < n; i++) {
                values[i] = random_normal(&random);
                errors[i] = NAN;
            }
            assert_true(cb_outliers_find(values, errors, n, 0, of));
            for (size_t i = 0; i < n; i++)
                least = fmin(least, of[i].p);
            found += (double)n * least < 0.05;
        }
        printf("%zu devices, seed %zu: %.4f of %d sets have an outlier at 0.05\n", n, n,
               (double)found / SETS, SETS);
        assert_true(found <= 0.055 * SETS);
    }
}

/* --- Fleets ----------------------------------------------------------------------------------- */

/* One of eight is slower by 5 %, in 1 % of noise: it is named, and none of the others. */
TEST_WITH(slow_device, clear_runs, clear_runs)
{
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct cb_random random = {seed};
        printf("seed %d\n", (int)seed);
        clear_runs(NULL);
        for (int i = 0; i < 8; i++)
            add_device("D", 30, i == 5 ? 1.05 : 1, 0.01, &random);
        find();
        assert_int_equal(fleet.devices.n, 8);
        assert_int_equal(fleet.n_series, 30);
        assert_int_equal(fleet.tests, 240);
        assert_int_equal(verdict_of(5), CB_FLEET_SLOW);
        assert_int_equal(fleet.order[0], 5);
        assert_int_equal(fleet.of[CB_FLEET_SLOW], 1);
        assert_int_equal(fleet.of[CB_FLEET_ALIKE], 7);
        assert_string_equal(fleet.devices.items[5].host, "node05");
        assert_string_equal(fleet.devices.items[5].pci, "0000:45:00.0");
        assert_true(fabs(fleet.judgements[5].loss - 0.05) < 0.01);
        assert_true(cb_fleet_is_slow(&fleet, 5) && !cb_fleet_is_slow(&fleet, 4));
    }
}

/* One that is slow in one case only, and one that is fast. */
TEST_WITH(slow_case, clear_runs, clear_runs)
{
    struct cb_random random = {3};
    for (int i = 0; i < 9; i++) {
        cJSON *run = new_run("D");
        for (int k = 0; k < 20; k++) {
            char id[16];
            snprintf(id, sizeof id, "fake/%02d", k);
            const double factor = i == 2 && k == 7 ? 1.5 : i == 4 ? 0.9 : 1;
            add_time(run, id, 100 * factor * exp(0.005 * random_normal(&random)), 0.001);
        }
        add_run(run);
    }
    find();
    assert_int_equal(verdict_of(2), CB_FLEET_SLOW_CASES);
    assert_int_equal(fleet.judgements[2].slow, 1);
    assert_int_equal(verdict_of(4), CB_FLEET_FAST);
    assert_int_equal(fleet.of[CB_FLEET_ALIKE], 7);
    assert_int_equal(fleet.order[0], 2);
}

/* Fleets of which none is slow: devices are found in about as many as alpha allows. The numbers
 * are always the same. */
TEST_WITH(no_outliers, clear_runs, clear_runs)
{
    enum { FLEETS = 1000 };
    int found = 0;
    for (uint64_t seed = 1; seed <= FLEETS; seed++) {
        struct cb_random random = {seed};
        clear_runs(NULL);
        rules.threshold = 1e-3;
        rules.alpha = 0.05;
        for (int i = 0; i < 6; i++) /* devices differ, too */
            add_device("D", 6, exp(0.02 * random_normal(&random)), 0.01, &random);
        find();
        assert_int_equal(fleet.of[CB_FLEET_UNTESTED], 0);
        found += fleet.of[CB_FLEET_ALIKE] < 6;
    }
    printf("seeds 1 to %d: %d fleets have an outlier at 0.05\n", FLEETS, found);
    assert_true(found <= 0.06 * FLEETS);
}

/* A slow device does not make others look slow or fast, however often it strays. The numbers are
 * always the same. */
TEST_WITH(beside_slow, clear_runs, clear_runs)
{
    enum { FLEETS = 200 };
    int found = 0, others = 0;
    for (uint64_t seed = 1; seed <= FLEETS; seed++) {
        struct cb_random random = {seed};
        clear_runs(NULL);
        for (int i = 0; i < 12; i++) /* devices differ by 1 % */
            add_device("D", 20, (i == 1 ? 1.1 : 1) * exp(0.01 * random_normal(&random)), 0.01,
                       &random);
        find();
        found += cb_fleet_is_slow(&fleet, 1);
        others += fleet.of[CB_FLEET_ALIKE] < 12 - cb_fleet_is_slow(&fleet, 1);
    }
    printf("seeds 1 to %d: the slow device is found in %d fleets, another one in %d\n", FLEETS,
           found, others);
    assert_true(found >= 0.9 * FLEETS);
    assert_true(others <= 0.02 * FLEETS);
}

/* Two devices: how far they differ, but no test. */
TEST_WITH(few_devices, clear_runs, clear_runs)
{
    struct cb_random random = {1};
    for (int i = 0; i < 2; i++)
        add_device("D", 5, i ? 1.5 : 1, 1e-6, &random);
    find();
    assert_int_equal(fleet.of[CB_FLEET_UNTESTED], 2);
    assert_int_equal(fleet.tests, 0);
    assert_true(fabs(fleet.series[0].max / fleet.series[0].min - 1.5) < 1e-3);
    assert_int_equal(fleet.order[0], 1);
}

/* A metric of which higher is better. */
TEST_WITH(higher, clear_runs, clear_runs)
{
    struct cb_random random = {2};
    for (int i = 0; i < 6; i++)
        add_device("D", 12, i == 1 ? 0.8 : 1, 0.005, &random);
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < tables[i].count; k++)
            tables[i].cases[k].metrics[0].better = CB_HIGHER;
    find();
    assert_int_equal(verdict_of(1), CB_FLEET_SLOW);
    assert_true(fabs(fleet.judgements[1].loss - 0.25) < 0.02);
}

/* --- What a fleet may look like --------------------------------------------------------------- */

/* A device of another kind is beside the others, not among them. */
TEST_WITH(other_kind, clear_runs, clear_runs)
{
    struct cb_random random = {1};
    for (int i = 0; i < 7; i++)
        add_device(i == 3 ? "another" : "D", 10, i == 3 ? 2 : 1, 0.005, &random);
    find();
    assert_int_equal(fleet.devices.n_kinds, 2);
    assert_int_equal(fleet.devices.kinds[0].devices, 6);
    assert_int_equal(verdict_of(3), CB_FLEET_UNTESTED);
    assert_int_equal(fleet.of[CB_FLEET_ALIKE], 6);
}

/* Other drivers are said, and judged all the same. */
TEST_WITH(drivers, clear_runs, clear_runs)
{
    struct cb_random random = {1};
    for (int i = 0; i < 5; i++)
        add_device("D", 4, 1, 0.005, &random);
    cJSON_ReplaceItemInObjectCaseSensitive(device_json(tables[2].document.tree), "driver_version",
                                           cJSON_CreateString("2"));
    find();
    assert_int_equal(fleet.devices.n_kinds, 1);
    assert_int_equal(fleet.devices.kinds[0].drivers, 2);
    assert_int_equal(fleet.devices.kinds[0].programs, 1);
    assert_int_equal(fleet.of[CB_FLEET_ALIKE], 5);
}

static cJSON *case_of(int run, int place)
{
    return cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(tables[run].document.tree, "cases"),
                              place);
}

static void index_again(int run)
{
    struct cb_err err = {0};
    cb_run_table_clear(&tables[run]);
    assert_int_equal(cb_run_table_index(&tables[run], "run", &err), CB_OK);
}

/* A device that has few rows, one with rows that failed, one with other parameters. */
TEST_WITH(parts, clear_runs, clear_runs)
{
    struct cb_random random = {1};
    for (int i = 0; i < 8; i++)
        add_device("D", i == 0 ? 3 : 10, i == 0 ? 3 : 1, 0.005, &random);
    cJSON_ReplaceItemInObjectCaseSensitive(case_of(1, 2), "status", cJSON_CreateString("timeout"));
    cJSON *params = cJSON_GetObjectItemCaseSensitive(case_of(2, 4), "params");
    cJSON_ReplaceItemInObjectCaseSensitive(params, "wg-size", cJSON_CreateNumber(128));
    cJSON_AddNumberToObject(cJSON_GetObjectItemCaseSensitive(case_of(3, 4), "params"), "other", 1);
    index_again(1);
    index_again(2);
    index_again(3);
    find();
    assert_int_equal(fleet.judgements[0].series, 3);
    assert_int_equal(fleet.judgements[0].of, 10);
    assert_true(isnan(fleet.judgements[0].p)); /* as a whole; its cases are tested */
    assert_int_equal(verdict_of(0), CB_FLEET_SLOW_CASES);
    assert_int_equal(fleet.judgements[0].slow, 3);
    assert_int_equal(fleet.judgements[1].failed, 1);
    assert_int_equal(fleet.judgements[1].series, 9);
    assert_int_equal(fleet.judgements[2].other, 1);
    assert_int_equal(fleet.judgements[3].other, 1);
    assert_int_equal(fleet.of[CB_FLEET_ALIKE], 7);
}

/* If a device has several runs, its newest row that is ok counts; a host of another name is the
 * same device if the UUID is. */
TEST_WITH(several_runs, clear_runs, clear_runs)
{
    for (int i = 0; i < 3; i++) {
        cJSON *run = new_run("D"), *device = device_json(run);
        cJSON_ReplaceItemInObjectCaseSensitive(device, "uuid", cJSON_CreateString("u"));
        cJSON_ReplaceItemInObjectCaseSensitive(
            cJSON_GetObjectItemCaseSensitive(run, "time"), "start",
            cJSON_CreateString(i == 0 ? "2026-11-02T00:00:00Z" : "2026-11-01T00:00:00Z"));
        add_time(run, "fake/a", 100 + i, 0.01);
        cJSON *b = add_time(run, "fake/b", 200 + i, 0.01);
        if (i == 0)
            cJSON_ReplaceItemInObjectCaseSensitive(b, "status", cJSON_CreateString("crashed"));
        add_run(run);
    }
    find();
    assert_int_equal(fleet.devices.n, 1);
    assert_int_equal(fleet.devices.items[0].runs, 3);
    assert_ptr_equal(fleet.devices.items[0].run, &tables[0]);
    assert_int_equal(fleet.n_series, 2);
    assert_true(fleet.series[0].median == 100);
    assert_true(fleet.series[1].median >= 201);
}

/* Zeros, values of either sign, no object where one should be. */
TEST_WITH(strange_values, clear_runs, clear_runs)
{
    for (int i = 0; i < 6; i++) {
        cJSON *run = new_run("D");
        add_time(run, "fake/zero", i == 0 ? 5 : 0, 0);
        add_time(run, "fake/sign", i == 0 ? -100 : 10 + 0.01 * i, 0);
        add_time(run, "fake/huge", i == 0 ? 1e308 : 1e-308, 0);
        cJSON *c = add_time(run, "fake/odd", 7, 0);
        cJSON_ReplaceItemInObjectCaseSensitive(c, "params", cJSON_Parse("[1, {\"a\": 2}]"));
        if (i == 1)
            cJSON_ReplaceItemInObjectCaseSensitive(run, "devices", cJSON_CreateNumber(3));
        if (i == 2)
            cJSON_ReplaceItemInObjectCaseSensitive(run, "host", cJSON_CreateString("x"));
        add_run(run);
    }
    find();
    assert_int_equal(fleet.devices.n, 6);
    for (int i = 0; i < fleet.n_series; i++)
        for (int k = 0; k < fleet.series[i].n; k++)
            assert_true(fleet.series[i].median != 0 || isnan(fleet.series[i].values[k].p));
}

TEST_WITH(nothing, clear_runs, clear_runs)
{
    struct cb_err err = {0};
    add_run(new_run("D"));
    assert_int_equal(cb_fleet_find(tables, n_runs, &rules, &fleet, &err), CB_USAGE);
    cb_fleet_free(&fleet);
    cJSON *run = new_run("D"), *c = add_time(run, "fake/a", 1, 0);
    cJSON_ReplaceItemInObjectCaseSensitive(c, "status", cJSON_CreateString("timeout"));
    add_run(run);
    err = (struct cb_err){0};
    assert_int_equal(cb_fleet_find(tables, n_runs, &rules, &fleet, &err), CB_UNSUPPORTED);
    assert_non_null(strstr(err.text, "nothing to judge: none of their cases is ok"));
}
