/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/host/parallel.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

struct job {
    void (*work)(void *context, unsigned i);
    void *context;
    unsigned n;
    atomic_uint next;
};

static void *take_turns(void *data)
{
    struct job *job = data;
    for (unsigned i; (i = atomic_fetch_add(&job->next, 1)) < job->n;)
        job->work(job->context, i);
    return NULL;
}

/* How many threads to make beside the caller's. */
static unsigned others(unsigned n)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const unsigned most = n < CB_PARTS ? n : CB_PARTS;
    const unsigned useful = cores < (long)most ? (unsigned)(cores > 0 ? cores : 1) : most;
    return useful > 0 ? useful - 1 : 0;
}

/* Signals are for the caller's thread, which works, too: where no other can be made, alone. */
void cb_parallel_for(unsigned n, void (*work)(void *context, unsigned i), void *context)
{
    struct job job = {.work = work, .context = context, .n = n};
    pthread_t threads[CB_PARTS];
    const unsigned wanted = others(n);
    unsigned made = 0;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (made < wanted && pthread_create(&threads[made], NULL, take_turns, &job) == 0)
        made++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    take_turns(&job);
    while (made > 0)
        pthread_join(threads[--made], NULL);
}

void cb_parallel(void (*work)(void *context, unsigned part), void *context)
{
    cb_parallel_for(CB_PARTS, work, context);
}
