/* SPDX-License-Identifier: Apache-2.0 */
#include "benchmarks/launch/aggregation/nested_coop.h"

#include <stdio.h>

#include "benchmarks/launch/aggregation/nest_abi.h"
#include "kernels/coop_abi.h"
#include "runtime/source.h"

#define FLAGS 3

/* The program with a frame of another kind around it. */
static enum cb_status keep_program(struct cb_nest_coop *c, const struct cb_nest_program *program,
                                   unsigned together, struct cb_err *err)
{
    char text[160];
    snprintf(c->path, sizeof c->path, "launch/%s-by-%u.cl", program->id, together);
    snprintf(text, sizeof text,
             "#define NEST_COOPERATIVE\n#define NEST_TOGETHER %uu\n#include \"%s\"\n", together,
             program->kernel);
    return cb_source_keep(c->path, text, err);
}

static enum cb_status create_buffers(struct cb_nest_coop *c, struct cb_err *err)
{
    c->flags = cb_buffer_create(c->session, FLAGS * sizeof(cl_uint), err);
    c->records =
        c->flags ? cb_buffer_create(c->session,
                                    sizeof(nest_record) * CB_NEST_COOP_SIZE * COOP_MAX_WORKERS, err)
                 : NULL;
    c->launches = c->records ? cb_buffer_create(c->session, sizeof(cl_uint), err) : NULL;
    return c->launches ? CB_OK : err->status;
}

enum cb_status cb_nest_coop_open(struct cb_nest_coop *c, struct cb_session *session,
                                 const struct cb_nest_coop_config *wanted, struct cb_err *err)
{
    const struct cb_nest_program *p = wanted->program;
    const struct cb_nest_data *d = wanted->data;
    const cl_uint has_laps = p->has_laps;
    *c = (struct cb_nest_coop){.session = session};
    if (keep_program(c, p, wanted->together, err) != CB_OK || create_buffers(c, err) != CB_OK)
        return err->status;
    const struct cb_coop_config config = {.path = c->path,
                                          .wg_size = CB_NEST_COOP_SIZE,
                                          .mode = COOP_COOPERATIVE,
                                          .resizing = COOP_ATOMIC,
                                          .program_tasks = true,
                                          .submits = true};
    const struct cb_kernel_value values[] = {{sizeof(cl_mem), &wanted->buffers[0]},
                                             {sizeof(cl_mem), &wanted->buffers[1]},
                                             {sizeof(cl_mem), &wanted->buffers[2]},
                                             {sizeof(cl_mem), &c->flags},
                                             {sizeof d->parents, &d->parents},
                                             {sizeof d->n, &d->n},
                                             {sizeof p->phases, &p->phases},
                                             {sizeof p->launching, &p->launching},
                                             {sizeof has_laps, &has_laps},
                                             {sizeof p->child_size, &p->child_size},
                                             {sizeof wanted->factor, &wanted->factor},
                                             {sizeof wanted->threshold, &wanted->threshold},
                                             {sizeof(cl_mem), &c->records},
                                             {sizeof(cl_mem), &c->launches}};
    if (cb_coop_open(session, &config, &c->coop, err) != CB_OK ||
        cb_coop_args(c->coop, values, CB_COUNTOF(values), err) != CB_OK)
        return err->status;
    return session->rehearsal ? cb_coop_try(c->coop, err)
                              : cb_coop_find_workers(c->coop, &c->workers, err);
}

enum cb_status cb_nest_coop_run(struct cb_nest_coop *c, double *ns, cl_uint *launches,
                                struct cb_err *err)
{
    struct cb_coop_time time;
    if (cb_buffer_clear(c->session, c->flags, FLAGS * sizeof(cl_uint), err) != CB_OK ||
        cb_buffer_clear(c->session, c->launches, sizeof *launches, err) != CB_OK ||
        cb_coop_run_alone(c->coop, c->workers, &time, err) != CB_OK)
        return err->status;
    *ns = time.host_ns;
    return cb_buffer_read(c->session, c->launches, launches, sizeof *launches, err);
}

void cb_nest_coop_close(struct cb_nest_coop *c)
{
    const cl_mem all[] = {c->flags, c->records, c->launches};
    cb_coop_close(c->coop);
    for (size_t i = 0; i < CB_COUNTOF(all); i++)
        if (all[i])
            clReleaseMemObject(all[i]);
    *c = (struct cb_nest_coop){0};
}
