/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/session.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/clock.h"
#include "runtime/host/time.h"
#include "runtime/neighbours/room.h"

_Static_assert(offsetof(cb_launch, answered) == CB_LAUNCH_HEAD, "as the kernels lay it out");

/* A workgroup of a CPU device can only wait for others that have a core. */
#define WAIT_DEADLINE_NS     200000000u
#define CPU_WAIT_DEADLINE_NS 1000000000u

static void choose(char *field, size_t size, const char *wanted)
{
    if (wanted && *wanted && strcmp(wanted, "auto") != 0)
        snprintf(field, size, "%s", wanted);
}

cl_command_queue cb_queue_create(struct cb_session *s, cl_command_queue_properties properties,
                                 struct cb_err *err)
{
    cl_int code;
    /* the OpenCL 1.2 call, which every version has */
    cl_command_queue queue = clCreateCommandQueue(s->context, s->device, properties, &code);
    if (CB_CL_CODE(err, code, "clCreateCommandQueue") != CB_OK) {
        cb_room_explain(&s->info, 0, code, err);
        return NULL;
    }
    if (!queue)
        cb_fail(err, CB_ERROR, "clCreateCommandQueue: the driver gave no queue, and no error");
    return queue;
}

static enum cb_status create_queue(struct cb_session *s, struct cb_err *err)
{
    s->queue = cb_queue_create(s, CL_QUEUE_PROFILING_ENABLE, err);
    if (!s->queue)
        return err->status;
    s->launch_record = cb_buffer_create(s, sizeof(cb_launch), err);
    return s->launch_record ? CB_OK : err->status;
}

static enum cb_status create_objects(struct cb_session *s, struct cb_err *err)
{
    cl_int code;
    s->context = clCreateContext(NULL, 1, &s->device, NULL, NULL, &code);
    if (CB_CL_CODE(err, code, "clCreateContext") != CB_OK)
        return cb_room_explain(&s->info, 0, code, err);
    return create_queue(s, err);
}

enum cb_status cb_session_open(struct cb_session *s, const char *device_id,
                               const struct cb_session_options *options, struct cb_err *err)
{
    memset(s, 0, sizeof *s);
    cl_platform_id platform;
    enum cb_status status = cb_device_open(device_id, &platform, &s->device, &s->info, err);
    if (status != CB_OK)
        return status;
    choose(s->info.atomics, sizeof s->info.atomics, options->atomics);
    choose(s->info.clock, sizeof s->info.clock, options->clock);
    s->wait_deadline_ns = options->wait_deadline_ns    ? options->wait_deadline_ns
                          : cb_device_is_cpu(&s->info) ? CPU_WAIT_DEADLINE_NS
                                                       : WAIT_DEADLINE_NS;
    s->rehearsal = options->rehearsal;
    snprintf(s->defines, sizeof s->defines, "%s", options->defines ? options->defines : "");
    status = cb_device_check(&s->info, err);
    if (status == CB_OK)
        status = cb_device_check_atomics(&s->info, err);
    if (status == CB_OK)
        status = create_objects(s, err);
    if (status != CB_OK)
        cb_session_close(s);
    return status;
}

static enum cb_status find_device(const char *spec, char id[sizeof((struct cb_device *)0)->id],
                                  struct cb_err *err)
{
    struct cb_devices devices;
    int n = 0;
    if (cb_devices_enumerate(&devices, err) != CB_OK)
        return err->status;
    int *chosen = calloc((size_t)devices.count + 1, sizeof *chosen);
    enum cb_status status =
        chosen ? cb_device_select(&devices, spec, chosen, &n, err) : cb_no_memory(err);
    if (status == CB_OK)
        memcpy(id, devices.items[chosen[0]].id, sizeof devices.items[chosen[0]].id);
    free(chosen);
    cb_devices_free(&devices);
    return status;
}

enum cb_status cb_session_open_named(struct cb_session *s, const char *spec,
                                     const struct cb_session_options *options, struct cb_err *err)
{
    char id[sizeof s->info.id];
    memset(s, 0, sizeof *s);
    if (find_device(spec, id, err) != CB_OK || cb_session_open(s, id, options, err) != CB_OK)
        return err->status;
    enum cb_status status = cb_clock_open(s, err);
    if (status != CB_OK)
        cb_session_close(s);
    return status;
}

enum cb_status cb_session_open_second(struct cb_session *second, struct cb_session *first,
                                      struct cb_err *err)
{
    *second = *first;
    second->first = first;
    second->kept = NULL;
    second->built = NULL;
    second->queue = NULL;
    second->launch_record = NULL;
    enum cb_status status = CB_CL(err, clRetainContext(second->context));
    if (status != CB_OK)
        second->context = NULL;
    else
        status = create_queue(second, err);
    if (status != CB_OK)
        cb_session_close(second);
    return status;
}

void cb_session_is_stuck(struct cb_session *s)
{
    (s->first ? s->first : s)->stuck = true;
}

enum cb_status cb_session_finish(struct cb_session *s, double most_s, struct cb_err *err)
{
    const struct timespec pause = {0, 200000};
    const uint64_t until_ns = cb_now_ns() + (uint64_t)(most_s * 1e9);
    cl_event all;
    cl_int done = CL_QUEUED;
    if (CB_CL(err, clEnqueueMarkerWithWaitList(s->queue, 0, NULL, &all)) != CB_OK)
        return err->status;
    enum cb_status status = CB_CL(err, clFlush(s->queue));
    while (status == CB_OK && done > CL_COMPLETE && cb_now_ns() < until_ns) {
        nanosleep(&pause, NULL);
        status = CB_CL(
            err, clGetEventInfo(all, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof done, &done, NULL));
    }
    clReleaseEvent(all);
    if (status == CB_OK && done < 0)
        status = CB_CL_CODE(err, done, "a launch");
    if (status != CB_OK || done == CL_COMPLETE)
        return status;
    cb_session_is_stuck(s);
    return cb_fail(err, CB_TIMEOUT, "it has not ended after %g s", most_s);
}

struct cb_kept {
    struct cb_kept *next;
    const struct cb_kept_kind *kind;
    uint64_t neighbour; /* of the session then; 0: of all */
    max_align_t memory[];
};

void *cb_session_kept(struct cb_session *s, const struct cb_kept_kind *kind, struct cb_err *err)
{
    struct cb_session *owner = s->first ? s->first : s;
    const uint64_t neighbour = kind->by_neighbour ? owner->neighbour : 0;
    for (struct cb_kept *k = owner->kept; k; k = k->next)
        if (k->kind == kind && k->neighbour == neighbour)
            return k->memory;
    struct cb_kept *k = calloc(1, sizeof *k + kind->bytes);
    if (!k) {
        cb_no_memory(err);
        return NULL;
    }
    k->kind = kind;
    k->neighbour = neighbour;
    k->next = owner->kept;
    owner->kept = k;
    return k->memory;
}

static void free_kept(struct cb_session *s)
{
    for (struct cb_kept *next, *k = s->kept; k; k = next) {
        next = k->next;
        if (k->kind->release)
            k->kind->release(k->memory);
        free(k);
    }
}

void cb_session_close(struct cb_session *s)
{
    cb_programs_free(s);
    free_kept(s);
    if (s->launch_record)
        clReleaseMemObject(s->launch_record);
    if (s->queue)
        clReleaseCommandQueue(s->queue);
    if (s->context)
        clReleaseContext(s->context);
    memset(s, 0, sizeof *s);
}
