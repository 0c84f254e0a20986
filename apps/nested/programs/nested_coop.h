/* SPDX-License-Identifier: Apache-2.0
 *
 * Parents that launch from within a kernel (nest_coop.clh): one run of the megakernel.
 */
#pragma once

#include "apps/nested/programs/cooperative.h"
#include "apps/nested/programs/programs.h"

#define CB_NEST_COOP_SIZE  256 /* work-items of a workgroup */
#define CB_NEST_MULTIBLOCK 0   /* the launches of all workgroups are one */
#define CB_NEST_RECURSIVE  ~0u /* children launch children (nest_recursive.clh) */

/* A form of the kernels: what its name has more than the program's, and its definitions. */
struct cb_nest_form {
    char name[48], definitions[160];
    bool has_arrays; /* NEST_ARRAYS */
};

/* Bytes of so many records, and of what follows them. */
size_t cb_nest_records_bytes(const struct cb_nest_form *form, size_t room);

struct cb_nest_coop_config {
    const struct cb_nest_program *program;
    const struct cb_nest_data *data;
    /* work-items whose launches are made as one, a divisor of CB_NEST_COOP_SIZE; or
     * CB_NEST_MULTIBLOCK, or CB_NEST_RECURSIVE. */
    unsigned together;
    cl_uint threshold, factor, child_size; /* work-items of a child's workgroup, at most */
    const struct cb_nest_form *form;
    const cl_mem *buffers; /* the caller's: begins, others, words, flags (nest_abi.h) */
};

/* The rounds of a run: all, or one phase of one lap. */
struct cb_nest_part {
    cl_uint first_lap, first_phase, phases, has_laps;
    cl_uint off; /* NEST_OFF_WORK, ...; else 0 */
};

struct cb_nest_coop {
    struct cb_launch_coop run;
    struct cb_nest_coop_config config;
    struct cb_nest_part part; /* rounds of the next run */
    cl_uint child_size, room; /* room for so many records */
    cl_mem records, counts, launches;
};

/* What the kernel takes (COOP_ARGS of nest_coop.clh), all but what it takes as an app. */
struct cb_nest_args {
    const cl_mem *begins, *others, *words, *flags, *records, *counts, *launches;
    const cl_uint *parents, *n, *phases, *launching, *has_laps, *child_size, *factor, *threshold,
        *room, *first_lap, *first_phase, *off;
};
#define CB_NEST_ARGS 19
void cb_nest_values(const struct cb_nest_args *args, struct cb_kernel_value values[CB_NEST_ARGS]);

/* Close it also after a failure. CB_UNSUPPORTED: as cb_coop_open(). */
enum cb_status cb_nest_coop_open(struct cb_nest_coop *c, struct cb_session *session,
                                 const struct cb_nest_coop_config *config, struct cb_err *err);

/* part: NULL: all rounds. */
enum cb_status cb_nest_coop_run(struct cb_nest_coop *c, const struct cb_nest_part *part,
                                struct cb_coop_time *time, cl_uint *launches, struct cb_err *err);
void cb_nest_coop_close(struct cb_nest_coop *c);
