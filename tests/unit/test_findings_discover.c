/* SPDX-License-Identifier: Apache-2.0
 *
 * What discover concludes, from made-up runs.
 */
#define BENCH "discover"
#include "findings_fixture.h"
#include "probes/discover/headroom.h"
#include "tests/unit/unit.h"

#define NEXT "next: `coopbench primitives --gpu` tells which barrier between them is fastest.\n"

static void add_bound(cJSON *run, const char *configuration, double wg, double local, double bound)
{
    char id[64];
    snprintf(id, sizeof id, "bound/%s", configuration);
    add_metric(add_case(run, "d", id, "protocol=bound wg-size=%g local_bytes=%g", wg, local),
               "groups_bound", bound);
}

/* A protocol ("ticket" or "ticket 0", with a delay) with an interval of `wide` on both sides of its
 * time; 0: none. */
static cJSON *add_protocol(cJSON *run, const char *protocol, double wg, double recall, double us,
                           double wide)
{
    char id[96];
    size_t length = strcspn(protocol, " ");
    const char *delay = protocol[length] ? protocol + length + 1 : "";
    snprintf(id, sizeof id, "%s/wg=%g", protocol, wg);
    cJSON *item = add_case(run, "d", id, "protocol=%.*s wg-size=%g local_bytes=1 launch=auto%s%s",
                           (int)length, protocol, wg, *delay ? " delay=" : "", delay);
    add_metric(item, "recall", recall);
    add_metric(item, "groups_found", 8 * recall);
    if (wide > 0)
        add_interval(item, "protocol_time", 1e3 * us, 1e3 * (us - wide), 1e3 * (us + wide));
    else
        add_metric(item, "protocol_time", 1e3 * us);
    return item;
}

/* ---- The bound ------------------------------------------------------------------------------- */

TEST(bounds_differ)
{
    cJSON *run = new_run();
    add_bound(run, "11", 1, 1, 4224);
    add_bound(run, "L1", 1, 49152, 528);
    add_bound(run, "wg=64", 64, 1, 4224);
    add_bound(run, "wg=512", 512, 1, 528);
    add_bound(run, "wg=1024", 1024, 1, 264);
    assert_findings(run, "bound: 4224 workgroups of up to 64 work-items run at once, 264 of 1024, "
                         "and 528 where each takes all local memory.\n" NEXT);
}

TEST(bounds_are_the_same)
{
    cJSON *run = new_run();
    add_bound(run, "11", 1, 1, 8);
    add_bound(run, "L1", 1, 49152, 8);
    add_bound(run, "1W", 4096, 1, 8);
    assert_findings(
        run, "bound: 8 workgroups run at once, whatever the size (1 to 4096 work-items).\n" NEXT);
}

TEST(one_bound)
{
    cJSON *run = new_run();
    add_bound(run, "wg=1", 1, 1, 8);
    assert_findings(run, "bound: 8 workgroups of 1 work-item run at once.\n" NEXT);
}

TEST(no_bound)
{
    cJSON *run = new_run();
    cJSON *item = add_case(run, "d", "lockfree/11", "protocol=lockfree wg-size=1");
    add_metric(item, "groups_found", 7);
    assert_findings(run, "bound: The protocols found up to 7 workgroups at once; "
                         "`--bound search` tells whether more could run.\n" NEXT);
}

TEST(one_workgroup_is_one)
{
    cJSON *run = new_run(), *item = add_case(run, "d", "bound/LW", "protocol=bound wg-size=1");
    add_metric(item, "groups_bound", 1);
    assert_findings(run, "bound: 1 workgroup of 1 work-item runs at once.\n" NEXT);
}

/* ---- The protocols --------------------------------------------------------------------------- */

TEST(one_is_fastest)
{
    cJSON *run = new_run();
    add_protocol(run, "ticket adaptive", 64, 1, 200, 10);
    add_protocol(run, "lockfree", 64, 1, 100, 10);
    add_protocol(run, "spin 0", 64, 0.5, 1, 0.1); /* soon, but not all */
    add_protocol(run, "unsafe", 64, 1, 1, 0.1);
    add_protocol(run, "ticket adaptive", 256, 1, 100, 10);
    add_protocol(run, "lockfree", 256, 1, 50, 10);
    assert_findings(run,
                    "bound: The protocols found up to 8 workgroups at once; "
                    "`--bound search` tells whether more could run.\n"
                    "protocol: `lockfree` finds all of them in 50.0 µs to 100 µs, sooner than "
                    "every other that does: use it.\n"
                    "delay: `spin` (delay 0) found 50 % of them on average where it was worst, "
                    "since its poll ended before the others came; `--delay adaptive` waits for "
                    "them.\n" NEXT);
}

