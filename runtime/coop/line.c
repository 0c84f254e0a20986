/* SPDX-License-Identifier: Apache-2.0
 *
 * Tasks from the host: submit, cancel, withdraw, await.
 */
#include <math.h>
#include <string.h>

#include "kernels/task_abi.h"
#include "runtime/coop/internal.h"
#include "runtime/host/text.h"
#include "runtime/host/time.h"

/* ---- Submission ------------------------------------------------------------------------------ */

static enum cb_status check_order(const struct cb_coop *c, const struct cb_coop_order *o,
                                  struct cb_err *err)
{
    const size_t most = c->workers - (c->config.semantics != COOP_WHOLE);
    if (o->groups < 1 || o->groups > most)
        return cb_fail(err, CB_USAGE, "a task of %u workgroup%s: it can have 1 to %zu", o->groups,
                       CB_PLURAL(o->groups), most);
    if (o->priority > COOP_MAX_PRIORITY)
        return cb_fail(err, CB_USAGE, "priority %u: it is 0 to %u", o->priority, COOP_MAX_PRIORITY);
    return c->config.arena && o->packet % TASK_PACKET_UNIT == 0 &&
                   o->packet / TASK_PACKET_UNIT <= UINT32_MAX
               ? CB_OK
               : cb_fail(err, CB_USAGE, "a launch packet at byte %zu: not possible", o->packet);
}

/* Sends an order with the next number, if the last command in its entry has been waited for. */
static enum cb_status send(struct cb_coop *c, coop_order *order, uint32_t *number,
                           struct cb_err *err)
{
    *number = c->channel.host.sent + 1;
    struct coop_sent *sent = &c->sent[*number % COOP_IN_LINE];
    if (sent->open)
        return cb_fail(err, CB_USAGE,
                       "%u tasks have been submitted since task %u, which has not been waited "
                       "for: wait for it first",
                       COOP_IN_LINE - 1, *number - COOP_IN_LINE);
    *sent = (struct coop_sent){true, (double)cb_now_ns()};
    return cb_coop_channel_send(&c->channel, order, err);
}

/* Milliseconds from the start to the deadline. */
static uint32_t deadline_of(const struct cb_coop *c, double deadline_s)
{
    double ms = ((double)cb_now_ns() - c->launched_ns) * 1e-6 + deadline_s * 1e3;
    return deadline_s > 0 ? (uint32_t)fmin(ms, COOP_NO_DEADLINE - 1) : COOP_NO_DEADLINE;
}

enum cb_status cb_coop_submit(struct cb_coop *c, const struct cb_coop_order *o, unsigned *number,
                              struct cb_err *err)
{
    if (check_order(c, o, err) != CB_OK)
        return err->status;
    uint32_t next = c->channel.host.sent + 1;
    coop_order order = {
        .kind = COOP_COMMAND_TASK,
        .groups = o->groups,
        .what = (uint32_t)(o->packet / TASK_PACKET_UNIT),
        .rank = COOP_RANK(o->priority, deadline_of(c, o->deadline_s), next),
    };
    return send(c, &order, number, err);
}

/* ---- Answers --------------------------------------------------------------------------------- */

/* until_ns: host clock. */
static enum cb_status await(struct cb_coop *c, uint32_t number, double until_ns,
                            coop_answer *answer, struct cb_err *err)
{
    for (bool ended = false;;) {
        enum cb_status status = cb_coop_channel_answer(&c->channel, number, answer, err);
        if (status != CB_OK || answer->number == number) {
            c->sent[number % COOP_IN_LINE].open = false;
            return status;
        }
        if (ended)
            return cb_coop_gave_up(c, "its task", err);
        if ((double)cb_now_ns() > until_ns)
            return cb_fail(err, CB_TIMEOUT, "task %u has not ended", number);
        ended = cb_coop_has_ended(c);
        if (cb_coop_pause(c, err) != CB_OK)
            return err->status;
    }
}

static bool is_waited_for(const struct cb_coop *c, uint32_t number)
{
    return c->sent[number % COOP_IN_LINE].open && number <= c->channel.host.sent &&
           c->channel.host.sent - number < COOP_IN_LINE;
}

enum cb_status cb_coop_await(struct cb_coop *c, unsigned number, struct cb_coop_task *task,
                             struct cb_err *err)
{
    return cb_coop_await_for(c, number, INFINITY, task, err);
}

enum cb_status cb_coop_await_for(struct cb_coop *c, unsigned number, double seconds,
                                 struct cb_coop_task *task, struct cb_err *err)
{
    if (!is_waited_for(c, number))
        return cb_fail(err, CB_USAGE, "task %u was not submitted, or has been waited for", number);
    coop_answer a;
    if (await(c, number, (double)cb_now_ns() + seconds * 1e9, &a, err) != CB_OK)
        return err->status;
    double ns = c->session->ns_per_tick,
           answer_ns = (double)cb_now_ns() - c->sent[number % COOP_IN_LINE].at_ns;
    *task = (struct cb_coop_task){.answer_ns = answer_ns, .cancelled = true};
    if (a.fate == COOP_FATE_CANCELLED)
        return CB_OK;
    *task = (struct cb_coop_task){
        .line_ns = (double)(a.placed - a.seen) * ns,
        .gather_ns = (double)(a.gathered - a.placed) * ns,
        .exec_ns = (double)(a.done - a.gathered) * ns,
        .answer_ns = answer_ns,
        .done_ns = (double)a.done * ns,
        .active = a.active,
        .beside_kernel = a.app_running,
    };
    return CB_OK;
}

enum cb_status cb_coop_run_task(struct cb_coop *c, const struct cb_coop_order *order,
                                struct cb_coop_task *task, struct cb_err *err)
{
    unsigned number = 0;
    enum cb_status status = cb_coop_submit(c, order, &number, err);
    return status == CB_OK ? cb_coop_await(c, number, task, err) : status;
}

static enum cb_status take_back(struct cb_coop *c, uint32_t kind, unsigned number, bool *cancelled,
                                struct cb_err *err)
{
    if (!is_waited_for(c, number))
        return cb_fail(err, CB_USAGE, "task %u was not submitted, or has been waited for", number);
    coop_order order = {.kind = kind, .what = number};
    uint32_t own;
    coop_answer answer;
    if (send(c, &order, &own, err) != CB_OK || await(c, own, INFINITY, &answer, err) != CB_OK)
        return err->status;
    *cancelled = answer.fate == COOP_FATE_DONE;
    return CB_OK;
}

enum cb_status cb_coop_cancel(struct cb_coop *c, unsigned number, bool *cancelled,
                              struct cb_err *err)
{
    return take_back(c, COOP_COMMAND_CANCEL, number, cancelled, err);
}

enum cb_status cb_coop_withdraw(struct cb_coop *c, unsigned number, bool *withdrawn,
                                struct cb_err *err)
{
    return take_back(c, COOP_COMMAND_WITHDRAW, number, withdrawn, err);
}
