/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/launch/aggregation/breakdown.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/stats.h"
#include "probes/launch/aggregation/nested.h"
#include "runtime/host/time.h"

#define MOST_TIMES 9   /* most times of a sample, whose median counts */
#define ENOUGH_NS  3e8 /* total time of a sample's times after the first */

struct cb_breakdown {
    cl_mem before;      /* words before the round */
    cl_mem spare;       /* words before the round that find_round() looks at */
    struct round round; /* the round with the most launches */
    uint64_t launches;  /* number of its launches */
    bool changes;       /* the round changes some of the words */
    uint32_t *after;    /* words after the round; NULL: they depend on the order */
};

const char *const cb_breakdown_metrics[CB_BREAKDOWN_PARTS] = {
    [CB_BREAKDOWN_PARENTS] = "parent_time",
    [CB_BREAKDOWN_AGGREGATION] = "aggregation_time",
    [CB_BREAKDOWN_LAUNCHES] = "launch_time",
    [CB_BREAKDOWN_WORK] = "work_time",
};

/* What each run leaves out, and the part whose time that saves. */
static const struct {
    cl_uint off;
    int part;
} steps[CB_BREAKDOWN_STEPS] = {
    {0, CB_BREAKDOWN_WORK},
    {NEST_OFF_WORK, CB_BREAKDOWN_AGGREGATION},
    {NEST_OFF_WORK | NEST_OFF_SEARCH, CB_BREAKDOWN_LAUNCHES},
    {NEST_OFF_WORK | NEST_OFF_SEARCH | NEST_OFF_LAUNCH, CB_BREAKDOWN_AGGREGATION},
    {NEST_OFF_WORK | NEST_OFF_SEARCH | NEST_OFF_LAUNCH | NEST_OFF_NOTES, CB_BREAKDOWN_PARENTS},
};

void cb_breakdown_parts(const double times[CB_BREAKDOWN_STEPS], double parts[CB_BREAKDOWN_PARTS])
{
    double left = times[0];
    for (int p = 0; p < CB_BREAKDOWN_PARTS; p++)
        parts[p] = 0;
    for (int s = 0; s < CB_BREAKDOWN_STEPS; s++) {
        const double next = s + 1 < CB_BREAKDOWN_STEPS ? fmin(left, times[s + 1]) : 0;
        parts[steps[s].part] += left - next;
        left = next;
    }
}

/* ---- The longest round ----------------------------------------------------------------------- */

static size_t bytes_of(const struct nested *n)
{
    return n->data.n_words * sizeof *n->data.words;
}

static enum cb_status copy_words(struct nested *n, cl_mem from, cl_mem to, struct cb_err *err)
{
    return CB_CL(
        err, clEnqueueCopyBuffer(n->session->queue, from, to, 0, 0, bytes_of(n), 0, NULL, NULL));
}

static enum cb_status read_words(struct nested *n, uint32_t *to, struct cb_err *err)
{
    return cb_buffer_read(n->session, n->buffers[WORDS], to, bytes_of(n), err);
}

/* A launcher that keeps the words before the round with the most launches so far. */
static enum cb_status launch_and_keep(struct nested *n, const struct round *round,
                                      struct cb_err *err)
{
    struct cb_breakdown *b = n->breakdown;
    const uint64_t earlier = n->launches;
    if (copy_words(n, n->buffers[WORDS], b->spare, err) != CB_OK ||
        cb_nested_launch_grid(n, round, err) != CB_OK)
        return err->status;
    if (n->launches - earlier <= b->launches)
        return CB_OK;
    const cl_mem before = b->spare;
    b->spare = b->before;
    b->before = before;
    b->launches = n->launches - earlier;
    b->round = *round;
    return CB_OK;
}

/* Finds the round with `grid`, whatever the case's launcher is, and without a threshold, so that
 * all cases of a program have the same one. */
static enum cb_status find_round(struct nested *n, struct cb_err *err)
{
    const struct nested own = *n;
    n->launch = launch_and_keep;
    n->threshold = 1;
    enum cb_status status = cb_nested_run_laps(n, err);
    n->launch = own.launch;
    n->threshold = own.threshold;
    if (status == CB_OK && n->breakdown->launches == 0)
        return cb_fail(err, CB_UNSUPPORTED, "none of the rounds has launches");
    return status;
}

/* Restores the words before the round. */
static enum cb_status prepare(struct nested *n, struct cb_err *err)
{
    if (cb_nested_clear_counts(n, n->breakdown->round.lap, err) != CB_OK ||
        copy_words(n, n->breakdown->before, n->buffers[WORDS], err) != CB_OK)
        return err->status;
    return CB_CL(err, clFinish(n->session->queue));
}

static enum cb_status keep_after(struct nested *n, struct cb_err *err)
{
    struct cb_breakdown *b = n->breakdown;
    b->after = malloc(bytes_of(n));
    if (!b->after)
        return cb_no_memory(err);
    if (prepare(n, err) != CB_OK || read_words(n, n->found, err) != CB_OK ||
        cb_nested_launch_grid(n, &b->round, err) != CB_OK || read_words(n, b->after, err) != CB_OK)
        return err->status;
    b->changes = memcmp(n->found, b->after, bytes_of(n)) != 0;
    return CB_OK;
}

enum cb_status cb_breakdown_open(struct nested *n, struct cb_err *err)
{
    struct cb_breakdown *b = n->breakdown = calloc(1, sizeof *b);
    if (!b)
        return cb_no_memory(err);
    b->before = cb_buffer_create(n->session, bytes_of(n), err);
    b->spare = b->before ? cb_buffer_create(n->session, bytes_of(n), err) : NULL;
    if (!b->spare || find_round(n, err) != CB_OK)
        return err->status;
    return n->program->same_rounds ? keep_after(n, err) : CB_OK;
}

