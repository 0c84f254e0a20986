/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's side of cooperative kernels (kernels/coop.clh): runs one in any execution mode, and,
 * in the megakernel, starts it, submits tasks beside it, and stops it.
 *
 *     cb_coop_open(session, &config, &coop, err);
 *     cb_coop_args(coop, args, n, err);             the kernel's own arguments
 *     cb_coop_start(coop, workers, &how, err);      the megakernel runs
 *     cb_coop_submit(coop, &order, &number, err);   any number of times,
 *     cb_coop_await(coop, number, &task, err);      each with its wait, in any order
 *     cb_coop_stop(coop, &result, err);             waits until the kernel has ended
 *     cb_coop_close(coop);
 *
 * Waits are bounded: on a deadlock in the kernel, in gathering, or after the lifetime, the call
 * that waits returns CB_TIMEOUT, and the device is free again.
 */
#pragma once

#include <stdbool.h>

#include "kernels/coop_abi.h"
#include "runtime/discovery.h"
#include "runtime/session.h"

struct cb_coop;

/* Texts are read in cb_coop_open() only. */
struct cb_coop_config {
    const char *path;                          /* "apps/bfs/bfs.cl" */
    const char *others[COOP_MOST_KERNELS - 1]; /* cooperative mode: kernels in the same megakernel
                                                  (together.h); NULL from the first that is none */
    const char *common;          /* with others: what comes before all of them, and includes
                                    "coop/together.clh" first, such as tasks; NULL: nothing else */
    size_t wg_size;              /* work-items a workgroup */
    unsigned mode;               /* COOP_MULTIKERNEL, ... */
    unsigned resizing;           /* COOP_REGULAR, ... */
    unsigned semantics;          /* COOP_HIGHEST, ... */
    struct cb_discovery_way way; /* portable; protocol NULL: "lockfree", delay NULL: "adaptive",
                                    ids NULL: "own". Protocol "unsafe": exactly as many as are asked
                                    for are launched */
    const char *barrier;         /* specialised, portable: of the kernel library; NULL: "patient" */
    const char *channel;         /* "svm" or "queue"; NULL, "" or "auto": as the device has it */
    unsigned trace_events;       /* of each workgroup; 0: no trace */
    bool program_tasks;          /* tasks are kernels of the program; else ours (tasks.h) */
    unsigned in_flight; /* tasks that have slots at once, 1 to COOP_LANES; 0: as many as can be */
    cl_mem arena;       /* launch packets and what tasks read and write (kernels/task_abi.h). The
                           caller's. NULL: there are no tasks. */
    bool submits;       /* the kernel submits tasks (kernels/coop/submit.clh) */
    bool repeats;       /* specialised mode: for cb_coop_repeat() */
    double phase_s;     /* every workgroup spends so much time before each scheduling point, until
                           cb_coop_stop(): an app whose phases are too long; 0: none */
    bool watched;       /* cooperative mode: for cb_coop_points() */
    unsigned registers; /* cooperative mode, of a work-item, at most; 0: as the compiler likes. Of
                           no effect but on NVIDIA's GPUs. */
};

/* Builds the kernel. CB_UNSUPPORTED: the device lacks 64-bit atomics, the channel, or local memory
 * enough, or the megakernel cannot have all that the configuration asks for at once. */
enum cb_status cb_coop_open(struct cb_session *session, const struct cb_coop_config *config,
                            struct cb_coop **coop, struct cb_err *err);
void cb_coop_close(struct cb_coop *coop);

/* What the kernel needs. */
struct cb_kernel_needs cb_coop_needs(const struct cb_coop *coop);

/* The kernel's own arguments, in the order of its COOP_ARGS. */
enum cb_status cb_coop_args(struct cb_coop *coop, const struct cb_kernel_value *values, size_t n,
                            struct cb_err *err);

/* How many these are, of all kernels together. */
enum cb_status cb_coop_count_args(const struct cb_coop *coop, size_t *n, struct cb_err *err);

/* Portable and cooperative mode. How many workers it can have at once: what the discovery protocol
 * finds, less the scheduler (and, for a queue channel to a CPU device, the thread that serves it).
 */
