/* SPDX-License-Identifier: Apache-2.0
 *
 * kernels/coop/offers/any.clh, compiled as C: whatever others see between two steps of a workgroup
 * that leaves, it is not counted as gone before M has fallen (models/any.pml: -DRINGFIRST).
 */
#include <string.h>

#define COOP_SEMANTICS COOP_ANY
#define COOP_USES_OFFERS

static void pause_somewhere(void);
#define CB_WAITER 0u
#include "tests/unit/coop_worker_c.h"
#include "tests/unit/unit.h"

#include "kernels/coop/offers.clh"
#pragma GCC diagnostic pop

#define WORKERS 4u

static coop_control control;
static coop_own own = {.workers = WORKERS};
static cb_u32 mail[WORKERS * COOP_LINE];
static coop_worker worker = {.in.words = &control.kernels[0], .own = &own, .mail = mail};
static unsigned steps, too_early;

/* Workgroups in the ring, which the scheduler takes for gone. */
static cb_u32 announced(void)
{
    cb_u32 n = 0;
    for (cb_u32 i = 0; i < WORKERS; i++)
        n += mail[i * COOP_LINE + COOP_LEFT_WORD] != 0;
    return n;
}

static void pause_somewhere(void)
{
    steps++;
    too_early += announced() + COOP_GROUPS(control.kernels[0].members) > WORKERS;
}

/* Of four, two are wanted; so many permits have been issued. */
static bool leave(cb_u32 slot, cb_u32 permits)
{
    own.slot = slot;
    control.kernels[0].permits =
        COOP_PERMITS(permits, WORKERS - COOP_GROUPS(control.kernels[0].members));
    return coop_try_kill(&worker);
}

static int begin(void **unused)
{
    (void)unused;
    memset(&control, 0, sizeof control);
    memset(mail, 0, sizeof mail);
    control.kernels[0].members = COOP_MEMBERS(0, WORKERS, 2, 0, 1, 5);
    steps = too_early = 0;
    return 0;
}

TEST_WITH(is_gone_after_m_has_fallen, begin, NULL)
{
    assert_true(leave(3, 2));
    assert_true(leave(1, 2));
    assert_int_equal(announced(), 2);
    assert_int_equal(COOP_GROUPS(control.kernels[0].members), 2);
    assert_in_range(steps, 4, 1000);
    assert_int_equal(too_early, 0);
}

TEST_WITH(stays_without_a_permit, begin, NULL)
{
    assert_false(leave(3, 0));
    assert_int_equal(announced(), 0);
    assert_int_equal(COOP_GROUPS(control.kernels[0].members), WORKERS);
}
