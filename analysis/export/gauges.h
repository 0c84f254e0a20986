/* SPDX-License-Identifier: Apache-2.0
 *
 * Gauges as text: OpenMetrics that readers of Prometheus' own text, such as the textfile collector
 * of its node exporter, take as well. So all families are gauges (that text has no type "info"),
 * "# UNIT" and "# EOF" are comments there, and none has a time (the collector refuses those).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct cb_gauge {
    char *family, *labels, *help;
    const char *unit;  /* the family's name ends with it; "": none */
    const char *state; /* one label more, by which cases are not told apart; NULL: none */
    double value;
};

struct cb_gauges {
    struct cb_gauge *items;
    size_t n, room;
    bool no_memory;
};

/* A text that is being made. Closing it gives the text, the caller's to free; NULL: no memory. */
struct cb_gauge_text {
    FILE *out;
    char *text;
    size_t size;
};
FILE *cb_gauge_text_open(struct cb_gauge_text *text);
char *cb_gauge_text_close(struct cb_gauge_text *text);

/* Letters, digits and '_' only, in lower case. */
void cb_gauge_name(FILE *out, const char *text);

/* NAME="value", with a comma before it if it is not the first of its text; nothing for "". */
void cb_gauge_label(FILE *out, const char *name, const char *value);

/* A help, on one line, without quotes and backslashes: OpenMetrics and Prometheus escape them
 * differently. */
void cb_gauge_help(FILE *out, const char *text);

/* Takes the texts of a gauge; one that is NULL means that there is no memory. */
void cb_gauges_add(struct cb_gauges *gauges, struct cb_gauge gauge);
void cb_gauges_free(struct cb_gauges *gauges);

/* Those of a family together, by their labels. */
void cb_gauges_sort(struct cb_gauges *gauges);

/* Whether gauge i, of sorted ones, has the family and labels of the one before. */
bool cb_gauges_repeats(const struct cb_gauges *gauges, size_t i);

/* Prints sorted gauges, those that repeat one only once. Returns how many. */
int cb_gauges_print(FILE *out, const struct cb_gauges *gauges);
