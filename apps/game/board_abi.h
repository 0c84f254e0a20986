/* SPDX-License-Identifier: Apache-2.0
 *
 * Connect Four for host and kernels: positions, rules, and the value of a position to a small
 * depth.
 *
 * A position is two bitboards. Column c (0 to 6) has bits 7c to 7c+6: six cells from the bottom up,
 * and above them a bit that stays zero. It keeps lines from running on into the next column, and
 * adding 1 at the bottom of a column carries into its lowest free cell.
 *
 * Value of a position for the player to move, `depth` stones ahead, `plies` stones after the root:
 *   lost (the other player has four in a row)  -(CB_GAME_WIN - plies): earlier wins are better
 *   else board full                            0
 *   else depth 0                               cb_board_score()
 *   else                                       the largest -value(child, depth - 1, plies + 1)
 */
#pragma once
#include "types.h"

#define CB_GAME_COLUMNS    7u
#define CB_GAME_ROWS       6u
#define CB_GAME_WIN        10000    /* far above every score */
#define CB_GAME_ILLEGAL    (-20000) /* stands for the value of a move into a full column */
#define CB_BOARD_DEPTH_MAX 8u       /* largest depth of cb_board_value() */

#define CB_BOARD_COLUMN ((cb_u64)0x7f) /* column 0, with the bit above it */
#define CB_BOARD_BOTTOM ((cb_u64)0x40810204081)
#define CB_BOARD_CELLS  (CB_BOARD_BOTTOM * 0x3f)

/* How far apart neighbours on a line are. */
#define CB_BOARD_UPWARDS  1u
#define CB_BOARD_FALLING  6u
#define CB_BOARD_SIDEWAYS 7u
#define CB_BOARD_RISING   8u
/* bits of the four columns that such lines, but upwards, start in */
#define CB_BOARD_HALF_BITS 28u

typedef struct {
    cb_u64 mover; /* stones of the player to move */
    cb_u64 all;   /* all stones */
} cb_board;

/* --- Rules ------------------------------------------------------------------------------------ */

/* Whether column (0 to 6) has room. The game may be over all the same. */
static inline int cb_board_playable(cb_board board, cb_u32 column)
{
    cb_u64 top = (cb_u64)1 << (7u * column + 5u);
    return (board.all & top) == 0;
}

/* The position for the other player after a stone in a column that has room. */
static inline cb_board cb_board_play(cb_board board, cb_u32 column)
{
    cb_u64 bottom = (cb_u64)1 << (7u * column);
    cb_board next;
    next.mover = board.mover ^ board.all;
    next.all = board.all | (board.all + bottom);
    return next;
}

/* Undoes cb_board_play(): takes the highest stone out of a column. */
static inline cb_board cb_board_undo(cb_board board, cb_u32 column)
{
    cb_u64 bottom = (cb_u64)1 << (7u * column);
    cb_u64 above = (board.all + bottom) & (CB_BOARD_COLUMN << (7u * column));
    cb_board before;
    before.all = board.all ^ (above >> 1);
    before.mover = board.mover ^ before.all;
    return before;
}

static inline int cb_board_has_line(cb_u64 stones, cb_u32 step)
{
    cb_u64 pairs = stones & (stones >> step);
    return (pairs & (pairs >> (2u * step))) != 0;
}

/* Whether the player who just moved has four in a row: the player to move has lost. */
static inline int cb_board_lost(cb_board board)
{
    cb_u64 other = board.mover ^ board.all;
    return cb_board_has_line(other, CB_BOARD_UPWARDS) ||
           cb_board_has_line(other, CB_BOARD_FALLING) ||
           cb_board_has_line(other, CB_BOARD_SIDEWAYS) || cb_board_has_line(other, CB_BOARD_RISING);
}

static inline int cb_board_full(cb_board board)
{
    return board.all == CB_BOARD_CELLS;
}

/* --- Score ------------------------------------------------------------------------------------ */

static inline int cb_board_popcount(cb_u64 bits)
{
#ifdef __OPENCL_VERSION__
    return (int)popcount(bits);
#else
    bits -= (bits >> 1) & 0x5555555555555555u;
    bits = (bits & 0x3333333333333333u) + ((bits >> 2) & 0x3333333333333333u);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (int)((bits * 0x0101010101010101u) >> 56);
#endif
}

/* Numbers of stones, 0 to 3, on many lines at once: the two binary digits of each. */
typedef struct {
    cb_u64 ones;
    cb_u64 twos;
} cb_board_counts;

/* Stones of `own` on the lines in one direction that have none of the other player's, each at the
 * bit of its first cell: the stones of first and second cell are added, then those of all four. */
static inline cb_board_counts cb_board_count(cb_u64 own, cb_u64 room, cb_u32 step)
{
    cb_u64 room_pairs = room & (room >> step);
    cb_u64 open = room_pairs & (room_pairs >> (2u * step));
    cb_u64 one = own ^ (own >> step);
    cb_u64 both = own & (own >> step);
    cb_board_counts counts;
    counts.ones = (one ^ (one >> (2u * step))) & open;
    counts.twos = (both ^ (both >> (2u * step)) ^ (one & (one >> (2u * step)))) & open;
    return counts;
}

