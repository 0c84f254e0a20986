/* SPDX-License-Identifier: Apache-2.0
 *
 * task_line DEVICE PROGRAM.cl IN_FLIGHT TASKS SEED [full | slow]
 *
 * Submits TASKS tasks at random, fixtures/line.cl beside fixtures/cooperative/rounds.cl, cancels or
 * withdraws some, and waits for them in any order. Then: all that were not cancelled have done
 * their work, the others have not; no more than IN_FLIGHT had workgroups at once; nobody left the
 * line while another was in it whose turn was first. full: fills the line, too. slow: the kernel
 * comes to its scheduling points so seldom, and leaves so many workgroups in the pool, that
 * tasks which are withdrawn are being gathered. 0:
 * all is right; 1: not; 77: there is no such device.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/random.h"
#include "runtime/coop/coop.h"
#include "runtime/coop/packet.h"
#include "runtime/host/time.h"
#include "tests/cli/open_session.h"

#define WG_SIZE 64
#define ITEMS   1024 /* of a task */
#define WORDS   100  /* of the cooperative kernel, which never ends by itself */
#define ROUNDS  50u
#define PLACE   8192 /* bytes of the arena for each task: its packet, and what it writes */
#define OUT     (2 * TASK_PACKET_UNIT)
#define TASKS   900
#define SLOW_S  0.005 /* of a phase, */
#define FEW     3     /* and workgroups of the kernel */

struct task {
    uint32_t first, times;
    struct cb_coop_order order;
    unsigned number;
    bool cancelled;
    struct cb_coop_task report;
};

static struct task tasks[TASKS];
static unsigned char arena_bytes[(size_t)TASKS * PLACE];

static enum cb_status write_packet(unsigned i, struct cb_err *err)
{
    const size_t global = ITEMS, local = WG_SIZE;
    struct cb_packet packet;
    if (cb_packet_begin(&packet, 0, 1, NULL, &global, &local, WG_SIZE, err) != CB_OK ||
        cb_packet_buffer(&packet, (size_t)i * PLACE + OUT, err) != CB_OK ||
        cb_packet_value(&packet, &tasks[i].first, 4, 4, err) != CB_OK ||
        cb_packet_value(&packet, &tasks[i].times, 4, 4, err) != CB_OK)
        return err->status;
    memcpy(arena_bytes + (size_t)i * PLACE, packet.u.bytes, packet.size);
    return CB_OK;
}

static enum cb_status draw(unsigned n, size_t workers, struct cb_random *r, struct cb_err *err)
{
    for (unsigned i = 0; i < n; i++) {
        tasks[i].first = (uint32_t)cb_random_next(r);
        tasks[i].times = cb_random_below(r, 4) == 0 ? 20000 : cb_random_below(r, 3000);
        tasks[i].order = (struct cb_coop_order){
            .groups = (unsigned)(1 + cb_random_below(r, (uint32_t)workers - 1)),
            .packet = (size_t)i * PLACE,
            .priority = (unsigned)cb_random_below(r, 3),
            .deadline_s = (double)cb_random_below(r, 3) * 1000,
        };
        if (write_packet(i, err) != CB_OK)
            return err->status;
    }
    return CB_OK;
}

/* ---- The run --------------------------------------------------------------------------------- */

static enum cb_status cancel_one(struct cb_coop *coop, struct task *t, bool withdraws,
                                 struct cb_err *err)
{
    if (t->cancelled)
        return CB_OK;
    return withdraws ? cb_coop_withdraw(coop, t->number, &t->cancelled, err)
                     : cb_coop_cancel(coop, t->number, &t->cancelled, err);
}

static enum cb_status submit(struct cb_coop *coop, unsigned n, bool slow, struct cb_random *r,
                             struct cb_err *err)
{
    for (unsigned i = 0; i < n; i++) {
        if (cb_coop_submit(coop, &tasks[i].order, &tasks[i].number, err) != CB_OK)
            return err->status;
        const unsigned other = (unsigned)cb_random_below(r, i + 1);
        const bool takes_back = cb_random_below(r, slow ? 2 : 8) == 0;
        if (slow && takes_back)
            cb_sleep_until_ns((double)cb_now_ns() + SLOW_S * 1e9 * cb_random_below(r, 4) / 2);
        if (takes_back && cancel_one(coop, &tasks[slow ? i : other],
                                     slow || cb_random_below(r, 2) == 0, err) != CB_OK)
            return err->status;
    }
    return CB_OK;
}

