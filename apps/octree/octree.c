/* SPDX-License-Identifier: Apache-2.0
 *
 * An octree of particles by work stealing: input, buffers and check. The kernels are octree.cl and,
 * of the paper's variant, paper.cl.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "apps/host/app.h"
#include "apps/octree/octree_abi.h"
#include "apps/octree/particles.h"
#include "apps/octree/reference.h"
#include "kernels/coop_abi.h"
#include "kernels/steal_locked_abi.h"

enum { PARTICLES, MOVED, BIGS, LEAVES, QUEUES, TASKS, WORDS, DIGESTS, BUFFERS };

struct octree {
    struct cb_session *session;
    octree_particle *particles;
    cl_uint n;
    cl_uint capacity; /* capacity of a leaf */
    struct cb_octree_counts expected;
    cl_mem buffers[BUFFERS];
    size_t bytes[BUFFERS];
};

static void octree_close(void *state)
{
    struct octree *t = state;
    if (!t)
        return;
    for (int i = 0; i < BUFFERS; i++)
        if (t->buffers[i])
            clReleaseMemObject(t->buffers[i]);
    free(t->particles);
    free(t);
}

/* queue_bytes: what the kernel's queues have beside their tasks. */
static enum cb_status create_buffers(struct octree *t, size_t max_groups, size_t queue_bytes,
                                     struct cb_err *err)
{
    const size_t bytes[BUFFERS] = {
        [PARTICLES] = t->n * sizeof(octree_particle),
        [MOVED] = 2 * t->n * sizeof(octree_particle),
        [BIGS] = (t->expected.bigs + 1) * sizeof(octree_big),
        [LEAVES] = t->expected.leaves * sizeof(octree_leaf),
        [QUEUES] = queue_bytes * max_groups,
        [TASKS] = 8 * max_groups * CB_DEQUE_ROOM,
        [WORDS] = 4 * OCTREE_WORDS,
        [DIGESTS] = 4 * COOP_MAX_RUNS,
    };
    memcpy(t->bytes, bytes, sizeof bytes);
    if (cb_buffers_create(t->session, bytes, BUFFERS, t->buffers, err) != CB_OK)
        return err->status;
    return cb_buffer_write(t->session, t->buffers[PARTICLES], t->particles, t->bytes[PARTICLES],
                           err);
}

static enum cb_status open_variant(struct cb_session *session, const char *input, size_t max_groups,
                                   cl_uint capacity, size_t queue_bytes, void **state,
                                   struct cb_err *err)
{
    struct octree *t = calloc(1, sizeof *t);
    *state = t;
    if (!t)
        return cb_no_memory(err);
    t->session = session;
    t->capacity = capacity;
    if (cb_particles_make(input, &t->particles, &t->n, err) != CB_OK)
        return err->status;
    if (!cb_octree_reference(t->particles, t->n, capacity, &t->expected))
        return cb_no_memory(err);
    return create_buffers(t, max_groups, queue_bytes, err);
}

static enum cb_status octree_open(struct cb_session *session, const char *input, size_t max_groups,
                                  void **state, struct cb_err *err)
{
    return open_variant(session, input, max_groups, OCTREE_CAPACITY, 8, state, err);
}

static enum cb_status paper_open(struct cb_session *session, const char *input, size_t max_groups,
                                 void **state, struct cb_err *err)
{
    return open_variant(session, input, max_groups, OCTREE_PAPER_CAPACITY, 4 * CB_LOCKED_WORDS,
                        state, err);
}

static size_t octree_args(void *state, struct cb_kernel_value *values, size_t room)
{
    struct octree *t = state;
    cl_uint *const numbers[] = {&t->n, &t->expected.bigs, &t->expected.leaves};
    if (room < BUFFERS + CB_COUNTOF(numbers))
        return 0;
    for (int i = 0; i < BUFFERS; i++)
        values[i] = (struct cb_kernel_value){sizeof(cl_mem), &t->buffers[i]};
    for (size_t i = 0; i < CB_COUNTOF(numbers); i++)
        values[BUFFERS + i] = (struct cb_kernel_value){sizeof(cl_uint), numbers[i]};
    return BUFFERS + CB_COUNTOF(numbers);
}

static enum cb_status octree_clear(void *state, struct cb_err *err)
{
    struct octree *t = state;
    return cb_buffer_clear(t->session, t->buffers[DIGESTS], t->bytes[DIGESTS], err);
}

/* ---- The check ------------------------------------------------------------------------------- */

/* The result of the last run. */
struct tree {
    octree_leaf *leaves;
    octree_particle *moved; /* both buffers */
    unsigned char *seen;    /* 1: the particle is in a leaf */
    uint32_t words[OCTREE_WORDS];
};

static enum cb_status read_tree(struct octree *t, struct tree *tree, struct cb_err *err)
{
    tree->leaves = malloc(t->bytes[LEAVES]);
    tree->moved = malloc(t->bytes[MOVED]);
    tree->seen = calloc(t->n, 1);
    if (!tree->leaves || !tree->moved || !tree->seen)
        return cb_no_memory(err);
    if (cb_buffer_read(t->session, t->buffers[LEAVES], tree->leaves, t->bytes[LEAVES], err) !=
            CB_OK ||
        cb_buffer_read(t->session, t->buffers[MOVED], tree->moved, t->bytes[MOVED], err) != CB_OK)
        return err->status;
    return cb_buffer_read(t->session, t->buffers[WORDS], tree->words, sizeof tree->words, err);
}

