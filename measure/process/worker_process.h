/* SPDX-License-Identifier: Apache-2.0
 *
 * A worker process and its requests, as the supervisor sees it. A request that is not answered in
 * time, or not at all, costs the process.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "measure/process/channel.h"
#include "runtime/device.h"
#include "runtime/host/error.h"

struct cb_worker_process {
    pid_t pid; /* 0: none is running */
    struct cb_channel channel;
    unsigned spawned; /* processes so far */
    unsigned losses;  /* that died or had to be killed */
    bool lost;        /* one that not even SIGKILL ended */
};

struct cb_worker_limit;

/* Who is told what happens while cases are opened and run. */
struct cb_worker_watch {
    void *self;
    /* Each second: an answer is waited for. */
    void (*waits)(void *self, const struct cb_worker_limit *limit, double waited_s);
    /* A worker has looked for neighbours on its device (cb_look_to_json()). */
    void (*looked)(void *self, const struct cb_device *device, const cJSON *look);
};

/* How long a request may take, and what the worker does meanwhile. */
struct cb_worker_limit {
    double deadline_s;
    const char *doing;
    const char *case_id;                 /* for whom; NULL: for none */
    const struct cb_worker_watch *watch; /* NULL: nobody is told */
};

enum cb_status cb_worker_spawn(struct cb_worker_process *worker, struct cb_err *err);

/* Ends the process, gently first, after so long. */
void cb_worker_end(struct cb_worker_process *worker, uint64_t patience_ns);

/* Sends a request (and deletes it) and waits for the answer, the caller's to delete; NULL if none
 * came. CB_CRASHED, CB_TIMEOUT, CB_INTERRUPTED: the process has gone. */
enum cb_status cb_worker_request(struct cb_worker_process *worker, cJSON *message,
                                 const struct cb_worker_limit *limit, cJSON **answer,
                                 struct cb_err *err);

/* The two halves of a request, for callers that work meanwhile. */
enum cb_status cb_worker_send(struct cb_worker_process *worker, cJSON *message,
                              const struct cb_worker_limit *limit, struct cb_err *err);
enum cb_status cb_worker_receive(struct cb_worker_process *worker,
                                 const struct cb_worker_limit *limit, cJSON **answer,
                                 struct cb_err *err);

/* Lines in which compilers have warned of users' kernels, a list with each once; NULL: none. */
const cJSON *cb_worker_warnings(void);

#define CB_WORKER_TERM_GRACE_NS 2000000000u /* for an idle one to end by itself */
