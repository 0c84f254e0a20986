/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/game/reference.h"

#define LINE   4
#define BEYOND (2 * CB_GAME_WIN) /* beyond every value */

static const int directions[][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}}; /* columns, rows */

static unsigned mover(const struct cb_game_array *p)
{
    return p->stones % 2 + 1u;
}

static bool on_board(int column, int row)
{
    return column >= 0 && column < (int)CB_GAME_COLUMNS && row >= 0 && row < (int)CB_GAME_ROWS;
}

/* --- Rules ------------------------------------------------------------------------------------ */

bool cb_game_array_playable(const struct cb_game_array *p, unsigned column)
{
    return p->height[column] < CB_GAME_ROWS;
}

void cb_game_array_play(struct cb_game_array *p, unsigned column)
{
    p->cell[column][p->height[column]] = (unsigned char)mover(p);
    p->height[column]++;
    p->stones++;
    p->last = (unsigned char)column;
}

/* Stones of the same player in a row, beginning beside the given cell. */
static int walk(const struct cb_game_array *p, int column, int row, int right, int up)
{
    unsigned player = p->cell[column][row];
    int n = 0;
    for (;;) {
        column += right;
        row += up;
        if (!on_board(column, row) || p->cell[column][row] != player)
            return n;
        n++;
    }
}

bool cb_game_array_lost(const struct cb_game_array *p)
{
    if (p->stones == 0)
        return false;
    int column = p->last;
    int row = p->height[column] - 1;
    for (size_t i = 0; i < CB_COUNTOF(directions); i++) {
        int right = directions[i][0];
        int up = directions[i][1];
        if (walk(p, column, row, right, up) + 1 + walk(p, column, row, -right, -up) >= LINE)
            return true;
    }
    return false;
}

bool cb_game_array_full(const struct cb_game_array *p)
{
    return p->stones == CB_GAME_COLUMNS * CB_GAME_ROWS;
}

/* --- Score ------------------------------------------------------------------------------------ */

static int line_score(const struct cb_game_array *p, int column, int row, const int direction[2])
{
    static const int weights[] = {0, 1, 4, 16};
    int stones[3] = {0}; /* empty cells, and stones of each player */
    for (int i = 0; i < LINE; i++)
        stones[p->cell[column + i * direction[0]][row + i * direction[1]]]++;
    int own = stones[mover(p)];
    int others = stones[3 - mover(p)];
    if (own > 0 && others > 0)
        return 0;
    return weights[own] - weights[others];
}

int cb_game_array_score(const struct cb_game_array *p)
{
    int score = 0;
    for (size_t i = 0; i < CB_COUNTOF(directions); i++) {
        const int *direction = directions[i];
        for (int column = 0; column < (int)CB_GAME_COLUMNS; column++) {
            for (int row = 0; row < (int)CB_GAME_ROWS; row++) {
                if (on_board(column + (LINE - 1) * direction[0], row + (LINE - 1) * direction[1]))
                    score += line_score(p, column, row, direction);
            }
        }
    }
    return score;
}

/* --- Value ------------------------------------------------------------------------------------ */

/* Exact between alpha and beta; beyond them a bound. */
static int alpha_beta(const struct cb_game_array *p, unsigned depth, unsigned plies, int alpha,
                      int beta)
{
    static const unsigned center_first[CB_GAME_COLUMNS] = {3, 2, 4, 1, 5, 0, 6};
    if (cb_game_array_lost(p))
        return -(CB_GAME_WIN - (int)plies);
    if (cb_game_array_full(p))
        return 0;
    if (depth == 0)
        return cb_game_array_score(p);
    int best = -BEYOND;
    for (unsigned i = 0; i < CB_GAME_COLUMNS && best < beta; i++) {
        if (!cb_game_array_playable(p, center_first[i]))
            continue;
        struct cb_game_array child = *p;
        cb_game_array_play(&child, center_first[i]);
        int bound = best > alpha ? best : alpha;
        int value = -alpha_beta(&child, depth - 1, plies + 1, -beta, -bound);
        if (value > best)
            best = value;
    }
    return best;
}

int cb_game_array_value(const struct cb_game_array *p, unsigned depth, unsigned plies)
{
    return alpha_beta(p, depth, plies, -BEYOND, BEYOND);
}

/* --- Openings --------------------------------------------------------------------------------- */

static enum cb_status play_opening(const char *moves, struct cb_game_array *p, struct cb_err *err)
{
    for (unsigned i = 0; moves[i]; i++) {
        if (moves[i] < '0' || moves[i] >= (char)('0' + CB_GAME_COLUMNS))
            return cb_fail(err, CB_USAGE, "move %u is not a column from 0 to %u", i + 1,
                           CB_GAME_COLUMNS - 1);
        unsigned column = (unsigned)(moves[i] - '0');
        if (!cb_game_array_playable(p, column))
            return cb_fail(err, CB_USAGE, "move %u: column %u is full", i + 1, column);
        cb_game_array_play(p, column);
        if (cb_game_array_lost(p))
            return cb_fail(err, CB_USAGE, "the game is over after move %u: four in a row", i + 1);
        if (cb_game_array_full(p))
            return cb_fail(err, CB_USAGE, "the game is over after move %u: the board is full",
                           i + 1);
    }
    return CB_OK;
}

enum cb_status cb_game_opening(const char *moves, struct cb_game_array *out, struct cb_err *err)
{
    *out = (struct cb_game_array){0};
    if (play_opening(moves, out, err) != CB_OK) {
        cb_context(err, "opening \"%s\"", moves);
        return CB_USAGE;
    }
    return CB_OK;
}

/* --- Root ------------------------------------------------------------------------------------- */

void cb_game_reference(const char *moves, unsigned depth, int values[CB_GAME_COLUMNS])
{
    struct cb_game_array root = {0};
    for (; *moves; moves++)
        cb_game_array_play(&root, (unsigned)(*moves - '0'));
    for (unsigned column = 0; column < CB_GAME_COLUMNS; column++) {
        values[column] = CB_GAME_ILLEGAL;
        if (!cb_game_array_playable(&root, column))
            continue;
        struct cb_game_array child = root;
        cb_game_array_play(&child, column);
        values[column] = -cb_game_array_value(&child, depth - 1, 1);
    }
}
