/* SPDX-License-Identifier: Apache-2.0
 *
 * What every launch of a cooperative kernel needs: buffers, control block, arguments.
 */
#include <stddef.h>
#include <string.h>

#include "kernels/coop_layout_abi.h"
#include "kernels/discovery_abi.h"
#include "runtime/coop/internal.h"
#include "runtime/discovery.h"

#define YIELD_NS 300000.0 /* longest time between yields of a CPU workgroup */
#define OFFER_NS 10e6     /* longest time that an offer waits for higher workgroups to go */
#define TURN_NS  100.0    /* a turn of the scheduler, where there is no clock */

_Static_assert(sizeof(coop_trace_event) == 24 && sizeof(coop_entry) == 32 &&
                   sizeof(coop_kernel_words) == 7 * COOP_LINE * 4 &&
                   offsetof(coop_control, kernels) == 2 * COOP_LINE * 4 &&
                   offsetof(coop_control, lanes) % (COOP_LINE * 4) == 0,
               "as the kernels lay them out");

uint64_t cb_coop_ticks(const struct cb_coop *c, double ns)
{
    return (uint64_t)(ns / (c->session->ns_per_tick > 0 ? c->session->ns_per_tick : TURN_NS));
}

uint64_t cb_coop_offer_ticks(const struct cb_coop *c)
{
    const cb_launch *all = &c->session->deadlines;
    const uint64_t most = cb_coop_ticks(c, OFFER_NS),
                   half =
                       (c->session->ns_per_tick > 0 ? all->deadline_ticks : all->deadline_turns) /
                       2;
    return most < half ? most : half;
}

unsigned cb_coop_kernels(const struct cb_coop *c)
{
    unsigned k = 1;
    while (k < COOP_MOST_KERNELS && c->config.others[k - 1])
        k++;
    return k;
}

void cb_coop_release_buffers(struct cb_coop *c, int first, int after)
{
    for (int i = first; i < after; i++) {
        if (c->buffers[i])
            clReleaseMemObject(c->buffers[i]);
        c->buffers[i] = NULL;
    }
}

static size_t buffer_bytes(const struct cb_coop *c, enum coop_buffer b, size_t workers)
{
    const bool is_megakernel = c->config.mode == COOP_COOPERATIVE;
    const cb_u32 kernels = cb_coop_kernels(c), n = (cb_u32)workers;
    switch (b) {
    case CONTROL:
        return sizeof(coop_control);
    case DISCOVERY:
        return CB_DISCOVERY_BYTES(c->launched);
    case MAIL:
        return 4 * coop_message_words(kernels, is_megakernel ? c->config.semantics : COOP_HIGHEST,
                                      is_megakernel && c->config.submits, n);
    case ENTRIES:
        return coop_entry_at(kernels, n, 0) * sizeof(coop_entry);
    case STATES: /* one for each work-item, where launches keep them (kernels/coop/main.clh) */
        return c->config.mode == COOP_MULTIKERNEL ? workers * c->config.wg_size * COOP_STATE_BYTES
                                                  : coop_state_at(kernels, n, 0);
    case TRACES: /* one event more, since a buffer needs bytes */
        return (coop_ring_at(n + 1, c->config.trace_events) + 1) * sizeof(coop_trace_event);
    default:
        return 4 * coop_barrier_words(kernels, n);
    }
}

static bool is_sized(enum coop_buffer b)
{
    return b < ARENA && b != CHANNEL;
}

void cb_coop_expect_launch(struct cb_coop *c, size_t launched)
{
    if (launched <= c->launched)
        return;
    cb_coop_release_buffers(c, DISCOVERY, DISCOVERY + 1);
    c->launched = launched;
}

enum cb_status cb_coop_prepare(struct cb_coop *c, size_t workers, struct cb_err *err)
{
    size_t room = workers ? workers : 1;
    c->ended_by = CL_SUCCESS;
    if (room > c->room) {
        cb_coop_release_buffers(c, 0, ARENA);
        c->room = 0;
    }
    for (enum coop_buffer b = 0; b < BUFFERS; b++) {
        if (is_sized(b) && !c->buffers[b])
            c->buffers[b] = cb_buffer_create(c->session, buffer_bytes(c, b, room), err);
        if (is_sized(b) && !c->buffers[b])
            return err->status;
        /* States are written before they are read; traces are as long as the launch needs. */
        if (is_sized(b) && b != STATES &&
            cb_buffer_clear(c->session, c->buffers[b], buffer_bytes(c, b, room), err) != CB_OK)
            return err->status;
        enum cb_status status = b == CHANNEL
                                    ? cb_coop_channel_arg(&c->channel, c->kernel, b + 1, err)
                                    : cb_kernel_arg(c->kernel, (cl_uint)b + 1, sizeof c->buffers[b],
                                                    &c->buffers[b], err);
        if (status != CB_OK)
            return status;
    }
    c->room = room > c->room ? room : c->room;
    return CB_OK;
}

enum cb_status cb_coop_write_control(struct cb_coop *c, struct cb_err *err)
{
    return CB_CL(err,
                 clEnqueueWriteBuffer(c->session->queue, c->buffers[CONTROL], CL_TRUE, 0,
                                      offsetof(coop_control, started), c->control, 0, NULL, NULL));
}

enum cb_status cb_coop_read_control(struct cb_coop *c, struct cb_err *err)
{
    return cb_buffer_read(c->session, c->buffers[CONTROL], c->control,
                          offsetof(coop_control, started), err);
}

static unsigned lanes_of(const struct cb_coop_config *f)
{
    return f->in_flight > 0 && f->in_flight < COOP_LANES ? f->in_flight : COOP_LANES;
}

void cb_coop_clear_control(struct cb_coop *c, size_t workers)
{
    memset(c->control, 0, sizeof *c->control);
    c->control->workers = c->control->most = (cb_u32)workers;
    /* Workers count as out until they come to the pool. */
    c->control->kernels[0].out = (cb_u32)workers;
    c->control->delay = c->delay;
    c->control->quiet = cb_discovery_quiet(c->session, cb_discovery_quiet_ns(&c->session->info));
    c->control->yield_ticks = cb_coop_ticks(c, YIELD_NS);
    c->control->offer_ticks = cb_coop_offer_ticks(c);
    c->control->trace_events = c->config.trace_events;
    c->control->offset = c->offset;
    c->control->lanes_used = lanes_of(&c->config);
}
