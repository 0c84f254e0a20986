/* SPDX-License-Identifier: Apache-2.0
 *
 * ccl: connected components of images (KLAP'16 Table I). Two parents have a frame, each a half of
 * it. Their children have a work-item for each pixel. begins: of the parents' pixels; others: all
 * pixels; n: the width of a frame; words: labels, in the end the first pixel of the component,
 * counted within the frame.
 */
#include "nest.clh"

#define CCL_BEGIN 0 /* each pixel is a component, in the first lap only */
#define CCL_MERGE 1 /* pixels merge with neighbours to the left and above */
#define CCL_POINT 2 /* labels point at their component's first pixel */

static inline uint nest_parent(const nest_input in, uint parent)
{
    return in.phase == CCL_BEGIN && in.lap > 0 ? 0 : in.begins[parent + 1] - in.begins[parent];
}

/* Where labels go down to. Others may change them meanwhile, which only leads further down. */
static inline uint ccl_first(volatile global uint *labels, uint pixel)
{
    uint next = labels[pixel];
    while (next < pixel) {
        pixel = next;
        next = labels[pixel];
    }
    return pixel;
}

/* If several merge the same component at once, only the lowest label stays. The others find
 * different components again in the next lap. */
static inline void ccl_merge(const nest_input in, volatile global uint *labels, uint pixel,
                             uint other)
{
    const uint a = ccl_first(labels, pixel), b = ccl_first(labels, other);
    if (a == b)
        return;
    atomic_min(&labels[a > b ? a : b], a > b ? b : a);
    *in.flag = 1;
}

static inline void nest_child(const nest_input in, uint parent, uint item, uint items)
{
    const uint begin = in.begins[parent / 2 * 2];
    const uint pixel = in.begins[parent] + item - begin;
    const global uint *image = in.others + begin;
    volatile global uint *labels = (volatile global uint *)in.words + begin;
    (void)items;
    if (in.phase == CCL_BEGIN)
        labels[pixel] = pixel;
    if (in.phase == CCL_MERGE && pixel % in.n > 0 && image[pixel] == image[pixel - 1])
        ccl_merge(in, labels, pixel, pixel - 1);
    if (in.phase == CCL_MERGE && pixel >= in.n && image[pixel] == image[pixel - in.n])
        ccl_merge(in, labels, pixel, pixel - in.n);
    if (in.phase == CCL_POINT)
        labels[pixel] = ccl_first(labels, pixel);
}

#include "nest_run.clh"
