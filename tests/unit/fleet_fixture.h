/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests of fleets: runs that are made up, one of each device.
 */
#pragma once

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fleet/fleet.h"
#include "measure/random.h"
#include "tests/unit/unit.h"

#define MAX_RUNS 48

static struct cb_run_table tables[MAX_RUNS];
static int n_runs;
static struct cb_fleet fleet;
static struct cb_fleet_rules rules;

static inline int clear_runs(void **unused)
{
    (void)unused;
    cb_fleet_free(&fleet);
    for (int i = 0; i < n_runs; i++)
        cb_run_table_free(&tables[i]);
    memset(tables, 0, sizeof tables);
    n_runs = 0;
    rules = cb_fleet_rules;
    return 0;
}

/* A number of the standard normal distribution (Box and Muller). */
static inline double random_normal(struct cb_random *random)
{
    const double u = (double)(cb_random_next(random) >> 11) * 0x1p-53;
    const double v = (double)(cb_random_next(random) >> 11) * 0x1p-53;
    return sqrt(-2 * log(1 - u)) * cos(6.283185307179586 * v);
}

/* A run of one device of this name, without cases, on a host of its own. */
static inline cJSON *new_run(const char *name)
{
    char text[640];
    const int i = n_runs;
    snprintf(text, sizeof text,
             "{\"run_id\": \"run-%d\", \"complete\": true, \"host\": {\"hostname\": \"node%02d\","
             "\"cpu\": \"a processor\"}, \"tool\": {\"git_sha\": \"abc\"},"
             "\"time\": {\"start\": \"2026-11-01T00:00:00Z\"}, \"cases\": [], \"devices\": ["
             "{\"id\": \"uuid:%d\", \"uuid\": \"%d\", \"pci\": \"0000:4%d:00.0\", \"name\": \"%s\","
             "\"type\": \"gpu\", \"compute_units\": 132, \"driver_version\": \"1\"}]}",
             i, i, i, i, i, name);
    cJSON *run = cJSON_Parse(text);
    assert_non_null(run);
    return run;
}

static inline cJSON *device_json(cJSON *run)
{
    return cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(run, "devices"), 0);
}

/* A case of one metric, "time", with an interval of `noise` to either side, relative. */
static inline cJSON *add_time(cJSON *run, const char *id, double time, double noise)
{
    char text[640];
    const char *device =
        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(device_json(run), "id"));
    snprintf(text, sizeof text,
             "{\"id\": \"%s\", \"bench\": \"fake\", \"device\": \"%s\", \"status\": \"ok\","
             "\"params\": {\"wg-size\": 64}, \"metrics\": [{\"name\": \"time\", \"unit\": \"ns\","
             "\"better\": \"lower\", \"n\": 20, \"median\": %.17g, \"ci95_low\": %.17g,"
             "\"ci95_high\": %.17g}]}",
             id, device, time, time * (1 - noise), time * (1 + noise));
    cJSON *c = cJSON_Parse(text);
    assert_non_null(c);
    cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(run, "cases"), c);
    return c;
}

/* Takes a run over. */
static inline void add_run(cJSON *run)
{
    struct cb_err err = {0};
    assert_true(n_runs < MAX_RUNS);
    tables[n_runs].document.tree = run;
    assert_int_equal(cb_run_table_index(&tables[n_runs++], "run", &err), CB_OK);
}

/* A device whose cases take `factor` times as long as others', each by chance within `noise`. */
static inline void add_device(const char *name, int n_cases, double factor, double noise,
                              struct cb_random *random)
{
    cJSON *run = new_run(name);
    char id[32];
    for (int i = 0; i < n_cases; i++) {
        snprintf(id, sizeof id, "fake/%02d", i);
        add_time(run, id, 1000 * (i + 1) * factor * exp(noise * random_normal(random)), 0.002);
    }
    add_run(run);
}

static inline void find(void)
{
    struct cb_err err = {0};
    cb_fleet_free(&fleet);
    assert_int_equal(cb_fleet_find(tables, n_runs, &rules, &fleet, &err), CB_OK);
}
