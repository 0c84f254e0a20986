/* SPDX-License-Identifier: Apache-2.0
 *
 * What the data files of figures have in common: tab-separated columns with texts in quotes, and
 * labels of the devices that the data are of.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdio.h>

#include "analysis/documents/rows.h"

#define CB_LABEL_BYTES 256

/* A device as one run saw it: in two runs, it is two of these. */
struct cb_run_device {
    const cJSON *run, *device;
};

/* The devices of the runs that have an ok row of a benchmark (NULL: all devices); the list is the
 * caller's to free, and NULL if there is no memory. Returns how many. */
int cb_run_devices(cJSON *const *runs, int n, const char *bench,
                   struct cb_run_device **run_devices);

/* The ok rows of a benchmark on a device of a run. */
struct cb_rows cb_figure_rows(const struct cb_run_device *run_device, const char *bench);

/* Names device i of n so that no two have the same label: the device's name; its number if the run
 * has several of that name; the run if several runs have one. */
void cb_figure_label_device(const struct cb_run_device *run_devices, int n, int i,
                            char label[CB_LABEL_BYTES]);

/* Appends text without trademark signs, and without what would end a field of the table or be more
 * than text to gnuplot. */
void cb_figure_label_append(char label[CB_LABEL_BYTES], const char *text);

/* A tab and a field. An empty text has no quotes: gnuplot would take them for the beginning of a
 * text. */
void cb_figure_text(FILE *out, const char *text);
/* Both as one text: "bfs grid:300x300". */
void cb_figure_two_texts(FILE *out, const char *first, const char *second);
void cb_figure_number(FILE *out, double value);
