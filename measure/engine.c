/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/text/json.h"

#define LONGEST_NS 1e15 /* longest time of anything that is measured: eleven days */

struct engine {
    const struct cb_plan *plan;
    const struct cb_executor *executor;
    const struct cb_engine_observer *observer;
    enum cb_status *statuses; /* status of the rows so far, by index in the plan */
    cJSON **results;          /* results of each case: see struct results */
    /* What nobody has spent of the budgets; parts of the cases to come. */
    double left_s, parts_s;
};

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
    cJSON_Delete(row->notes);
    cJSON_Delete(row->inputs);
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

/* Clocks that are set, and drivers' counters that wrap, make times that no run takes. */
static enum cb_status check_times(const struct cb_row *row, const struct cb_sample *sample,
                                  struct cb_err *err)
{
    for (int i = 0; i < row->n_series; i++) {
        const struct cb_metric *metric = row->series[i].metric;
        const cJSON *value,
            *values = cJSON_GetObjectItemCaseSensitive(sample->values, metric->name);
        cJSON_ArrayForEach (value, values)
            if (strcmp(metric->unit, "ns") == 0 &&
                !(value->valuedouble >= 0 && value->valuedouble < LONGEST_NS))
                return cb_fail(err, CB_ERROR,
                               "%s is a time that cannot be, %g ns: a clock has been set",
                               metric->name, value->valuedouble);
    }
    return CB_OK;
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
    const cJSON *note;
    cJSON_ArrayForEach (note, sample->notes)
        cb_json_add_once(&row->notes, cb_json_item_text(note));
}

/* ---- One run --------------------------------------------------------------------------------- */

/* What a case has read is known whatever became of the run. One of another process, which may have
 * read something else since, is told last. */
static void take_inputs(struct cb_row *row, struct cb_sample *sample)
{
    if (!sample->inputs)
        return;
    cJSON_Delete(row->inputs);
    row->inputs = sample->inputs;
    sample->inputs = NULL;
}

/* One run, checked; with keep, its values go into the row. Sets the row's status. */
static void run_once(struct engine *e, struct cb_row *row, bool keep)
{
    struct cb_err err = {0};
    struct cb_sample sample = {.values = cJSON_CreateObject()};
    enum cb_status status = e->executor->run(e->executor->self, row->c, &sample, &err);
    take_inputs(row, &sample);
    if (status == CB_OK)
        status = check_times(row, &sample, &err);
    if (e->executor->interrupted(e->executor->self))
        row_fail(row, CB_INTERRUPTED, "interrupted");
    else if (status != CB_OK)
        row_fail(row, status, err.text);
    else if (sample.failure[0])
        row_fail(row, CB_VERIFY_FAILED, sample.failure);
    else if (keep)
        row_append(row, &sample);
    row->verified |= sample.verified;
    cb_sample_free(&sample);
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

/* Why no further run is needed; NULL: one is. in_budget: another one is likely to be. */
static const char *stop_reason(const struct cb_row *row, double elapsed_s, bool in_budget)
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
    return elapsed_s >= stop->max_time_s || !in_budget ? "max_time" : NULL;
}

/* ---- A case ---------------------------------------------------------------------------------- */

/* The case's parameters and what the case that it needs has measured. */
static cJSON *params_of(const struct engine *e, const struct cb_case *c)
{
    cJSON *params = cJSON_Duplicate(c->params, true);
    const cJSON *result;
    if (c->needs >= 0)
        cJSON_ArrayForEach (result, e->results[c->needs])
            cJSON_AddItemToObject(params, result->string, cJSON_Duplicate(result, true));
    return params;
}

/* A case that is under way. */
struct lane {
    struct cb_row row;
    bool opened;
    uint64_t spent_ns, sampled_ns; /* in all; in runs that are samples */
    double budget_s;               /* that it may spend; infinity: there is none */
};

static uint64_t now_ns(const struct engine *e)
{
    return e->executor->now_ns(e->executor->self);
}

