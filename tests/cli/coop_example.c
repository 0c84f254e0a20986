/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs an example of docs/cooperative-language.md, which is in COOPBENCH_KERNEL_DIR: on a device,
 * by the name of what it smooths, example/ring.cl in one dimension or example/box.cl in three, in
 * all modes or in those whose name begins with PREFIX ("long": builds example/long.cl with long
 * options instead). 0: all results are those of a plain loop, and in cooperative mode workgroups
 * have left and come, or the kernel was run again; 1: not; 77: no such device.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/coop/coop.h"
#include "runtime/coop/tasks.h"
#include "tests/cli/open_session.h"

#define X       61u
#define Y       41u
#define Z       2u
#define N       (X * Y * Z) /* no multiple of any number of work-items */
#define MANY    1500u       /* rounds: long enough for workgroups to leave and come */
#define FEW     10u
#define GROUPS  5u /* where there is no scheduler to say how many there are */
#define WG_SIZE 32
#define TASKS   12
#define ROWS    48

static const struct mode {
    const char *name;
    unsigned mode, resizing;
    cl_uint rounds;
    bool repeat; /* begin again until the tasks are done */
} modes[] = {
    {"multikernel", COOP_MULTIKERNEL, COOP_REGULAR, MANY, false},
    {"specialised", COOP_SPECIALISED, COOP_REGULAR, MANY, false},
    {"portable", COOP_PORTABLE, COOP_REGULAR, MANY, false},
    {"cooperative regular", COOP_COOPERATIVE, COOP_REGULAR, MANY, false},
    {"cooperative query", COOP_COOPERATIVE, COOP_QUERY, MANY, false},
    {"cooperative atomic", COOP_COOPERATIVE, COOP_ATOMIC, MANY, false},
    {"cooperative literal", COOP_COOPERATIVE, COOP_LITERAL, MANY, false},
    {"cooperative master", COOP_COOPERATIVE, COOP_MASTER, MANY, false},
    {"cooperative model", COOP_COOPERATIVE, COOP_MODEL, MANY, false},
    {"cooperative atomic again", COOP_COOPERATIVE, COOP_ATOMIC, FEW, true},
};

struct example {
    struct cb_session session;
    const struct shape *shape;
    cl_mem input_buffer, rounds_buffer;
    struct cb_tasks *tasks;
    cl_uint n;
    uint32_t input[N], expected[N], rounds[2 * N]; /* a round reads one half, writes the other */
};

/* ---- The same by a plain loop ---------------------------------------------------------------- */

static void smooth_ring(const uint32_t *before, uint32_t *after)
{
    for (uint32_t i = 0; i < N; i++)
        after[i] = (before[(i + N - 1) % N] + 2 * before[i] + before[(i + 1) % N]) / 4;
}

static uint32_t at(uint32_t x, uint32_t y, uint32_t z)
{
    return x % X + X * (y % Y) + X * Y * (z % Z);
}

static void smooth_box(const uint32_t *before, uint32_t *after)
{
    for (uint32_t z = 0; z < Z; z++)
        for (uint32_t y = 0; y < Y; y++)
            for (uint32_t x = 0; x < X; x++)
                after[at(x, y, z)] = (2 * before[at(x, y, z)] + before[at(x + X - 1, y, z)] +
                                      before[at(x + 1, y, z)] + before[at(x, y + Y - 1, z)] +
                                      before[at(x, y + 1, z)] + before[at(x, y, z + Z - 1)] +
                                      before[at(x, y, z + 1)]) /
                                     8;
}

static const struct shape {
    const char *name, *path;
    void (*smooth)(const uint32_t *before, uint32_t *after);
} shapes[] = {{"ring", "example/ring.cl", smooth_ring}, {"box", "example/box.cl", smooth_box}};

