/* SPDX-License-Identifier: Apache-2.0
 *
 * The inputs that apps are run with: what --input and --originals make of an app's own.
 */
#pragma once

#include "apps/host/app.h"
#include "measure/param.h"

struct cb_app_options; /* apps/host/options.h */

#define CB_APP_INPUT_FIRST "first" /* for --input: one of the app's own */

/* An input that an app is to be run with. */
struct cb_app_choice {
    char name[64];    /* short: part of case ids; "road-original": the papers' file */
    const char *spec; /* NULL: `original` */
    char original[512];
};

/* What the app opens. */
const char *cb_app_choice_spec(const struct cb_app_choice *choice);

/* In an options object: the folder of --originals. No parameter of a benchmark. */
#define CB_APP_ORIGINALS "originals"
#define CB_APP_ORIGINAL  "-original" /* ends the name of one */

#define CB_APP_MAX_CHOICES 64 /* most choices of --input */

/* What --input gives to an app: each APP=INPUT, else each INPUT without an app, else (or for
 * "auto") the app's own inputs but those on request, with "first" the first of them. Own inputs,
 * which INPUT may name, are of this scale, or their originals where the folder of --originals has
 * them. Returns how many. */
int cb_app_choices(const struct cb_app_options *options, const struct cb_app *app,
                   enum cb_scale scale, struct cb_app_choice choices[CB_APP_MAX_CHOICES]);

/* Checks --input and --originals; one_app: one app is named, whose inputs need no "APP=". CB_USAGE:
 * no such app, own input or file; a folder without any of the originals. */
enum cb_status cb_app_choices_check(const struct cb_app_options *options, bool one_app,
                                    struct cb_err *err);
