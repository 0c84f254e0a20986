/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "runtime/error.h"

/* Reads a whole file; *text is the caller's to free. */
enum cb_status cb_read_file(const char *path, char **text, struct cb_err *err);

/* Creates a folder and those above it that are missing. */
enum cb_status cb_make_folders(const char *path, struct cb_err *err);
