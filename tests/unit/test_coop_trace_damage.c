/* SPDX-License-Identifier: Apache-2.0
 *
 * The check of cooperative traces in which events are missing or changed.
 */
#include "coop_trace_model.h"
#include "tests/unit/unit.h"

static bool can_be_missed(uint32_t kind)
{
    return kind == COOP_EVENT_PHASE || kind == COOP_EVENT_OFFER || kind == COOP_EVENT_WISH ||
           kind == COOP_EVENT_DONE;
}

/* Some rule needs each of the other events. */
TEST(each_event_is_missed)
{
    for (int i = 0; i < 2000; i++) {
        char text[512];
        random_trace();
        uint32_t ring = cb_random_below(&dice, m.workers + 1), n = m.counts[ring];
        if (n == 0)
            continue;
        uint32_t k = cb_random_below(&dice, n);
        coop_trace_event gone = m.rings[ring][k];
        if (can_be_missed(gone.kind) || (gone.kind == COOP_EVENT_ENDED && k + 1 == n))
            continue;
        memmove(&m.rings[ring][k], &m.rings[ring][k + 1], (n - k - 1) * sizeof gone);
        m.counts[ring]--;
        if (check(MAX_EVENTS, text, sizeof text))
            fail_msg("trace %d is valid without event %u of ring %u, of kind %u", i, k, ring,
                     gone.kind);
    }
}

/* Whatever a trace holds, the check comes to an end (and the sanitizers have nothing to say). */
TEST(noise)
{
    for (int i = 0; i < 300; i++) {
        char text[64];
        random_trace();
        for (int k = 0; k < 5; k++) {
            uint32_t ring = cb_random_below(&dice, m.workers + 1);
            if (m.counts[ring] == 0)
                continue;
            coop_trace_event *e = &m.rings[ring][cb_random_below(&dice, m.counts[ring])];
            uint32_t *fields[] = {&e->kind, &e->a, &e->b};
            *fields[cb_random_below(&dice, 3)] =
                cb_random_below(&dice, cb_random_below(&dice, 2) ? COOP_EVENT_KINDS : UINT32_MAX);
        }
        check(MAX_EVENTS, text, sizeof text);
        check(1 + cb_random_below(&dice, 50), text, sizeof text);
    }
}

ALL_TESTS(seed_random, NULL)
