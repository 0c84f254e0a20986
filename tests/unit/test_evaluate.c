/* SPDX-License-Identifier: Apache-2.0
 *
 * What the discover benchmark concludes from a launch: made-up launches, right ones and wrong ones.
 */

#include <string.h>

#include "probes/discover/evaluate.h"
#include "tests/unit/unit.h"

#define LAUNCHED   6
#define LOCAL_SIZE 4

/* A launch as the kernel leaves it when workgroup i has id ids[i]; -1: does not participate. */
struct made {
    cb_discover_group groups[LAUNCHED];
    cb_u32 items[LAUNCHED * LOCAL_SIZE];
    cb_u32 letters[2 * LAUNCHED];
    struct cb_discover_launch launch;
    struct cb_sample sample;
};

static void make(struct made *m, const int ids[LAUNCHED])
{
    *m = (struct made){
        .launch = {LAUNCHED, LOCAL_SIZE, m->groups, m->items, m->letters, 2, 5, false}};
    cb_u32 n = 0;
    for (int i = 0; i < LAUNCHED; i++)
        n += ids[i] >= 0;
    for (cb_u32 i = 0; i < LAUNCHED; i++) {
        m->groups[i] = (cb_discover_group){.start = 1000 + i, .end = 2000 + i, .started = 1};
        if (ids[i] < 0)
            continue;
        m->groups[i].participating = m->groups[i].passed = 1;
        m->groups[i].group_id = (cb_u32)ids[i];
        m->groups[i].num_groups = n;
        m->groups[i].global_size = (cb_u32)(n * m->launch.wg_size);
        for (int item = 0; item < LOCAL_SIZE; item++)
            m->items[ids[i] * LOCAL_SIZE + item]++;
        m->letters[ids[i]] = (cb_u32)ids[i] + 1;
    }
    for (int i = 0; i < LAUNCHED; i++) /* after the barrier */
        if (ids[i] >= 0)
            m->letters[LAUNCHED + ids[i]] = m->letters[((cb_u32)ids[i] + 1) % n];
}

static const int right[LAUNCHED] = {2, -1, 0, 3, -1, 1};

static void evaluate(struct made *m)
{
    m->sample = (struct cb_sample){.values = cJSON_CreateObject()};
    cb_discover_evaluate(&m->launch, &m->sample);
}

static void yields(struct made *m, const char *values)
{
    evaluate(m);
    assert_string_equal(m->sample.failure, "");
    assert_true(m->sample.verified);
    char *text = cJSON_PrintUnformatted(m->sample.values);
    assert_string_equal(text, values);
    cJSON_free(text);
    cJSON_Delete(m->sample.values);
}

static void fails(struct made *m, const char *failure)
{
    evaluate(m);
    assert_string_equal(m->sample.failure, failure);
    cJSON_Delete(m->sample.values);
}

/* --- Right launches --------------------------------------------------------------------------- */

TEST(right)
{
    struct made m;
    make(&m, right); /* first start 1000, last end 2005, 2 ns a tick, bound 5 */
    yields(&m, "{\"groups_found\":[4],\"recall\":[0.8],\"protocol_time\":[2010]}");
}

TEST(one_participant)
{
    struct made m;
    make(&m, (const int[LAUNCHED]){-1, -1, 0, -1, -1, -1});
    yields(&m, "{\"groups_found\":[1],\"recall\":[0.2],\"protocol_time\":[2000]}");
}

TEST(only_participants_count_for_time)
{
    struct made m;
    make(&m, right);
    m.groups[1].start = 1;
    m.groups[4].end = 9000;
    yields(&m, "{\"groups_found\":[4],\"recall\":[0.8],\"protocol_time\":[2010]}");
}

TEST(all_participate)
{
    struct made m;
    make(&m, (const int[LAUNCHED]){5, 4, 3, 2, 1, 0});
    m.launch.bound = 6;
    yields(&m, "{\"groups_found\":[6],\"recall\":[1],\"protocol_time\":[2010]}");
}

TEST(unknown_is_absent)
{
    struct made m;
    make(&m, right);
    m.launch.bound = 0;
    m.launch.ns_per_tick = 0;
    yields(&m, "{\"groups_found\":[4]}");
}

TEST(native_order)
{
    struct made m;
    make(&m, (const int[LAUNCHED]){0, -1, 1, 2, -1, 3});
    m.launch.native_order = true;
    yields(&m, "{\"groups_found\":[4],\"recall\":[0.8],\"protocol_time\":[2010]}");
}

/* By id: units 7, 7, 4, 7. Where one is not known, nothing is said. */
TEST(compute_units)
{
    static const cb_u32 units[LAUNCHED] = {4, 0, 7, 7, 0, 7};
    struct made m;
    make(&m, right);
    for (int i = 0; i < LAUNCHED; i++)
        m.groups[i].unit = units[i];
    yields(&m, "{\"groups_found\":[4],\"recall\":[0.8],\"protocol_time\":[2010],"
               "\"neighbours_together\":[0.33333333333333331]}");
    m.groups[5].unit = 0;
    yields(&m, "{\"groups_found\":[4],\"recall\":[0.8],\"protocol_time\":[2010]}");
}

