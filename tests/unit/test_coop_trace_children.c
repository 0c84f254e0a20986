/* SPDX-License-Identifier: Apache-2.0
 *
 * The check of cooperative traces: the rules of children, as test_coop_trace_rules.c.
 */
#include "coop_trace_model.h"
#include "tests/unit/unit.h"

TEST(child)
{
    build_children();
    insert_after(1, event(1, COOP_EVENT_PHASE, 0), COOP_EVENT_CHILD_BEGIN, 7, 0x302);
    refuses("CHILD", "workgroup 1 began share 2 of the child at place 7 while it was active");

    build_children();
    delete_event(0, COOP_EVENT_AWAIT, 0);
    refuses("CHILD", "workgroup 0 began share 0 of the child at place 0 while it was active");

    build_children();
    insert_after(2, event(2, COOP_EVENT_TASK_BEGIN, 0), COOP_EVENT_CHILD_BEGIN, 7, only_share(0));
    refuses("CHILD", "workgroup 2 began share 0 of the child at place 7 within one of task 1");

    build_children();
    insert_after(2, event(2, COOP_EVENT_CHILD_BEGIN, 0), COOP_EVENT_CHILD_BEGIN, 7, only_share(0));
    refuses("CHILD", "workgroup 2 went on (event 12) within share 0 of the child at place 17");
    event(2, COOP_EVENT_CHILD_BEGIN, 1)->kind = COOP_EVENT_TASK_BEGIN;
    refuses("CHILD", "workgroup 2 went on (event 10) within share 0 of the child at place 17");

    build_children();
    delete_event(2, COOP_EVENT_CHILD_BEGIN, 1);
    refuses("CHILD", "workgroup 2 ended share 1 of the child at place 0, which it had not begun");

    build_children();
    event(2, COOP_EVENT_CHILD_END, 1)->b = COOP_SHARE_OF_CHILD(1, 2, 1);
    refuses("CHILD", "workgroup 2 ended share 1 of the child at place 0, which it had not begun");

    reset(2);
    begin_share(1, 5, COOP_SHARE_OF_CHILD(0, 4, 3));
    refuses("CHILD", "workgroup 1 began share 3 of the child at place 5 and never ended it");

    build_children();
    event(2, COOP_EVENT_CHILD_BEGIN, 1)->b = event(2, COOP_EVENT_CHILD_END, 1)->b =
        COOP_SHARE_OF_CHILD(0, 2, 2);
    refuses("CHILD", "workgroup 2 began share 2 of the child at place 0, which has only 2");

    for (uint32_t share = 0; share < 2; share++) { /* each is done twice, and the other never */
        build_children();
        event(2, COOP_EVENT_CHILD_BEGIN, 1)->b = event(2, COOP_EVENT_CHILD_END, 1)->b =
            event(0, COOP_EVENT_CHILD_BEGIN, 0)->b = event(0, COOP_EVENT_CHILD_END, 0)->b =
                COOP_SHARE_OF_CHILD(0, 2, share);
        refuses("CHILD", share == 0 ? "share 0 was begun 2 times, share 1 0 times"
                                    : "share 1 was begun 2 times, share 0 0 times");
        delete_event(3, COOP_EVENT_ENDED, 0); /* the other might have come */
        accepts();
    }
}

TEST(child_overlaps)
{
    reset(3);
    begin_run(1);
    begin_share(1, 0, only_share(0));
    end_share(1, 0, only_share(0));
    do_share(2, 0, only_share(0));
    end_run();
    accepts();
    event(2, COOP_EVENT_CHILD_BEGIN, 0)->time = event(1, COOP_EVENT_CHILD_END, 0)->time - SLACK;
    accepts();
    event(2, COOP_EVENT_CHILD_BEGIN, 0)->time--;
    refuses("CHILD", "workgroup 2 began share 0 of the child at place 0, which workgroup 1 had "
                     "begun and not ended");
}

TEST(await)
{
    build_children();
    event(0, COOP_EVENT_AWAIT, 0)->a = 0;
    refuses("CHILD", "workgroup 0 waited for no children");

    build_children();
    insert_after(0, event(0, COOP_EVENT_AWAIT, 0), COOP_EVENT_PHASE, 1, 0);
    refuses("CHILD", "workgroup 0 went on (event 2) while it waited for its children");

    build_children();
    delete_event(0, COOP_EVENT_AWAITED, 0);
    refuses("CHILD", "workgroup 0 went on (event 2) while it waited for its children");

    build_children();
    insert_after(1, event(1, COOP_EVENT_PHASE, 0), COOP_EVENT_AWAITED, 0, 0);
    refuses("CHILD", "workgroup 1 went on from children that it did not wait for");

    build_barriers();
    insert_after(2, event(2, COOP_EVENT_ARRIVE, 0), COOP_EVENT_AWAIT, 1, 0);
    refuses("BARRIER", "workgroup 2 went on (event 14) without leaving barrier 0");

    build_children();
    uint64_t ended = event(2, COOP_EVENT_CHILD_END, 1)->time;
    event(0, COOP_EVENT_AWAITED, 0)->time = ended - SLACK;
    accepts();
    event(0, COOP_EVENT_AWAITED, 0)->time--;
    refuses("CHILD", "workgroup 0 went on before workgroup 2 had ended share 1 of its child at "
                     "place 0");
}

TEST(end_of_run)
{
    build_children();
    event(3, COOP_EVENT_ENDED, 0)->time = event(2, COOP_EVENT_CHILD_END, 2)->time - SLACK;
    accepts();
    event(3, COOP_EVENT_ENDED, 0)->time--;
    refuses("RUN", "run 0 ended before workgroup 2 had ended share 0 of the child at place 17");
}

ALL_TESTS(seed_random, NULL)