static enum cb_status await(struct cb_coop *coop, unsigned n, struct cb_random *r,
                            struct cb_err *err)
{
    unsigned order[TASKS];
    for (unsigned i = 0; i < n; i++) {
        unsigned j = (unsigned)cb_random_below(r, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (unsigned i = 0; i < n; i++) {
        struct task *t = &tasks[order[i]];
        if (cb_coop_await(coop, t->number, &t->report, err) != CB_OK)
            return err->status;
        if (t->report.cancelled != t->cancelled)
            return cb_fail(err, CB_ERROR, "task %u: cancelled %d instead of %d", t->number,
                           t->report.cancelled, t->cancelled);
    }
    return CB_OK;
}

/* Each is refused, and nothing else comes of it. */
static enum cb_status refused(struct cb_coop *coop, size_t workers, struct cb_err *err)
{
    const struct cb_coop_order none = {0}, all = {.groups = (unsigned)workers},
                               odd = {.groups = 1, .packet = 1},
                               high = {.groups = 1, .priority = COOP_MAX_PRIORITY + 1};
    const struct cb_coop_order *orders[] = {&none, &all, &odd, &high};
    struct cb_coop_task task;
    bool cancelled;
    unsigned number;
    for (size_t i = 0; i < CB_COUNTOF(orders); i++)
        if (cb_coop_submit(coop, orders[i], &number, err) != CB_USAGE)
            return cb_fail(err, CB_ERROR, "an order that is not possible: number %zu is taken", i);
    if (cb_coop_await(coop, tasks[0].number, &task, err) != CB_USAGE ||
        cb_coop_await(coop, 100000, &task, err) != CB_USAGE ||
        cb_coop_cancel(coop, tasks[0].number, &cancelled, err) != CB_USAGE)
        return cb_fail(err, CB_ERROR, "a task that has been waited for can be waited for again");
    return CB_OK;
}

/* More than there is room for are refused; those before them are done all the same. They do again
 * the work of a task that has done it. */
static enum cb_status overflow(struct cb_coop *coop, unsigned n, struct cb_err *err)
{
    unsigned done = 0;
    while (done + 1 < n && tasks[done].cancelled)
        done++;
    const struct cb_coop_order order = tasks[done].order;
    unsigned numbers[COOP_IN_LINE], next;
    struct cb_coop_task task;
    for (unsigned i = 0; i < COOP_IN_LINE; i++)
        if (cb_coop_submit(coop, &order, &numbers[i], err) != CB_OK)
            return err->status;
    if (cb_coop_submit(coop, &order, &next, err) != CB_USAGE || !strstr(err->text, "wait for it"))
        return cb_fail(err, CB_ERROR, "a full line takes one more");
    for (unsigned i = 0; i < COOP_IN_LINE; i++)
        if (cb_coop_await(coop, numbers[i], &task, err) != CB_OK)
            return err->status;
    return CB_OK;
}

/* ---- Checks ---------------------------------------------------------------------------------- */

static double placed(const struct task *t)
{
    return t->report.done_ns - t->report.exec_ns - t->report.gather_ns;
}

static double seen(const struct task *t)
{
    return placed(t) - t->report.line_ns;
}

static bool goes_first(const struct task *a, const struct task *b)
{
    if (a->order.priority != b->order.priority)
        return a->order.priority > b->order.priority;
    double x = a->order.deadline_s, y = b->order.deadline_s;
    if (x != y) /* all are submitted within 1000 s */
        return y == 0 || (x != 0 && x < y);
    return a->number < b->number;
}

/* Times that differ by no more than this are taken as equal: a clock that counts from 1970 on has
 * more digits than a double. */
#define SLACK_NS 1000

static enum cb_status check_order(unsigned n, unsigned in_flight, struct cb_err *err)
{
    for (unsigned i = 0; i < n; i++) {
        unsigned with = 0;
        const struct task *t = &tasks[i];
        for (unsigned j = 0; j < n && !t->cancelled; j++) {
            const struct task *o = &tasks[j];
            if (o->cancelled)
                continue;
            with += placed(o) <= placed(t) - SLACK_NS && o->report.done_ns > placed(t) + SLACK_NS;
            if (goes_first(o, t) && seen(o) + SLACK_NS < placed(t) &&
                placed(t) + SLACK_NS < placed(o))
                return cb_fail(err, CB_VERIFY_FAILED, "task %u left the line before task %u",
                               t->number, o->number);
        }
        if (with >= in_flight)
            return cb_fail(err, CB_VERIFY_FAILED, "task %u had workgroups when %u others had",
                           t->number, with);
    }
    return CB_OK;
}

static enum cb_status check_work(unsigned n, struct cb_err *err)
{
    for (unsigned i = 0; i < n; i++)
        for (uint32_t item = 0; item < ITEMS; item++) {
            uint32_t x = tasks[i].first + item, found;
            for (uint32_t k = 0; k < tasks[i].times; k++)
                x = x * 1664525u + 1013904223u;
            x = tasks[i].cancelled ? 0 : x;
            memcpy(&found, arena_bytes + (size_t)i * PLACE + OUT + 4 * item, 4);
            if (found != x)
                return cb_fail(err, CB_VERIFY_FAILED, "task %u, work-item %u: %08x instead of %08x",
                               tasks[i].number, item, found, x);
        }
    return CB_OK;
}

/* ---- All of it ------------------------------------------------------------------------------- */

static enum cb_status beside(struct cb_session *s, struct cb_coop *coop, cl_mem arena, unsigned n,
                             size_t workers, const char *extra, struct cb_random *r,
                             struct cb_err *err)
{
    const bool overflows = strcmp(extra, "full") == 0, slow = strcmp(extra, "slow") == 0;
    const struct cb_coop_start how = {.repeat = true, .lifetime_s = 60, .gather_s = 20};
    struct cb_coop_result result = {0};
    if (draw(n, workers, r, err) != CB_OK ||
        cb_buffer_write(s, arena, arena_bytes, sizeof arena_bytes, err) != CB_OK ||
        cb_coop_start(coop, workers, &how, err) != CB_OK ||
        (slow && cb_coop_limit(coop, FEW, err) != CB_OK) ||
        submit(coop, n, slow, r, err) != CB_OK || await(coop, n, r, err) != CB_OK ||
        refused(coop, workers, err) != CB_OK || (overflows && overflow(coop, n, err) != CB_OK) ||
        cb_coop_stop(coop, &result, err) != CB_OK)
        return err->status;
    printf("%u runs of the kernel, %u workgroups left, %u came\n", result.runs, result.kills,
           result.forks);
    return cb_buffer_read(s, arena, arena_bytes, sizeof arena_bytes, err);
}

static enum cb_status run(struct cb_session *s, const char *program, unsigned in_flight, unsigned n,
                          const char *extra, struct cb_random *r, struct cb_err *err)
{
    cl_mem arena = cb_buffer_create(s, sizeof arena_bytes, err),
           sums = arena ? cb_buffer_create(s, 4 * WORDS, err) : NULL;
    const cl_uint words = WORDS, rounds = ROUNDS;
    const struct cb_kernel_value args[] = {
        {sizeof sums, &sums}, {sizeof words, &words}, {sizeof rounds, &rounds}};
    const struct cb_coop_config config = {.path = program,
                                          .wg_size = WG_SIZE,
                                          .mode = COOP_COOPERATIVE,
                                          .resizing = COOP_ATOMIC,
                                          .program_tasks = true,
                                          .in_flight = in_flight,
                                          .phase_s = strcmp(extra, "slow") == 0 ? SLOW_S : 0,
                                          .arena = arena};
    struct cb_coop *coop;
    size_t workers;
    if (!sums || cb_coop_open(s, &config, &coop, err) != CB_OK ||
        cb_coop_args(coop, args, CB_COUNTOF(args), err) != CB_OK ||
        cb_coop_find_workers(coop, &workers, err) != CB_OK ||
        beside(s, coop, arena, n, workers, extra, r, err) != CB_OK || check_work(n, err) != CB_OK)
        return err->status;
    return check_order(n, in_flight, err);
}

int main(int argc, char **argv)
{
    static struct cb_session session;
    struct cb_err err = {0};
    if (argc < 6 || atoi(argv[4]) > TASKS)
        return 2;
    struct cb_random random = {strtoull(argv[5], NULL, 10)};
    if (open_session(argv[1], &session, &err) != CB_OK)
        return 77;
    printf("seed %s\n", argv[5]);
    enum cb_status status = run(&session, argv[2], (unsigned)atoi(argv[3]), (unsigned)atoi(argv[4]),
                                argc > 6 ? argv[6] : "", &random, &err);
    if (status != CB_OK)
        fprintf(stderr, "%s\n", err.text);
    return status == CB_OK ? 0 : 1;
}
