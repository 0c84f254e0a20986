/* SPDX-License-Identifier: Apache-2.0
 *
 * What a metric did from one run to the next, for readers of many runs. It is a mark
 * beside a value, not a verdict: that is what `coopbench compare` gives, with a test.
 */
#pragma once

#include "analysis/export/export.h"

enum cb_mark {
    CB_MARK_NONE,    /* no earlier run, no interval, or no change that can be told from noise */
    CB_MARK_BETTER,  /* changed, in the direction that is better */
    CB_MARK_WORSE,   /* changed, in the other */
    CB_MARK_CHANGED, /* changed; neither direction is better */
    CB_MARK_OTHER,   /* the run before was on another host, device or driver */
};

/* A change smaller than this share of the earlier median is none. */
#define CB_MARK_SHARE 0.05

/* The mark of a row against the row of the same name in the run before: changed, if the medians
 * differ by more than CB_MARK_SHARE and their 95 % intervals have nothing in common. */
enum cb_mark cb_mark_of(const struct cb_export_row *row);

/* "better", "worse", ...; empty for none. */
const char *cb_mark_name(enum cb_mark mark);

/* Later median over earlier, minus 1; NaN if there is none. */
double cb_history_change(const struct cb_export_row *row);
