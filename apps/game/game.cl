/* SPDX-License-Identifier: Apache-2.0
 *
 * The game tree of Connect Four to a fixed look-ahead, by work stealing (FSE'17 Tab. 1: game; after
 * Cederman and Tsigas). A task is a node of the tree. A workgroup takes one from its own pool, the
 * latest first, or steals the oldest of another's. High nodes are expanded, one work-item does; a node
 * with `grain` plies below it is searched by the whole workgroup. Values go up by atomic maxima; who
 * brings the last value of a node takes it on to the parent, and who completes the root ends the run.
 *
 * A workgroup that is killed leaves its pool for the others to steal from, so that nothing needs to be
 * transmitted.
 */
#define COOP_ARGS(X)                                                                               \
    X(global game_node *, nodes)                                                                   \
    X(volatile global cb_u32 *, pools)  /* GAME_POOL_WORDS each */                                 \
    X(volatile global cb_u32 *, words)  /* GAME_WORDS */                                           \
    X(volatile global cb_u32 *, digests) /* of each run */                                         \
    X(uint, pool_count)                                                                            \
    X(uint, depth) /* the look-ahead in plies */                                                   \
    X(uint, grain) /* plies that are searched at once */                                           \
    X(ulong, mover)                                                                                \
    X(ulong, all)

#define COOP_TRANSMIT uint idle; /* turns without a task, in a row */

#define COOP_LOCAL                                                                                 \
    uint task; /* number of a node, or one of the two below */                                     \
    cb_board board;                                                                                \
    uint plies;                                                                                    \
    uint first[7];  /* values after one, and after two more plies, + GAME_BIAS; 0: none */         \
    uint second[49];

#define COOP_USES_OFFERS
#include "board_abi.h"

#include "game_abi.h"
#include "coop.clh"

#include "mutex.clh"

#define GAME_IDLE      0xffffffffu
#define GAME_OVER      0xfffffffeu
#define GAME_IDLE_MOST (1u << 24) /* turns: somebody has lost a task */

static inline uint game_bias(int value)
{
    return (uint)(value + GAME_BIAS);
}

static inline int game_value(uint biased)
{
    return (int)biased - GAME_BIAS;
}

static inline cb_board game_board(const coop_args *A, uint node)
{
    cb_board board = {A->nodes[node].mover, A->nodes[node].all};
    return board;
}

static inline bool game_is_over(cb_board board)
{
    return cb_board_lost(board) || cb_board_full(board);
}

/* ---- Pools ------------------------------------------------------------------------------------- */

static inline volatile global cb_u32 *game_pool(const coop_args *A, uint pool)
{
    return A->pools + (size_t)pool * GAME_POOL_WORDS;
}

/* The latest of one's own, or the oldest of another's; GAME_IDLE: none, or the wait was given up. */
static inline uint game_take(const coop_args *A, const coop_view V, uint pool)
{
    volatile global cb_u32 *p = game_pool(A, pool);
    if (cb_load_relaxed(CB_ATOMIC(p[GAME_POOL_HEAD])) ==
        cb_load_relaxed(CB_ATOMIC(p[GAME_POOL_TAIL])))
        return GAME_IDLE;
    cb_mutex m = cb_mutex_start(V.launch, p, 0);
    if (!cb_lock(&m))
        return GAME_IDLE;
    uint head = p[GAME_POOL_HEAD], tail = p[GAME_POOL_TAIL], node = GAME_IDLE;
    if (head != tail && pool == V.group)
        node = p[GAME_POOL_NODES + (p[GAME_POOL_TAIL] = tail - 1) % GAME_POOL_ROOM];
    else if (head != tail)
        node = p[GAME_POOL_NODES + (p[GAME_POOL_HEAD] = head + 1, head) % GAME_POOL_ROOM];
    cb_unlock(&m);
    return node;
}

