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

/* What to build; texts and images are read in cb_coop_open() only. */
struct cb_coop_config {
    const char *path; /* "apps/bfs/bfs.cl" */
    /* Cooperative mode: kernels in the same megakernel (together.h), then NULL. */
    const char *others[COOP_MOST_KERNELS - 1];
    /* With others: a file that comes before all of them, and includes "coop/together.clh" first,
     * such as tasks; NULL: nothing else. */
    const char *common;
    size_t wg_size;     /* work-items a workgroup */
    unsigned mode;      /* COOP_MULTIKERNEL, ... */
    unsigned resizing;  /* COOP_REGULAR, ... */
    unsigned semantics; /* COOP_HIGHEST, ... */
    /* Portable mode; NULL is protocol "lockfree", delay "adaptive", ids "own". Protocol "unsafe"
     * launches exactly as many workgroups as are asked for. */
    struct cb_discovery_way way;
    /* Specialised, portable: barrier of the kernel library; NULL: "patient". */
    const char *barrier;
    /* "svm" or "queue"; NULL, "" or "auto": the one that the device has */
    const char *channel;
    unsigned trace_events; /* events in the trace of each workgroup; 0: no trace */
    bool program_tasks;    /* tasks are kernels of the program; else ours (tasks.h) */
    unsigned in_flight;    /* tasks that have slots at once, 1 to COOP_LANES; 0: COOP_LANES */
    /* The caller's buffer of launch packets and what tasks read and write (kernels/task_abi.h);
     * NULL: there are no tasks. */
    cl_mem arena;
    /* With program_tasks: images and samplers of the tasks, in their order (kernels/task.clh). They
     * come after the kernel's own arguments, and stay for all launches. */
    const struct cb_kernel_value *images;
    size_t n_images;
    bool submits; /* the kernel submits tasks (kernels/coop/submit.clh) */
    bool repeats; /* specialised mode: for cb_coop_repeat() */
    /* Time that every workgroup spends before each scheduling point, until cb_coop_stop(): an app
     * whose phases are too long; 0: none. */
    double phase_s;
    bool watched; /* cooperative mode: for cb_coop_points() */
    /* Cooperative mode, NVIDIA's GPUs: most registers of a work-item; 0: the compiler decides. */
    unsigned registers;
};

/* Builds the kernel. CB_UNSUPPORTED: the device lacks 64-bit atomics, the channel, or local memory
 * enough, or the megakernel cannot have all that the configuration asks for at once. */
enum cb_status cb_coop_open(struct cb_session *session, const struct cb_coop_config *config,
                            struct cb_coop **coop, struct cb_err *err);
void cb_coop_close(struct cb_coop *coop);

/* Work-items of its workgroups. */
size_t cb_coop_wg_size(const struct cb_coop *coop);

/* What the kernel needs. */
struct cb_kernel_needs cb_coop_needs(const struct cb_coop *coop);

/* Sets the kernel's own arguments, in the order of its COOP_ARGS. */
enum cb_status cb_coop_args(struct cb_coop *coop, const struct cb_kernel_value *values, size_t n,
                            struct cb_err *err);

/* Counts the own arguments of all kernels together. */
enum cb_status cb_coop_count_args(const struct cb_coop *coop, size_t *n, struct cb_err *err);

/* Finds how many workers can run at once, in portable and cooperative mode: as many workgroups as
 * the discovery protocol finds, less the scheduler (and, for a queue channel to a CPU device, the
 * thread that serves it). */
enum cb_status cb_coop_find_workers(struct cb_coop *coop, size_t *workers, struct cb_err *err);

/* How many workgroups the protocol found if it can have `workers` workers; for COOP_MAX_WORKERS, at
 * least so many. */
size_t cb_coop_found(const struct cb_coop *coop, size_t workers);

/* Moves the barrier's word: its address decides up to a third of a barrier's time on some GPUs, so
 * times to be compared are taken at several offsets. number: any. */
void cb_coop_move(struct cb_coop *coop, unsigned number);

/* How long a run took. */
struct cb_coop_time {
    /* multikernel: equals host_ns. Specialised, portable: the kernel, by its profiling event.
     * Cooperative: from the app's start to its end, by the device clock (without one: the
     * megakernel). */
    double run_ns;
    double host_ns; /* from the first launch until the host knew of the end, by its clock */
};

/* Runs the cooperative kernel once with no task beside it, in any mode. */
enum cb_status cb_coop_run_alone(struct cb_coop *coop, size_t groups, struct cb_coop_time *time,
                                 struct cb_err *err);

/* Launches the kernel once, in any mode, with as little to do as can be: what drivers put off until
 * the first launch is done then. */