/* A delay in turns leaves some out, which another delay of the protocol finds. */
TEST(a_delay_of_turns_leaves_some_out)
{
    cJSON *run = new_run();
    add_protocol(run, "ticket 0", 64, 0.25, 1, 0.1);
    add_protocol(run, "ticket 100", 64, 0.5, 2, 0.1);
    add_protocol(run, "ticket adaptive", 64, 1, 100, 10);
    add_protocol(run, "spin 0", 64, 0.75, 1, 0.1);
    assert_findings(run, "bound: The protocols found up to 8 workgroups at once; "
                         "`--bound search` tells whether more could run.\n"
                         "protocol: `ticket` (adaptive) finds all of them in 100 µs [90.0 µs, 110 "
                         "µs], sooner than every other that does: use it.\n"
                         "delay: `ticket` (delay 0) found 25 % of them on average where it was "
                         "worst, since its poll ended before the others came; `ticket` (adaptive) "
                         "found 100 %.\n" NEXT);
    run = new_run();
    add_protocol(run, "ticket 0", 64, 0.25, 1, 0.1);
    assert_findings(run, "bound: The protocols found up to 2 workgroups at once; "
                         "`--bound search` tells whether more could run.\n"
                         "protocol: No protocol found all of them in every run. `ticket` (delay 0) "
                         "came nearest, with 25 % on average where it was worst. A busy machine "
                         "lowers this; `--delay adaptive` raises it.\n" NEXT);
}

/* The tests from here on look at the sentence about protocols alone. */
static void assert_protocol(cJSON *run, const char *expected)
{
    char text[512];
    add_bound(run, "wg=64", 64, 1, 8);
    snprintf(text, sizeof text,
             "bound: 8 workgroups of 64 work-items run at once.\nprotocol: %s\n" NEXT, expected);
    assert_findings(run, text);
}

TEST(only_one)
{
    cJSON *run = new_run();
    add_protocol(run, "lockfree", 64, 1, 100, 10);
    assert_protocol(run, "`lockfree` finds all of them in 100 µs [90.0 µs, 110 µs]: use it.");
}

TEST(intervals_overlap)
{
    cJSON *run = new_run();
    add_protocol(run, "ticket adaptive", 64, 1, 110, 10);
    add_protocol(run, "lockfree", 64, 1, 100, 10);
    add_protocol(run, "ticket adaptive", 256, 1, 110, 1);
    add_protocol(run, "lockfree", 256, 1, 100, 1);
    assert_protocol(run, "`lockfree` and `ticket` (adaptive) both find all of them; which is "
                         "sooner, these intervals do not tell in 1 of 2 configurations. Use "
                         "either, or measure more: --runs 40.");
}

TEST(no_intervals)
{
    cJSON *run = new_run();
    add_protocol(run, "ticket 0", 64, 1, 900, 0);
    add_protocol(run, "lockfree", 64, 1, 100, 0);
    assert_protocol(run, "`lockfree` and `ticket` (delay 0) both find all of them; which is "
                         "sooner, these intervals do not tell. Use "
                         "either, or measure more: --runs 40.");
}

TEST(each_wins_somewhere)
{
    cJSON *run = new_run();
    add_protocol(run, "ticket adaptive", 64, 1, 10, 1);
    add_protocol(run, "lockfree", 64, 1, 100, 1);
    add_protocol(run, "ticket adaptive", 256, 1, 5000, 1);
    add_protocol(run, "lockfree", 256, 1, 100, 1);
    assert_protocol(run, "`lockfree` and `ticket` (adaptive) both find all of them: `lockfree` "
                         "sooner in 1 of 2 configurations, `ticket` (adaptive) in 1. Measure "
                         "yours: `--wg-sizes`.");
}

TEST(all_that_find_all_are_named)
{
    cJSON *run = new_run();
    add_protocol(run, "ticket adaptive", 64, 1, 110, 10);
    add_protocol(run, "lockfree", 64, 1, 300, 1);
    add_protocol(run, "spin 0", 64, 1, 100, 10);
    assert_protocol(run, "`spin` (delay 0) and `ticket` (adaptive) both find all of them; which is "
                         "sooner, these intervals do not tell. `lockfree` "
                         "finds all of them, too. Use either, or measure more: --runs 40.");
}

TEST(none_finds_all)
{
    cJSON *run = new_run();
    add_protocol(run, "ticket adaptive", 64, 0.5, 10, 1);
    add_protocol(run, "lockfree", 64, 0.9996, 100, 1);
    assert_protocol(
        run, "No protocol found all of them in every run. `lockfree` came nearest, "
             "with 99.9 % on average where it was worst. A busy machine lowers this; a longer "
             "`--quiet-time` raises it.");
}

/* A run that found too few once has a minimum below 1. */
TEST(all_but_once_is_not_all)
{
    cJSON *run = new_run();
    cJSON *item = add_protocol(run, "lockfree", 64, 1, 100, 10);
    cJSON *recall = cJSON_GetArrayItem(cJSON_GetObjectItem(item, "metrics"), 0);
    set_statistic(recall, "min", 0.5);
    assert_protocol(
        run, "No protocol found all of them in every run. `lockfree` came nearest, "
             "with 99.9 % on average where it was worst. A busy machine lowers this; a longer "
             "`--quiet-time` raises it.");
}

