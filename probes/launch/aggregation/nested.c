/* SPDX-License-Identifier: Apache-2.0
 *
 * A case of a program whose parents launch children (nest.clh).
 */
#include <stdlib.h>
#include <string.h>

#include "probes/launch/aggregation/breakdown.h"
#include "probes/launch/aggregation/child_times.h"
#include "probes/launch/aggregation/device_queue.h"
#include "probes/launch/aggregation/nested.h"
#include "probes/launch/launch.h"
#include "probes/launch/occupancy.h"
#include "runtime/host/time.h"
#include "runtime/source.h"

/* ---- A run ----------------------------------------------------------------------------------- */

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

static enum cb_status clear(struct nested *n, struct cb_err *err)
{
    if (cb_nested_clear_counts(n, 0, err) != CB_OK ||
        (n->keeps_times && cb_child_times_clear(n, err) != CB_OK))
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
        const bool right = n->program->check(&n->data, n->found, why);
        if (cb_sample_check(sample, right, "%s", why) && why[0])
            cb_sample_note(sample, "%s", why);
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
    if (n->counts_itself && cb_nested_read_counts(n, err) != CB_OK)
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
    return n->keeps_times ? cb_child_times_add(n, sample, err) : CB_OK;
}

/* ---- Opening a case -------------------------------------------------------------------------- */

static enum cb_status create_buffers(struct nested *n, struct cb_err *err)
{
    const struct cb_nest_data *d = &n->data;
    const size_t bytes[BUFFERS] = {
        [BEGINS] = (d->parents + 1) * sizeof *d->begins,
        [OTHERS] = d->n_others * sizeof *d->others,
        [WORDS] = d->n_words * sizeof *d->words,
        [FLAG] = NEST_FLAGS * sizeof(cl_uint) + (n->keeps_times ? cb_child_times_bytes() : 0),
        [RECORDS] = cb_nest_records_bytes(&n->form, n->room),
        [COUNTS] = NEST_COUNTS * sizeof(cl_ulong),
    };
    if (cb_buffers_create(n->session, bytes, BUFFERS, n->buffers, err) != CB_OK ||
        cb_buffer_write(n->session, n->buffers[BEGINS], d->begins, bytes[BEGINS], err) != CB_OK)
        return err->status;
    return cb_buffer_write(n->session, n->buffers[OTHERS], d->others, bytes[OTHERS], err);
}

/* Work-items of a launch ahead: as many as a device runs at once, or up to MOST_TURNS times as many
 * for a workgroup per parent: the device starts these as others end. */
#define GPU_ITEMS_OF_UNIT  2048u
#define CPU_GROUPS_OF_UNIT 4u
#define MOST_TURNS         4u
static size_t items_at_once(const struct nested *n)
{
    const struct cb_device *device = &n->session->info;
    const size_t units = device->compute_units, size = n->child_size;
    const size_t least =
        cb_device_is_cpu(device) ? units * CPU_GROUPS_OF_UNIT * size : units * GPU_ITEMS_OF_UNIT;
    const size_t wanted = n->data.parents * size, most = least * MOST_TURNS;
    return wanted < least ? least : wanted < most ? wanted : most;
}

/* The number of work-items whose launches are made as one. */
static unsigned together_of(const char *launcher)
{
    return strcmp(launcher, CB_LAUNCH_THREAD) == 0      ? 1
           : strcmp(launcher, CB_LAUNCH_WARP) == 0      ? 32
           : strcmp(launcher, CB_LAUNCH_BLOCK) == 0     ? CB_NEST_COOP_SIZE
           : strcmp(launcher, CB_LAUNCH_RECURSIVE) == 0 ? CB_NEST_RECURSIVE
                                                        : CB_NEST_MULTIBLOCK;
}

static enum cb_status open_coop(struct nested *n, unsigned together, struct cb_err *err)
{
    const struct cb_nest_coop_config config = {.program = n->program,
                                               .data = &n->data,
                                               .together = together,
                                               .threshold = n->threshold,
                                               .factor = n->factor,
                                               .child_size = n->child_size,
                                               .form = &n->form,
                                               .buffers = n->buffers};
    return cb_nest_coop_open(&n->coop, n->session, &config, err);
}

static void add_to_form(struct cb_nest_form *form, const char *name, const char *definition)
{
    const size_t n = strlen(form->name), k = strlen(form->definitions);
    snprintf(form->name + n, sizeof form->name - n, "-%s", name);
    snprintf(form->definitions + k, sizeof form->definitions - k, "#define %s\n", definition);
}

