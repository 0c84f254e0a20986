/* SPDX-License-Identifier: Apache-2.0
 *
 * Connect Four: the bitboards of kernels against the array of the reference, and the reference
 * against positions whose values are known.
 */
#include "random_fixture.h"
#include "tests/unit/unit.h"

#include <string.h>

#include "apps/game/board_abi.h"
#include "apps/game/reference.h"

#define CELLS (CB_GAME_COLUMNS * CB_GAME_ROWS)
/* A game that fills the board without four in a row. */
#define DRAW "114233422562342465101534411626660030530055"

/* --- One game, played on both boards ---------------------------------------------------------- */

struct game {
    struct cb_game_array array;
    cb_board board;
};

static void play(struct game *g, unsigned column)
{
    cb_game_array_play(&g->array, column);
    g->board = cb_board_play(g->board, column);
}

static struct game after(const char *moves)
{
    struct game g = {0};
    for (; *moves; moves++)
        play(&g, (unsigned)(*moves - '0'));
    return g;
}

static bool is_over(const struct game *g)
{
    return cb_game_array_lost(&g->array) || cb_game_array_full(&g->array);
}

static unsigned random_move(const struct game *g)
{
    for (;;) {
        unsigned column = cb_random_below(&dice, CB_GAME_COLUMNS);
        if (cb_game_array_playable(&g->array, column))
            return column;
    }
}

/* A position of up to stones stones, fewer where the game is over. */
static struct game random_game(unsigned stones)
{
    struct game g = {0};
    while (g.array.stones < stones && !is_over(&g))
        play(&g, random_move(&g));
    return g;
}

/* --- Bitboards against the array -------------------------------------------------------------- */

static void assert_same_stones(const struct game *g)
{
    unsigned mover = g->array.stones % 2 + 1u;
    cb_u64 own = 0, all = 0;
    for (unsigned column = 0; column < CB_GAME_COLUMNS; column++) {
        for (unsigned row = 0; row < CB_GAME_ROWS; row++) {
            cb_u64 bit = (cb_u64)1 << (7 * column + row);
            all |= g->array.cell[column][row] ? bit : 0;
            own |= g->array.cell[column][row] == mover ? bit : 0;
        }
    }
    assert_true(g->board.all == all);
    assert_true(g->board.mover == own);
}

static void assert_undo(const struct game *g)
{
    for (unsigned column = 0; column < CB_GAME_COLUMNS; column++) {
        if (!cb_board_playable(g->board, column))
            continue;
        cb_board back = cb_board_undo(cb_board_play(g->board, column), column);
        assert_true(back.mover == g->board.mover && back.all == g->board.all);
    }
}

static void assert_same_rules(const struct game *g)
{
    assert_same_stones(g);
    assert_undo(g);
    for (unsigned column = 0; column < CB_GAME_COLUMNS; column++)
        assert_int_equal(!!cb_board_playable(g->board, column),
                         cb_game_array_playable(&g->array, column));
    assert_int_equal(!!cb_board_lost(g->board), cb_game_array_lost(&g->array));
    assert_int_equal(!!cb_board_full(g->board), cb_game_array_full(&g->array));
    if (!cb_game_array_lost(&g->array))
        assert_int_equal(cb_board_score(g->board), cb_game_array_score(&g->array));
}

TEST(rules_agree)
{
    for (unsigned i = 0; i < 4000; i++) {
        struct game g = {0};
        assert_same_rules(&g);
        while (!is_over(&g)) {
            play(&g, random_move(&g));
            assert_same_rules(&g);
        }
    }
}

TEST(draw_agrees)
{
    struct game g = {0};
    for (const char *move = DRAW; *move; move++) {
        assert_false(is_over(&g));
        play(&g, (unsigned)(*move - '0'));
        assert_same_rules(&g);
    }
    assert_true(cb_board_full(g.board));
    assert_int_equal(cb_board_value(g.board, 4, 3), 0);
    assert_int_equal(cb_game_array_value(&g.array, 4, 3), 0);
}

TEST(values_agree)
{
    for (unsigned i = 0; i < 4000; i++) {
        struct game g = random_game(cb_random_below(&dice, CELLS + 1));
        unsigned plies = cb_random_below(&dice, 10);
        unsigned deepest = i % 10 == 0 ? 4 : 3;
        for (unsigned depth = 0; depth <= deepest; depth++)
            assert_int_equal(cb_board_value(g.board, depth, plies),
                             cb_game_array_value(&g.array, depth, plies));
    }
}

