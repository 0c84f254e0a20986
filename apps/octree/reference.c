/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/octree/reference.h"

#include <stdlib.h>

struct key {
    uint64_t place; /* on the Z curve: three bits a level, the highest level first */
    uint32_t number;
};

static uint64_t place_of(const octree_particle *p)
{
    uint64_t place = 0;
    for (unsigned bit = OCTREE_DEPTH; bit-- > 0;)
        place = place << 3 | (p->x >> bit & 1) << 2 | (p->y >> bit & 1) << 1 | (p->z >> bit & 1);
    return place;
}

static int compare(const void *a, const void *b)
{
    uint64_t left = ((const struct key *)a)->place, right = ((const struct key *)b)->place;
    return (left > right) - (left < right);
}

/* The cell's particles are keys[0] to keys[n - 1], n > 0. */
static void count(const struct key *keys, uint32_t n, uint32_t capacity, uint64_t code,
                  unsigned level, struct cb_octree_counts *counts)
{
    if (level > 0 && (n <= capacity || level == OCTREE_DEPTH)) {
        counts->leaves++;
        for (uint32_t i = 0; i < n; i++)
            counts->digest += octree_digest(code, keys[i].number);
        return;
    }
    counts->splits++;
    counts->bigs += n > OCTREE_SLICE;
    unsigned shift = 3 * (OCTREE_DEPTH - 1 - level);
    for (uint32_t begin = 0, end = 0; begin < n; begin = end) {
        uint64_t octant = keys[begin].place >> shift & 7;
        while (end < n && (keys[end].place >> shift & 7) == octant)
            end++;
        count(keys + begin, end - begin, capacity, code << 3 | octant, level + 1, counts);
    }
}

bool cb_octree_reference(const octree_particle *particles, uint32_t n, uint32_t capacity,
                         struct cb_octree_counts *counts)
{
    struct key *keys = malloc(n * sizeof *keys);
    if (!keys)
        return false;
    for (uint32_t i = 0; i < n; i++)
        keys[i] = (struct key){place_of(&particles[i]), particles[i].number};
    qsort(keys, n, sizeof *keys, compare);
    *counts = (struct cb_octree_counts){0};
    count(keys, n, capacity, 1, 0, counts);
    counts->digest += octree_digest(counts->leaves, counts->splits);
    free(keys);
    return true;
}

struct cb_octree_cube cb_octree_cube(cb_u64 code)
{
    struct cb_octree_cube cube = {0};
    for (; code > 1; code >>= 3, cube.level++) {
        cube.x |= (uint32_t)(code >> 2 & 1) << cube.level;
        cube.y |= (uint32_t)(code >> 1 & 1) << cube.level;
        cube.z |= (uint32_t)(code & 1) << cube.level;
    }
    if (code == 1 && cube.level <= (int)OCTREE_DEPTH)
        cube.shift = OCTREE_DEPTH - (unsigned)cube.level;
    else
        cube.level = -1;
    return cube;
}

bool cb_octree_contains(const struct cb_octree_cube *cube, const octree_particle *p)
{
    return cube->level >= 0 && p->x >> cube->shift == cube->x && p->y >> cube->shift == cube->y &&
           p->z >> cube->shift == cube->z;
}
