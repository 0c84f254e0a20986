/* SPDX-License-Identifier: Apache-2.0
 *
 * One row of a run document: made of a measured case, and checked when it is read.
 */
#pragma once

#include "measure/engine.h"

/* A row as an element of run.json's "cases", with its raw samples under "samples". */
cJSON *cb_row_to_json(const struct cb_row *row);

/* Why a metric that was read can be none that was written: without a median, with one outside its
 * own smallest and largest value, ...; NULL: it is sound. */
const char *cb_metric_flaw(const cJSON *metric);

/* Why a row that was read can be none that was written; NULL: it is sound. */
const char *cb_row_flaw(const cJSON *row);

/* Sets "n" and the statistics of a metric. What the samples do not support is absent: never null,
 * zero or NaN. */
void cb_stats_to_json(cJSON *metric, const struct cb_stats *stats);

/* "lower", "higher", "none" */
const char *cb_better_name(enum cb_better better);
