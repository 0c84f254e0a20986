/* SPDX-License-Identifier: Apache-2.0
 *
 * task_children DEVICE PROGRAM.cl MODE BLOCKS ITEMS ROUNDS TASKS SEED
 *
 * Runs fixtures/cooperative/parents.cl, whose workgroups submit fixtures/fill.cl and wait for it,
 * again and again, beside TASKS tasks of the host, the same kernel, at random, and with limits of
 * workgroups at random. Then each sum is that of as many runs; all tasks of the host have done
 * their work; in the cooperative mode, there were children. MODE: cooperative, or another for one
 * run, in which the kernel does all itself. Or trees.cl, with children of children, which is told
 * how many there were; fill.cl is the first task of its program, too. 0: all is right; 1: not; 77:
 * there is no such device.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/random.h"
#include "runtime/coop/coop.h"
#include "runtime/coop/packet.h"
#include "tests/cli/open_session.h"

#define WG_SIZE 64
#define PLACE   8192 /* bytes of the arena for each task of the host: its packet, and its output */
#define OUT     (2 * TASK_PACKET_UNIT)
#define OUTPUTS 1024 /* words */
#define MOST    200  /* tasks of the host */

enum { WORDS, SUMS, COUNTS, BUFFERS };

struct test {
    struct cb_session *session;
    struct cb_coop *coop;
    cl_mem arena, buffers[BUFFERS];
    unsigned mode, blocks, items, rounds, tasks;
    size_t workers;
    unsigned runs;
    struct cb_random random;
};

static unsigned char arena_bytes[(size_t)MOST * PLACE];

static uint32_t value_of(uint32_t i, uint32_t salt)
{
    uint32_t x = i * 2654435761u ^ salt;
    return x ^ x >> 15;
}

/* ---- Beside the host's tasks ----------------------------------------------------------------- */

static enum cb_status write_packet(unsigned i, struct cb_err *err)
{
    const size_t global = OUTPUTS, local = WG_SIZE;
    const uint32_t first = 7 * i, salt = ~i;
    struct cb_packet packet;
    if (cb_packet_begin(&packet, 0, 1, NULL, &global, &local, WG_SIZE, err) != CB_OK ||
        cb_packet_buffer(&packet, (size_t)i * PLACE + OUT, err) != CB_OK ||
        cb_packet_value(&packet, &first, 4, 4, err) != CB_OK ||
        cb_packet_value(&packet, &salt, 4, 4, err) != CB_OK)
        return err->status;
    memcpy(arena_bytes + (size_t)i * PLACE, packet.u.bytes, packet.size);
    return CB_OK;
}

static enum cb_status resize(struct test *t, struct cb_err *err)
{
    struct cb_coop_resize resize;
    unsigned groups = (unsigned)cb_random_below(&t->random, (uint32_t)t->workers + 1);
    if (cb_coop_limit(t->coop, groups, err) != CB_OK)
        return err->status;
    return cb_coop_await_limit(t->coop, 20, &resize, err);
}

static enum cb_status disturb(struct test *t, struct cb_err *err)
{
    for (unsigned i = 0; i < t->tasks; i++) {
        struct cb_coop_task task;
        const struct cb_coop_order order = {
            .groups = (unsigned)(1 + cb_random_below(&t->random, (uint32_t)t->workers - 1)),
            .packet = (size_t)i * PLACE};
        if (cb_coop_run_task(t->coop, &order, &task, err) != CB_OK ||
            (cb_random_below(&t->random, 4) == 0 && resize(t, err) != CB_OK))
            return err->status;
    }
    return CB_OK;
}

static enum cb_status run_cooperative(struct test *t, struct cb_err *err)
{
    const struct cb_coop_start how = {.repeat = t->tasks > 0, .lifetime_s = 60, .gather_s = 20};
    struct cb_coop_result result = {0};
    for (unsigned i = 0; i < t->tasks; i++)
        if (write_packet(i, err) != CB_OK)
            return err->status;
    if (cb_buffer_write(t->session, t->arena, arena_bytes, sizeof arena_bytes, err) != CB_OK ||
        cb_coop_start(t->coop, t->workers, &how, err) != CB_OK || disturb(t, err) != CB_OK ||
        cb_coop_stop(t->coop, &result, err) != CB_OK)
        return err->status;
    t->runs = result.runs;
    printf("%u runs of the kernel, %u workgroups left, %u came\n", result.runs, result.kills,
           result.forks);
    return cb_buffer_read(t->session, t->arena, arena_bytes, sizeof arena_bytes, err);
}

static enum cb_status run_alone(struct test *t, struct cb_err *err)
{
    struct cb_coop_time time;
    t->runs = 1;
    return cb_coop_run_alone(t->coop, t->workers, &time, err);
}

/* ---- Checks ---------------------------------------------------------------------------------- */

