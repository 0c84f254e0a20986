/* SPDX-License-Identifier: Apache-2.0
 *
 * Random numbers that are the same on every machine: SplitMix64 (Steele, Lea, Flood: Fast
 * splittable pseudorandom number generators, OOPSLA 2014).
 */
#pragma once

#include <stdint.h>

struct cb_random {
    uint64_t state;
};

/* A number scattered over all 64 bits, one to one. */
static inline uint64_t cb_random_mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static inline uint64_t cb_random_next(struct cb_random *r)
{
    return cb_random_mix(r->state += 0x9e3779b97f4a7c15u);
}

/* Goes on as after n more numbers. */
static inline void cb_random_skip(struct cb_random *r, uint64_t n)
{
    r->state += n * 0x9e3779b97f4a7c15u;
}

/* From 0 to n - 1, n > 0; that small n are not quite equally likely does not matter here. */
static inline unsigned cb_random_below(struct cb_random *r, unsigned n)
{
    return (unsigned)(cb_random_next(r) % n);
}

static inline unsigned cb_random_between(struct cb_random *r, unsigned low, unsigned high)
{
    return low + cb_random_below(r, high - low + 1);
}
