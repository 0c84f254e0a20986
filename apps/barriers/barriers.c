/* SPDX-License-Identifier: Apache-2.0
 *
 * Resizing barriers in a row, and nothing else: input and check. The kernel is barriers.cl.
 */
#include <stdlib.h>
#include <string.h>

#include "apps/host/app.h"
#include "kernels/coop_abi.h"

#define MAX_ROUNDS 100000000

struct barriers {
    struct cb_session *session;
    cl_mem digests, phases, wrong;
    cl_uint rounds;
};

static void barriers_close(void *state)
{
    struct barriers *b = state;
    cl_mem all[] = {b ? b->digests : NULL, b ? b->phases : NULL, b ? b->wrong : NULL};
    for (size_t i = 0; i < CB_COUNTOF(all); i++)
        if (all[i])
            clReleaseMemObject(all[i]);
    free(b);
}

static enum cb_status barriers_open(struct cb_session *session, const char *input,
                                    size_t max_groups, void **state, struct cb_err *err)
{
    struct barriers *b = calloc(1, sizeof *b);
    *state = b;
    if (!b)
        return cb_no_memory(err);
    b->session = session;
    if (!cb_app_read_count(input, 1, MAX_ROUNDS, &b->rounds, NULL))
        return cb_fail(err, CB_USAGE, "barriers: expected how many, from 1 to %d, got \"%s\"",
                       MAX_ROUNDS, input);
    if (!(b->digests = cb_buffer_create(session, 4 * COOP_MAX_RUNS, err)) ||
        !(b->phases = cb_buffer_create(session, 4 * max_groups, err)) ||
        !(b->wrong = cb_buffer_create(session, 4, err)))
        return err->status;
    return CB_OK;
}

static size_t barriers_args(void *state, struct cb_kernel_value *values, size_t room)
{
    struct barriers *b = state;
    const struct cb_kernel_value all[] = {{sizeof(cl_mem), &b->digests},
                                          {sizeof(cl_mem), &b->phases},
                                          {sizeof(cl_mem), &b->wrong},
                                          {sizeof(cl_uint), &b->rounds}};
    if (room < CB_COUNTOF(all))
        return 0;
    memcpy(values, all, sizeof all);
    return CB_COUNTOF(all);
}

static enum cb_status barriers_clear(void *state, struct cb_err *err)
{
    struct barriers *b = state;
    enum cb_status status = cb_buffer_clear(b->session, b->digests, 4 * COOP_MAX_RUNS, err);
    return status == CB_OK ? cb_buffer_clear(b->session, b->wrong, 4, err) : status;
}

static enum cb_status barriers_check(void *state, unsigned runs, struct cb_sample *sample,
                                     struct cb_err *err)
{
    struct barriers *b = state;
    cl_uint wrong;
    if (cb_buffer_read(b->session, b->wrong, &wrong, sizeof wrong, err) != CB_OK)
        return err->status;
    cb_sample_check(sample, wrong == 0,
                    "%u times a workgroup passed a barrier and did not find another one there",
                    wrong);
    return cb_app_check_digests(b->session, b->digests, runs, b->rounds, sample, err);
}

static void draw_barriers(struct cb_random *random, char *text, size_t size)
{
    snprintf(text, size, "%u", cb_random_between(random, 1, 1000));
}

const struct cb_app cb_app_barriers = {
    .id = "barriers",
    .summary = "Nothing but resizing barriers: what they cost",
    .source = "FSE'17 Section 4.2",
    .kernel = "apps/barriers/barriers.cl",
    .inputs_help = "how many barriers",
    .inputs = {{"barriers", {"300", "1000", "10000"}}},
    .synthetic = true,
    .gpu_wg_size = 256,
    .cpu_wg_size = 64,
    .draw_input = draw_barriers,
    .open = barriers_open,
    .args = barriers_args,
    .clear = barriers_clear,
    .check = barriers_check,
    .close = barriers_close,
};
