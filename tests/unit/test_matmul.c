/* SPDX-License-Identifier: Apache-2.0
 *
 * The digest of a task's product, which the host finds without the product, against the product;
 * and the search for a size.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runtime/matmul.h"

#define MOST 40u

static uint32_t a[MOST * MOST], b[MOST * MOST];

/* As kernels/coop/matmul.clh has it. */
static uint32_t weight(uint32_t i)
{
    return i * 2654435761u + 1u;
}

/* The weighted sum of the product's elements, each with the salt, as the kernel does it. */
static uint32_t plain_digest(uint32_t size, uint32_t salt)
{
    uint32_t digest = 0;
    for (uint32_t row = 0; row < size; row++)
        for (uint32_t column = 0; column < size; column++) {
            uint32_t element = salt;
            for (uint32_t k = 0; k < size; k++)
                element += a[row * size + k] * b[k * size + column];
            digest += weight(row) * weight(column) * element;
        }
    return digest;
}

static void test_digest_of_a_product(void **unused)
{
    (void)unused;
    cb_matmul_fill(a, b, MOST * MOST);
    for (uint32_t size = 1; size <= MOST; size++)
        assert_int_equal(cb_matmul_digest(size), plain_digest(size, 0));
}

static void test_salt(void **unused)
{
    (void)unused;
    static const uint32_t salts[] = {0, 1, 7, 0x80000000u, UINT32_MAX};
    cb_matmul_fill(a, b, MOST * MOST);
    for (uint32_t size = 1; size <= MOST; size++)
        for (size_t i = 0; i < sizeof salts / sizeof *salts; i++)
            assert_int_equal(cb_matmul_salted(cb_matmul_digest(size), size, salts[i]),
                             plain_digest(size, salts[i]));
}

/* Who computes another task's product, or leaves an element out, is found. */
static void test_digests_differ(void **unused)
{
    (void)unused;
    cb_matmul_fill(a, b, MOST * MOST);
    for (uint32_t size = 2; size <= MOST; size += 10) { /* each element is much work */
        uint32_t digest = cb_matmul_digest(size);
        assert_int_not_equal(digest, cb_matmul_digest(size - 1));
        assert_int_not_equal(cb_matmul_salted(digest, size, 1), cb_matmul_salted(digest, size, 2));
        for (uint32_t i = 0; i < size * size; i++) {
            uint32_t kept = a[i];
            a[i]++;
            assert_int_not_equal(digest, plain_digest(size, 0));
            a[i] = kept;
        }
    }
}

static void test_fill(void **unused)
{
    (void)unused;
    static uint32_t few_a[6], few_b[6];
    cb_matmul_fill(a, b, MOST * MOST);
    cb_matmul_fill(few_a, few_b, 5);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(few_a[i], a[i]);
        assert_int_equal(few_b[i], b[i]);
    }
    assert_int_equal(few_a[5], 0);
    assert_int_equal(few_b[5], 0);
}

/* --- The size of a task ----------------------------------------------------------------------- */

/* A device on which a task of this size takes so long, and another that fails. */
struct device {
    double ns_per_cube, least_ns;
    unsigned trials;
};

static enum cb_status take(void *self, uint32_t size, double *ns, struct cb_err *err)
{
    struct device *device = self;
    (void)err;
    device->trials++;
    *ns = device->least_ns + device->ns_per_cube * size * size * size;
    return CB_OK;
}

static enum cb_status fail_to_take(void *self, uint32_t size, double *ns, struct cb_err *err)
{
    (void)self, (void)size, (void)ns;
    return cb_fail(err, CB_VERIFY_FAILED, "a product is wrong");
}

static void test_size_that_takes_so_long(void **unused)
{
    (void)unused;
    static const struct device devices[] = {{1, 0, 0}, {0.01, 0, 0}, {0.01, 20000, 0}, {90, 0, 0}};
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        struct device device = devices[i];
        struct cb_err err = {0};
        uint32_t size = 0;
        double ns = 0;
        assert_int_equal(cb_matmul_find_size(3e6, 4096, take, &device, &size, &err), CB_OK);
        assert_true(device.trials <= 10);
        take(&device, size, &ns, &err);
        assert_true(ns > 0.97 * 3e6 && ns < 1.05 * 3e6);
    }
}

/* The largest, or the smallest, is as near as it gets. */
static void test_sizes_out_of_reach(void **unused)
{
    (void)unused;
    struct device fast = {0.001, 0, 0}, slow = {0, 1e9, 0};
    struct cb_err err = {0};
    uint32_t size = 0;
    assert_int_equal(cb_matmul_find_size(3e6, 1024, take, &fast, &size, &err), CB_OK);
    assert_int_equal(size, 1024);
    assert_int_equal(cb_matmul_find_size(3e6, 16, take, &fast, &size, &err), CB_OK);
    assert_int_equal(size, 16);
    assert_int_equal(cb_matmul_find_size(3e6, 1024, take, &slow, &size, &err), CB_OK);
    assert_int_equal(size, 4);
    assert_int_equal(cb_matmul_find_size(3e6, 64, fail_to_take, NULL, &size, &err),
                     CB_VERIFY_FAILED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digest_of_a_product), cmocka_unit_test(test_salt),
        cmocka_unit_test(test_digests_differ),      cmocka_unit_test(test_size_that_takes_so_long),
        cmocka_unit_test(test_sizes_out_of_reach),  cmocka_unit_test(test_fill),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
