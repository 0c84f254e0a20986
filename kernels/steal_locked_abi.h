/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "mutex_abi.h"

/* Words of a queue with a lock (steal_locked.clh): the lock, and after it, in a line of its own,
 * how many tasks it has. */
#define CB_LOCKED_WORDS (CB_MUTEX_WORDS(0) + CB_LINE_WORDS)
