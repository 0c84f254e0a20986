/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports in blocks: a table with its title, or a paragraph. Blank lines stand between them.
 */
#pragma once

#include <stdbool.h>

#include "measure/bench.h"

struct cb_block {
    const char *text; /* without a new line at its end */
    bool table;
};

struct cb_blocks {
    struct cb_block *items;
    int count;
    char *text; /* that the blocks are in */
};

/* Takes over the text. NULL, or too little memory: there are no blocks. */
struct cb_blocks cb_blocks_of(char *text);

/* What a bench reports of a run, and its inputs; lines are no longer than width. */
struct cb_blocks cb_blocks_report(const struct cb_bench *bench, const cJSON *run, int width);

void cb_blocks_free(struct cb_blocks *blocks);

/* Whether one of them has the text. */
bool cb_blocks_have(const struct cb_blocks *blocks, const char *text);
