/* SPDX-License-Identifier: Apache-2.0
 *
 * Apps of the user: a setup (setup.h) names a kernel in the paper's syntax, which 'merge' makes one
 * of the runtime's. They are among cb_apps from when they are named on. A run's check compares
 * all buffers with those of the same kernel in multikernel mode, run as often: there, no workgroup
 * waits for another, and none comes or goes. Nor may anything be written after the end of one.
 */
#pragma once

#include "apps/host/app.h"
#include "apps/host/setup.h"

#define CB_USER_PATH 256 /* room for the path of a merged text */

/* Whether a case with these parameters runs such a kernel, as app, beside one, or as task:
 * `is_users` of a bench. */
bool cb_user_case_is(const cJSON *params);

/* Reads the setup, merges its kernel, and adds the app, if it is not there yet; worker processes
 * find it, too. CB_USAGE: with file and line. CB_UNSUPPORTED: without libclang. */
enum cb_status cb_user_app_add(const char *path, struct cb_err *err);

/* Keeps the merged text as the file merged/ID.cl, of a task merged/tasks/ID.cl, in `kept`, and what
 * tells this setup from another one beside it. */
enum cb_status cb_user_keep(const struct cb_setup *setup, const char *text, char kept[CB_USER_PATH],
                            struct cb_err *err);

/* Worker processes add what they are told: kind: "app" or "task". */
void cb_user_tell_workers(const char *kind, const char *path);

/* In a worker process: adds those of the process that started it, tasks, too. */
void cb_users_inherit(void);
