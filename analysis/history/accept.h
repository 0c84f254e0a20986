/* SPDX-License-Identifier: Apache-2.0
 *
 * Accepting changes: lines for the file of analysis/history/accepted.h.
 */
#pragma once

#include "analysis/history/history.h"

/* Accepts what got worse as "accept" of the options says, each CASE@RUN, with this reason; writes
 * the lines into this file (NULL: those beside the runs), and to out. CB_USAGE: nothing of that
 * name got worse at that run (says what did); a file has conflicts. CB_ERROR: it cannot be written.
 */
enum cb_status cb_history_accept(const struct cb_history *history, const cJSON *options,
                                 const char *why, const char *file, FILE *out, struct cb_err *err);

/* Puts lines (texts) into the file where they belong in the order of the alphabet, each in the
 * place of one for the same CASE@RUN METRIC; all others stay as they are, so that git can merge
 * them. Of several writers at once, none loses a line. */
enum cb_status cb_accepted_write(const char *file, const cJSON *lines, struct cb_err *err);
