/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/octree/particles.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/host/app.h"
#include "runtime/cl.h"

#define MAX_PARTICLES (32767u * OCTREE_SLICE) /* a task's slices have 15 bits (octree.cl) */
#define SEED          0x5eed0000000000c7ull
#define COORDINATE    ((1u << OCTREE_DEPTH) - 1)
#define CLUSTERS      64u
#define NARROWEST     2u /* half of a cluster's extent: a power of two, this one */
#define WIDTHS        16u
#define HUNDRED       100u /* particles of a cluster, and */
#define HUNDRED_HALF  512u /* half of its extent */

static void fill_uniform(octree_particle *p, struct cb_random *random)
{
    uint64_t bits = cb_random_next(random);
    p->x = (cb_u32)bits & COORDINATE;
    p->y = (cb_u32)(bits >> OCTREE_DEPTH) & COORDINATE;
    p->z = (cb_u32)(bits >> 2 * OCTREE_DEPTH) & COORDINATE;
}

/* Less than `half`, a power of two, from the centre. Beyond the end of space, it begins again. */
static void fill_near(octree_particle *p, const octree_particle *centre, cb_u32 half,
                      struct cb_random *random)
{
    octree_particle offset;
    fill_uniform(&offset, random);
    p->x = (centre->x + (offset.x & (2 * half - 1)) - half) & COORDINATE;
    p->y = (centre->y + (offset.y & (2 * half - 1)) - half) & COORDINATE;
    p->z = (centre->z + (offset.z & (2 * half - 1)) - half) & COORDINATE;
}

/* All powers of two are equally likely. */
static void fill_clustered(octree_particle *p, const octree_particle *centres,
                           struct cb_random *random)
{
    const octree_particle *centre = &centres[cb_random_below(random, CLUSTERS)];
    cb_u32 half = 1u << (NARROWEST + cb_random_below(random, WIDTHS));
    fill_near(p, centre, half, random);
}

static void fill(octree_particle *particles, uint32_t n, const char *shape)
{
    struct cb_random random = {SEED};
    octree_particle centres[CLUSTERS];
    for (unsigned c = 0; c < CLUSTERS; c++)
        fill_uniform(&centres[c], &random);
    for (uint32_t i = 0; i < n; i++) {
        particles[i] = centres[0];
        if (strcmp(shape, "uniform") == 0)
            fill_uniform(&particles[i], &random);
        else if (strcmp(shape, "clustered") == 0)
            fill_clustered(&particles[i], centres, &random);
        if (strcmp(shape, "hundreds") == 0 && i % HUNDRED == 0)
            fill_uniform(&centres[0], &random);
        if (strcmp(shape, "hundreds") == 0)
            fill_near(&particles[i], &centres[0], HUNDRED_HALF, &random);
        particles[i].number = i;
    }
}

static bool is_shape(const char *text)
{
    static const char *const shapes[] = {"uniform", "clustered", "hundreds", "equal"};
    for (size_t i = 0; i < CB_COUNTOF(shapes); i++)
        if (strcmp(text, shapes[i]) == 0)
            return true;
    return false;
}

enum cb_status cb_particles_make(const char *text, octree_particle **particles, uint32_t *n,
                                 struct cb_err *err)
{
    const char *end = "";
    bool is_count = cb_app_read_count(text, 1, MAX_PARTICLES, n, &end);
    const char *shape = *end ? end + 1 : "uniform";
    if (!is_count || !is_shape(shape))
        return cb_fail(err, CB_USAGE,
                       "octree: expected PARTICLES, PARTICLES:uniform, PARTICLES:clustered, "
                       "PARTICLES:hundreds or PARTICLES:equal, with 1 to %u particles; got \"%s\"",
                       MAX_PARTICLES, text);
    *particles = malloc(*n * sizeof **particles);
    if (!*particles)
        return cb_no_memory(err);
    fill(*particles, *n, shape);
    return CB_OK;
}

/* One in two has a cell of several slices. */
void cb_particles_draw(struct cb_random *random, char *spec, size_t size)
{
    static const char *const shapes[] = {"uniform", "clustered", "clustered", "equal"};
    unsigned most = cb_random_below(random, 2) ? 10 * OCTREE_SLICE : 20 * OCTREE_CAPACITY;
    snprintf(spec, size, "%u:%s", cb_random_between(random, 1, most),
             shapes[cb_random_below(random, CB_COUNTOF(shapes))]);
}
