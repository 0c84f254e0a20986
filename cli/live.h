/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables while they fill: on a terminal, the rows that are measured stand above the progress bar
 * and are drawn anew after each case. They go when the run ends, for the tables that stay.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

struct cb_live {
    bool on;
    bool stale; /* there is more than was drawn */
    int shown;  /* lines on the screen above the bar */
    char *text; /* that was drawn last, with what had no room; NULL: nothing */
    uint64_t drawn_ns;
};

/* wanted: a bar is drawn, and standard output is for people. Only terminals are drawn on. */
void cb_live_begin(struct cb_live *live, bool wanted);

/* Draws what a run document holds, seldom enough to be read. */
void cb_live_draw(struct cb_live *live, const cJSON *document);

/* The same if the last call was too early. */
void cb_live_refresh(struct cb_live *live, const cJSON *document);

/* Makes room for a message below which the tables are drawn again. */
void cb_live_erase(struct cb_live *live);

void cb_live_end(struct cb_live *live);
