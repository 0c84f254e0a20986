/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "mutex_abi.h" /* CB_LINE_WORDS */

/* Words of a barrier between `groups` workgroups: two lines for the central ones, and a flag for
 * each workgroup for xf, two for xf_rounds; five lines for monitor. */
#define CB_BARRIER_WORDS(groups) (5u * CB_LINE_WORDS + 2u * (groups))
