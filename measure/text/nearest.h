/* SPDX-License-Identifier: Apache-2.0
 *
 * "Did you mean": the word nearest to a misspelt one.
 */
#pragma once

#include <stddef.h>

/* The candidate nearest to word by edit distance; NULL if none is near. next(context, i) gives
 * candidate i, NULL after the last. */
const char *cb_nearest(const char *word, const char *(*next)(const void *context, int i),
                       const void *context);
/* Finds the nearest word of a comma-separated list (result in buffer). */
const char *cb_nearest_choice(const char *word, const char *choices, char *buffer, size_t size);