/* The next task of this workgroup. */
static inline uint game_next(const coop_args *A, const coop_view V)
{
    for (uint i = 0; i < A->pool_count; i++) {
        uint node = game_take(A, V, (V.group + i) % A->pool_count);
        if (node != GAME_IDLE)
            return node;
    }
    bool over = cb_load_acquire(CB_ATOMIC(A->words[GAME_DONE])) || cb_aborted(V.launch);
    return over ? GAME_OVER : GAME_IDLE;
}

/* ---- Values ------------------------------------------------------------------------------------ */

static inline void game_end(const coop_args *A, uint run)
{
    uint digest = 0;
    for (uint c = 0; c < CB_GAME_COLUMNS; c++)
        digest += game_digest(c, cb_load_relaxed(CB_ATOMIC(A->words[GAME_VALUES + c])));
    A->digests[run % COOP_MAX_RUNS] = digest;
    cb_store_release(CB_ATOMIC(A->words[GAME_DONE]), 1);
}

/* The value of a node is known: up with it, as far as it completes others. */
static inline void game_report(const coop_args *A, uint node, int value, uint run)
{
    while (node != 0) {
        uint parent = A->nodes[node].parent;
        if (parent == 0)
            cb_store_relaxed(CB_ATOMIC(A->words[GAME_VALUES + (A->nodes[node].place & 0xffu)]),
                             game_bias(-value));
        atomic_max((volatile global uint *)&A->nodes[parent].best, game_bias(-value));
        if (cb_fetch_add_acq_rel(CB_ATOMIC(A->nodes[parent].pending), 0xffffffffu) != 1)
            return;
        node = parent;
        value = game_value(cb_load_relaxed(CB_ATOMIC(A->nodes[node].best)));
    }
    game_end(A, run);
}

/* ---- Expanding --------------------------------------------------------------------------------- */

static inline void game_make_node(const coop_args *A, uint node, cb_board board, uint parent,
                                  uint plies, uint column)
{
    A->nodes[node].mover = board.mover;
    A->nodes[node].all = board.all;
    A->nodes[node].parent = parent;
    A->nodes[node].best = 0;
    A->nodes[node].place = plies << 8 | column;
}

/* Makes the children of a node: those where the game is over have a value at once, the others go to the
 * workgroup's pool. */
static inline void game_expand(const coop_args *A, const coop_view V, uint node, cb_board board,
                               uint plies)
{
    uint children = 0;
    for (uint c = 0; c < CB_GAME_COLUMNS; c++)
        children += (uint)cb_board_playable(board, c);
    uint first = cb_fetch_add_relaxed(CB_ATOMIC(A->words[GAME_USED]), children), child = first;
    A->nodes[node].pending = children;
    for (uint c = 0; c < CB_GAME_COLUMNS; c++)
        if (cb_board_playable(board, c))
            game_make_node(A, child++, cb_board_play(board, c), node, plies + 1, c);

    volatile global cb_u32 *p = game_pool(A, V.group);
    cb_mutex m = cb_mutex_start(V.launch, p, 0);
    if (!cb_lock(&m))
        return;
    uint tail = p[GAME_POOL_TAIL];
    for (child = first; child < first + children; child++)
        if (!game_is_over(game_board(A, child)))
            p[GAME_POOL_NODES + tail++ % GAME_POOL_ROOM] = child;
    p[GAME_POOL_TAIL] = tail;
    cb_unlock(&m);
    for (child = first; child < first + children; child++)
        if (game_is_over(game_board(A, child)))
            game_report(A, child, cb_board_leaf(game_board(A, child), plies + 1), V.run);
}

/* ---- Searching --------------------------------------------------------------------------------- */

/* One way through the first three plies, and all that is below. Where the game ends earlier, the first of
 * the ways that share that position tells its value. */
