/* SPDX-License-Identifier: Apache-2.0
 *
 * Safe numbers of workgroups: what discover --headroom has a profile keep, and what apps take.
 */
#define BENCH "discover"
#include "run_fixture.h"
#include "tests/unit/unit.h"

#include "analysis/documents/beside.h"
#include "measure/safe_groups.h"

static const struct cb_device gpu = {.id = "d", .name = "GPU", .type = "gpu"};

static void add_headroom(cJSON *run, const char *beside, double share, double wg, double safe,
                         double most)
{
    char id[96];
    snprintf(id, sizeof id, "headroom/wg=%g/%g/beside=%s", wg, share, beside);
    cJSON *row = add_case(run, "d", id, "headroom=%g wg-size=%g local_bytes=1", share, wg);
    if (*beside)
        cJSON_AddStringToObject(row, "beside", beside);
    add_metric(row, "groups_safe", safe);
    set_statistic(add_metric(row, "groups_found", most), "n", 1000);
}

static void learn(cJSON *run, cJSON *profile)
{
    assert_true(the_bench()->learns_each);
    assert_true(the_bench()->learn(run, "d", profile));
    cJSON_Delete(run);
}

/* Of a device with 264 workgroups of 1024 work-items alone, up to 198 beside a grid. */
static cJSON *learnt(void)
{
    cJSON *run = new_run(), *profile = cJSON_CreateObject();
    add_headroom(run, "", 0.99, 256, 1056, 1056);
    add_headroom(run, "", 0.99, 1024, 264, 264);
    add_headroom(run, "grid", 0.99, 256, 900, 924);
    add_headroom(run, "grid", 0.99, 1024, 190, 198);
    add_headroom(run, "process", 0.9, 1024, 7, 264);
    learn(run, profile);
    return profile;
}

static void assert_safe(const cJSON *profile, double share, size_t wg_size, size_t now, size_t safe,
                        const char *beside)
{
    struct cb_safe_groups of;
    struct cb_err err = {0};
    size_t groups = 0;
    if (cb_safe_groups_of(profile, &gpu, share, wg_size, now, &groups, &of, &err) != CB_OK)
        fail_msg("%s", err.text);
    assert_int_equal(groups, safe);
    assert_string_equal(of.beside, beside);
}

TEST(the_least_number_is_taken)
{
    cJSON *profile = learnt();
    assert_safe(profile, 0.99, 1024, 264, 190, "grid");
    assert_safe(profile, 0.99, 256, 1056, 900, "grid");
    assert_safe(profile, 0.99, 512, 528, 190, "grid"); /* the next larger size */
    assert_safe(profile, 0.9, 1024, 264, 7, "process");
    cJSON_Delete(profile);
}

/* A kernel that needs more has fewer; it is not to have more than run at once now. */
TEST(fewer_run_at_once_of_the_kernel_itself)
{
    cJSON *profile = learnt();
    assert_safe(profile, 0.99, 1024, 196, 188, "grid");
    assert_safe(profile, 0.99, 1024, 132, 124, "grid");
    assert_safe(profile, 0.99, 1024, 9, 1, "grid");
    cJSON_Delete(profile);
}

static void assert_none(const cJSON *profile, double share, size_t wg_size, size_t now,
                        enum cb_status status, const char *text)
{
    struct cb_safe_groups of;
    struct cb_err err = {0};
    size_t groups = 77;
    assert_int_equal(cb_safe_groups_of(profile, &gpu, share, wg_size, now, &groups, &of, &err),
                     status);
    assert_string_equal(err.text, text);
    assert_int_equal(groups, 77);
}

TEST(none_is_known)
{
    cJSON *profile = learnt(), *empty = cJSON_CreateObject();
    assert_none(empty, 0.99, 64, 8, CB_USAGE,
                "headroom: the profile of GPU does not say how many workgroups run at once in 99 % "
                "of launches; `coopbench discover --gpu --headroom 0.99` measures it, with "
                "--beside beside what will be there");
    assert_none(profile, 0.99, 2048, 8, CB_ERROR,
                "headroom: no workgroups of 2048 work-items were measured; `coopbench discover "
                "--gpu --headroom 0.99 --wg-sizes 2048` does it");
    assert_none(profile, 0.9, 2048, 8, CB_ERROR,
                "headroom: no workgroups of 2048 work-items were measured beside process; "
                "`coopbench discover --gpu --headroom 0.9 --wg-sizes 2048 --beside process` does "
                "it");
    assert_none(profile, 0.99, 1024, 8, CB_UNSUPPORTED,
                "headroom: no number of workgroups of 1024 work-items is safe: 8 run at once of "
                "this kernel, and in 99 % of the launches beside grid up to 8 fewer than the most");
    cJSON_Delete(profile);
    cJSON_Delete(empty);
}