enum cb_status cb_coop_find_workers(struct cb_coop *coop, size_t *workers, struct cb_err *err);

/* How many workgroups the protocol found if it can have so many workers; of COOP_MAX_WORKERS, at
 * least so many. */
size_t cb_coop_found(const struct cb_coop *coop, size_t workers);

/* Moves the barrier's word: where it lies in memory decides up to a third of a barrier's time on
 * some GPUs, so times to be compared are taken at several offsets in memory. number: any. */
void cb_coop_move(struct cb_coop *coop, unsigned number);

/* How long a run took. */
struct cb_coop_time {
    double run_ns;  /* multikernel: as host_ns; specialised, portable: the kernel, by its profiling
                       event; cooperative: from the app's start to its end, by the device clock (the
                       megakernel, where there is none) */
    double host_ns; /* from the first launch until the host knew of the end, by its clock */
};

/* One run of the cooperative kernel with no task beside it, in any mode. */
enum cb_status cb_coop_run_alone(struct cb_coop *coop, size_t groups, struct cb_coop_time *time,
                                 struct cb_err *err);

/* Launches the kernel once, in any mode, with as little to do as can be: what drivers put off until
 * the first launch is done then. */
enum cb_status cb_coop_try(struct cb_coop *coop, struct cb_err *err);

struct cb_coop_start {
    unsigned first_groups;         /* the limit (cb_coop_limit()) that it begins with; 0: all */
    bool later[COOP_MOST_KERNELS]; /* begins by cb_coop_repeat_of() */
    bool repeat;                   /* begin it again whenever it has ended */
    double lifetime_s;             /* after which the megakernel gives up */
    double gather_s;               /* after which a task does */
};

enum cb_status cb_coop_start(struct cb_coop *coop, size_t workers, const struct cb_coop_start *how,
                             struct cb_err *err);

#define COOP_MAX_PRIORITY 255u

struct cb_coop_order {
    unsigned groups;   /* workgroups, at least 1, at most workers - 1 (COOP_WHOLE: workers) */
    size_t packet;     /* at which byte of the arena its launch packet begins, a multiple of
                          TASK_PACKET_UNIT. What the task reads has been written by now; what it
                          writes may be read after its end. */
    unsigned priority; /* of tasks in line, the one with the highest leaves it first; */
    double deadline_s; /* of those with the same, the one with the soonest, from now; 0: none */
};

/* Puts a task in line. It begins when all tasks before it in line have slots, and it has as many as
 * it wants: up to config.in_flight tasks do at once. number: for the calls below. CB_USAGE: not
 * such a task, or the line is full. */
enum cb_status cb_coop_submit(struct cb_coop *coop, const struct cb_coop_order *order,
                              unsigned *number, struct cb_err *err);

/* Takes it out of the line, if it is still there. cb_coop_await() tells so, too. */
enum cb_status cb_coop_cancel(struct cb_coop *coop, unsigned number, bool *cancelled,
                              struct cb_err *err);

/* Takes it out of the line, or back while it is being gathered (models/withdraw.pml): if it has not
 * begun, it never will. cb_coop_await() then says that it was cancelled. */
enum cb_status cb_coop_withdraw(struct cb_coop *coop, unsigned number, bool *withdrawn,
                                struct cb_err *err);

/* What became of a task. Times of the device. */
struct cb_coop_task {
    double line_ns;   /* until it left the line */
    double gather_ns; /* from then on, until all of its workgroups were there */
    double exec_ns;
    double answer_ns;   /* host clock, from cb_coop_submit() to when the host knew */
    unsigned active;    /* workgroups of the cooperative kernel meanwhile */
    double done_ns;     /* device clock, when it was done */
    bool beside_kernel; /* false: it had ended, or was away, so that there was nothing to gather */
    bool cancelled;     /* then all of these but answer_ns are 0 */
};

/* Waits for it: once for each. */
enum cb_status cb_coop_await(struct cb_coop *coop, unsigned number, struct cb_coop_task *task,
                             struct cb_err *err);

