/* SPDX-License-Identifier: Apache-2.0
 *
 * kernels/coop/children.clh, compiled as C: places and shares of children, and that workers find
 * those of others by the hints, which no run of a kernel can promise (models/places.pml); and with
 * coop/line.clh, that a task of the host ends after its children (models/packets.pml).
 */
#include <string.h>

static void pause_somewhere(void);
static void look_at_counts(void);
#define before_atomic look_at_counts
#define CB_WAITER     0u
#define COOP_MODE     COOP_COOPERATIVE
#define COOP_SUBMITS
#define COOP_CHILDREN
#define COOP_RESIZING  COOP_QUERY
#define COOP_IS_ATOMIC 0
#include "tests/unit/coop_worker_c.h"
#include "tests/unit/unit.h"

#include "kernels/coop/line.clh"
#pragma GCC diagnostic pop

#define WORKERS 70u /* three words of hints */

static cb_u32 words[1 << 20] __attribute__((aligned(128)));
static const coop_children all = {words, WORKERS};
static uint shown_meanwhile; /* a place, while somebody takes a hint back; CHILD_NONE: nothing */
static uint shown_uncounted; /* children that others could have taken, and that were not counted */

/* A child that has been shown may end at once: then it must have been counted
 * (models/packets.pml: -DLATE). */
static void look_at_counts(void)
{
    for (uint slot = 0; slot < WORKERS; slot++)
        for (uint left = *coop_child_word(all, slot, CHILD_READY); left != 0; left &= left - 1) {
            const uint place = slot * CHILD_PLACES + (uint)__builtin_ctz(left);
            shown_uncounted +=
                *coop_child_word(all, coop_child_at(all, place)->root, CHILD_COUNT) == 0 ||
                words[child_pending(0)] == 0;
        }
}

static void pause_somewhere(void)
{
    uint place = shown_meanwhile;
    shown_meanwhile = CHILD_NONE;
    if (place != CHILD_NONE) /* its hint was set before */
        *coop_child_word(all, place / CHILD_PLACES, CHILD_READY) |= 1u << place % CHILD_PLACES;
}

static int begin(void **unused)
{
    (void)unused;
    assert_true(child_words(1, WORKERS) <= sizeof words / sizeof *words);
    memset(words, 0, sizeof words);
    shown_meanwhile = CHILD_NONE;
    shown_uncounted = 0;
    return 0;
}

/* A child of the slot, whose root is another one. */
static uint submit(uint slot, uint root, uint item, uint shares)
{
    const coop_submitter by = {.children = all, .slot = slot, .item = item, .root = root};
    uint place = coop_take_place(all, slot, item);
    if (place != CHILD_NONE)
        coop_submit_place(by, place, shares);
    return place;
}

/* The source that a worker finds in a turn of each word of hints, if there is one. */
static coop_child_source find(uint worker)
{
    coop_child_source s = coop_own_children(all, worker);
    for (uint turn = 0; s.ready == 0 && turn < child_hints(WORKERS); turn++)
        s = coop_find_other(all, worker, turn);
    return s;
}

/* --- Tests ------------------------------------------------------------------------------------ */

TEST_WITH(all_find_it, begin, NULL)
{
    static const uint slots[] = {0, 31, 32, 40, 69};
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
        uint place = submit(slots[i], 0, 5, 1), taken = CHILD_NONE;
        for (uint worker = 0; worker < WORKERS; worker++)
            assert_int_equal(find(worker).slot, slots[i]);
        const coop_child_source s = find(WORKERS - 1);
        assert_true(coop_take_child(all, s, &taken));
        assert_int_equal(taken, place);
        assert_false(coop_take_child(all, s, &taken)); /* as one that is late */
        for (uint worker = 0; worker < WORKERS; worker++)
            assert_int_equal(find(worker).ready, 0);
        assert_int_equal(*coop_child_hint(all, slots[i]), 0);
        coop_end_share(all, place, 1, 0);
    }
    assert_int_equal(words[child_pending(0)], 0);
}

TEST_WITH(is_counted_before_it_is_shown, begin, NULL)
{
    assert_int_not_equal(submit(8, 40, 0, 2), CHILD_NONE);
    assert_int_equal(shown_uncounted, 0);
}

