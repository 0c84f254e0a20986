/* SPDX-License-Identifier: Apache-2.0
 *
 * Watts of a device on which two apps run in one megakernel, for the policy energy, and to set
 * others beside it.
 */
#pragma once

#include "analysis/documents/findings.h"
#include "apps/host/power_meter.h"
#include "probes/multitask/plan.h"
#include "probes/multitask/policies/policy.h"

/* What the first app has to keep where the user says nothing: so much of its rate alone. */
#define CB_TOGETHER_RATE_PART 0.5

/* Whether cases are to be measured with power: it is asked for, or a policy among them needs it. */
bool cb_together_wants_power(const struct cb_multitask_options *options);

/* CB_UNSUPPORTED: the policy cannot do without, and the device does not tell; what to do. */
enum cb_status cb_together_power_open(struct cb_power_meter *meter, bool wanted,
                                      const struct cb_device *device,
                                      const struct cb_policy *policy, struct cb_err *err);

/* How long both run before a window begins, and the least that it lasts: `least_s`, or what a meter
 * needs. s. */
double cb_together_rest_s(const struct cb_power_meter *meter);
double cb_together_window_s(const struct cb_power_meter *meter, double least_s);

/* The mean power since then (host clock); NaN: nothing tells. */
double cb_together_watts_since(const struct cb_power_meter *meter, double from_ns);

/* A table of the rows that have a power, and a sentence for each of the policy energy. */
void cb_together_power_report(FILE *out, const struct cb_rows *rows);
void cb_together_power_find(struct cb_findings *findings);