/* The same, at most so many seconds from now. CB_TIMEOUT: it has not ended by then. It may be
 * waited for again; the kernel goes on meanwhile. */
enum cb_status cb_coop_await_for(struct cb_coop *coop, unsigned number, double seconds,
                                 struct cb_coop_task *task, struct cb_err *err);

/* Submits a task and waits for it. */
enum cb_status cb_coop_run_task(struct cb_coop *coop, const struct cb_coop_order *order,
                                struct cb_coop_task *task, struct cb_err *err);

/* At most `groups` workgroups (0: all workers) for the cooperative kernel from now on: surplus ones
 * leave at its scheduling points and stay in the pool; others join at them when there may be more.
 * Tasks go on. At any time while it runs, also before an earlier limit has come to pass. With
 * COOP_WHOLE COOP_LIMIT_NONE, too: none, until another limit or cb_coop_stop(). */
enum cb_status cb_coop_limit(struct cb_coop *coop, unsigned groups, struct cb_err *err);

/* How the last limit came to pass, or the one that it began with: the kernel has as many workgroups
 * as it may, besides those of a task, and those that left are in the pool. */
struct cb_coop_resize {
    double resize_ns;           /* device clock, from when the scheduler saw it */
    double answer_ns;           /* host clock, from cb_coop_limit() to when the host knew */
    double seen_ns, reached_ns; /* device clock: resize_ns lies between */
    unsigned active; /* workgroups of the cooperative kernel; 0: it has ended, or is away */
};

/* Waits for that, until so many seconds after the limit was set. */
enum cb_status cb_coop_await_limit(struct cb_coop *coop, double deadline_s,
                                   struct cb_coop_resize *resize, struct cb_err *err);

/* How often the cooperative kernel has ended so far. */
enum cb_status cb_coop_runs(struct cb_coop *coop, unsigned *runs, struct cb_err *err);

/* With config.watched: how many scheduling points its workgroups have come to so far, modulo 2^32.
 */
enum cb_status cb_coop_points(struct cb_coop *coop, uint32_t *points, struct cb_err *err);

/* Whether the launch of cb_coop_start() or cb_coop_repeat() has ended, by itself or because it gave
 * up. */
bool cb_coop_has_ended(struct cb_coop *coop);

/* Stops a megakernel that has ended too early, before `what`: err says so, and why. */
enum cb_status cb_coop_gave_up(struct cb_coop *coop, const char *what, struct cb_err *err);

struct cb_coop_result {
    unsigned runs;    /* of the cooperative kernel */
    unsigned kills;   /* workgroups that left, and */
    unsigned forks;   /* that came, over all runs */
    unsigned kept;    /* times in run_ns: of the last runs */
    double *run_ns;   /* device clock; the caller frees it */
    double *start_ns; /* when each began, device clock; the caller frees it */
    double kernel_ns; /* of the whole launch, by its event */
    double host_ns;   /* by the host's clock, until it knew */
};

/* Lets the cooperative kernel run to its end and waits for the megakernel's. */
enum cb_status cb_coop_stop(struct cb_coop *coop, struct cb_coop_result *result,
                            struct cb_err *err);

/* Specialised mode with config.repeats: begins one launch of exactly so many workgroups, which run
 * the kernel again and again until so much time has passed (without a device clock: by what a run
 * took in the launch before, of which the first is one run). first_run: how often it was run
 * before, since its buffers were cleared. */
enum cb_status cb_coop_repeat(struct cb_coop *coop, size_t groups, unsigned first_run,
                              double for_ns, struct cb_err *err);

/* Waits for its end. The times are of this launch; runs, all since the buffers were cleared. */
enum cb_status cb_coop_repeat_end(struct cb_coop *coop, struct cb_coop_result *result,
                                  struct cb_err *err);

/* Makes all workgroups give up; for a device that must be free at once. */
void cb_coop_abandon(struct cb_coop *coop);

/* The trace of the last start, workers + 1 rings (the last is the scheduler's); the caller frees
 * both. counts: events in each. */
enum cb_status cb_coop_read_trace(struct cb_coop *coop, coop_trace_event **events,
                                  uint32_t **counts, struct cb_err *err);
