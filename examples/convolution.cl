/* SPDX-License-Identifier: Apache-2.0
 *
 * A filter in the manner of public suites, which knows nothing of coopbench: the rows of a picture,
 * tile by tile, whose radius is a build option (-D RADIUS=3).
 */
#define TILE 64

__kernel __attribute__((reqd_work_group_size(TILE, 1, 1))) void
convolution_rows(__global const float *restrict input, __constant float *weights,
                 __global float *restrict output, int width, int height)
{
    __local float tile[TILE + 2 * RADIUS];
    const int x = get_global_id(0), y = get_global_id(1), first = x - (int)get_local_id(0) - RADIUS;

    for (int i = get_local_id(0); i < TILE + 2 * RADIUS; i += TILE)
        tile[i] = y < height ? input[y * width + clamp(first + i, 0, width - 1)] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    float sum = 0;
    for (int k = 0; k <= 2 * RADIUS; k++)
        sum += tile[get_local_id(0) + k] * weights[k];
    if (x < width && y < height)
        output[y * width + x] = sum;
}
