/* SPDX-License-Identifier: Apache-2.0
 *
 * A round of a program whose parents launch children, by each launcher that the host runs.
 */
#include <string.h>

#include "probes/launch/aggregation/nested.h"
#include "probes/launch/plan.h"

/* Launches a kernel with the arguments that all have, then `more`. */
static enum cb_status step(struct nested *n, struct cb_steps *steps, const char *kernel,
                           size_t items, const struct round *round,
                           const struct cb_kernel_value *more, size_t n_more, struct cb_err *err)
{
    struct cb_kernel_value values[CB_STEPS_VALUES];
    size_t at = 0;
    for (int b = BEGINS; b <= FLAG; b++)
        values[at++] = (struct cb_kernel_value){sizeof n->buffers[b], &n->buffers[b]};
    values[at++] = (struct cb_kernel_value){sizeof n->data.parents, &n->data.parents};
    values[at++] = (struct cb_kernel_value){sizeof n->data.n, &n->data.n};
    values[at++] = (struct cb_kernel_value){sizeof round->lap, &round->lap};
    values[at++] = (struct cb_kernel_value){sizeof round->phase, &round->phase};
    values[at++] = (struct cb_kernel_value){sizeof n->off, &n->off};
    for (size_t i = 0; i < n_more; i++)
        values[at++] = more[i];
    return cb_steps_launch(steps, kernel, items, values, at, err);
}

enum cb_status cb_nested_launch_serial(struct nested *n, const struct round *round,
                                       struct cb_err *err)
{
    return step(n, &n->parents, "nest_serial", n->data.parents, round, NULL, 0, err);
}

static enum cb_status launch_flat(struct nested *n, const struct round *round, struct cb_err *err)
{
    return step(n, &n->children, "nest_flat", (size_t)n->data.parents * n->child_size, round, NULL,
                0, err);
}

/* Notes the launches of a round. */
static enum cb_status gather(struct nested *n, const struct round *round, struct cb_err *err)
{
    const struct cb_kernel_value more[] = {
        {sizeof(cl_mem), &n->buffers[RECORDS]}, {sizeof(cl_mem), &n->buffers[COUNTS]},
        {sizeof n->parity, &n->parity},         {sizeof n->room, &n->room},
        {sizeof n->child_size, &n->child_size}, {sizeof n->factor, &n->factor},
        {sizeof n->threshold, &n->threshold}};
    return step(n, &n->parents, "nest_gather", n->data.parents, round, more, CB_COUNTOF(more), err);
}

static enum cb_status has_room(const struct nested *n, cl_uint launches, struct cb_err *err)
{
    return launches <= n->room ? CB_OK
                               : cb_fail(err, CB_ERROR, "%u launches, and room for %u: --pool %u",
                                         launches, n->room, launches);
}

/* Gathers launches like gather() and reads their number, and the largest size; *count is 0 when
 * launching is switched off. */
static enum cb_status gather_and_read(struct nested *n, const struct round *round, cl_ulong *count,
                                      struct cb_err *err)
{
    struct nested_words *words = n->host.words;
    const size_t word = sizeof words->count, bytes = n->has_sizes ? 2 * word : word;
    *count = words->count = 0;
    if (gather(n, round, err) != CB_OK)
        return err->status;
    if (!(n->off & NEST_OFF_LAUNCH) &&
        CB_CL(err, clEnqueueReadBuffer(n->session->queue, n->buffers[COUNTS], CL_TRUE,
                                       NEST_COUNT_OF(n->parity) * word, bytes, &words->count, 0,
                                       NULL, NULL)) != CB_OK)
        return err->status;
    n->parity = 1 - n->parity;
    *count = words->count;
    n->launches += NEST_RECORDS(*count);
    return has_room(n, NEST_RECORDS(*count), err);
}

/* Launches so many workgroups of children, of this size. */
static enum cb_status step_of(struct nested *n, const char *kernel, cl_uint groups, cl_uint size,
                              const struct round *round, const struct cb_kernel_value *more,
                              size_t n_more, struct cb_err *err)
{
    n->children.wg_size = size;
    return step(n, &n->children, kernel, (size_t)groups * size, round, more, n_more, err);
}

