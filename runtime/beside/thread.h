/* SPDX-License-Identifier: Apache-2.0
 *
 * A thread that keeps a device busy beside what is measured: it works again and again, all the time
 * or in bursts, until it is stopped.
 */
#pragma once

#include "runtime/host/error.h"

/* What is done again and again. */
struct cb_beside_work {
    void *self;
    /* Some milliseconds of it, or as long as one piece of it takes. */
    enum cb_status (*once)(void *self, struct cb_err *err);
    /* What has failed beside that, from another thread; NULL: nothing can. */
    enum cb_status (*check)(void *self, struct cb_err *err);
    void (*close)(void *self);
};

/* Bursts: so long, each so often; every_s 0: without a pause. */
struct cb_rhythm {
    double every_s, for_s;
};

struct cb_beside_thread;

/* Works once, and then in a thread. Takes over the work, and closes it after a failure, too. */
enum cb_status cb_beside_thread_start(const struct cb_beside_work *work,
                                      const struct cb_rhythm *rhythm, struct cb_beside_thread **out,
                                      struct cb_err *err);

/* CB_OK: it works; else what has ended it. */
enum cb_status cb_beside_thread_check(struct cb_beside_thread *thread, struct cb_err *err);

/* Waits until the piece under way is done. NULL is fine. */
void cb_beside_thread_stop(struct cb_beside_thread *thread);
