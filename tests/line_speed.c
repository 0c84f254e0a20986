/* SPDX-License-Identifier: Apache-2.0
 *
 * line_speed DEVICE PLAIN.cl PROGRAM.cl WG-SIZE
 *
 * Throughput of 1000 tasks (fixtures/line.cl) in line beside fixtures/cooperative/rounds.cl, by
 * all workgroups, a half of them and so on, in percent of as many plain launches one after another
 * on the empty device. Tasks become longer from row to row. No test: it measures.
 */
#include <stdio.h>

#include "measure/stats.h"
#include "runtime/coop/coop.h"
#include "runtime/coop/packet.h"
#include "runtime/host/time.h"
#include "tests/cli/open_session.h"

#define TASKS  1000
#define AHEAD  256 /* tasks in line at a time */
#define RUNS   5
#define WORDS  100
#define ROUNDS 50u

struct speed {
    struct cb_session session;
    const char *plain, *program;
    size_t items, global, workers;
    cl_mem arena;
    cl_kernel kernel;
    struct cb_coop *coop;
};

/* ---- Plain launches -------------------------------------------------------------------------- */

static enum cb_status launch_all(struct speed *s, cl_uint times, double *ns, struct cb_err *err)
{
    const cl_uint first = 1;
    clSetKernelArg(s->kernel, 0, sizeof s->arena, &s->arena);
    clSetKernelArg(s->kernel, 1, sizeof first, &first);
    clSetKernelArg(s->kernel, 2, sizeof times, &times);
    double begin = (double)cb_now_ns();
    for (int i = 0; i < TASKS; i++)
        if (CB_CL(err, clEnqueueNDRangeKernel(s->session.queue, s->kernel, 1, NULL, &s->global,
                                              &s->items, 0, NULL, NULL)) != CB_OK)
            return err->status;
    enum cb_status status = CB_CL(err, clFinish(s->session.queue));
    *ns = (double)cb_now_ns() - begin;
    return status;
}

/* ---- Tasks in line --------------------------------------------------------------------------- */

static enum cb_status write_packet(struct speed *s, cl_uint times, struct cb_err *err)
{
    const cl_uint first = 1;
    struct cb_packet packet;
    if (cb_packet_begin(&packet, 0, 1, NULL, &s->global, &s->items, s->items, err) != CB_OK ||
        cb_packet_buffer(&packet, 2 * TASK_PACKET_UNIT, err) != CB_OK ||
        cb_packet_value(&packet, &first, 4, 4, err) != CB_OK ||
        cb_packet_value(&packet, &times, 4, 4, err) != CB_OK)
        return err->status;
    return cb_buffer_write(&s->session, s->arena, packet.u.bytes, packet.size, err);
}

static enum cb_status submit_all(struct speed *s, unsigned groups, double *ns, struct cb_err *err)
{
    const struct cb_coop_order order = {.groups = groups};
    static unsigned numbers[TASKS];
    struct cb_coop_task task;
    double begin = (double)cb_now_ns();
    for (int i = 0; i < TASKS + AHEAD; i++) {
        if (i < TASKS && cb_coop_submit(s->coop, &order, &numbers[i], err) != CB_OK)
            return err->status;
        if (i >= AHEAD && cb_coop_await(s->coop, numbers[i - AHEAD], &task, err) != CB_OK)
            return err->status;
    }
    *ns = (double)cb_now_ns() - begin;
    return CB_OK;
}

static enum cb_status run_in_line(struct speed *s, cl_uint times, unsigned groups, double *ns,
                                  struct cb_err *err)
{
    const struct cb_coop_start how = {.repeat = true, .lifetime_s = 30, .gather_s = 5};
    struct cb_coop_result result = {0};
    if (write_packet(s, times, err) != CB_OK ||
        cb_coop_start(s->coop, s->workers, &how, err) != CB_OK ||
        submit_all(s, groups, ns, err) != CB_OK)
        return err->status;
    return cb_coop_stop(s->coop, &result, err);
}

/* ---- Both ------------------------------------------------------------------------------------ */

static enum cb_status measure(struct speed *s, cl_uint times, struct cb_err *err)
{
    double plain[RUNS], line[RUNS];
    for (int i = 0; i < RUNS; i++)
        if (launch_all(s, times, &plain[i], err) != CB_OK)
            return err->status;
    double median = cb_stats_of(plain, RUNS).median;
    printf("%7.1f us a launch;", median / TASKS * 1e-3);
    for (unsigned parts = 1; parts <= COOP_LANES && parts < s->workers; parts *= 2) {
        unsigned groups = (unsigned)(s->workers - 1) / parts;
        for (int i = 0; i < RUNS; i++)
            if (run_in_line(s, times, groups, &line[i], err) != CB_OK)
                return err->status;
        double own = cb_stats_of(line, RUNS).median;
        printf(" by %u: %.1f us, %.1f %%;", groups, own / TASKS * 1e-3, 100 * median / own);
    }
    printf("\n");
    fflush(stdout);
    return CB_OK;
}

static enum cb_status open_coop(struct speed *s, cl_mem sums, struct cb_err *err)
{
    const cl_uint words = WORDS, rounds = ROUNDS;
    const struct cb_kernel_value args[] = {
        {sizeof sums, &sums}, {sizeof words, &words}, {sizeof rounds, &rounds}};
    const struct cb_coop_config config = {.path = s->program,
                                          .wg_size = s->items,
                                          .mode = COOP_COOPERATIVE,
                                          .resizing = COOP_ATOMIC,
                                          .program_tasks = true,
                                          .arena = s->arena};
    if (cb_coop_open(&s->session, &config, &s->coop, err) != CB_OK ||
        cb_coop_args(s->coop, args, CB_COUNTOF(args), err) != CB_OK)
        return err->status;
    return cb_coop_find_workers(s->coop, &s->workers, err);
}

static enum cb_status open_plain(struct speed *s, struct cb_err *err)
{
    cl_program program;
    if (cb_program_build(&s->session, s->plain, "", &program, err) != CB_OK)
        return err->status;
    s->kernel = clCreateKernel(program, "work", NULL);
    return s->kernel ? CB_OK : cb_fail(err, CB_ERROR, "%s: no kernel `work`", s->plain);
}

static enum cb_status run(struct speed *s, struct cb_err *err)
{
    s->global = s->items * s->session.info.compute_units * 16;
    s->arena = cb_buffer_create(&s->session, 4 * s->global + 4 * TASK_PACKET_UNIT, err);
    cl_mem sums = s->arena ? cb_buffer_create(&s->session, 4 * WORDS, err) : NULL;
    if (!sums || open_plain(s, err) != CB_OK || open_coop(s, sums, err) != CB_OK)
        return err->status;
    printf("%s: %u tasks of %zu work-items in groups of %zu, %zu workers\n", s->session.info.name,
           TASKS, s->global, s->items, s->workers);
    for (cl_uint times = 1000; times <= 64000; times *= 4)
        if (measure(s, times, err) != CB_OK)
            return err->status;
    return CB_OK;
}

int main(int argc, char **argv)
{
    static struct speed speed;
    struct cb_err err = {0};
    if (argc != 5)
        return 2;
    speed.plain = argv[2];
    speed.program = argv[3];
    speed.items = strtoul(argv[4], NULL, 10);
    if (open_session(argv[1], &speed.session, &err) != CB_OK || run(&speed, &err) != CB_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    return 0;
}
