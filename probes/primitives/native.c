/* SPDX-License-Identifier: Apache-2.0
 *
 * What a CPU device's barriers are compared with.
 */
#include "probes/primitives/native.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "runtime/host/time.h"

struct native {
    unsigned threads, rounds;
    _Alignas(64) atomic_uint arrived; /* all rounds together, wraps */
    _Alignas(64) atomic_uint errors;
    atomic_bool abandoned; /* not all threads could be started: nobody waits */
    _Alignas(64) uint64_t start, end;
    unsigned *phases; /* round of each thread, written without atomics */
};

struct thread {
    struct native *shared;
    unsigned index;
    pthread_t id;
};

static void meet(struct native *n, unsigned round)
{
    atomic_fetch_add_explicit(&n->arrived, 1, memory_order_release);
    while ((int)(atomic_load_explicit(&n->arrived, memory_order_acquire) -
                 (round + 1) * n->threads) < 0 &&
           !atomic_load_explicit(&n->abandoned, memory_order_relaxed))
        sched_yield();
}

/* Rounds 1 to rounds are timed; the one after shows whether all writes before it are seen. */
static void *run(void *argument)
{
    struct thread *self = argument;
    struct native *n = self->shared;
    meet(n, 0);
    if (self->index == 0)
        n->start = cb_now_ns();
    for (unsigned r = 1; r <= n->rounds; r++)
        meet(n, r);
    if (self->index == 0)
        n->end = cb_now_ns();
    n->phases[self->index] = n->rounds;
    meet(n, n->rounds + 1);
    if (n->phases[(self->index + 1) % n->threads] != n->rounds)
        atomic_fetch_add(&n->errors, 1);
    return NULL;
}

/* Returns how many were started. */
static unsigned start_threads(struct native *shared, struct thread *all)
{
    for (unsigned i = 0; i < shared->threads; i++) {
        all[i] = (struct thread){.shared = shared, .index = i};
        if (pthread_create(&all[i].id, NULL, run, &all[i]) != 0)
            return i;
    }
    return shared->threads;
}

enum cb_status cb_native_barrier(unsigned threads, unsigned rounds, double *time_ns,
                                 unsigned *errors, struct cb_err *err)
{
    struct native shared = {.threads = threads, .rounds = rounds};
    struct thread *all = calloc(threads, sizeof *all);
    shared.phases = calloc(threads, sizeof *shared.phases);
    unsigned started = all && shared.phases ? start_threads(&shared, all) : 0;
    atomic_store(&shared.abandoned, started < threads);
    for (unsigned i = 0; i < started; i++)
        pthread_join(all[i].id, NULL);
    *time_ns = (double)(shared.end - shared.start);
    *errors = atomic_load(&shared.errors);
    free(all);
    free(shared.phases);
    return started == threads ? CB_OK : cb_fail(err, CB_ERROR, "cannot start %u threads", threads);
}