/* Chooses the form of the kernels. */
static void choose_form(struct nested *n, const struct cb_launch_case *params)
{
    if (n->keeps_times)
        add_to_form(&n->form, "times", "NEST_TIMES");
    if (cb_text_is(params->places, CB_LAUNCH_SCAN))
        add_to_form(&n->form, "scan", "NEST_SCAN");
    if (cb_text_is(params->places, CB_LAUNCH_SEQUENTIAL))
        add_to_form(&n->form, "sequential", "NEST_SEQUENTIAL");
    n->form.has_arrays = cb_text_is(params->arguments, CB_LAUNCH_ARRAYS);
    if (n->form.has_arrays)
        add_to_form(&n->form, "arrays", "NEST_ARRAYS");
    n->child_size = n->program->child_size;
    n->has_sizes = params->child_size;
    if (cb_text_is(params->child_size, CB_LAUNCH_NOTED))
        add_to_form(&n->form, "noted", "NEST_SIZES NEST_SIZES_NOTED");
    if (!cb_text_is(params->child_size, CB_LAUNCH_ITEMS))
        return;
    add_to_form(&n->form, "items", "NEST_SIZES NEST_SIZES_ITEMS");
    n->child_size = CB_NEST_COOP_SIZE; /* whatever launches them, since a kernel can no larger */
}

static enum cb_status open_steps(struct nested *n, struct cb_err *err)
{
    const struct cb_nest_program *p = n->program;
    char path[96], text[256];
    snprintf(path, sizeof path, "launch/%s%s.cl", p->id, n->form.name);
    snprintf(text, sizeof text, "%s#include \"%s\"\n", n->form.definitions, p->kernel);
    if ((n->keeps_times && cb_occupancy_check(n->session, err) != CB_OK) ||
        cb_source_keep(path, text, err) != CB_OK)
        return err->status;
    if (cb_steps_open(&n->parents, n->session, path, p->parent_size, err) != CB_OK)
        return err->status;
    return cb_steps_open(&n->children, n->session, path, n->child_size, err);
}

static enum cb_status open_case(struct cb_session *session, const struct cb_launch_case *params,
                                void **state, struct cb_err *err)
{
    struct nested *n = *state = calloc(1, sizeof *n);
    if (!n)
        return cb_no_memory(err);
    const char *launcher = params->launcher;
    n->session = session;
    n->program = cb_nest_program_of(params->program);
    n->launch = cb_nested_launcher_of(launcher);
    n->counts_itself =
        strcmp(launcher, CB_LAUNCH_AHEAD) == 0 || strcmp(launcher, CB_LAUNCH_ENQUEUE) == 0;
    if (strcmp(launcher, CB_LAUNCH_ENQUEUE) == 0 &&
        cb_device_queue_open(session, &n->device_queue, err) != CB_OK)
        return err->status;
    if (strcmp(launcher, CB_LAUNCH_RECURSIVE) == 0 && strcmp(session->info.atomics, "cl12") == 0)
        return cb_fail(err, CB_UNSUPPORTED,
                       "children that launch read with plain accesses what others wrote, which the "
                       "atomics of OpenCL 1.2 do not order: with c11 or ptx they can");
    n->keeps_times = params->occupancy;
    choose_form(n, params);
    if (open_steps(n, err) != CB_OK)
        return err->status;
    const char *input = session->rehearsal ? NULL : params->input;
    if (cb_nest_make_deep(n->program, cb_launch_size_of(params->size, session->rehearsal),
                          params->depth ? params->depth : n->program->depth, input, &n->data,
                          err) != CB_OK)
        return err->status;
    if (input)
        cb_identity_note(session, input, cb_nest_identity(&n->data));
    n->threshold = params->threshold ? params->threshold : 1;
    n->factor = params->coarsening ? params->coarsening : 1;
    n->at_once = items_at_once(n);
    n->room = params->pool ? params->pool : n->data.parents;
    n->records = malloc((size_t)n->room * sizeof *n->records);
    n->found = malloc(n->data.n_words * sizeof *n->found);
    if (!n->records || !n->found)
        return cb_fail(err, CB_ERROR, "out of memory for %u launches", n->room);
    if (create_buffers(n, err) != CB_OK ||
        cb_pinned_open(session, sizeof(struct nested_words), &n->host, err) != CB_OK ||
        clear(n, err) != CB_OK)
        return err->status;
    if (params->breakdown &&
        /* The breakdown has made a run. */
        (cb_breakdown_open(n, err) != CB_OK || clear(n, err) != CB_OK))
        return err->status;
    if (!n->launch)
        return open_coop(n, together_of(launcher), err);
    return session->rehearsal ? cb_nested_run_laps(n, err) : CB_OK;
}

static void close_case(void *state)
{
    struct nested *n = state;
    cb_breakdown_close(n);
    cb_pinned_close(n->session, &n->host);
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
