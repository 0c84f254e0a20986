/* SPDX-License-Identifier: Apache-2.0
 *
 * What becomes of workgroups that wait for each other without a protocol: Fig. 1 of OOPSLA'16 and
 * the XF barrier of its Section 2.2, with several numbers of workgroups.
 */
#pragma once

#include "probes/discover/plan.h"
#include "runtime/session.h"

/* Adds the cases of the option --starvation. CB_USAGE: a number of workgroups is none. */
enum cb_status cb_starvation_plan(struct cb_plan *plan, struct cb_texts numbers,
                                  struct cb_err *err);

struct cb_starvation {
    struct cb_session *session;
    struct cb_buffered_kernel kernel; /* of the words of a barrier */
    size_t groups, wg_size;
};

/* Opens a case; close it also after a failure. */
enum cb_status cb_starvation_open(struct cb_starvation *s, struct cb_session *session,
                                  const struct cb_discover_case *params, struct cb_err *err);
void cb_starvation_close(struct cb_starvation *s);

/* Launches once. A deadlock, which its bounded waits end, is a result: completes 0. */
enum cb_status cb_starvation_run(struct cb_starvation *s, struct cb_sample *sample,
                                 struct cb_err *err);

/* Prints a table of a device's cases; nothing if there are none. */
void cb_starvation_report(FILE *out, const cJSON *run, const char *device_id);
