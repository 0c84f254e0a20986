/* SPDX-License-Identifier: Apache-2.0
 *
 * Run documents in the formats of other tools: `coopbench export`. A format is a row of
 * cb_export_formats with a writer; all writers are given the same rows. What was not measured is
 * absent, where the format allows it: dashboards take a null for a zero.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "runtime/host/error.h"

/* A metric of a case that is ok and has a median. */
struct cb_export_row {
    const cJSON *run, *device, *item,
        *metric;    /* item: the case; device: NULL if the run lacks it */
    char *name;     /* "nvidia-h200/discover/ticket/11/delay=0/found": stable, see cb_export_open */
    int repetition; /* number among rows of a name that several runs have, from 0 */
    int repetitions;
    const struct cb_export_row *before; /* row of the same name, in the run before; NULL: none */
};

struct cb_export {
    const cJSON *const *runs;
    int n_runs;
    struct cb_export_row *rows; /* in the order of the runs and their cases */
    size_t n_rows;
    const char *better; /* what a format of one direction writes: "lower" or "higher" */
    size_t disturbed;   /* cases that are left out, since others used the device */
    size_t left_out;    /* metrics for which the format has no place; check() tells */
};

struct cb_export_format {
    const char *name, *consumer; /* what reads it, for --help */
    bool one_direction;          /* a file holds metrics of one direction only */
    bool unique;                 /* a name may be there only once */
    int (*write)(FILE *out, const struct cb_export *e); /* returns how many entries it wrote */
    /* Whether rows can be written; NULL: all can. */
    enum cb_status (*check)(struct cb_export *e, struct cb_err *err);
};

/* The formats: FORMAT(name, consumer, one_direction, unique, check). A new one is a row here and a
 * file with its cb_export_<name>(). */
#define CB_EXPORT_FORMATS(FORMAT)                                                                  \
    FORMAT(github, "github-action-benchmark: tool customSmallerIsBetter or customBiggerIsBetter",  \
           true, true, NULL)                                                                       \
    FORMAT(gbench, "Google Benchmark's compare.py and what reads its JSON; times only", false,     \
           false, NULL)                                                                            \
    FORMAT(bmf, "Bencher: bencher run --adapter json", false, true, NULL)                          \
    FORMAT(hyperfine, "hyperfine's scripts and what reads its JSON; times only, in seconds",       \
           false, false, cb_export_hyperfine_check)                                                \
    FORMAT(openmetrics,                                                                            \
           "Prometheus: a .prom file of its node exporter's textfile collector, with labels as "   \
           "dcgm-exporter's",                                                                      \
           false, false, cb_export_openmetrics_check)                                              \
    FORMAT(otava, "Apache Otava: CSV, a line for each run, in the order of their times", false,    \
           false, cb_export_otava_check)                                                           \
    FORMAT(junit, "CI systems that list tests: a test case for each case, ok or not", false,       \
           false, NULL)                                                                            \
    FORMAT(csv, "spreadsheets, gnuplot, pandas: all metrics, a line each", false, false, NULL)     \
    FORMAT(md, "people: a Markdown table", false, false, NULL)

/* "github,gbench,...": the choices of an option. */
#define CB_EXPORT_CHOICE(name, consumer, one_direction, unique, check) "," #name
#define CB_EXPORT_CHOICES                                              (("" CB_EXPORT_FORMATS(CB_EXPORT_CHOICE)) + 1)

/* Ends with a row without name. */
extern const struct cb_export_format cb_export_formats[];

const struct cb_export_format *cb_export_find(const char *name);

/* Makes the rows of some runs. A name is the device, the case and the metric: those of a device do
 * not change from run to run, nor with the number of devices. */
enum cb_status cb_export_open(struct cb_export *e, const cJSON *const *runs, int n,
                              struct cb_err *err);
void cb_export_close(struct cb_export *e);

/* The name of a row that another row has, too; NULL: none. */
const char *cb_export_duplicate(const struct cb_export *e);

/* --- For writers ------------------------------------------------------------------------------ */

#define CB_SLUG_BYTES 64

/* A device in lower case letters, digits and hyphens: its name, and if the run has several of that
 * name, a digest of its id. */
void cb_export_slug(const cJSON *run, const cJSON *device, char slug[CB_SLUG_BYTES]);

/* The device of a case; NULL if the run does not list it. */
const cJSON *cb_export_device(const cJSON *run, const cJSON *item);

/* Whether the metric is a time in nanoseconds. */
bool cb_export_is_time(const cJSON *metric);

/* Whether it has a 95 % interval of the median; where it ends. */
bool cb_export_interval(const cJSON *metric, double *low, double *high);

/* Adds a number if it is one. */
void cb_export_number(cJSON *object, const char *key, double value);

/* Prints a separator (after the first entry, a comma) and the entry in one line, and deletes it. */
void cb_export_entry(FILE *out, int *count, cJSON *entry);

#define CB_EXPORT_DECLARE(name, consumer, one_direction, unique, check)                            \
    int cb_export_##name(FILE *out, const struct cb_export *e);
CB_EXPORT_FORMATS(CB_EXPORT_DECLARE)
#undef CB_EXPORT_DECLARE
enum cb_status cb_export_hyperfine_check(struct cb_export *e, struct cb_err *err);
enum cb_status cb_export_openmetrics_check(struct cb_export *e, struct cb_err *err);
enum cb_status cb_export_otava_check(struct cb_export *e, struct cb_err *err);
