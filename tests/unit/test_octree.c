/* SPDX-License-Identifier: Apache-2.0
 *
 * Octrees: the generator, and the reference against the definition of a cell and trees that are
 * known.
 */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "apps/octree/particles.h"
#include "apps/octree/reference.h"
#include "tests/unit/unit.h"

#define SPACE (1u << OCTREE_DEPTH)

/* Digests of the trees of 5000 particles are the same on every machine. */
#define UNIFORM_DIGEST   0x631d3816u
#define CLUSTERED_DIGEST 0x79f2c963u
#define HUNDREDS_DIGEST  0x70485366u
#define EQUAL_DIGEST     0xab201a7fu

static octree_particle *make(const char *spec, uint32_t *n)
{
    octree_particle *particles = NULL;
    struct cb_err err;
    if (cb_particles_make(spec, &particles, n, &err) != CB_OK)
        fail_msg("%s: %s", spec, err.text);
    return particles;
}

static struct cb_octree_counts count_of(const octree_particle *particles, uint32_t n,
                                        uint32_t capacity)
{
    struct cb_octree_counts counts;
    assert_true(cb_octree_reference(particles, n, capacity, &counts));
    return counts;
}

static struct cb_octree_counts count(const octree_particle *particles, uint32_t n)
{
    return count_of(particles, n, OCTREE_CAPACITY);
}

/* --- The generator ---------------------------------------------------------------------------- */

TEST(generator)
{
    static const char *const specs[] = {"5000", "5000:uniform", "5000:clustered", "5000:hundreds",
                                        "5000:equal"};
    static const uint32_t digests[] = {UNIFORM_DIGEST, UNIFORM_DIGEST, CLUSTERED_DIGEST,
                                       HUNDREDS_DIGEST, EQUAL_DIGEST};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        uint32_t n;
        octree_particle *particles = make(specs[i], &n);
        assert_int_equal(n, 5000);
        for (uint32_t p = 0; p < n; p++) {
            assert_int_equal(particles[p].number, p);
            assert_in_range(particles[p].x, 0, SPACE - 1);
            assert_in_range(particles[p].y, 0, SPACE - 1);
            assert_in_range(particles[p].z, 0, SPACE - 1);
        }
        assert_int_equal(count(particles, n).digest, digests[i]);
        free(particles);
    }
}

/* A hundred in a row are near each other: seen from one of them, around the end of space. */
TEST(hundreds)
{
    uint32_t n, far = 0;
    octree_particle *particles = make("1050:hundreds", &n);
    for (uint32_t i = 0; i < n; i++) {
        const octree_particle *first = &particles[i / 100 * 100];
        cb_u32 apart = (particles[i].x - first->x + SPACE / 1024) % SPACE;
        assert_in_range(apart, 0, 2 * SPACE / 1024);
        far += (particles[i].x - particles[0].x + SPACE / 1024) % SPACE > 2 * SPACE / 1024;
    }
    assert_in_range(far, 900, 950);
    free(particles);
}

TEST(refused)
{
    static const char *const wrong[] = {
        "",   "0",     "-5",       "5:",         "5:square",
        "5k", "a lot", "33553409", "5:uniform:", "99999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        octree_particle *particles = NULL;
        uint32_t n;
        struct cb_err err = {0};
        assert_int_equal(cb_particles_make(wrong[i], &particles, &n, &err), CB_USAGE);
        assert_non_null(strstr(err.text, "expected PARTICLES"));
        assert_null(particles);
    }
}

TEST(draw)
{
    struct cb_random random = {1};
    for (int i = 0; i < 100; i++) {
        char spec[64];
        uint32_t n;
        cb_particles_draw(&random, spec, sizeof spec);
        free(make(spec, &n));
    }
}

/* --- Cells ------------------------------------------------------------------------------------ */

static int level_of(cb_u64 code)
{
    return cb_octree_cube(code).level;
}

static bool contains(cb_u64 code, const octree_particle *p)
{
    struct cb_octree_cube cube = cb_octree_cube(code);
    return cb_octree_contains(&cube, p);
}