/* Whether a case may start; if not, its row says why. */
static bool may_open(const struct engine *e, struct cb_row *row)
{
    const struct cb_case *c = row->c;
    if (e->executor->interrupted(e->executor->self)) {
        row_fail(row, CB_INTERRUPTED, "interrupted before it started");
    } else if (c->needs >= 0 && e->statuses[c->needs] != CB_OK) {
        snprintf(row->reason, sizeof row->reason, "needs %s, which ended as '%s'",
                 e->plan->cases[c->needs].id, cb_status_name(e->statuses[c->needs]));
        row->status = CB_SKIPPED;
    }
    return row->status == CB_OK;
}

static enum cb_status open_case(struct engine *e, struct lane *l, struct cb_err *err)
{
    const struct cb_case *c = l->row.c;
    cJSON *params = params_of(e, c);
    l->row.begin_ns = now_ns(e);
    enum cb_status status = e->executor->open(e->executor->self, c, params, err);
    l->opened = true;
    l->spent_ns = now_ns(e) - l->row.begin_ns;
    cJSON_Delete(params);
    return status;
}

static void open_lane(struct engine *e, struct lane *l, int index, int order)
{
    const struct cb_case *c = &e->plan->cases[index];
    struct cb_err err = {0};
    row_open(&l->row, c, index, order);
    l->row.begin_ns = now_ns(e);
    l->budget_s = c->budget_s > 0 ? e->left_s * c->budget_s / e->parts_s : INFINITY;
    e->observer->case_started(e->observer->self, c, order, e->plan->count);
    if (!may_open(e, &l->row))
        return;
    enum cb_status status =
        e->executor->await ? e->executor->await(e->executor->self, c, &err) : CB_OK;
    if (status == CB_OK)
        status = open_case(e, l, &err);
    if (e->executor->interrupted(e->executor->self))
        row_fail(&l->row, CB_INTERRUPTED, "interrupted");
    else if (status != CB_OK)
        row_fail(&l->row, status, err.text);
}

/* Whether a run as long as those before it is within the case's budget. */
static bool is_in_budget(const struct lane *l)
{
    double run_ns = (double)l->sampled_ns / l->row.runs;
    return (double)l->spent_ns + run_ns <= l->budget_s * 1e9;
}

/* A run of the case, if it needs one more. Returns whether it did. */
static bool step_lane(struct engine *e, struct lane *l)
{
    struct cb_row *row = &l->row;
    if (row->status != CB_OK || row->stop_reason)
        return false;
    if (e->executor->interrupted(e->executor->self)) { /* while another of the group ran */
        row_fail(row, CB_INTERRUPTED, "interrupted");
        return false;
    }
    bool keep = row->warmup >= row->c->stop.warmup;
    uint64_t start = now_ns(e);
    run_once(e, row, keep);
    l->spent_ns += now_ns(e) - start;
    if (!keep) {
        row->warmup++;
    } else if (row->status == CB_OK) {
        row->runs++;
        l->sampled_ns += now_ns(e) - start;
        e->observer->run_done(e->observer->self, row->c, row->runs);
        row->stop_reason = stop_reason(row, (double)l->sampled_ns / 1e9, is_in_budget(l));
    }
    return true;
}

/* What cases that need this one are told of its metrics (bench.h, open()), by metric. */
struct results {
    cJSON *all, *medians, *minima, *means;
};

static struct results begin_results(void)
{
    struct results r = {.all = cJSON_CreateObject()};
    r.medians = cJSON_AddObjectToObject(r.all, "needed");
    r.minima = cJSON_AddObjectToObject(r.all, "least");
    r.means = cJSON_AddObjectToObject(r.all, "mean");
    return r;
}

static void add_result(const struct results *r, const char *metric, double median, double min,
                       double mean)
{
    cJSON_AddNumberToObject(r->medians, metric, median);
    cJSON_AddNumberToObject(r->minima, metric, min);
    cJSON_AddNumberToObject(r->means, metric, mean);
}

