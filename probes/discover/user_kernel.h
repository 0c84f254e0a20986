/* SPDX-License-Identifier: Apache-2.0
 *
 * How many workgroups of a user's own kernel run at once, beside what the API says of it. Its text
 * gets a barrier of all workgroups before its first statement, and ends after that: nothing of it
 * runs, but it is compiled as a kernel that might.
 */
#pragma once

#include "probes/discover/plan.h"
#include "probes/discover/user_arguments.h"
#include "probes/discover/user_text.h"

/* Adds for each kernel a case of what the API says of it, and one of each workgroup size; a kernel
 * that requires one has only that unless
 * options ask for others. CB_USAGE: there is no such file or kernel, or the setup is wrong. */
enum cb_status cb_user_kernels_plan(struct cb_plan *plan, const struct cb_discover_options *options,
                                    const uint64_t *sizes, int n_sizes, struct cb_err *err);

struct cb_user_kernel {
    struct cb_session *session;
    struct cb_user_text text;
    cl_program program_as_it_is, program; /* program: with the barrier */
    cl_kernel as_it_is, kernel;
    struct cb_user_arguments arguments;
    cl_mem words;
    struct cb_range range; /* one workgroup */
    size_t wg_size;
    bool has_options; /* --build-options are given */
    bool claims;      /* the case only asks what the API says */
    bool is_assumed;  /* nobody has said how much local memory its arguments have */
};

/* Opens a case; close it also after a failure. CB_UNSUPPORTED: the kernel requires another size, or
 * arguments that it cannot be given. */
enum cb_status cb_user_kernel_open(struct cb_user_kernel *k, struct cb_session *session,
                                   const struct cb_discover_case *params, struct cb_err *err);
void cb_user_kernel_close(struct cb_user_kernel *k);

/* Asks the API, or searches for the bound. */
enum cb_status cb_user_kernel_run(struct cb_user_kernel *k, struct cb_sample *sample,
                                  struct cb_err *err);
