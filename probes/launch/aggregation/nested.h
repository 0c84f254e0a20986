/* SPDX-License-Identifier: Apache-2.0
 *
 * A case of a program whose parents launch children (nested.c), for breakdown.c.
 */
#pragma once

#include "apps/nested/programs/nest_abi.h"
#include "apps/nested/programs/nested_coop.h"
#include "runtime/pinned.h"
#include "runtime/steps.h"

enum { BEGINS, OTHERS, WORDS, FLAG, RECORDS, COUNTS, BUFFERS };

struct round {
    cl_uint lap, phase;
};

/* Number of laps in line at once. The last one may be in vain (nest_takes_place()). */
#define NESTED_LAPS 2u

/* What the host reads while launches go on. */
struct nested_words {
    cl_ulong count; /* NEST_COUNT of a round */
    cl_ulong size;  /* largest size of its launches, with NEST_SIZES */
    cl_uint flags[NESTED_LAPS];
};

struct nested;
typedef enum cb_status cb_nested_launcher(struct nested *n, const struct round *round,
                                          struct cb_err *err);

struct nested {
    struct cb_session *session;
    const struct cb_nest_program *program;
    struct cb_nest_data data;
    struct cb_steps parents, children; /* the same program, with workgroups of both sizes */
    cl_mem buffers[BUFFERS];
    /* Most launches of a round; fewest work-items of a child that is launched. */
    cl_uint room, threshold;
    cl_uint factor;     /* number of a child's workgroups that one workgroup does */
    cl_uint child_size; /* work-items of a child's workgroup, at most */
    nest_record *records;
    uint32_t *found;
    uint64_t launches;          /* launches of a run */
    cl_uint parity;             /* parity of the round's counts */
    cl_uint off;                /* NEST_OFF_WORK, ...; else 0 */
    size_t at_once;             /* number of work-items of a launch ahead */
    cb_nested_launcher *launch; /* NULL: a kernel itself launches */
    /* The host counts no launches, but reads their number afterwards. */
    bool counts_itself;
    struct cb_pinned host;          /* struct nested_words */
    cl_command_queue device_queue;  /* default queue of the device, or NULL */
    struct cb_nest_coop coop;       /* used instead if a kernel itself launches */
    struct cb_breakdown *breakdown; /* NULL: none is wanted */
    struct cb_nest_form form;       /* of all kernels */
    bool keeps_times;               /* NEST_TIMES */
    bool has_sizes;                 /* NEST_SIZES */
};

/* Runs all rounds by n->launch. */
enum cb_status cb_nested_run_laps(struct nested *n, struct cb_err *err);

/* Launchers of a round (rounds.c): the one with this name, or NULL if not the host launches;
 * `serial`, which launches nothing; `grid`. */
cb_nested_launcher *cb_nested_launcher_of(const char *id);
cb_nested_launcher cb_nested_launch_serial, cb_nested_launch_grid;

/* Reads the number of launches after a run by launchers that the host does not count for. */
enum cb_status cb_nested_read_counts(struct nested *n, struct cb_err *err);

/* Clears a run's counts and flags before it. */
enum cb_status cb_nested_clear_counts(struct nested *n, cl_uint first_lap, struct cb_err *err);
