/* SPDX-License-Identifier: Apache-2.0
 *
 * A case of a program that launches itself (chain.clh).
 */
#include <stdlib.h>
#include <string.h>

#include "apps/nested/programs/cooperative.h"
#include "probes/launch/launch.h"
#include "probes/launch/occupancy.h"
#include "probes/launch/promotion/chain_abi.h"
#include "probes/launch/promotion/programs.h"
#include "runtime/session.h"

struct promoted {
    struct cb_session *session;
    const struct cb_chain_program *program;
    struct cb_chain_size size;
    unsigned each; /* elements of a work-item */
    uint32_t steps, descendants, launches;
    size_t workgroups; /* workgroups that take steps */
    cl_program built;
    cl_kernel kernel;
    bool keeps_times;     /* CHAIN_TIMES */
    bool speculates;      /* CHAIN_SPECULATIVE */
    bool launches_itself; /* a kernel launches the next step: */
    struct cb_launch_coop coop;
    cl_mem links, data, out;
    uint32_t *input, *links_begin, *links_found;
    size_t links_bytes, bytes;
    struct cb_chain_arrays expected, found;
};

/* ---- A run ----------------------------------------------------------------------------------- */

static enum cb_status clear(struct promoted *l, struct cb_err *err)
{
    if (cb_buffer_write(l->session, l->links, l->links_begin, l->links_bytes, err) != CB_OK ||
        cb_buffer_write(l->session, l->data, l->input, l->bytes, err) != CB_OK)
        return err->status;
    return cb_buffer_clear(l->session, l->out, l->bytes, err);
}

#define VALUES 7

/* Sets the arguments that both kinds of kernels take. */
static void take_values(const struct promoted *l, struct cb_kernel_value values[VALUES])
{
    const struct cb_kernel_value all[VALUES] = {{sizeof l->links, &l->links},
                                                {sizeof l->data, &l->data},
                                                {sizeof l->out, &l->out},
                                                {sizeof l->size.n, &l->size.n},
                                                {sizeof l->size.n, &l->size.columns},
                                                {sizeof l->size.n, &l->size.pad},
                                                {sizeof l->steps, &l->steps}};
    memcpy(values, all, sizeof all);
}

static enum cb_status set_arguments(struct promoted *l, struct cb_err *err)
{
    struct cb_kernel_value values[VALUES];
    take_values(l, values);
    return cb_kernel_args(l->kernel, values, VALUES, err);
}

static enum cb_status enqueue(struct promoted *l, cl_event *event, struct cb_err *err)
{
    const struct cb_range range = cb_range_of(1, l->descendants, l->program->wg_size);
    return cb_launch_enqueue(l->session, l->session->queue, l->kernel, &range, event, err);
}

/* Enqueues all launches one after the other; the host waits for the last. */
static enum cb_status launch_all(struct promoted *l, double *ns, struct cb_err *err)
{
    cl_event first = NULL, last = NULL;
    uint64_t span_ns = 0;
    enum cb_status status = cb_launch_reset(l->session, l->kernel, err);
    for (uint32_t i = 1; i < l->launches && status == CB_OK; i++)
        status = enqueue(l, i == 1 ? &first : NULL, err);
    if (status == CB_OK)
        status = enqueue(l, &last, err);
    if (status == CB_OK)
        status = CB_CL(err, clRetainEvent(last)); /* retained, since the end releases it */
    if (status == CB_OK)
        status = cb_launch_end(l->session, last, l->descendants, NULL, NULL, err);
    if (status == CB_OK)
        status = cb_event_span(first ? first : last, last, &span_ns, err);
    *ns = (double)span_ns;
    if (first)
        clReleaseEvent(first);
    if (last)
        clReleaseEvent(last);
    return status;
}

static enum cb_status run_all(struct promoted *l, double *ns, struct cb_err *err)
{
    struct cb_coop_time time = {0};
    if (!l->launches_itself)
        return launch_all(l, ns, err);
    enum cb_status status = cb_launch_coop_run(&l->coop, &time, err);
    *ns = time.run_ns;
    return status;
}

/* Compares an array. padded: the size of a matrix whose new columns have no expected value; else
 * NULL. */
static bool is_right(const struct promoted *l, struct cb_sample *sample, const char *array,
                     const uint32_t *found, const uint32_t *expected,
                     const struct cb_chain_size *padded)
{
    for (size_t i = 0; i < l->bytes / sizeof *found; i++)
        if (found[i] != expected[i] &&
            !(padded && i % (padded->columns + padded->pad) >= padded->columns))
            return cb_sample_check(sample, false, "%s: element %zu is %u instead of %u", array, i,
                                   found[i], expected[i]);
    return true;
}

static enum cb_status check(struct promoted *l, struct cb_sample *sample, struct cb_err *err)
{
    const struct cb_chain_size *padded = l->expected.n_data > l->size.n ? &l->size : NULL;
    if (cb_buffer_read(l->session, l->data, l->found.data, l->bytes, err) != CB_OK ||
        cb_buffer_read(l->session, l->out, l->found.out, l->bytes, err) != CB_OK)
        return err->status;
    if (is_right(l, sample, "data", l->found.data, l->expected.data, padded) &&
        is_right(l, sample, "out", l->found.out, l->expected.out, NULL))
        cb_sample_check(sample, true, "all elements are right");
    return CB_OK;
}