/* Deep, but with few columns left: as far as the stack of cb_board_value() goes. */
TEST(deep_values_agree)
{
    for (unsigned i = 0; i < 400; i++) {
        struct game g = random_game(31 + cb_random_below(&dice, 8));
        for (unsigned depth = 5; depth <= CB_BOARD_DEPTH_MAX; depth++)
            assert_int_equal(cb_board_value(g.board, depth, 0),
                             cb_game_array_value(&g.array, depth, 0));
    }
    struct game draw = {0};
    for (unsigned i = 0; DRAW[i + CB_BOARD_DEPTH_MAX]; i++)
        play(&draw, (unsigned)(DRAW[i] - '0'));
    assert_int_equal(cb_board_value(draw.board, CB_BOARD_DEPTH_MAX, 0),
                     cb_game_array_value(&draw.array, CB_BOARD_DEPTH_MAX, 0));
}

/* The values of root moves are those of a search without pruning. */
TEST(root_moves_agree)
{
    static const char *const openings[] = {"", "3", "3333", "334", "2233", "0123456", "333333"};
    for (size_t i = 0; i < CB_COUNTOF(openings); i++) {
        int values[CB_GAME_COLUMNS];
        cb_game_reference(openings[i], 5, values);
        struct game g = after(openings[i]);
        for (unsigned column = 0; column < CB_GAME_COLUMNS; column++) {
            int expected = CB_GAME_ILLEGAL;
            if (cb_board_playable(g.board, column))
                expected = -cb_board_value(cb_board_play(g.board, column), 4, 1);
            assert_int_equal(values[column], expected);
        }
    }
}

/* --- Known values ----------------------------------------------------------------------------- */

static void values_are(const char *moves, unsigned depth, const int expected[CB_GAME_COLUMNS])
{
    int values[CB_GAME_COLUMNS];
    cb_game_reference(moves, depth, values);
    for (unsigned column = 0; column < CB_GAME_COLUMNS; column++)
        assert_int_equal(values[column], expected[column]);
}

/* Lines through a cell of the bottom row: one upwards, and those sideways and diagonal. */
TEST(scores_of_first_moves)
{
    const int lines[CB_GAME_COLUMNS] = {3, 4, 5, 7, 5, 4, 3};
    values_are("", 1, lines);
}

static void score_is(const char *moves, int expected)
{
    struct game g = after(moves);
    assert_int_equal(cb_game_array_score(&g.array), expected);
    assert_int_equal(cb_board_score(g.board), expected);
}

/* Counted by hand, for the player to move: sideways, upwards, diagonal. */
TEST(scores)
{
    score_is("", 0);
    score_is("0", -(1 + 1 + 1));
    score_is("00", (1 + 0 + 1) - (1 + 1 + 1));
    score_is("06162", (2 + (4 + 1) + 2) - ((16 + 4 + 1) + 3 + 3));
    score_is("061626", ((16 + 4 + 1) + 3 + 3) - (3 + (16 + 4 + 1) + 3));
}

TEST(wins_at_once)
{
    int values[CB_GAME_COLUMNS];
    for (unsigned depth = 1; depth <= 6; depth++) {
        cb_game_reference("223344", depth, values); /* three at the bottom, open at both ends */
        assert_int_equal(values[1], CB_GAME_WIN - 1);
        assert_int_equal(values[5], CB_GAME_WIN - 1);
        assert_true(values[0] < CB_GAME_WIN - 1);
    }
}

/* Two at the bottom, open at both ends: the third makes two threats. */
TEST(wins_in_three)
{
    int values[CB_GAME_COLUMNS];
    cb_game_reference("2233", 2, values);
    for (unsigned column = 0; column < CB_GAME_COLUMNS; column++)
        assert_in_range(values[column] + 1000, 0, 2000); /* too far away to be seen */
    for (unsigned depth = 3; depth <= 6; depth++) {
        cb_game_reference("2233", depth, values);
        assert_int_equal(values[1], CB_GAME_WIN - 3);
        assert_int_equal(values[4], CB_GAME_WIN - 3);
        assert_true(values[6] < CB_GAME_WIN - 3);
    }
}

