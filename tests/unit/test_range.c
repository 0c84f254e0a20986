/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches in several dimensions: exactly as many workgroups and work-items, x the longest side.
 */

#include "runtime/session.h"
#include "tests/unit/unit.h"

static void is_range(cl_uint dimensions, size_t groups, const size_t expected[3])
{
    struct cb_range range = cb_range_of(dimensions, groups, 1);
    assert_int_equal(range.dimensions, dimensions);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(range.groups[i], expected[i]);
        assert_int_equal(range.wg_size[i], 1);
    }
}

TEST(sides)
{
    is_range(1, 4224, (size_t[]){4224, 1, 1});
    is_range(2, 4224, (size_t[]){66, 64, 1});
    is_range(3, 4224, (size_t[]){22, 12, 16});
    is_range(2, 36, (size_t[]){6, 6, 1});
    is_range(3, 27, (size_t[]){3, 3, 3});
    is_range(3, 13, (size_t[]){13, 1, 1}); /* a prime is a line */
    is_range(3, 1, (size_t[]){1, 1, 1});
}

/* OpenCL takes only so many work-items in z: 64 on NVIDIA's GPUs. */
TEST(every_number)
{
    for (cl_uint dimensions = 1; dimensions <= 3; dimensions++)
        for (size_t n = 1; n <= 4096; n++) {
            struct cb_range range = cb_range_of(dimensions, 7, n);
            const size_t *side = range.wg_size;
            assert_int_equal(side[0] * side[1] * side[2], n);
            assert_true(side[0] >= side[1] && side[1] <= 64 && side[2] <= 16);
            assert_true(dimensions > 2 || side[2] == 1);
            assert_true(dimensions > 1 || side[1] == 1);
        }
}