static cJSON *finish_series(struct cb_row *row)
{
    struct results results = begin_results();
    if (row->status != CB_OK)
        row->runs = 0; /* a failed case keeps no samples */
    for (int i = 0; i < row->n_series; i++) {
        struct cb_series *series = &row->series[i];
        if (row->status != CB_OK)
            series->n = 0;
        if (series->n == 0)
            continue;
        series->stats = cb_stats_of(series->values, series->n);
        add_result(&results, series->metric->name, series->stats.median, series->stats.min,
                   series->stats.mean);
    }
    return results.all;
}

/* Closes the case and, with tell, hands its row to the observer. */
static enum cb_status close_lane(struct engine *e, struct lane *l, bool tell, struct cb_err *err)
{
    struct cb_row *row = &l->row;
    enum cb_status status = CB_OK;
    uint64_t start = now_ns(e);
    if (l->opened)
        e->executor->close(e->executor->self, row->c);
    row->end_ns = now_ns(e);
    row->duration_s = (double)(l->spent_ns + row->end_ns - start) / 1e9;
    if (row->c->budget_s > 0) {
        e->left_s = fmax(0, e->left_s - row->duration_s);
        e->parts_s -= row->c->budget_s;
    }
    e->results[row->index] = finish_series(row);
    e->statuses[row->index] = row->status;
    if (tell)
        status = e->observer->row_done(e->observer->self, row, err);
    row_free(row);
    return status;
}

/* The cases of a group, or one on its own. */
static enum cb_status run_group(struct engine *e, const int *indices, int n, int order,
                                struct cb_err *err)
{
    struct lane *lanes = calloc((size_t)n, sizeof *lanes);
    enum cb_status status = CB_OK;
    if (!lanes)
        return cb_no_memory(err);
    for (int i = 0; i < n; i++)
        open_lane(e, &lanes[i], indices[i], order + i);
    for (bool again = true; again;) {
        again = false;
        for (int i = 0; i < n; i++)
            again |= step_lane(e, &lanes[i]);
    }
    for (int i = 0; i < n; i++) {
        bool tell = status == CB_OK;
        enum cb_status closed = close_lane(e, &lanes[i], tell, err);
        status = tell ? closed : status;
    }
    free(lanes);
    return status;
}

/* The rows of a run that is resumed, for cases that need them. */
static void take_kept(struct engine *e, int i)
{
    const cJSON *metric, *row = e->plan->cases[i].kept;
    e->statuses[i] = cb_status_from_name(cb_json_text(row, "status", ""));
    struct results results = begin_results();
    cJSON_ArrayForEach (metric, cJSON_GetObjectItemCaseSensitive(row, "metrics"))
        add_result(&results, cb_json_text(metric, "name", ""), cb_json_number(metric, "median"),
                   cb_json_number(metric, "min"), cb_json_number(metric, "mean"));
    e->results[i] = results.all;
}

enum cb_status cb_engine_run(const struct cb_plan *plan, const struct cb_executor *executor,
                             const struct cb_engine_observer *observer, enum cb_order order,
                             uint64_t seed, struct cb_err *err)
{
    size_t room = (size_t)plan->count + 1;
    struct engine e = {
        plan, executor, observer, calloc(room, sizeof *e.statuses), calloc(room, sizeof *e.results),
        0,    0};
    int *indices = calloc(room, sizeof *indices);
    enum cb_status status = CB_OK;
    if (e.statuses && e.results && indices) {
        cb_engine_order(plan, order, seed, indices);
        for (int i = 0; i < plan->count; i++)
            if (plan->cases[i].kept)
                take_kept(&e, i);
            else
                e.left_s = e.parts_s += plan->cases[i].budget_s;
        for (int i = 0, n; i < plan->count && status == CB_OK; i += n) {
            n = cb_group_end(plan, indices[i]) - indices[i];
            if (!plan->cases[indices[i]].kept) /* groups are kept whole */
                status = run_group(&e, indices + i, n, i, err);
        }
    } else {
        status = cb_no_memory(err);
    }
    for (int i = 0; e.results && i < plan->count; i++)
        cJSON_Delete(e.results[i]);
    free(e.results);
    free(e.statuses);
    free(indices);
    return status;
}
