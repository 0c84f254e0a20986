/* SPDX-License-Identifier: Apache-2.0
 *
 * The names of results folders.
 */
#pragma once

#include <cjson/cJSON.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "runtime/host/error.h"

#define CB_RUN_ID_BYTES 128

/* A name made of time and host. */
void cb_run_id_make(char *text, size_t size);

/* CB_USAGE: not a name that stays in its folder and needs no quotes anywhere. */
enum cb_status cb_run_id_check(const char *id, struct cb_err *err);

/* Makes <output_dir>/latest lead to the run. */
void cb_run_link_latest(const char *output_dir, const char *run_id);

/* Writes the path of the document in a run's folder: run.json, or run.json.gz if only that is
 * there. Of both, run.json is what coopbench wrote last: --resume of a run that is kept compressed
 * writes one. false: there is none, and the path is that of run.json. */
bool cb_run_document_in(const char *folder, char file[PATH_MAX]);

/* Whether the folder holds the document of a run. */
bool cb_run_has_document(const char *folder);

/* Whether a path, by its name, is the document of the folder that it lies in. */
bool cb_run_is_document(const char *path);

/* Locks a run by a file of its rows at this path, until it is closed or the program ends in
 * whatever way. A file system that has no locks tells of nobody else. CB_USAGE: another process
 * measures it, or has replaced the file since it was opened. */
enum cb_status cb_run_lock(FILE *rows, const char *path, const char *folder, struct cb_err *err);

/* Deletes the half-written files that killed processes have left in a run's folder. The caller has
 * locked the run. */
void cb_run_sweep(const char *folder);

/* The folder of a run: this path, or this name in output_dir; "latest" is followed. *folder is the
 * caller's to free. CB_USAGE: there is no run in either. */
enum cb_status cb_run_find(const char *output_dir, const char *run, char **folder,
                           struct cb_err *err);

/* Tells workers that are started from now on the folder of the run. */
void cb_run_folder_announce(const char *folder);

/* In a worker: says in a first line of a file elsewhere, which a later run may replace, whose it
 * is. */
void cb_run_sign(FILE *out);

/* Opens such a file after that line; NULL: there is none, or that of another run than this
 * document's. One that does not say is taken for this run's. */
FILE *cb_run_open_signed(const char *path, const cJSON *run);

/* In a worker: that folder, for files that a case writes itself; NULL: it was not told. */
const char *cb_run_folder(void);
