/* SPDX-License-Identifier: Apache-2.0
 *
 * The digest of a task's product, which the host finds without the product, against the product;
 * and the search for a size.
 */
#include <math.h>

#include "runtime/coop/matmul.h"
#include "tests/unit/unit.h"

#define MOST 40u

static float a[MOST * MOST], b[MOST * MOST];

/* Computes the weights of kernels/tasks/matmul.clh. */
static uint32_t weight(uint32_t i)
{
    return i * 2654435761u + 1u;
}

/* The weighted sum of the product's elements, each with the salt, as the kernel does it. */
static uint32_t plain_digest(uint32_t size, uint32_t salt)
{
    uint32_t rows = COOP_TASK_ROWS(size), depth = COOP_TASK_DEPTH(size), digest = 0;
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t column = 0; column < rows; column++) {
            float element = 0;
            for (uint32_t k = 0; k < depth; k++)
                element += a[row * depth + k] * b[k * rows + column];
            digest += weight(row) * weight(column) * ((uint32_t)element + salt);
        }
    return digest;
}

TEST(digest_of_a_product)
{
    cb_matmul_fill(a, b, MOST * MOST);
    for (uint32_t rows = 1; rows <= MOST; rows++)
        for (uint32_t depth = 1; depth <= MOST; depth += 13) {
            uint32_t size = COOP_TASK_SIZE(rows, depth);
            assert_int_equal(cb_matmul_digest(size), plain_digest(size, 0));
        }
}

TEST(salt)
{
    static const uint32_t salts[] = {0, 1, 7, 0x80000000u, UINT32_MAX};
    cb_matmul_fill(a, b, MOST * MOST);
    for (uint32_t rows = 1; rows <= MOST; rows++)
        for (size_t i = 0; i < sizeof salts / sizeof *salts; i++) {
            uint32_t size = COOP_TASK_SIZE(rows, MOST + 1 - rows);
            assert_int_equal(cb_matmul_salted(cb_matmul_digest(size), size, salts[i]),
                             plain_digest(size, salts[i]));
        }
}

/* The product of another task is found, and one that lacks an element. */
TEST(digests_differ)
{
    cb_matmul_fill(a, b, MOST * MOST);
    for (uint32_t rows = 2; rows <= MOST; rows += 10) { /* each element is much work */
        uint32_t depth = MOST / 2, size = COOP_TASK_SIZE(rows, depth);
        uint32_t digest = cb_matmul_digest(size);
        assert_int_not_equal(digest, cb_matmul_digest(COOP_TASK_SIZE(rows - 1, depth)));
        assert_int_not_equal(digest, cb_matmul_digest(COOP_TASK_SIZE(rows, depth - 1)));
        assert_int_not_equal(cb_matmul_salted(digest, size, 1), cb_matmul_salted(digest, size, 2));
        for (uint32_t i = 0; i < rows * depth; i++) {
            float kept = a[i];
            a[i]++;
            assert_int_not_equal(digest, plain_digest(size, 0));
            a[i] = kept;
        }
    }
}

TEST(fill)
{
    static float few_a[6], few_b[6];
    cb_matmul_fill(a, b, MOST * MOST);
    cb_matmul_fill(few_a, few_b, 5);
    for (int i = 0; i < 5; i++) {
        assert_true(few_a[i] == a[i]);
        assert_true(few_b[i] == b[i]);
    }
    assert_true(few_a[5] == 0);
    assert_true(few_b[5] == 0);
}

/* --- The size of a task ----------------------------------------------------------------------- */

/* A device on which workgroups take blocks of rows, so that the time goes up in steps. */
struct device {
    double ns_per_product, least_ns;
    unsigned workgroups, trials;
};

static double time_on(const struct device *device, uint32_t size)
{
    unsigned across = (COOP_TASK_ROWS(size) + 127) / 128;
    unsigned rounds = (across * across + device->workgroups - 1) / device->workgroups;
    return device->least_ns + device->ns_per_product * rounds * 128 * 128 * COOP_TASK_DEPTH(size);
}

static enum cb_status take(void *self, uint32_t size, double *ns, struct cb_err *err)
{
    struct device *device = self;
    (void)err;
    device->trials++;
    *ns = time_on(device, size);
    return CB_OK;
}

static enum cb_status fail_to_take(void *self, uint32_t size, double *ns, struct cb_err *err)
{
    (void)self, (void)size, (void)ns;
    return cb_fail(err, CB_VERIFY_FAILED, "a product is wrong");
}

TEST(size_that_takes_so_long)
{
    static const struct device devices[] = {
        {1, 0, 1, 0},     {0.01, 0, 1, 0},   {0.05, 20000, 131, 0}, {0.05, 0, 130, 0},
        {0.03, 0, 65, 0}, {0.1, 50, 527, 0}, {0.04, 2e5, 7, 0}};
    static const double durations_ns[] = {3e6, 10e6};
    for (size_t i = 0; i < 2 * sizeof devices / sizeof *devices; i++) {
        struct device device = devices[i / 2];
        double wanted_ns = durations_ns[i % 2];
        struct cb_err err = {0};
        uint32_t size = 0;
        assert_int_equal(cb_matmul_find_size(wanted_ns, 6144, take, &device, &size, &err), CB_OK);
        assert_true(device.trials <= 10);
        assert_int_equal(COOP_TASK_ROWS(size) % COOP_TASK_UNIT, 0);
        assert_int_equal(COOP_TASK_DEPTH(size) % COOP_TASK_UNIT, 0);
        assert_true(fabs(time_on(&device, size) / wanted_ns - 1) < 0.01);
    }
}

static uint32_t size_within(uint32_t most, struct device device)
{
    struct cb_err err = {0};
    uint32_t size = 0;
    assert_int_equal(cb_matmul_find_size(3e6, most, take, &device, &size, &err), CB_OK);
    return size;
}

/* The largest, or the smallest, is as near as it gets. */
TEST(sizes_out_of_reach)
{
    static const struct device fast = {1e-6, 0, 1, 0}, slow = {0, 1e9, 1, 0};
    struct cb_err err = {0};
    uint32_t size = 0;
    assert_int_equal(size_within(1024, fast), COOP_TASK_SIZE(1024, 1024));
    assert_int_equal(size_within(16, fast), COOP_TASK_SIZE(16, 16));
    assert_int_equal(size_within(1024, slow), COOP_TASK_SIZE(4, 4));
    assert_int_equal(cb_matmul_find_size(3e6, 64, fail_to_take, NULL, &size, &err),
                     CB_VERIFY_FAILED);
}
