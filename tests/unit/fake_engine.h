/* SPDX-License-Identifier: Apache-2.0
 *
 * An executor, a clock and an observer for the engine, all made up: no device, no waiting. For one
 * test program each (everything is static).
 */
#pragma once

#include <stdio.h>
#include <string.h>

#include "measure/engine.h"
#include "tests/unit/unit.h"

#define SECOND   1000000000u
#define MAX_ROWS 16
enum fault {
    NO_FAULT,
    NEVER_QUIET,
    OPEN_FAILS,
    RUN_FAILS,
    WRONG_ANSWER,
    CLOCK_GOES_BACK,
    SIGNAL_IN_OPEN,
    SIGNAL_IN_RUN
};

/* The observer keeps this of a row. */
struct seen {
    const char *id;
    int index, order;
    enum cb_status status;
    char reason[256];
    double duration_s, lasted_s; /* lasted_s: from its begin to its end */
    unsigned warmup, runs;
    bool verified;
    const char *stop_reason;
    int notes;
    char note[64];      /* the first */
    size_t n_series, n; /* n: samples of "time" */
    double first, median;
};

static struct world {
    uint64_t now_ns, run_ns, wait_ns; /* wait_ns: before each case */
    double (*value)(unsigned run);    /* of "time"; run 0 is the case's first, warm-up or not */
    unsigned runs[MAX_ROWS];          /* by the case's place in the plan */
    enum fault fault;
    const char *faulty; /* id of the case that has the fault */
    unsigned faulty_run;
    bool interrupted;
    char trace[512];     /* "+a" opened, "-a" closed */
    char run_trace[512]; /* "aab": two runs of a, one of b */
    char needed[128], least[128];
    struct seen rows[MAX_ROWS];
    int n_started, n_rows, rows_allowed;
    unsigned runs_told;
} world;

static struct cb_plan plan;

static unsigned *runs_of(const struct cb_case *c)
{
    return &world.runs[c - plan.cases];
}

static double rising(unsigned run)
{
    return run;
}

static const struct cb_metric metrics[] = {
    {"extra", "1", CB_NEITHER, false, "Not every run has it."},
    {"time", "ns", CB_LOWER, true, "Decides."},
    {0},
};
static const struct cb_bench bench = {
    .id = "fake", .metrics = metrics, .stop = {.rule = CB_STOP_COUNT, .min_runs = 3}};

static bool is_faulty(const struct cb_case *c, enum fault fault)
{
    return world.fault == fault && strcmp(c->id, world.faulty) == 0;
}

static void trace(char what, const struct cb_case *c)
{
    size_t n = strlen(world.trace);
    snprintf(world.trace + n, sizeof world.trace - n, "%c%s", what, c->id);
}

static enum cb_status fake_await(void *self, const struct cb_case *c, struct cb_err *err)
{
    assert_ptr_equal(self, &world);
    world.now_ns += world.wait_ns;
    return is_faulty(c, NEVER_QUIET) ? cb_fail(err, CB_SKIPPED, "somebody is there") : CB_OK;
}

static enum cb_status fake_open(void *self, const struct cb_case *c, const cJSON *params,
                                struct cb_err *err)
{
    assert_ptr_equal(self, &world);
    trace('+', c);
    *runs_of(c) = 0;
    cJSON *needed = cJSON_GetObjectItemCaseSensitive(params, "needed");
    cJSON *least = cJSON_GetObjectItemCaseSensitive(params, "least");
    if (needed)
        assert_true(cJSON_PrintPreallocated(needed, world.needed, sizeof world.needed, false) &&
                    cJSON_PrintPreallocated(least, world.least, sizeof world.least, false));
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(params, "id")), c->id);
    world.interrupted |= is_faulty(c, SIGNAL_IN_OPEN);
    return is_faulty(c, OPEN_FAILS) ? cb_fail(err, CB_UNSUPPORTED, "no such atomics") : CB_OK;
}