static enum cb_status check(struct example *x, cl_uint rounds, struct cb_err *err)
{
    uint32_t before[N];
    memcpy(x->expected, x->input, sizeof x->expected);
    for (uint32_t round = 0; round < rounds; round++) {
        memcpy(before, x->expected, sizeof before);
        x->shape->smooth(before, x->expected);
    }
    if (cb_buffer_read(&x->session, x->rounds_buffer, x->rounds, sizeof x->rounds, err) != CB_OK)
        return err->status;
    const uint32_t *last = x->rounds + rounds % 2 * N;
    for (uint32_t i = 0; i < N; i++)
        if (last[i] != x->expected[i])
            return cb_fail(err, CB_VERIFY_FAILED, "element %u: %u instead of %u", i, last[i],
                           x->expected[i]);
    return CB_OK;
}

/* ---- Running --------------------------------------------------------------------------------- */

/* This function stands in the guide, too: the test compares the two. */
static enum cb_status run_beside_tasks(struct cb_coop *coop, struct cb_tasks *tasks, bool repeat,
                                       struct cb_coop_result *result, struct cb_err *err)
{
    const struct cb_coop_start how = {.repeat = repeat, .lifetime_s = 30, .gather_s = 5};
    const struct cb_our_task what = {COOP_TASK_MATMUL, COOP_TASK_SIZE(ROWS, ROWS), WG_SIZE};
    struct cb_coop_task task = {0};
    size_t workers = 0;
    unsigned wrong = 0;
    enum cb_status status = cb_coop_find_workers(coop, &workers, err);
    if (status == CB_OK)
        status = cb_tasks_begin(tasks, err);
    if (status == CB_OK)
        status = cb_coop_start(coop, workers, &how, err);
    for (unsigned i = 0; i < TASKS && status == CB_OK; i++) {
        struct cb_coop_order order = {.groups = 1 + i % ((unsigned)workers - 1)};
        status = cb_tasks_next(tasks, &what, &order.packet, err);
        if (status == CB_OK)
            status = cb_coop_run_task(coop, &order, &task, err); /* task.gather_ns, .exec_ns, ... */
    }
    if (status == CB_OK)
        status = cb_coop_stop(coop, result, err);
    if (status == CB_OK)
        status = cb_tasks_check(tasks, &wrong, err);
    return wrong == 0 ? status
                      : cb_fail(err, CB_VERIFY_FAILED, "task %u: its product is wrong", wrong);
}

static enum cb_status run_cooperative(struct cb_coop *coop, struct cb_tasks *tasks,
                                      const struct mode *m, struct cb_err *err)
{
    struct cb_coop_result result = {0};
    enum cb_status status = run_beside_tasks(coop, tasks, m->repeat, &result, err);
    if (status == CB_OK) {
        printf("%s: %u runs, %u workgroups left, %u came\n", m->name, result.runs, result.kills,
               result.forks);
        if (m->repeat ? result.runs < 2 : result.kills == 0 || result.forks == 0)
            status = cb_fail(err, CB_VERIFY_FAILED, "too few runs, or M never changed");
    }
    free(result.run_ns);
    free(result.start_ns);
    return status;
}

static enum cb_status run(struct example *x, const struct mode *m, struct cb_err *err)
{
    const struct cb_coop_config config = {.path = x->shape->path,
                                          .wg_size = WG_SIZE,
                                          .mode = m->mode,
                                          .resizing = m->resizing,
                                          .arena = cb_tasks_arena(x->tasks)};
    const struct cb_kernel_value args[] = {
        {sizeof(cl_mem), &x->input_buffer},
        {sizeof(cl_mem), &x->rounds_buffer},
        {sizeof(cl_uint), &x->n},
        {sizeof(cl_uint), &m->rounds},
    };
    struct cb_coop *coop;
    if (cb_buffer_clear(&x->session, x->rounds_buffer, sizeof x->rounds, err) != CB_OK ||
        cb_coop_open(&x->session, &config, &coop, err) != CB_OK)
        return err->status;
    struct cb_coop_time time = {0};
    enum cb_status status = cb_coop_args(coop, args, CB_COUNTOF(args), err);
    if (status == CB_OK && m->mode == COOP_COOPERATIVE)
        status = run_cooperative(coop, x->tasks, m, err);
    else if (status == CB_OK && cb_coop_run_alone(coop, GROUPS, &time, err) != CB_OK)
        status = err->status;
    else if (status == CB_OK)
        printf("%s: %.1f ms\n", m->name, time.run_ns / 1e6);
    if (status == CB_OK)
        status = check(x, m->rounds, err);
    cb_coop_close(coop);
    return status;
}

