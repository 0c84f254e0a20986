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