enum cb_status cb_coop_try(struct cb_coop *coop, struct cb_err *err);

/* What is left of a megakernel that was ended by killing all workgroups of its kernel: with the
 * kernel's buffers, all that another launch needs to go on with it. The launch may be on another
 * device, with another number of workgroups. */
struct cb_coop_left {
    /* false: the kernel was between two runs, or had ended for good: there is no state, and the
     * next run, if there is to be one, begins from the start. */
    bool in_run;
    unsigned run; /* number of runs that have ended; number of the one that goes on */
    coop_entry entry;
    unsigned char state[COOP_STATE_BYTES]; /* transmit state of workgroup 0 */
};

struct cb_coop_start {
    /* The limit (cb_coop_limit()) that the kernel begins with; 0: all workers. */
    unsigned first_groups;
    bool later[COOP_MOST_KERNELS]; /* kernels that begin by cb_coop_repeat_of() only */
    bool repeat;                   /* begins the kernel again whenever it has ended */
    double lifetime_s;             /* time after which the megakernel gives up */
    double gather_s;               /* time after which gathering a task gives up */
    /* What another launch has left (cb_coop_kill()), once the kernel's buffers are as that left
     * them: the kernel goes on from there, without a trace. NULL: it begins. */
    const struct cb_coop_left *from;
    /* What the kernel is told as the most workgroups that there may be, if it is more than the
     * workers: of a kernel that moves, the most on any of its devices. */
    unsigned most;
};

/* Makes room for a launch with so many workers, before it: so that a kernel which is to go on here
 * is not killed elsewhere for nothing. CB_ERROR, CB_UNSUPPORTED: the device has too little memory.
 */
enum cb_status cb_coop_make_room(struct cb_coop *coop, size_t workers, struct cb_err *err);

enum cb_status cb_coop_start(struct cb_coop *coop, size_t workers, const struct cb_coop_start *how,
                             struct cb_err *err);

#define COOP_MAX_PRIORITY 255u

struct cb_coop_order {
    unsigned groups; /* workgroups, 1 to workers - 1 (COOP_WHOLE: workers) */
    /* Byte of the arena at which the launch packet begins, a multiple of TASK_PACKET_UNIT. What the
     * task reads has been written before; what it writes may be read after its end. */
    size_t packet;
    unsigned priority; /* among tasks in line the one with the highest leaves it first */
    /* Among tasks of one priority the one with the soonest leaves it first; from now; 0: none. */
    double deadline_s;
};

/* Puts a task in line. It begins when all tasks before it in line have slots, and it has all of its
 * own: up to config.in_flight tasks have slots at once. number: for the calls below. CB_USAGE: not
 * such a task, or the line is full. */
enum cb_status cb_coop_submit(struct cb_coop *coop, const struct cb_coop_order *order,
                              unsigned *number, struct cb_err *err);

/* Takes a task out of the line, if it is still there. cb_coop_await() tells so, too. */
enum cb_status cb_coop_cancel(struct cb_coop *coop, unsigned number, bool *cancelled,
                              struct cb_err *err);

/* Takes a task out of the line, or back while it is being gathered (models/withdraw.pml): if it has
 * not begun, it never will. cb_coop_await() then says that it was cancelled. */
enum cb_status cb_coop_withdraw(struct cb_coop *coop, unsigned number, bool *withdrawn,
                                struct cb_err *err);

/* What became of a task; the device's times unless they say otherwise. */
struct cb_coop_task {
    double line_ns;   /* from its submission until it left the line */
    double gather_ns; /* then until all of its workgroups were there */
    double exec_ns;
    double answer_ns; /* host clock, from cb_coop_submit() to when the host knew */
    unsigned active;  /* workgroups of the cooperative kernel meanwhile */
    double done_ns;   /* device clock at its end */
    /* false: the kernel had ended, or was away, so that there was nothing to gather */
    bool beside_kernel;
    bool cancelled; /* all but answer_ns are 0 then */
};

/* Waits for a task; call it once for each. */
enum cb_status cb_coop_await(struct cb_coop *coop, unsigned number, struct cb_coop_task *task,
                             struct cb_err *err);

/* Waits for a task, at most `seconds` from now. CB_TIMEOUT: it has not ended by then. It may be
 * waited for again; the kernel goes on meanwhile. */
enum cb_status cb_coop_await_for(struct cb_coop *coop, unsigned number, double seconds,
                                 struct cb_coop_task *task, struct cb_err *err);

/* Submits a task and waits for it. */
enum cb_status cb_coop_run_task(struct cb_coop *coop, const struct cb_coop_order *order,
                                struct cb_coop_task *task, struct cb_err *err);

