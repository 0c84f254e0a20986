/* SPDX-License-Identifier: Apache-2.0
 *
 * Arguments for a user's kernel of which nothing runs: something of each type, which no one looks
 * at.
 */
#pragma once

#include "probes/discover/user_kernel_abi.h"
#include "runtime/session.h"

struct cb_user_argument {
    enum { CB_USER_BUFFER, CB_USER_LOCAL, CB_USER_IMAGE, CB_USER_SAMPLER, CB_USER_VALUE } kind;
    char *name, *type; /* "scratch", "float*" */
    cl_mem image;
    size_t local_bytes;
};

struct cb_user_arguments {
    struct cb_session *session;
    unsigned n, n_locals;
    struct cb_user_argument *list;
    const char *locals[CB_USER_LOCALS]; /* names of those that are local memory */
    cl_mem buffer;
    cl_sampler sampler;
};

/* Asks the driver what a kernel's arguments are. CB_UNSUPPORTED: it does not tell, or one is a pipe
 * or a queue. Free them also after a failure. */
enum cb_status cb_user_arguments_open(struct cb_user_arguments *a, struct cb_session *session,
                                      cl_kernel kernel, struct cb_err *err);
void cb_user_arguments_free(struct cb_user_arguments *a);

/* The argument that is number i of those that are local memory. */
struct cb_user_argument *cb_user_local(const struct cb_user_arguments *a, unsigned i);

/* Sets them, from index `first` on; local memory as much as local_bytes says. */
enum cb_status cb_user_arguments_set(const struct cb_user_arguments *a, cl_kernel kernel,
                                     cl_uint first, struct cb_err *err);
