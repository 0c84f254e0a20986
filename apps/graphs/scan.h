/* SPDX-License-Identifier: Apache-2.0
 *
 * The words and numbers of a text, line by line, for all text formats. A word ends at a blank, a
 * tab or the end of the line; lines end with "\n" or "\r\n", the last one also with the file.
 *
 * Errors: CB_USAGE, "FILE:LINE: what was expected, got what is there"; or what kept the file from
 * being read (input.h).
 *
 *     struct cb_scan scan = {input};
 *     while (cb_scan_next_line(&scan))
 *         status = cb_scan_line(&scan, "FROM TO", ranges, 2, ends);
 */
#pragma once

#include "apps/graphs/input.h"

struct cb_scan {
    struct cb_graph_input *input;
    const char *line;     /* where it begins; of a very long one, a part */
    uint64_t line_number; /* from 1; 0: none yet */
};

struct cb_scan_range {
    const char *name;
    uint64_t min, max;
};

/* Goes to the beginning of the next line; false at the end of the file. */
bool cb_scan_next_line(struct cb_scan *scan);

/* The next character of the line, '\n' at its end; blanks are skipped. */
char cb_scan_peek(struct cb_scan *scan);

/* If the next word is this one, in upper or lower case, skips it. */
bool cb_scan_skip_word(struct cb_scan *scan, const char *word);

/* Reads a number, which must be there. */
enum cb_status cb_scan_number(struct cb_scan *scan, const struct cb_scan_range *range,
                              uint64_t *value);

/* Reads `count` numbers, with which the line must end; form describes it, "FROM TO". */
enum cb_status cb_scan_line(struct cb_scan *scan, const char *form,
                            const struct cb_scan_range *ranges, size_t count, uint64_t *values);

/* Reads the absolute value of a decimal number ("-1.5e3"), as an integer: the nearest, at most max;
 * or, of `integer`, a number without point and exponent. */
enum cb_status cb_scan_magnitude(struct cb_scan *scan, const struct cb_scan_range *range,
                                 bool integer, uint64_t *value);

/* Reads a decimal number ("-1.5e3") that a double can hold. */
enum cb_status cb_scan_decimal(struct cb_scan *scan, const char *name, double *value);

/* Nothing but blanks may follow in the line, which should be of this form. */
enum cb_status cb_scan_end(struct cb_scan *scan, const char *form);

/* "FILE:LINE: message". */
enum cb_status cb_scan_wrong(const struct cb_scan *scan, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "FILE:LINE: message, got" this line, or its next word, which may be missing. */
enum cb_status cb_scan_wrong_line(const struct cb_scan *scan, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
enum cb_status cb_scan_wrong_word(struct cb_scan *scan, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define CB_SCAN_SHOWN  60 /* characters of a file in a message */
#define CB_SCAN_QUOTED (4 * CB_SCAN_SHOWN + 8)

/* What the file says, in quotes: a file may hold anything, a message only text. */
const char *cb_scan_quote(const char *from, const char *to, char quoted[CB_SCAN_QUOTED]);
