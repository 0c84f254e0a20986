/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/sharing.h"
#include "measure/stats.h"
#include "probes/multitask/together/internal.h"
#include "runtime/host/text.h"
#include "runtime/host/time.h"

#define LEAST_RUNS     3 /* fewest runs of each app in what is measured */
#define WINDOW_RUNS    6 /* runs of each app in a window of a policy, if that is not longer than */
#define WINDOW_S       1.2
#define WINDOW_LEAST_S 0.002
#define RESIZES        20    /* resizes from one app to the other, for their time */
#define PAUSE_NS       50000 /* between two looks */

/* ---- Runs ------------------------------------------------------------------------------------ */

/* What a kernel of the megakernel did, and which of its runs count. */
struct stretch {
    struct cb_coop_result result;
    unsigned from, until;
};

static void free_result(struct cb_coop_result *r)
{
    free(r->run_ns);
    free(r->start_ns);
    *r = (struct cb_coop_result){0};
}

/* From the start of a run to that of the next: the median of those that count, since one run that
 * the machine held up would decide a mean of few. NaN: too few are known. */
static double time_of(const struct stretch *s)
{
    const struct cb_coop_result *r = &s->result;
    const unsigned lost = r->runs - r->kept, first = s->from > lost ? s->from - lost : 0,
                   last = s->until > lost ? s->until - lost : 0;
    double *times = last > first && last < r->kept ? malloc((last - first) * sizeof *times) : NULL;
    if (!times)
        return NAN;
    for (unsigned i = first; i < last; i++)
        times[i - first] = r->start_ns[i + 1] - r->start_ns[i];
    const double median = cb_stats_of(times, last - first).median;
    free(times);
    return median;
}

/* That n kernels have ended so far. */
static enum cb_status read_runs(struct cb_coop *coop, unsigned n, unsigned runs[2],
                                struct cb_err *err)
{
    for (unsigned k = 0; k < n; k++)
        if (cb_coop_runs_of(coop, k, &runs[k], err) != CB_OK)
            return err->status;
    return CB_OK;
}

/* Looks until both (or the one) have ended so many runs since the last time, at most for so long.
 * runs: in, out. */
static enum cb_status wait_for(struct cb_coop *coop, unsigned n, unsigned least, double least_s,
                               double most_s, unsigned runs[2], struct cb_err *err)
{
    const unsigned before[2] = {runs[0], n > 1 ? runs[1] : 0};
    const double begin = (double)cb_now_ns();
    for (bool enough = false; !enough;) {
        cb_sleep_until_ns((double)cb_now_ns() + PAUSE_NS);
        enough = (double)cb_now_ns() - begin >= least_s * 1e9;
        if (read_runs(coop, n, runs, err) != CB_OK)
            return err->status;
        for (unsigned k = 0; k < n; k++)
            enough &= runs[k] - before[k] >= least;
        enough |= (double)cb_now_ns() - begin >= most_s * 1e9 || cb_coop_has_ended(coop);
    }
    return CB_OK;
}

/* ---- Alone ----------------------------------------------------------------------------------- */

/* workers: of kernel `coop`; later: the second one of it does not begin. */
static enum cb_status run_alone(struct cb_together *t, int i, struct cb_coop *coop, size_t workers,
                                double *time, struct cb_sample *sample, struct cb_err *err)
{
    const struct cb_coop_start how = {.repeat = true,
                                      .later = {false, true},
                                      .lifetime_s = CB_TOGETHER_LIFETIME_S,
                                      .gather_s = CB_TOGETHER_GATHER_S};
    unsigned runs[2] = {0};
    struct stretch s = {0};
    cb_coop_move(coop, t->word);
    if (t->on[i].app->clear(t->on[i].state, err) != CB_OK ||
        (coop == t->both && t->on[1].app->clear(t->on[1].state, err) != CB_OK) ||
        cb_coop_start(coop, workers, &how, err) != CB_OK ||
        wait_for(coop, 1, LEAST_RUNS, t->budget_ns / 4e9, t->progress_s, runs, err) != CB_OK)
        return err->status;
    enum cb_status status = cb_coop_stop(coop, &s.result, err);
    const bool was_right = !sample->failure[0];
    if (status == CB_OK)
        status = cb_app_check_one(&t->on[i], coop, s.result.runs, sample, err);
    if (was_right && coop == t->both)
        cb_sample_context(sample, "before %s has begun", t->on[!i].app->id);
    else if (was_right)
        cb_sample_context(sample, "alone");
    s.from = 1; /* the first finds cold caches */
    s.until = runs[0];
    *time = time_of(&s);
    free_result(&s.result);
    return status;
}

/* ---- Together -------------------------------------------------------------------------------- */

