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
    size_t workers;          /* of the last start */
    size_t launched;         /* workgroups that DISCOVERY has room for: a launch's at most so far */
    coop_control *control;
    cl_event event;                                    /* of the megakernel that runs, or NULL */
    cl_int ended_by;                                   /* its negative status, or what says so */
    unsigned offset;                                   /* of the barrier's word */
    bool discovers;                                    /* launches more workgroups than take part */
    uint32_t delay;                                    /* of the discovery */
    struct sigaction before;                           /* what SIGTERM did before the start */
    double launched_ns, limited_ns[COOP_MOST_KERNELS]; /* host clock */
    uint32_t writes, written[COOP_MOST_KERNELS]; /* of limits: all, and which set a kernel's */
    struct coop_sent sent[COOP_IN_LINE];         /* at numbers modulo that */
    double repeated_ns; /* of a run of cb_coop_repeat(), without a device clock */
};

/* Cooperative kernels in the program. */
unsigned cb_coop_kernels(const struct cb_coop *coop);

/* A time in ticks of the device clock; in turns of the scheduler where there is none. */
uint64_t cb_coop_ticks(const struct cb_coop *coop, double ns);

/* How long an offer waits for those of all surplus workgroups, in the same: at most half as long as
 * any wait may take, so that none is taken for a deadlock. */
uint64_t cb_coop_offer_ticks(const struct cb_coop *coop);

/* Releases the buffers from first on, up to but not with after. */
void cb_coop_release_buffers(struct cb_coop *coop, int first, int after);

/* Before cb_coop_prepare(): a kernel that discovers is to be launched with so many workgroups. */
void cb_coop_expect_launch(struct cb_coop *coop, size_t launched);

/* Clears what a launch for so many workers needs, makes room where there is not enough, and sets
 * the arguments. */
enum cb_status cb_coop_prepare(struct cb_coop *coop, size_t workers, struct cb_err *err);

/* The control block but for the times of runs: begun anew for so many workers, to the device, from
 * it. */
void cb_coop_clear_control(struct cb_coop *coop, size_t workers);
enum cb_status cb_coop_write_control(struct cb_coop *coop, struct cb_err *err);
enum cb_status cb_coop_read_control(struct cb_coop *coop, struct cb_err *err);

/* The runs from first_run on and their times, of a launch that has ended. */
enum cb_status cb_coop_read_times(struct cb_coop *coop, unsigned first_run,
                                  struct cb_coop_result *result, struct cb_err *err);

/* Fails if so many workgroups at once are too few for a megakernel. */
enum cb_status cb_coop_check_found(const struct cb_coop *coop, size_t found, struct cb_err *err);

/* A launch that only counts the workgroups that run at once: there are no workers for an app. */
enum cb_status cb_coop_launch_discovery(void *coop, size_t groups, size_t *participants,
                                        struct cb_err *err);

/* cb_coop_run_alone() in cooperative mode. */
enum cb_status cb_coop_run_megakernel(struct cb_coop *coop, size_t groups,
                                      struct cb_coop_time *time, struct cb_err *err);

/* Between two looks at what the scheduler says. CB_INTERRUPTED: the worker process is to end, and
 * the megakernel has been stopped. */
enum cb_status cb_coop_pause(struct cb_coop *coop, struct cb_err *err);