TEST(cells)
{
    const octree_particle p = {SPACE / 2, SPACE / 4, 0, 0};
    assert_int_equal(level_of(1), 0);
    assert_int_equal(level_of(0xf), 1);
    assert_int_equal(level_of(0x40), 2);
    assert_int_equal(level_of((cb_u64)1 << 3 * OCTREE_DEPTH), OCTREE_DEPTH);
    assert_int_equal(level_of((cb_u64)8 << 3 * OCTREE_DEPTH), -1);
    assert_int_equal(level_of(0), -1);
    assert_int_equal(level_of(2), -1);
    assert_true(contains(1, &p));
    assert_false(contains(2, &p));
    for (cb_u64 octant = 0; octant < 8; octant++) {
        assert_int_equal(contains(8 + octant, &p), octant == 4);
        assert_int_equal(contains(8 * 12 + octant, &p), octant == 2);
    }
}

/* --- The reference ---------------------------------------------------------------------------- */

/* A particle in the middle of each of the cells of a level, `each` times. */
static octree_particle *fill_level(unsigned level, uint32_t each, uint32_t *n)
{
    uint32_t side = 1u << level, width = SPACE / side;
    octree_particle *particles = malloc((size_t)side * side * side * each * sizeof *particles);
    assert_non_null(particles);
    *n = 0;
    for (uint32_t x = 0; x < side; x++)
        for (uint32_t y = 0; y < side; y++)
            for (uint32_t z = 0; z < side; z++)
                for (uint32_t i = 0; i < each; i++, ++*n)
                    particles[*n] = (octree_particle){x * width + width / 2, y * width + width / 2,
                                                      z * width + width / 2, *n};
    return particles;
}

TEST(full_levels)
{
    for (unsigned level = 1; level <= 3; level++) {
        uint32_t n, cells = 1, splits = 0;
        octree_particle *particles = fill_level(level, OCTREE_CAPACITY, &n);
        for (unsigned l = 0; l < level; l++, cells *= 8)
            splits += cells;
        struct cb_octree_counts counts = count(particles, n);
        assert_int_equal(counts.leaves, cells);
        assert_int_equal(counts.splits, splits);
        free(particles);
    }
}

/* One more than a leaf holds, all at one place: down to the lowest level. */
TEST(equal)
{
    uint32_t n;
    octree_particle *particles = make("33:equal", &n);
    assert_int_equal(n, OCTREE_CAPACITY + 1);
    struct cb_octree_counts counts = count(particles, n);
    assert_int_equal(counts.leaves, 1);
    assert_int_equal(counts.splits, OCTREE_DEPTH);
    counts = count(particles, n - 1);
    assert_int_equal(counts.leaves, 1);
    assert_int_equal(counts.splits, 1);
    assert_int_equal(count_of(particles, n, n).splits, 1);
    assert_int_equal(count_of(particles, 11, 10).splits, OCTREE_DEPTH);
    assert_int_equal(count_of(particles, 10, 10).splits, 1);
    free(particles);
}

TEST(big)
{
    uint32_t n;
    octree_particle *particles = fill_level(1, OCTREE_SLICE / 8, &n);
    assert_int_equal(count(particles, n).bigs, 0);
    free(particles);
    particles = fill_level(1, OCTREE_SLICE / 8 + 1, &n);
    assert_int_equal(count(particles, n).bigs, 1);
    free(particles);
}

/* The digest tells a particle that is in another leaf, whatever the order. */
TEST(digest)
{
    uint32_t n;
    octree_particle *particles = make("3000:clustered", &n);
    uint32_t before = count(particles, n).digest;
    octree_particle first = particles[0];
    memmove(particles, particles + 1, (n - 1) * sizeof *particles);
    particles[n - 1] = first;
    assert_int_equal(count(particles, n).digest, before);
    particles[0].x ^= SPACE / 2;
    assert_int_not_equal(count(particles, n).digest, before);
    free(particles);
}