/* What both do in a window, without the runs that began with other shares. */
static enum cb_status measure_window(struct cb_together *t, struct cb_policy_view *view,
                                     struct cb_err *err)
{
    unsigned runs[2] = {0}, before[2];
    if (read_runs(t->both, 2, runs, err) != CB_OK ||
        wait_for(t->both, 2, 1, cb_together_rest_s(&t->meter), WINDOW_S, runs, err) != CB_OK)
        return err->status;
    memcpy(before, runs, sizeof before);
    const double begin = (double)cb_now_ns();
    if (wait_for(t->both, 2, WINDOW_RUNS, cb_together_window_s(&t->meter, WINDOW_LEAST_S), WINDOW_S,
                 runs, err) != CB_OK)
        return err->status;
    view->watts = cb_together_watts_since(&t->meter, begin);
    for (int k = 0; k < 2; k++)
        view->rates[k] = (runs[k] - before[k]) / ((double)cb_now_ns() - begin) * 1e9;
    return CB_OK;
}

/* A window of the policy that ends now; begin: host clock. */
static void note_window(const struct cb_together *t, const struct cb_policy_view *view,
                        double begin, bool settled, struct cb_sample *sample)
{
    cb_sample_add(sample, "window_begin", begin - t->begun_ns);
    cb_sample_add(sample, "window_end", (double)cb_now_ns() - t->begun_ns);
    cb_sample_add(sample, "window_settled", settled);
    cb_sample_add(sample, "window_app_groups", view->groups[0]);
    cb_sample_add(sample, "window_beside_groups", view->groups[1]);
    cb_sample_add(sample, "window_app_rate", view->rates[0]);
    cb_sample_add(sample, "window_beside_rate", view->rates[1]);
}

/* Until the policy has settled. */
static enum cb_status settle(struct cb_together *t, struct cb_policy_view *view,
                             struct cb_sample *sample, struct cb_err *err)
{
    unsigned groups[COOP_MOST_KERNELS] = {0};
    for (bool settled = false; !settled && !cb_coop_has_ended(t->both); t->memory.windows++) {
        const double begin = (double)cb_now_ns();
        settled = t->policy->decide(&t->memory, view, groups);
        memcpy(view->groups, groups, sizeof view->groups);
        if (cb_coop_limits(t->both, groups, err) != CB_OK ||
            (!settled && measure_window(t, view, err) != CB_OK))
            return err->status;
        if (!settled)
            note_window(t, view, begin, false, sample);
    }
    return CB_OK;
}

static enum cb_status starves(const struct cb_together *t, const unsigned runs[2],
                              const unsigned before[2], struct cb_err *err)
{
    if (cb_coop_has_ended(t->both)) /* it gave up */
        return cb_coop_stop(t->both, NULL, err) != CB_OK
                   ? err->status
                   : cb_fail(err, CB_ERROR, "the megakernel has ended");
    const int k = runs[0] - before[0] < runs[1] - before[1] ? 0 : 1;
    return cb_fail(err, CB_TIMEOUT,
                   "%s has ended %u run%s in %.3g s beside %s: the policy %s starves it, or "
                   "--progress-deadline is too short",
                   t->on[k].app->id, runs[k] - before[k], CB_PLURAL(runs[k] - before[k]),
                   t->progress_s, t->on[!k].app->id, t->policy->name);
}

/* Both with what the policy has settled on: for the budget, and some runs of each. from: their runs
 * before; runs: and after that. */
static enum cb_status run_settled(struct cb_together *t, struct cb_policy_view *view,
                                  unsigned from[2], unsigned runs[2], struct cb_sample *sample,
                                  struct cb_err *err)
{
    const double begin = (double)cb_now_ns(), budget_s = t->budget_ns / 1e9;
    if (read_runs(t->both, 2, runs, err) != CB_OK)
        return err->status;
    memcpy(from, runs, 2 * sizeof *from);
    t->meter.spans[1].from_ns = begin + cb_together_rest_s(&t->meter) * 1e9;
    if (wait_for(t->both, 2, LEAST_RUNS, budget_s, fmax(t->progress_s, budget_s), runs, err) !=
        CB_OK)
        return err->status;
    t->meter.spans[1].until_ns = (double)cb_now_ns();
    for (int k = 0; k < 2; k++)
        view->rates[k] = (runs[k] - from[k]) / ((double)cb_now_ns() - begin) * 1e9;
    note_window(t, view, begin, true, sample);
    return runs[0] - from[0] < LEAST_RUNS || runs[1] - from[1] < LEAST_RUNS
               ? starves(t, runs, from, err)
               : CB_OK;
}

static enum cb_status run_both(struct cb_together *t, struct cb_policy_view *view,
                               struct stretch of[2], struct cb_sample *sample, struct cb_err *err)
{
    const struct cb_coop_start how = {
        .repeat = true, .lifetime_s = CB_TOGETHER_LIFETIME_S, .gather_s = CB_TOGETHER_GATHER_S};
    unsigned runs[2], from[2];
    cb_coop_move(t->both, t->word);
    if (cb_app_clear_all(&t->on[0], err) != CB_OK ||
        cb_coop_start(t->both, t->workers, &how, err) != CB_OK)
        return err->status;
    t->begun_ns = (double)cb_now_ns();
    if (settle(t, view, sample, err) != CB_OK ||
        run_settled(t, view, from, runs, sample, err) != CB_OK)
        return err->status;
    for (int k = 0; k < 2; k++) {
        of[k].from = from[k] + 1; /* began after that */
        of[k].until = runs[k];
    }
    return cb_together_resize(t, t->both, view->groups, RESIZES, sample, err);
}

