/* SPDX-License-Identifier: Apache-2.0
 *
 * children_speed DEVICE PROGRAM.cl WG-SIZE
 *
 * What a child costs, fixtures/note.cl of fixtures/cooperative/launches.cl: by one workgroup, one
 * at a time and as many as it can have; by more and more workgroups. "begins": from before the
 * submission to the first work-item, the mean of a run. "a round": from the submission of a
 * workgroup's children until all have ended. Medians of runs. No test: it measures.
 */
#include <stdio.h>
#include <stdlib.h>

#include "kernels/child_abi.h"
#include "measure/stats.h"
#include "runtime/coop/coop.h"
#include "tests/cli/open_session.h"

#define RUNS   9
#define ROUNDS 200u

struct speed {
    struct cb_session session;
    cl_mem arena, out;
    struct cb_coop *coop;
    size_t workers;
};

static enum cb_status set_args(struct speed *s, cl_uint parents, cl_uint children,
                               struct cb_err *err)
{
    const cl_uint rounds = ROUNDS;
    const struct cb_kernel_value args[] = {{sizeof s->out, &s->out},
                                           {sizeof parents, &parents},
                                           {sizeof children, &children},
                                           {sizeof rounds, &rounds}};
    return cb_coop_args(s->coop, args, CB_COUNTOF(args), err);
}

/* Checks the last values of n children. *begin_ns: mean, until one begins. */
static enum cb_status look(struct speed *s, size_t n, double *begin_ns, struct cb_err *err)
{
    uint32_t *values = malloc(8 * n);
    double ticks = 0;
    enum cb_status status =
        values ? cb_buffer_read(&s->session, s->out, values, 8 * n, err) : cb_no_memory(err);
    for (size_t i = 0; i < n && status == CB_OK; i++) {
        ticks += values[2 * i + 1];
        if (values[2 * i] != ROUNDS)
            status = cb_fail(err, CB_VERIFY_FAILED, "child %zu: %u instead of %u", i, values[2 * i],
                             ROUNDS);
    }
    free(values);
    *begin_ns = ticks / (double)n / ROUNDS * s->session.ns_per_tick;
    return status;
}

/* Medians of a run, in ns. */
static enum cb_status run(struct speed *s, cl_uint parents, cl_uint children, double *ns,
                          double *begin_ns, struct cb_err *err)
{
    double times[RUNS], begins[RUNS];
    if (set_args(s, parents, children, err) != CB_OK)
        return err->status;
    for (int i = 0; i < RUNS; i++) {
        struct cb_coop_time time;
        if (cb_coop_run_alone(s->coop, s->workers, &time, err) != CB_OK)
            return err->status;
        times[i] = time.run_ns;
        if (look(s, (size_t)parents * children, &begins[i], err) != CB_OK)
            return err->status;
    }
    *ns = cb_stats_of(times, RUNS).median;
    *begin_ns = cb_stats_of(begins, RUNS).median;
    return CB_OK;
}

static enum cb_status measure(struct speed *s, const char *program, size_t wg_size,
                              struct cb_err *err)
{
    s->arena = cb_buffer_create(&s->session, 65536, err);
    const struct cb_coop_config config = {.path = program,
                                          .wg_size = wg_size,
                                          .mode = COOP_COOPERATIVE,
                                          .resizing = COOP_ATOMIC,
                                          .program_tasks = true,
                                          .submits = true,
                                          .arena = s->arena};
    s->out = cb_buffer_create(&s->session, 8 * COOP_MAX_WORKERS * CHILD_PLACES, err);
    if (!s->arena || !s->out || cb_coop_open(&s->session, &config, &s->coop, err) != CB_OK ||
        set_args(s, 0, 0, err) != CB_OK || cb_coop_find_workers(s->coop, &s->workers, err) != CB_OK)
        return err->status;
    printf(
        "%s, %zu workgroups of %zu\n| parents | children of each | begins | a round | children a "
        "second |\n| ---: | ---: | ---: | ---: | ---: |\n",
        s->session.info.name, s->workers, wg_size);
    for (size_t parents = 1;; parents = parents * 4 < s->workers ? parents * 4 : s->workers) {
        for (cl_uint children = 1; children <= CHILD_PLACES; children *= CHILD_PLACES) {
            double ns = 0, begin_ns = 0;
            if (run(s, (cl_uint)parents, children, &ns, &begin_ns, err) != CB_OK)
                return err->status;
            printf("| %zu | %u | %.3g us | %.3g us | %.3g M |\n", parents, children,
                   begin_ns * 1e-3, ns / ROUNDS * 1e-3,
                   1e3 * (double)parents * children * ROUNDS / ns);
        }
        if (parents == s->workers)
            return CB_OK;
    }
}

int main(int argc, char **argv)
{
    static struct speed s;
    struct cb_err err = {0};
    if (argc != 4)
        return 2;
    if (open_session(argv[1], &s.session, &err) != CB_OK ||
        measure(&s, argv[2], strtoul(argv[3], NULL, 10), &err) != CB_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    return 0;
}
