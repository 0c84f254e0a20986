/* SPDX-License-Identifier: Apache-2.0
 *
 * The cases that options of the primitives mean, and what a profile adds to them.
 */
#include "primitives_plan_fixture.h"
#include "tests/unit/unit.h"

/* --- Helpers ---------------------------------------------------------------------------------- */

/* The parameters of a case as JSON. */
static void case_has_params(const struct cb_plan *plan, const char *id, const char *params)
{
    char *text = cJSON_PrintUnformatted(case_of(plan, id)->params);
    assert_string_equal(text, params);
    free(text);
}

/* The pauses of a case; "": none. */
static void has_backoff(const struct cb_plan *plan, const char *id, const char *backoff)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(case_of(plan, id)->params, "backoff");
    assert_string_equal(item ? cJSON_GetStringValue(item) : "", backoff);
}

static void ids_differ(const struct cb_plan *plan)
{
    for (int i = 0; i < plan->count; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(plan->cases[i].id, plan->cases[k].id) == 0)
                fail_msg("%s twice", plan->cases[i].id);
}

/* --- Cases ------------------------------------------------------------------------------------ */

#define ON_CPU(name)                                                                               \
    "barrier." name "/groups=1\nbarrier." name "/groups=N/4\nbarrier." name "/groups=N/2\n"        \
    "barrier." name "/groups=N\n"
#define ROW_ON_CPU(KIND, id, ...) ON_CPU(#id)
#define ROW_ON_GPU(KIND, id, ...) ON_GPU(#id)
#define ON_GPU(name)                                                                               \
    "barrier." name "/groups=1\nbarrier." name "/groups=N/64\nbarrier." name "/groups=N/16\n"      \
    "barrier." name "/groups=N/8\nbarrier." name "/groups=N/4\nbarrier." name "/groups=N/2\n"      \
    "barrier." name "/groups=N\n"

/* Auto groups go by the type of device; the native barrier is for CPUs. */
TEST_WITH(default_barriers, setup, remove_folder)
{
    plans_ids(&cpu, ONLY_BARRIERS,
              CB_BARRIERS(ROW_ON_CPU) ON_CPU("native") ON_CPU("relaunch") ON_CPU("relaunch_sync"));
    plans_ids(&gpu, ONLY_BARRIERS,
              CB_BARRIERS(ROW_ON_GPU) ON_GPU("relaunch") ON_GPU("relaunch_sync"));
    plans_ids(&gpu, ONLY_BARRIERS "barrier=native", "");
    plans_ids(&cpu, ONLY_BARRIERS "barrier=native groups=3", "barrier.native/groups=3\n");
}

#define QUICK_0(id)
#define QUICK_1(id) id
#define QUICK_BARRIER(KIND, name, pauses, slots, quick)                                            \
    QUICK_##quick("barrier." #name "/groups=N\n")
#define QUICK_MUTEX(KIND, name, pauses, slots, quick)                                              \
    QUICK_##quick("mutex." #name "/groups=N,section=0\n")

/* Quick: no forms that are only there to compare with. */
TEST_WITH(quick, setup, remove_folder)
{
    plans_ids(&cpu, "quick=true groups=N mutex=none semaphore=none",
              CB_BARRIERS(QUICK_BARRIER) "barrier.native/groups=N\nbarrier.relaunch/groups=N\n");
    plans_ids(&gpu, "quick=true groups=N section=0 barrier=none semaphore=none",
              CB_MUTEXES(QUICK_MUTEX));
}

#define AND_ONE(...) +1
enum { N_BARRIERS = CB_BARRIERS(AND_ONE), N_MUTEXES = CB_MUTEXES(AND_ONE) };
enum { N_SEMAPHORES = CB_SEMAPHORES(AND_ONE), N_QUEUES = CB_QUEUES(AND_ONE) };

/* Mutexes with two sections, semaphores with four initial values. */
TEST_WITH(default_counts, setup, remove_folder)
{
    assert_int_equal(count_of(&cpu, ONLY_MUTEXES), N_MUTEXES * 4 * 2);
    assert_int_equal(count_of(&gpu, ONLY_MUTEXES), N_MUTEXES * 7 * 2);
    assert_int_equal(count_of(&cpu, ONLY_SEMAPHORES), N_SEMAPHORES * 4 * 4);
    assert_int_equal(count_of(&gpu, ONLY_SEMAPHORES), N_SEMAPHORES * 7 * 4);
    assert_int_equal(count_of(&cpu, ""),
                     4 * (N_BARRIERS + 3 + 2 * N_MUTEXES + 4 * N_SEMAPHORES + N_QUEUES));
    assert_int_equal(count_of(&gpu, ""),
                     7 * (N_BARRIERS + 2 + 2 * N_MUTEXES + 4 * N_SEMAPHORES + N_QUEUES));
    assert_int_equal(count_of(&cpu, "barrier=none mutex=none semaphore=none queue=none"), 0);
}

