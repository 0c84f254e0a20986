/* SPDX-License-Identifier: Apache-2.0
 *
 * kernels/coop/grants/several.clh, compiled as C: two kernels are resized against each other at
 * random. Each slot has one owner, both tables agree, and what a kernel has stays together: a few
 * compute units never come to have all of its workgroups.
 */
#include "tests/unit/random_fixture.h"
#include "tests/unit/unit.h"

static void pause_somewhere(void) {}
#define CB_WAITER     0u
#define COOP_KERNELS  2
#define COOP_RESIZING COOP_QUERY
#include "tests/unit/coop_worker_c.h"

#include "kernels/coop/grants.clh"
#pragma GCC diagnostic pop

#define WORKERS 61
#define TIMES   2000
#define NOBODY  COOP_KERNELS

static coop_channel channel;
static coop_control control;
static cb_u32 mail[COOP_KERNELS * WORKERS * COOP_LINE + (COOP_LANES + 4) * WORKERS];

static void begin(coop_scheduler *s)
{
    *s = (coop_scheduler){.c = &control, .mail = mail, .channel = &channel, .workers = WORKERS};
    for (uint k = 0; k < COOP_KERNELS; k++)
        s->kernels[k].number = k;
    coop_open_slots(s);
}

/* Shares like the kernels: they give up at once as many as are not wanted, and then take the
 * others. */
static void share(coop_scheduler *s, uint first)
{
    const uint wanted[] = {first, WORKERS - first};
    s->limits++;
    for (uint k = 0; k < COOP_KERNELS; k++)
        s->kernels[k].limit = COOP_LIMIT_OWN(COOP_LIMIT(wanted[k], 0, 0));
    for (int turn = 0; turn < 2; turn++) {
        coop_share_out(s);
        for (uint k = 0; k < COOP_KERNELS; k++) {
            coop_watched *q = &s->kernels[k];
            q->groups = q->wish = min(q->target, q->granted);
        }
    }
}

/* owners: of each slot. */
static void check_tables(const coop_scheduler *s, uint owners[WORKERS])
{
    for (uint slot = 0; slot < WORKERS; slot++)
        owners[slot] = NOBODY;
    for (uint k = 0; k < COOP_KERNELS; k++) {
        assert_int_equal(s->kernels[k].granted, s->kernels[k].target);
        for (uint id = 0; id < s->kernels[k].granted; id++) {
            const uint slot = coop_slot_of(mail, WORKERS, k, id);
            assert_true(slot < WORKERS);
            assert_int_equal(owners[slot], NOBODY);
            assert_int_equal(coop_id_of(mail, WORKERS, slot), id);
            owners[slot] = k;
        }
    }
}

/* Slots as a ring: it has two places where the owner changes. */
static void check_neighbours(const uint owners[WORKERS])
{
    uint changes = 0;
    for (uint slot = 0; slot < WORKERS; slot++)
        changes += owners[slot] != owners[(slot + 1) % WORKERS];
    assert_int_equal(changes, 2);
}

TEST_WITH(shares, seed_random, NULL)
{
    coop_scheduler s;
    begin(&s);
    s.kernels[0].begins = s.kernels[1].begins = true;
    for (int i = 0; i < TIMES; i++) {
        uint owners[WORKERS];
        share(&s, 1 + (uint)(random_share(&dice) * (WORKERS - 1)));
        check_tables(&s, owners);
        check_neighbours(owners);
    }
}
