/* SPDX-License-Identifier: Apache-2.0
 *
 * The options of every measuring command.
 */
#pragma once

#include "measure/param.h"

struct cb_run_options {
    bool gpu, cpu, dry_run, full, no_profile, no_cache, quiet;
    struct cb_texts devices, filters, excludes, interleave, labels, besides;
    unsigned cpu_workgroups, runs, max_runs, wait_deadline_ms, max_kills, rounds;
    const char *atomics, *clock, *originals, *stop, *order, *output_dir, *run_id, *resume, *json,
        *csv, *progress;
    const char *shared; /* NULL: $COOPBENCH_SHARED says it, or nobody */
    struct cb_given_uint warmup, seed;
    double shared_deadline_s, max_rci_percent, max_time_s, run_deadline_s;
    cJSON *values; /* whose texts these are, to be deleted with the struct; NULL: somebody else's */
};

/* Options that every measuring command takes (and "settings" of a suite). */
extern const struct cb_param cb_global_params[];
