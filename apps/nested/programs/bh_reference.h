/* SPDX-License-Identifier: Apache-2.0
 *
 * Barnes and Hut's approximation on the host, in double precision: an octree of the bodies, and the
 * criterion of bh.cl.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A cell whose edge and distance are so near the criterion (relative, of their squares) may count
 * as a point or not: kernels compute in single precision. */
#define CB_BODIES_MARGIN 1e-4

struct cb_body {
    double at[3], speed[3];
    double acceleration[3];
    /* By how much they may be off, since cells may count as points or not: */
    double slack_at, slack_speed, slack_acceleration;
};

struct cb_bodies {
    uint32_t n, depth; /* levels below the whole cube */
    struct cb_body *bodies;
    struct cb_bodies_tree *tree;
};

/* Room for bodies; false: out of memory. To be ended also then. */
bool cb_bodies_begin(struct cb_bodies *b, uint32_t n, uint32_t depth);
void cb_bodies_end(struct cb_bodies *b);

/* Their accelerations. */
void cb_bodies_accelerate(struct cb_bodies *b);

/* A step in time. */
void cb_bodies_step(struct cb_bodies *b);

/* The acceleration of one by all others, without the approximation. */
void cb_bodies_direct(const struct cb_bodies *b, uint32_t body, double acceleration[3]);
