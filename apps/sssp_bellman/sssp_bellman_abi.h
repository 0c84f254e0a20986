/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "types.h"

#define BELLMAN_BLOCK 1024u /* vertices whose words a workgroup has in local memory */
#define BELLMAN_LISTS 3u    /* sizes of: the list that is read, the one written, the one cleared */
#define BELLMAN_LINE  32u   /* words between them */

static inline cb_u32 bellman_blocks(cb_u32 vertices)
{
    return (vertices - 1) / BELLMAN_BLOCK + 1;
}
