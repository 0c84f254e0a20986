/* SPDX-License-Identifier: Apache-2.0
 *
 * --beside: two apps, each in a process of its own that has all workgroups that run at once, so
 * that the driver has to take turns between them (on a CPU device, the operating system).
 */
#pragma once

#include "analysis/documents/findings.h"
#include "apps/host/options.h"
#include "measure/case.h"
#include "probes/preempt/preempt.h"

/* Checks, for a plan, which apps --beside names. CB_USAGE: there is no such app. */
enum cb_status cb_beside_check(const cJSON *options, struct cb_err *err);
bool cb_beside_has(const cJSON *options, const struct cb_app *app);

/* Gives the case the other app, with the input that --input names for it, or its first. */
void cb_beside_set(struct cb_case *c, const struct cb_app_options *options,
                   const struct cb_app *other);

/* Whether parameters are of such a case; and of the other app's process. */
bool cb_beside_is(const cJSON *params);
bool cb_beside_is_other(const cJSON *params);

/* Starts the other app's process. */
enum cb_status cb_beside_open(struct cb_preempt *preempt, const cJSON *params, struct cb_err *err);

/* One sample: each alone, and both. In the other app's process: one window of it. */
enum cb_status cb_beside_sample(struct cb_preempt *preempt, struct cb_sample *sample,
                                struct cb_err *err);
enum cb_status cb_beside_other(struct cb_preempt *preempt, struct cb_sample *sample,
                               struct cb_err *err);

/* A table of a device's pairs, and what they say; nothing if there are none. */
void cb_beside_report(FILE *out, const struct cb_rows *of_device);
void cb_beside_find(struct cb_findings *findings);
