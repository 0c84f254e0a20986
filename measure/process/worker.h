/* SPDX-License-Identifier: Apache-2.0
 *
 * The worker's side of the messages between parent and worker (worker.c lists them).
 */
#pragma once

#include "measure/process/beside.h"
#include "measure/process/channel.h"
#include "measure/process/open_cases.h"
#include "runtime/neighbours/neighbours.h"
#include "runtime/session.h"

/* Zero at first. */
struct cb_worker {
    struct cb_session session;
    struct cb_open_cases cases;       /* their session is NULL until it is open */
    struct cb_neighbours *neighbours; /* NULL: nobody looks for them */
    struct cb_beside_thread *beside;  /* a neighbour of our own; NULL: none */
    char *idle;                       /* case that is run while nothing is asked; NULL: none */
    struct cb_err idle_failure;       /* what has ended that */
};

/* Answers the request that this process is at with CB_VERIFY_FAILED, for this reason, and ends the
 * process, from wherever, also a signal's handler. Does nothing outside of a worker process. */
void cb_worker_last_words(const char *reason);

/* Where these go in another process than a worker: an open file. */
void cb_worker_answers_to(int file);

/* Answers requests, one at a time, until the other side has gone. Releases nothing. */
void cb_worker_serve(struct cb_worker *w, struct cb_channel *channel);
