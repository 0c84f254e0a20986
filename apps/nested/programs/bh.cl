/* SPDX-License-Identifier: Apache-2.0
 *
 * bh: bodies that attract each other, by Barnes and Hut's approximation (KLAP'16 Table I). A lap is
 * a step in time. Phase 0: bodies go into the cells of a pyramid over the cube. Phase 1: a body is
 * a parent, whose child has a work-item for each cell of a coarse level, which adds what the bodies
 * below it do to the parent's acceleration. Phase 2: bodies move, and the cells are emptied.
 *
 * n: the finest level. A cell's number in its level has the bits of its place on the three axes in
 * turn (Morton), so that those of the level below are next to each other.
 */
#include "bh_abi.h"
#include "nest.clh"

#define BH_INSERT 0u
#define BH_PULL   1u
#define BH_MOVE   2u

static inline float bh_position(const nest_input in, uint body, uint axis)
{
    return as_float(in.words[BH_POSITION(in.parents, axis) + body]);
}

static inline uint bh_cell(const nest_input in, uint level, uint cell)
{
    return BH_CELL(in.parents) + (BH_FIRST(level) + cell) * BH_CELL_WORDS;
}

static inline void bh_add(const nest_input in, uint word, uint more)
{
    atomic_add((volatile global uint *)&in.words[word], more);
}

/* ---- The pyramid ----------------------------------------------------------------------------- */

/* In the finest level. */
static inline uint bh_cell_of(const nest_input in, uint body)
{
    uint cell = 0;
    for (uint axis = 0; axis < 3; axis++) {
        const uint place = (uint)(bh_position(in, body, axis) * (float)(1u << in.n));
        for (uint bit = 0; bit < in.n; bit++)
            cell |= (place >> bit & 1u) << (3 * bit + axis);
    }
    return cell;
}

static inline void bh_insert(const nest_input in, uint body)
{
    const uint finest = bh_cell_of(in, body);
    for (uint level = BH_COARSE; level <= in.n; level++) {
        const uint cell = bh_cell(in, level, finest >> 3 * (in.n - level));
        bh_add(in, cell + BH_COUNT, 1);
        for (uint axis = 0; axis < 3; axis++)
            bh_add(in, cell + BH_SUM + axis,
                   (uint)(bh_position(in, body, axis) * BH_COORDINATE + 0.5f));
    }
    in.words[BH_NEXT(in.parents) + body] = atomic_xchg(
        (volatile global uint *)&in.words[bh_cell(in, in.n, finest) + BH_HEAD], body + 1);
}

static inline void bh_empty(const nest_input in, uint parent)
{
    for (uint cell = parent; cell < BH_CELLS(in.n); cell += in.parents)
        for (uint word = 0; word < BH_CELL_WORDS; word++)
            in.words[bh_cell(in, 0, cell) + word] = 0;
}

/* ---- Forces ---------------------------------------------------------------------------------- */

typedef struct {
    float at[3];
    int sum[3]; /* sums of accelerations */
} bh_body;

static inline int bh_fixed(float x)
{
    return (int)(x * BH_ACCELERATION + (x < 0.0f ? -0.5f : 0.5f));
}

/* mass: in bodies. */
static inline void bh_pull(const nest_input in, bh_body *body, const float *at, float mass)
{
    float d[3], square = BH_SOFTENING;
    for (uint axis = 0; axis < 3; axis++) {
        d[axis] = at[axis] - body->at[axis];
        square += d[axis] * d[axis];
    }
    const float factor = mass / (float)in.parents / (square * sqrt(square));
    for (uint axis = 0; axis < 3; axis++)
        body->sum[axis] += bh_fixed(d[axis] * factor);
}

/* Each of a cell, the body itself too, which is at no distance. */
static inline void bh_pull_all(const nest_input in, bh_body *body, uint cell)
{
    uint other = in.words[cell + BH_HEAD];
    for (uint left = in.words[cell + BH_COUNT]; left > 0 && other > 0; left--) {
        float at[3];
        for (uint axis = 0; axis < 3; axis++)
            at[axis] = bh_position(in, other - 1, axis);
        bh_pull(in, body, at, 1.0f);
        other = in.words[BH_NEXT(in.parents) + other - 1];
    }
}

/* Whether the cell is done with; or those below it are to be looked at. */
static inline bool bh_visit(const nest_input in, bh_body *body, uint level, uint number)
{
    const uint cell = bh_cell(in, level, number), count = in.words[cell + BH_COUNT];
    const float edge = 1.0f / (float)(1u << level);
    float at[3], square = 0.0f;
    if (count == 0)
        return true;
    for (uint axis = 0; axis < 3; axis++) {
        at[axis] = (float)in.words[cell + BH_SUM + axis] / ((float)count * BH_COORDINATE);
        square += (at[axis] - body->at[axis]) * (at[axis] - body->at[axis]);
    }
    if (edge * edge < BH_THETA * BH_THETA * square)
        bh_pull(in, body, at, (float)count);
    else if (level == in.n)
        bh_pull_all(in, body, cell);
    else
        return false;
    return true;
}

/* All cells below one, in their order: after the last of eight comes the one after the cell above.
 */
static inline void nest_child(const nest_input in, uint parent, uint item, uint items)
{
    bh_body body = {
        {bh_position(in, parent, 0), bh_position(in, parent, 1), bh_position(in, parent, 2)},
        {0, 0, 0}};
    uint level = BH_COARSE, cell = item;
    (void)items;
    for (uint left = BH_CELLS(BH_MOST_DEPTH); left > 0; left--) {
        if (!bh_visit(in, &body, level, cell)) {
            level++;
            cell <<= 3;
            continue;
        }
        for (cell++; level > BH_COARSE && (cell & 7u) == 0; level--)
            cell >>= 3;
        if (level == BH_COARSE)
            break;
    }
    for (uint axis = 0; axis < 3; axis++)
        if (body.sum[axis] != 0)
            bh_add(in, BH_ACCELERATED(in.parents, axis) + parent, (uint)body.sum[axis]);
}

/* ---- A step ---------------------------------------------------------------------------------- */

/* Nobody leaves the cube: bodies stop at its walls. */
static inline void bh_move(const nest_input in, uint body, uint axis)
{
    const uint accelerated = BH_ACCELERATED(in.parents, axis) + body,
               velocity = BH_VELOCITY(in.parents, axis) + body;
    const float speed = as_float(in.words[velocity]) +
                        (float)(int)in.words[accelerated] / BH_ACCELERATION * BH_STEP,
                to = bh_position(in, body, axis) + speed * BH_STEP;
    in.words[velocity] = as_uint(speed);
    in.words[BH_POSITION(in.parents, axis) + body] = as_uint(to < 0.0f      ? 0.0f
                                                             : to < BH_WALL ? to
                                                                            : BH_WALL);
    in.words[accelerated] = 0;
}

static inline void bh_end_step(const nest_input in, uint body)
{
    for (uint axis = 0; axis < 3; axis++)
        bh_move(in, body, axis);
    bh_empty(in, body);
    if (in.lap + 1 < BH_STEPS)
        *in.flag = 1;
}

static inline uint nest_parent(const nest_input in, uint parent)
{
    if (in.phase == BH_INSERT)
        bh_insert(in, parent);
    else if (in.phase == BH_MOVE)
        bh_end_step(in, parent);
    return in.phase == BH_PULL ? 1u << 3 * BH_COARSE : 0;
}

#include "nest_run.clh"
