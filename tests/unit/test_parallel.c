/* SPDX-License-Identifier: Apache-2.0
 *
 * Work on several threads: each piece is done, once.
 */

#include <stdatomic.h>

#include "runtime/host/error.h"
#include "runtime/host/parallel.h"
#include "tests/unit/unit.h"

#define MOST 1000u

static atomic_uint done[MOST], wrong; /* assertions are for the test's own thread */

static void count(void *context, unsigned i)
{
    if (context == done && i < MOST)
        atomic_fetch_add(&done[i], 1);
    else
        atomic_fetch_add(&wrong, 1);
}

/* n pieces, and no other, have been done so often. */
static void check(unsigned n, unsigned often)
{
    for (unsigned i = 0; i < MOST; i++)
        assert_int_equal(atomic_exchange(&done[i], 0), i < n ? often : 0);
    assert_int_equal(wrong, 0);
}

TEST(pieces)
{
    static const unsigned numbers[] = {0, 1, 2, CB_PARTS - 1, CB_PARTS, CB_PARTS + 1, MOST};
    for (size_t k = 0; k < CB_COUNTOF(numbers); k++) {
        cb_parallel_for(numbers[k], count, done);
        check(numbers[k], 1);
    }
}

TEST(parts)
{
    cb_parallel(count, done);
    cb_parallel(count, done);
    check(CB_PARTS, 2);
}
