/* SPDX-License-Identifier: Apache-2.0
 *
 * kernels/coop_layout_abi.h: in programs of all kinds, nothing that the runtime keeps lies where
 * something else does, all has room, and what workgroups poll has lines of its own.
 */
#include <stdlib.h>

#include "kernels/coop_layout_abi.h"
#include "tests/unit/unit.h"

struct part {
    uint64_t first, end;
};

#define MOST_PARTS 64

/* Parts of one buffer, in the order in which they are noted. */
static struct part parts[MOST_PARTS];
static size_t n_parts;

static void note(uint64_t first, uint64_t words)
{
    assert_true(n_parts < MOST_PARTS);
    parts[n_parts++] = (struct part){first, first + words};
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = ((const struct part *)a)->first, y = ((const struct part *)b)->first;
    return (x > y) - (x < y);
}

/* No part begins before another ends, and the last one ends within so many bytes. */
static void check_parts(uint64_t room)
{
    qsort(parts, n_parts, sizeof *parts, compare);
    for (size_t i = 1; i < n_parts; i++)
        assert_true(parts[i].first >= parts[i - 1].end);
    assert_true(n_parts > 0 && parts[n_parts - 1].end <= room);
    n_parts = 0;
}

static const cb_u32 workers[] = {1, 2, 3, 7, 31, 32, 33, 132, 1000, COOP_MAX_WORKERS};

static void note_tables(cb_u32 kernels, cb_u32 semantics, cb_u32 n)
{
    note(coop_table_at(kernels, n, COOP_TABLE_OF_IDS), n);
    for (cb_u32 owner = 0; owner < kernels + COOP_LANES; owner++)
        note(coop_table_at(kernels, n, COOP_TABLE_OF_OWNER(owner)), n);
    note(coop_table_at(kernels, n, COOP_TABLE_OF_FREE(kernels)), n);
    if (semantics == COOP_ANY)
        note(coop_table_at(kernels, n, COOP_TABLE_OF_FREE_IDS(kernels)), n);
}

static void note_children(cb_u32 kernels, cb_u64 at, cb_u32 n)
{
    for (cb_u32 k = 0; k < kernels; k++)
        note(at + child_pending(k), CHILD_LINE);
    note(at + child_hints_at(kernels), child_hints(n));
    for (cb_u32 k = 0; k < kernels; k++)
        note(at + child_roots_at(kernels, n) + CHILD_LINE * (cb_u64)child_root(k, n, 0),
             CHILD_LINE * (cb_u64)n);
    for (cb_u32 lane = 0; lane < COOP_LANES; lane++)
        note(at + child_roots_at(kernels, n) + CHILD_LINE * (cb_u64)child_lane(kernels, n, lane),
             CHILD_LINE);
    note(at + child_places_at(kernels, n), (cb_u64)CHILD_PLACE_WORDS * CHILD_PLACES * n);
    assert_int_equal(at % COOP_LINE, 0);
    assert_int_equal(child_roots_at(kernels, n) % COOP_LINE, 0);
    assert_int_equal(child_places_at(kernels, n) % COOP_LINE, 0);
}

static void check_messages(cb_u32 kernels, cb_u32 semantics, cb_u32 submits, cb_u32 n)
{
    for (cb_u32 k = 0; k < kernels; k++)
        note(coop_mail_at(k, n, 0), (cb_u64)n * COOP_LINE);
    if (COOP_HAS_TABLES(kernels, semantics))
        note_tables(kernels, semantics, n);
    if (submits)
        note_children(kernels, coop_children_at(kernels, semantics, n), n);
    check_parts(coop_message_words(kernels, semantics, submits, n));
}

TEST(messages)
{
    for (cb_u32 kernels = 1; kernels <= COOP_MOST_KERNELS; kernels++)
        for (cb_u32 semantics = COOP_HIGHEST; semantics <= COOP_WHOLE; semantics++)
            for (cb_u32 submits = 0; submits < 2; submits++)
                for (size_t i = 0; i < sizeof workers / sizeof *workers; i++)
                    check_messages(kernels, semantics, submits, workers[i]);
}

/* The mail, a flag of 64 bits, a place of the ring. */
TEST(line)
{
    note(0, 1);
    note(COOP_FLAG_WORD, 2);
    note(COOP_LEFT_WORD, 1);
    assert_int_equal(COOP_FLAG_WORD % 2, 0);
    check_parts(COOP_LINE);
    note(CHILD_COUNT, 1);
    note(CHILD_USED, 1);
    note(CHILD_READY, 1);
    check_parts(CHILD_LINE);
    assert_int_equal(sizeof(child_place), 4 * CHILD_PLACE_WORDS);
    assert_int_equal(offsetof(child_place, arguments) % 128, 0);
    assert_int_equal(sizeof(child_place) % 128, 0);
}

/* What each kernel has beside: entries and one for its beginning, states, the barrier's word. */
TEST(kernels)
{
    for (cb_u32 kernels = 1; kernels <= COOP_MOST_KERNELS; kernels++)
        for (size_t i = 0; i < sizeof workers / sizeof *workers; i++) {
            const cb_u32 n = workers[i];
            for (cb_u32 k = 0; k < kernels; k++)
                note(coop_entry_at(k, n, 0), n + 1);
            check_parts(coop_entry_at(kernels, n, 0));
            for (cb_u32 k = 0; k < kernels; k++)
                note(coop_state_at(k, n, 0), (cb_u64)n * COOP_STATE_BYTES);
            check_parts(coop_state_at(kernels, n, 0));
            for (cb_u32 k = 0; k < kernels; k++)
                note((COOP_OFFSETS - 1) * COOP_OFFSET_WORDS + coop_arrivals_at(k), COOP_LINE);
            check_parts(coop_barrier_words(kernels, n));
            assert_true(coop_barrier_words(kernels, n) >=
                        (cb_u64)(COOP_OFFSETS - 1) * COOP_OFFSET_WORDS + CB_BARRIER_WORDS(n));
        }
}

TEST(rings)
{
    for (size_t i = 0; i < sizeof workers / sizeof *workers; i++)
        for (cb_u32 events = 1; events <= 1u << 20; events *= 32) {
            note(coop_ring_at(0, events), events);
            if (workers[i] > 1)
                note(coop_ring_at(workers[i] - 1, events), events);
            note(coop_ring_at(workers[i], events), events);
            check_parts(coop_ring_at(workers[i] + 1, events));
        }
}