static inline void game_search_way(const coop_args *A, local coop_local *L, uint way)
{
    uint i = way / 49, j = way / 7 % 7, k = way % 7, below = A->depth - L->plies - 3;
    cb_board b = L->board;
    if (!cb_board_playable(b, i))
        return;
    b = cb_board_play(b, i);
    if (game_is_over(b)) {
        if (j == 0 && k == 0)
            L->first[i] = game_bias(cb_board_leaf(b, L->plies + 1));
        return;
    }
    if (!cb_board_playable(b, j))
        return;
    b = cb_board_play(b, j);
    if (game_is_over(b)) {
        if (k == 0)
            L->second[7 * i + j] = game_bias(cb_board_leaf(b, L->plies + 2));
        return;
    }
    if (cb_board_playable(b, k))
        atomic_max(&L->second[7 * i + j],
                   game_bias(-cb_board_value(cb_board_play(b, k), below, L->plies + 3)));
}

/* The best of what was found. */
static inline int game_combine(const local coop_local *L)
{
    uint best = 0;
    for (uint i = 0; i < 7; i++) {
        uint value = L->first[i];
        for (uint j = 0; j < 7 && L->first[i] == 0; j++)
            if (L->second[7 * i + j] != 0)
                value = max(value, game_bias(-game_value(L->second[7 * i + j])));
        if (value != 0)
            best = max(best, game_bias(-game_value(value)));
    }
    return game_value(best);
}

/* ---- The kernel -------------------------------------------------------------------------------- */

static inline void game_load(const coop_args *A, const coop_view V, local coop_local *L)
{
    L->task = game_next(A, V);
    if (L->task >= GAME_OVER)
        return;
    L->board = game_board(A, L->task);
    L->plies = A->nodes[L->task].place >> 8;
}

static inline void game_begin(const coop_args *A, const coop_view V)
{
    cb_board root = {A->mover, A->all};
    game_make_node(A, 0, root, 0, 0, 0);
    for (uint c = 0; c < CB_GAME_COLUMNS; c++)
        A->words[GAME_VALUES + c] = game_bias(CB_GAME_ILLEGAL);
    A->words[GAME_USED] = 1;
    A->words[GAME_DONE] = 0;
    game_pool(A, 0)[GAME_POOL_NODES] = 0;
    game_pool(A, 0)[GAME_POOL_HEAD] = 0;
    game_pool(A, 0)[GAME_POOL_TAIL] = 1;
}

/* Nobody waits for ever for a task to steal. */
static inline void game_wait(const coop_view V, coop_transmit *S)
{
    cb_relax();
    if (++S->idle > GAME_IDLE_MOST)
        cb_abort(V.launch, CB_SITE_WORK, V.group, S->idle, 0);
}

coop_kernel(game)
{
    coop_begin();
    for (uint p = coop_global_id() + 1; p < A->pool_count; p += coop_global_size())
        game_pool(A, p)[GAME_POOL_HEAD] = game_pool(A, p)[GAME_POOL_TAIL] = 0;
    if (coop_global_id() == 0)
        game_begin(A, V);
    global_barrier();

    while (true) {
        offer_kill();
        request_fork();
        if (coop_local_id() == 0)
            game_load(A, V, L);
        workgroup_barrier();
        if (L->task == GAME_OVER)
            break;
        if (L->task == GAME_IDLE) {
            if (coop_local_id() == 0)
                game_wait(V, S);
        } else if (L->plies == 0 || A->depth - L->plies > A->grain) {
            if (coop_local_id() == 0)
                game_expand(A, V, L->task, L->board, L->plies);
        } else if (A->depth - L->plies < 3) {
            if (coop_local_id() == 0)
                game_report(A, L->task,
                            cb_board_value(L->board, A->depth - L->plies, L->plies), V.run);
        } else {
            for (uint i = coop_local_id(); i < 56; i += coop_local_size())
                *(i < 7 ? &L->first[i] : &L->second[i - 7]) = 0;
            workgroup_barrier();
            for (uint way = coop_local_id(); way < 343; way += coop_local_size())
                game_search_way(A, L, way);
            workgroup_barrier();
            if (coop_local_id() == 0)
                game_report(A, L->task, game_combine(L), V.run);
        }
        if (coop_local_id() == 0 && L->task != GAME_IDLE)
            S->idle = 0;
    }
    coop_end();
}

#include "coop_run.clh"