/* ---- Long options ---------------------------------------------------------------------------- */

/* Builds a kernel that wants LAST at the end of options of some 2000 characters. */
static enum cb_status build_long(struct example *x, unsigned last, cl_program *program,
                                 struct cb_err *err)
{
    char defines[2048] = "";
    for (unsigned i = 0; strlen(defines) < 2000; i++)
        snprintf(defines + strlen(defines), sizeof defines - strlen(defines), "-DUNUSED_%u ", i);
    snprintf(defines + strlen(defines), sizeof defines - strlen(defines), "-DLAST=%u", last);
    return cb_program_build(&x->session, "example/long.cl", defines, program, err);
}

/* The library neither cuts long options off nor takes two of them for one. */
static enum cb_status check_long_options(struct example *x, struct cb_err *err)
{
    cl_program programs[2] = {NULL, NULL};
    if (build_long(x, 1, &programs[0], err) == CB_OK &&
        build_long(x, 2, &programs[1], err) == CB_OK && programs[0] == programs[1])
        cb_fail(err, CB_ERROR, "options that differ in their end gave one program");
    for (size_t i = 0; i < CB_COUNTOF(programs); i++)
        if (programs[i])
            clReleaseProgram(programs[i]);
    return err->status;
}

/* ---- The device ------------------------------------------------------------------------------ */

static enum cb_status prepare(struct example *x, const char *spec, struct cb_err *err)
{
    if (open_session(spec, &x->session, err) != CB_OK)
        return err->status;
    x->n = N;
    for (uint32_t i = 0; i < N; i++)
        x->input[i] = i * 2654435761u >> 3; /* below 2^29: eight of them fit into 32 bits */
    x->input_buffer = cb_buffer_create(&x->session, sizeof x->input, err);
    x->rounds_buffer = cb_buffer_create(&x->session, sizeof x->rounds, err);
    if (!x->input_buffer || !x->rounds_buffer ||
        cb_tasks_open(&x->session, ROWS, &x->tasks, err) != CB_OK)
        return err->status;
    return CB_CL(err, clEnqueueWriteBuffer(x->session.queue, x->input_buffer, CL_TRUE, 0,
                                           sizeof x->input, x->input, 0, NULL, NULL));
}

int main(int argc, char **argv)
{
    static struct example x;
    struct cb_err err = {0};
    int failures = 0;
    for (size_t i = 0; argc > 2 && i < CB_COUNTOF(shapes); i++)
        if (strcmp(argv[2], shapes[i].name) == 0)
            x.shape = &shapes[i];
    if (!x.shape) {
        fprintf(stderr, "usage: coop_example DEVICE ring|box [PREFIX]\n");
        return 2;
    }
    if (prepare(&x, argv[1], &err) != CB_OK) {
        fprintf(stderr, "%s\n", err.text);
        return err.status == CB_NO_DEVICE ? 77 : 1;
    }
    const char *prefix = argc > 3 ? argv[3] : "";
    if (strcmp(prefix, "long") == 0 && check_long_options(&x, &err) != CB_OK) {
        fprintf(stderr, "long options: %s\n", err.text);
        failures++;
    }
    for (size_t i = 0; i < CB_COUNTOF(modes); i++) {
        if (strncmp(modes[i].name, prefix, strlen(prefix)) == 0 &&
            run(&x, &modes[i], &err) != CB_OK) {
            fprintf(stderr, "%s: %s\n", modes[i].name, err.text);
            failures++;
        }
    }
    clReleaseMemObject(x.input_buffer);
    clReleaseMemObject(x.rounds_buffer);
    cb_tasks_close(x.tasks);
    cb_session_close(&x.session);
    return failures > 0;
}
