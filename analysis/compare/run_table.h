/* SPDX-License-Identifier: Apache-2.0
 *
 * A run as a comparison needs it: cases found by hash, medians with their intervals, and samples if
 * the run's folder still has them.
 */
#pragma once

#include "analysis/compare/change.h"
#include "analysis/documents/document.h"
#include "measure/bench.h"

/* A metric of a case. Texts belong to the document. */
struct cb_measurement {
    const char *name, *unit;
    enum cb_better better;
    struct cb_side side;
    double *samples; /* what side.samples leads to once they are known to be these; owned */
    size_t n_samples;
    double *rounds; /* the median of each round, of a run in rounds; owned */
    size_t n_rounds;
    double *bests; /* the best sample of each; owned */
    size_t n_bests;
    double *sizes; /* samples of each round, if known; owned */
    /* Core speeds of the same case, with as many rounds; NULL: none. */
    const struct cb_measurement *core_speed;
};

struct cb_run_case {
    const char *id, *bench, *device; /* id of the device */
    const char *status, *reason;     /* "ok", ... */
    bool disturbed;                  /* others used the device, and it does not hold beside them */
    const cJSON *params;
    const cJSON *inputs;      /* what its parameters name (measure/identity.h); NULL: not known */
    const cJSON *device_json; /* NULL: the document does not describe it */
    struct cb_measurement *metrics;
    int n_metrics;
    int next;  /* next case of the same hash; -1: none */
    bool seen; /* by the comparison: a case of the run corresponds to it */
};

struct cb_run_table {
    struct cb_run_document document;
    const char *id; /* id of the run */
    bool complete;
    struct cb_run_case *cases;
    struct cb_measurement *metrics; /* metrics of all cases */
    int count;
    int *heads; /* by hash */
    unsigned mask;
    const char *samples_from; /* "samples.csv", "events.jsonl"; NULL: there are none */
    int n_with, n_without;    /* metrics that are ok, with and without their samples */
};

void cb_run_table_free(struct cb_run_table *table);

/* Indexes the cases of the document, which is there (and the rest zeroed), and which stays the
 * caller's. path: what messages call the run if it has no id. CB_USAGE: it has a case twice.
 * Clearing leaves the document alone, freeing does not. */
enum cb_status cb_run_table_index(struct cb_run_table *table, const char *path, struct cb_err *err);
void cb_run_table_clear(struct cb_run_table *table);

/* Whether it has a result of the device: not if others used that meanwhile. */
bool cb_run_case_ok(const struct cb_run_case *c);

/* Whether it was tried, and gave no result: not if it was skipped, or is not supported. */
bool cb_run_case_failed(const struct cb_run_case *c);

/* The case of this id on this device (NULL: on any); NULL: there is none. */
struct cb_run_case *cb_run_table_find(const struct cb_run_table *table, const char *id,
                                      const char *device);

/* Whether two cases on one device are the same but for the name of an input, whose contents are the
 * same: "apps/bfs/portable/roads.gr" and "apps/bfs/portable/roads.gr.gz". */
bool cb_run_case_is_alias(const struct cb_run_case *a, const struct cb_run_case *b);

/* The case of the table that corresponds to one of another run: of its id and device, else an
 * alias, else of its id on another device; NULL: there is none. */
struct cb_run_case *cb_run_table_counterpart(const struct cb_run_table *table,
                                             const struct cb_run_case *c);

/* The metric of a case; NULL: it has none of that name. */
struct cb_measurement *cb_run_case_metric(const struct cb_run_case *c, const char *name);
