/* SPDX-License-Identifier: Apache-2.0
 *
 * A tile of the Mandelbrot set's picture, a work-item for each point: a task that mandelbrot.cl
 * submits.
 */
#include "escape.h"

kernel void tile(global uint *picture, uint width, uint left, uint top, uint most)
{
    uint x = left + get_global_id(0), y = top + get_global_id(1);
    picture[y * width + x] = escape(x, y, width, most);
}
