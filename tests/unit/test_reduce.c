/* SPDX-License-Identifier: Apache-2.0
 *
 * The sum of a reduction, which the host finds in one pass, against all passes as the kernel makes
 * them.
 */

#include "runtime/coop/matmul.h"
#include "runtime/coop/reduce.h"
#include "tests/unit/unit.h"

#define MOST 48u

static float array[MOST * MOST], other[MOST * MOST];

/* Computes the sum of kernels/tasks/reduce.clh. */
static uint32_t plain_sum(uint32_t size, uint32_t salt)
{
    uint32_t elements = COOP_TASK_ROWS(size) * COOP_TASK_ROWS(size), sum = 0;
    for (uint32_t pass = 0; pass < COOP_TASK_DEPTH(size); pass++)
        for (uint32_t i = 0; i < elements; i++)
            sum += ((uint32_t)array[i] + salt + pass) * (i * 2654435761u + 1u);
    return sum;
}

static uint32_t sum_of(uint32_t size, uint32_t salt)
{
    return cb_reduce_salted(cb_reduce_digest(size), size, salt);
}

TEST(sum)
{
    static const uint32_t salts[] = {0, 1, 7, 0x80000000u, UINT32_MAX};
    cb_matmul_fill(array, other, MOST * MOST);
    for (uint32_t rows = 4; rows <= MOST; rows += 4)
        for (uint32_t depth = 4; depth <= MOST; depth += 12)
            for (size_t i = 0; i < sizeof salts / sizeof *salts; i++) {
                uint32_t size = COOP_TASK_SIZE(rows, depth);
                assert_int_equal(sum_of(size, salts[i]), plain_sum(size, salts[i]));
            }
}

/* An element that is wrong, or not there, is found, and so are a pass more and another salt. */
TEST(sums_differ)
{
    const uint32_t size = COOP_TASK_SIZE(MOST, 8), sum = sum_of(size, 5);
    cb_matmul_fill(array, other, MOST * MOST);
    assert_int_not_equal(sum, sum_of(size, 6));
    assert_int_not_equal(sum, sum_of(COOP_TASK_SIZE(MOST, 12), 5));
    assert_int_not_equal(sum, sum_of(COOP_TASK_SIZE(MOST - 4, 8), 5));
    for (uint32_t i = 0; i < MOST * MOST; i += 17) {
        float kept = array[i];
        array[i]++;
        assert_int_not_equal(sum, plain_sum(size, 5));
        array[i] = kept;
    }
    for (uint32_t i = 0; i < MOST * MOST; i++)
        for (uint32_t pass = 0; pass < 8; pass++)
            assert_int_not_equal(((uint32_t)array[i] + 5 + pass) * (i * 2654435761u + 1u), 0);
}

/* Sizes go beyond 2^32 pairs of elements, as a GPU's do. */
TEST(large)
{
    const uint32_t rows = 6144, passes = 6144, size = COOP_TASK_SIZE(rows, passes);
    uint32_t weights = 0, elements = 0;
    for (uint32_t i = 0; i < rows * rows; i++) {
        weights += i * 2654435761u + 1u;
        elements += cb_matmul_element(i) * (i * 2654435761u + 1u);
    }
    uint32_t salts = 3 * passes;
    for (uint32_t pass = 0; pass < passes; pass++)
        salts += pass;
    assert_int_equal(sum_of(size, 3), elements * passes + salts * weights);
}
