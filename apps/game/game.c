/* SPDX-License-Identifier: Apache-2.0
 *
 * Game-tree search of Connect Four by work stealing: input, buffers and check. The kernels are
 * game.cl and, of the paper's variant, paper.cl.
 */
#include <stdlib.h>
#include <string.h>

#include "apps/game/tree.h"
#include "apps/host/app.h"
#include "kernels/coop_abi.h"
#include "kernels/steal_locked_abi.h"

#define GPU_GRAIN   4u /* plies below a node that is searched, not expanded */
#define CPU_GRAIN   4u
#define MAX_DEPTH   13u
#define PAPER_DEPTH 8u /* its nodes are all in memory, 215 MB then */
#define MAX_OPENING 42

enum { NODES, QUEUES, TASKS, WORDS, DIGESTS, BUFFERS };

struct game {
    struct cb_session *session;
    cl_mem buffers[BUFFERS];
    size_t bytes[BUFFERS];
    cl_uint depth, grain;
    cb_board root;
    struct cb_game_array position; /* the position by the plain rules */
    int expected[CB_GAME_COLUMNS];
    uint32_t digest;
};

static enum cb_status parse(struct game *g, const char *input, cl_uint most,
                            char opening[MAX_OPENING + 1], struct cb_err *err)
{
    const char *end;
    if (!cb_app_read_count(input, 1, most, &g->depth, &end) || strlen(end) > MAX_OPENING + 1)
        return cb_fail(err, CB_USAGE,
                       "game: expected DEPTH or DEPTH:OPENING, for instance 8 or 9:3342, with a "
                       "look-ahead from 1 to %u and the columns (0 to 6) of the opening's moves; "
                       "got \"%s\"",
                       most, input);
    strcpy(opening, *end ? end + 1 : "");
    return cb_game_opening(opening, &g->position, err);
}

static void set_expected(struct game *g, const char *opening)
{
    cb_game_reference(opening, g->depth, g->expected);
    for (cb_u32 c = 0; c < CB_GAME_COLUMNS; c++)
        g->digest += game_digest(c, (cb_u32)(g->expected[c] + GAME_BIAS));
    for (; *opening; opening++)
        g->root = cb_board_play(g->root, (cb_u32)(*opening - '0'));
}

/* Nodes down to where the search begins. */
static size_t count_nodes(const struct game *g)
{
    size_t nodes = 1, level = 1;
    for (unsigned ply = 0; ply == 0 || ply + g->grain < g->depth; ply++)
        nodes += level *= CB_GAME_COLUMNS;
    return nodes;
}

static void game_close(void *state)
{
    struct game *g = state;
    for (int i = 0; g && i < BUFFERS; i++)
        if (g->buffers[i])
            clReleaseMemObject(g->buffers[i]);
    free(g);
}

/* most: of the look-ahead. queue_bytes: what the kernel's queues have beside their tasks. */
static enum cb_status open_variant(struct cb_session *session, const char *input, size_t max_groups,
                                   cl_uint most, cl_uint grain, size_t queue_bytes, void **state,
                                   struct cb_err *err)
{
    struct game *g = calloc(1, sizeof *g);
    char opening[MAX_OPENING + 1];
    *state = g;
    if (!g)
        return cb_no_memory(err);
    g->session = session;
    g->grain = grain;
    if (parse(g, input, most, opening, err) != CB_OK)
        return err->status;
    set_expected(g, opening);
    g->bytes[NODES] = count_nodes(g) * sizeof(game_node);
    g->bytes[QUEUES] = queue_bytes * max_groups;
    g->bytes[TASKS] = 8 * CB_DEQUE_ROOM * max_groups;
    g->bytes[WORDS] = GAME_WORDS * 4;
    g->bytes[DIGESTS] = 4 * COOP_MAX_RUNS;
    return cb_buffers_create(session, g->bytes, BUFFERS, g->buffers, err);
}

static enum cb_status game_open(struct cb_session *session, const char *input, size_t max_groups,
                                void **state, struct cb_err *err)
{
    cl_uint grain = cb_device_is_cpu(&session->info) ? CPU_GRAIN : GPU_GRAIN;
    return open_variant(session, input, max_groups, MAX_DEPTH, grain, 8, state, err);
}

/* All nodes are expanded. */
static enum cb_status paper_open(struct cb_session *session, const char *input, size_t max_groups,
                                 void **state, struct cb_err *err)
{
    return open_variant(session, input, max_groups, PAPER_DEPTH, 0, 4 * CB_LOCKED_WORDS, state,
                        err);
}

