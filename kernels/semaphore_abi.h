/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "mutex_abi.h" /* CB_LINE_WORDS */

#define CB_SEMAPHORE_WORDS 64u /* two lines */