/* The first eight of nine workgroups are on two units; the ninth does not count. */
TEST(units_of_first)
{
    enum { N = 9 };
    cb_discover_group groups[N] = {{0}};
    cb_u32 items[N], letters[2 * N];
    for (cb_u32 i = 0; i < N; i++) {
        groups[i] = (cb_discover_group){.started = 1,
                                        .participating = 1,
                                        .group_id = i,
                                        .num_groups = N,
                                        .global_size = N,
                                        .passed = 1,
                                        .unit = i == 8 ? 9 : 1 + i / 4};
        items[i] = 1;
        letters[N + i] = 1 + (i + 1) % N;
    }
    struct cb_sample sample = {.values = cJSON_CreateObject()};
    const struct cb_discover_launch launch = {N, 1, groups, items, letters, 0, 0, true};
    cb_discover_evaluate(&launch, &sample);
    assert_string_equal(sample.failure, "");
    char *text = cJSON_PrintUnformatted(sample.values);
    assert_string_equal(
        text, "{\"groups_found\":[9],\"neighbours_together\":[0.75],\"units_of_first\":[2]}");
    cJSON_free(text);
    cJSON_Delete(sample.values);
}

/* --- Wrong launches --------------------------------------------------------------------------- */

/* Two workgroups share an id, in all that they do. */
TEST(duplicate_id)
{
    struct made m;
    make(&m, (const int[LAUNCHED]){2, -1, 0, 2, -1, 1});
    fails(&m, "workgroups 0 and 3 both have id 2");
}

/* Two workgroups say the same id, though their work-items had different ones. */
TEST(duplicate_group_id)
{
    struct made m;
    make(&m, right);
    m.groups[3].group_id = 2;
    fails(&m, "workgroups 0 and 3 both have id 2");
}

TEST(duplicate_global_ids)
{
    struct made m;
    make(&m, right);
    m.items[8]++;
    m.items[12]--;
    fails(&m, "global id 8 was had by 2 work-items instead of 1");
}

TEST(not_in_native_order)
{
    struct made m;
    make(&m, (const int[LAUNCHED]){0, -1, 2, 1, -1, 3});
    m.launch.native_order = true;
    fails(&m, "workgroup 2 has id 2, but 1 participants come before it");
}

TEST(gap_in_ids)
{
    struct made m;
    make(&m, (const int[LAUNCHED]){2, -1, 0, 4, -1, 1});
    m.letters[LAUNCHED + 2] = 4; /* whatever the letters say */
    fails(&m, "workgroup 3 has id 4, not below the 4 participants");
}

TEST(counts_disagree)
{
    struct made m;
    make(&m, right);
    m.groups[5].num_groups = 3;
    fails(&m, "workgroup 5 counts 3 participants, there are 4");
}

TEST(participant_is_missing)
{
    struct made m;
    make(&m, right);
    m.groups[3].participating = 0;
    fails(&m, "workgroup 0 counts 4 participants, there are 3");
}

TEST(barrier_not_passed)
{
    struct made m;
    make(&m, right);
    m.groups[0].passed = 0;
    fails(&m, "participant 2 did not pass the global barrier");
}

TEST(stale_letter)
{
    struct made m;
    make(&m, right);
    m.letters[LAUNCHED + 3] = 0;
    fails(&m,
          "after the barrier, participant 3 read 0 where participant 0 had written 1 before it");
}

TEST(wrong_global_id)
{
    struct made m;
    make(&m, right);
    m.items[6]--;
    m.items[17]++;
    fails(&m, "global id 6 was had by 0 work-items instead of 1");
    make(&m, right);
    m.items[17]++;
    fails(&m, "global id 17 was had by 1 work-items instead of 0");
}

TEST(workgroup_did_not_run)
{
    struct made m;
    make(&m, right);
    m.groups[4].started = 0;
    fails(&m, "workgroup 4 did not run");
}

TEST(more_than_the_bound)
{
    struct made m;
    make(&m, right);
    m.launch.bound = 4;
    yields(&m, "{\"groups_found\":[4],\"recall\":[1],\"protocol_time\":[2010]}");
    m.launch.bound = 3;
    fails(&m, "found 4 participants, more than the occupancy bound of 3");
}

TEST(no_participant)
{
    struct made m;
    make(&m, (const int[LAUNCHED]){-1, -1, -1, -1, -1, -1});
    fails(&m, "no workgroup participates");
    evaluate(&m);
    assert_null(m.sample.values->child); /* no number of what did not happen */
    cJSON_Delete(m.sample.values);
}
