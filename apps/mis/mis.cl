/* SPDX-License-Identifier: Apache-2.0
 *
 * Maximal independent set (FSE'17 Tab. 1: mis): a vertex is in it, 0, if no neighbour of higher
 * priority is; else out of it, 1.
 */
#define PRIORITY_AFTER(out) (1 - (out))
#define PRIORITY_MOST       1u
#include "apps/shared/priority.clh"
