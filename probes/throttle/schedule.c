/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch that goes through a schedule.
 */
#include <math.h>

#include "probes/throttle/throttle.h"
#include "runtime/host/text.h"
#include "runtime/host/time.h"

#define SETTLING   0.1 /* share of a step's time, before anything is measured */
#define MOST_HOLDS 10  /* a step takes so many times --hold at most, for an app to end twice */

/* From one end of a run of the app to another, so that no part of a run is counted. */
struct window {
    double from_ns, until_ns;
    unsigned from_runs, until_runs;
};

/* The first end of a run after a time; *found: there was one before the deadline. */
static enum cb_status next_end(struct cb_throttle *t, double after_ns, double deadline_ns,
                               double *at_ns, unsigned *runs, bool *found, struct cb_err *err)
{
    unsigned before;
    if (cb_throttle_wait(t, after_ns, 0, &before, at_ns, err) != CB_OK ||
        cb_throttle_wait(t, deadline_ns, before + 1, runs, at_ns, err) != CB_OK)
        return err->status;
    *found = *runs > before;
    return CB_OK;
}

static enum cb_status measure(struct cb_throttle *t, struct cb_throttle_step *step,
                              struct cb_err *err)
{
    double begin = (double)cb_now_ns(), settled = begin + SETTLING * t->hold_ns;
    double deadline = begin + MOST_HOLDS * t->hold_ns;
    struct window w;
    bool found = false, ended = false;
    if (next_end(t, settled, deadline, &w.from_ns, &w.from_runs, &found, err) != CB_OK)
        return err->status;
    if (found && next_end(t, w.from_ns + t->hold_ns, deadline, &w.until_ns, &w.until_runs, &ended,
                          err) != CB_OK)
        return err->status;
    if (!ended)
        w = (struct window){settled, (double)cb_now_ns(), 0, 0};
    step->runs = ended ? (double)(w.until_runs - w.from_runs) : (double)NAN;
    step->progress = step->runs / (w.until_ns - w.from_ns) * 1e9;
    step->power_w = cb_power_mean(t->sampler, w.from_ns, w.until_ns);
    return CB_OK;
}

static enum cb_status run_step(struct cb_throttle *t, int i, struct cb_err *err)
{
    struct cb_throttle_step *step = &t->steps[i];
    double before = t->changes[t->n_changes - 1].active;
    *step = (struct cb_throttle_step){step->groups, before, NAN, NAN, NAN, NAN, NAN};
    if ((double)step->groups != before) {
        struct cb_coop_resize resize;
        if (cb_throttle_resize(t, step->groups, &resize, err) != CB_OK)
            return err->status;
        step->active = resize.active;
        step->resize_ns = t->session->ns_per_tick > 0 ? resize.resize_ns : NAN;
        step->answer_ns = resize.answer_ns;
    }
    return measure(t, step, err);
}

enum cb_status cb_throttle_run_schedule(struct cb_throttle *t, struct cb_err *err)
{
    double each_s = MOST_HOLDS * t->hold_ns / 1e9 + t->deadline_s;
    int first = 0;
    while (t->steps[first].groups == 0 && first + 1 < t->n_steps)
        first++;
    if (cb_throttle_begin(t, t->steps[first].groups, each_s * t->n_steps, err) != CB_OK)
        return err->status;
    for (int i = first; i < t->n_steps; i++)
        if (t->steps[i].groups > 0 && run_step(t, i, err) != CB_OK)
            return cb_context(err, "step %d of %d (%zu workgroup%s)", i + 1, t->n_steps,
                              t->steps[i].groups, CB_PLURAL(t->steps[i].groups));
    return cb_throttle_end(t, NAN, err);
}
