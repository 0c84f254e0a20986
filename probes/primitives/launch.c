/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "kernels/barrier_abi.h"
#include "kernels/discovery_abi.h"
#include "kernels/queue_abi.h"
#include "kernels/semaphore_abi.h"
#include "probes/primitives/primitives.h"
#include "probes/primitives/relaunch.h"
#include "runtime/discovery.h"

#define PLACES      64u
#define PLACE_WORDS 4128u /* an odd number of lines, to reach all parts of a cache */

_Static_assert(sizeof(cb_primitive_group) == 56, "as the kernels lay it out");

size_t cb_primitives_words(const struct cb_primitives *p, size_t groups)
{
    switch (p->kind) {
    case CB_KIND_BARRIER:
        return CB_BARRIER_WORDS(groups);
    case CB_KIND_MUTEX:
        return CB_LINE_WORDS + CB_MUTEX_WORDS((size_t)p->value);
    case CB_KIND_QUEUE:
        return CB_QUEUE_WORDS((size_t)p->value);
    default:
        return CB_SEMAPHORE_WORDS;
    }
}

size_t cb_primitives_data(const struct cb_primitives *p, size_t groups)
{
    if (p->kind == CB_KIND_BARRIER)
        return 2 * groups * p->wg_size;
    if (p->kind == CB_KIND_QUEUE)
        return CB_DATA_ITEMS + 2 * groups * CB_MOST_CHECKED;
    return CB_DATA_ITEMS + p->wg_size + groups;
}

void cb_primitives_release(struct cb_primitives *p)
{
    cl_mem *all[] = {&p->state, &p->records, &p->words, &p->data};
    for (size_t i = 0; i < CB_COUNTOF(all); i++) {
        if (*all[i])
            clReleaseMemObject(*all[i]);
        *all[i] = NULL;
    }
    free(p->groups);
    free(p->values);
    p->groups = NULL;
    p->values = NULL;
    p->room = 0;
}

static enum cb_status reserve(struct cb_primitives *p, size_t groups, struct cb_err *err)
{
    if (p->room >= groups)
        return CB_OK;
    cb_primitives_release(p);
    size_t words = ((PLACES - 1) * PLACE_WORDS + cb_primitives_words(p, groups)) * sizeof(cb_u32);
    size_t data = cb_primitives_data(p, groups) * sizeof(cb_u32);
    p->state = cb_buffer_create(p->session, sizeof(cb_discovery), err);
    p->records = cb_buffer_create(p->session, groups * sizeof *p->groups, err);
    p->words = cb_buffer_create(p->session, words, err);
    p->data = cb_buffer_create(p->session, data, err);
    if (!p->state || !p->records || !p->words || !p->data)
        return err->status;
    p->groups = calloc(groups, sizeof *p->groups);
    p->values = calloc(1, data);
    if (!p->groups || !p->values)
        return cb_no_memory(err);
    p->room = groups;
    return CB_OK;
}

void cb_primitives_move(struct cb_primitives *p)
{
    p->place = (p->place + 17 * PLACE_WORDS) % (PLACES * PLACE_WORDS);
}

static enum cb_status clear_words(struct cb_primitives *p, size_t words, struct cb_err *err)
{
    cl_uint zero = 0;
    return CB_CL(err,
                 clEnqueueFillBuffer(p->session->queue, p->words, &zero, sizeof zero,
                                     p->place * sizeof zero, words * sizeof zero, 0, NULL, NULL));
}

static enum cb_status clear(struct cb_primitives *p, size_t groups, struct cb_err *err)
{
    struct cb_session *s = p->session;
    if (cb_buffer_clear(s, p->state, sizeof(cb_discovery), err) != CB_OK ||
        cb_buffer_clear(s, p->records, groups * sizeof *p->groups, err) != CB_OK ||
        clear_words(p, cb_primitives_words(p, groups), err) != CB_OK)
        return err->status;
    return cb_buffer_clear(s, p->data, cb_primitives_data(p, groups) * sizeof(cb_u32), err);
}

static enum cb_status set_arguments(struct cb_primitives *p, int kernel, cl_uint mode,
                                    struct cb_err *err)
{
    cl_ulong quiet = cb_discovery_quiet(p->session, cb_discovery_quiet_ns(&p->session->info));
    const struct cb_kernel_value args[] = {
        {sizeof p->state, &p->state},   {sizeof p->records, &p->records},
        {sizeof p->words, &p->words},   {sizeof p->data, &p->data},
        {sizeof mode, &mode},           {sizeof(cl_uint), &p->operations[kernel]},
        {sizeof p->value, &p->value},   {sizeof p->place, &p->place},
        {sizeof p->budget, &p->budget}, {sizeof quiet, &quiet},
    };
    return cb_kernel_args(p->kernels[kernel], args, CB_COUNTOF(args), err);
}

static double span_ns(const struct cb_primitives *p, size_t groups, uint64_t event_ns)
{
    cb_u64 first = UINT64_MAX, last = 0;
    for (size_t i = 0; i < groups; i++) {
        first = p->groups[i].start < first ? p->groups[i].start : first;
        last = p->groups[i].end > last ? p->groups[i].end : last;
    }
    if (p->session->ns_per_tick <= 0)
        return (double)event_ns;
    return last > first ? (double)(last - first) * p->session->ns_per_tick : NAN;
}

/* Launches one kernel, and reads the records of its workgroups. */
static enum cb_status launch_once(struct cb_primitives *p, int kernel, size_t groups,
                                  double *time_ns, struct cb_err *err)
{
    uint64_t event_ns = 0;
    if (cb_launch_run(p->session, p->kernels[kernel], groups, p->wg_size, &event_ns, NULL, err) !=
            CB_OK ||
        cb_buffer_read(p->session, p->records, p->groups, groups * sizeof *p->groups, err) != CB_OK)
        return err->status;
    *time_ns = span_ns(p, groups, event_ns);
    return CB_OK;
}

static enum cb_status relaunch(struct cb_primitives *p, int kernel, size_t groups, double *time_ns,
                               struct cb_err *err)
{
    if (cb_relaunch_run(p, kernel, groups, time_ns, err) != CB_OK)
        return err->status;
    return cb_buffer_read(p->session, p->records, p->groups, groups * sizeof *p->groups, err);
}

enum cb_status cb_primitives_launch(struct cb_primitives *p, int kernel, size_t groups,
                                    cl_uint mode, double *time_ns, struct cb_err *err)
{
    double ns = NAN;
    bool once = !p->relaunch || mode == CB_LAUNCH_DISCOVER;
    if (reserve(p, groups, err) != CB_OK || clear(p, groups, err) != CB_OK ||
        set_arguments(p, kernel, mode, err) != CB_OK ||
        (once ? launch_once : relaunch)(p, kernel, groups, &ns, err) != CB_OK)
        return err->status;
    if (time_ns)
        *time_ns = ns;
    if (mode == CB_LAUNCH_DISCOVER)
        return CB_OK;
    if (CB_CL(err, clEnqueueReadBuffer(p->session->queue, p->words, CL_TRUE,
                                       p->place * sizeof p->counted, sizeof p->counted, &p->counted,
                                       0, NULL, NULL)) != CB_OK)
        return err->status;
    return cb_buffer_read(p->session, p->data, p->values,
                          cb_primitives_data(p, groups) * sizeof(cb_u32), err);
}
