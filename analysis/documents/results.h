/* SPDX-License-Identifier: Apache-2.0
 *
 * The results folder of one run, written so that nothing measured is lost:
 *
 *     results/latest -> <run-id>
 *     results/<run-id>/events.jsonl   a line per finished case, with its samples, on disk at once
 *                      run.json       the whole run but for its samples (docs/run.schema.json),
 *                                     written by rename, once a second at most (of thousands of
 *                                     cases less often), and at the end
 *                      summary.csv    a line per case and metric, at the end
 *                      samples.csv    a line per sample, at the end
 *
 * If the folder cannot be written at the end (full disk), the run document goes to a file in
 * $TMPDIR (or /tmp), and if that fails too, to standard error.
 */
#pragma once

#include <stdio.h>

#include "analysis/documents/earlier.h"
#include "measure/engine.h"

struct cb_results;

/* The document of a run that begins, without cases. Takes over invocation and devices (NULL: none
 * yet), which become its values of these keys. */
cJSON *cb_results_begin(cJSON *invocation, cJSON *devices);

/* Creates the folder <output_dir>/<run_id>; run_id NULL: made of time and host. Takes over the
 * document that cb_results_begin() made. CB_USAGE: not a name for a run, or somebody is writing to
 * it; CB_ERROR: it holds a run, or cannot be written. */
enum cb_status cb_results_open(struct cb_results **out, const char *output_dir, const char *run_id,
                               cJSON *document, struct cb_err *err);

/* Opens the folder of an earlier run again, which cb_earlier_lock() has read and stays locked until
 * it is freed, with those of its rows that cases of the plan keep. */
enum cb_status cb_results_resume(struct cb_results **out, const struct cb_earlier *earlier,
                                 const struct cb_plan *plan, struct cb_err *err);

/* A worker has looked for neighbours on its device (cb_look_to_json()). */
void cb_results_look(struct cb_results *results, const struct cb_device *device, const cJSON *look);

enum cb_status cb_results_add(struct cb_results *results, const struct cb_row *row,
                              struct cb_err *err);

/* Prints a document as run.json holds it: without the raw samples, which are in samples.csv. */
void cb_results_print(FILE *out, const cJSON *document);

/* Writes everything for the last time. complete: every planned case ran. devices: the "devices"
 * array, kept by the results. On CB_ERROR, err says where the results are instead. */
enum cb_status cb_results_finish(struct cb_results *results, bool complete, int exit_code,
                                 cJSON *devices, struct cb_err *err);

/* The run document; valid until cb_results_free. */
cJSON *cb_results_document(const struct cb_results *results);
const char *cb_results_folder(const struct cb_results *results);
void cb_results_free(struct cb_results *results);
