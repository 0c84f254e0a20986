/* SPDX-License-Identifier: Apache-2.0
 *
 * A case of a program whose parents launch children (nest.clh).
 */
#include <stdlib.h>
#include <string.h>

#include "benchmarks/launch/aggregation/breakdown.h"
#include "benchmarks/launch/aggregation/device_queue.h"
#include "benchmarks/launch/aggregation/nested.h"
#include "benchmarks/launch/launch.h"
#include "measure/text/json.h"
#include "runtime/host/time.h"

/* ---- A round --------------------------------------------------------------------------------- */

/* Arguments of all kernels, then more of some. */
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

static enum cb_status launch_serial(struct nested *n, const struct round *round, struct cb_err *err)
{
    return step(n, &n->parents, "nest_serial", n->data.parents, round, NULL, 0, err);
}

static enum cb_status launch_flat(struct nested *n, const struct round *round, struct cb_err *err)
{
    return step(n, &n->children, "nest_flat", (size_t)n->data.parents * n->program->child_size,
                round, NULL, 0, err);
}

/* Notes the launches of a round. */
static enum cb_status gather(struct nested *n, const struct round *round, struct cb_err *err)
{
    const cl_uint child_size = n->program->child_size;
    const struct cb_kernel_value more[] = {
        {sizeof(cl_mem), &n->buffers[RECORDS]}, {sizeof(cl_mem), &n->buffers[COUNTS]},
        {sizeof n->parity, &n->parity},         {sizeof n->room, &n->room},
        {sizeof child_size, &child_size},       {sizeof n->factor, &n->factor},
        {sizeof n->threshold, &n->threshold}};
    return step(n, &n->parents, "nest_gather", n->data.parents, round, more, CB_COUNTOF(more), err);
}

static enum cb_status has_room(const struct nested *n, cl_uint launches, struct cb_err *err)
{
    return launches <= n->room ? CB_OK
                               : cb_fail(err, CB_ERROR, "%u launches, and room for %u: --pool %u",
                                         launches, n->room, launches);
}

/* The same, and the host reads how many there are; 0 if it is not to launch them. */
static enum cb_status gather_and_read(struct nested *n, const struct round *round, cl_ulong *count,
                                      struct cb_err *err)
{
    const cl_mem counts = n->buffers[COUNTS];
    *count = 0;
    if (!(n->off & NEST_OFF_NOTES) &&
        cb_buffer_write(n->session, counts, count, sizeof *count, err) != CB_OK)
        return err->status;
    if (gather(n, round, err) != CB_OK)
        return err->status;
    if (!(n->off & NEST_OFF_LAUNCH) &&
        cb_buffer_read(n->session, counts, count, sizeof *count, err) != CB_OK)
        return err->status;
    n->launches += NEST_RECORDS(*count);
    return has_room(n, NEST_RECORDS(*count), err);
}

/* Of the workgroups of all children of a round. */
static size_t items_of(const struct nested *n, cl_uint groups)
{
    return (size_t)groups * n->program->child_size;
}

enum cb_status cb_nested_launch_grid(struct nested *n, const struct round *round,
                                     struct cb_err *err)
{
    cl_ulong count;
    if (gather_and_read(n, round, &count, err) != CB_OK || count == 0)
        return count == 0 ? CB_OK : err->status;
    const cl_uint records = NEST_RECORDS(count);
    const struct cb_kernel_value more[] = {{sizeof(cl_mem), &n->buffers[RECORDS]},
                                           {sizeof records, &records},
                                           {sizeof n->factor, &n->factor}};
    return step(n, &n->children, "nest_aggregated", items_of(n, NEST_GROUPS(count)), round, more,
                CB_COUNTOF(more), err);
}

/* In line right after the parents: as many workgroups as run at once do all there are. */
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
    const cl_uint child_size = n->program->child_size;
    const struct cb_kernel_value more[] = {{sizeof(cl_mem), &n->buffers[COUNTS]},
                                           {sizeof child_size, &child_size},
                                           {sizeof n->factor, &n->factor},
                                           {sizeof n->threshold, &n->threshold}};
    return step(n, &n->parents, "nest_enqueue", n->data.parents, round, more, CB_COUNTOF(more),
                err);
}

/* Of launches ahead, or by the device, the host learns only afterwards how many there were. */
static enum cb_status read_counts(struct nested *n, struct cb_err *err)
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
        const cl_uint width = n->program->child_size * n->factor;
        status = step(n, &n->children, "nest_single", items_of(n, (r->items - 1) / width + 1),
                      round, more, CB_COUNTOF(more), err);
    }
    return status;
}

/* ---- A run ----------------------------------------------------------------------------------- */

/* All phases of a lap; in those in which nobody launches all launchers are the same. */
static enum cb_status run_lap(struct nested *n, cl_uint lap, struct cb_err *err)
{
    struct round round = {lap, 0};
    enum cb_status status = CB_OK;
    for (; round.phase < n->program->phases && status == CB_OK; round.phase++)
        status =
            (n->program->launching >> round.phase & 1 ? n->launch : launch_serial)(n, &round, err);
    return status;
}

