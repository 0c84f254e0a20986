/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch of the app whose workgroups are resized, and what all of them have in common.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/documents/folder.h"
#include "probes/throttle/throttle.h"
#include "runtime/host/time.h"

#define SAMPLES_PER_S 50
#define SAMPLES       20000
/* Point of a trace: shorter spans show the steps of the energy counter. */
#define POINT_NS      100e6
#define POLL_NS       1e6
#define GATHER_S      5  /* no task is ever submitted */
#define LIFETIME_MORE 30 /* s, for preparations */

/* ---- Opening --------------------------------------------------------------------------------- */

static enum cb_status open_app(struct cb_throttle *t, const struct cb_app_case *c,
                               struct cb_err *err)
{
    const struct cb_coop_config config = cb_app_case_config(c, COOP_COOPERATIVE);
    if (cb_app_find_workers(t->on, &config, &t->workers, err) != CB_OK ||
        cb_app_case_limit(c, t->workers, "run at once beside the scheduler", &t->workers, err) !=
            CB_OK)
        return err->status;
    return cb_app_open_mode(t->on, &config, &t->coop, err);
}

/* Without a power all that does not need one is measured. */
enum cb_status cb_throttle_open(const struct cb_app_instance *on,
                                const struct cb_throttle_case *params, struct cb_throttle *t,
                                struct cb_err *err)
{
    struct cb_app_case c;
    t->on = on;
    t->session = on->session;
    t->hold_ns = params->hold_s * 1e9;
    t->idle_ns = params->idle_s * 1e9;
    t->deadline_s = params->resize_deadline_s;
    if (cb_app_case_make(&c, &params->app, err) != CB_OK ||
        cb_app_case_trace_path(&c, t->trace, sizeof t->trace, err) != CB_OK ||
        open_app(t, &c, err) != CB_OK)
        return err->status;
    enum cb_status status = cb_power_open(&on->session->info, &t->power, &t->no_power);
    if (status != CB_OK && status != CB_UNSUPPORTED) {
        *err = t->no_power;
        return status;
    }
    return CB_OK;
}

static void forget(struct cb_throttle *t)
{
    cb_power_sampler_close(t->sampler);
    t->sampler = NULL;
    cJSON_Delete(t->verdict.values);
    cJSON_Delete(t->verdict.notes);
    t->verdict = (struct cb_sample){0};
    t->n_changes = 0;
}

void cb_throttle_close(struct cb_throttle *t)
{
    forget(t);
    cb_coop_close(t->coop);
    cb_power_close(t->power);
    free(t->changes);
}

/* ---- Beginning and waiting ------------------------------------------------------------------- */

static enum cb_status note_active(struct cb_throttle *t, double active, struct cb_err *err)
{
    if (t->n_changes == t->room) {
        size_t room = t->room ? 2 * t->room : 64;
        struct cb_throttle_change *grown = realloc(t->changes, room * sizeof *grown);
        if (!grown)
            return cb_no_memory(err);
        t->changes = grown;
        t->room = room;
    }
    t->changes[t->n_changes++] = (struct cb_throttle_change){(double)cb_now_ns(), active};
    return CB_OK;
}

static void sleep_ns(double ns)
{
    const struct timespec t = {(time_t)(ns / 1e9), (long)fmod(ns, 1e9)};
    nanosleep(&t, NULL);
}

/* The power before there is anything to do. */
static enum cb_status measure_idle(struct cb_throttle *t, struct cb_err *err)
{
    t->idle_w = NAN;
    if (!t->power)
        return CB_OK;
    if (cb_power_sampler_start(t->power, SAMPLES_PER_S, SAMPLES, &t->sampler, err) != CB_OK)
        return err->status;
    double begin = (double)cb_now_ns();
    sleep_ns(t->idle_ns);
    t->idle_w = cb_power_mean(t->sampler, begin, (double)cb_now_ns());
    return CB_OK;
}

