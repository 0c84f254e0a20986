/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "apps/dmr/mesh.h"

#define NONE    UINT32_MAX       /* of a triangle that is gone: its new number */
#define NOWHERE (DMR_BORDER - 1) /* a link */

/* Puts its new number into the fourth word of each triangle's corners; returns how many stay. */
static uint32_t number_those_that_stay(const struct cb_dmr_mesh *mesh)
{
    uint32_t stay = 0;
    for (size_t t = 0; t < mesh->n_triangles; t++)
        mesh->corners[4 * t + 3] = mesh->corners[4 * t + 3] & DMR_GONE ? NONE : stay++;
    return stay;
}

static uint32_t moved(const struct cb_dmr_mesh *mesh, uint32_t link)
{
    if (link == DMR_BORDER)
        return DMR_BORDER;
    uint32_t number =
        link / 4 < mesh->n_triangles ? mesh->corners[4 * (size_t)(link / 4) + 3] : NONE;
    return number == NONE ? NOWHERE : 4 * number + link % 4;
}

/* Triangles move towards the beginning, and the numbers stay where they are, so that each is still
 * there when a link to it is met. */
void cb_dmr_mesh_compact(struct cb_dmr_mesh *mesh)
{
    uint32_t stay = number_those_that_stay(mesh);
    for (size_t t = 0; t < mesh->n_triangles; t++) {
        size_t number = mesh->corners[4 * t + 3];
        for (size_t e = 0; e < 3 && number != NONE; e++) {
            mesh->corners[4 * number + e] = mesh->corners[4 * t + e];
            mesh->links[4 * number + e] = moved(mesh, mesh->links[4 * t + e]);
        }
    }
    mesh->n_triangles = stay;
}
