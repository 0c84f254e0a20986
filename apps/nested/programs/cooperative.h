/* SPDX-License-Identifier: Apache-2.0
 *
 * A program that launches from within a kernel: a cooperative kernel with tasks, which the
 * megakernel runs alone. Its text is the program's with definitions before it.
 */
#pragma once

#include "runtime/coop/coop.h"

struct cb_launch_coop {
    struct cb_session *session;
    struct cb_coop *coop;
    size_t workers;
    char path[96]; /* path of the text */
};

struct cb_launch_coop_config {
    const char *name;        /* name of the text, unlike any other: "bfs_nested-by-32" */
    const char *definitions; /* lines that begin the text */
    const char *kernel;      /* the program's file */
    unsigned wg_size;
    const struct cb_kernel_value *values; /* arguments */
    size_t n_values;
};

/* In a rehearsal one launch, else workgroups are looked for. Close it also after a failure.
 * CB_UNSUPPORTED: as cb_coop_open(). */
enum cb_status cb_launch_coop_open(struct cb_launch_coop *c, struct cb_session *session,
                                   const struct cb_launch_coop_config *config, struct cb_err *err);
enum cb_status cb_launch_coop_run(struct cb_launch_coop *c, struct cb_coop_time *time,
                                  struct cb_err *err);
void cb_launch_coop_close(struct cb_launch_coop *c);
