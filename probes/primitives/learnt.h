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

#include "kernels/paste.h"
#include "runtime/primitives.h"

#define CB_BACKOFF_BYTES 32

/* The pauses of kernels/backoff.clh where nobody says otherwise; the tuner tries them, too. */
#define CB_BUILT_IN_PAUSES CB_QUOTE(CB_PAUSE_MIN) ":" CB_QUOTE(CB_PAUSE_MAX)
#define CB_BUILT_IN_PLACE  CB_QUOTE(CB_PAUSE_PLACE)

/* The pauses that a primitive makes; NONE also where there is no such primitive. */
enum cb_backoff cb_backoff_of(const char *kind, const char *name);
/* The pauses that a text means; NONE: it is not valid. */
enum cb_backoff cb_backoff_of_text(const char *text);

/* The pauses that were tuned for a contention nearest to groups ("N/8", "33"). False: none were. */
bool cb_learnt_backoff(const cJSON *profile, const char *kind, const char *name, const char *groups,
                       char text[CB_BACKOFF_BYTES]);

/* The bench's learn(): takes the tuner's cases of the run, if there are any. */
bool cb_primitives_learn(const cJSON *run, const char *device_id, cJSON *profile);

/* The bench's defines(): the best of each kind. */
void cb_primitives_defines(FILE *out, const cJSON *profile);

/* The bench's report(): with what `coopbench memory` had predicted when the run began, if the run
 * says so. */
void cb_primitives_report(FILE *out, const cJSON *run);
