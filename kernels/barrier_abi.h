/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "mutex_abi.h" /* CB_LINE_WORDS */

/* Words of a barrier between `groups` workgroups: two lines for the central ones, and two flags a
 * workgroup for xf; five lines for monitor. */
#define CB_BARRIER_WORDS(groups) (5u * CB_LINE_WORDS + 2u * (groups))
