/* SPDX-License-Identifier: Apache-2.0
 *
 * A triangulation of the square, as the kernel has it (dmr_abi.h).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "apps/dmr/dmr_abi.h"
#include "apps/dmr/geometry.h"
#include "runtime/host/error.h"

struct cb_dmr_mesh {
    struct cb_dmr_point *points;
    uint32_t *corners, *links; /* four words a triangle */
    uint32_t n_points, n_triangles;
};

/* Makes the Delaunay triangulation of the square's corners, which become its first points, and of n
 * points: all different, none a corner, from 0 to DMR_SIDE. They get numbers along a curve.
 * Incremental insertion in a biased randomized order (Amenta, Choi, Rote: Incremental constructions
 * con BRIO, SoCG 2003), each by flips (Lawson 1977). Free the mesh whatever comes out. */
enum cb_status cb_dmr_triangulate(const struct cb_dmr_point *points, uint32_t n,
                                  struct cb_dmr_mesh *mesh, struct cb_err *err);

/* Takes out the triangles that are DMR_GONE. A link to one of these, or to none, becomes one to
 * nowhere, which a check finds. */
void cb_dmr_mesh_compact(struct cb_dmr_mesh *mesh);

void cb_dmr_mesh_free(struct cb_dmr_mesh *mesh);

/* The edge after this one in its triangle. */
static inline uint32_t cb_dmr_next(uint32_t edge)
{
    return edge % 4 == 2 ? edge - 2 : edge + 1;
}

static inline const struct cb_dmr_point *cb_dmr_corner(const struct cb_dmr_mesh *mesh,
                                                       uint32_t edge)
{
    return &mesh->points[mesh->corners[edge]];
}
