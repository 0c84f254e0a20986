/* SPDX-License-Identifier: Apache-2.0
 *
 * First setups of users' kernels: what 'coopbench init' writes, and what a command takes that is
 * given kernels and no --setup.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "measure/bench.h"
#include "runtime/host/error.h"

struct cb_first_setups {
    const char *output;  /* file that they are for; NULL: none */
    const char *options; /* build options, from the working folder on */
    bool several;        /* by the names of their kernels, and these by the command line */
    cJSON *root;
    bool are_sure;                                 /* all have been tried, and went well */
    char kernels[CB_ERR_TEXT], tasks[CB_ERR_TEXT]; /* with commas, as a command takes them */
};

/* Begins without any. The caller deletes root. */
struct cb_first_setups cb_first_setups_begin(const char *output, const char *options, bool several);

/* Adds that of a kernel, "solver.cl" or "solver.cl:solve", which is split, and says on standard
 * error what is known of it. */
enum cb_status cb_first_setups_add(struct cb_first_setups *s, char *kernel, struct cb_err *err);

/* The text of the file, the caller's to free. NULL: no memory. */
char *cb_first_setups_text(const struct cb_first_setups *s);

/* Adds --setup to the options of a command that are given kernels without it: a file in a folder of
 * the results, which is made if it is not there. CB_USAGE: a kernel's setup cannot be guessed. */
enum cb_status cb_first_setups_choose(const struct cb_bench *bench, cJSON *options,
                                      const char *results, struct cb_err *err);
