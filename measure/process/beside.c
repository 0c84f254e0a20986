/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/process/beside.h"

#include <poll.h>
#include <string.h>

#include "measure/process/requests.h"
#include "measure/text/json.h"
#include "runtime/beside/works.h"
#include "runtime/host/time.h"

#define PIECE_S     0.002 /* of work without a pause: a turn of a driver that shares by time */
#define PATIENCE_S  60    /* for a neighbour to begin */
#define ASK_S       10    /* to tell whether it works: it may have the device, and all cores */
#define ASK_EACH_NS 250000000u

#define FIELD(member) CB_FIELD(struct cb_beside_request, #member, member)

const struct cb_field cb_beside_fields[] = {
    FIELD(work),    FIELD(every_s),    FIELD(for_s), FIELD(groups),
    FIELD(wg_size), FIELD(left_bytes), FIELD(after), {0},
};

/* ---- In the worker --------------------------------------------------------------------------- */

static enum cb_status open_work(struct cb_session *s, const struct cb_beside_request *r,
                                struct cb_beside_work *work, struct cb_err *err)
{
    if (cb_text_is(r->work, "product"))
        return cb_beside_product(s, r->every_s > 0 && r->for_s < PIECE_S ? r->for_s : PIECE_S, work,
                                 err);
    if (cb_text_is(r->work, "grid"))
        return cb_beside_grid(s, r->groups, r->wg_size, r->after, work, err);
    if (cb_text_is(r->work, "copy"))
        return cb_beside_copy(s, work, err);
    if (cb_text_is(r->work, "memory"))
        return cb_beside_memory(s, r->left_bytes, work, err);
    return cb_fail(err, CB_ERROR, "worker: bad request for a neighbour");
}

enum cb_status cb_beside_begin(struct cb_session *session, const cJSON *message,
                               struct cb_beside_thread **out, struct cb_err *err)
{
    struct cb_beside_request r;
    struct cb_beside_work work;
    cb_fields_read(message, cb_beside_fields, &r);
    *out = NULL;
    if (cb_text_is(r.work, "none"))
        return CB_OK;
    if (open_work(session, &r, &work, err) != CB_OK)
        return err->status;
    const struct cb_rhythm rhythm = {r.every_s > 0 ? r.every_s : 0, r.for_s};
    return cb_beside_thread_start(&work, &rhythm, out, err);
}

enum cb_status cb_beside_keep(struct cb_beside_thread **beside, struct cb_err *err)
{
    if (!*beside || cb_beside_thread_check(*beside, err) == CB_OK)
        return CB_OK;
    cb_beside_thread_stop(*beside);
    *beside = NULL;
    return err->status;
}

/* ---- In the parent --------------------------------------------------------------------------- */

const char *cb_beside_what(const cJSON *spec)
{
    return cb_json_text(spec, "what", "");
}

static enum cb_status request(struct cb_beside_process *b, cJSON *message, double deadline_s,
                              struct cb_err *err)
{
    const struct cb_worker_limit limit = {deadline_s, "keeping the device busy (--beside)"};
    cJSON *answer;
    enum cb_status status = cb_worker_request(&b->process, message, &limit, &answer, err);
    cJSON_Delete(answer);
    return status;
}

static enum cb_status begin(struct cb_beside_process *b, cJSON *session, struct cb_err *err)
{
    const cJSON *message;
    enum cb_status status = CB_OK;
    if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(b->spec, "session")))
        status = request(b, session, PATIENCE_S, err);
    else
        cJSON_Delete(session);
    cJSON_ArrayForEach (message, cJSON_GetObjectItemCaseSensitive(b->spec, "messages"))
        if (status == CB_OK)
            status = request(b, cJSON_Duplicate(message, true), PATIENCE_S, err);
    return status;
}

/* What has become of the neighbour: of the case, it is an error. */
static enum cb_status tell(const struct cb_beside_process *b, struct cb_err *err)
{
    if (err->status == CB_CRASHED || err->status == CB_TIMEOUT)
        err->status = CB_ERROR;
    return cb_context(err, "the neighbour (--beside %s)", cb_beside_what(b->spec));
}

enum cb_status cb_beside_process_start(struct cb_beside_process *b, const cJSON *spec,
                                       cJSON *session, struct cb_err *err)
{
    if (b->process.pid && b->spec == spec) {
        cJSON_Delete(session);
        return CB_OK;
    }
    cb_beside_process_end(b);
    b->spec = spec;
    if (cb_worker_spawn(&b->process, err) != CB_OK) {
        cJSON_Delete(session);
        return tell(b, err);
    }
    if (begin(b, session, err) == CB_OK)
        return CB_OK;
    cb_beside_process_end(b);
    return tell(b, err);
}

/* Whether there is something to read: as it answers nothing that was not asked, its end. */
static bool has_ended(const struct cb_beside_process *b)
{
    struct pollfd ready = {.fd = b->process.channel.in, .events = POLLIN};
    return poll(&ready, 1, 0) != 0;
}

enum cb_status cb_beside_process_check(struct cb_beside_process *b, struct cb_err *err)
{
    const uint64_t now_ns = cb_now_ns();
    if (!b->process.pid || (!has_ended(b) && now_ns - b->asked_ns < ASK_EACH_NS))
        return CB_OK;
    b->asked_ns = now_ns;
    if (request(b, cb_request("works"), ASK_S, err) == CB_OK)
        return CB_OK;
    cb_beside_process_end(b);
    return tell(b, err);
}

void cb_beside_process_end(struct cb_beside_process *b)
{
    if (b->process.pid)
        cb_worker_end(&b->process, 0);
}
