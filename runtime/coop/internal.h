/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the cooperative runtime's host side share: open.c builds a kernel and closes
 * it, control.c has what every launch needs, alone.c, megakernel.c and repeat.c run it.
 */
#pragma once

#include <signal.h>

#include "runtime/coop/channel.h"
#include "runtime/coop/coop.h"

/* The kernel's arguments, in its order, from index 1 on. */
enum coop_buffer {
    CONTROL,
    DISCOVERY,
    MAIL,
    ENTRIES,
    STATES,
    CHANNEL,
    TRACES,
    WORDS,
    ARENA, /* NULL: there are no tasks */
    BUFFERS
};

/* A command that the host has not waited for. */
struct coop_sent {
    bool open;
    double at_ns; /* host clock */
};

struct cb_coop {
    struct cb_session *session;
    struct cb_coop_config config;
    cl_program program;
    cl_kernel kernel;
    struct cb_coop_channel channel;
    cl_mem buffers[BUFFERS]; /* CHANNEL is not used */
    size_t room;             /* workers that the buffers hold */
    size_t workers;          /* workers of the last start */
    unsigned first_run;      /* number of the first run of the last start */
    /* Workgroups that DISCOVERY has room for: the most of a launch so far. */
    size_t launched;
    coop_control *control;
    /* Event of the megakernel that runs, or NULL. */
    cl_event event;
    /* The event's negative status, or the error that stands for it. */
    cl_int ended_by;
    unsigned offset; /* index of the barrier's word */
    /* It launches more workgroups than take part. */
    bool discovers;
    /* The discovery's delay, in turns of its lock. */
    uint32_t delay;
    struct sigaction before;                           /* what SIGTERM did before the start */
    double launched_ns, limited_ns[COOP_MOST_KERNELS]; /* host clock */
    /* Number of the last write of limits, and of the write that set each kernel's. */
    uint32_t writes, written[COOP_MOST_KERNELS];
    /* Each command, at its number modulo COOP_IN_LINE. */
    struct coop_sent sent[COOP_IN_LINE];
    double repeated_ns; /* a run of cb_coop_repeat(), without a device clock */
};

/* Counts the cooperative kernels of the program. */
unsigned cb_coop_kernels(const struct cb_coop *coop);

/* A time in ticks of the device clock; in turns of the scheduler where there is none. */
uint64_t cb_coop_ticks(const struct cb_coop *coop, double ns);

/* Longest time that an offer waits for those of all surplus workgroups, in the units of
 * cb_coop_ticks(): half of what any wait may take, so that no offer passes for a deadlock. */
uint64_t cb_coop_offer_ticks(const struct cb_coop *coop);

/* Releases the buffers [first, after). */
void cb_coop_release_buffers(struct cb_coop *coop, int first, int after);

/* Announces the number of workgroups that a kernel that discovers will be launched with; call it
 * before cb_coop_prepare(). */
void cb_coop_expect_launch(struct cb_coop *coop, size_t launched);

/* Clears what a launch for `workers` workers needs, makes room where there is not enough, and sets
 * the arguments. */
enum cb_status cb_coop_prepare(struct cb_coop *coop, size_t workers, struct cb_err *err);

/* Clears the control block on the host for so many workers, writes it to the device, or reads it;
 * without the times of runs. */
void cb_coop_clear_control(struct cb_coop *coop, size_t workers);
enum cb_status cb_coop_write_control(struct cb_coop *coop, struct cb_err *err);
enum cb_status cb_coop_read_control(struct cb_coop *coop, struct cb_err *err);

/* Reads the runs from first_run on and their times, of a launch that has ended. */
enum cb_status cb_coop_read_times(struct cb_coop *coop, unsigned first_run,
                                  struct cb_coop_result *result, struct cb_err *err);

/* CB_UNSUPPORTED: `found` workgroups at once are too few for a megakernel. */
enum cb_status cb_coop_check_found(const struct cb_coop *coop, size_t found, struct cb_err *err);

/* Launches a kernel that only counts the workgroups that run at once. */
enum cb_status cb_coop_launch_discovery(void *coop, size_t groups, size_t *participants,
                                        struct cb_err *err);

/* Runs the kernel alone in cooperative mode, for cb_coop_run_alone(). */
enum cb_status cb_coop_run_megakernel(struct cb_coop *coop, size_t groups,
                                      struct cb_coop_time *time, struct cb_err *err);

/* Pauses between two looks at what the scheduler says. CB_INTERRUPTED: the worker process is to
 * end, and the megakernel has been stopped. */
enum cb_status cb_coop_pause(struct cb_coop *coop, struct cb_err *err);
