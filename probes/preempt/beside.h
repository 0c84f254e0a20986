/* SPDX-License-Identifier: Apache-2.0
 *
 * --beside: two apps, each in a process of its own that has all workgroups that run at once, so
 * that the driver has to take turns between them (on a CPU device, the operating system).
 */
#pragma once

#include "analysis/documents/findings.h"
#include "probes/preempt/plan.h"
#include "probes/preempt/preempt.h"

/* Checks, for a plan, which apps --beside names. CB_USAGE: there is no such app. */
enum cb_status cb_beside_check(const struct cb_preempt_options *options, struct cb_err *err);
bool cb_beside_has(struct cb_texts beside, const struct cb_app *app);

/* Writes the parameters of a case, with the other app, and the input that --input names for it, or
 * its first. */
void cb_beside_write(struct cb_case *c, struct cb_preempt_case *params,
                     const struct cb_app_options *options, const struct cb_app *other);

/* Whether the case is of the other app's process. */
bool cb_beside_is_other(const struct cb_preempt_case *params);

/* Starts the other app's process. */
enum cb_status cb_beside_open(struct cb_preempt *preempt, const struct cb_preempt_case *params,
                              struct cb_err *err);

/* One sample: each alone, and both. In the other app's process: one window of it. */
enum cb_status cb_beside_sample(struct cb_preempt *preempt, struct cb_sample *sample,
                                struct cb_err *err);
enum cb_status cb_beside_other(struct cb_preempt *preempt, struct cb_sample *sample,
                               struct cb_err *err);

/* A table of a device's pairs, and what they say; nothing if there are none. */
void cb_beside_report(FILE *out, const struct cb_rows *of_device);
void cb_beside_find(struct cb_findings *findings);