static uint64_t time_of(const struct promoted *l, uint32_t step, uint32_t word)
{
    uint64_t ticks;
    memcpy(&ticks, &l->links_found[chain_at(step, word)], sizeof ticks);
    return ticks;
}

/* Adds how many steps ran at once, and the share of their time that they waited for the one
 * before. */
static enum cb_status add_times(struct promoted *l, struct cb_sample *sample, struct cb_err *err)
{
    uint64_t *begins = malloc(2 * l->steps * sizeof *begins), *ends = begins + l->steps;
    double waited = 0, all = 0;
    if (!begins)
        return cb_no_memory(err);
    enum cb_status status =
        cb_buffer_read(l->session, l->links, l->links_found, l->links_bytes, err);
    for (uint32_t i = 0; i < l->steps && status == CB_OK; i++) {
        begins[i] = time_of(l, i, CHAIN_BEGAN);
        ends[i] = time_of(l, i, CHAIN_ENDED);
        waited += (double)time_of(l, i, CHAIN_WAITED);
        all += (double)ends[i] - (double)begins[i];
        if (!cb_sample_check(sample, begins[i] > 0 && ends[i] > 0, "step %u has no times", i))
            break;
    }
    if (status == CB_OK) {
        const struct cb_occupancy o = cb_occupancy_of(begins, ends, l->steps);
        cb_occupancy_add(&o, sample);
        cb_sample_add(sample, "waiting", waited / all);
    }
    free(begins);
    return status;
}

static enum cb_status run(void *state, struct cb_sample *sample, struct cb_err *err)
{
    struct promoted *l = state;
    double ns = 0;
    if (clear(l, err) != CB_OK || run_all(l, &ns, err) != CB_OK)
        return err->status;
    cb_sample_add(sample, "run_time", ns);
    cb_sample_add(sample, "step_time", ns / l->steps);
    cb_sample_add(sample, "rate", l->size.n / (ns / 1e9));
    cb_sample_add(sample, "steps", l->steps);
    if (l->each < l->program->each)
        cb_sample_note(sample, "steps of %u elements, in place of %u: little local memory",
                       l->program->wg_size * l->each, l->program->wg_size * l->program->each);
    if (check(l, sample, err) != CB_OK)
        return err->status;
    return l->keeps_times ? add_times(l, sample, err) : CB_OK;
}

/* ---- Opening a case -------------------------------------------------------------------------- */

static bool is(const char *launcher, const char *id)
{
    return strcmp(launcher, id) == 0;
}

/* Opens a case whose steps launch the next one themselves (chain_coop.clh). */
static enum cb_status open_coop(struct promoted *l, const char *launcher, struct cb_err *err)
{
    char name[64], definitions[200];
    struct cb_kernel_value values[VALUES];
    take_values(l, values);
    snprintf(name, sizeof name, "%s-%s%s%s", l->program->id, launcher,
             l->speculates ? "-speculative" : "", l->keeps_times ? "-times" : "");
    snprintf(definitions, sizeof definitions,
             "#define CHAIN_WG %uu\n#define CHAIN_EACH %uu\n#define CHAIN_PROMOTED %d\n%s%s%s",
             l->program->wg_size, l->each, !is(launcher, CB_LAUNCH_TAIL),
             is(launcher, CB_LAUNCH_PO) ? "#define CHAIN_OVERLAP\n" : "",
             l->speculates ? "#define CHAIN_SPECULATIVE\n" : "",
             l->keeps_times ? "#define CHAIN_TIMES\n" : "");
    const struct cb_launch_coop_config config = {.name = name,
                                                 .definitions = definitions,
                                                 .kernel = l->program->kernel,
                                                 .wg_size = l->program->wg_size,
                                                 .values = values,
                                                 .n_values = VALUES};
    return cb_launch_coop_open(&l->coop, l->session, &config, err);
}

static enum cb_status build(struct promoted *l, const char *launcher, struct cb_err *err)
{
    char defines[100];
    bool overlaps = is(launcher, CB_LAUNCH_PAO);
    snprintf(defines, sizeof defines, "-DCHAIN_WG=%u -DCHAIN_EACH=%uu%s%s", l->program->wg_size,
             l->each, overlaps ? " -DCHAIN_OVERLAP" : "", l->keeps_times ? " -DCHAIN_TIMES" : "");
    if (cb_program_build(l->session, l->program->kernel, defines, &l->built, err) != CB_OK)
        return err->status;
    bool loops = is(launcher, CB_LAUNCH_LOOP);
    return cb_kernel_create(l->built, loops ? "chain_loop" : "chain_steps", &l->kernel, err);
}

