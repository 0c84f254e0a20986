/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct engine {
    const struct cb_plan *plan;
    const struct cb_executor *executor;
    const struct cb_engine_observer *observer;
    enum cb_status *statuses; /* of the rows so far, by index in the plan */
    cJSON **medians;          /* {"metric": median} of the rows so far */
};

/* ---- Order ----------------------------------------------------------------------------------- */

/* SplitMix64 (Steele, Lea, Flood 2014): the same numbers on all machines. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static void shuffle(int *places, int n, uint64_t seed)
{
    for (int i = n - 1; i > 0; i--) {
        int j = (int)(next_random(&seed) % (uint64_t)(i + 1));
        int swapped = places[i];
        places[i] = places[j];
        places[j] = swapped;
    }
}

/* Appends a case to the order, after the cases that it needs. */
static void place_case(const struct cb_plan *plan, int i, bool *placed, int *places, int *n)
{
    if (placed[i])
        return;
    placed[i] = true;
    if (plan->cases[i].needs >= 0)
        place_case(plan, plan->cases[i].needs, placed, places, n);
    places[(*n)++] = i;
}

void cb_engine_order(const struct cb_plan *plan, enum cb_order order, uint64_t seed, int *places)
{
    for (int i = 0; i < plan->count; i++)
        places[i] = i;
    if (order == CB_ORDER_LISTED)
        return; /* always right: plans list what is needed first */
    int *shuffled = malloc(sizeof *shuffled * (size_t)(plan->count + 1)), n = 0;
    bool *placed = calloc((size_t)plan->count + 1, sizeof *placed);
    if (shuffled && placed) {
        memcpy(shuffled, places, sizeof *shuffled * (size_t)plan->count);
        shuffle(shuffled, plan->count, seed);
        for (int i = 0; i < plan->count; i++)
            place_case(plan, shuffled[i], placed, places, &n);
    }
    free(placed);
    free(shuffled);
}

/* ---- One row --------------------------------------------------------------------------------- */

static void row_open(struct cb_row *row, const struct cb_case *c, int index, int order)
{
    *row = (struct cb_row){.c = c, .index = index, .order = order};
    for (const struct cb_metric *m = c->bench->metrics; m->name; m++)
        row->n_series++;
    row->series = calloc((size_t)row->n_series + 1, sizeof *row->series);
    if (!row->series)
        row->n_series = 0;
    for (int i = 0; i < row->n_series; i++)
        row->series[i].metric = &c->bench->metrics[i];
}

static void row_free(struct cb_row *row)
{
    for (int i = 0; i < row->n_series; i++)
        free(row->series[i].values);
    free(row->series);
}

static void row_fail(struct cb_row *row, enum cb_status status, const char *reason)
{
    row->status = status;
    snprintf(row->reason, sizeof row->reason, "%s", reason);
}

static bool series_append(struct cb_series *series, double value)
{
    if (series->n == series->capacity) {
        size_t capacity = series->capacity ? 2 * series->capacity : 64;
        double *grown = realloc(series->values, capacity * sizeof *grown);
        if (!grown)
            return false;
        series->values = grown;
        series->capacity = capacity;
    }
    series->values[series->n++] = value;
    return true;
}

static void row_append(struct cb_row *row, const struct cb_sample *sample)
{
    for (int i = 0; i < row->n_series; i++) {
        const cJSON *value,
            *values = cJSON_GetObjectItemCaseSensitive(sample->values, row->series[i].metric->name);
        cJSON_ArrayForEach (value, values)
            if (!series_append(&row->series[i], value->valuedouble))
                row_fail(row, CB_ERROR, "out of memory");
    }
}

/* ---- One run --------------------------------------------------------------------------------- */

/* One run, checked; with keep, its values go into the row. Sets the row's status. */
static void run_once(struct engine *e, struct cb_row *row, bool keep)
{
    struct cb_err err = {0};
    struct cb_sample sample = {.values = cJSON_CreateObject()};
    enum cb_status status = e->executor->run(e->executor->self, row->c, &sample, &err);
    if (e->executor->interrupted(e->executor->self))
        row_fail(row, CB_INTERRUPTED, "interrupted");
    else if (status != CB_OK)
        row_fail(row, status, err.text);
    else if (sample.failure[0])
        row_fail(row, CB_VERIFY_FAILED, sample.failure);
    else if (keep)
        row_append(row, &sample);
    row->verified |= sample.verified;
    cJSON_Delete(sample.values);
}

static const struct cb_series *primary_series(const struct cb_row *row)
{
    for (int i = 0; i < row->n_series; i++)
        if (row->series[i].metric->primary)
            return &row->series[i];
    return NULL;
}

static bool converged(const struct cb_row *row, double max_rci)
{
    const struct cb_series *series = primary_series(row);
    if (!series || series->n == 0)
        return false;
    struct cb_stats stats = cb_stats_of(series->values, series->n);
    double rci = cb_stats_rci_percent(&stats);
    return !isnan(rci) && rci <= max_rci;
}

