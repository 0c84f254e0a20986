/* SPDX-License-Identifier: Apache-2.0
 *
 * The game tree of Connect Four by work stealing (FSE'17 Tab. 1: game), in ordinary OpenCL C with
 * the paper's words: what apps/game/game.cl is in the runtime's language, and explains.
 *
 *     coopbench merge examples/game.cl -o game.cl
 */
#include "coop_abi.h"
#include "steal_abi.h"

/* What a workgroup does now, in local memory. */
typedef struct {
    cb_take take;
    ulong mover, all; /* the board of its node */
    uint node, move, plies;
    uint child;     /* the first that is made */
    ulong made[49]; /* tasks */
    uint makes;     /* how many */
    uint best;      /* values of the node, after one and after two more plies */
    uint first[7], second[49];
    uint over;
} game_work;

#include "../apps/game/game_abi.h"

#include "../apps/game/board_abi.h"

#include "steal.clh"

#define MOVES            4u /* of a node that one task searches */
#define PARTS            ((CB_GAME_COLUMNS + MOVES - 1u) / MOVES)
#define TASK(node, move) ((ulong)(move) << 32 | (node))

/* The tree in global memory, of which all helpers know. */
typedef struct {
    global game_node *nodes;
    volatile global uint *words, *digest;
    uint depth, grain;
} game_tree;

static cb_board board_of(const local game_work *w)
{
    return (cb_board){w->mover, w->all};
}

static uint biased(int value)
{
    return (uint)(value + GAME_BIAS);
}

static int value_of(uint value)
{
    return (int)value - GAME_BIAS;
}

static bool is_over(cb_board board)
{
    return cb_board_lost(board) || cb_board_full(board);
}

/* ---- Values ---------------------------------------------------------------------------------- */

static void end_game(game_tree t)
{
    uint digest = 0;
    for (uint c = 0; c < CB_GAME_COLUMNS; c++)
        digest += game_digest(c, cb_load_relaxed(CB_ATOMIC(t.words[GAME_VALUES + c])));
    *t.digest = digest;
    cb_store_release(CB_ATOMIC(t.words[GAME_DONE]), 1);
}

/* A value for the player to move at a node. True if it was the last that was missing. */
static bool improve(game_tree t, uint node, uint value)
{
    atomic_max((volatile global uint *)&t.nodes[node].best, value);
    return cb_fetch_add_acq_rel(CB_ATOMIC(t.nodes[node].pending), 0xffffffffu) == 1;
}

/* The value of a node is known: up with it, as far as it completes others. */
static void report(game_tree t, uint node, int value)
{
    while (node != 0) {
        uint parent = t.nodes[node].parent;
        if (parent == 0)
            cb_store_relaxed(CB_ATOMIC(t.words[GAME_VALUES + (t.nodes[node].place & 0xffu)]),
                             biased(-value));
        if (!improve(t, parent, biased(-value)))
            return;
        node = parent;
        value = value_of(cb_load_relaxed(CB_ATOMIC(t.nodes[node].best)));
    }
    end_game(t);
}

/* ---- Expanding ------------------------------------------------------------------------------- */

static bool is_searched(game_tree t, uint plies)
{
    return plies > 0 && t.depth - plies <= t.grain;
}

static uint parts_of(game_tree t, uint plies)
{
    return is_searched(t, plies) ? PARTS : 1;
}

static void make_node(game_tree t, uint node, cb_board board, uint parent, uint plies, uint column)
{
    t.nodes[node].mover = board.mover;
    t.nodes[node].all = board.all;
    t.nodes[node].parent = parent;
    t.nodes[node].pending = parts_of(t, plies);
    t.nodes[node].best = 0;
    t.nodes[node].place = plies << 8 | column;
}

static void begin_expanding(game_tree t, local game_work *w)
{
    uint children = 0;
    for (uint c = 0; c < CB_GAME_COLUMNS; c++)
        children += (uint)cb_board_playable(board_of(w), c);
    w->child = cb_fetch_add_relaxed(CB_ATOMIC(t.words[GAME_USED]), children);
    w->makes = 0;
    t.nodes[w->node].pending = children;
}

static void make_child(game_tree t, local game_work *w, uint c)
{
    uint child = w->child, plies = w->plies + 1, parts = parts_of(t, plies);
    if (!cb_board_playable(board_of(w), c))
        return;
    for (uint before = 0; before < c; before++)
        child += (uint)cb_board_playable(board_of(w), before);
    cb_board board = cb_board_play(board_of(w), c);
    make_node(t, child, board, w->node, plies, c);
    if (plies == t.depth || is_over(board)) {
        report(t, child, cb_board_leaf(board, plies));
        return;
    }
    uint place = atomic_add(&w->makes, parts);
    for (uint part = 0; part < parts; part++)
        w->made[place + part] = TASK(child, part * MOVES);
}

/* ---- Searching ------------------------------------------------------------------------------- */

