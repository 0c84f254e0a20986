/* SPDX-License-Identifier: Apache-2.0
 *
 * Quantities for people.
 */
#pragma once

#include <stddef.h>

/* A time of ns nanoseconds with three digits: "139 µs"; empty if it is not a number. */
void cb_format_time(char *text, size_t size, double ns);
