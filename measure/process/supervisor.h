/* SPDX-License-Identifier: Apache-2.0
 *
 * Workers: child processes that do everything with OpenCL. The parent starts this program again
 * (`coopbench worker`), talks to it in lines of JSON over a pair of pipes, and gives each request a
 * deadline. A worker that hangs is killed. After that, or after a crash, the case gets a row with
 * the reason and the next case a new worker.
 *
 * Why processes: a kernel that hangs cannot be stopped from inside its process, and a driver may
 * crash; only the death of the process frees the device.
 */
#pragma once

#include "measure/engine.h"

struct cb_worker_watch;

/* What becomes of cases while another program uses their device. */
enum cb_shared {
    CB_SHARED_WARN,   /* they are run: who watches is told */
    CB_SHARED_WAIT,   /* they wait until it is quiet, and are skipped after so long */
    CB_SHARED_REFUSE, /* they are skipped */
    CB_SHARED_IGNORE, /* nobody looks */
};

struct cb_worker_settings {
    const char *atomics, *clock; /* as struct cb_session_options */
    uint64_t wait_deadline_ns;
    unsigned cpu_workgroups; /* threads of a PoCL CPU device; 0: the environment's, else 8 */
    enum cb_shared shared;
    double shared_deadline_s; /* CB_SHARED_WAIT: of all cases of a device together */
    unsigned max_kills;       /* workers a device may lose before its remaining cases are skipped */
    const struct cb_worker_watch *watch; /* while cases are opened and run; NULL: nobody is told */
};

struct cb_supervisor;

struct cb_supervisor *cb_supervisor_new(const struct cb_worker_settings *settings);
void cb_supervisor_free(struct cb_supervisor *supervisor);

/* Sets who is told while cases are opened and run. Sessions that are opened without look for no
 * neighbours. */
void cb_supervisor_set_watch(struct cb_supervisor *supervisor, const struct cb_worker_watch *watch);

/* Has all workers look for neighbours once more, who watches being told: at the end of a run, since
 * the last case may have ended after the last look. */
void cb_supervisor_look(struct cb_supervisor *supervisor);

const struct cb_worker_settings *cb_supervisor_settings(const struct cb_supervisor *supervisor);

/* All devices, found by a worker. */
enum cb_status cb_supervisor_devices(struct cb_supervisor *supervisor, struct cb_devices *out,
                                     struct cb_err *err);

/* The executor that runs cases in workers; valid as long as the supervisor. */
struct cb_executor cb_supervisor_executor(struct cb_supervisor *supervisor);

/* What opening the device told: {"ns_per_tick", "clock_resolution_ns", "atomics", "clock"}; NULL if
 * no worker opened it. */
const cJSON *cb_supervisor_session(const struct cb_supervisor *supervisor,
                                   const struct cb_device *device);

/* The body of a worker process: serves requests from `in` until it closes. Returns its exit code.
 */
int cb_worker_main(int in, int out);
