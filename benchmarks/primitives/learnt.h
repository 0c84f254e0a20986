/* SPDX-License-Identifier: Apache-2.0
 *
 * What a device's profile knows of primitives (runtime/profile.h), and how a run adds to it:
 *
 *     "primitives": {
 *         "occupancy": 2112,                        workgroups at the last level
 *         "barrier": "patient", "mutex": "...", "semaphore": "...",   the best at full contention
 *         "backoff": {"mutex.spin_backoff": [{"asked": "N/16", "groups": 132, "ns": "64:1024",
 *                                             ...}, ...], ...}
 *     }
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>

#define CB_BACKOFF_BYTES 32

/* Pauses are "MIN:MAX" where attempts fail, and "PLACE" where the place in line is known; in ns. */
enum cb_backoff_form { CB_BACKOFF_NO_FORM, CB_BACKOFF_PAUSES, CB_BACKOFF_PLACES };

/* What kernels/backoff.clh does without being told; the tuner tries them, too. */
#define CB_BUILT_IN_PAUSES "64:4096"
#define CB_BUILT_IN_PLACE  "250"

/* The form of pauses that a primitive makes; NO_FORM: it makes none. */
enum cb_backoff_form cb_backoff_form_of(const char *kind, const char *name);
/* The form of a text; NO_FORM: it is not valid. */
enum cb_backoff_form cb_backoff_form_of_text(const char *text);

/* The pauses that were tuned for a contention nearest to groups ("N/8", "33"). False: none were. */
bool cb_learnt_backoff(const cJSON *profile, const char *kind, const char *name, const char *groups,
                       char text[CB_BACKOFF_BYTES]);

/* The bench's learn(): takes the tuner's cases of the run, if there are any. */
bool cb_primitives_learn(const cJSON *run, const char *device_id, cJSON *profile);

/* The bench's report(): with what `coopbench memory` had predicted when the run began, if the run
 * says so. */
void cb_primitives_report(FILE *out, const cJSON *run);
