/* SPDX-License-Identifier: Apache-2.0
 *
 * Quantities for people.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A time of ns nanoseconds with three digits: "139 µs"; empty if it is not a number. */
void cb_format_time(char *text, size_t size, double ns);

/* Formats anything that is not negative, with a prefix before its unit: "12.3 mJ". */
void cb_format_quantity(char *text, size_t size, double value, const char *unit);

/* A share in whole percent, cut off, so that only all is 100: "99". */
int cb_whole_percent(double share);

/* "1 colour", "7 colours"; an integer as one, however large. Without words, the number alone. */
void cb_format_count(char *text, size_t size, double n, const char *one, const char *several);

/* The seconds of a duration: a positive number with s, m, h or d after it, as "90s" or "1.5h".
 * false: it is none, or longer than ten years. */
bool cb_read_duration(const char *text, double *seconds);
