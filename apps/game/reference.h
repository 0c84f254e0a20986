/* SPDX-License-Identifier: Apache-2.0
 *
 * Connect Four once more, plain and serial: an array of cells, lines walked cell by cell, recursive
 * alpha-beta. Checks what the kernels find; shares only constants with board_abi.h, whose head
 * defines the value of a position.
 */
#pragma once

#include <stdbool.h>

#include "apps/game/board_abi.h"
#include "runtime/host/error.h"

/* All zero: the empty board. Player 1 begins. */
struct cb_game_array {
    unsigned char cell[CB_GAME_COLUMNS][CB_GAME_ROWS]; /* 0: empty, else whose stone */
    unsigned char height[CB_GAME_COLUMNS];
    unsigned char stones;
    unsigned char last; /* column of the last stone */
};

/* Whether column has room. */
bool cb_game_array_playable(const struct cb_game_array *position, unsigned column);

/* A stone of the player to move into a column that has room. */
void cb_game_array_play(struct cb_game_array *position, unsigned column);

/* Whether the last stone is part of four in a row: the player to move has lost. */
bool cb_game_array_lost(const struct cb_game_array *position);

bool cb_game_array_full(const struct cb_game_array *position);

/* Static evaluation for the player to move, of a game that is not over. */
int cb_game_array_score(const struct cb_game_array *position);

/* Value for the player to move, depth stones ahead, plies stones after the root. */
int cb_game_array_value(const struct cb_game_array *position, unsigned depth, unsigned plies);

/* Plays moves, one digit 0 to 6 for the column of each, from the empty board. CB_USAGE, and what is
 * wrong: other characters, a full column, or that the game is over, also after the last move. */
enum cb_status cb_game_opening(const char *moves, struct cb_game_array *out, struct cb_err *err);

/* The exact value of each root move for the player to move after the opening `moves`, which
 * cb_game_opening() accepts, looking depth stones ahead (at least 1: the move itself);
 * CB_GAME_ILLEGAL where the column is full. */
void cb_game_reference(const char *moves, unsigned depth, int values[CB_GAME_COLUMNS]);