static enum cb_status make_input(struct promoted *l, struct cb_err *err)
{
    const size_t room = cb_chain_room(&l->size);
    l->bytes = room * sizeof *l->input;
    l->links_bytes = CHAIN_LINE * sizeof *l->links_begin * (l->workgroups + 2);
    l->input = calloc(room, sizeof *l->input);
    l->links_begin = calloc(1, l->links_bytes);
    l->links_found = malloc(l->links_bytes);
    l->expected.data = calloc(room, sizeof *l->input);
    l->expected.out = calloc(room, sizeof *l->input);
    l->found.data = malloc(l->bytes);
    l->found.out = malloc(l->bytes);
    if (!l->input || !l->links_begin || !l->links_found || !l->expected.data || !l->expected.out ||
        !l->found.data || !l->found.out)
        return cb_fail(err, CB_ERROR, "out of memory for six times %zu bytes", l->bytes);
    const uint64_t nothing = CHAIN_VALUE(CHAIN_GO, 0);
    l->links_begin[chain_at(0, CHAIN_CONDITION)] = CHAIN_GO;
    for (unsigned i = 0; i < 2; i++)
        memcpy(&l->links_begin[chain_at(0, CHAIN_DATA) + 2 * i], &nothing, sizeof nothing);
    l->program->fill(&l->size, l->input);
    l->program->reference(&l->size, l->input, &l->expected);
    /* Elements after the result stay as they were; those of `out` are zero. */
    for (size_t i = l->expected.n_data; i < room; i++)
        l->expected.data[i] = l->input[i];
    return CB_OK;
}

static enum cb_status create_buffers(struct promoted *l, struct cb_err *err)
{
    const size_t bytes[] = {l->links_bytes, l->bytes, l->bytes};
    cl_mem made[CB_COUNTOF(bytes)] = {NULL};
    enum cb_status status = cb_buffers_create(l->session, bytes, CB_COUNTOF(bytes), made, err);
    l->links = made[0];
    l->data = made[1];
    l->out = made[2];
    return status;
}

static enum cb_status open_case(struct cb_session *session, const struct cb_launch_case *params,
                                void **state, struct cb_err *err)
{
    struct promoted *l = calloc(1, sizeof *l);
    const char *launcher = params->launcher;
    *state = l;
    if (!l)
        return cb_no_memory(err);
    l->session = session;
    l->program = cb_chain_program_of(params->program);
    if (!l->program)
        return cb_fail(err, CB_ERROR, "no such program: %s", params->program);
    l->size = l->program->sizes[cb_launch_size_of(params->size, session->rehearsal)];
    l->each = cb_chain_each(l->program, session->info.local_mem_bytes);
    l->steps = cb_chain_steps(l->program, &l->size, l->each);
    l->descendants =
        params->descendants ? cb_launch_descendants_of(params->descendants, l->steps) : 1;
    if (l->descendants == 0)
        return cb_fail(err, CB_ERROR, "no number of descendants: %s", params->descendants);
    bool loops = is(launcher, CB_LAUNCH_LOOP);
    l->launches_itself =
        is(launcher, CB_LAUNCH_TAIL) || is(launcher, CB_LAUNCH_P) || is(launcher, CB_LAUNCH_PO);
    l->launches = loops ? 1 : (l->steps + l->descendants - 1) / l->descendants;
    l->speculates = cb_text_is(params->condition, CB_LAUNCH_FOUND);
    l->workgroups = loops ? l->steps : (size_t)l->launches * l->descendants;
    l->workgroups += l->speculates ? CHAIN_TRAIL : 0;
    double ns;
    l->keeps_times = params->occupancy;
    if (l->keeps_times && cb_occupancy_check(session, err) != CB_OK)
        return err->status;
    if (strcmp(session->info.atomics, "cl12") == 0)
        return cb_fail(err, CB_UNSUPPORTED,
                       "a step reads with plain accesses what the one before wrote, which the "
                       "atomics of OpenCL 1.2 do not order: with c11 or ptx they can");
    if (make_input(l, err) != CB_OK || create_buffers(l, err) != CB_OK)
        return err->status;
    if (l->launches_itself)
        return clear(l, err) == CB_OK ? open_coop(l, launcher, err) : err->status;
    if (build(l, launcher, err) != CB_OK || set_arguments(l, err) != CB_OK)
        return err->status;
    if (!session->rehearsal)
        return CB_OK;
    return clear(l, err) == CB_OK ? launch_all(l, &ns, err) : err->status;
}

static void close_case(void *state)
{
    struct promoted *l = state;
    cl_mem all[] = {l->links, l->data, l->out};
    cb_launch_coop_close(&l->coop);
    void *memory[] = {l->input,        l->links_begin, l->links_found, l->expected.data,
                      l->expected.out, l->found.data,  l->found.out};
    for (size_t i = 0; i < CB_COUNTOF(all); i++)
        if (all[i])
            clReleaseMemObject(all[i]);
    for (size_t i = 0; i < CB_COUNTOF(memory); i++)
        free(memory[i]);
    if (l->kernel)
        clReleaseKernel(l->kernel);
    if (l->built)
        clReleaseProgram(l->built);
    free(l);
}

const struct cb_launch_kind cb_launch_promoted = {open_case, run, close_case};
