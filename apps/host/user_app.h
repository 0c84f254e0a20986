/* SPDX-License-Identifier: Apache-2.0
 *
 * What the two files of the user's apps share: user.c has their table, user_run.c runs them.
 */
#pragma once

#include "apps/host/app.h"
#include "apps/host/setup.h"
#include "apps/host/user.h"

struct cb_user_app {
    struct cb_app app;
    struct cb_setup setup;
    char *path;                /* of the setup; the app's input */
    char kernel[CB_USER_PATH]; /* under which the merged text is kept (cb_source_keep()) */
};

/* The app of this setup; NULL: it has not been added. */
const struct cb_user_app *cb_user_app_of(const char *path);

/* What all have in common: open() and so on. */
extern const struct cb_app cb_user_app_base;
