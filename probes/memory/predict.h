/* SPDX-License-Identifier: Apache-2.0
 *
 * Which barrier, mutex and semaphore will be the fastest on a device, by a cost model that takes
 * nothing but what was measured of its memory. Names are those of the implementations.
 */
#pragma once

#include "probes/memory/abstraction.h"

/* What is predicted: a key of "prediction" in a profile. */
enum cb_predicted {
    CB_PREDICTED_BARRIER,
    CB_PREDICTED_MUTEX,
    CB_PREDICTED_SEMAPHORE_1,
    CB_PREDICTED_SEMAPHORE_120,
    CB_PREDICTED_COUNT
};

struct cb_prediction {
    const char *name; /* "ticket" */
    double time;      /* ns an operation: a barrier, a lock and unlock, a wait and post */
};

/* The fastest where `groups` workgroups do nothing else; of equals, the first of the table. */
struct cb_prediction cb_predict(const struct cb_machine *machine, enum cb_predicted what,
                                double groups);

/* The time of one implementation; NaN if there is none of this name. */
double cb_predict_time(const struct cb_machine *machine, enum cb_predicted what, const char *name,
                       double groups);

void cb_prediction_print(FILE *out, const struct cb_machine *machine);

/* "prediction" of a profile (docs/profile.schema.json). */
cJSON *cb_prediction_to_json(const struct cb_machine *machine);
