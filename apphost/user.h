/* SPDX-License-Identifier: Apache-2.0
 *
 * Apps of the user: a setup (setup.h) names a kernel in the paper's syntax, which 'merge' makes one
 * of the runtime's. They are among cb_apps from when they are named on. A run's check compares
 * all buffers with those of the same kernel in multikernel mode, run as often: there, no workgroup
 * waits for another, and none comes or goes. Nor may anything be written after the end of one.
 */
#pragma once

#include "apphost/app.h"
#include "merge/merge.h"

/* Whether an app's name is a setup's file: it has a "/", or ends with ".json". */
bool cb_user_app_is(const char *name);

/* Reads the setup, merges its kernel, and adds the app, if it is not there yet; worker processes
 * find it, too. CB_USAGE: with file and line. CB_UNSUPPORTED: without libclang. */
enum cb_status cb_user_app_add(const char *path, struct cb_err *err);

/* Merges a kernel of the user, which must be one that a setup can be of. Both are the caller's to
 * free, also after a failure. */
enum cb_status cb_user_kernel_merge(const char *path, const char *name, char **text,
                                    struct cb_merge_kernel *kernel, struct cb_err *err);

/* In a worker process: adds those of the process that started it. */
void cb_user_apps_inherit(void);
