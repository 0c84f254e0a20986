/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/nested/programs/cooperative.h"

#include <stdio.h>

#include "kernels/coop_abi.h"
#include "runtime/source.h"

enum cb_status cb_launch_coop_open(struct cb_launch_coop *c, struct cb_session *session,
                                   const struct cb_launch_coop_config *wanted, struct cb_err *err)
{
    char text[256];
    *c = (struct cb_launch_coop){.session = session};
    snprintf(c->path, sizeof c->path, "launch/%s.cl", wanted->name);
    snprintf(text, sizeof text, "%s#include \"%s\"\n", wanted->definitions, wanted->kernel);
    if (cb_source_keep(c->path, text, err) != CB_OK)
        return err->status;
    const struct cb_coop_config config = {.path = c->path,
                                          .wg_size = wanted->wg_size,
                                          .mode = COOP_COOPERATIVE,
                                          .resizing = COOP_ATOMIC,
                                          .program_tasks = true,
                                          .submits = true};
    if (cb_coop_open(session, &config, &c->coop, err) != CB_OK ||
        cb_coop_args(c->coop, wanted->values, wanted->n_values, err) != CB_OK)
        return err->status;
    return session->rehearsal ? cb_coop_try(c->coop, err)
                              : cb_coop_find_workers(c->coop, &c->workers, err);
}

enum cb_status cb_launch_coop_run(struct cb_launch_coop *c, struct cb_coop_time *time,
                                  struct cb_err *err)
{
    return cb_coop_run_alone(c->coop, c->workers, time, err);
}

void cb_launch_coop_close(struct cb_launch_coop *c)
{
    cb_coop_close(c->coop);
    *c = (struct cb_launch_coop){0};
}
