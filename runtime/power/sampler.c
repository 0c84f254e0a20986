/* SPDX-License-Identifier: Apache-2.0
 *
 * A thread that samples a power meter.
 */
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "runtime/host/time.h"
#include "runtime/power/series.h"

struct cb_power_sampler {
    struct cb_power *power;
    double period_ns;
    pthread_t thread;
    bool joined;
    /* what follows is shared */
    pthread_mutex_t mutex;
    pthread_cond_t stopped;
    bool stops;
    struct cb_err failure;
    struct cb_power_series series;
};

/* ---- The thread ------------------------------------------------------------------------------ */

static struct timespec timespec_of(double ns)
{
    return (struct timespec){(time_t)(ns / 1e9), (long)fmod(ns, 1e9)};
}

/* One reading, at least. */
static void *sample(void *self)
{
    struct cb_power_sampler *s = self;
    double next = (double)cb_now_ns();
    bool stops = false;
    while (!stops) {
        struct cb_power_reading reading = {0};
        struct cb_err err = {0};
        enum cb_status status = cb_power_read(s->power, &reading, &err); /* may take its time */
        next = fmax(next + s->period_ns, (double)cb_now_ns());
        const struct timespec until = timespec_of(next);
        pthread_mutex_lock(&s->mutex);
        if (status == CB_OK)
            cb_power_series_add(&s->series, &reading);
        else
            s->failure = err;
        s->stops = s->stops || status != CB_OK;
        while (!s->stops && pthread_cond_timedwait(&s->stopped, &s->mutex, &until) == 0)
            ;
        stops = s->stops;
        pthread_mutex_unlock(&s->mutex);
    }
    return NULL;
}

/* Signals are for the other thread. */
static int begin(struct cb_power_sampler *s)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = pthread_create(&s->thread, NULL, sample, s);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

enum cb_status cb_power_sampler_start(struct cb_power *power, double rate_hz, size_t room,
                                      struct cb_power_sampler **sampler, struct cb_err *err)
{
    struct cb_power_sampler *s = calloc(1, sizeof *s);
    pthread_condattr_t monotonic;
    *sampler = NULL;
    if (!s)
        return cb_no_memory(err);
    s->power = power;
    s->period_ns = 1e9 / rate_hz;
    pthread_mutex_init(&s->mutex, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&s->stopped, &monotonic);
    pthread_condattr_destroy(&monotonic);
    if (!cb_power_series_open(&s->series, room) || begin(s) != 0) {
        s->joined = true;
        cb_power_sampler_close(s);
        return cb_fail(err, CB_ERROR, "out of memory or of threads to sample the power with");
    }
    *sampler = s;
    return CB_OK;
}

enum cb_status cb_power_sampler_stop(struct cb_power_sampler *s, struct cb_err *err)
{
    if (!s)
        return CB_OK;
    if (!s->joined) {
        pthread_mutex_lock(&s->mutex);
        s->stops = true;
        pthread_cond_signal(&s->stopped);
        pthread_mutex_unlock(&s->mutex);
        pthread_join(s->thread, NULL);
        s->joined = true;
    }
    if (s->failure.status != CB_OK && err)
        *err = s->failure;
    return s->failure.status;
}

void cb_power_sampler_close(struct cb_power_sampler *s)
{
    if (!s)
        return;
    cb_power_sampler_stop(s, NULL);
    pthread_cond_destroy(&s->stopped);
    pthread_mutex_destroy(&s->mutex);
    cb_power_series_free(&s->series);
    free(s);
}

/* ---- What it says ---------------------------------------------------------------------------- */

double cb_power_mean(struct cb_power_sampler *s, double from_ns, double to_ns)
{
    if (!s)
        return NAN;
    pthread_mutex_lock(&s->mutex);
    double watts = cb_power_series_mean(&s->series, from_ns, to_ns);
    pthread_mutex_unlock(&s->mutex);
    return watts;
}

size_t cb_power_points(struct cb_power_sampler *s, double span_ns, struct cb_power_point *points,
                       size_t room)
{
    if (!s)
        return 0;
    pthread_mutex_lock(&s->mutex);
    size_t n = cb_power_series_points(&s->series, span_ns, points, room);
    pthread_mutex_unlock(&s->mutex);
    return n;
}
