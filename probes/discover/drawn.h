/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows that Figs. 7 and 8 draw: of each protocol and configuration, those with one delay.
 */
#pragma once

#include "analysis/documents/figure.h"

#define CB_DELAYS_BYTES 96

struct cb_drawn {
    const cJSON **rows; /* rows in the document's order */
    int n;
    char delays[CB_DELAYS_BYTES]; /* delays of the locks among them: "delay 0", "adaptive" */
};

enum cb_drawn_part { CB_DRAWN_MICROBENCHMARKS, CB_DRAWN_SWEEP };

/* Draws a part of the device's rows: its microbenchmarks, or its sweep over workgroup sizes. Empty
 * if there are none, or no memory. */
struct cb_drawn cb_drawn_of(const struct cb_run_device *device, enum cb_drawn_part part);
void cb_drawn_free(struct cb_drawn *drawn);

/* The row of a protocol on a microbenchmark; NULL: there is none. */
const cJSON *cb_drawn_find(const struct cb_drawn *drawn, const char *protocol,
                           const char *microbenchmark);