TEST_WITH(order_of_cases, setup, remove_folder)
{
    plans_ids(&gpu, "barrier=xf,none mutex=ticket,spin semaphore=sleeping queue=none groups=N/2,33",
              "barrier.xf/groups=N/2\nbarrier.xf/groups=33\n"
              "mutex.ticket/groups=N/2,section=0\nmutex.ticket/groups=N/2,section=1\n"
              "mutex.ticket/groups=33,section=0\nmutex.ticket/groups=33,section=1\n"
              "mutex.spin/groups=N/2,section=0\nmutex.spin/groups=N/2,section=1\n"
              "mutex.spin/groups=33,section=0\nmutex.spin/groups=33,section=1\n"
              "semaphore.sleeping/groups=N/2,initial=1\nsemaphore.sleeping/groups=N/2,initial=2\n"
              "semaphore.sleeping/groups=N/2,initial=10\n"
              "semaphore.sleeping/groups=N/2,initial=120\n"
              "semaphore.sleeping/groups=33,initial=1\nsemaphore.sleeping/groups=33,initial=2\n"
              "semaphore.sleeping/groups=33,initial=10\n"
              "semaphore.sleeping/groups=33,initial=120\n");
}

TEST_WITH(groups_beside_auto, setup, remove_folder)
{
    plans_ids(&cpu, ONLY_BARRIERS "barrier=xf groups=3,auto,N/7",
              "barrier.xf/groups=3\n" ON_CPU("xf") "barrier.xf/groups=N/7\n");
}

TEST_WITH(parameters, setup, remove_folder)
{
    struct cb_plan plan = plans(&cpu, "");
    case_has_params(&plan, "primitives/barrier.xf/groups=N/4",
                    "{\"kind\":\"barrier\",\"primitive\":\"xf\",\"groups\":\"N/4\",\"wg-size\":128,"
                    "\"ops\":\"auto\"}");
    case_has_params(&plan, "primitives/mutex.ticket/groups=N/2,section=1",
                    "{\"kind\":\"mutex\",\"primitive\":\"ticket\",\"groups\":\"N/2\",\"section\":1,"
                    "\"wg-size\":128,\"ops\":\"auto\"}");
    case_has_params(
        &plan, "primitives/mutex.spin_backoff/groups=1,section=0",
        "{\"kind\":\"mutex\",\"primitive\":\"spin_backoff\",\"groups\":\"1\",\"section\":0,"
        "\"wg-size\":128,\"ops\":\"auto\"}");
    case_has_params(
        &plan, "primitives/semaphore.sleeping/groups=N,initial=10",
        "{\"kind\":\"semaphore\",\"primitive\":\"sleeping\",\"groups\":\"N\",\"initial\":10,"
        "\"wg-size\":128,\"ops\":\"auto\"}");
    for (int i = 0; i < plan.count; i++) {
        assert_int_equal(plan.cases[i].needs, -1);
        assert_false(plan.cases[i].own_stop); /* --runs changes it */
        assert_ptr_equal(plan.cases[i].device, &cpu);
    }
    ids_differ(&plan);
    cb_plan_free(&plan);
    plan = plans(&gpu, ONLY_SEMAPHORES "semaphore=ticket groups=7 initial=3 wg-size=1024 ops=40");
    case_has_params(
        &plan, "primitives/semaphore.ticket/groups=7,initial=3",
        "{\"kind\":\"semaphore\",\"primitive\":\"ticket\",\"groups\":\"7\",\"initial\":3,"
        "\"wg-size\":1024,\"ops\":\"40\"}");
    cb_plan_free(&plan);
}

/* --- Backoff ---------------------------------------------------------------------------------- */

/* Each implementation takes those of the values given that have its form; one that makes no pauses,
 * or is given none of its form, is measured once. */
