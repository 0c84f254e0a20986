/* SPDX-License-Identifier: Apache-2.0
 *
 * Distances of sssp_nested.
 */
#pragma once
#include "kernels/types.h"

#define SSSP_FAR 0xffffffffu /* no path */

/* What is farther than that is as far. */
static inline cb_u32 sssp_sum(cb_u32 distance, cb_u32 weight)
{
    return distance + weight < distance ? SSSP_FAR : distance + weight;
}
