/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "types.h"

#define PRIORITY_UNDECIDED 0x80000000u /* in a state; the other bits are what it is at least */
#define PRIORITY_SIZES     3u /* of the list that is read, of the one that is written, of the next */
#define PRIORITY_LINE      32u /* words between them */

/* Random, and one to one, so that no two vertices have the same: MurmurHash3's last step. */
static inline cb_u32 priority_of(cb_u32 vertex)
{
    vertex = (vertex ^ vertex >> 16) * 0x85ebca6bu;
    vertex = (vertex ^ vertex >> 13) * 0xc2b2ae35u;
    return vertex ^ vertex >> 16;
}

/* What the digest of a run adds up over the vertices. */
static inline cb_u32 priority_digest(cb_u32 vertex, cb_u32 result)
{
    return (vertex * 2654435761u + 1u) * (result + 1u);
}
