/* SPDX-License-Identifier: Apache-2.0
 *
 * The game tree of Connect Four to a fixed look-ahead, by work stealing (FSE'17 Tab. 1: game; after
 * Cederman and Tsigas). A task is a node of the tree. A workgroup takes one from its own deque, the
 * latest first, or steals the oldest of another's. High nodes are expanded, by a work-item for each
 * child; a node with `grain` plies below it is searched by whole workgroups, in tasks of GAME_MOVES
 * of its moves each. Values go up by atomic maxima; the work-item that brings the last value of a
 * node takes it on to the parent, and the one that completes the root ends the run.
 *
 * A workgroup that is killed leaves its deque for the others to steal from, so that nothing needs
 * to be transmitted.
 */
#define COOP_ARGS(X)                                                                               \
    X(global game_node *, nodes)                                                                   \
    X(volatile global cb_u64 *, ends)    /* of each deque (steal.clh) */                           \
    X(volatile global cb_u64 *, tasks)   /* CB_DEQUE_ROOM of each */                               \
    X(volatile global cb_u32 *, words)   /* GAME_WORDS */                                          \
    X(volatile global cb_u32 *, digests) /* of each run */                                         \
    X(uint, depth)                       /* the look-ahead in plies */                             \
    X(uint, grain)                       /* plies that are searched at once */                     \
    X(ulong, mover)                                                                                \
    X(ulong, all)

#define COOP_TRANSMIT uint idle; /* turns without a task, in a row */

#define COOP_LOCAL                                                                                 \
    cb_take take;                                                                                  \
    cb_u64 made[49]; /* tasks: of seven children, of a move each at most. */                       \
    uint makes;      /* how many */                                                                \
    uint over;                                                                                     \
    uint node; /* of the task, */                                                                  \
    uint move; /* from which on */                                                                 \
    cb_board board;                                                                                \
    uint plies;                                                                                    \
    uint child;    /* the first that is made */                                                    \
    uint best;     /* values of the node, after one and after two more plies: + GAME_BIAS, */      \
    uint first[7]; /* 0: none */                                                                   \
    uint second[49];

#define COOP_USES_OFFERS
#include "board_abi.h"

#include "game_abi.h"
#include "steal_abi.h"

#include "coop.clh"

#include "steal.clh"

#include "values.clh"

/* Moves of a node that one task searches, in which the workgroup cannot be given up. On a GPU four
 * are one round of ways for 256 work-items; on a CPU a task costs more than the ways that it has
 * less. */
#ifdef COOP_CPU_DEVICE
#define GAME_MOVES 7u
#else
#define GAME_MOVES 4u
#endif
#define GAME_PARTS ((CB_GAME_COLUMNS + GAME_MOVES - 1u) / GAME_MOVES)

#define GAME_TASK(node, move) ((cb_u64)(move) << 32 | (node))

/* Whether the node is searched, not expanded. */
static inline bool game_is_searched(const coop_args *A, uint plies)
{
    return plies > 0 && A->depth - plies <= A->grain;
}

/* How many tasks the node is. */
static inline uint game_parts(const coop_args *A, uint plies)
{
    return game_is_searched(A, plies) ? GAME_PARTS : 1;
}

static inline cb_deques game_deques(const coop_args *A)
{
    cb_deques d = {A->ends, A->tasks};
    return d;
}

/* ---- Values ---------------------------------------------------------------------------------- */

/* The best of some moves of a node is known. */
static inline void game_report_part(const coop_args *A, uint node, uint biased, uint run)
{
    if (game_improve(A, node, biased))
        game_report(A, node, game_value(cb_load_relaxed(CB_ATOMIC(A->nodes[node].best))), run);
}

/* ---- Expanding ------------------------------------------------------------------------------- */

static inline void game_make_node(const coop_args *A, uint node, cb_board board, uint parent,
                                  uint plies, uint column)
{
    A->nodes[node].mover = board.mover;
    A->nodes[node].all = board.all;
    A->nodes[node].parent = parent;
    A->nodes[node].pending = game_parts(A, plies);
    A->nodes[node].best = 0;
    A->nodes[node].place = plies << 8 | column;
}

/* Room for the children, by work-item 0. */
static inline void game_begin_expanding(const coop_args *A, local coop_local *L)
{
    uint children = 0;
    for (uint c = 0; c < CB_GAME_COLUMNS; c++)
        children += (uint)cb_board_playable(L->board, c);
    L->child = cb_fetch_add_relaxed(CB_ATOMIC(A->words[GAME_USED]), children);
    L->makes = 0;
    A->nodes[L->node].pending = children;
}

/* The child after a move into column c. If the game or the look-ahead is over there, it has a value
 * at once. */
static inline void game_make_child(const coop_args *A, local coop_local *L, uint c, uint run)
{
    uint child = L->child, plies = L->plies + 1, parts = game_parts(A, plies);
    if (!cb_board_playable(L->board, c))
        return;
    for (uint before = 0; before < c; before++)
        child += (uint)cb_board_playable(L->board, before);
    cb_board board = cb_board_play(L->board, c);
    game_make_node(A, child, board, L->node, plies, c);
    if (plies == A->depth || game_is_over(board)) {
        game_report(A, child, cb_board_leaf(board, plies), run);
        return;
    }
    uint place = atomic_add(&L->makes, parts);
    for (uint part = 0; part < parts; part++)
        L->made[place + part] = GAME_TASK(child, part * GAME_MOVES);
}

