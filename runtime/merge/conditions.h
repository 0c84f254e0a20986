/* SPDX-License-Identifier: Apache-2.0
 *
 * What #if decides by the text alone, and what it leaves to the device's compiler.
 */
#pragma once

#include "runtime/merge/unit.h"

/* Blanks what an #if takes away, and its own lines, where its condition has none but macros that
 * the text or its options define, or leave undefined. Marks macros that other conditions may define
 * otherwise on the device. */
void cb_merge_decide(struct cb_merge_unit *u);

/* Whether a part of the text says the same on all devices: no macro in it is the compiler's. */
bool cb_merge_is_by_text(struct cb_merge_unit *u, uint32_t begin, uint32_t end);
