/* SPDX-License-Identifier: Apache-2.0
 *
 * Tidy CSV of a run document (RFC 4180, '.' decimals, header line).
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdio.h>

#include "runtime/host/error.h"

/* One line per case and metric; a case without metrics has one line with its status. Parameters of
 * all benches are columns, empty where a case has none of that name. */
void cb_csv_summary(FILE *out, const cJSON *run);

/* Writes several runs in one table. */
void cb_csv_runs(FILE *out, const cJSON *const *runs, int n);

/* One line per sample; cases need their "samples". */
void cb_csv_samples(FILE *out, const cJSON *run);

/* A line of that, read. */
struct cb_csv_sample {
    const char *id, *device, *metric; /* for the time of the call that gets it */
    double value;
};

/* Calls take for every sample of such a file, in its order; lines that are none are skipped.
 * CB_SKIPPED: there is no such file; other failures as of cb_lines_open(). */
enum cb_status cb_csv_read_samples(const char *path,
                                   void (*take)(void *self, const struct cb_csv_sample *sample),
                                   void *self, struct cb_err *err);

/* A field: quoted if it has to be; one that a spreadsheet would take for a formula (= + - @) begins
 * with an apostrophe; nothing for NULL. */
void cb_csv_text(FILE *out, const char *text);