/* One way through the first three plies, and all that is below. */
static void search_way(game_tree t, local game_work *w, uint way)
{
    uint i = w->move + way / 49, j = way / 7 % 7, k = way % 7, depth = t.depth - w->plies, made = 1;
    cb_board b = board_of(w);
    if (i >= CB_GAME_COLUMNS || !cb_board_playable(b, i))
        return;
    b = cb_board_play(b, i);
    if (depth > 1 && !is_over(b)) {
        if (!cb_board_playable(b, j))
            return;
        b = cb_board_play(b, j);
        made = 2;
        if (depth > 2 && !is_over(b)) {
            if (!cb_board_playable(b, k))
                return;
            b = cb_board_play(b, k);
            made = 3;
        }
    }
    if ((made < 3 && k > 0) || (made < 2 && j > 0))
        return;
    int value = cb_board_value(b, depth - made, w->plies + made);
    if (made == 1)
        w->first[i] = biased(value);
    else
        atomic_max(&w->second[7 * i + j], biased(made == 2 ? value : -value));
}

/* A value goes up by a ply. */
static void raise(local uint *parent, uint value)
{
    if (value != 0)
        atomic_max(parent, biased(-value_of(value)));
}

/* ---- The kernel ------------------------------------------------------------------------------ */

static void load(game_tree t, local game_work *w)
{
    if (w->take.task == CB_NO_TASK)
        return;
    w->node = (uint)w->take.task;
    w->move = (uint)(w->take.task >> 32);
    w->mover = t.nodes[w->node].mover;
    w->all = t.nodes[w->node].all;
    w->plies = t.nodes[w->node].place >> 8;
    w->best = 0;
}

static void begin(game_tree t, cb_deques deques, local game_work *w, cb_board root)
{
    make_node(t, 0, root, 0, 0, 0);
    for (uint c = 0; c < CB_GAME_COLUMNS; c++)
        t.words[GAME_VALUES + c] = biased(CB_GAME_ILLEGAL);
    t.words[GAME_USED] = 1;
    t.words[GAME_DONE] = 0;
    w->made[0] = TASK(0, 0);
    w->take.ends = 0;
    cb_deque_push(&w->take, deques, 0, w->made, 1);
}

/* The tree among the kernel's arguments, anew in each phase. */
#define TREE   ((game_tree){nodes, words, digests + coop_run() % COOP_MAX_RUNS, depth, grain})
#define DEQUES ((cb_deques){ends, tasks})

kernel void game(global game_node *nodes, volatile global ulong *ends, volatile global ulong *tasks,
                 volatile global uint *words, volatile global uint *digests, uint depth, uint grain,
                 ulong mover, ulong all)
{
    local game_work w;
    for (uint d = get_global_id(0); d < coop_max_groups(); d += get_global_size(0))
        ends[d] = 0;
    if (get_global_id(0) == 0)
        begin(TREE, DEQUES, &w, (cb_board){mover, all});
    global_barrier();

    for (transmit uint idle = 0;;) {
        offer_kill();
        request_fork();
        if (get_local_id(0) == 0) {
            cb_take_own(&w.take, DEQUES, get_group_id(0));
            load(TREE, &w);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (w.take.task == CB_NO_TASK) {
            cb_take_look(&w.take, DEQUES, coop_max_groups(), get_group_id(0), idle, get_local_id(0),
                         get_local_size(0));
            barrier(CLK_LOCAL_MEM_FENCE);
            if (get_local_id(0) == 0) {
                cb_take_steal(&w.take, DEQUES);
                load(TREE, &w);
                w.over = 0;
                if (w.take.task == CB_NO_TASK) {
                    cb_steal_pause(coop_launch(), get_group_id(0), idle);
                    w.over =
                        cb_load_acquire(CB_ATOMIC(words[GAME_DONE])) || cb_aborted(coop_launch());
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            if (w.over)
                break;
        }
        idle = w.take.task == CB_NO_TASK ? idle + 1 : 0;
        if (idle > 0)
            continue;

        if (!is_searched(TREE, w.plies)) {
            if (get_local_id(0) == 0)
                begin_expanding(TREE, &w);
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint c = get_local_id(0); c < CB_GAME_COLUMNS; c += get_local_size(0))
                make_child(TREE, &w, c);
            barrier(CLK_LOCAL_MEM_FENCE);
            if (get_local_id(0) == 0 &&
                !cb_deque_push(&w.take, DEQUES, get_group_id(0), w.made, w.makes))
                cb_abort(coop_launch(), CB_SITE_WORK, get_group_id(0), w.makes, CB_DEQUE_ROOM);
        } else {
            for (uint i = get_local_id(0); i < 56; i += get_local_size(0))
                *(i < 7 ? &w.first[i] : &w.second[i - 7]) = 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint way = get_local_id(0); way < MOVES * 49; way += get_local_size(0))
                search_way(TREE, &w, way);
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint i = get_local_id(0); i < 49; i += get_local_size(0))
                raise(&w.first[i / 7], w.second[i]);
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint i = get_local_id(0); i < 7; i += get_local_size(0))
                raise(&w.best, w.first[i]);
            barrier(CLK_LOCAL_MEM_FENCE);
            uint node = w.node;
            if (get_local_id(0) == 0 && improve(TREE, node, w.best))
                report(TREE, node, value_of(cb_load_relaxed(CB_ATOMIC(nodes[node].best))));
        }
    }
}