enum cb_status cb_throttle_begin(struct cb_throttle *t, size_t groups, double lifetime_s,
                                 struct cb_err *err)
{
    const struct cb_coop_start how = {.first_groups = (unsigned)groups,
                                      .repeat = true,
                                      .lifetime_s = lifetime_s + LIFETIME_MORE,
                                      .gather_s = GATHER_S};
    struct cb_coop_resize first;
    forget(t);
    t->begun_ns = (double)cb_now_ns();
    if (measure_idle(t, err) != CB_OK || note_active(t, 0, err) != CB_OK ||
        t->on->app->clear(t->on->state, err) != CB_OK ||
        cb_coop_start(t->coop, t->workers, &how, err) != CB_OK ||
        cb_coop_await_limit(t->coop, t->deadline_s, &first, err) != CB_OK)
        return err->status;
    return note_active(t, first.active, err);
}

enum cb_status cb_throttle_resize(struct cb_throttle *t, size_t groups,
                                  struct cb_coop_resize *resize, struct cb_err *err)
{
    if (cb_coop_limit(t->coop, (unsigned)groups, err) != CB_OK ||
        cb_coop_await_limit(t->coop, t->deadline_s, resize, err) != CB_OK)
        return err->status;
    return note_active(t, resize->active, err);
}

enum cb_status cb_throttle_wait(struct cb_throttle *t, double until_ns, unsigned runs,
                                unsigned *ended, double *now_ns, struct cb_err *err)
{
    for (;;) {
        if (cb_coop_runs(t->coop, ended, err) != CB_OK)
            return err->status;
        *now_ns = (double)cb_now_ns();
        if (*now_ns >= until_ns || (runs > 0 && *ended >= runs))
            return CB_OK;
        if (cb_coop_has_ended(t->coop))
            return cb_coop_gave_up(t->coop, "its time was over", err);
        sleep_ns(fmin(POLL_NS, until_ns - *now_ns));
    }
}

/* ---- The end --------------------------------------------------------------------------------- */

static double active_at(const struct cb_throttle *t, double time_ns)
{
    double active = 0;
    for (size_t i = 0; i < t->n_changes && t->changes[i].time_ns <= time_ns; i++)
        active = t->changes[i].active;
    return active;
}

/* Power over time, with the workgroups at the end of each span. */
static enum cb_status write_trace(const struct cb_throttle *t, double cap_w, struct cb_err *err)
{
    struct cb_power_point *points = calloc(SAMPLES, sizeof *points);
    if (!points)
        return cb_no_memory(err);
    size_t n = cb_power_points(t->sampler, POINT_NS, points, SAMPLES);
    FILE *out = fopen(t->trace, "we");
    if (out) {
        cb_run_sign(out);
        fputs("# time_s\tpower_w\tactive\tidle_w\tcap_w\n", out);
    }
    for (size_t i = 0; out && i < n; i++)
        fprintf(out, "%.3f\t%.1f\t%.0f\t%.1f\t%g\n", (points[i].time_ns - t->begun_ns) / 1e9,
                points[i].watts, active_at(t, points[i].time_ns), t->idle_w, cap_w);
    enum cb_status status = CB_OK;
    if (!out || fclose(out) != 0)
        status = cb_fail(err, CB_ERROR, "cannot write the trace %s: %s", t->trace, strerror(errno));
    free(points);
    return status;
}

enum cb_status cb_throttle_end(struct cb_throttle *t, double cap_w, struct cb_err *err)
{
    struct cb_coop_result result = {0};
    enum cb_status status = cb_coop_stop(t->coop, &result, err);
    t->verdict.values = cJSON_CreateObject();
    if (status == CB_OK)
        status = cb_app_check(t->on, t->coop, result.runs, &t->verdict, err);
    free(result.run_ns);
    free(result.start_ns);
    if (status == CB_OK)
        status = cb_power_sampler_stop(t->sampler, err);
    if (status == CB_OK && t->sampler && *t->trace)
        status = write_trace(t, cap_w, err);
    return status;
}

void cb_throttle_add_work(const struct cb_throttle *t, double progress, double power_w,
                          struct cb_sample *sample)
{
    const struct cb_app *app = t->on->app;
    cb_sample_add(sample, "progress", progress);
    if (app->work)
        cb_sample_add(sample, "throughput", progress * app->count_work(t->on->state));
    cb_sample_add(sample, "idle_power", t->idle_w);
    cb_sample_add(sample, "power_limit", t->power ? cb_power_limit(t->power) : NAN);
    cb_sample_add(sample, "energy_per_run", power_w / progress);
    cb_sample_add(sample, "progress_per_watt", progress / power_w);
    cb_sample_add(sample, "workers", (double)t->workers);
}
