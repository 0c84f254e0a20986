/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows that had something of ours beside them (--beside): those of each neighbour are told of by
 * themselves, as if they were a run.
 */
#pragma once

#include "measure/bench.h"

/* "process:every=100:for=5"; "": nothing of ours was beside it. */
const char *cb_row_beside(const cJSON *row);

/* The run with those rows only for which keep() is true: of references, to be deleted. */
cJSON *cb_run_part(const cJSON *run, bool (*keep)(const cJSON *row, const void *context),
                   const void *context);

/* The run with the rows that had this beside them: of references, to be deleted. */
cJSON *cb_run_beside(const cJSON *run, const char *beside);

/* What rows of a bench had beside them, in their order: texts, to be deleted, of which "" may be
 * one. NULL: no row had anything, or there is none. */
cJSON *cb_run_besides(const cJSON *run, const struct cb_bench *bench);

/* Prints a bench's report, part by part, then what the parts tell next to each other. */
void cb_report_print(FILE *out, const struct cb_bench *bench, const cJSON *run);
