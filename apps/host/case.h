/* SPDX-License-Identifier: Apache-2.0
 *
 * What the cases of all benchmarks that run apps have in common: in the parent, parameters that say
 * which app is run and how; in a worker, their values, and the input that the cases of a batch
 * share.
 */
#pragma once

#include "apps/host/options.h"
#include "apps/host/run.h"
#include "apps/host/user_task.h"
#include "measure/bench.h"

/* ---- Parameters ------------------------------------------------------------------------------ */

/* The parameters of a case that say which app is run and how; a benchmark's own struct has a member
 * `app` of it. */
struct cb_app_params {
    const char *app, *input, *input_name, *variant;
    const char *barrier, *channel, *semantics, *protocol, *delay, *ids, *global_barrier, *task;
    const char *trace; /* a path */
    unsigned wg_size, workgroups;
};

/* Fields of a benchmark's cases: what cb_app_params_name() fills, and cb_app_params_take(). */
#define CB_APP_NAME_FIELDS(STRUCT)                                                                 \
    CB_FIELD_NEEDED(STRUCT, "app", app.app), CB_FIELD_NEEDED(STRUCT, "input", app.input),          \
        CB_FIELD(STRUCT, "input_name", app.input_name), CB_FIELD(STRUCT, "variant", app.variant)
#define CB_APP_KERNEL_FIELDS(STRUCT)                                                               \
    CB_FIELD_NEEDED(STRUCT, "barrier", app.barrier), CB_FIELD(STRUCT, "wg-size", app.wg_size),     \
        CB_FIELD(STRUCT, "workgroups", app.workgroups),                                            \
        CB_FIELD_NEEDED(STRUCT, "channel", app.channel)

/* ---- In the parent --------------------------------------------------------------------------- */

/* Which app, with which input; name: of the input, for people; NULL: none. */
void cb_app_params_name(struct cb_app_params *params, const struct cb_app *app, const char *input,
                        const char *name);

/* Takes barrier, work-items, workgroups and channel from the options. barrier: another one than the
 * option's; NULL: that. An app that offers and requests has the barrier "none". Without a wg-size
 * it is what suits the app. */
void cb_app_params_take(struct cb_app_params *params, const struct cb_app_options *options,
                        const struct cb_app *app, const struct cb_device *device,
                        const char *barrier);

/* "FOLDER/bfs-heavy-N_2-0_0.tsv" for the name "bfs-heavy-N/2" and the ending ".tsv"; what follows
 * the name is the device. The caller's to free; NULL without a folder. */
char *cb_app_trace_path(const char *folder, const char *name, const struct cb_device *device,
                        const char *ending);

/* ---- In a worker ----------------------------------------------------------------------------- */

/* Texts belong to the parameters. */
struct cb_app_case {
    const struct cb_app *app; /* the variant */
    const char *input;        /* input for open() */
    size_t wg_size;           /* work-items a workgroup; 0: not said */
    size_t workgroups;        /* workgroups of the app; 0: as many as run at once */
    unsigned resizing;        /* COOP_REGULAR, ... */
    unsigned semantics;       /* COOP_HIGHEST, ... */
    /* as in struct cb_coop_config */
    struct cb_discovery_way way;
    const char *global_barrier, *channel;
    const struct cb_user_task *user_task; /* NULL: one of ours, */
    unsigned task;                        /* COOP_TASK_MATMUL, ... */
    const char *trace;                    /* a path; empty: no trace */
};

/* What the parameters mean. CB_USAGE: there is no such app. */
enum cb_status cb_app_case_make(struct cb_app_case *c, const struct cb_app_params *params,
                                struct cb_err *err);

/* Reads all parameters of a case that are there. */
enum cb_status cb_app_case_read(struct cb_app_case *c, const cJSON *params, struct cb_err *err);

/* The app's kernel in this mode, with tasks of the least size. */
struct cb_coop_config cb_app_case_config(const struct cb_app_case *c, unsigned mode);

/* The workgroups of the case, of `most` that run at once. CB_UNSUPPORTED: it asks for more; `how`
 * ends the sentence that says so: "run at once". */
enum cb_status cb_app_case_limit(const struct cb_app_case *c, size_t most, const char *how,
                                 size_t *workgroups, struct cb_err *err);

/* Copies the path of the trace, and makes its folder. */
enum cb_status cb_app_case_trace_path(const struct cb_app_case *c, char *path, size_t size,
                                      struct cb_err *err);

/* Opens the case's input; *on is zero at first. Close it also after a failure. */
enum cb_status cb_app_case_open_input(struct cb_session *session, const cJSON *params,
                                      struct cb_app_instance *on, struct cb_err *err);

/* For struct cb_bench: a batch that is the open input of its cases, a struct cb_app_instance. */
enum cb_status cb_app_open_batch(struct cb_session *session, const cJSON *params, void **batch,
                                 struct cb_err *err);
void cb_app_close_batch(void *batch);
