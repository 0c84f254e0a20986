/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/host/parallel.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

struct job {
    void (*work)(void *context, unsigned part);
    void *context;
    atomic_uint next;
};

static void *take_parts(void *data)
{
    struct job *job = data;
    for (unsigned part; (part = atomic_fetch_add(&job->next, 1)) < CB_PARTS;)
        job->work(job->context, part);
    return NULL;
}

/* Signals are for the caller's thread, which takes parts, too: where no other can be made, all. */
void cb_parallel(void (*work)(void *context, unsigned part), void *context)
{
    struct job job = {.work = work, .context = context};
    pthread_t threads[CB_PARTS];
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned n = 0, others = cores > CB_PARTS ? CB_PARTS - 1 : cores > 1 ? (unsigned)cores - 1 : 0;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (n < others && pthread_create(&threads[n], NULL, take_parts, &job) == 0)
        n++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    take_parts(&job);
    while (n > 0)
        pthread_join(threads[--n], NULL);
}
