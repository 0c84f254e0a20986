/* SPDX-License-Identifier: Apache-2.0
 *
 * Offers, requests and barriers in any order, to test the runtime with. The kernel is mixed.cl.
 */
#include <stdlib.h>
#include <string.h>

#include "apps/host/app.h"
#include "kernels/coop_abi.h"

#define MAX_ROUNDS 1000000

struct mixed {
    struct cb_session *session;
    cl_mem counts, low, high; /* a word for each round */
    cl_mem digests;
    cl_uint rounds;
};

static void mixed_close(void *state)
{
    struct mixed *b = state;
    cl_mem all[] = {b ? b->counts : NULL, b ? b->low : NULL, b ? b->high : NULL,
                    b ? b->digests : NULL};
    for (size_t i = 0; i < CB_COUNTOF(all); i++)
        if (all[i])
            clReleaseMemObject(all[i]);
    free(b);
}

static enum cb_status mixed_open(struct cb_session *session, const char *input, size_t max_groups,
                                 void **state, struct cb_err *err)
{
    (void)max_groups;
    struct mixed *b = calloc(1, sizeof *b);
    *state = b;
    if (!b)
        return cb_no_memory(err);
    b->session = session;
    if (!cb_app_read_count(input, 1, MAX_ROUNDS, &b->rounds, NULL))
        return cb_fail(err, CB_USAGE, "mixed: expected how many rounds, from 1 to %d, got \"%s\"",
                       MAX_ROUNDS, input);
    cl_mem *const all[] = {&b->counts, &b->low, &b->high};
    for (size_t i = 0; i < CB_COUNTOF(all); i++)
        if (!(*all[i] = cb_buffer_create(session, 4 * (size_t)b->rounds, err)))
            return err->status;
    b->digests = cb_buffer_create(session, 4 * COOP_MAX_RUNS, err);
    return b->digests ? CB_OK : err->status;
}

static size_t mixed_args(void *state, struct cb_kernel_value *values, size_t room)
{
    struct mixed *b = state;
    const struct cb_kernel_value all[] = {
        {sizeof(cl_mem), &b->counts},  {sizeof(cl_mem), &b->low},     {sizeof(cl_mem), &b->high},
        {sizeof(cl_mem), &b->digests}, {sizeof(cl_uint), &b->rounds},
    };
    if (room < CB_COUNTOF(all))
        return 0;
    memcpy(values, all, sizeof all);
    return CB_COUNTOF(all);
}

static enum cb_status mixed_clear(void *state, struct cb_err *err)
{
    struct mixed *b = state;
    return cb_buffer_clear(b->session, b->digests, 4 * COOP_MAX_RUNS, err);
}

static enum cb_status mixed_check(void *state, unsigned runs, struct cb_sample *sample,
                                  struct cb_err *err)
{
    struct mixed *b = state;
    return cb_app_check_digests(b->session, b->digests, runs, b->rounds, sample, err);
}

static void draw_rounds(struct cb_random *random, char *text, size_t size)
{
    snprintf(text, size, "%u", cb_random_between(random, 1, 400));
}

const struct cb_app cb_app_mixed = {
    .id = "mixed",
    .summary = "Offers, requests and barriers in one loop: whether they are right together",
    .source = "FSE'17 Section 3.1",
    .kernel = "apps/mixed/mixed.cl",
    .inputs_help = "how many rounds",
    .inputs = {{"rounds", {"300", "300", "1000"}}},
    .synthetic = true,
    .offers = true,
    .gpu_wg_size = 256,
    .cpu_wg_size = 64,
    .draw_input = draw_rounds,
    .open = mixed_open,
    .args = mixed_args,
    .clear = mixed_clear,
    .check = mixed_check,
    .close = mixed_close,
};
