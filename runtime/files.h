/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>

#include "runtime/error.h"

/* Reads a whole file; *text is the caller's to free. */
enum cb_status cb_read_file(const char *path, char **text, struct cb_err *err);

/* Writes a file by rename: readers see the old one or the new one, and it is on disk, under its
 * name, when this returns. */
enum cb_status cb_replace_file(const char *path, void (*write)(FILE *out, const cJSON *document),
                               const cJSON *document, struct cb_err *err);

/* Writes to the disk which files there are in the folder of this path. Not all file systems can:
 * failing is not an error. */
void cb_sync_folder_of(const char *path);

/* Flushes to the disk and closes; false if anything written to the file was lost. */
bool cb_close_safely(FILE *out);

/* Whether the file is a pipe that nobody reads any more, as of "| head -1". */
bool cb_reader_is_gone(FILE *out);

/* Creates a folder and those above it that are missing. */
enum cb_status cb_make_folders(const char *path, struct cb_err *err);
