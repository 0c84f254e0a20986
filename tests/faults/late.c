/* SPDX-License-Identifier: Apache-2.0
 *
 * Queues whose commands come late, as those of a device that others keep busy do: each waits for an
 * event of the user's, its *gate*, which opens some milliseconds after the command was put there.
 * Queues in order stay so, blocking calls return when their command is done, nothing is lost. Who
 * orders two queues by luck is found out.
 */
#include "tests/faults/faults.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_QUEUES 256

static struct {
    cl_command_queue queue;
    int ms;
} late[MOST_QUEUES];
static bool has_queue; /* this process */

/* ---- Which queues ---------------------------------------------------------------------------- */

void late_note(const struct fault *f, cl_command_queue queue)
{
    const bool is_first = !has_queue;
    has_queue = true;
    if (!f || !queue || f->action < LATE || f->action > LATE_OTHERS ||
        (f->action == LATE_FIRST && !is_first) || (f->action == LATE_OTHERS && is_first))
        return;
    for (int i = 0; i < MOST_QUEUES; i++)
        if (!late[i].queue) {
            late[i].queue = queue;
            late[i].ms = f->code;
            return;
        }
}

void late_forget(cl_command_queue queue)
{
    for (int i = 0; i < MOST_QUEUES; i++)
        if (late[i].queue == queue)
            late[i].queue = NULL;
}

static int late_ms(cl_command_queue queue)
{
    for (int i = 0; i < MOST_QUEUES; i++)
        if (late[i].queue == queue)
            return late[i].ms;
    return 0;
}

/* ---- Gates ----------------------------------------------------------------------------------- */

bool gate_add(struct gate *g, cl_command_queue queue, cl_uint *n, const cl_event **events)
{
    cl_context context;
    g->event = NULL;
    if (*n >= GATE_EVENTS ||
        clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL) != 0 ||
        !(g->event = clCreateUserEvent(context, NULL)))
        return false;
    if (*n > 0)
        memcpy(g->events, *events, *n * sizeof g->event);
    g->events[(*n)++] = g->event;
    *events = g->events;
    return true;
}

struct opening {
    cl_event event;
    int ms;
};

static void *open_later(void *self)
{
    const struct opening o = *(struct opening *)self;
    const struct timespec pause = {o.ms / 1000, o.ms % 1000 * 1000000};
    free(self);
    nanosleep(&pause, NULL);
    clSetUserEventStatus(o.event, CL_COMPLETE);
    clReleaseEvent(o.event);
    return NULL;
}

void gate_begin(struct gate *g, cl_command_queue queue, cl_uint *n, const cl_event **events)
{
    const int ms = late_ms(queue);
    pthread_t thread;
    g->event = NULL;
    if (ms == 0 || !gate_add(g, queue, n, events))
        return;
    struct opening *o = malloc(sizeof *o);
    if (!o)
        abort();
    *o = (struct opening){g->event, ms};
    clRetainEvent(g->event); /* the thread's */
    if (pthread_create(&thread, NULL, open_later, o) != 0)
        open_later(o);
    else
        pthread_detach(thread);
}

void gate_end(struct gate *g)
{
    if (g->event)
        clReleaseEvent(g->event);
}