enum cb_status cb_nested_run_laps(struct nested *n, struct cb_err *err)
{
    cl_uint flag = 0;
    for (cl_uint lap = 0; lap < NEST_MOST_LAPS; lap++) {
        if (run_lap(n, lap, err) != CB_OK)
            return err->status;
        if (!n->program->has_laps)
            return CB_CL(err, clFinish(n->session->queue));
        if (cb_buffer_read(n->session, n->buffers[FLAG], &flag, sizeof flag, err) != CB_OK)
            return err->status;
        if (flag == 0)
            return CB_OK;
        flag = 0;
        if (cb_buffer_write(n->session, n->buffers[FLAG], &flag, sizeof flag, err) != CB_OK)
            return err->status;
    }
    return cb_fail(err, CB_VERIFY_FAILED, "no end after %u laps", NEST_MOST_LAPS);
}

static enum cb_status run_coop(struct nested *n, double *ns, struct cb_err *err)
{
    struct cb_coop_time time;
    cl_uint launches;
    if (cb_nest_coop_run(&n->coop, NULL, &time, &launches, err) != CB_OK)
        return err->status;
    n->launches = launches;
    *ns = time.host_ns;
    return CB_OK;
}

enum cb_status cb_nested_clear_counts(struct nested *n, struct cb_err *err)
{
    n->launches = n->parity = 0;
    if (cb_buffer_clear(n->session, n->buffers[COUNTS], NEST_COUNTS * sizeof(cl_ulong), err) !=
        CB_OK)
        return err->status;
    return cb_buffer_clear(n->session, n->buffers[FLAG], sizeof(cl_uint), err);
}

static enum cb_status clear(struct nested *n, struct cb_err *err)
{
    if (cb_nested_clear_counts(n, err) != CB_OK)
        return err->status;
    return cb_buffer_write(n->session, n->buffers[WORDS], n->data.words,
                           n->data.n_words * sizeof *n->data.words, err);
}

static enum cb_status check(struct nested *n, struct cb_sample *sample, struct cb_err *err)
{
    if (cb_buffer_read(n->session, n->buffers[WORDS], n->found, n->data.n_words * sizeof *n->found,
                       err) != CB_OK)
        return err->status;
    char why[CB_NEST_WHY] = "";
    if (n->program->check) {
        bool right = n->program->check(&n->data, n->found, why);
        cb_sample_check(sample, right, "%s", why);
        return CB_OK;
    }
    for (size_t i = 0; i < n->data.n_expected; i++)
        if (!cb_sample_check(sample, n->found[i] == n->data.expected[i],
                             "word %zu is %u instead of %u", i, n->found[i], n->data.expected[i]))
            break;
    return CB_OK;
}

static enum cb_status run(void *state, struct cb_sample *sample, struct cb_err *err)
{
    struct nested *n = state;
    if (clear(n, err) != CB_OK || CB_CL(err, clFinish(n->session->queue)) != CB_OK)
        return err->status;
    double ns = (double)cb_now_ns();
    if ((n->launch ? cb_nested_run_laps(n, err) : run_coop(n, &ns, err)) != CB_OK)
        return err->status;
    if (n->launch)
        ns = (double)cb_now_ns() - ns;
    if ((n->launch == launch_ahead || n->device_queue) && read_counts(n, err) != CB_OK)
        return err->status;
    if (check(n, sample, err) != CB_OK)
        return err->status;
    if (n->breakdown)
        return cb_breakdown_run(n, sample, err);
    cb_sample_add(sample, "run_time", ns);
    if (n->launches > 0) {
        cb_sample_add(sample, "launches", (double)n->launches);
        cb_sample_add(sample, "launch_rate", (double)n->launches / (ns / 1e9));
    }
    return CB_OK;
}

/* ---- Opening a case -------------------------------------------------------------------------- */

static enum cb_status create_buffers(struct nested *n, struct cb_err *err)
{
    const struct cb_nest_data *d = &n->data;
    const size_t bytes[BUFFERS] = {
        [BEGINS] = (d->parents + 1) * sizeof *d->begins,
        [OTHERS] = d->n_others * sizeof *d->others,
        [WORDS] = d->n_words * sizeof *d->words,
        [FLAG] = sizeof(cl_uint),
        [RECORDS] = (size_t)n->room * sizeof(nest_record),
        [COUNTS] = NEST_COUNTS * sizeof(cl_ulong),
    };
    for (int b = 0; b < BUFFERS; b++) {
        n->buffers[b] = cb_buffer_create(n->session, bytes[b], err);
        if (!n->buffers[b])
            return err->status;
    }
    if (cb_buffer_write(n->session, n->buffers[BEGINS], d->begins, bytes[BEGINS], err) != CB_OK)
        return err->status;
    return cb_buffer_write(n->session, n->buffers[OTHERS], d->others, bytes[OTHERS], err);
}

