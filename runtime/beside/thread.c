/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/beside/thread.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

#include "runtime/host/time.h"

#define LOOK_NS 20e6 /* between two looks, in a pause, whether it is to stop */

struct cb_beside_thread {
    struct cb_beside_work work;
    struct cb_rhythm rhythm;
    pthread_t thread;
    pthread_mutex_t mutex; /* of the members below */
    bool stops;
    struct cb_err failure;
};

static bool is_over(struct cb_beside_thread *t)
{
    pthread_mutex_lock(&t->mutex);
    const bool over = t->stops || t->failure.status != CB_OK;
    pthread_mutex_unlock(&t->mutex);
    return over;
}

static void fail(struct cb_beside_thread *t, const struct cb_err *err)
{
    pthread_mutex_lock(&t->mutex);
    t->failure = *err;
    pthread_mutex_unlock(&t->mutex);
}

static void work_until(struct cb_beside_thread *t, double end_ns)
{
    struct cb_err err = {0};
    while (!is_over(t) && (double)cb_now_ns() < end_ns)
        if (t->work.once(t->work.self, &err) != CB_OK)
            fail(t, &err);
}

static void pause_until(struct cb_beside_thread *t, double end_ns)
{
    while (!is_over(t) && (double)cb_now_ns() < end_ns)
        cb_sleep_until_ns(fmin((double)cb_now_ns() + LOOK_NS, end_ns));
}

static void *run(void *self)
{
    struct cb_beside_thread *t = self;
    double begin_ns = (double)cb_now_ns();
    while (!is_over(t)) {
        const double every_ns = t->rhythm.every_s * 1e9;
        work_until(t, every_ns > 0 ? begin_ns + t->rhythm.for_s * 1e9 : INFINITY);
        begin_ns = fmax(begin_ns + every_ns, (double)cb_now_ns()); /* what is late is not made up */
        pause_until(t, begin_ns);
    }
    return NULL;
}

/* Signals are for the other thread. */
static int begin(struct cb_beside_thread *t)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int code = pthread_create(&t->thread, NULL, run, t);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

static void free_thread(struct cb_beside_thread *t)
{
    t->work.close(t->work.self);
    pthread_mutex_destroy(&t->mutex);
    free(t);
}

enum cb_status cb_beside_thread_start(const struct cb_beside_work *work,
                                      const struct cb_rhythm *rhythm, struct cb_beside_thread **out,
                                      struct cb_err *err)
{
    struct cb_beside_thread *t = calloc(1, sizeof *t);
    *out = NULL;
    if (!t) {
        work->close(work->self);
        return cb_no_memory(err);
    }
    *t = (struct cb_beside_thread){.work = *work, .rhythm = *rhythm};
    pthread_mutex_init(&t->mutex, NULL);
    enum cb_status status = work->once(work->self, err);
    if (status == CB_OK && begin(t) != 0)
        status = cb_fail(err, CB_ERROR, "out of memory or of threads");
    if (status == CB_OK)
        *out = t;
    else
        free_thread(t);
    return status;
}

enum cb_status cb_beside_thread_check(struct cb_beside_thread *t, struct cb_err *err)
{
    pthread_mutex_lock(&t->mutex);
    if (t->failure.status != CB_OK)
        *err = t->failure;
    const enum cb_status status = t->failure.status;
    pthread_mutex_unlock(&t->mutex);
    return status == CB_OK && t->work.check ? t->work.check(t->work.self, err) : status;
}

void cb_beside_thread_stop(struct cb_beside_thread *t)
{
    if (!t)
        return;
    pthread_mutex_lock(&t->mutex);
    t->stops = true;
    pthread_mutex_unlock(&t->mutex);
    pthread_join(t->thread, NULL);
    free_thread(t);
}
