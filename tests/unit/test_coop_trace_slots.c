/* SPDX-License-Identifier: Apache-2.0
 *
 * The rule of slots: what tasks leave to the kernel, and that wishes and runs are for as many.
 */
#include "coop_trace_model.h"
#include "tests/unit/unit.h"

#define WORKERS 8u

static char text[512];

static bool check_one(void)
{
    struct cb_trace trace = make_trace(MAX_EVENTS);
    trace.semantics = m.semantics;
    text[0] = '\0';
    bool ok = cb_trace_check_together(&trace, 1, text, sizeof text);
    free_trace(&trace);
    return ok;
}

static void accepts_slots(void)
{
    if (!check_one())
        fail_msg("refused: %s", text);
}

static void refuses_slots(const char *says)
{
    if (check_one() || strncmp(text, "SLOTS", 5) != 0 || !strstr(text, says))
        fail_msg("got \"%s\", expected SLOTS: \"%s\"", text, says);
}

static void tell(uint32_t kind, uint32_t a, uint32_t b)
{
    record(WORKERS, kind, a, b);
}

static coop_trace_event *told(uint32_t kind, uint32_t which)
{
    return event(WORKERS, kind, which);
}

/* Two tasks; the lower one is withdrawn when two of its three workgroups have been sent for. */
static void build(uint32_t semantics)
{
    const bool any = semantics == COOP_ANY;
    reset(WORKERS);
    m.semantics = semantics;
    tell(COOP_EVENT_SEEN, 1, 2);
    tell(COOP_EVENT_WISH, 6, 0);
    tell(COOP_EVENT_SEEN, 2, 3);
    tell(COOP_EVENT_WISH, 3, 0);
    tell(COOP_EVENT_WITHDRAWN, 2, COOP_KEPT(2, 4));
    tell(COOP_EVENT_WISH, 4, 0);
    tell(COOP_EVENT_DONE, 1, 0);
    if (any)
        tell(COOP_EVENT_WISH, 6, 0);
    tell(COOP_EVENT_SEEN, 3, 1); /* above the other: the kernel has no more slots for that */
    if (any)
        tell(COOP_EVENT_WISH, 5, 0);
    tell(COOP_EVENT_DONE, 2, 0);
    tell(COOP_EVENT_WISH, 7, 0);
    tell(COOP_EVENT_DONE, 3, 0);
    tell(COOP_EVENT_LIMIT, 5, 0);
    tell(COOP_EVENT_WISH, 5, 0);
}

TEST(valid)
{
    build(COOP_HIGHEST);
    accepts_slots();
    build(COOP_ANY);
    accepts_slots();
}

TEST(slots_that_do_not_go_back)
{
    build(COOP_HIGHEST);
    told(COOP_EVENT_WITHDRAWN, 0)->b = COOP_KEPT(2, 3);
    refuses_slots("task 2 was withdrawn and kept 2, so that 3 slots were left to the kernel "
                  "instead of 4");
    build(COOP_ANY);
    told(COOP_EVENT_WITHDRAWN, 0)->b = COOP_KEPT(2, 3);
    refuses_slots("instead of 4");
}

TEST(wishes)
{
    build(COOP_HIGHEST);
    told(COOP_EVENT_WISH, 1)->a = 4;
    refuses_slots("the kernel was to have 4 workgroups instead of 3");
    build(COOP_HIGHEST);
    told(COOP_EVENT_WISH, 1)->a = 2;
    refuses_slots("the kernel was to have 2 workgroups instead of 3");
    build(COOP_HIGHEST);
    told(COOP_EVENT_WISH, 4)->a = 8;
    refuses_slots("the kernel was to have 8 workgroups instead of 5");
}

TEST(wishes_of_other_semantics)
{
    build(COOP_HIGHEST);
    m.semantics = COOP_SOME;
    told(COOP_EVENT_WISH, 3)->a = 6; /* a part of the missing ones */
    accepts_slots();
    told(COOP_EVENT_WISH, 3)->a = 8;
    refuses_slots("the kernel was to have 8 workgroups instead of 7 at most");

    reset(WORKERS);
    m.semantics = COOP_WHOLE;
    tell(COOP_EVENT_SEEN, 1, 8);
    tell(COOP_EVENT_WISH, 0, 0);
    accepts_slots();
    told(COOP_EVENT_WISH, 0)->a = 1;
    refuses_slots("the kernel was to have 1 workgroups instead of 0 at most");
}

TEST(runs)
{
    reset(WORKERS);
    tell(COOP_EVENT_SEEN, 1, 3);
    begin_run(5);
    end_run();
    accepts_slots();
    told(COOP_EVENT_SEEN, 0)->b = 4;
    refuses_slots("the kernel was to have 5 workgroups instead of 4");
}

TEST(tasks_that_have_no_room)
{
    build(COOP_HIGHEST);
    told(COOP_EVENT_SEEN, 1)->b = 7;
    refuses_slots("task 2 left the line for 7 slots, which were not free");
    build(COOP_ANY);
    told(COOP_EVENT_SEEN, 1)->b = 7;
    refuses_slots("task 2 left the line for 7 slots, which were not free");

    reset(WORKERS);
    m.semantics = COOP_ANY;
    for (uint32_t i = 0; i <= COOP_LANES; i++)
        tell(COOP_EVENT_SEEN, i + 1, 0);
    refuses_slots("task 9 left the line");
}

ALL_TESTS(seed_random, NULL)