/* A protocol that lacks a configuration does not count as one that finds all. */
TEST(a_timeout_is_no_victory)
{
    cJSON *run = new_run();
    add_protocol(run, "spin adaptive", 64, 1, 1, 0.1);
    make_failed(add_case(run, "d", "spin/wg=256/delay=adaptive",
                         "protocol=spin delay=adaptive wg-size=256"),
                "timeout");
    add_protocol(run, "lockfree", 64, 1, 100, 10);
    add_protocol(run, "lockfree", 256, 1, 100, 10);
    assert_findings(run, "timeout: 1 of 4 cases ran past a deadline: "
                         "discover/spin/wg=256/delay=adaptive: because.\n"
                         "bound: The protocols found up to 8 workgroups at once; "
                         "`--bound search` tells whether more could run.\n"
                         "protocol: `lockfree` finds all of them in 100 µs [90.0 µs, 110 µs], "
                         "sooner than every other that does: use it.\n" NEXT);
}

/* ---- Dimensions ------------------------------------------------------------------------------ */

/* A bound, and what spin found, which differs from run to run: 2 to `most` workgroups. */
static void add_layout(cJSON *run, const char *more, double bound, double most)
{
    add_metric(add_case(run, "d", "b", "protocol=bound wg-size=64%s", more), "groups_bound", bound);
    cJSON *found = add_metric(add_case(run, "d", "s", "protocol=spin wg-size=64%s", more),
                              "groups_found", most);
    set_statistic(found, "min", 2);
}

TEST(layouts_are_alike)
{
    cJSON *run = new_run();
    add_layout(run, "", 8, 4);
    add_layout(run, " dimensions=2", 8, 6);
    assert_findings(run,
                    "bound: 8 workgroups of 64 work-items run at once.\n"
                    "dimensions: A launch in two or three dimensions changes neither how many "
                    "workgroups run at once nor how many the protocols find (2 cases).\n" NEXT);
}

TEST(layouts_differ)
{
    cJSON *run = new_run();
    add_layout(run, "", 8, 4);
    add_layout(run, " dimensions=2", 8, 4);
    add_layout(run, " dimensions=3", 7, 4);
    assert_findings(run,
                    "bound: 8 workgroups of 64 work-items run at once.\n"
                    "dimensions: In 1 of 4 cases, a launch in two or three dimensions has "
                    "another number of workgroups that run at once, or that are found.\n" NEXT);
    run = new_run();
    add_layout(run, "", 8, 4);
    add_metric(add_case(run, "d", "b", "protocol=bound wg-size=64 dimensions=2"), "groups_bound",
               7);
    assert_findings(run, "bound: 8 workgroups of 64 work-items run at once.\n"
                         "dimensions: A launch in two or three dimensions has another number of "
                         "workgroups that run at once, or that are found (1 case).\n" NEXT);
    run = new_run();
    add_layout(run, " dimensions=2", 8, 4);
    assert_findings(run, NEXT);
}

/* ---- Headroom -------------------------------------------------------------------------------- */

TEST(launches_that_tell_a_share)
{
    assert_int_equal(cb_headroom_launches(0.5), 1000);
    assert_int_equal(cb_headroom_launches(0.99), 1000);
    assert_int_equal(cb_headroom_launches(0.999), 10000);
    assert_int_equal(cb_headroom_launches(0.9999), 100000);
}

/* Of 100 launches one found 2, four found 5, five found 6, and the others 8. */
TEST(safe_numbers)
{
    static const struct {
        double share, safe;
    } rows[] = {{0.5, 8}, {0.9, 8}, {0.91, 6}, {0.95, 6}, {0.96, 5}, {0.99, 5}, {0.995, 2}};
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        struct cb_sample sample = {.values = cJSON_CreateObject()};
        struct cb_err err = {0};
        for (int k = 99; k >= 0; k--)
            cb_sample_add(&sample, "groups_found", k == 50 ? 2 : k < 4 ? 5 : k < 9 ? 6 : 8);
        assert_int_equal(cb_headroom_add(&sample, rows[i].share, &err), CB_OK);
        const cJSON *safe = cJSON_GetObjectItem(sample.values, "groups_safe");
        assert_int_equal(cJSON_GetArraySize(safe), 1);
        assert_true(cJSON_GetNumberValue(safe->child) == rows[i].safe);
        cb_sample_free(&sample);
    }
}

TEST(headroom_is_told_where_it_is_less)
{
    cJSON *run = new_run();
    cJSON *c = add_case(run, "d", "headroom/11", "headroom=0.99 wg-size=1 local_bytes=1");
    add_metric(c, "groups_safe", 7);
    add_metric(c, "groups_bound", 8);
    set_statistic(add_metric(c, "groups_found", 8), "n", 1000);
    assert_findings(run, "headroom: In 99 % of 1000 launches at least 7 workgroups of 1 work-item "
                         "ran at once, where 8 can: a kernel that waits for more of them will wait "
                         "in vain now and then.\n" NEXT);
}