/* The weights of all lines: 0, 1, 4 or 16 for 0 to 3 stones (16 is 1 + 4 + 11). */
static inline int cb_board_weigh(cb_u64 ones, cb_u64 twos)
{
    return cb_board_popcount(ones) + 4 * cb_board_popcount(twos) +
           11 * cb_board_popcount(ones & twos);
}

/* What one player's stones are worth. Lines sideways and diagonal start in the first four columns,
 * rising ones in rows 0 to 2 and falling ones in rows 3 to 5: all three kinds fit into one word. */
static inline int cb_board_worth(cb_u64 own, cb_u64 other)
{
    cb_u64 room = CB_BOARD_CELLS ^ other;
    cb_board_counts up = cb_board_count(own, room, CB_BOARD_UPWARDS);
    cb_board_counts side = cb_board_count(own, room, CB_BOARD_SIDEWAYS);
    cb_board_counts rise = cb_board_count(own, room, CB_BOARD_RISING);
    cb_board_counts fall = cb_board_count(own, room, CB_BOARD_FALLING);
    cb_u64 ones = side.ones | ((rise.ones | fall.ones) << CB_BOARD_HALF_BITS);
    cb_u64 twos = side.twos | ((rise.twos | fall.twos) << CB_BOARD_HALF_BITS);
    return cb_board_weigh(up.ones, up.twos) + cb_board_weigh(ones, twos);
}

/* Static evaluation for the player to move, of a position without four in a row: own worth less the
 * other's. A player's worth: each of the 69 lines of four cells without a stone of the other player
 * counts 0, 1, 4 or 16 for 0 to 3 stones. */
static inline int cb_board_score(cb_board board)
{
    cb_u64 other = board.mover ^ board.all;
    return cb_board_worth(board.mover, other) - cb_board_worth(other, board.mover);
}

/* --- Value ------------------------------------------------------------------------------------ */

/* The value at depth 0. */
static inline int cb_board_leaf(cb_board board, cb_u32 plies)
{
    if (cb_board_lost(board))
        return (int)plies - CB_GAME_WIN;
    return cb_board_full(board) ? 0 : cb_board_score(board);
}

/* What cb_board_value() keeps of the positions above the one it is at: of each, the column played
 * and the best value so far. Shifted in and out, so that it stays in registers: an array with a
 * variable index would lie in memory. The boards are not kept: cb_board_undo() makes them again. */
typedef struct {
    cb_u64 low; /* best values, 16 bits each, the latest lowest; they go on in high */
    cb_u64 high;
    cb_u32 columns; /* 4 bits each, the latest lowest */
} cb_board_path;

#define CB_BOARD_BIAS 32768 /* makes a value that is kept positive */

static inline cb_board_path cb_board_push(cb_board_path path, cb_u32 column, int best)
{
    path.high = (path.high << 16) | (path.low >> 48);
    path.low = (path.low << 16) | (cb_u64)(best + CB_BOARD_BIAS);
    path.columns = (path.columns << 4) | column;
    return path;
}

static inline cb_board_path cb_board_pop(cb_board_path path)
{
    path.low = (path.low >> 16) | (path.high << 48);
    path.high >>= 16;
    path.columns >>= 4;
    return path;
}

static inline cb_u32 cb_board_last_column(cb_board_path path)
{
    return path.columns & 0xfu;
}

static inline int cb_board_last_best(cb_board_path path)
{
    return (int)(path.low & 0xffffu) - CB_BOARD_BIAS;
}

/* The value defined at the top of this file, depth at most CB_BOARD_DEPTH_MAX: negamax of the whole
 * tree, without pruning. */
static inline int cb_board_value(cb_board board, cb_u32 depth, cb_u32 plies)
{
    if (depth == 0 || cb_board_lost(board) || cb_board_full(board))
        return cb_board_leaf(board, plies);
    cb_board_path path = {0, 0, 0};
    cb_u32 left = depth;
    cb_u32 column = 0;
    int best = -CB_GAME_WIN; /* every child's value is better */
    for (;;) {
        int value;
        while (column < CB_GAME_COLUMNS && !cb_board_playable(board, column))
            column++;
        if (column < CB_GAME_COLUMNS) {
            cb_board child = cb_board_play(board, column);
            if (left > 1 && !cb_board_lost(child) && !cb_board_full(child)) {
                path = cb_board_push(path, column, best);
                board = child;
                left--;
                column = 0;
                best = -CB_GAME_WIN;
                continue;
            }
            value = -cb_board_leaf(child, plies + depth - left + 1);
        } else if (left == depth) {
            return best;
        } else { /* all children are known: back to the parent */
            value = -best;
            column = cb_board_last_column(path);
            best = cb_board_last_best(path);
            path = cb_board_pop(path);
            board = cb_board_undo(board, column);
            left++;
        }
        best = value > best ? value : best;
        column++;
    }
}
