/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a cooperative kernel can move from one device to another (FSE'17 draft, Section 7).
 * See README.md beside this file.
 */
#include "probes/migrate/migrate.h"

#include <stdlib.h>

#include "apps/host/user.h"
#include "probes/migrate/findings.h"
#include "probes/migrate/report.h"

/* ---- A case ---------------------------------------------------------------------------------- */

static enum cb_status open_on(struct cb_migrate *m, const struct cb_app_case *c, int i,
                              struct cb_err *err)
{
    const struct cb_app_instance *on = &m->devices->on[i];
    const struct cb_coop_config config = cb_app_case_config(c, COOP_COOPERATIVE);
    if (on->session->ns_per_tick == 0)
        return cb_fail(err, CB_UNSUPPORTED, "%s has no clock to time a move by",
                       on->session->info.name);
    if (cb_app_open_mode(on, &config, &m->coop[i], err) != CB_OK)
        return err->status;
    if (on->session->rehearsal)
        return CB_OK;
    if (cb_app_find_workers(on, &config, &m->workers[i], err) != CB_OK)
        return err->status;
    return cb_app_case_limit(c, m->workers[i], "run at once beside the scheduler", &m->workers[i],
                             err) == CB_OK
               ? cb_coop_make_room(m->coop[i], m->workers[i], err)
               : err->status;
}

static enum cb_status migrate_open(struct cb_session *session, const cJSON *params, void *batch,
                                   void **state, struct cb_err *err)
{
    struct cb_migrate *m = *state = calloc(1, sizeof *m);
    struct cb_migrate_case p;
    struct cb_app_case c;
    (void)session;
    if (!m)
        return cb_no_memory(err);
    cb_fields_read(params, cb_migrate_fields, &p);
    m->devices = batch;
    m->moves = p.moves;
    m->stay_ns = p.stay_s * 1e9;
    if (cb_app_case_make(&c, &p.app, err) != CB_OK || open_on(m, &c, 0, err) != CB_OK)
        return err->status;
    c.workgroups = p.workgroups_there;
    return open_on(m, &c, 1, err) == CB_OK ? CB_OK
                                           : cb_context(err, "on %s", m->devices->other.info.name);
}

static enum cb_status migrate_run(void *state, struct cb_sample *sample, struct cb_err *err)
{
    return cb_migrate_sample(state, sample, err);
}

static void migrate_close(void *state)
{
    struct cb_migrate *m = state;
    cb_coop_close(m->coop[0]);
    cb_coop_close(m->coop[1]);
    free(m);
}

/* ---- The table entry ------------------------------------------------------------------------- */

static const struct cb_metric metrics[] = {
    {"move_time", "ns", CB_LOWER, true,
     "from the wish to move, by the host's clock, until workgroup 0 began its first phase on the "
     "other device"},
    {"back_time", "ns", CB_LOWER, false, "the same of moves back to the first device"},
    {"gone_time", "ns", CB_LOWER, false,
     "from the wish until the last workgroup was gone, of moves there in the midst of a run"},
    {"copied_time", "ns", CB_LOWER, false,
     "the same until state and buffers had been read, and the buffers written there"},
    {"copied", "B", CB_NEITHER, false, "bytes of buffers that a move copies"},
    {"moves", "1", CB_NEITHER, false, "moves of a sample"},
    {"in_run", "1", CB_NEITHER, false, "share of moves in the midst of a run of the app"},
    {"kills", "workgroups", CB_NEITHER, false, "workgroups that were killed in a sample"},
    {"app_runs", "1", CB_NEITHER, false, "how often the app ran to its end in a sample"},
    {"workers", "workgroups", CB_NEITHER, false, "most workgroups of the app on the first device"},
    {"workers_there", "workgroups", CB_NEITHER, false, "the same on the other device"},
    {0},
};

static const char *const built_by[] = {"app", "variant", "barrier", "wg-size", "to", NULL};

const struct cb_bench cb_bench_migrate = {
    .id = "migrate",
    .summary = "How long a cooperative kernel takes to move from one device to another",
    .reproduces = "FSE'17 draft, Section 7 (future work: migration between GPUs)",
    .details =
        "An app runs again and again as a cooperative kernel, and moves meanwhile: all of its\n"
        "workgroups are killed at a resizing barrier, which ends it; state (what is transmit) and\n"
        "buffers are copied to another device, through the host's memory; and there it goes on\n"
        "from that barrier, with as many workgroups as that device has room for. Then it moves\n"
        "back, and so on. The results of all its runs are checked.\n\n"
        "The table tells how long a move takes, from the host's wish: until the last workgroup is\n"
        "gone, until all is copied, and until the first phase on the other device.\n\n"
        "  coopbench migrate --device 0:0 --to 0:1\n"
        "  POCL_DEVICES=\"pthread pthread\" coopbench migrate --cpu --scale tiny --app mis",
    .params = cb_migrate_params,
    .fields = cb_migrate_fields,
    .metrics = metrics,
    .stop = {.rule = CB_STOP_COUNT, .warmup = 1, .min_runs = 5, .max_runs = 5},
    .run_deadline_s = 300,
    .built_by = built_by,
    .quick_gpu_s = 20,
    .quick_cpu_s = 20,
    .plan = cb_migrate_plan,
    .open_batch = cb_migrate_open_devices,
    .close_batch = cb_migrate_close_devices,
    .open = migrate_open,
    .run = migrate_run,
    .close = migrate_close,
    .is_users = cb_user_case_is,
    .report = cb_migrate_report,
    .findings = cb_migrate_findings,
};
