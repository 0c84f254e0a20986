/* SPDX-License-Identifier: Apache-2.0
 *
 * An open case of the benchmark for barriers, mutexes and semaphores.
 */
#pragma once

#include "measure/bench.h"
#include "probes/primitives/primitives_abi.h"
#include "runtime/primitives.h"
#include "runtime/session.h"

/* One of the two kernels: with it go the words of the primitive, zeroed before each launch. */
enum { CB_TIMED, CB_CHECKED, CB_KERNELS };

#define CB_MOST_CHECKED 100 /* operations of each workgroup in a checked launch */

/* Whether a case is kernels one after the other (relaunch.h), and whether the host waits for each.
 */
enum cb_relaunch { CB_RELAUNCH_NOT, CB_RELAUNCH_QUEUED, CB_RELAUNCH_WAITS };

struct cb_primitives {
    struct cb_session *session;
    enum cb_primitive_kind kind;
    cl_program program;
    cl_kernel kernels[CB_KERNELS];
    cl_mem state, records, words, data;
    size_t room;                /* workgroups that the buffers hold */
    cb_primitive_group *groups; /* records read back */
    cb_u32 *values;             /* data read back */
    size_t wg_size, launched;
    bool native; /* no kernels: the C barrier of native.h */
    enum cb_relaunch relaunch;
    cl_command_queue queue;         /* relaunch.c's */
    bool times_cores;               /* the groups' core_ticks tell how fast the cores were */
    cl_uint operations[CB_KERNELS]; /* operations of each workgroup; timed with a budget: at most */
    cl_ulong budget;                /* ticks of a timed launch; 0: operations alone count */
    cl_uint section, value;         /* value: of a semaphore; slots of a queue lock */
    cl_uint place;                  /* index of the primitive in the words' buffer */
    cl_uint counted;                /* read back: the counter of a mutex's section */
};

/* Words of the primitive with what it guards, and of the data buffer, for so many workgroups. */
size_t cb_primitives_words(const struct cb_primitives *p, size_t groups);
size_t cb_primitives_data(const struct cb_primitives *p, size_t groups);

/* How far a word lies from a compute unit is worth up to a third of an operation's time on a GPU.
 * Each run uses the next of some places in memory, so that medians are over places and not a matter
 * of luck. */
void cb_primitives_move(struct cb_primitives *p);

/* Launches one of the kernels, or all of a relaunch, and reads back groups and values. time_ns (may
 * be NULL): from the common start to the last workgroup's end, by the device clock; without one,
 * the kernel's; of a relaunch, the host's. */
enum cb_status cb_primitives_launch(struct cb_primitives *p, int kernel, size_t groups,
                                    cl_uint mode, double *time_ns, struct cb_err *err);

/* Buffers of the case, to be released with it. */
void cb_primitives_release(struct cb_primitives *p);

/* Checks what a launch of a kernel has left in groups and values. */
void cb_primitives_check(const struct cb_primitives *p, int kernel, struct cb_sample *sample);
