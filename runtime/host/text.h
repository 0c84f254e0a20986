/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts of files, arguments and drivers, on their way to people: what a terminal would obey is
 * shown instead.
 */
#pragma once

#include <stddef.h>
#include <stdio.h>

/* The number of bytes of the character of UTF-8 at text, if a terminal shows it or it is a tab or
 * the end of a line; 0: it is a control character, or none. */
size_t cb_text_character(const char *text);

enum cb_text_use {
    CB_TEXT_SHOWN,  /* bytes that are no UTF-8 as \xff, which names them */
    CB_TEXT_QUOTED, /* bytes that are no UTF-8, tabs and ends of lines as \xff */
    CB_TEXT_STORED, /* as U+FFFD, for formats that everyone reads */
};

/* Copies as much of a text of n bytes as there is room for, whole characters only; NUL bytes and
 * other control characters become \x1b and the like. A text that is clean stays as it is. A NUL
 * byte stands after both. Returns the length of `to`. */
size_t cb_text_clean(char *to, size_t room, const char *text, size_t n, enum cb_text_use use);

/* Room for the clean copy of any text of n bytes. */
#define CB_TEXT_ROOM(n) (4 * (n) + 1)

/* printf(), cleaned as CB_TEXT_SHOWN: for lines with names of files, devices or programs. */
void cb_text_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Ending of a plural: "s" of any number but 1: "%d case%s". */
#define CB_PLURAL(n) ((n) == 1 ? "" : "s")

/* Appends a part to a list such as "ticket, delay 0, launch 3", cut off at its end: a comma stands
 * before all but the first. */
void cb_text_join(char *list, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