/* The children go to the workgroup's deque, by work-item 0. */
static inline void game_push(const coop_args *A, const coop_view V, local coop_local *L)
{
    if (!cb_deque_push(&L->take, game_deques(A), V.group, L->made, L->makes))
        cb_abort(V.launch, CB_SITE_ROOM, V.group, L->makes, CB_DEQUE_ROOM);
}

/* ---- Searching ------------------------------------------------------------------------------- */

/* One way through the first three plies, and all that is below. Where the game or the look-ahead
 * ends earlier, the first of the ways that share that position tells its value. */
static inline void game_search_way(const coop_args *A, local coop_local *L, uint way)
{
    uint i = L->move + way / 49, j = way / 7 % 7, k = way % 7, depth = A->depth - L->plies,
         made = 1;
    cb_board b = L->board;
    if (i >= CB_GAME_COLUMNS || !cb_board_playable(b, i))
        return;
    b = cb_board_play(b, i);
    if (depth > 1 && !game_is_over(b)) {
        if (!cb_board_playable(b, j))
            return;
        b = cb_board_play(b, j);
        made = 2;
        if (depth > 2 && !game_is_over(b)) {
            if (!cb_board_playable(b, k))
                return;
            b = cb_board_play(b, k);
            made = 3;
        }
    }
    if ((made < 3 && k > 0) || (made < 2 && j > 0))
        return;
    int value = cb_board_value(b, depth - made, L->plies + made);
    if (made == 1)
        L->first[i] = game_bias(value);
    else
        atomic_max(&L->second[7 * i + j], game_bias(made == 2 ? value : -value));
}

/* A value goes up by a ply. */
static inline void game_raise(local uint *parent, uint biased)
{
    if (biased != 0)
        atomic_max(parent, game_bias(-game_value(biased)));
}

/* ---- The kernel ------------------------------------------------------------------------------ */

/* By work-item 0, of a task that it has. */
static inline void game_load(const coop_args *A, local coop_local *L)
{
    L->node = (uint)L->take.task;
    L->move = (uint)(L->take.task >> 32);
    L->board = game_board(A, L->node);
    L->plies = A->nodes[L->node].place >> 8;
    L->best = 0;
}

static inline void game_take_own(const coop_args *A, const coop_view V, local coop_local *L)
{
    cb_take_own(&L->take, game_deques(A), V.group);
    if (L->take.task != CB_NO_TASK)
        game_load(A, L);
}

static inline void game_steal(const coop_args *A, const coop_view V, local coop_local *L, uint idle)
{
    cb_take_steal(&L->take, game_deques(A));
    L->over = 0;
    if (L->take.task != CB_NO_TASK) {
        game_load(A, L);
        return;
    }
    cb_steal_pause(V.launch, V.group, idle);
    L->over = cb_load_acquire(CB_ATOMIC(A->words[GAME_DONE])) || cb_aborted(V.launch);
}

static inline void game_begin(const coop_args *A, local coop_local *L)
{
    cb_board root = {A->mover, A->all};
    game_make_node(A, 0, root, 0, 0, 0);
    for (uint c = 0; c < CB_GAME_COLUMNS; c++)
        A->words[GAME_VALUES + c] = game_bias(CB_GAME_ILLEGAL);
    A->words[GAME_USED] = 1;
    A->words[GAME_DONE] = 0;
    L->made[0] = GAME_TASK(0, 0);
    L->take.ends = 0;
    cb_deque_push(&L->take, game_deques(A), 0, L->made, 1);
}

coop_kernel(game)
{
    coop_begin();
    for (uint d = coop_global_id(); d < coop_max_groups(); d += coop_global_size())
        A->ends[d] = 0;
    if (coop_global_id() == 0)
        game_begin(A, L);
    global_barrier();

    while (true) {
        offer_kill();
        request_fork();
        if (coop_local_id() == 0)
            game_take_own(A, V, L);
        workgroup_barrier();
        if (L->take.task == CB_NO_TASK) {
            cb_take_look(&L->take, game_deques(A), coop_max_groups(), coop_group_id(), S->idle,
                         coop_local_id(), coop_local_size());
            workgroup_barrier();
            if (coop_local_id() == 0)
                game_steal(A, V, L, S->idle);
            workgroup_barrier();
            if (L->over)
                break;
        }
        S->idle = L->take.task == CB_NO_TASK ? S->idle + 1 : 0;
        if (S->idle > 0)
            continue;

        if (!game_is_searched(A, L->plies)) {
            if (coop_local_id() == 0)
                game_begin_expanding(A, L);
            workgroup_barrier();
            for (uint c = coop_local_id(); c < CB_GAME_COLUMNS; c += coop_local_size())
                game_make_child(A, L, c, V.run);
            workgroup_barrier();
            if (coop_local_id() == 0)
                game_push(A, V, L);
        } else {
            for (uint i = coop_local_id(); i < 56; i += coop_local_size())
                *(i < 7 ? &L->first[i] : &L->second[i - 7]) = 0;
            workgroup_barrier();
            for (uint way = coop_local_id(); way < GAME_MOVES * 49; way += coop_local_size())
                game_search_way(A, L, way);
            workgroup_barrier();
            for (uint i = coop_local_id(); i < 49; i += coop_local_size())
                game_raise(&L->first[i / 7], L->second[i]);
            workgroup_barrier();
            for (uint i = coop_local_id(); i < 7; i += coop_local_size())
                game_raise(&L->best, L->first[i]);
            workgroup_barrier();
            if (coop_local_id() == 0)
                game_report_part(A, L->node, L->best, V.run);
        }
    }
    coop_end();
}

#include "coop_run.clh"
