/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/process/companion.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>

#include "measure/process/requests.h"
#include "measure/process/worker_process.h"
#include "runtime/session.h"

#define CASE      "companion"
#define SESSION_S 60
#define CLOSE_NS  2000000000u /* for drivers to let go of the device */

struct cb_companion {
    struct cb_worker_process process;
    struct cb_session *of_worker;
};

static enum cb_status request(struct cb_companion *companion, cJSON *message, double deadline_s,
                              const char *doing, struct cb_err *err)
{
    const struct cb_worker_limit limit = {deadline_s, doing};
    cJSON *answer;
    enum cb_status status = cb_worker_request(&companion->process, message, &limit, &answer, err);
    cJSON_Delete(answer);
    return status;
}

static enum cb_status open_session(struct cb_companion *companion, const struct cb_session *session,
                                   struct cb_err *err)
{
    return request(companion, cb_same_session_request(session), SESSION_S,
                   "opening the device in a second process", err);
}

enum cb_status cb_companion_open(const struct cb_bench *bench, struct cb_session *of_worker,
                                 bool with_session, cJSON *params, double deadline_s,
                                 struct cb_companion **out, struct cb_err *err)
{
    cJSON *message = cb_open_request(CASE, bench, 0, params);
    cJSON_Delete(params);
    struct cb_companion *companion = *out = calloc(1, sizeof *companion);
    if (companion)
        companion->of_worker = of_worker;
    else
        cb_no_memory(err);
    if (!companion || cb_worker_spawn(&companion->process, err) != CB_OK ||
        (with_session && open_session(companion, of_worker, err) != CB_OK)) {
        cJSON_Delete(message);
        return err->status;
    }
    return request(companion, message, deadline_s, "preparing in a second process", err);
}

enum cb_status cb_companion_begin(struct cb_companion *companion, struct cb_err *err)
{
    const struct cb_worker_limit limit = {0, "running in a second process"};
    if (!companion->process.pid)
        return cb_fail(err, CB_CRASHED, "the second process has gone");
    return cb_worker_send(&companion->process, cb_case_request("run", CASE), &limit, err);
}

bool cb_companion_has_ended(const struct cb_companion *companion)
{
    struct pollfd ready = {.fd = companion->process.channel.in, .events = POLLIN};
    return !companion->process.pid || poll(&ready, 1, 0) != 0;
}

enum cb_status cb_companion_end(struct cb_companion *companion, double deadline_s,
                                struct cb_sample *sample, struct cb_err *err)
{
    const struct cb_worker_limit limit = {deadline_s, "running in a second process"};
    cJSON *answer;
    enum cb_status status = cb_worker_receive(&companion->process, &limit, &answer, err);
    companion->of_worker->gap_ticks = 0;
    cb_sample_take(sample, answer);
    cJSON_Delete(answer);
    return status;
}

void cb_companion_kill(struct cb_companion *companion)
{
    if (companion->process.pid)
        kill(companion->process.pid, SIGKILL);
    cb_worker_end(&companion->process, CLOSE_NS);
    companion->of_worker->gap_ticks = 0;
}

void cb_companion_close(struct cb_companion *companion)
{
    if (companion && companion->process.pid)
        cb_worker_end(&companion->process, CLOSE_NS);
    free(companion);
}