TEST_WITH(backoff_goes_to_those_who_pause, setup, remove_folder)
{
    plans_ids(&cpu,
              "groups=N section=1 backoff=64:1024,100 "
              "mutex=spin,spin_backoff,ticket,ticket_backoff,array " ONLY_MUTEXES,
              "mutex.spin/groups=N,section=1\n"
              "mutex.spin_backoff/groups=N,section=1,backoff=64:1024\n"
              "mutex.ticket/groups=N,section=1\n"
              "mutex.ticket_backoff/groups=N,section=1,backoff=100\n"
              "mutex.array/groups=N,section=1\n");
    plans_ids(&cpu,
              "groups=N initial=2 backoff=64:1024,100 "
              "semaphore=spin,spin_backoff,sleeping,ticket,optimistic " ONLY_SEMAPHORES,
              "semaphore.spin/groups=N,initial=2\n"
              "semaphore.spin_backoff/groups=N,initial=2,backoff=64:1024\n"
              "semaphore.sleeping/groups=N,initial=2\n"
              "semaphore.ticket/groups=N,initial=2,backoff=100\n"
              "semaphore.optimistic/groups=N,initial=2,backoff=64:1024\n");
    plans_ids(&cpu, ONLY_BARRIERS "barrier=xf,native groups=N backoff=64:1024,100",
              "barrier.xf/groups=N\nbarrier.native/groups=N\n");
    plans_ids(&cpu, ONLY_MUTEXES "groups=N section=1 mutex=spin_backoff,ticket_backoff backoff=100",
              "mutex.spin_backoff/groups=N,section=1\n"
              "mutex.ticket_backoff/groups=N,section=1,backoff=100\n");
    plans_ids(&cpu,
              ONLY_MUTEXES "groups=N section=1 mutex=spin_backoff backoff=8:8,profile,64:1024",
              "mutex.spin_backoff/groups=N,section=1,backoff=8:8\n"
              "mutex.spin_backoff/groups=N,section=1\n"
              "mutex.spin_backoff/groups=N,section=1,backoff=64:1024\n");
    struct cb_plan plan = plans(&cpu, "groups=N backoff=64:1024");
    has_backoff(&plan, "primitives/mutex.spin_backoff/groups=N,section=0,backoff=64:1024",
                "64:1024");
    has_backoff(&plan, "primitives/mutex.ticket_backoff/groups=N,section=0", "");
    cb_plan_free(&plan);
}

/* Writes the profile of a device. */
static void keep_profile(const struct cb_device *device, const char *primitives)
{
    char path[512];
    struct cb_err err;
    cJSON *profile, *section = cJSON_Parse(primitives);
    assert_non_null(section);
    assert_int_equal(cb_profile_load(device, &profile, &err), CB_OK);
    cJSON_AddItemToObject(profile, "primitives", section);
    if (cb_profile_save(device, profile, path, &err) != CB_OK)
        fail_msg("%s", err.text);
    assert_int_equal(strncmp(path, folder, strlen(folder)), 0);
    cJSON_Delete(profile);
}

#define LEARNT                                                                                     \
    "{\"occupancy\": 8, \"backoff\": {\"mutex.spin_backoff\": ["                                   \
    "{\"groups\": 4, \"ns\": \"32:256\", \"throughput\": 1},"                                      \
    "{\"groups\": 8, \"ns\": \"512:8192\", \"throughput\": 1}],"                                   \
    "\"semaphore.ticket\": [{\"groups\": 8, \"ns\": \"350\", \"throughput\": 1}]}}"

/* Pauses of the profile are no part of the id: it is the same case, on a device that is known. */
TEST_WITH(backoff_of_the_profile, setup, remove_folder)
{
    keep_profile(&cpu, LEARNT);
    struct cb_plan plan = plans(&cpu, "backoff=profile,16:32");
    has_backoff(&plan, "primitives/mutex.spin_backoff/groups=N,section=0", "512:8192");
    has_backoff(&plan, "primitives/mutex.spin_backoff/groups=N,section=1", "512:8192");
    has_backoff(&plan, "primitives/mutex.spin_backoff/groups=N/2,section=1", "32:256");
    has_backoff(&plan, "primitives/mutex.spin_backoff/groups=1,section=1", "32:256");
    has_backoff(&plan, "primitives/mutex.spin_backoff/groups=N,section=1,backoff=16:32", "16:32");
    has_backoff(&plan, "primitives/semaphore.ticket/groups=1,initial=120", "350");
    has_backoff(&plan, "primitives/semaphore.spin_backoff/groups=N,initial=1", ""); /* not tuned */
    has_backoff(&plan, "primitives/mutex.ticket/groups=N,section=1", "");
    has_backoff(&plan, "primitives/barrier.xf/groups=N", "");
    cb_plan_free(&plan);

    plan = plans(&gpu, ""); /* another device */
    has_backoff(&plan, "primitives/mutex.spin_backoff/groups=N,section=1", "");
    cb_plan_free(&plan);

    assert_int_equal(setenv("COOPBENCH_NO_PROFILE", "1", 1), 0);
    plan = plans(&cpu, "");
    has_backoff(&plan, "primitives/mutex.spin_backoff/groups=N,section=1", "");
    cb_plan_free(&plan);
}

/* It stops nothing: the built-in pauses are used. */
TEST_WITH(broken_profile, setup, remove_folder)
{
    char path[512];
    keep_profile(&cpu, LEARNT);
    snprintf(path, sizeof path, "%s/name-cpu-8cu.json", folder);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs("{", out);
    fclose(out);
    struct cb_plan plan = plans(&cpu, "");
    assert_true(plan.count > 0);
    has_backoff(&plan, "primitives/mutex.spin_backoff/groups=N,section=1", "");
    cb_plan_free(&plan);
}

