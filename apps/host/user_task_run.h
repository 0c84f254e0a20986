/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of a user's task on a device share.
 */
#pragma once

#include "apps/host/user_task.h"

#define CB_USER_TASK_MOST_S 10 /* longest time of a launch */

static inline const struct cb_setup_argument *
cb_user_task_argument(const struct cb_user_task_run *r, unsigned i)
{
    return &r->task->setup.arguments[i];
}

/* Builds the kernel for plain launches, and its buffers. */
enum cb_status cb_user_task_build_plain(struct cb_user_task_run *run, struct cb_err *err);

/* Sets the task's arguments, with the buffers of plain launches. */
enum cb_status cb_user_task_set_arguments(struct cb_user_task_run *run, cl_kernel kernel,
                                          struct cb_err *err);

/* Bytes that these arguments have more in local memory than they say. */
size_t cb_user_task_local_zone(void);

/* All of these buffers and images: from a copy of the arena to the device, or back. */
enum cb_status cb_user_task_copy(struct cb_user_task_run *run, unsigned char *host, bool back,
                                 struct cb_err *err);

/* Makes `expected` that of so many plain launches; if a second one changes nothing, none after it
 * does. */
enum cb_status cb_user_task_expect(struct cb_user_task_run *run, unsigned runs, struct cb_err *err);

/* Compares a copy of the arena with `expected`, which is what `whose` has. */
void cb_user_task_compare(struct cb_user_task_run *run, const unsigned char *found,
                          const char *whose, struct cb_sample *sample);

/* A plain launch until its end. */
enum cb_status cb_user_task_launch_once(struct cb_user_task_run *run, struct cb_err *err);

/* Builds the merged task for launches of its own. Release both also after a failure. */
enum cb_status cb_user_task_build_merged(struct cb_user_task_run *run, const char *options,
                                         cl_program *program, cl_kernel *kernel,
                                         struct cb_err *err);
void cb_user_task_release_built(cl_program program, cl_kernel kernel);

/* Its arguments, with the buffers of plain launches, and a range of so many workgroups. */
enum cb_status cb_user_task_set_merged(struct cb_user_task_run *run, cl_kernel kernel,
                                       struct cb_err *err);
struct cb_range cb_user_task_merged_range(const struct cb_user_task_run *run, size_t groups);

/* A launch of a kernel whose arguments are set, until its end. */
enum cb_status cb_user_task_launch_form(struct cb_user_task_run *run, cl_kernel kernel,
                                        const struct cb_range *range, struct cb_err *err);

/* merged_kernel and its range, which has been launched once; of a rehearsal: builds it. */
enum cb_status cb_user_task_open_merged(struct cb_user_task_run *run, struct cb_err *err);

/* launch_ns and met_alone. */
enum cb_status cb_user_task_time_launches(struct cb_user_task_run *run, struct cb_err *err);
