/* SPDX-License-Identifier: Apache-2.0
 *
 * Accepting changes: lines for the file of analysis/history/accepted.h.
 */
#pragma once

#include "analysis/history/history.h"

/* Accepts what got worse as the texts say, each CASE@RUN, with this reason: writes a
 * line for each change into this file (NULL: the one beside its run), and to out. CB_USAGE: nothing
 * of that name got worse at that run (says what did). CB_ERROR: it cannot be written. */
enum cb_status cb_history_accept(const struct cb_history *history, struct cb_texts accept,
                                 const char *why, const char *file, FILE *out, struct cb_err *err);

/* Appends a line to a file of acceptances. Of several writers at once, none loses one. CB_ERROR: it
 * cannot be written. */
enum cb_status cb_accepted_add(const char *file, const char *line, struct cb_err *err);
