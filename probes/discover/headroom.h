/* SPDX-License-Identifier: Apache-2.0
 *
 * A number of workgroups that is safe: so many run at once in a share of all launches, whatever
 * else the device does. Not in the paper, whose device is the experiment's alone.
 */
#pragma once

#include <stdio.h>

#include "analysis/documents/findings.h"
#include "measure/bench.h"

/* What is launched: the protocol that takes least time, for thousands of launches. */
#define CB_HEADROOM_PROTOCOL "lockfree"

/* How many launches tell what holds in this share of them: of those in which it does not, some are
 * to be seen. */
unsigned cb_headroom_launches(double share);

/* Adds groups_safe to a sample that has groups_found of some launches: the most workgroups that
 * were found in this share of them. */
enum cb_status cb_headroom_add(struct cb_sample *sample, double share, struct cb_err *err);

/* The table of a device. */
void cb_headroom_report(FILE *out, const cJSON *run, const char *device_id);
void cb_headroom_findings(struct cb_findings *findings);
