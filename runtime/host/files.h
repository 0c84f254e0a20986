/* SPDX-License-Identifier: Apache-2.0
 *
 * Files and folders: read whole and bounded, written safely, made, locked.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "runtime/host/error.h"

/* What a file is read as. */
struct cb_file_kind {
    const char *name; /* "a configuration" */
    uint64_t most;    /* bytes that one may have; 0: any number */
};

/* Opens a regular file for reading: whatever a path leads to, opening and reading it end. CB_USAGE:
 * there is none, or it is larger than those of its kind may be. */
enum cb_status cb_open_file(const char *path, const struct cb_file_kind *kind, int *file,
                            struct cb_err *err);

/* Opens a file as a stream. NULL: err says why. */
FILE *cb_open_stream(const char *path, const struct cb_file_kind *kind, struct cb_err *err);

/* Reads a whole file of text, unpacked if it is gzip-compressed; *text is the caller's to free.
 * CB_USAGE: cb_open_file() does not open it, it unpacks to more than those of its kind may have, is
 * damaged, or a line has a NUL byte. */
enum cb_status cb_read_file(const char *path, const struct cb_file_kind *kind, char **text,
                            struct cb_err *err);

/* Writes a file by rename: readers see the old one or the new one, and it is on disk, under its
 * name, when this returns. */
enum cb_status cb_replace_file(const char *path, void (*write)(FILE *out, const cJSON *document),
                               const cJSON *document, struct cb_err *err);

/* Replaces a file by a text. A link stays one, and a file that was there keeps its mode. */
enum cb_status cb_replace_text(const char *path, const char *text, size_t size, struct cb_err *err);

/* The path of a file that another one names, from its own folder on, as one that can be opened and
 * has a "/"; the caller's to free. NULL: no memory. */
char *cb_path_beside(const char *file, const char *name);

/* Writes to the disk which files there are in the folder of this path. Not all file systems can:
 * failing is not an error. */
void cb_sync_folder_of(const char *path);

/* Flushes to the disk and closes; false if anything written to the file was lost. */
bool cb_close_safely(FILE *out);

/* Whether the file is a pipe that nobody reads any more, as of "| head -1". */
bool cb_reader_is_gone(FILE *out);

/* A folder is `below` what an environment variable says. */
struct cb_folder_place {
    const char *variable, *below;
};

/* The first place whose variable is set. CB_ERROR: none is, or the path is too long. */
enum cb_status cb_find_folder(const struct cb_folder_place *places, size_t n, char *path,
                              size_t size, struct cb_err *err);

/* Creates a folder and those above it that are missing. */
enum cb_status cb_make_folders(const char *path, struct cb_err *err);
