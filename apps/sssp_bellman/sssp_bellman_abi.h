/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "types.h"

#define BELLMAN_BLOCK 1024u /* vertices whose words a workgroup has in local memory */
#define BELLMAN_LISTS 3u    /* sizes of: the list that is read, the one written, the one cleared */
#define BELLMAN_LINE  32u   /* words between them */

/* Exits of all blocks: a work-item counts on to one that is four workgroups further. */
#define BELLMAN_MOST_EXITS (0xffffffffu - 4 * 65536u)

static inline cb_u32 bellman_blocks(cb_u32 vertices)
{
    return (vertices - 1) / BELLMAN_BLOCK + 1;
}