/* Why no further run is needed; NULL: one is. */
static const char *stop_reason(const struct cb_row *row, double elapsed_s)
{
    const struct cb_stop *stop = &row->c->stop;
    if (row->runs < stop->min_runs)
        return NULL;
    if (stop->rule == CB_STOP_COUNT)
        return "count";
    if (stop->rule == CB_STOP_CI && converged(row, stop->max_rci))
        return "converged";
    if (row->runs >= stop->max_runs)
        return "max_runs";
    return elapsed_s >= stop->max_time_s ? "max_time" : NULL;
}

static void run_all(struct engine *e, struct cb_row *row)
{
    for (unsigned i = 0; i < row->c->stop.warmup && row->status == CB_OK; i++) {
        run_once(e, row, false);
        row->warmup++;
    }
    uint64_t start = e->executor->now_ns(e->executor->self);
    while (row->status == CB_OK && !row->stop_reason) {
        run_once(e, row, true);
        if (row->status != CB_OK)
            break;
        row->runs++;
        e->observer->run_done(e->observer->self, row->c, row->runs);
        double elapsed_s = (double)(e->executor->now_ns(e->executor->self) - start) / 1e9;
        row->stop_reason = stop_reason(row, elapsed_s);
    }
}

/* ---- One case -------------------------------------------------------------------------------- */

/* The case's parameters and the medians of the case that it needs. */
static cJSON *params_of(const struct engine *e, const struct cb_case *c)
{
    cJSON *params = cJSON_Duplicate(c->params, true);
    if (c->needs >= 0)
        cJSON_AddItemToObject(params, "needed", cJSON_Duplicate(e->medians[c->needs], true));
    return params;
}

static void run_case(struct engine *e, struct cb_row *row)
{
    const struct cb_case *c = row->c;
    if (e->executor->interrupted(e->executor->self)) {
        row_fail(row, CB_INTERRUPTED, "interrupted before it started");
        return;
    }
    if (c->needs >= 0 && e->statuses[c->needs] != CB_OK) {
        snprintf(row->reason, sizeof row->reason, "needs %s, which ended as '%s'",
                 e->plan->cases[c->needs].id, cb_status_name(e->statuses[c->needs]));
        row->status = CB_SKIPPED;
        return;
    }
    cJSON *params = params_of(e, c);
    struct cb_err err = {0};
    enum cb_status status = e->executor->open(e->executor->self, c, params, &err);
    if (e->executor->interrupted(e->executor->self))
        row_fail(row, CB_INTERRUPTED, "interrupted");
    else if (status != CB_OK)
        row_fail(row, status, err.text);
    else
        run_all(e, row);
    e->executor->close(e->executor->self, c);
    cJSON_Delete(params);
}

static cJSON *finish_series(struct cb_row *row)
{
    cJSON *medians = cJSON_CreateObject();
    if (row->status != CB_OK)
        row->runs = 0; /* a failed case keeps no samples */
    for (int i = 0; i < row->n_series; i++) {
        struct cb_series *series = &row->series[i];
        if (row->status != CB_OK)
            series->n = 0;
        if (series->n == 0)
            continue;
        series->stats = cb_stats_of(series->values, series->n);
        cJSON_AddNumberToObject(medians, series->metric->name, series->stats.median);
    }
    return medians;
}

static enum cb_status run_row(struct engine *e, int index, int order, struct cb_err *err)
{
    const struct cb_case *c = &e->plan->cases[index];
    struct cb_row row;
    row_open(&row, c, index, order);
    e->observer->case_started(e->observer->self, c, order, e->plan->count);
    uint64_t start = e->executor->now_ns(e->executor->self);
    run_case(e, &row);
    row.duration_s = (double)(e->executor->now_ns(e->executor->self) - start) / 1e9;
    e->medians[index] = finish_series(&row);
    e->statuses[index] = row.status;
    enum cb_status status = e->observer->row_done(e->observer->self, &row, err);
    row_free(&row);
    return status;
}

enum cb_status cb_engine_run(const struct cb_plan *plan, const struct cb_executor *executor,
                             const struct cb_engine_observer *observer, enum cb_order order,
                             uint64_t seed, struct cb_err *err)
{
    size_t n = (size_t)plan->count;
    struct engine e = {plan, executor, observer, calloc(n + 1, sizeof *e.statuses),
                       calloc(n + 1, sizeof *e.medians)};
    int *places = calloc(n + 1, sizeof *places);
    enum cb_status status = CB_OK;
    if (e.statuses && e.medians && places) {
        cb_engine_order(plan, order, seed, places);
        for (int i = 0; i < plan->count && status == CB_OK; i++)
            status = run_row(&e, places[i], i, err);
    } else {
        status = cb_fail(err, CB_ERROR, "out of memory");
    }
    for (int i = 0; e.medians && i < plan->count; i++)
        cJSON_Delete(e.medians[i]);
    free(e.medians);
    free(e.statuses);
    free(places);
    return status;
}
