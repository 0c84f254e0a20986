/* SPDX-License-Identifier: Apache-2.0
 *
 * What runs of the same cases in the same circumstances have in common: all that a history reads
 * of a run but its numbers. A folder of thousands of runs has a few layouts.
 */
#pragma once

#include <stdint.h>

#include "analysis/compare/run_table.h"

struct cb_layout {
    char *text;                /* as JSON, without white space; it is kept in this form */
    uint64_t hash;             /* hash of the text */
    struct cb_run_table table; /* cases and metrics without numbers; its document has no more than
                                  devices, host and cases */
    /* Number of metrics of all cases, in their order: from table.metrics on. */
    int n_metrics;
    int number; /* its place among the layouts */
};

struct cb_layouts {
    struct cb_layout **items;
    int n, room;
};

/* The text of the layout of a run's document, for cb_layouts_take; NULL: there is no memory. */
char *cb_layout_text(const cJSON *document);

/* The layout of this text, which it takes, even if it fails. file: what messages call it. CB_USAGE:
 * it has a case twice. */
enum cb_status cb_layouts_take(struct cb_layouts *layouts, char *text, const char *file,
                               const struct cb_layout **layout, struct cb_err *err);

/* The one with this hash; NULL: it is not among them. */
const struct cb_layout *cb_layouts_find(const struct cb_layouts *layouts, uint64_t hash);

/* Adds one that was kept; the text stays the caller's. CB_USAGE: it is none. */
enum cb_status cb_layouts_add(struct cb_layouts *layouts, const char *text, const char *file,
                              const struct cb_layout **layout, struct cb_err *err);
void cb_layouts_free(struct cb_layouts *layouts);
