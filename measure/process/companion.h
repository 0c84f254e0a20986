/* SPDX-License-Identifier: Apache-2.0
 *
 * A companion: one more worker process, which a bench's worker starts for the other half of a case,
 * such as a second process that uses the same device. It opens and runs the same bench, with
 * parameters that say which half it is; it dies with the worker that started it.
 *
 *     cb_companion_open(bench, session, true, params, deadline_s, &companion, err);
 *     cb_companion_begin(companion, err);            the companion's run() begins
 *     ... the worker's own half ...
 *     cb_companion_end(companion, deadline_s, &sample, err);       and has ended
 *     cb_companion_close(companion);
 */
#pragma once

#include "measure/bench.h"

struct cb_companion;

/* Starts a process and opens the bench in it, with a session of the same device and choices as the
 * worker's, or without one. Takes params. Its turns on the device are no neighbour's: what waits of
 * the worker's session have seen of them is forgotten when its run ends, or it. CB_CRASHED,
 * CB_TIMEOUT: the process has gone. */
enum cb_status cb_companion_open(const struct cb_bench *bench, struct cb_session *of_worker,
                                 bool with_session, cJSON *params, double deadline_s,
                                 struct cb_companion **companion, struct cb_err *err);

enum cb_status cb_companion_begin(struct cb_companion *companion, struct cb_err *err);

/* Whether its run has ended, or its process. */
bool cb_companion_has_ended(const struct cb_companion *companion);

/* Waits for the end of its run. The sample starts empty ({0}); the caller deletes its values and
 * notes, also after a failure. */
enum cb_status cb_companion_end(struct cb_companion *companion, double deadline_s,
                                struct cb_sample *sample, struct cb_err *err);

/* Ends the process at once, also while it runs: a kernel of its that does not end goes with it. */
void cb_companion_kill(struct cb_companion *companion);

/* Ends the process; NULL is fine. */
void cb_companion_close(struct cb_companion *companion);
