/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/nested/programs/nested_coop.h"

#include <stdio.h>
#include <string.h>

#include "apps/nested/programs/nest_abi.h"
#include "kernels/coop_abi.h"

#define COUNTS 2 /* counts of rounds */

size_t cb_nest_records_bytes(const struct cb_nest_form *form, size_t room)
{
    return room * (sizeof(nest_record) + (form->has_arrays ? sizeof(nest_arguments) : 0));
}

static enum cb_status create_buffers(struct cb_nest_coop *c, struct cb_session *session,
                                     cl_uint parents, struct cb_err *err)
{
    const size_t at_once = CB_NEST_COOP_SIZE * (size_t)COOP_MAX_WORKERS;
    c->room = (cl_uint)(parents > at_once ? parents : at_once);
    c->records = cb_buffer_create(session, cb_nest_records_bytes(c->config.form, c->room), err);
    c->counts = c->records ? cb_buffer_create(session, COUNTS * sizeof(cl_ulong), err) : NULL;
    c->launches = c->counts ? cb_buffer_create(session, sizeof(cl_uint), err) : NULL;
    return c->launches ? CB_OK : err->status;
}

#define VALUE(p)                                                                                   \
    {                                                                                              \
        sizeof *args->p, args->p                                                                   \
    }
void cb_nest_values(const struct cb_nest_args *args, struct cb_kernel_value values[CB_NEST_ARGS])
{
    const struct cb_kernel_value all[CB_NEST_ARGS] = {
        VALUE(begins),   VALUE(others),    VALUE(words),       VALUE(flags),    VALUE(parents),
        VALUE(n),        VALUE(phases),    VALUE(launching),   VALUE(has_laps), VALUE(child_size),
        VALUE(factor),   VALUE(threshold), VALUE(records),     VALUE(room),     VALUE(counts),
        VALUE(launches), VALUE(first_lap), VALUE(first_phase), VALUE(off)};
    memcpy(values, all, sizeof all);
}

static void take_values(const struct cb_nest_coop *c, struct cb_kernel_value values[CB_NEST_ARGS])
{
    const struct cb_nest_coop_config *w = &c->config;
    const struct cb_nest_args args = {.begins = &w->buffers[0],
                                      .others = &w->buffers[1],
                                      .words = &w->buffers[2],
                                      .flags = &w->buffers[3],
                                      .records = &c->records,
                                      .counts = &c->counts,
                                      .launches = &c->launches,
                                      .parents = &w->data->parents,
                                      .n = &w->data->n,
                                      .phases = &c->part.phases,
                                      .launching = &w->program->launching,
                                      .has_laps = &c->part.has_laps,
                                      .child_size = &c->child_size,
                                      .factor = &w->factor,
                                      .threshold = &w->threshold,
                                      .room = &c->room,
                                      .first_lap = &c->part.first_lap,
                                      .first_phase = &c->part.first_phase,
                                      .off = &c->part.off};
    cb_nest_values(&args, values);
}

static struct cb_nest_part all_rounds(const struct cb_nest_program *p)
{
    return (struct cb_nest_part){.phases = p->phases, .has_laps = p->has_laps};
}

static bool is_recursive(const struct cb_nest_coop_config *w)
{
    return w->together == CB_NEST_RECURSIVE;
}

/* Names the form of the kernel, and writes its definitions. */
static void define(const struct cb_nest_coop_config *w, char *name, size_t name_bytes,
                   char *definitions, size_t bytes)
{
    const bool is_multiblock = w->together == CB_NEST_MULTIBLOCK;
    definitions[0] = '\0';
    snprintf(name, name_bytes, "%s-recursive", w->program->id);
    if (is_recursive(w))
        return;
    snprintf(name, name_bytes, "%s-by-%u%s", w->program->id, w->together, w->form->name);
    snprintf(definitions, bytes, "#define NEST_COOPERATIVE\n#define NEST_TOGETHER %uu\n%s%s",
             is_multiblock ? CB_NEST_COOP_SIZE : w->together,
             is_multiblock ? "#define NEST_MULTIBLOCK\n" : "", w->form->definitions);
}

enum cb_status cb_nest_coop_open(struct cb_nest_coop *c, struct cb_session *session,
                                 const struct cb_nest_coop_config *wanted, struct cb_err *err)
{
    const struct cb_nest_program *p = wanted->program;
    struct cb_kernel_value values[CB_NEST_ARGS];
    char name[80], definitions[256];
    *c = (struct cb_nest_coop){.config = *wanted, .part = all_rounds(p)};
    /* A larger workgroup would be no task: submit.clh. */
    c->child_size = wanted->child_size < CB_NEST_COOP_SIZE ? wanted->child_size : CB_NEST_COOP_SIZE;
    if (create_buffers(c, session, wanted->data->parents, err) != CB_OK)
        return err->status;
    take_values(c, values);
    define(wanted, name, sizeof name, definitions, sizeof definitions);
    const struct cb_launch_coop_config config = {
        .name = name,
        .definitions = definitions,
        .kernel = is_recursive(wanted) ? p->recursive_kernel : p->kernel,
        /* Children that launch have barriers: their workgroups are the kernel's. */
        .wg_size = is_recursive(wanted) ? p->child_size : CB_NEST_COOP_SIZE,
        .values = values,
        .n_values = CB_NEST_ARGS};
    return cb_launch_coop_open(&c->run, session, &config, err);
}

enum cb_status cb_nest_coop_run(struct cb_nest_coop *c, const struct cb_nest_part *part,
                                struct cb_coop_time *time, cl_uint *launches, struct cb_err *err)
{
    struct cb_session *session = c->run.session;
    struct cb_kernel_value values[CB_NEST_ARGS];
    c->part = part ? *part : all_rounds(c->config.program);
    take_values(c, values);
    if (cb_coop_args(c->run.coop, values, CB_NEST_ARGS, err) != CB_OK ||
        cb_buffer_clear(session, c->config.buffers[3], NEST_FLAGS * sizeof(cl_uint), err) !=
            CB_OK ||
        cb_buffer_clear(session, c->counts, COUNTS * sizeof(cl_ulong), err) != CB_OK ||
        cb_buffer_clear(session, c->launches, sizeof *launches, err) != CB_OK ||
        cb_launch_coop_run(&c->run, time, err) != CB_OK)
        return err->status;
    return cb_buffer_read(session, c->launches, launches, sizeof *launches, err);
}

void cb_nest_coop_close(struct cb_nest_coop *c)
{
    const cl_mem all[] = {c->records, c->counts, c->launches};
    cb_launch_coop_close(&c->run);
    for (size_t i = 0; i < CB_COUNTOF(all); i++)
        if (all[i])
            clReleaseMemObject(all[i]);
    *c = (struct cb_nest_coop){0};
}
