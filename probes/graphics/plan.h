/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "measure/bench.h"

/* The parameters of a case: of a sizing, or of a workload that was given; and what the process that
 * renders is told beside. */
struct cb_graphics_case {
    const char *scene, *file; /* file: begins the names of files */
    unsigned width, height;
    double fps, window_s, confirm_time_s, budget_s, spare_s;
    unsigned pairs, seed;
    bool p99, missed;
    double level, margin_ns, t_ms, t_min_ms, t_max_ms, resolution;
    const char *platform;
    bool png;
    /* given: */
    double period_ns, duration_ns;
    /* The renderer has: */
    const char *half, *uuid, *picture; /* picture: where its frame is saved; NULL: nowhere */
    bool software;
    unsigned index; /* of the device on its platform */
};

extern const struct cb_param cb_graphics_params[];
extern const struct cb_field cb_graphics_fields[];

enum cb_status cb_graphics_plan(struct cb_plan *plan, const cJSON *options, struct cb_err *err);
