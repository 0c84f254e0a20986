/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables while a run goes on: each is printed when it is finished. On a terminal, the rows of the
 * others that are measured stand above the progress bar and are drawn anew after each case; they go
 * when the run ends, for the tables that stay.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

#include "cli/suite/tables.h"

struct cb_live {
    struct cb_tables tables;
    bool wanted; /* else nothing is printed, nor drawn */
    bool bar;    /* there is one on standard error */
    bool on;     /* rows are drawn */
    bool stale;  /* there is more than was drawn */
    int shown;   /* lines on the screen above the bar */
    char *text;  /* that was drawn last, with what had no room; NULL: nothing */
    uint64_t drawn_ns;
};

/* wanted: tables go to standard output. bar: a progress bar is drawn. */
void cb_live_begin(struct cb_live *live, const struct cb_plan *plan, bool wanted, bool bar);

/* Prints the tables that are finished now, and draws what else a run document holds, seldom enough
 * to be read. */
void cb_live_update(struct cb_live *live, const cJSON *document);

/* The same if the last call was too early. */
void cb_live_refresh(struct cb_live *live, const cJSON *document);

/* Makes room for a message below which the tables are drawn again. */
void cb_live_erase(struct cb_live *live);

void cb_live_end(struct cb_live *live);
