/* SPDX-License-Identifier: Apache-2.0 */
/* The same numbers wherever it is compiled into: no product is rounded together with a sum. */
#pragma OPENCL FP_CONTRACT OFF

/* After how many steps a point of the Mandelbrot set's picture escapes, `most` if it does not. */
static inline uint escape(uint x, uint y, uint width, uint most)
{
    const float scale = 3.0f / width, a = x * scale - 2.2f, b = y * scale - 1.1f;
    float re = 0, im = 0;
    uint steps = 0;
    for (; steps < most && re * re + im * im < 4; steps++) {
        float next = re * re - im * im + a;
        im = 2 * re * im + b;
        re = next;
    }
    return steps;
}
