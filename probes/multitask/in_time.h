/* SPDX-License-Identifier: Apache-2.0
 *
 * What runs of tasks beside apps say in sentences, with cooperation or without: whether the tasks
 * are in time, with how many workgroups, and what the apps pay.
 */
#pragma once

#include "analysis/documents/findings.h"

/* Adds one finding for all workloads, of the cases whose parameter `place` is this one (NULL: of
 * all). lead: how it begins, as in "From another process, "; or empty. */
void cb_in_time_find(struct cb_findings *findings, const char *place, const char *lead);
