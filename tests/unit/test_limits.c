/* SPDX-License-Identifier: Apache-2.0
 *
 * kernels/coop/limits.clh, compiled as C: limits of which only some have arrived are not acted on
 * (models/limits.pml), and the words of a limit.
 */

static void pause_somewhere(void) {}
#define CB_WAITER 0u
#include "tests/unit/opencl_c.h"
#include "tests/unit/unit.h"

#define COOP_KERNELS 3
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "kernels/coop_abi.h"
#include "kernels/wait.clh"

#include "kernels/coop/limits.clh"
#pragma GCC diagnostic pop

#define KNOWN 0xffffu /* number of a write, before they wrap */

TEST(word)
{
    const uint word = COOP_LIMIT(COOP_MAX_WORKERS, 17u, 0x12345u);
    assert_int_equal(COOP_LIMIT_GROUPS(word), COOP_MAX_WORKERS);
    assert_int_equal(COOP_LIMIT_TIMES(word), 1);
    assert_int_equal(COOP_LIMIT_NUMBER(word), 0x2345);
    assert_true(COOP_ABANDON > COOP_MAX_WORKERS);
    assert_int_equal(COOP_LIMIT_GROUPS(COOP_LIMIT(COOP_ABANDON, 0, 1)), COOP_ABANDON);
}

/* A write may arrive up to any of its parts. */
TEST(parts)
{
    for (uint arrived = 0; arrived < 1u << COOP_KERNELS; arrived++) {
        uint host[COOP_MOST_KERNELS], limits[COOP_KERNELS];
        for (uint k = 0; k < COOP_KERNELS; k++)
            host[k] =
                arrived >> k & 1 ? COOP_LIMIT(10 + k, 1, KNOWN + 1u) : COOP_LIMIT(20 + k, 0, KNOWN);
        const bool whole = arrived + 1 == 1u << COOP_KERNELS;
        assert_int_equal(coop_read_limits(host, KNOWN, limits), whole);
        for (uint k = 0; whole && k < COOP_KERNELS; k++)
            assert_int_equal(limits[k], COOP_LIMIT(10 + k, 1, 0));
    }
}

/* None of three writes is whole. */
TEST(mixed)
{
    const uint host[] = {COOP_LIMIT(1, 1, 8), COOP_LIMIT(2, 1, 8), COOP_LIMIT(3, 1, 9)};
    uint limits[COOP_KERNELS];
    for (uint known = 6; known < 10; known++)
        assert_false(coop_read_limits(host, known, limits));
}