/* A newer number takes the place of that of its name alone, and of two the lower one is kept. */
TEST(what_is_learnt_anew)
{
    cJSON *profile = learnt(), *run = new_run();
    add_headroom(run, "grid", 0.99, 1024, 195, 198);
    add_headroom(run, "grid", 0.99, 1024, 193, 198); /* as 1W and wg=1024 are */
    learn(run, profile);
    const cJSON *section = cJSON_GetObjectItem(profile, "discover");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(section, "headroom")), 5);
    assert_safe(profile, 0.99, 1024, 264, 193, "grid");
    assert_safe(profile, 0.99, 256, 1056, 900, "grid");
    cJSON_Delete(profile);
}

/* Kernels that take all local memory have numbers of their own, which others do not ask for. */
TEST(local_memory)
{
    cJSON *profile = learnt(), *run = new_run();
    for (double wg = 512; wg <= 1024; wg *= 2) {
        char id[32], params[64];
        snprintf(id, sizeof id, "headroom/L/wg=%g/0.99", wg);
        snprintf(params, sizeof params, "headroom=0.99 wg-size=%g local_bytes=49152", wg);
        cJSON *row = add_case(run, "d", id, params);
        add_metric(row, "groups_safe", 3);
        set_statistic(add_metric(row, "groups_found", 3), "n", 1000);
    }
    learn(run, profile);
    assert_safe(profile, 0.99, 1024, 264, 190, "grid");
    assert_safe(profile, 0.99, 512, 528, 190, "grid"); /* none of this size without */
    cJSON_Delete(profile);
}

/* A share is known from launches that miss it: of 0.9999 from a hundred thousand, as ten do. */
TEST(too_few_launches)
{
    static const struct {
        double share, launches;
        bool tells;
    } rows[] = {{0.9999, 14175, false}, {0.9999, 99999, false}, {0.9999, 100000, true},
                {0.99, 999, false},     {0.99, 1000, true},     {0.9, 100, true}};
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        struct cb_safe_groups s = {.share = rows[i].share, .beside = "", .wg_size = 64};
        s.launches = rows[i].launches;
        s.groups_safe = s.groups_most = 8;
        cJSON *run = new_run(), *profile = cJSON_CreateObject(), *older = cJSON_CreateObject();
        struct cb_err err = {0};
        char params[64];
        snprintf(params, sizeof params, "headroom=%g wg-size=64 local_bytes=1", s.share);
        cJSON *row = add_case(run, "d", "headroom/wg=64", params);
        add_metric(row, "groups_safe", 8);
        set_statistic(add_metric(row, "groups_found", 8), "n", s.launches);
        assert_true(the_bench()->learn(run, "d", profile) == rows[i].tells);
        assert_true(!profile->child == !rows[i].tells);
        cb_safe_groups_keep(older, &s, 1); /* as programs before this rule did */
        assert_true((cb_safe_groups_check(older, &gpu, s.share, &err) == CB_OK) == rows[i].tells);
        cJSON_Delete(run);
        cJSON_Delete(profile);
        cJSON_Delete(older);
    }
}

/* A profile is a file that anyone can write: 1e999 is infinite. */
TEST(infinite_numbers)
{
    for (int i = 0; i < 2; i++) {
        struct cb_safe_groups s = {
            .share = 0.99, .beside = "", .wg_size = 1024, .launches = 1000, .groups_safe = 8};
        cJSON *profile = cJSON_CreateObject();
        struct cb_err err = {0};
        cb_safe_groups_keep(profile, &s, 1);
        cJSON *kept = cJSON_GetObjectItem(profile->child, "headroom")->child;
        cJSON_SetNumberValue(cJSON_GetObjectItem(kept, i ? "groups_most" : "groups_safe"),
                             (double)INFINITY);
        assert_int_equal(cb_safe_groups_check(profile, &gpu, 0.99, &err), CB_USAGE);
        cJSON_Delete(profile);
    }
}

TEST(nothing_is_learnt_without_headroom)
{
    cJSON *run = new_run(), *profile = cJSON_CreateObject();
    add_metric(add_case(run, "d", "bound/11", "protocol=bound wg-size=1 local_bytes=1"),
               "groups_bound", 8);
    assert_false(the_bench()->learn(run, "d", profile));
    assert_null(profile->child);
    cJSON_Delete(run);
    cJSON_Delete(profile);
}
