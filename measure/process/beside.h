/* SPDX-License-Identifier: Apache-2.0
 *
 * Neighbours of our own (--beside): what keeps a device busy beside the cases that ask for it. One
 * is told by messages to a worker, {"op": "beside", ...} for work from a queue of its own; a
 * process that is nothing but a neighbour may run a case over and over instead ("idle").
 */
#pragma once

#include "measure/field.h"
#include "measure/process/worker_process.h"
#include "runtime/beside/thread.h"
#include "runtime/session.h"

/* The kinds of neighbours; cli/suite/beside.c says what each is. */
#define CB_BESIDE_KINDS "none,process,queue,grid,display,copy,memory"

/* What a message of op "beside" has; "work": "none" ends what there is. */
struct cb_beside_request {
    const char *work; /* "product", "grid", "copy", "memory" */
    double every_s, for_s;
    unsigned groups, wg_size;
    double left_bytes;
    bool after; /* launched after what is measured */
};
extern const struct cb_field cb_beside_fields[];

/* Worker: begins what a message asks for. NULL in *out for "none". */
enum cb_status cb_beside_begin(struct cb_session *session, const cJSON *message,
                               struct cb_beside_thread **out, struct cb_err *err);

/* CB_OK: it works, or there is none; else what has ended it, and it is gone. */
enum cb_status cb_beside_keep(struct cb_beside_thread **beside, struct cb_err *err);

/* A spec is what a case wants beside it: {"what": "grid:groups=4", "queue": false, "session": true,
 * "messages": [...]}. With "queue" the messages go to the worker that measures, else to a process
 * of its own, which opens a session first if "session" is true. */

/* Parent: a neighbour in a process of its own. All zero: there is none. */
struct cb_beside_process {
    struct cb_worker_process process;
    const cJSON *spec; /* spec of a case, which stays */
    uint64_t asked_ns; /* host's clock: when it was asked whether it still works */
};

/* Starts it, if it is not there. session: the message that opens one. */
enum cb_status cb_beside_process_start(struct cb_beside_process *beside, const cJSON *spec,
                                       cJSON *session, struct cb_err *err);

/* CB_OK: it works; else what has become of it, and it is gone. */
enum cb_status cb_beside_process_check(struct cb_beside_process *beside, struct cb_err *err);
void cb_beside_process_end(struct cb_beside_process *beside);

/* "what" of a spec; "": NULL, none. */
const char *cb_beside_what(const cJSON *spec);
