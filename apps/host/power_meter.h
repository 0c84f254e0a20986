/* SPDX-License-Identifier: Apache-2.0
 *
 * Power of a device in two windows of a run, an app alone and beside tasks, for benches with an
 * option --power.
 *
 *     cb_power_meter_open(&meter, wanted, &session->info, err);
 *     cb_power_meter_begin(&meter, err);
 *     meter.spans[0] = ...; meter.spans[1] = ...;
 *     cb_power_meter_end(&meter, sample, err);                    for each run
 *     cb_power_meter_close(&meter);
 */
#pragma once

#include "analysis/documents/column.h"
#include "measure/bench.h"
#include "runtime/power/power.h"

/* Energy counters move ten times a second on some GPUs, and lag behind: how long a window has to
 * be, in ns, and how much of it is over before it is measured. */
#define CB_POWER_WINDOW_NS 1.5e9
#define CB_POWER_REST_NS   0.45e9

struct cb_power_span {
    double from_ns, until_ns; /* host clock */
    double run_ns;            /* a run of the app then */
};

struct cb_power_meter {
    struct cb_power *power; /* NULL: not measured */
    /* Why power cannot be measured; CB_OK: it was not asked for. */
    struct cb_err none;
    struct cb_power_sampler *sampler; /* sampler of a run */
    struct cb_power_span spans[2];    /* spans of a run: the app alone, and beside tasks */
};

/* Metrics of it, for a bench's table. */
#define CB_POWER_METRICS                                                                           \
    {"power_alone", "W", CB_LOWER, false, "--power: mean power of the device without tasks"},      \
        {"power", "W", CB_LOWER, false, "the same beside the tasks, or another app"},              \
        {"energy_per_run_alone", "J", CB_LOWER, false, "power_alone times app_time_alone"},        \
    {                                                                                              \
        "energy_per_run", "J", CB_LOWER, false,                                                    \
            "power times app_time: the energy of what runs beside the app is in it"                \
    }

/* Columns of it, for a table. */
#define CB_POWER_COLUMNS                                                                           \
    {"power alone", "power_alone", "median", CB_FORM_WATTS},                                       \
        {"with tasks", "power", "median", CB_FORM_WATTS},                                          \
        {"energy a run alone", "energy_per_run_alone", "median", CB_FORM_JOULES},                  \
    {                                                                                              \
        "with tasks", "energy_per_run", "median", CB_FORM_JOULES                                   \
    }

/* Prints a table under a title; nothing if none of the rows has a power. */
void cb_power_print(FILE *out, const struct cb_rows *rows, const struct cb_column *columns,
                    int n_columns);

/* Opens it if it is wanted. A device that does not tell its power is no error. */
enum cb_status cb_power_meter_open(struct cb_power_meter *meter, bool wanted,
                                   const struct cb_device *device, struct cb_err *err);
void cb_power_meter_close(struct cb_power_meter *meter);

/* Around a run. The end adds the metrics of both spans, or notes why there are none. */
enum cb_status cb_power_meter_begin(struct cb_power_meter *meter, struct cb_err *err);
enum cb_status cb_power_meter_end(struct cb_power_meter *meter, struct cb_sample *sample,
                                  struct cb_err *err);
