/* SPDX-License-Identifier: Apache-2.0
 *
 * A run as a history needs it: small, so that thousands of them have room. It is made of the
 * run's document, or comes from an index.
 */
#pragma once

#include "analysis/store/layout.h"

/* The level of a metric of a case. */
struct cb_level {
    double median; /* NaN: the case is not ok, or was disturbed */
    double speed;  /* speed of the cores meanwhile; NaN: not known */
};

struct cb_stored_run {
    cJSON *head;    /* the document without devices, cases and findings, with its failures,
                     * and how many cases were disturbed */
    char *file;     /* the document */
    const char *id; /* id of the run; the file if it has none */
    const struct cb_layout *layout;
    struct cb_level *levels; /* levels of the layout's metrics */
};

/* Makes all of one but its layout. layout: the text of that, for cb_layouts_take. The document
 * stays the caller's. run: all zero. Several threads may make runs at once. CB_USAGE: it has a case
 * twice.
 */
enum cb_status cb_stored_run_begin(const struct cb_run_document *document,
                                   struct cb_stored_run *run, char **layout, struct cb_err *err);

/* Makes a run, and its layout. */
enum cb_status cb_stored_run_make(const struct cb_run_document *document,
                                  struct cb_layouts *layouts, struct cb_stored_run *run,
                                  struct cb_err *err);

/* Gives a run its head and file, both of which it owns from then on, even if that fails. */
enum cb_status cb_stored_run_name(struct cb_stored_run *run, cJSON *head, const char *file,
                                  struct cb_err *err);

/* Its cases that failed, each with "id", "device", "status" and "reason"; NULL: none has. */
const cJSON *cb_stored_run_failures(const struct cb_stored_run *run);

/* How many of its cases were disturbed by others: they have no levels. */
int cb_stored_run_disturbed(const struct cb_stored_run *run);

/* When it began, "2026-11-20T07:10:33Z"; "" if it does not tell. */
const char *cb_stored_run_start(const struct cb_stored_run *run);
void cb_stored_run_free(struct cb_stored_run *run);
