/* SPDX-License-Identifier: Apache-2.0
 *
 * Work of the host on several cores, such as a check of a large result.
 */
#pragma once

#include <stdint.h>

#define CB_PARTS 16u /* enough to keep the memory of most machines busy */

/* Calls work(context, i) for each i below n, on as many threads as there are cores, but at most
 * CB_PARTS, and waits for all. Which comes when is not known. */
void cb_parallel_for(unsigned n, void (*work)(void *context, unsigned i), void *context);

/* Runs work for each part from 0 to CB_PARTS - 1. */
void cb_parallel(void (*work)(void *context, unsigned part), void *context);

/* Where a part of so many things begins: the next one begins where it ends. */
static inline uint64_t cb_part(uint64_t count, unsigned part)
{
    return count / CB_PARTS * part + count % CB_PARTS * part / CB_PARTS;
}
