/* SPDX-License-Identifier: Apache-2.0
 *
 * Work of the host on several cores, such as a check of a large result.
 */
#pragma once

#define CB_PARTS 16u /* enough to keep the memory of most machines busy */

/* Calls work(context, part) for each part from 0 to CB_PARTS - 1, on as many threads as there are
 * cores, and waits for all. Which part comes when is not known. */
void cb_parallel(void (*work)(void *context, unsigned part), void *context);