TEST(loses_in_two)
{
    const int lost[CB_GAME_COLUMNS] = {2 - CB_GAME_WIN, 2 - CB_GAME_WIN, 2 - CB_GAME_WIN,
                                       2 - CB_GAME_WIN, 2 - CB_GAME_WIN, 2 - CB_GAME_WIN,
                                       2 - CB_GAME_WIN};
    values_are("22334", 2, lost);
    values_are("22334", 5, lost);
}

/* The last moves of a game that ends without a winner. */
TEST(full_board_is_a_draw)
{
    char moves[CELLS] = {0};
    memcpy(moves, DRAW, CELLS - 1);
    int expected[CB_GAME_COLUMNS];
    for (unsigned column = 0; column < CB_GAME_COLUMNS; column++)
        expected[column] = CB_GAME_ILLEGAL;
    expected[DRAW[CELLS - 1] - '0'] = 0;
    values_are(moves, 1, expected);
    values_are(moves, 9, expected);
}

TEST(full_columns_are_illegal)
{
    int values[CB_GAME_COLUMNS];
    cb_game_reference("333333000000", 3, values);
    for (unsigned column = 0; column < CB_GAME_COLUMNS; column++) {
        if (column == 0 || column == 3)
            assert_int_equal(values[column], CB_GAME_ILLEGAL);
        else
            assert_true(values[column] > CB_GAME_ILLEGAL);
    }
}

/* A random opening that cb_game_opening() accepts, and its mirror image. */
static void random_opening(unsigned length, char *moves, char *mirrored)
{
    struct cb_game_array position;
    do {
        for (unsigned i = 0; i < length; i++) {
            unsigned column = cb_random_below(&dice, CB_GAME_COLUMNS);
            moves[i] = (char)('0' + column);
            mirrored[i] = (char)('0' + CB_GAME_COLUMNS - 1 - column);
        }
        moves[length] = mirrored[length] = '\0';
    } while (cb_game_opening(moves, &position, NULL) != CB_OK);
}

TEST(mirror_images)
{
    for (unsigned i = 0; i < 200; i++) {
        char moves[CELLS], mirrored[CELLS];
        random_opening(i % 16, moves, mirrored);
        int left[CB_GAME_COLUMNS], right[CB_GAME_COLUMNS];
        cb_game_reference(moves, 4, left);
        cb_game_reference(mirrored, 4, right);
        for (unsigned column = 0; column < CB_GAME_COLUMNS; column++)
            assert_int_equal(left[column], right[CB_GAME_COLUMNS - 1 - column]);
    }
}

/* --- Openings --------------------------------------------------------------------------------- */

TEST(opening)
{
    struct cb_game_array position;
    struct cb_err err;
    assert_int_equal(cb_game_opening("", &position, &err), CB_OK);
    assert_int_equal(position.stones, 0);
    assert_int_equal(cb_game_opening("3340", &position, &err), CB_OK);
    assert_int_equal(position.stones, 4);
    assert_int_equal(position.cell[3][0], 1);
    assert_int_equal(position.cell[3][1], 2);
    assert_int_equal(position.cell[4][0], 1);
    assert_int_equal(position.cell[0][0], 2);
}

static void refuses(const char *moves, const char *message)
{
    struct cb_game_array position;
    struct cb_err err = {0};
    assert_int_equal(cb_game_opening(moves, &position, &err), CB_USAGE);
    assert_int_equal(err.status, CB_USAGE);
    assert_string_equal(err.text, message);
    assert_int_equal(cb_game_opening(moves, &position, NULL), CB_USAGE);
}

TEST(wrong_openings)
{
    refuses("337", "opening \"337\": move 3 is not a column from 0 to 6");
    refuses("3 3", "opening \"3 3\": move 2 is not a column from 0 to 6");
    refuses("-1", "opening \"-1\": move 1 is not a column from 0 to 6");
    refuses("\xc3\xa9", "opening \"\xc3\xa9\": move 1 is not a column from 0 to 6");
    refuses("3333333", "opening \"3333333\": move 7: column 3 is full");
    refuses("0101010", "opening \"0101010\": the game is over after move 7: four in a row");
    refuses("01010103", "opening \"01010103\": the game is over after move 7: four in a row");
    refuses(DRAW, "opening \"" DRAW "\": the game is over after move 42: the board is full");
    refuses(DRAW "0", "opening \"" DRAW "0\": the game is over after move 42: the board is full");
}

ALL_TESTS(seed_random, NULL)
