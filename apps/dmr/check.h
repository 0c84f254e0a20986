/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "apps/dmr/mesh.h"
#include "measure/bench.h"

/* Checks that mesh is a Delaunay triangulation of the square with the points of input and perhaps
 * more, its triangles linked as they lie. All of it exact. False: out of memory. */
bool cb_dmr_check_mesh(const struct cb_dmr_mesh *mesh, const struct cb_dmr_mesh *input,
                       struct cb_sample *sample);

/* Checks that no triangle is bad (dmr_abi.h), of a mesh that passed the other check. The sample
 * gets a note of those that are skinny and too small to be bad, if there are any. */
void cb_dmr_check_angles(const struct cb_dmr_mesh *mesh, struct cb_sample *sample);
