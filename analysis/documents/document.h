/* SPDX-License-Identifier: Apache-2.0
 *
 * Run documents (docs/run.schema.json) of earlier runs, for commands that only read them.
 */
#pragma once

#include <cjson/cJSON.h>
#include <limits.h>

#include "runtime/host/files.h"

extern const struct cb_file_kind cb_run_file;

struct cb_run_document {
    cJSON *tree;
    char file[PATH_MAX];   /* what was read */
    char folder[PATH_MAX]; /* folder of the run: its samples are there, if it has any */
};

/* Reads a run: its folder, its run.json or run.json.gz, or (unless output_dir is NULL) the name of
 * a run in output_dir, "latest" among them. CB_USAGE: there is none (names the newest run near the
 * path), it is cut off or no JSON (with line and column), of a schema that this program does not
 * read, or has numbers that contradict each other: whoever has a document can rely on them. */
enum cb_status cb_run_document_load(const char *path, const char *output_dir,
                                    struct cb_run_document *run, struct cb_err *err);
/* The same without reading it: run->tree stays NULL. CB_USAGE: there is none. */
enum cb_status cb_run_document_find(const char *path, const char *output_dir,
                                    struct cb_run_document *run, struct cb_err *err);
/* Reads a document that was found. CB_USAGE as above. */
enum cb_status cb_run_document_read(const char *file, cJSON **tree, struct cb_err *err);
void cb_run_document_free(struct cb_run_document *run);