enum cb_status cb_nested_launch_grid(struct nested *n, const struct round *round,
                                     struct cb_err *err)
{
    cl_ulong count;
    if (gather_and_read(n, round, &count, err) != CB_OK)
        return err->status;
    if (count == 0)
        return CB_OK;
    const struct nested_words *words = n->host.words;
    const cl_uint records = NEST_RECORDS(count);
    const struct cb_kernel_value more[] = {{sizeof(cl_mem), &n->buffers[RECORDS]},
                                           {sizeof records, &records},
                                           {sizeof n->room, &n->room},
                                           {sizeof n->factor, &n->factor}};
    return step_of(n, "nest_aggregated", NEST_GROUPS(count),
                   n->has_sizes ? (cl_uint)words->size : n->child_size, round, more,
                   CB_COUNTOF(more), err);
}

/* Launches children in line right after the parents, before their number is known: as many
 * workgroups as run at once do all there are. */
static enum cb_status launch_ahead(struct nested *n, const struct round *round, struct cb_err *err)
{
    const struct cb_kernel_value more[] = {{sizeof(cl_mem), &n->buffers[RECORDS]},
                                           {sizeof(cl_mem), &n->buffers[COUNTS]},
                                           {sizeof n->parity, &n->parity},
                                           {sizeof n->room, &n->room},
                                           {sizeof n->factor, &n->factor}};
    if (gather(n, round, err) != CB_OK)
        return err->status;
    if (!(n->off & NEST_OFF_LAUNCH) && step(n, &n->children, "nest_ahead", n->at_once, round, more,
                                            CB_COUNTOF(more), err) != CB_OK)
        return err->status;
    n->parity = 1 - n->parity;
    return CB_OK;
}

static enum cb_status launch_enqueue(struct nested *n, const struct round *round,
                                     struct cb_err *err)
{
    const struct cb_kernel_value more[] = {{sizeof(cl_mem), &n->buffers[COUNTS]},
                                           {sizeof n->child_size, &n->child_size},
                                           {sizeof n->factor, &n->factor},
                                           {sizeof n->threshold, &n->threshold}};
    return step(n, &n->parents, "nest_enqueue", n->data.parents, round, more, CB_COUNTOF(more),
                err);
}

/* Launchers `ahead` and `enqueue` do not know the number of launches in advance: it is read after
 * the run. */
enum cb_status cb_nested_read_counts(struct nested *n, struct cb_err *err)
{
    cl_ulong counts[NEST_COUNTS];
    if (cb_buffer_read(n->session, n->buffers[COUNTS], counts, sizeof counts, err) != CB_OK)
        return err->status;
    n->launches = counts[NEST_ALL];
    return has_room(n, (cl_uint)counts[NEST_MOST], err);
}

static enum cb_status launch_host(struct nested *n, const struct round *round, struct cb_err *err)
{
    cl_ulong count;
    enum cb_status status = gather_and_read(n, round, &count, err);
    if (status == CB_OK && count > 0)
        status = cb_buffer_read(n->session, n->buffers[RECORDS], n->records,
                                NEST_RECORDS(count) * sizeof *n->records, err);
    for (cl_uint i = 0; i < NEST_RECORDS(count) && status == CB_OK; i++) {
        const nest_record *r = &n->records[i];
        const struct cb_kernel_value more[] = {{sizeof r->parent, &r->parent},
                                               {sizeof r->items, &r->items},
                                               {sizeof n->factor, &n->factor}};
        status = step_of(n, "nest_single", (r->items - 1) / (r->size * n->factor) + 1, r->size,
                         round, more, CB_COUNTOF(more), err);
    }
    return status;
}

/* ---- Launchers by name ----------------------------------------------------------------------- */

cb_nested_launcher *cb_nested_launcher_of(const char *id)
{
    static const struct {
        const char *id;
        cb_nested_launcher *launch;
    } launchers[] = {{CB_LAUNCH_SERIAL, cb_nested_launch_serial}, {CB_LAUNCH_FLAT, launch_flat},
                     {CB_LAUNCH_GRID, cb_nested_launch_grid},     {CB_LAUNCH_AHEAD, launch_ahead},
                     {CB_LAUNCH_ENQUEUE, launch_enqueue},         {CB_LAUNCH_HOST, launch_host}};
    for (size_t i = 0; i < CB_COUNTOF(launchers); i++)
        if (strcmp(id, launchers[i].id) == 0)
            return launchers[i].launch;
    return NULL;
}
