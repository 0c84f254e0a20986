/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the user's kernels share: user.c has the table of apps, user_run.c runs them,
 * user_inherit.c adds them in worker processes.
 */
#pragma once

#include "apps/host/app.h"
#include "apps/host/setup.h"
#include "apps/host/user.h"

#define CB_USERS_VARIABLE "COOPBENCH_SETUPS" /* "app ./solver.json", a line each */

struct cb_user_app {
    struct cb_app app;
    struct cb_setup setup;
    char *path;                /* path of the setup; the app's input */
    char kernel[CB_USER_PATH]; /* under which the merged text is kept (cb_source_keep()) */
};

/* The app of this setup; NULL: it has not been added. */
const struct cb_user_app *cb_user_app_of(const char *path);

struct cb_user_buffer;

/* Runs the app of a setup twice in multikernel mode. run_ns: of the second run. The buffers, of all
 * arguments, stay for good: for a process that ends then. */
enum cb_status cb_user_app_try(struct cb_session *session, const char *path, double *run_ns,
                               const struct cb_user_buffer **buffers, struct cb_err *err);

/* What all have in common: open() and so on. */
extern const struct cb_app cb_user_app_base;
