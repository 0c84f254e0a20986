/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "types.h"

#define WORKLIST_CHUNK 32u /* records of a hub that are relaxed together */
#define WORKLIST_TALLIES                                                                           \
    15u                   /* five kinds, three of each: read, written, cleared (sssp_worklist.cl) */
#define WORKLIST_LINE 32u /* words between them */

static inline cb_u32 worklist_chunks(cb_u32 records)
{
    return (records + WORKLIST_CHUNK - 1) / WORKLIST_CHUNK;
}
