/* SPDX-License-Identifier: Apache-2.0
 *
 * Resizing barriers in a row, and nothing else: input and check. The kernel is barriers.cl.
 */
#include <stdlib.h>
#include <string.h>

#include "apphost/app.h"
#include "kernels/coop_abi.h"

#define MAX_ROUNDS 100000000

struct barriers {
    struct cb_session *session;
    cl_mem digests;
    cl_uint rounds;
};

static void barriers_close(void *state)
{
    struct barriers *b = state;
    if (b && b->digests)
        clReleaseMemObject(b->digests);
    free(b);
}

static enum cb_status barriers_open(struct cb_session *session, const char *input,
                                    size_t max_groups, void **state, struct cb_err *err)
{
    (void)max_groups;
    struct barriers *b = calloc(1, sizeof *b);
    *state = b;
    if (!b)
        return cb_fail(err, CB_ERROR, "out of memory");
    b->session = session;
    if (!cb_app_read_count(input, 1, MAX_ROUNDS, &b->rounds, NULL))
        return cb_fail(err, CB_USAGE, "barriers: expected how many, from 1 to %d, got \"%s\"",
                       MAX_ROUNDS, input);
    b->digests = cb_buffer_create(session, 4 * COOP_MAX_RUNS, err);
    return b->digests ? CB_OK : err->status;
}

static size_t barriers_args(void *state, struct cb_kernel_value *values, size_t room)
{
    struct barriers *b = state;
    if (room < 2)
        return 0;
    values[0] = (struct cb_kernel_value){sizeof(cl_mem), &b->digests};
    values[1] = (struct cb_kernel_value){sizeof(cl_uint), &b->rounds};
    return 2;
}

static enum cb_status barriers_clear(void *state, struct cb_err *err)
{
    struct barriers *b = state;
    return cb_buffer_clear(b->session, b->digests, 4 * COOP_MAX_RUNS, err);
}

static enum cb_status barriers_check(void *state, unsigned runs, struct cb_sample *sample,
                                     struct cb_err *err)
{
    struct barriers *b = state;
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
