/* SPDX-License-Identifier: Apache-2.0
 *
 * Graph colouring by independent sets (FSE'17 Tab. 1: color). In the rounds of Pannotia's color,
 * round r gives colour r to each vertex that has no neighbour of higher priority without a colour:
 * one more than the highest of such neighbours.
 */
#define PRIORITY_AFTER(colour) ((colour) + 1)
#define PRIORITY_MOST          0x7fffffffu
#include "apps/shared/priority.clh"
