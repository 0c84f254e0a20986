/* SPDX-License-Identifier: Apache-2.0
 *
 * The Mandelbrot set by dynamic parallelism (Mariani-Silver): a tile whose border is the same all
 * around is so inside; any other is a task of its own. A row of tiles in each round.
 */
#include "escape.h"

#define SIDE 16u /* of a tile */

kernel void tile(global uint *picture, uint width, uint left, uint top, uint most);

bool has_even_border(uint width, uint left, uint top, uint most)
{
    uint first = escape(left, top, width, most), far = SIDE - 1;
    for (uint i = 0; i < SIDE; i++)
        if (escape(left + i, top, width, most) != first ||
            escape(left + i, top + far, width, most) != first ||
            escape(left, top + i, width, most) != first ||
            escape(left + far, top + i, width, most) != first)
            return false;
    return true;
}

/* By a work-item. even: all points are as the first. */
void draw(global uint *picture, uint width, uint left, uint top, uint most, bool even)
{
    uint first = escape(left, top, width, most);
    for (uint y = top; y < top + SIDE; y++)
        for (uint x = left; x < left + SIDE; x++)
            picture[y * width + x] = even ? first : escape(x, y, width, most);
}

kernel void mandelbrot(global uint *picture, uint width, uint height, uint most)
{
    for (transmit uint row = 0; row < height / SIDE; row++) {
        for (uint i = get_global_id(0); i < width / SIDE; i += get_global_size(0)) {
            uint left = i * SIDE, top = row * SIDE;
            bool even = has_even_border(width, left, top, most);
            if (even || !submit_task(tile, task_range_2d((uint2)(2, 2), (uint2)(8, 8)), picture,
                                     width, left, top, most))
                draw(picture, width, left, top, most, even);
        }
        join_tasks();
        resizing_global_barrier();
    }
}