/* Each of two slots is the first for some workers. */
TEST_WITH(workers_spread, begin, NULL)
{
    submit(3, 3, 0, 1);
    submit(20, 20, 0, 1);
    assert_int_equal(find(0).slot, 3);
    assert_int_equal(find(10).slot, 20);
    assert_int_equal(find(25).slot, 3);
}

TEST_WITH(hint_comes_back, begin, NULL)
{
    uint place = submit(8, 8, 0, 1);
    assert_true(coop_take_child(all, find(8), &place));
    shown_meanwhile = place;
    assert_int_equal(coop_find_other(all, 50, 2).ready, 0);
    assert_int_equal(shown_meanwhile, CHILD_NONE);
    assert_int_equal(find(50).slot, 8);
}

/* Memory shows the hint before the share, to somebody who takes it back for that
 * (models/places.pml, -DTRUSTED); the slot's own workgroup has joined the kernel and does not look.
 */
TEST_WITH(found_without_hint, begin, NULL)
{
    for (uint slot = 0; slot < WORKERS; slot++) {
        uint place = submit(slot, 0, 5, 1), worker = (slot + 1) % WORKERS;
        *coop_child_hint(all, slot) = 0;
        coop_child_source s = coop_own_children(all, worker);
        for (uint turn = 0; s.ready == 0 && turn < WORKERS; turn++)
            s = coop_find_other(all, worker, turn);
        assert_true(coop_take_child(all, s, &place));
        assert_int_equal(place / CHILD_PLACES, slot);
        coop_end_share(all, place, 1, 0);
    }
}

TEST_WITH(shares, begin, NULL)
{
    uint place = submit(7, 60, 0, 3), taken = CHILD_NONE;
    for (uint share = 0; share < 3; share++) {
        assert_true(coop_take_child(all, find(10 * share), &taken));
        assert_int_equal(taken, place);
        assert_int_equal(coop_begin_share(all, place, 3), share);
    }
    assert_int_equal(find(30).ready, 0);
    for (uint share = 0; share < 3; share++) {
        assert_int_equal(*coop_child_word(all, 60, CHILD_COUNT), 1);
        assert_int_equal(*coop_child_word(all, 7, CHILD_USED), 1);
        coop_end_share(all, place, 3, 60);
    }
    assert_int_equal(*coop_child_word(all, 60, CHILD_COUNT), 0);
    assert_int_equal(*coop_child_word(all, 7, CHILD_USED), 0);
    assert_int_equal(words[child_pending(0)], 0);
}

TEST_WITH(places, begin, NULL)
{
    for (uint i = 0; i < CHILD_PLACES; i++) /* all from the same work-item */
        assert_int_equal(submit(2, 2, 9, 1), 2 * CHILD_PLACES + (9 + i) % CHILD_PLACES);
    assert_int_equal(submit(2, 2, 9, 1), CHILD_NONE);
    assert_int_equal(*coop_child_word(all, 2, CHILD_COUNT), CHILD_PLACES);
    uint place = CHILD_NONE;
    assert_true(coop_take_child(all, find(2), &place));
    coop_end_share(all, place, 1, 2);
    assert_int_equal(submit(2, 2, 1, 1), place);
}

/* Its share is done, one of its children is not. */
TEST_WITH(task_waits_for_children, begin, NULL)
{
    enum { LANE = 3 };
    static coop_control control;
    static coop_channel channel;
    coop_scheduler s = {.c = &control, .channel = &channel, .busy = 1u << LANE, .workers = WORKERS};
    s.log.children = all;
    control.lanes[LANE].groups = control.lanes[LANE].first = 1;
    uint place = submit(WORKERS - 1, child_lane(1, WORKERS, LANE), 0, 1);
    coop_watch_tasks(&s);
    assert_int_equal(s.busy, 1u << LANE);
    control.lanes[LANE].shares_done = 1;
    coop_watch_tasks(&s);
    assert_int_equal(s.busy, 1u << LANE); /* and its slots are its own */
    assert_int_equal(words[child_pending(0)], 0);
    assert_true(coop_take_child(all, find(WORKERS - 1), &place));
    coop_end_share(all, place, 1, child_lane(1, WORKERS, LANE));
    coop_watch_tasks(&s);
    assert_int_equal(s.busy, 0);
}
