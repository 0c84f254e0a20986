/* SPDX-License-Identifier: Apache-2.0 */
#include "benchmarks/launch/aggregation/nested_coop.h"

#include <stdio.h>

#include "benchmarks/launch/aggregation/nest_abi.h"
#include "kernels/coop_abi.h"

#define FLAGS  3 /* of laps */
#define COUNTS 2 /* of rounds */

static enum cb_status create_buffers(struct cb_nest_coop *c, struct cb_session *session,
                                     cl_uint parents, struct cb_err *err)
{
    const size_t at_once = CB_NEST_COOP_SIZE * (size_t)COOP_MAX_WORKERS;
    const size_t records = sizeof(nest_record) * (parents > at_once ? parents : at_once);
    c->flags = cb_buffer_create(session, FLAGS * sizeof(cl_uint), err);
    c->records = c->flags ? cb_buffer_create(session, records, err) : NULL;
    c->counts = c->records ? cb_buffer_create(session, COUNTS * sizeof(cl_ulong), err) : NULL;
    c->launches = c->counts ? cb_buffer_create(session, sizeof(cl_uint), err) : NULL;
    return c->launches ? CB_OK : err->status;
}

enum cb_status cb_nest_coop_open(struct cb_nest_coop *c, struct cb_session *session,
                                 const struct cb_nest_coop_config *wanted, struct cb_err *err)
{
    const struct cb_nest_program *p = wanted->program;
    const struct cb_nest_data *d = wanted->data;
    const cl_uint has_laps = p->has_laps, /* a larger workgroup would be no task: submit.clh */
        child_size = p->child_size < CB_NEST_COOP_SIZE ? p->child_size : CB_NEST_COOP_SIZE;
    char name[64], definitions[120];
    *c = (struct cb_nest_coop){0};
    if (create_buffers(c, session, d->parents, err) != CB_OK)
        return err->status;
    const struct cb_kernel_value values[] = {{sizeof(cl_mem), &wanted->buffers[0]},
                                             {sizeof(cl_mem), &wanted->buffers[1]},
                                             {sizeof(cl_mem), &wanted->buffers[2]},
                                             {sizeof(cl_mem), &c->flags},
                                             {sizeof d->parents, &d->parents},
                                             {sizeof d->n, &d->n},
                                             {sizeof p->phases, &p->phases},
                                             {sizeof p->launching, &p->launching},
                                             {sizeof has_laps, &has_laps},
                                             {sizeof child_size, &child_size},
                                             {sizeof wanted->factor, &wanted->factor},
                                             {sizeof wanted->threshold, &wanted->threshold},
                                             {sizeof(cl_mem), &c->records},
                                             {sizeof(cl_mem), &c->counts},
                                             {sizeof(cl_mem), &c->launches}};
    snprintf(name, sizeof name, "%s-by-%u", p->id, wanted->together);
    const bool is_multiblock = wanted->together == CB_NEST_MULTIBLOCK;
    snprintf(definitions, sizeof definitions,
             "#define NEST_COOPERATIVE\n#define NEST_TOGETHER %uu\n%s",
             is_multiblock ? CB_NEST_COOP_SIZE : wanted->together,
             is_multiblock ? "#define NEST_MULTIBLOCK\n" : "");
    const struct cb_launch_coop_config config = {.name = name,
                                                 .definitions = definitions,
                                                 .kernel = p->kernel,
                                                 .wg_size = CB_NEST_COOP_SIZE,
                                                 .values = values,
                                                 .n_values = CB_COUNTOF(values)};
    return cb_launch_coop_open(&c->run, session, &config, err);
}

enum cb_status cb_nest_coop_run(struct cb_nest_coop *c, double *ns, cl_uint *launches,
                                struct cb_err *err)
{
    struct cb_session *session = c->run.session;
    struct cb_coop_time time;
    if (cb_buffer_clear(session, c->flags, FLAGS * sizeof(cl_uint), err) != CB_OK ||
        cb_buffer_clear(session, c->counts, COUNTS * sizeof(cl_ulong), err) != CB_OK ||
        cb_buffer_clear(session, c->launches, sizeof *launches, err) != CB_OK ||
        cb_launch_coop_run(&c->run, &time, err) != CB_OK)
        return err->status;
    *ns = time.host_ns;
    return cb_buffer_read(session, c->launches, launches, sizeof *launches, err);
}

void cb_nest_coop_close(struct cb_nest_coop *c)
{
    const cl_mem all[] = {c->flags, c->records, c->counts, c->launches};
    cb_launch_coop_close(&c->run);
    for (size_t i = 0; i < CB_COUNTOF(all); i++)
        if (all[i])
            clReleaseMemObject(all[i]);
    *c = (struct cb_nest_coop){0};
}