#define HALF (sizeof((struct cb_sample *)NULL)->failure / 2)

/* "together: bfs: ...; game is right" */
static void tell_failures(const struct cb_together *t, char failures[2][HALF], char *text,
                          size_t size)
{
    const int wrong = failures[0][0] ? 0 : 1;
    if (failures[0][0] && failures[1][0])
        snprintf(text, size, "together: %.480s; %.480s", failures[0], failures[1]);
    else if (failures[wrong][0])
        snprintf(text, size, "together: %s; %s is right", failures[wrong], t->on[!wrong].app->id);
}

/* Both are checked, whatever the first check says; then: which of the two is wrong. */
static enum cb_status check_both(struct cb_together *t, struct stretch of[2],
                                 struct cb_sample *sample, struct cb_err *err)
{
    char before[sizeof sample->failure], failures[2][HALF];
    if (cb_coop_stop(t->both, &of[0].result, err) != CB_OK ||
        cb_coop_result_of(t->both, 1, &of[1].result, err) != CB_OK)
        return err->status;
    strcpy(before, sample->failure);
    for (int k = 0; k < 2; k++) {
        sample->failure[0] = '\0';
        if (cb_app_check_one(&t->on[k], t->both, of[k].result.runs, sample, err) != CB_OK)
            return err->status;
        snprintf(failures[k], sizeof failures[k], "%.500s", sample->failure);
    }
    strcpy(sample->failure, before);
    if (!before[0])
        tell_failures(t, failures, sample->failure, sizeof sample->failure);
    return CB_OK;
}

/* ---- A sample -------------------------------------------------------------------------------- */

static enum cb_status add_values(const double alone[2], const double together[2],
                                 double nobody_else, const struct cb_policy_view *view,
                                 struct cb_sample *sample, struct cb_err *err)
{
    if (!(alone[0] > 0 && alone[1] > 0 && together[0] > 0 && together[1] > 0 && nobody_else > 0))
        return cb_fail(err, CB_UNSUPPORTED, "the device has no clock by which runs can be timed");
    cb_sharing_add(sample, alone, together, "beside");
    cb_sample_add(sample, "overhead_beside_nobody", nobody_else / alone[0]);
    cb_sample_add(sample, "app_groups", view->groups[0]);
    cb_sample_add(sample, "beside_groups", view->groups[1]);
    cb_sample_add(sample, "workers", view->workers);
    return CB_OK;
}

enum cb_status cb_together_sample(struct cb_together *t, struct cb_sample *sample,
                                  struct cb_err *err)
{
    double alone[2], together[2], nobody_else;
    struct stretch of[2] = {{{0}, 0, 0}, {{0}, 0, 0}};
    t->word++;
    for (int i = 0; i < 2; i++)
        if (run_alone(t, i, t->alone[i], t->alone_workers[i], &alone[i], sample, err) != CB_OK)
            return cb_context(err, "%s alone", t->on[i].app->id);
    if (run_alone(t, 0, t->both, t->workers, &nobody_else, sample, err) != CB_OK)
        return cb_context(err, "%s, before %s has begun", t->on[0].app->id, t->on[1].app->id);
    struct cb_policy_view view = {
        .workers = (unsigned)t->workers,
        .n = 2,
        .share = t->share,
        .deadline_s = t->app_deadline_s > 0 ? t->app_deadline_s : 2 * alone[0] / 1e9,
        .rate = t->app_rate > 0 ? t->app_rate : CB_TOGETHER_RATE_PART * 1e9 / alone[0],
        .watts = NAN};
    enum cb_status status = cb_power_meter_begin(&t->meter, err);
    if (status == CB_OK)
        status = run_both(t, &view, of, sample, err);
    if (status == CB_OK)
        status = check_both(t, of, sample, err);
    if (status == CB_OK)
        status = cb_together_trace(t, view.groups, sample, err);
    for (int k = 0; k < 2; k++) {
        together[k] = status == CB_OK ? time_of(&of[k]) : NAN;
        free_result(&of[k].result);
    }
    t->meter.spans[1].run_ns = together[0];
    if (status == CB_OK)
        status = cb_power_meter_end(&t->meter, sample, err);
    cb_sample_add(sample, "app_workers_alone", (double)t->alone_workers[0]);
    cb_sample_add(sample, "beside_workers_alone", (double)t->alone_workers[1]);
    return status == CB_OK ? add_values(alone, together, nobody_else, &view, sample, err) : status;
}
