/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine abstraction: read from a run, and classed.
 */
#define BENCH "memory"
#include "run_fixture.h"
#include "tests/unit/unit.h"

#include "probes/memory/abstraction.h"

/* SO'11 Tabs. 2 and 3; the hostage as Tab. 3 has it. */
static const struct cb_machine tesla = {.atomic_volatile_reads = 92.46,
                                        .atomic_volatile_writes = 94.57,
                                        .contention_reads = 1.44,
                                        .contention_writes = 3.67,
                                        .hostage_idle = 1.08,
                                        .hostage_far = 1.08,
                                        .hostage_reads = 1.08};
static const struct cb_machine fermi = {.atomic_volatile_reads = 2.99,
                                        .atomic_volatile_writes = 8.40,
                                        .contention_reads = 11.49,
                                        .contention_writes = 6.03,
                                        .hostage_idle = 34,
                                        .hostage_far = 9,
                                        .hostage_reads = 2.98};

/* This machine is like an H200: contended volatile writes are as fast as any. */
static const struct cb_machine hopper = {.atomic_volatile_reads = 2.5,
                                         .atomic_volatile_writes = 65,
                                         .contention_reads = 26.5,
                                         .contention_writes = 1.19,
                                         .hostage_idle = 10,
                                         .hostage_far = 6,
                                         .hostage_reads = 2.5};

static char reason[512];

static void is_like(const struct cb_machine *machine, const char *expected)
{
    assert_string_equal(cb_machine_class(machine, reason), expected);
}

TEST(the_papers_devices)
{
    is_like(&tesla, "Tesla");
    assert_non_null(strstr(reason, "nearer to those of Tesla"));
    is_like(&fermi, "Fermi");
    assert_non_null(strstr(reason, "nearer to those of Fermi"));
}

TEST(disagreement_is_told)
{
    is_like(&hopper, "neither");
    assert_string_equal(reason, "The parameters disagree. Like Tesla: atomic : volatile writes, "
                                "contentious : noncontentious writes.\nLike Fermi: atomic : "
                                "volatile reads, contentious : noncontentious reads, line held "
                                "hostage.");
}

/* The thresholds are the geometric means of the paper's two values. */
TEST(thresholds)
{
    struct cb_machine m = tesla;
    m.atomic_volatile_reads = 16.7; /* sqrt(92.46 * 2.99) = 16.63 */
    is_like(&m, "Tesla");
    m.atomic_volatile_reads = 16.6;
    is_like(&m, "neither");
    m = fermi;
    m.contention_writes = 4.71; /* sqrt(3.67 * 6.03) = 4.704 */
    is_like(&m, "Fermi");
    m.contention_writes = 4.70;
    is_like(&m, "neither");
}

/* A line is held only if the reader waits longer than far away and than beside reads. */
TEST(hostage)
{
    struct cb_machine m = fermi;
    assert_true(cb_machine_hostage(&m) == 2.98);
    m.hostage_far = 1.1; /* slow everywhere: the device is busy */
    assert_true(cb_machine_hostage(&m) == 1.1);
    is_like(&m, "neither");
    m = fermi;
    m.hostage_reads = 1.1; /* slow beside reads, too: the line is in demand */
    is_like(&m, "neither");
    m.hostage_reads = 0.9;
    assert_true(cb_machine_hostage(&m) == 1);
}

/* ---- From a run ------------------------------------------------------------------------------ */

static const struct {
    const char *id;
    double access_time;
} measured[] = {
    {"contentious.read.volatile/groups=N", 600},
    {"contentious.write.volatile/groups=N", 24},
    {"contentious.read.atomic/groups=N", 1500},
    {"contentious.write.atomic/groups=N", 1440},
    {"noncontentious.read.volatile/groups=N", 30},
    {"noncontentious.write.volatile/groups=N", 20},
    {"contentious.chase.volatile/groups=1", 154},
    {"contentious.chase.atomic/groups=1", 162},
    {"hostage.atomic/distance=4", 800},
    {"hostage.idle/distance=4", 160},
    {"hostage.atomic/distance=4096", 200},
    {"hostage.volatile/distance=4", 400},
};

static cJSON *run_without(const char *left_out)
{
    cJSON *run = new_run();
    cJSON *device = cJSON_GetArrayItem(cJSON_GetObjectItem(run, "devices"), 0);
    cJSON_AddStringToObject(device, "type", "gpu");
    cJSON_SetNumberValue(cJSON_GetObjectItem(device, "compute_units"), 132);
    for (size_t i = 0; i < CB_COUNTOF(measured); i++) {
        if (strcmp(measured[i].id, left_out) == 0)
            continue;
        cJSON *item = add_case(run, "d", measured[i].id, NO_PARAMS);
        add_metric(item, "access_time", measured[i].access_time);
        add_metric(item, "groups", 2000);
    }
    return run;
}

TEST(from_a_run)
{
    struct cb_machine m;
    char missing[160];
    cJSON *run = run_without("");
    assert_true(cb_machine_of(run, "d", &m, missing));
    assert_true(m.groups_full == 2000 && m.groups_low == 33 && !m.cpu);
    assert_true(m.read_latency == 154 && m.atomic_latency == 162);
    assert_true(m.read_service == 0.3 && m.write_service == 0.012 && m.atomic_service == 0.75);
    assert_true(m.atomic_volatile_reads == 2.5 && m.atomic_volatile_writes == 60);
    assert_true(m.contention_reads == 20 && m.contention_writes == 1.2);
    assert_true(m.hostage_idle == 5 && m.hostage_far == 4 && m.hostage_reads == 2);
    assert_true(isnan(m.after_atomic));
    cJSON_Delete(run);
}

TEST(every_case_is_needed)
{
    for (size_t i = 0; i < CB_COUNTOF(measured); i++) {
        struct cb_machine m;
        char missing[160];
        cJSON *run = run_without(measured[i].id);
        assert_false(cb_machine_of(run, "d", &m, missing));
        assert_string_equal(missing + strlen("memory/"), measured[i].id);
        assert_false(cb_machine_of(run, "another device", &m, missing));
        cJSON_Delete(run);
    }
}