/* --- Tuning ----------------------------------------------------------------------------------- */

/* Counts the tuner's cases of one primitive in the plan, and checks what all of them have. */
static int tuned(const struct cb_plan *plan, const char *kind, const char *name, const char *level)
{
    int n = 0;
    for (int i = 0; i < plan->count; i++) {
        const cJSON *params = plan->cases[i].params;
        const char *text =
            cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(params, "backoff"));
        if (!cJSON_GetObjectItemCaseSensitive(params, "tune") ||
            strcmp(cJSON_GetObjectItem(params, "kind")->valuestring, kind) != 0 ||
            strcmp(cJSON_GetObjectItem(params, "primitive")->valuestring, name) != 0 ||
            strcmp(cJSON_GetObjectItem(params, "groups")->valuestring, level) != 0)
            continue;
        char id[192];
        const cJSON *initial = cJSON_GetObjectItem(params, "initial");
        assert_true(!initial || initial->valueint == 1 || initial->valueint == 10);
        snprintf(id, sizeof id, "primitives/%s.%s/groups=%s,%s,backoff=%s,tune", kind, name, level,
                 !initial                 ? "section=1"
                 : initial->valueint == 1 ? "initial=1"
                                          : "initial=10",
                 text);
        assert_string_equal(plan->cases[i].id, id);
        assert_true(cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(params, "tune")));
        assert_int_equal(cb_backoff_of_text(text), cb_backoff_of(kind, name));
        n++;
    }
    return n;
}

#define PAUSES 18
#define PLACES 8

#define TUNED                                                                                      \
    "mutex=spin_backoff,ticket_backoff,array semaphore=spin_backoff,ticket,optimistic,spin "       \
    "section=0 initial=1 groups=1 "

static void tunes(const struct cb_device *device, const char *const *levels, int n_levels,
                  const char *other_level)
{
    struct cb_plan plan = plans(device, TUNED "tune=true");
    int normal = count_of(device, TUNED);
    assert_int_equal(plan.count, normal + n_levels * (5 * PAUSES + 3 * PLACES));
    for (int i = 0; i < n_levels; i++) {
        assert_int_equal(tuned(&plan, "mutex", "spin_backoff", levels[i]), PAUSES);
        assert_int_equal(tuned(&plan, "mutex", "ticket_backoff", levels[i]), PLACES);
        assert_int_equal(tuned(&plan, "semaphore", "spin_backoff", levels[i]), 2 * PAUSES);
        assert_int_equal(tuned(&plan, "semaphore", "optimistic", levels[i]), 2 * PAUSES);
        assert_int_equal(tuned(&plan, "semaphore", "ticket", levels[i]), 2 * PLACES);
    }
    assert_int_equal(tuned(&plan, "mutex", "spin_backoff", other_level), 0);
    cb_plan_free(&plan);
}

TEST_WITH(tune, setup, remove_folder)
{
    static const char *const on_gpu[] = {"N/16", "N/4", "N"}, *const on_cpu[] = {"N/2", "N"};
    tunes(&gpu, on_gpu, 3, "N/2");
    tunes(&cpu, on_cpu, 2, "N/4");
}

TEST_WITH(tune_what_is_asked_for, setup, remove_folder)
{
    plans_ids(&cpu, ONLY_BARRIERS "barrier=xf groups=N tune=true", "barrier.xf/groups=N\n");
    struct cb_plan plan =
        plans(&cpu, "barrier=none mutex=ticket,ticket_backoff semaphore=spin queue=none "
                    "groups=N section=1 initial=10 tune=true");
    assert_int_equal(plan.count, 3 + 2 * PLACES);
    assert_int_equal(tuned(&plan, "mutex", "ticket_backoff", "N"), PLACES);
    assert_int_equal(tuned(&plan, "mutex", "ticket_backoff", "N/2"), PLACES);
    cb_plan_free(&plan);
}

/* Given pauses, those of the tuner and those of the profile live side by side. */
TEST_WITH(ids_differ_with_everything, setup, remove_folder)
{
    keep_profile(&cpu, LEARNT);
    struct cb_plan plan = plans(&cpu, "tune=true backoff=profile,32:256,64:512,30,60");
    ids_differ(&plan);
    case_of(&plan, "primitives/mutex.spin_backoff/groups=N,section=1,backoff=32:256");
    case_of(&plan, "primitives/mutex.spin_backoff/groups=N,section=1,backoff=32:256,tune");
    has_backoff(&plan, "primitives/mutex.spin_backoff/groups=N,section=1", "512:8192");
    cb_plan_free(&plan);
}
