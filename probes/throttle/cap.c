/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch that holds a power cap.
 */
#include <math.h>
#include <stdlib.h>

#include "probes/throttle/control.h"
#include "probes/throttle/throttle.h"
#include "runtime/host/time.h"

/* What was seen in an interval between two looks at the power. */
struct interval {
    double from_ns, until_ns, watts;
    unsigned active, runs;
};

struct log {
    struct interval *list;
    size_t n, room;
};

/* The runs that ended in the interval are told by `ended`, those before it. */
static enum cb_status watch(struct cb_throttle *t, double until_ns, unsigned *ended,
                            struct interval *i, struct cb_err *err)
{
    unsigned before = *ended;
    i->from_ns = (double)cb_now_ns();
    if (cb_throttle_wait(t, until_ns, 0, ended, &i->until_ns, err) != CB_OK)
        return err->status;
    i->runs = *ended - before;
    i->watts = cb_power_mean(t->sampler, i->from_ns, i->until_ns);
    i->active = (unsigned)t->changes[t->n_changes - 1].active;
    return CB_OK;
}

static enum cb_status follow(struct cb_throttle *t, unsigned next, unsigned active,
                             struct cb_sample *sample, struct cb_err *err)
{
    struct cb_coop_resize resize;
    if (next == active)
        return CB_OK;
    if (cb_throttle_resize(t, next, &resize, err) != CB_OK)
        return err->status;
    if (t->session->ns_per_tick > 0)
        cb_sample_add(sample, "resize_time", resize.resize_ns);
    cb_sample_add(sample, "answer_time", resize.answer_ns);
    return CB_OK;
}

static enum cb_status hold(struct cb_throttle *t, const struct cb_throttle_cap *cap,
                           struct log *log, struct cb_sample *sample, struct cb_err *err)
{
    struct cb_throttle_control control = {
        .cap_w = cap->cap_w, .idle_w = t->idle_w, .most = (unsigned)t->workers};
    double end = (double)cb_now_ns() + cap->duration_ns;
    unsigned ended = 0;
    while (log->n < log->room && (double)cb_now_ns() < end) {
        struct interval *i = &log->list[log->n];
        if (watch(t, (double)cb_now_ns() + cap->interval_ns, &ended, i, err) != CB_OK)
            return err->status;
        if (isnan(i->watts)) /* the counter has not moved: look again */
            continue;
        log->n++;
        unsigned next = cb_throttle_control(&control, i->active, i->watts);
        if (follow(t, next, i->active, sample, err) != CB_OK)
            return err->status;
    }
    return CB_OK;
}

/* ---- What came of it ------------------------------------------------------------------------- */

static bool is_over(const struct cb_throttle_cap *cap, double watts)
{
    return watts > cap->cap_w * (1 + CB_THROTTLE_TOLERANCE);
}

/* The first interval in which the cap was held; log->n: none. */
static size_t settled(const struct log *log, const struct cb_throttle_cap *cap)
{
    size_t i = 0;
    while (i < log->n && is_over(cap, log->list[i].watts))
        i++;
    return i;
}

static double mean_with(const struct log *log, unsigned active)
{
    double sum = 0;
    unsigned n = 0;
    for (const struct interval *i = log->list; i < log->list + log->n; i++)
        if (i->active == active) {
            sum += i->watts;
            n++;
        }
    return sum / n;
}

static void add_notes(const struct cb_throttle *t, const struct log *log, size_t first,
                      const struct cb_throttle_cap *cap, struct cb_sample *sample)
{
    unsigned last = log->list[log->n - 1].active;
    bool all = true;
    for (size_t i = 0; i < log->n; i++)
        all = all && log->list[i].active == t->workers;
    if (first == log->n && last == 1)
        cb_sample_note(sample, "the cap was not held: with one workgroup, the device draws %.0f W",
                       mean_with(log, 1));
    else if (first == log->n)
        cb_sample_note(sample, "the cap was not held within %.3g s", cap->duration_ns / 1e9);
    else if (all)
        cb_sample_note(sample, "the cap limits nothing: with all workgroups (%zu), it draws %.0f W",
                       t->workers, mean_with(log, (unsigned)t->workers));
}

/* Adds the intervals from the first on in which the cap was held; if it never was, all. */
static void add_log(const struct cb_throttle *t, const struct log *log,
                    const struct cb_throttle_cap *cap, struct cb_sample *sample)
{
    size_t first = settled(log, cap), from = first < log->n ? first : 0, over = 0;
    double joules = 0, ns = 0, runs = 0;
    if (first < log->n)
        cb_sample_add(sample, "settle_time", log->list[first].from_ns - log->list[0].from_ns);
    for (const struct interval *i = log->list + from; i < log->list + log->n; i++) {
        double span = i->until_ns - i->from_ns;
        cb_sample_add(sample, "power", i->watts);
        cb_sample_add(sample, "active", i->active);
        over += is_over(cap, i->watts);
        joules += i->watts * span / 1e9;
        ns += span;
        runs += i->runs;
    }
    cb_sample_add(sample, "over_cap", (double)over / (double)(log->n - from));
    cb_sample_add(sample, "runs", runs);
    cb_throttle_add_work(t, runs > 0 ? runs / ns * 1e9 : NAN, joules / ns * 1e9, sample);
    add_notes(t, log, first, cap, sample);
}

enum cb_status cb_throttle_hold_cap(struct cb_throttle *t, const struct cb_throttle_cap *cap,
                                    struct cb_sample *sample, struct cb_err *err)
{
    struct log log = {.room = (size_t)(cap->duration_ns / cap->interval_ns) + 1};
    log.list = calloc(log.room, sizeof *log.list);
    if (!log.list)
        return cb_no_memory(err);
    enum cb_status status = cb_throttle_begin(t, t->workers, cap->duration_ns / 1e9, err);
    if (status == CB_OK)
        status = hold(t, cap, &log, sample, err);
    if (status == CB_OK)
        status = cb_throttle_end(t, cap->cap_w, err);
    if (status == CB_OK && log.n == 0)
        status = cb_fail(err, CB_UNSUPPORTED,
                         "a power cap: the energy counter of the device does not move");
    if (status == CB_OK)
        add_log(t, &log, cap, sample);
    free(log.list);
    return status;
}
