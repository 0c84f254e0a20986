/* SPDX-License-Identifier: Apache-2.0
 *
 * paper.cl with one barrier of a round that resizes (apps/shared/paper_barrier.clh).
 */
#define PAPER_ONCE
#include "paper.cl"
