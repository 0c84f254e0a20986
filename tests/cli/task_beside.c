/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of task_runner that runs a task beside a cooperative kernel. All that tasks read is in
 * the arena before the megakernel begins, and what they wrote is read after its end.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/coop/coop.h"
#include "runtime/coop/packet.h"
#include "tests/cli/task_runner.h"

#define WG_SIZE   64
#define ALONE     3 /* times that the task is submitted and waited for, */
#define IN_LINE   9 /* and times after these that it is in line with itself */
#define TIMES     (ALONE + IN_LINE)
#define ALIGNMENT 128
#define WORDS     100 /* that the cooperative kernel adds 1 to in each round */
#define ROUNDS    50u

struct beside {
    struct run *r;
    unsigned char *host; /* of the arena */
    size_t size;
    size_t packets[TIMES], buffers[TIMES][MOST]; /* where they begin */
    unsigned groups[TIMES], numbers[TIMES];
};

static size_t take(struct beside *b, size_t bytes)
{
    size_t at = b->size;
    b->size = (at + bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return at;
}

static enum cb_status write_packet(struct beside *b, unsigned number, int time, struct cb_err *err)
{
    const struct run *r = b->r;
    struct cb_packet packet;
    enum cb_status status = cb_packet_begin(&packet, number, r->dimensions, r->offset, r->global,
                                            r->local, WG_SIZE, err);
    for (unsigned i = 0; i < r->n && status == CB_OK; i++) {
        const struct argument *a = &r->arguments[i];
        status = a->buffer     ? cb_packet_buffer(&packet, b->buffers[time][i], err)
                 : a->is_local ? cb_packet_local(&packet, a->size, err)
                               : cb_packet_value(&packet, a->value, a->size, 4, err);
    }
    memcpy(b->host + b->packets[time], packet.u.bytes, packet.size);
    return status;
}

static enum cb_status fill(struct beside *b, unsigned number, struct cb_err *err)
{
    for (int time = 0; time < TIMES; time++) {
        b->packets[time] = take(b, sizeof(struct cb_packet));
        for (unsigned i = 0; i < b->r->n; i++)
            if (b->r->arguments[i].buffer)
                b->buffers[time][i] = take(b, b->r->arguments[i].size);
    }
    b->host = calloc(1, b->size);
    if (!b->host)
        return cb_no_memory(err);
    for (int time = 0; time < TIMES; time++) {
        for (unsigned i = 0; i < b->r->n; i++)
            if (b->r->arguments[i].buffer)
                memcpy(b->host + b->buffers[time][i], b->r->arguments[i].begin,
                       b->r->arguments[i].size);
        if (write_packet(b, number, time, err) != CB_OK)
            return err->status;
    }
    return CB_OK;
}

static enum cb_status run_alone(struct beside *b, struct cb_coop *coop, struct cb_err *err)
{
    struct cb_coop_task task;
    for (int time = 0; time < ALONE; time++) {
        const struct cb_coop_order order = {.groups = b->groups[time], .packet = b->packets[time]};
        if (cb_coop_run_task(coop, &order, &task, err) != CB_OK)
            return err->status;
    }
    return CB_OK;
}

/* The last is waited for first. */
static enum cb_status run_in_line(struct beside *b, struct cb_coop *coop, struct cb_err *err)
{
    struct cb_coop_task task;
    for (int time = ALONE; time < TIMES; time++) {
        const struct cb_coop_order order = {
            .groups = b->groups[time], .packet = b->packets[time], .priority = (unsigned)time % 3};
        if (cb_coop_submit(coop, &order, &b->numbers[time], err) != CB_OK)
            return err->status;
    }
    for (int time = TIMES; time-- > ALONE;)
        if (cb_coop_await(coop, b->numbers[time], &task, err) != CB_OK)
            return err->status;
    return CB_OK;
}

static enum cb_status submit_all(struct beside *b, struct cb_coop *coop, size_t workers,
                                 struct cb_err *err)
{
    b->groups[0] = 1;
    b->groups[1] = workers > 3 ? 3 : 1;
    b->groups[2] = (unsigned)workers - 1;
    for (unsigned time = ALONE; time < TIMES; time++)
        b->groups[time] = 1 + 5 * time % ((unsigned)workers - 1);
    return run_alone(b, coop, err) == CB_OK ? run_in_line(b, coop, err) : err->status;
}

/* The cooperative kernel was run so often, each time all of its rounds. */
static enum cb_status check_words(struct cb_session *s, cl_mem sums, unsigned runs,
                                  struct cb_err *err)
{
    uint32_t words[WORDS];
    if (cb_buffer_read(s, sums, words, sizeof words, err) != CB_OK)
        return err->status;
    for (int i = 0; i < WORDS; i++)
        if (words[i] != runs * ROUNDS)
            return cb_fail(err, CB_VERIFY_FAILED,
                           "the cooperative kernel: word %d: %u instead of %u x %u", i, words[i],
                           runs, ROUNDS);
    return CB_OK;
}

static enum cb_status run_coop(struct beside *b, struct cb_coop *coop, cl_mem sums,
                               struct cb_err *err)
{
    struct cb_session *s = &b->r->session;
    const cl_uint words = WORDS, rounds = ROUNDS;
    const struct cb_kernel_value args[] = {
        {sizeof sums, &sums}, {sizeof words, &words}, {sizeof rounds, &rounds}};
    const struct cb_coop_start how = {.repeat = true, .lifetime_s = 50, .gather_s = 20};
    struct cb_coop_result result = {0};
    size_t workers;
    if (cb_coop_args(coop, args, CB_COUNTOF(args), err) != CB_OK ||
        cb_coop_find_workers(coop, &workers, err) != CB_OK ||
        cb_buffer_clear(s, sums, sizeof(uint32_t) * WORDS, err) != CB_OK ||
        cb_coop_start(coop, workers, &how, err) != CB_OK)
        return err->status;
    if (submit_all(b, coop, workers, err) != CB_OK || cb_coop_stop(coop, &result, err) != CB_OK)
        return err->status;
    free(result.run_ns);
    free(result.start_ns);
    return check_words(s, sums, result.runs, err);
}

static enum cb_status compare_all(const struct beside *b, struct cb_err *err)
{
    for (int time = 0; time < TIMES; time++)
        for (unsigned i = 0; i < b->r->n; i++)
            if (b->r->arguments[i].buffer &&
                compare_words(b->r, i, (const uint32_t *)(b->host + b->buffers[time][i]),
                              b->groups[time], WG_SIZE, err) != CB_OK)
                return err->status;
    return CB_OK;
}

enum cb_status run_beside(struct run *r, const char *program, unsigned number, struct cb_err *err)
{
    struct beside b = {.r = r};
    struct cb_coop *coop = NULL;
    cl_mem arena = NULL, sums = NULL;
    enum cb_status status = fill(&b, number, err);
    if (status == CB_OK && (!(arena = cb_buffer_create(&r->session, b.size, err)) ||
                            !(sums = cb_buffer_create(&r->session, 4 * WORDS, err))))
        status = err->status;
    if (status == CB_OK)
        status = cb_buffer_write(&r->session, arena, b.host, b.size, err);
    const struct cb_coop_config config = {.path = program,
                                          .wg_size = WG_SIZE,
                                          .mode = COOP_COOPERATIVE,
                                          .resizing = COOP_ATOMIC,
                                          .program_tasks = true,
                                          .arena = arena};
    if (status == CB_OK)
        status = cb_coop_open(&r->session, &config, &coop, err);
    if (status == CB_OK)
        status = run_coop(&b, coop, sums, err);
    if (status == CB_OK)
        status = cb_buffer_read(&r->session, arena, b.host, b.size, err);
    cb_coop_close(coop);
    if (status == CB_OK)
        status = compare_all(&b, err);
    free(b.host);
    return status; /* the system frees the rest */
}
