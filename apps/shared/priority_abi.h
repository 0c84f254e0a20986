/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "types.h"

/* The state of an undecided vertex. The state of one that is decided is its result. */
#define PRIORITY_UNDECIDED 0x80000000u
#define PRIORITY_BEGUN     0x40000000u /* the vertex has a cursor */
/* The vertex is not to be decided in this pass. */
#define PRIORITY_LATER(pass) (0x20000000u >> (pass) % 2)
#define PRIORITY_LEAST       0x0fffffffu /* mask: what the result is at least */

/* Sizes of the list that is read, the one that is written, and the next. */
#define PRIORITY_SIZES 3u
#define PRIORITY_LINE  32u /* words between sizes */

/* Random priorities, one to one, so that no two vertices have the same: MurmurHash3's last step. */
static inline cb_u32 priority_of(cb_u32 vertex)
{
    vertex = (vertex ^ vertex >> 16) * 0x85ebca6bu;
    vertex = (vertex ^ vertex >> 13) * 0xc2b2ae35u;
    return vertex ^ vertex >> 16;
}

/* What a vertex adds to the digest of a run. */
static inline cb_u32 priority_digest(cb_u32 vertex, cb_u32 result)
{
    return (vertex * 2654435761u + 1u) * (result + 1u);
}
