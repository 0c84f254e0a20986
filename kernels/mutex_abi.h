/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "types.h"

/* Words of a mutex that `slots` workgroups at most use at once: a power of two for the queue lock,
 * 0 for the others. Words that different workgroups poll are CB_LINE_WORDS apart. */
#define CB_LINE_WORDS         32u
#define CB_MUTEX_WORDS(slots) (64u + (slots)*CB_LINE_WORDS)
