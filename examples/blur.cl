/* SPDX-License-Identifier: Apache-2.0
 *
 * A plain kernel: each pixel becomes the mean of itself and its eight neighbours.
 */
static float row(const global float *in, uint at)
{
    return in[at - 1] + in[at] + in[at + 1];
}
kernel void blur(const global float *in, global float *out, uint width, uint height)
{
    const uint x = get_global_id(0), y = get_global_id(1), at = y * width + x;
    if (x > 0 && y > 0 && x + 1 < width && y + 1 < height)
        out[at] = (row(in, at - width) + row(in, at) + row(in, at + width)) / 9;
}
