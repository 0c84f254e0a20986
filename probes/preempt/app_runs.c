/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/preempt/app_runs.h"

#include <math.h>
#include <stdlib.h>

#include "runtime/host/time.h"

enum cb_status cb_preempt_app_ready(struct cb_preempt_app *a, struct cb_err *err)
{
    a->runs = 0;
    a->launches = 0;
    a->launched_ns = 0;
    if (a->on->app->clear(a->on->state, err) != CB_OK)
        return err->status;
    return cb_clock_link_open(a->on->session, &a->link, err);
}

enum cb_status cb_preempt_app_begin(struct cb_preempt_app *a, double for_ns, struct cb_err *err)
{
    return cb_coop_repeat(a->coop, a->groups, (unsigned)a->runs, for_ns, err);
}

static bool make_room(struct cb_preempt_app *a, size_t runs)
{
    if (runs <= a->room)
        return true;
    struct cb_preempt_span *grown = realloc(a->spans, 2 * runs * sizeof *grown);
    if (!grown)
        return false;
    a->spans = grown;
    a->room = 2 * runs;
    return true;
}

/* By the device's clock, if there is one, as the host's. */
static void add_runs(struct cb_preempt_app *a, const struct cb_coop_result *r)
{
    double tick = a->link.ns_per_tick;
    for (unsigned i = 0; i < r->kept; i++) {
        double from = tick > 0 ? cb_clock_link_host_ns(&a->link, (uint64_t)(r->start_ns[i] / tick))
                               : r->start_ns[i];
        a->spans[a->runs++] = (struct cb_preempt_span){from, from + r->run_ns[i]};
    }
}

enum cb_status cb_preempt_app_end(struct cb_preempt_app *a, struct cb_err *err)
{
    struct cb_coop_result r = {0};
    enum cb_status status = cb_coop_repeat_end(a->coop, &r, err);
    if (status == CB_OK && !make_room(a, a->runs + r.kept))
        status = cb_no_memory(err);
    if (status == CB_OK) {
        add_runs(a, &r);
        a->launches++;
        a->launched_ns += r.kernel_ns;
    }
    free(r.run_ns);
    free(r.start_ns);
    return status;
}

enum cb_status cb_preempt_app_window(struct cb_preempt_app *a, double launch_ns, double for_ns,
                                     struct cb_err *err)
{
    const double until = (double)cb_now_ns() + for_ns;
    do {
        if (cb_preempt_app_begin(a, launch_ns, err) != CB_OK || cb_preempt_app_end(a, err) != CB_OK)
            return err->status;
    } while ((double)cb_now_ns() < until);
    return CB_OK;
}

enum cb_status cb_preempt_app_check(struct cb_preempt_app *a, struct cb_sample *sample,
                                    struct cb_err *err)
{
    return cb_app_check(a->on, a->coop, (unsigned)a->runs, sample, err);
}

static bool is_within(const struct cb_preempt_span *run, const struct cb_preempt_span *span,
                      bool whole)
{
    return whole ? run->from_ns >= span->from_ns && run->until_ns <= span->until_ns
                 : run->until_ns > span->from_ns && run->from_ns < span->until_ns;
}

double cb_preempt_mean_run(const struct cb_preempt_span *spans, size_t runs,
                           const struct cb_preempt_span *within)
{
    for (int whole = 1; whole >= 0; whole--) {
        double sum = 0;
        unsigned n = 0;
        for (size_t i = 0; i < runs; i++)
            if (is_within(&spans[i], within, whole)) {
                sum += spans[i].until_ns - spans[i].from_ns;
                n++;
            }
        if (n > 0)
            return sum / n;
    }
    return NAN;
}

void cb_preempt_app_free(struct cb_preempt_app *a)
{
    cb_coop_close(a->coop);
    free(a->spans);
    *a = (struct cb_preempt_app){0};
}
