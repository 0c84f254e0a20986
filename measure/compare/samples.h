/* SPDX-License-Identifier: Apache-2.0
 *
 * The samples of a run, from its folder: samples.csv, which is written at the end of a run, or
 * events.jsonl, which has the finished cases of a run that was killed.
 */
#pragma once

#include "runtime/host/error.h"

struct cb_run_table;

/* Gives the metrics of the table their samples, those that agree with the document. CB_USAGE: a
 * file is there, but no regular one, or too large. */
enum cb_status cb_samples_read(struct cb_run_table *table, struct cb_err *err);