static enum cb_status fake_run(void *self, const struct cb_case *c, struct cb_sample *sample,
                               struct cb_err *err)
{
    assert_ptr_equal(self, &world);
    bool now = *runs_of(c) == world.faulty_run;
    cb_sample_add(sample, "time",
                  now && is_faulty(c, CLOCK_GOES_BACK) ? -5 : world.value(*runs_of(c)));
    cb_sample_note(sample, "%s ran", c->id);
    strncat(world.run_trace, c->id, sizeof world.run_trace - strlen(world.run_trace) - 1);
    cb_sample_check(sample, !(now && is_faulty(c, WRONG_ANSWER)), "id %d twice", 7);
    ++*runs_of(c);
    world.now_ns += world.run_ns;
    world.interrupted |= now && is_faulty(c, SIGNAL_IN_RUN);
    return now && is_faulty(c, RUN_FAILS) ? cb_fail(err, CB_TIMEOUT, "waited for ever") : CB_OK;
}

static void fake_close(void *self, const struct cb_case *c)
{
    assert_ptr_equal(self, &world);
    trace('-', c);
}

static uint64_t fake_now(void *self)
{
    return ((struct world *)self)->now_ns;
}

static bool fake_interrupted(void *self)
{
    return ((struct world *)self)->interrupted;
}

static void see_start(void *self, const struct cb_case *c, int order, int n_cases)
{
    assert_ptr_equal(self, &world);
    assert_non_null(c);
    assert_int_equal(order, world.n_started++);
    assert_int_equal(n_cases, plan.count);
}

static void see_run(void *self, const struct cb_case *c, unsigned runs)
{
    assert_ptr_equal(self, &world);
    assert_non_null(c);
    world.runs_told = runs;
}

static enum cb_status see_row(void *self, const struct cb_row *row, struct cb_err *err)
{
    assert_ptr_equal(self, &world);
    assert_true(world.n_rows < MAX_ROWS);
    const struct cb_series *time = &row->series[1];
    struct seen *seen = &world.rows[world.n_rows++];
    *seen = (struct seen){.id = row->c->id,
                          .index = row->index,
                          .order = row->order,
                          .status = row->status,
                          .duration_s = row->duration_s,
                          .lasted_s = (double)(row->end_ns - row->begin_ns) / SECOND,
                          .warmup = row->warmup,
                          .runs = row->runs,
                          .verified = row->verified,
                          .stop_reason = row->stop_reason,
                          .n_series = (size_t)row->n_series,
                          .n = time->n,
                          .first = time->n ? time->values[0] : -1,
                          .median = time->n ? time->stats.median : -1};
    seen->notes = cJSON_GetArraySize(row->notes);
    if (seen->notes)
        snprintf(seen->note, sizeof seen->note, "%s", row->notes->child->valuestring);
    snprintf(seen->reason, sizeof seen->reason, "%.250s", row->reason);
    if (world.n_rows >= world.rows_allowed)
        return cb_fail(err, CB_ERROR, "disk full");
    return CB_OK;
}

/* --- Helpers ---------------------------------------------------------------------------------- */

static int setup(void **unused)
{
    (void)unused;
    world = (struct world){.value = rising, .run_ns = SECOND, .rows_allowed = MAX_ROWS + 1};
    return 0;
}

static int teardown(void **unused)
{
    (void)unused;
    cb_plan_free(&plan);
    return 0;
}

static struct cb_case *add(const char *id, int needs)
{
    static const struct cb_device device = {.id = "name:fake"};
    plan.bench = &bench;
    plan.device = &device;
    struct cb_case *c = cb_plan_add(&plan, "%s", id);
    strcpy(c->id, id);
    cJSON_AddStringToObject(c->params, "id", id);
    c->needs = needs;
    return c;
}

static enum cb_status run_plan(enum cb_order order, struct cb_err *err)
{
    const struct cb_executor executor = {&world,     fake_await, fake_open,       fake_run,
                                         fake_close, fake_now,   fake_interrupted};
    const struct cb_engine_observer observer = {&world, see_start, see_run, see_row};
    return cb_engine_run(&plan, &executor, &observer, order, 1, err);
}

static void runs_ok(void)
{
    struct cb_err err = {CB_OK, ""};
    if (run_plan(CB_ORDER_LISTED, &err) != CB_OK)
        fail_msg("%s", err.text);
    assert_int_equal(world.n_rows, plan.count);
}
