/* SPDX-License-Identifier: Apache-2.0
 *
 * What becomes of workgroups that wait for each other without a protocol: Fig. 1 of OOPSLA'16 and
 * the XF barrier of its Section 2.2, with several numbers of workgroups.
 */
#pragma once

#include "probes/discover/plan.h"
#include "runtime/session.h"

/* Work-items a workgroup: the paper's 256, or as many as the device takes. */
unsigned cb_starvation_wg_size(const struct cb_device *device);

/* Whether a number of workgroups of the option --starvation is in terms of the bound. */
bool cb_starvation_asks_bound(struct cb_texts numbers);

/* Adds the cases of the option. bound: index of the case that finds the bound, if one asks for it.
 * CB_USAGE: a number of workgroups is none. */
enum cb_status cb_starvation_plan(struct cb_plan *plan, struct cb_texts numbers, int bound,
                                  struct cb_err *err);

struct cb_starvation {
    struct cb_session *session;
    struct cb_buffered_kernel kernel; /* of the words of a barrier */
    size_t groups, wg_size;
    double bound; /* as many run at once; 0: nobody asks */
};

/* Opens a case; close it also after a failure. bound: of the case that it needs, or 0. */
enum cb_status cb_starvation_open(struct cb_starvation *s, struct cb_session *session,
                                  const struct cb_discover_case *params, double bound,
                                  struct cb_err *err);
void cb_starvation_close(struct cb_starvation *s);

/* Launches once. A deadlock, which its bounded waits end, is a result: completes 0. */
enum cb_status cb_starvation_run(struct cb_starvation *s, struct cb_sample *sample,
                                 struct cb_err *err);

/* Prints a table of a device's cases; nothing if there are none. */
void cb_starvation_report(FILE *out, const cJSON *run, const char *device_id);