static bool is_same(const octree_particle *a, const octree_particle *b)
{
    return a->x == b->x && a->y == b->y && a->z == b->z && a->number == b->number;
}

/* Its particles are those of the input, in its cube, and in no other leaf. */
static bool check_particles(const struct octree *t, struct tree *tree, const octree_leaf *leaf,
                            const struct cb_octree_cube *cube, struct cb_sample *sample)
{
    const octree_particle *found = tree->moved + (cube->level % 2 ? t->n : 0) + leaf->begin;
    for (cb_u32 i = 0; i < leaf->count; i++) {
        cb_u32 number = found[i].number;
        if (!cb_sample_check(sample, number < t->n && is_same(&found[i], &t->particles[number]),
                             "leaf %" PRIx64 ": particle %u at (%u, %u, %u) is none of the input",
                             leaf->code, number, found[i].x, found[i].y, found[i].z) ||
            !cb_sample_check(sample, cb_octree_contains(cube, &found[i]),
                             "particle %u at (%u, %u, %u) is outside of its leaf %" PRIx64, number,
                             found[i].x, found[i].y, found[i].z, leaf->code) ||
            !cb_sample_check(sample, !tree->seen[number], "particle %u is in two leaves", number))
            return false;
        tree->seen[number] = 1;
    }
    return true;
}

/* Only on the lowest level may a leaf have more than its capacity. */
static bool check_leaf(const struct octree *t, struct tree *tree, const octree_leaf *leaf,
                       struct cb_sample *sample)
{
    struct cb_octree_cube cube = cb_octree_cube(leaf->code);
    bool fits = leaf->begin < t->n && leaf->count >= 1 && leaf->count <= t->n - leaf->begin;
    if (!cb_sample_check(sample, cube.level >= 1 && fits,
                         "leaf %" PRIx64 ": %u particles from %u on, of %u", leaf->code,
                         leaf->count, leaf->begin, t->n) ||
        !cb_sample_check(sample, leaf->count <= t->capacity || cube.level == (int)OCTREE_DEPTH,
                         "leaf %" PRIx64 " of level %d has %u particles, more than %u", leaf->code,
                         cube.level, leaf->count, t->capacity))
        return false;
    return check_particles(t, tree, leaf, &cube, sample);
}

static void check_tree(const struct octree *t, struct tree *tree, struct cb_sample *sample)
{
    uint32_t leaves = tree->words[OCTREE_LEAVES];
    uint32_t splits = tree->words[OCTREE_SPLITS];
    if (!cb_sample_check(sample, leaves == t->expected.leaves && splits == t->expected.splits,
                         "%u leaves and %u cells with octants instead of %u and %u", leaves, splits,
                         t->expected.leaves, t->expected.splits))
        return;
    for (uint32_t i = 0; i < leaves; i++)
        if (!check_leaf(t, tree, &tree->leaves[i], sample))
            return;
    for (uint32_t i = 0; i < t->n; i++)
        if (!cb_sample_check(sample, tree->seen[i], "particle %u is in no leaf", i))
            return;
}

static enum cb_status octree_check(void *state, unsigned runs, struct cb_sample *sample,
                                   struct cb_err *err)
{
    struct octree *t = state;
    struct tree tree = {0};
    enum cb_status status = read_tree(t, &tree, err);
    if (status == CB_OK)
        check_tree(t, &tree, sample);
    free(tree.leaves);
    free(tree.moved);
    free(tree.seen);
    if (status != CB_OK)
        return status;
    return cb_app_check_digests(t->session, t->buffers[DIGESTS], runs, t->expected.digest, sample,
                                err);
}

#define INPUTS_HELP "PARTICLES[:uniform|:clustered|:hundreds|:equal]: how many, and how they lie"

static const struct cb_app paper = {
    .id = "octree",
    .summary = "Particles into an octree, by work stealing with a lock for each queue",
    .source = "FSE'17 Tab. 1, as its program",
    .kernel = "apps/octree/paper.cl",
    .inputs_help = INPUTS_HELP,
    .slow_check = true,
    .inputs = {{"hundreds", {"20000:hundreds", "200000:hundreds", "5000000:hundreds"}}},
    .offers = true,
    .any_ids = true,
    .gpu_wg_size = 128,
    .cpu_wg_size = 64,
    .draw_input = cb_particles_draw,
    .open = paper_open,
    .args = octree_args,
    .clear = octree_clear,
    .check = octree_check,
    .close = octree_close,
};

const struct cb_app cb_app_octree = {
    .id = "octree",
    .summary = "Particles into an octree, by work stealing",
    .source = "FSE'17 Tab. 1, after Cederman and Tsigas",
    .kernel = "apps/octree/octree.cl",
    .inputs_help = INPUTS_HELP,
    .slow_check = true,
    .inputs = {{"clustered", {"20000:clustered", "200000:clustered", "4000000:clustered"}}},
    .offers = true,
    .any_ids = true,
    .gpu_wg_size = 256,
    .registers = 64,
    .cpu_wg_size = 64,
    .draw_input = cb_particles_draw,
    .open = octree_open,
    .args = octree_args,
    .clear = octree_clear,
    .check = octree_check,
    .close = octree_close,
    .paper = &paper,
};
