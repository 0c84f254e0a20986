/* SPDX-License-Identifier: Apache-2.0
 *
 * The ways to see neighbours, each in a file of its own. Each fills in what it knows of a look, of
 * which the last sign is kept.
 */
#pragma once

#include "runtime/neighbours/neighbours.h"
#include "runtime/neighbours/room.h"
#include "runtime/nvml.h"

/* ---- look.c ---------------------------------------------------------------------------------- */

/* Others had this share of the time, in the place of what a way that knows it less well has seen:
 * NVML tells how long a process has kernels there, gaps how long it has the device for them. */
void cb_look_sees(struct cb_look *look, const char *sign, double share);

/* ---- cores.c --------------------------------------------------------------------------------- */

/* What the cores that this process may use have done, and what this program has. */
struct cb_cores_time {
    uint64_t at_ns; /* host's clock */
    uint64_t cores;
    double busy_ns; /* sum of the times at which they were not idle, since the machine began */
    double ours_ns; /* time on cores of the program's processes: of `root` and all below it */
};

/* false: the system does not tell. */
bool cb_cores_read(pid_t root, struct cb_cores_time *time);

/* Time on cores of others between two times; below 0: times of processes run ahead. */
double cb_cores_others_ns(const struct cb_cores_time *before, const struct cb_cores_time *now);

/* What lies between two times. */
void cb_cores_look(const struct cb_cores_time *before, const struct cb_cores_time *now,
                   struct cb_look *look);

/* Whether a process is `root`, or below it. */
bool cb_process_is_below(pid_t pid, pid_t root);

/* ---- processes.c ----------------------------------------------------------------------------- */

#define CB_MOST_PROCESSES 64

/* Processes that have an NVIDIA GPU open. */
struct cb_gpu_processes {
    struct cb_nvml nvml;
    unsigned before[CB_MOST_PROCESSES]; /* that were there when it was opened */
    unsigned n_before;
    uint64_t seen_us; /* time of the last usage that was read, since 1970 */
    struct cb_gpu_user {
        unsigned pid;
        uint64_t until_us; /* so long it is taken to go on */
        double share;      /* mean of what was told */
        unsigned told;
    } users[CB_MOST_PROCESSES]; /* others that were seen to use it */
    unsigned n_users;
    bool tells_usage; /* at the last look NVML told what processes do */
};

/* CB_UNSUPPORTED: there is no NVML, or it does not know the device. */
enum cb_status cb_gpu_processes_open(struct cb_gpu_processes *processes,
                                     const struct cb_device *device, struct cb_err *err);

/* Those that are not of the program of `root`. */
void cb_gpu_processes_look(struct cb_gpu_processes *processes, pid_t root, struct cb_look *look);

/* Reads who has the device's memory. NVML does not tell how much of a MIG instance is free. */
void cb_gpu_room_read(const struct cb_gpu_processes *processes, const struct cb_device *device,
                      pid_t root, struct cb_room *room);

/* ---- gaps.c ---------------------------------------------------------------------------------- */

/* What a workgroup has seen: its longest gap, and the sum of all, in ticks. */
struct cb_gap {
    cl_ulong longest, sum;
};

/* Takes what n workgroups have seen in so many ns by the device's clock, while the driver says that
 * the launch took event_ns. */
void cb_gaps_look(struct cb_gap *gaps, size_t n, double ns_per_tick, double probe_ns,
                  double event_ns, struct cb_look *look);

/* Takes the longest gap that waits in kernels have seen (0: none), since the look before: how much
 * of the time others had, they do not tell. */
void cb_gaps_in_waits(double longest_ns, struct cb_look *look);

/* Opens and runs the kernel that looks for gaps. It holds no memory of the device between runs. */
enum cb_status cb_gap_probe_open(struct cb_session *session, struct cb_buffered_kernel *probe,
                                 struct cb_err *err);
enum cb_status cb_gap_probe_run(struct cb_session *session, struct cb_buffered_kernel *probe,
                                struct cb_look *look, struct cb_err *err);
