/* SPDX-License-Identifier: Apache-2.0
 *
 * Quick runs: what a benchmark does by default, an answer in about a minute. Parameters that are
 * not given have their quick defaults (struct cb_param), and the cases share the bench's seconds:
 * each runs as often as its part allows, but often enough for an interval. With --full, and for the
 * entries of a suite, everything is measured.
 */
#pragma once

#include "measure/bench.h"

/* Whether options that say nothing of --full mean it all the same: one of them is only good for a
 * full run. */
bool cb_quick_is_refused(const struct cb_bench *bench, const cJSON *options);

/* Divides the bench's seconds among the cases of the plan from `first` on, those of one bench on
 * one device: as they are expected to take. */
void cb_quick_share(struct cb_plan *plan, int first);

/* What a quick run with these options (as given, without defaults) leaves out, and how to get it;
 * NULL: nothing. bounded: the cases share the bench's seconds. The caller's to free. */
char *cb_quick_left_out(const struct cb_bench *bench, const cJSON *options, bool bounded);

/* A line for --help: how long a run takes by default. */
const char *cb_quick_help(const struct cb_bench *bench);