void cb_breakdown_close(struct nested *n)
{
    struct cb_breakdown *b = n->breakdown;
    if (!b)
        return;
    if (b->before)
        clReleaseMemObject(b->before);
    if (b->spare)
        clReleaseMemObject(b->spare);
    free(b->after);
    free(b);
}

/* ---- Running the round ----------------------------------------------------------------------- */

static enum cb_status run_coop(struct nested *n, double *ns, struct cb_err *err)
{
    const struct round *round = &n->breakdown->round;
    const struct cb_nest_part part = {.first_lap = round->lap,
                                      .first_phase = round->phase,
                                      .phases = round->phase + 1,
                                      .off = n->off};
    struct cb_coop_time time;
    cl_uint launches;
    if (cb_nest_coop_run(&n->coop, &part, &time, &launches, err) != CB_OK)
        return err->status;
    n->launches = launches;
    *ns = time.run_ns;
    return CB_OK;
}

static enum cb_status run_by_host(struct nested *n, double *ns, struct cb_err *err)
{
    cl_ulong counts[NEST_COUNTS];
    const double begin = (double)cb_now_ns();
    if (n->launch(n, &n->breakdown->round, err) != CB_OK ||
        CB_CL(err, clFinish(n->session->queue)) != CB_OK)
        return err->status;
    *ns = (double)cb_now_ns() - begin;
    if (cb_buffer_read(n->session, n->buffers[COUNTS], counts, sizeof counts, err) != CB_OK)
        return err->status;
    n->launches = NEST_RECORDS(counts[NEST_COUNT_OF(0)]);
    if (n->launches == 0) /* `enqueue` writes no other count */
        n->launches = counts[NEST_ALL];
    return CB_OK;
}

/* Runs the round without `off`. *ns: by the device's clock if a kernel itself launches, since its
 * own launch is not one of the children's; else by the host's. */
static enum cb_status run_without(struct nested *n, cl_uint off, double *ns, struct cb_err *err)
{
    if (prepare(n, err) != CB_OK)
        return err->status;
    n->off = off;
    enum cb_status status = (n->launch ? run_by_host : run_coop)(n, ns, err);
    n->off = 0;
    return status;
}

/* Checks the words after a run that left out nothing. */
static void check_words(const struct nested *n, struct cb_sample *sample)
{
    const struct cb_breakdown *b = n->breakdown;
    for (size_t i = 0; i < n->data.n_words; i++)
        if (!cb_sample_check(sample, n->found[i] == b->after[i],
                             "lap %u, phase %u on its own: word %zu is %u instead of %u",
                             b->round.lap, b->round.phase, i, n->found[i], b->after[i]))
            return;
}

/* Checks that a run did all, or left out what it was to leave out. */
static enum cb_status check(struct nested *n, cl_uint off, struct cb_sample *sample,
                            struct cb_err *err)
{
    const struct cb_breakdown *b = n->breakdown;
    if (off & NEST_OFF_NOTES)
        cb_sample_check(sample, n->launches == 0, "launches were noted that were to be left out");
    else if (b->after && n->threshold == 1)
        cb_sample_check(sample, n->launches == b->launches,
                        "lap %u, phase %u on its own: %" PRIu64 " launches instead of %" PRIu64,
                        b->round.lap, b->round.phase, n->launches, b->launches);
    if (!b->after || (off & NEST_OFF_LAUNCH))
        return CB_OK;
    if (read_words(n, n->found, err) != CB_OK)
        return err->status;
    if (off == 0)
        check_words(n, sample);
    else if (b->changes)
        cb_sample_check(sample, memcmp(n->found, b->after, bytes_of(n)) != 0,
                        "children did what they were to leave out");
    return CB_OK;
}

/* Runs all steps once, the first time with checks. */
static enum cb_status run_steps(struct nested *n, double ns[CB_BREAKDOWN_STEPS], bool is_first,
                                struct cb_sample *sample, struct cb_err *err)
{
    for (int s = 0; s < CB_BREAKDOWN_STEPS; s++) {
        if (run_without(n, steps[s].off, &ns[s], err) != CB_OK)
            return err->status;
        if (is_first && s == 0)
            cb_sample_add(sample, "launches", (double)n->launches);
        if (is_first && check(n, steps[s].off, sample, err) != CB_OK)
            return err->status;
    }
    return CB_OK;
}

/* Takes the median of n times of each step. */
static void take_medians(double (*all)[CB_BREAKDOWN_STEPS], size_t n,
                         double medians[CB_BREAKDOWN_STEPS])
{
    double of_step[MOST_TIMES];
    for (int s = 0; s < CB_BREAKDOWN_STEPS; s++) {
        for (size_t t = 0; t < n; t++)
            of_step[t] = all[t][s];
        medians[s] = cb_stats_of(of_step, n).median;
    }
}

enum cb_status cb_breakdown_run(struct nested *n, struct cb_sample *sample, struct cb_err *err)
{
    double all[MOST_TIMES][CB_BREAKDOWN_STEPS], times[CB_BREAKDOWN_STEPS];
    double parts[CB_BREAKDOWN_PARTS];
    const double begin = (double)cb_now_ns();
    size_t t = 0;
    for (; t == 0 || (t < MOST_TIMES && (double)cb_now_ns() - begin < ENOUGH_NS); t++)
        if (run_steps(n, all[t], t == 0, sample, err) != CB_OK)
            return err->status;
    take_medians(all, t, times);
    cb_breakdown_parts(times, parts);
    cb_sample_add(sample, "run_time", times[0]);
    for (int p = 0; p < CB_BREAKDOWN_PARTS; p++)
        cb_sample_add(sample, cb_breakdown_metrics[p], parts[p]);
    return CB_OK;
}
