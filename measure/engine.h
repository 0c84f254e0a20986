/* SPDX-License-Identifier: Apache-2.0
 *
 * The engine: takes the cases of a plan in order, repeats each until its stop rule is satisfied,
 * and gives exactly one row per planned case, whatever happens to it. Cases of a group are open
 * together and take turns, a run of each.
 *
 * A struct cb_executor runs cases: worker processes in production
 * (measure/process/supervisor.h), a fake in the tests, so that the engine is tested without device
 * or clock.
 */
#pragma once

#include <stdint.h>

#include "measure/bench.h"
#include "measure/stats.h"

struct cb_executor {
    void *self;
    /* Waits until a case may begin, which is not its own time; NULL: it may at once. */
    enum cb_status (*await)(void *self, const struct cb_case *c, struct cb_err *err);
    /* Prepares a case: params are its parameters, with "needed" added. */
    enum cb_status (*open)(void *self, const struct cb_case *c, const cJSON *params,
                           struct cb_err *err);
    enum cb_status (*run)(void *self, const struct cb_case *c, struct cb_sample *sample,
                          struct cb_err *err);
    void (*close)(void *self, const struct cb_case *c);
    uint64_t (*now_ns)(void *self); /* monotonic */
    bool (*interrupted)(void *self);
};

/* All samples of one metric of one case. */
struct cb_series {
    const struct cb_metric *metric;
    double *values;
    size_t n, capacity;
    struct cb_stats stats; /* valid once the row is finished */
};

struct cb_row {
    const struct cb_case *c;
    int index; /* place in the plan */
    int order; /* place in the order of execution, from 0 */
    enum cb_status status;
    char reason[CB_ERR_TEXT];  /* empty if ok */
    uint64_t begin_ns, end_ns; /* of the executor's clock: others of its group ran between, too */
    double duration_s;         /* its own part of that */
    unsigned warmup;
    unsigned runs; /* that were kept */
    bool verified;
    cJSON *notes;            /* notes of the samples that were kept; NULL: none */
    cJSON *inputs;           /* what the case has read (identity.h); NULL: nothing */
    const char *stop_reason; /* "count", "converged", "max_runs", "max_time"; NULL: did not stop */
    struct cb_series *series;
    int n_series;
};

struct cb_engine_observer {
    void *self;
    void (*case_started)(void *self, const struct cb_case *c, int order, int n_cases);
    void (*run_done)(void *self, const struct cb_case *c, unsigned runs); /* may be called often */
    /* Takes the finished row (freed afterwards). Not CB_OK: results cannot be kept, measure no
     * more. */
    enum cb_status (*row_done)(void *self, const struct cb_row *row, struct cb_err *err);
};

enum cb_order { CB_ORDER_RANDOM, CB_ORDER_LISTED };

/* Runs the plan, but for the cases that keep a row. Returns CB_OK when every case has its row,
 * whatever the rows say; the observer's failure otherwise. */
enum cb_status cb_engine_run(const struct cb_plan *plan, const struct cb_executor *executor,
                             const struct cb_engine_observer *observer, enum cb_order order,
                             uint64_t seed, struct cb_err *err);

/* Fills indices[] with the cases' indices in the order of execution: shuffled by seed (identically
 * on all machines), but bench after bench as in the plan, the cases of a group together, those of a
 * batch one after the other, and a case that is needed just before the first that needs it. */
void cb_engine_order(const struct cb_plan *plan, enum cb_order order, uint64_t seed, int *indices);

/* Index of the first case of the plan after the group of case i. */
int cb_group_end(const struct cb_plan *plan, int i);
