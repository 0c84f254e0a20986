/* SPDX-License-Identifier: Apache-2.0
 *
 * Tasks that the kernel submits itself, to test the runtime with. The kernel is children.cl.
 */
#include <stdlib.h>
#include <string.h>

#include "apps/children/children_abi.h"
#include "apps/host/app.h"
#include "kernels/coop_abi.h"

#define MAX_ROUNDS  1000000
#define WORDS_BYTES (4 * (size_t)CHILDREN_BLOCKS * CHILDREN_WORDS)

struct children {
    struct cb_session *session;
    cl_mem words; /* words of the blocks */
    cl_mem wrong; /* a word for each round */
    cl_mem digests;
    cl_uint rounds;
};

static void children_close(void *state)
{
    struct children *b = state;
    cl_mem all[] = {b ? b->words : NULL, b ? b->wrong : NULL, b ? b->digests : NULL};
    for (size_t i = 0; i < CB_COUNTOF(all); i++)
        if (all[i])
            clReleaseMemObject(all[i]);
    free(b);
}

static enum cb_status children_open(struct cb_session *session, const char *input,
                                    size_t max_groups, void **state, struct cb_err *err)
{
    (void)max_groups;
    struct children *b = calloc(1, sizeof *b);
    *state = b;
    if (!b)
        return cb_no_memory(err);
    b->session = session;
    if (!cb_app_read_count(input, 1, MAX_ROUNDS, &b->rounds, NULL))
        return cb_fail(err, CB_USAGE,
                       "children: expected how many rounds, from 1 to %d, got \"%s\"", MAX_ROUNDS,
                       input);
    b->words = cb_buffer_create(session, WORDS_BYTES, err);
    b->wrong = b->words ? cb_buffer_create(session, 4 * (size_t)b->rounds, err) : NULL;
    if (!b->wrong)
        return err->status;
    b->digests = cb_buffer_create(session, 4 * COOP_MAX_RUNS, err);
    return b->digests ? CB_OK : err->status;
}

static size_t children_args(void *state, struct cb_kernel_value *values, size_t room)
{
    struct children *b = state;
    const struct cb_kernel_value all[] = {
        {sizeof(cl_mem), &b->words},
        {sizeof(cl_mem), &b->wrong},
        {sizeof(cl_mem), &b->digests},
        {sizeof(cl_uint), &b->rounds},
    };
    if (room < CB_COUNTOF(all))
        return 0;
    memcpy(values, all, sizeof all);
    return CB_COUNTOF(all);
}

static enum cb_status children_clear(void *state, struct cb_err *err)
{
    struct children *b = state;
    return cb_buffer_clear(b->session, b->digests, 4 * COOP_MAX_RUNS, err);
}

/* Checks a block, each of its words that may be filled. */
static bool check_block(const cl_uint *words, cl_uint block, cl_uint round, cl_uint n,
                        struct cb_sample *sample)
{
    for (cl_uint i = 0; i < n; i++)
        if (!cb_sample_check(sample, words[i] == children_word(block, round, i),
                             "block %u, word %u: %08x instead of %08x", block, i, words[i],
                             children_word(block, round, i)))
            return false;
    return true;
}

/* The last round, of which the kernel did not wait for its children. A workgroup that is not as
 * large as a child's did the block itself, less of it. */
static enum cb_status children_check(void *state, unsigned runs, struct cb_sample *sample,
                                     struct cb_err *err)
{
    struct children *b = state;
    cl_uint *words = malloc(WORDS_BYTES);
    enum cb_status status =
        words ? cb_buffer_read(b->session, b->words, words, WORDS_BYTES, err) : cb_no_memory(err);
    for (cl_uint block = 0; status == CB_OK && block < CHILDREN_BLOCKS; block++)
        if (!check_block(words + block * CHILDREN_WORDS, block, b->rounds,
                         children_groups(block, b->rounds), sample))
            break;
    free(words);
    return status == CB_OK
               ? cb_app_check_digests(b->session, b->digests, runs, b->rounds, sample, err)
               : status;
}

static void draw_rounds(struct cb_random *random, char *text, size_t size)
{
    snprintf(text, size, "%u", cb_random_between(random, 1, 40));
}

const struct cb_app cb_app_children = {
    .id = "children",
    .summary = "Tasks that the kernel submits itself: whether they are right while it is resized",
    .source = "FSE'17 Section 4.2; tasks from the device as in KLAP",
    .kernel = "apps/children/children.cl",
    .inputs_help = "how many rounds",
    .inputs = {{"rounds", {"10", "100", "300"}}},
    .synthetic = true,
    .submits = true,
    .gpu_wg_size = 256,
    .cpu_wg_size = 64,
    .draw_input = draw_rounds,
    .open = children_open,
    .args = children_args,
    .clear = children_clear,
    .check = children_check,
    .close = children_close,
};
