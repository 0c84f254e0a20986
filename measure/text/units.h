/* SPDX-License-Identifier: Apache-2.0
 *
 * Quantities for people.
 */
#pragma once

#include <stddef.h>

/* A time of ns nanoseconds with three digits: "139 µs"; empty if it is not a number. */
void cb_format_time(char *text, size_t size, double ns);

/* The same of anything, not negative, with a prefix before its unit: "12.3 mJ". */
void cb_format_quantity(char *text, size_t size, double value, const char *unit);
