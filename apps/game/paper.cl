/* SPDX-License-Identifier: Apache-2.0
 *
 * The game tree of Connect Four as the program of FSE'17 goes through it (Tab. 1: game): a queue
 * with a lock for each workgroup, a task for each node down to the look-ahead, and an offer before
 * each task. A workgroup evaluates the position of its node, a work-item for each line of four
 * cells; work-item 0 then makes the children, and pushes them. Values go up as in game.cl.
 *
 * No lock is held at offer_kill() (steal_locked.clh), and a killed workgroup leaves its queue to
 * the others: nothing needs to be transmitted.
 */
#define COOP_ARGS(X)                                                                               \
    X(global game_node *, nodes)                                                                   \
    X(volatile global cb_u32 *, queues)  /* CB_LOCKED_WORDS of each */                             \
    X(volatile global cb_u64 *, tasks)   /* CB_DEQUE_ROOM of each: numbers of nodes */             \
    X(volatile global cb_u32 *, words)   /* GAME_WORDS */                                          \
    X(volatile global cb_u32 *, digests) /* of each run */                                         \
    X(uint, depth)                       /* the look-ahead in plies */                             \
    X(uint, unused)                                                                                \
    X(ulong, mover)                                                                                \
    X(ulong, all)

#define COOP_TRANSMIT uint idle; /* looks into a queue in vain, in a row */

#define COOP_LOCAL                                                                                 \
    cb_u64 task;                                                                                   \
    uint over;                                                                                     \
    cb_board board; /* of the task's node, */                                                      \
    uint plies;                                                                                    \
    uint lost;  /* 1: the player to move has lost */                                               \
    uint score; /* score of its lines so far, modulo 2^32 */

#define COOP_USES_OFFERS
#define COOP_PRINTED_OFFERS
#include "board_abi.h"

#include "game_abi.h"

#include "coop.clh"

#include "steal_locked.clh"

#include "values.clh"

static inline cb_locked game_queues(const coop_args *A, const coop_view V)
{
    cb_locked q = {V.launch, A->queues, A->tasks};
    return q;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

#define GAME_STARTS 49u                /* bits of a board, and as many lines in each of four */
#define GAME_LINES  (4u * GAME_STARTS) /* directions; 69 of them lie on the board */

/* Four cells from a bit on, in a direction: the sum of their weights for the player to move. */
static inline void game_scan_line(local coop_local *L, uint line)
{
    uint start = line % GAME_STARTS, direction = line / GAME_STARTS;
    uint step = direction == 0 ? CB_BOARD_UPWARDS : CB_BOARD_FALLING + direction - 1;
    ulong cells = (1UL | 1UL << step | 1UL << 2 * step | 1UL << 3 * step) << start;
    if ((cells & CB_BOARD_CELLS) != cells)
        return;
    uint own = (uint)popcount(cells & L->board.mover),
         other = (uint)popcount(cells & L->board.all) - own;
    if (other == 4)
        atomic_or(&L->lost, 1u);
    else if (own > 0 && other == 0)
        atomic_add(&L->score, 1u << 2 * (own - 1));
    else if (other > 0 && own == 0)
        atomic_sub(&L->score, 1u << 2 * (other - 1));
}

/* ---- By work-item 0 -------------------------------------------------------------------------- */

static inline void game_make_node(const coop_args *A, uint node, cb_board board, uint parent,
                                  uint place)
{
    A->nodes[node].mover = board.mover;
    A->nodes[node].all = board.all;
    A->nodes[node].parent = parent;
    A->nodes[node].pending = 0;
    A->nodes[node].best = 0;
    A->nodes[node].place = place;
}

static inline void game_push(const coop_args *A, const coop_view V, uint node)
{
    if (!cb_locked_push(game_queues(A, V), V.group, node))
        cb_abort(V.launch, CB_SITE_ROOM, V.group, node, CB_DEQUE_ROOM);
}

static inline void game_begin(const coop_args *A, const coop_view V)
{
    cb_board root = {A->mover, A->all};
    game_make_node(A, 0, root, 0, 0);
    for (uint c = 0; c < CB_GAME_COLUMNS; c++)
        A->words[GAME_VALUES + c] = game_bias(CB_GAME_ILLEGAL);
    A->words[GAME_USED] = 1;
    A->words[GAME_DONE] = 0;
    game_push(A, V, 0);
}

static inline void game_take(const coop_args *A, const coop_view V, local coop_local *L, uint idle)
{
    ulong task = cb_locked_take(game_queues(A, V), coop_max_groups(), V.group);
    L->task = task;
    L->over = 0;
    if (task == CB_NO_TASK) {
        cb_steal_pause(V.launch, V.group, idle);
        L->over = cb_load_acquire(CB_ATOMIC(A->words[GAME_DONE])) || cb_aborted(V.launch);
        return;
    }
    L->board = game_board(A, (uint)task);
    L->plies = A->nodes[(uint)task].place >> 8;
    L->lost = L->score = 0;
}

/* The children are counted before one is pushed: the first to have a value must not be taken for
 * the last. */
static inline void game_expand(const coop_args *A, const coop_view V, local coop_local *L)
{
    uint node = (uint)L->task, children = 0;
    for (uint c = 0; c < CB_GAME_COLUMNS; c++)
        children += (uint)cb_board_playable(L->board, c);
    uint child = cb_fetch_add_relaxed(CB_ATOMIC(A->words[GAME_USED]), children);
    A->nodes[node].pending = children;
    for (uint c = 0; c < CB_GAME_COLUMNS; c++) {
        if (!cb_board_playable(L->board, c))
            continue;
        game_make_node(A, child, cb_board_play(L->board, c), node, (L->plies + 1) << 8 | c);
        game_push(A, V, child++);
    }
}

static inline void game_finish(const coop_args *A, const coop_view V, local coop_local *L)
{
    bool full = cb_board_full(L->board);
    int value = full ? 0 : (int)L->score;
    if (L->lost)
        value = (int)L->plies - CB_GAME_WIN;
    if (L->lost || full || L->plies == A->depth)
        game_report(A, (uint)L->task, value, V.run);
    else
        game_expand(A, V, L);
}

/* ---- The kernel ------------------------------------------------------------------------------ */

coop_kernel(game)
{
    coop_begin();
    for (uint q = coop_global_id(); q < coop_max_groups(); q += coop_global_size())
        cb_locked_clear(game_queues(A, V), q);
    if (coop_global_id() == 0)
        game_begin(A, V);
    global_barrier();

    while (true) {
        offer_kill();
        request_fork();
        if (coop_local_id() == 0)
            game_take(A, V, L, S->idle);
        workgroup_barrier();
        if (L->over)
            break;
        S->idle = L->task == CB_NO_TASK ? S->idle + coop_max_groups() : 0;
        if (S->idle > 0)
            continue;

        for (uint line = coop_local_id(); line < GAME_LINES; line += coop_local_size())
            game_scan_line(L, line);
        workgroup_barrier();
        if (coop_local_id() == 0)
            game_finish(A, V, L);
    }
    coop_end();
}

#include "coop_run.clh"
