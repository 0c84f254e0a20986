/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "mutex_abi.h" /* CB_LINE_WORDS */

/* Words of a queue of `slots` elements, a power of two from 2 on. */
#define CB_QUEUE_WORDS(slots) (7u * CB_LINE_WORDS + 2u * (slots))