/* As many work-items as a device runs at once, or some more. */
#define GPU_ITEMS_OF_UNIT  2048u
#define CPU_GROUPS_OF_UNIT 4u
static size_t items_at_once(const struct nested *n)
{
    const struct cb_device *device = &n->session->info;
    const size_t units = device->compute_units, size = n->program->child_size;
    return strcmp(device->type, "cpu") == 0 ? units * CPU_GROUPS_OF_UNIT * size
                                            : units * GPU_ITEMS_OF_UNIT;
}

/* Work-items whose launches are one. */
static unsigned together_of(const char *launcher)
{
    return strcmp(launcher, CB_LAUNCH_THREAD) == 0  ? 1
           : strcmp(launcher, CB_LAUNCH_WARP) == 0  ? 32
           : strcmp(launcher, CB_LAUNCH_BLOCK) == 0 ? CB_NEST_COOP_SIZE
                                                    : CB_NEST_MULTIBLOCK;
}

static enum cb_status open_coop(struct nested *n, unsigned together, struct cb_err *err)
{
    const struct cb_nest_coop_config config = {.program = n->program,
                                               .data = &n->data,
                                               .together = together,
                                               .threshold = n->threshold,
                                               .factor = n->factor,
                                               .buffers = n->buffers};
    return cb_nest_coop_open(&n->coop, n->session, &config, err);
}

static enum cb_status open_case(struct cb_session *session, const cJSON *params, void **state,
                                struct cb_err *err)
{
    static const struct {
        const char *id;
        enum cb_status (*launch)(struct nested *n, const struct round *round, struct cb_err *err);
    } launchers[] = {{CB_LAUNCH_SERIAL, launch_serial},       {CB_LAUNCH_FLAT, launch_flat},
                     {CB_LAUNCH_GRID, cb_nested_launch_grid}, {CB_LAUNCH_AHEAD, launch_ahead},
                     {CB_LAUNCH_ENQUEUE, launch_enqueue},     {CB_LAUNCH_HOST, launch_host}};
    struct nested *n = *state = calloc(1, sizeof *n);
    if (!n)
        return cb_fail(err, CB_ERROR, "out of memory");
    const double room = cb_json_number(params, "pool"),
                 threshold = cb_json_number(params, "threshold"),
                 factor = cb_json_number(params, "coarsening");
    const char *launcher = cb_json_text(params, "launcher", "");
    n->session = session;
    n->program = cb_nest_program_of(cb_json_text(params, "program", ""));
    for (size_t i = 0; i < CB_COUNTOF(launchers); i++)
        if (strcmp(launcher, launchers[i].id) == 0)
            n->launch = launchers[i].launch;
    if (n->launch == launch_enqueue &&
        cb_device_queue_open(session, &n->device_queue, err) != CB_OK)
        return err->status;
    if (cb_steps_open(&n->parents, session, n->program->kernel, n->program->parent_size, err) !=
            CB_OK ||
        cb_steps_open(&n->children, session, n->program->kernel, n->program->child_size, err) !=
            CB_OK)
        return err->status;
    const char *input = session->rehearsal ? NULL : cb_json_text(params, "input", NULL);
    if (cb_nest_make(n->program, cb_launch_size_of(params, session->rehearsal), input, &n->data,
                     err) != CB_OK)
        return err->status;
    n->threshold = threshold > 0 ? (cl_uint)threshold : 1;
    n->factor = factor > 0 ? (cl_uint)factor : 1;
    n->at_once = items_at_once(n);
    n->room = room > 0 ? (cl_uint)room : n->data.parents;
    n->records = malloc((size_t)n->room * sizeof *n->records);
    n->found = malloc(n->data.n_words * sizeof *n->found);
    if (!n->records || !n->found)
        return cb_fail(err, CB_ERROR, "out of memory for %u launches", n->room);
    if (create_buffers(n, err) != CB_OK || clear(n, err) != CB_OK)
        return err->status;
    if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(params, "breakdown")) &&
        cb_breakdown_open(n, err) != CB_OK)
        return err->status;
    if (!n->launch)
        return open_coop(n, together_of(launcher), err);
    return session->rehearsal ? cb_nested_run_laps(n, err) : CB_OK;
}

static void close_case(void *state)
{
    struct nested *n = state;
    cb_breakdown_close(n);
    for (int b = 0; b < BUFFERS; b++)
        if (n->buffers[b])
            clReleaseMemObject(n->buffers[b]);
    if (n->device_queue)
        clReleaseCommandQueue(n->device_queue);
    cb_nest_coop_close(&n->coop);
    cb_steps_close(&n->parents);
    cb_steps_close(&n->children);
    cb_nest_free(&n->data);
    free(n->records);
    free(n->found);
    free(n);
}

const struct cb_launch_kind cb_launch_nested = {open_case, run, close_case};