static enum cb_status check_sums(struct test *t, struct cb_err *err)
{
    uint32_t *sums = calloc(t->blocks, sizeof *sums);
    enum cb_status status =
        !sums ? cb_no_memory(err)
              : cb_buffer_read(t->session, t->buffers[SUMS], sums, 4 * (size_t)t->blocks, err);
    for (uint32_t b = 0; status == CB_OK && b < t->blocks; b++) {
        uint32_t sum = 0;
        for (uint32_t round = 0; round < t->rounds; round++)
            for (uint32_t i = 0; i < t->items; i++)
                sum += value_of(b * t->items + i, round);
        if (sums[b] != sum * t->runs)
            status = cb_fail(err, CB_VERIFY_FAILED, "block %u: %08x instead of %08x", b, sums[b],
                             sum * t->runs);
    }
    free(sums);
    return status;
}

static enum cb_status check_tasks(const struct test *t, struct cb_err *err)
{
    for (uint32_t i = 0; i < t->tasks; i++)
        for (uint32_t item = 0; item < OUTPUTS; item++) {
            uint32_t found, wanted = value_of(7 * i + item, ~i);
            memcpy(&found, arena_bytes + (size_t)i * PLACE + OUT + 4 * item, 4);
            if (found != wanted)
                return cb_fail(err, CB_VERIFY_FAILED, "task %u, work-item %u: %08x instead of %08x",
                               i, item, found, wanted);
        }
    return CB_OK;
}

static enum cb_status check_counts(struct test *t, struct cb_err *err)
{
    uint32_t counts[2], all = t->runs * t->rounds * t->blocks;
    if (cb_buffer_read(t->session, t->buffers[COUNTS], counts, sizeof counts, err) != CB_OK)
        return err->status;
    printf("%u of %u children refused, %u children of children\n", counts[0], all, counts[1]);
    if (t->mode == COOP_COOPERATIVE ? counts[0] < all || all == 0 : counts[0] == all)
        return CB_OK;
    return cb_fail(err, CB_VERIFY_FAILED, "%u of %u children were refused", counts[0], all);
}

/* ---- All of it ------------------------------------------------------------------------------- */

static enum cb_status create_buffers(struct test *t, struct cb_err *err)
{
    const size_t bytes[BUFFERS] = {4 * (size_t)t->blocks * t->items, 4 * (size_t)t->blocks, 8};
    t->arena = cb_buffer_create(t->session, sizeof arena_bytes, err);
    for (int i = 0; i < BUFFERS; i++) {
        t->buffers[i] = cb_buffer_create(t->session, bytes[i], err);
        if (!t->arena || !t->buffers[i] ||
            cb_buffer_clear(t->session, t->buffers[i], bytes[i], err) != CB_OK)
            return err->status;
    }
    return CB_OK;
}

static enum cb_status run(struct test *t, const char *program, struct cb_err *err)
{
    if (create_buffers(t, err) != CB_OK)
        return err->status;
    const struct cb_kernel_value args[] = {
        {sizeof(cl_mem), &t->buffers[WORDS]},  {sizeof(cl_mem), &t->buffers[SUMS]},
        {sizeof(cl_mem), &t->buffers[COUNTS]}, {sizeof t->blocks, &t->blocks},
        {sizeof t->items, &t->items},          {sizeof t->rounds, &t->rounds}};
    const struct cb_coop_config config = {.path = program,
                                          .wg_size = WG_SIZE,
                                          .mode = t->mode,
                                          .resizing = COOP_ATOMIC,
                                          .program_tasks = true,
                                          .submits = true,
                                          .arena = t->arena};
    if (cb_coop_open(t->session, &config, &t->coop, err) != CB_OK ||
        cb_coop_args(t->coop, args, CB_COUNTOF(args), err) != CB_OK)
        return err->status;
    t->workers = 4;
    if (t->mode == COOP_COOPERATIVE && cb_coop_find_workers(t->coop, &t->workers, err) != CB_OK)
        return err->status;
    enum cb_status status =
        t->mode == COOP_COOPERATIVE ? run_cooperative(t, err) : run_alone(t, err);
    if (status != CB_OK || check_sums(t, err) != CB_OK || check_tasks(t, err) != CB_OK)
        return err->status;
    return check_counts(t, err);
}

int main(int argc, char **argv)
{
    static const char *const modes[] = {"multikernel", "specialised", "portable", "cooperative"};
    static struct cb_session session;
    struct cb_err err = {0};
    if (argc < 9 || atoi(argv[7]) > MOST)
        return 2;
    struct test t = {.session = &session,
                     .blocks = (unsigned)atoi(argv[4]),
                     .items = (unsigned)atoi(argv[5]),
                     .rounds = (unsigned)atoi(argv[6]),
                     .tasks = (unsigned)atoi(argv[7]),
                     .random = {strtoull(argv[8], NULL, 10)}};
    while (t.mode < CB_COUNTOF(modes) - 1 && strcmp(modes[t.mode], argv[3]) != 0)
        t.mode++;
    if (open_session(argv[1], &session, &err) != CB_OK)
        return 77;
    printf("seed %s\n", argv[8]);
    enum cb_status status = run(&t, argv[2], &err);
    cb_coop_close(t.coop);
    if (status != CB_OK)
        fprintf(stderr, "%s\n", err.text);
    return status == CB_OK ? 0 : 1;
}
