/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs to compare, from disk: the document, and samples from the run's folder: samples.csv, which
 * is written at the end of a run, or events.jsonl, which has the finished cases of a run that was
 * killed.
 */
#pragma once

#include "analysis/compare/run_table.h"

/* Reads the run that path means (cb_run_document_load). Samples are taken from its folder if path
 * means a folder or the document in one, and where they have the number and median that the
 * document says: an edited document, or samples of something else, go on with the summary.
 * CB_USAGE: not a run, or one with a case twice. */
enum cb_status cb_run_table_load(const char *path, const char *output_dir,
                                 struct cb_run_table *table, struct cb_err *err);

/* Fills a table whose document is there (and the rest zeroed), which stays the caller's. path: what
 * messages call it if the run has no id. */
enum cb_status cb_run_table_fill(struct cb_run_table *table, const char *path, struct cb_err *err);