/* Limits the cooperative kernel to `groups` workgroups (0: all workers) from now on, at any time
 * while it runs, also before an earlier limit has come to pass. Surplus workgroups leave at its
 * scheduling points and stay in the pool; others join at them when there may be more. Tasks go on.
 * With COOP_WHOLE it takes COOP_LIMIT_NONE, too: none, until another limit or cb_coop_stop(). */
enum cb_status cb_coop_limit(struct cb_coop *coop, unsigned groups, struct cb_err *err);

/* How the last limit, or the one that the kernel began with, came to pass: the kernel has as many
 * workgroups as it may, besides those of a task, and those that left are in the pool. */
struct cb_coop_resize {
    double resize_ns;           /* device clock, from when the scheduler saw the limit */
    double answer_ns;           /* host clock, from cb_coop_limit() to when the host knew */
    double seen_ns, reached_ns; /* device clock at both ends of resize_ns */
    unsigned active; /* workgroups of the cooperative kernel; 0: it has ended, or is away */
};

/* Waits until the last limit has come to pass, at most `deadline_s` after it was set. */
enum cb_status cb_coop_await_limit(struct cb_coop *coop, double deadline_s,
                                   struct cb_coop_resize *resize, struct cb_err *err);

/* Counts the runs of the cooperative kernel that have ended so far. */
enum cb_status cb_coop_runs(struct cb_coop *coop, unsigned *runs, struct cb_err *err);

/* With config.watched: counts the scheduling points that the kernel's workgroups have come to so
 * far, modulo 2^32. */
enum cb_status cb_coop_points(struct cb_coop *coop, uint32_t *points, struct cb_err *err);

/* Whether the launch of cb_coop_start() or cb_coop_repeat() has ended, by itself or because it gave
 * up. */
bool cb_coop_has_ended(struct cb_coop *coop);

/* Stops a megakernel that has ended too early, before `what`: err says so, and why. */
enum cb_status cb_coop_gave_up(struct cb_coop *coop, const char *what, struct cb_err *err);

struct cb_coop_result {
    unsigned runs;  /* number of runs of the cooperative kernel */
    unsigned kills; /* number of workgroups that left, over all runs */
    unsigned forks; /* number of workgroups that came, over all runs */
    unsigned kept;  /* number of times in run_ns, those of the last runs */
    /* Semantics whole, device clock: when workgroup 0 first began in this launch, and when all
     * workgroups had been killed (cb_coop_kill()); 0: never, or there is no clock. */
    uint64_t entered_ticks, gone_ticks;
    double *run_ns;   /* device clock; the caller frees it */
    double *start_ns; /* begin of each of these runs, device clock; the caller frees it */
    double kernel_ns; /* the whole launch, by its event */
    double host_ns;   /* the whole launch, by the host's clock */
};

/* Lets the cooperative kernel run to its end and waits for the megakernel's. */
enum cb_status cb_coop_stop(struct cb_coop *coop, struct cb_coop_result *result,
                            struct cb_err *err);

/* Ends the megakernel by killing all workgroups of the cooperative kernel at its next resizing
 * barrier, as FSE'17's draft lets a scheduler do (Section 3: "the scheduler is at liberty to
 * destroy all workgroups, causing the cooperative kernel to exit"), and waits for its end; tasks in
 * line are done first. left: what the kernel goes on from in another launch (models/move.pml);
 * without another, it has ended there. It needs the semantics whole. CB_TIMEOUT: the kernel has not
 * come to a resizing barrier within the lifetime. */
enum cb_status cb_coop_kill(struct cb_coop *coop, struct cb_coop_result *result,
                            struct cb_coop_left *left, struct cb_err *err);

/* Specialised mode with config.repeats: begins one launch of exactly `groups` workgroups, which run
 * the kernel again and again until for_ns have passed (without a device clock: by what a run took
 * in the launch before, of which the first is one run). first_run: number of runs before, since the
 * kernel's buffers were cleared. */
enum cb_status cb_coop_repeat(struct cb_coop *coop, size_t groups, unsigned first_run,
                              double for_ns, struct cb_err *err);

/* Waits for the end of cb_coop_repeat(). The times are of this launch; runs, all since the buffers
 * were cleared. */
enum cb_status cb_coop_repeat_end(struct cb_coop *coop, struct cb_coop_result *result,
                                  struct cb_err *err);

/* Makes all workgroups give up; for a device that must be free at once. */
void cb_coop_abandon(struct cb_coop *coop);

/* Reads the trace of the last start, workers + 1 rings (the last is the scheduler's); the caller
 * frees both. counts: events in each ring. */
enum cb_status cb_coop_read_trace(struct cb_coop *coop, coop_trace_event **events,
                                  uint32_t **counts, struct cb_err *err);
