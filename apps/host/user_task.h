/* SPDX-License-Identifier: Apache-2.0
 *
 * Tasks of the user: a setup with an NDRange (setup.h) names a plain kernel, which 'merge' makes a
 * task of the megakernel. It runs beside any app. A run's check compares all buffers with those of
 * as many plain launches of the kernel.
 *
 *     cb_user_task_open(session, task, app, &run, err);
 *     config.path, .program_tasks, .arena, .images    of the runtime, from run
 *     cb_user_task_clear(run, err);                   before the megakernel starts
 *     cb_coop_submit(... .packet = 0 ...);            any number of times, one after another, each
 *     cb_user_task_renew(run, sample, err);           with this after its end
 *     cb_user_task_check(run, times, sample, err);    after its end
 *     cb_user_task_close(run);
 */
#pragma once

#include "apps/host/options.h"
#include "apps/host/user.h"
#include "apps/host/user_buffer.h"
#include "apps/host/user_image.h"
#include "apps/host/workload.h"
#include "runtime/coop/arena.h"

#define CB_USER_TASKS 32

struct cb_user_task {
    struct cb_setup setup;
    char *path;               /* path of the setup */
    char text[CB_USER_PATH];  /* under which the merged task is kept, with those that it submits */
    char plain[CB_USER_PATH]; /* under which its source for plain launches is kept */
    char *kernel;             /* its name */
    bool submits;
};

/* Reads the setup and merges its kernel, if it is not there yet; worker processes find it, too.
 * CB_USAGE: with file and line. CB_UNSUPPORTED: without libclang. */
enum cb_status cb_user_task_add(const char *path, struct cb_err *err);

/* The task of this setup; NULL: it has not been added. */
const struct cb_user_task *cb_user_task_of(const char *path);

/* Whether a value of --task is one: a setup, or a kernel. */
bool cb_user_task_is(const char *text);

/* A user's task as a workload: how long it takes is not known, a part of its period. */
struct cb_user_workload {
    const struct cb_user_task *task;
    struct cb_workload workload;
};

/* Adds those of --task, setups or kernels with --setup. Returns how many in *n; one that is named
 * twice is there once. CB_USAGE also if a workload is called as one of them. */
enum cb_status cb_user_tasks_choose(const struct cb_app_options *options,
                                    struct cb_user_workload list[CB_USER_TASKS], int *n,
                                    struct cb_err *err);

/* The program of an app with this task, for cb_coop_config.path. */
enum cb_status cb_user_task_program(const struct cb_user_task *task, const struct cb_app *app,
                                    char program[CB_USER_PATH], struct cb_err *err);

/* Merges the task for several apps: what comes before their kernels, for cb_coop_config.common.
 * CB_UNSUPPORTED: a task that submits others. */
enum cb_status cb_user_task_common(const struct cb_user_task *task, char common[CB_USER_PATH],
                                   struct cb_err *err);

/* ---- On a device ----------------------------------------------------------------------------- */

struct cb_user_task_run {
    struct cb_session *session;
    const struct cb_user_task *task;
    /* Text of the megakernel; beside several apps, what comes before them. */
    char program[CB_USER_PATH];
    struct cb_arena arena; /* its launch packet, at byte 0, and its buffers */
    /* Plain launches on the empty device, by the host's clock: median time of one, and the share in
     * time if they come as the task does. */
    double launch_ns, met_alone;
    cl_program merged_program; /* The merged task for launches of its own. */
    cl_kernel merged_kernel;   /* NULL: it submits others. */
    struct cb_range merged_range;
    /* Images and samplers of the megakernel, in the task's order, for cb_coop_config.images. */
    struct cb_kernel_value values[CB_SETUP_ARGUMENTS];
    size_t n_values;
    /* Copies of the arena, and of the images after it: what all begin with, and what
     * `expected_runs` make of it. */
    size_t size, at[CB_SETUP_ARGUMENTS];
    unsigned char *begin, *expected, *found, *once; /* once: what one run makes of it */
    unsigned expected_runs;
    bool repeats; /* a second run changes nothing */
    bool is_used; /* a plain launch has changed the buffers of these */
    cl_program plain;
    cl_kernel kernel;
    /* What plain launches have, and the images of the megakernel. */
    struct cb_user_buffer buffers[CB_SETUP_ARGUMENTS];
    struct cb_user_image images[CB_SETUP_ARGUMENTS], merged[CB_SETUP_ARGUMENTS];
};

/* Adds launch_time and merged_time of launches on the empty device to a sample, by turns, so that
 * what disturbs one disturbs the other. */
enum cb_status cb_user_task_time_forms(struct cb_user_task_run *run, struct cb_sample *sample,
                                       struct cb_err *err);

/* app: beside which it is a task of the megakernel, whose workgroups have wg_size work-items; NULL:
 * for plain launches only. CB_UNSUPPORTED: the task's workgroups are larger. */
enum cb_status cb_user_task_open(struct cb_session *session, const struct cb_user_task *task,
                                 const struct cb_app *app, size_t wg_size,
                                 struct cb_user_task_run **run, struct cb_err *err);
/* Beside several apps. */
enum cb_status cb_user_task_open_common(struct cb_session *session, const struct cb_user_task *task,
                                        size_t wg_size, struct cb_user_task_run **run,
                                        struct cb_err *err);
void cb_user_task_close(struct cb_user_task_run *run);

/* Its buffers as they begin. If the setup has each run begin so: finds out what one makes of them,
 * too. */
enum cb_status cb_user_task_clear(struct cb_user_task_run *run, struct cb_err *err);

/* A plain launch, on its own buffers. ns: by its event, from its start to its end; may be NULL. */
enum cb_status cb_user_task_launch(struct cb_user_task_run *run, double *ns, struct cb_err *err);

/* Before some of them: as cb_user_task_clear(), of these buffers. */
enum cb_status cb_user_task_clear_launches(struct cb_user_task_run *run, struct cb_err *err);

/* As cb_user_task_renew(), after a plain launch. */
enum cb_status cb_user_task_renew_launches(struct cb_user_task_run *run, struct cb_sample *sample,
                                           struct cb_err *err);

/* After so many of them: compares with as many more, one after the other; not if each has been
 * compared. */
enum cb_status cb_user_task_check_launches(struct cb_user_task_run *run, unsigned runs,
                                           struct cb_sample *sample, struct cb_err *err);

/* From now on: arguments in local memory have so many bytes more than they say, so that it is found
 * if they are used. */
void cb_user_tasks_widen_local(size_t bytes);

/* Runs the merged task alone: how many bytes of its arguments in local memory are written, at least
 * as many as these say. */
enum cb_status cb_user_task_find_local(struct cb_user_task_run *run,
                                       size_t used[CB_SETUP_ARGUMENTS], struct cb_err *err);

/* Compares runs of the merged task alone with a plain launch: its workgroups come in other orders,
 * and local memory begins with large numbers. CB_VERIFY_FAILED: they differ, or local memory is
 * used outside of its arguments. */
enum cb_status cb_user_task_compare_orders(struct cb_user_task_run *run, struct cb_err *err);

/* After a run of the task, with the megakernel there: if the setup has each begin as the first,
 * compares it with a plain launch, and writes its buffers anew. sample: NULL: without comparing. */
enum cb_status cb_user_task_renew(struct cb_user_task_run *run, struct cb_sample *sample,
                                  struct cb_err *err);

/* After the task has been run so often; compares nothing if each run has been compared. */
enum cb_status cb_user_task_check(struct cb_user_task_run *run, unsigned runs,
                                  struct cb_sample *sample, struct cb_err *err);
