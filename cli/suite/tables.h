/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables of a run, each of which can be printed as soon as it is finished: when no case that is
 * to come can change it. To know that, the benches report what is measured, and again with made-up
 * rows in place of the cases to come: of very good values, very bad ones, and failures. A table
 * that is the same in all of these reports is finished.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "measure/bench.h"

#define CB_TABLES_WAYS 3 /* ways of making up rows */

struct cb_tables {
    const struct cb_plan *plan;
    int width;                       /* width of lines, in characters */
    cJSON **made_up[CB_TABLES_WAYS]; /* rows, by index in the plan */
    struct cb_taken {
        const struct cb_bench *bench;
        char *text;
    } * taken; /* blocks of reports */
    int n_taken;
    bool stale; /* there may be more to take */
    uint64_t start_ns, spent_ns;
};

void cb_tables_begin(struct cb_tables *tables, const struct cb_plan *plan, int width);
void cb_tables_end(struct cb_tables *tables);

/* What has been finished since the last call, to be printed; NULL: nothing. The caller frees it.
 * Takes no more than a small share of the run's time: a call may leave work for the next one. */
char *cb_tables_take(struct cb_tables *tables, const cJSON *document);

/* Whether a row of a document is that of the case. */
bool cb_tables_is_row(const cJSON *row, const struct cb_case *c);

/* Prints what has not been taken, of which interrupted cases are no part. */
void cb_tables_rest(FILE *out, const struct cb_tables *tables, const cJSON *document);