static size_t game_args(void *state, struct cb_kernel_value *values, size_t room)
{
    struct game *g = state;
    const struct cb_kernel_value all[] = {
        {sizeof(cl_mem), &g->buffers[NODES]},   {sizeof(cl_mem), &g->buffers[QUEUES]},
        {sizeof(cl_mem), &g->buffers[TASKS]},   {sizeof(cl_mem), &g->buffers[WORDS]},
        {sizeof(cl_mem), &g->buffers[DIGESTS]}, {sizeof(cl_uint), &g->depth},
        {sizeof(cl_uint), &g->grain},           {sizeof(cl_ulong), &g->root.mover},
        {sizeof(cl_ulong), &g->root.all},
    };
    if (room < CB_COUNTOF(all))
        return 0;
    memcpy(values, all, sizeof all);
    return CB_COUNTOF(all);
}

static enum cb_status game_clear(void *state, struct cb_err *err)
{
    struct game *g = state;
    return cb_buffer_clear(g->session, g->buffers[DIGESTS], g->bytes[DIGESTS], err);
}

/* The tree of the last run. */
static enum cb_status check_tree(struct game *g, uint32_t used, unsigned runs,
                                 struct cb_sample *sample, struct cb_err *err)
{
    const size_t room = g->bytes[NODES] / sizeof(game_node);
    char why[128] = "";
    if (!cb_sample_check(sample, used <= room, "%u nodes were made, and there is room for %zu",
                         used, room))
        return CB_OK;
    game_node *nodes = malloc(used * sizeof *nodes + 1);
    if (!nodes)
        return cb_no_memory(err);
    enum cb_status status =
        cb_buffer_read(g->session, g->buffers[NODES], nodes, used * sizeof *nodes, err);
    const struct cb_game_tree tree = {nodes, used, g->position, g->depth, g->grain, runs};
    if (status == CB_OK)
        cb_sample_check(sample, cb_game_tree_check(&tree, why, sizeof why), "%s", why);
    free(nodes);
    return status;
}

static enum cb_status game_check(void *state, unsigned runs, struct cb_sample *sample,
                                 struct cb_err *err)
{
    struct game *g = state;
    uint32_t words[GAME_WORDS];
    if (cb_buffer_read(g->session, g->buffers[WORDS], words, sizeof words, err) != CB_OK)
        return err->status;
    for (unsigned c = 0; c < CB_GAME_COLUMNS; c++) {
        int value = (int)words[GAME_VALUES + c] - GAME_BIAS;
        cb_sample_check(sample, value == g->expected[c],
                        "the move into column %u has the value %d instead of %d", c, value,
                        g->expected[c]);
    }
    if (check_tree(g, words[GAME_USED], runs, sample, err) != CB_OK)
        return err->status;
    return cb_app_check_digests(g->session, g->buffers[DIGESTS], runs, g->digest, sample, err);
}

/* Nobody can have won before the seventh move. */
static void draw_below(struct cb_random *random, unsigned most, char *text, size_t size)
{
    unsigned moves = cb_random_below(random, 7);
    size_t n = (size_t)snprintf(text, size, "%u", cb_random_between(random, 1, most));
    for (unsigned i = 0; i < moves; i++)
        n += (size_t)snprintf(text + n, size - n, "%s%u", i ? "" : ":", cb_random_below(random, 7));
}

static void draw_position(struct cb_random *random, char *text, size_t size)
{
    draw_below(random, 6, text, size);
}

static void draw_paper(struct cb_random *random, char *text, size_t size)
{
    draw_below(random, 4, text, size);
}

#define INPUTS_HELP "DEPTH or DEPTH:OPENING: look-ahead in plies, columns of the moves made"

static const struct cb_app paper = {
    .id = "game",
    .summary = "Connect Four: the minimax value of every move, by work stealing with a lock for "
               "each queue",
    .source = "FSE'17 Tab. 1, as its program",
    .kernel = "apps/game/paper.cl",
    .inputs_help = INPUTS_HELP,
    .inputs = {{"ahead", {"2", "2", "2"}}, {"depth", {"4", "5", "8"}}},
    .offers = true,
    .any_ids = true,
    .gpu_wg_size = 256,
    .cpu_wg_size = 64,
    .draw_input = draw_paper,
    .open = paper_open,
    .args = game_args,
    .clear = game_clear,
    .check = game_check,
    .close = game_close,
};

const struct cb_app cb_app_game = {
    .id = "game",
    .summary = "Connect Four: the minimax value of every move, by work stealing",
    .source = "FSE'17 Tab. 1, after Cederman and Tsigas",
    .kernel = "apps/game/game.cl",
    .inputs_help = INPUTS_HELP,
    .inputs = {{"depth", {"6", "8", "11"}}},
    .offers = true,
    .any_ids = true,
    .gpu_wg_size = 256,
    .cpu_wg_size = 64,
    .draw_input = draw_position,
    .open = game_open,
    .args = game_args,
    .clear = game_clear,
    .check = game_check,
    .close = game_close,
    .paper = &paper,
};
