/* SPDX-License-Identifier: Apache-2.0
 *
 * What runs of tasks beside apps say in sentences, with cooperation or without: whether the tasks
 * are in time, with how many workgroups, and what the apps pay.
 */
#pragma once

#include "measure/findings.h"

/* Adds a finding for each workload, of the cases whose parameter `place` is this one (NULL: of
 * all). lead: how the sentence begins. */
void cb_in_time_find(struct cb_findings *findings, const char *place, const char *lead);
