/* SPDX-License-Identifier: Apache-2.0
 *
 * The cases that options of launch mean, and its programs' sizes.
 */
#define BENCH "launch"
#include "bench_fixture.h"

#include "benchmarks/launch/plan.h"

static const struct cb_device cpu = {
    .id = "name:cpu", .name = "cpu-8", .type = "cpu", .compute_units = 8, .max_wg_size = 4096};

#define LAUNCHERS(p, size)                                                                         \
    p "/host/" size "\n" p "/loop/" size "\n" p "/PA-2/" size "\n" p "/PA-128/" size "\n" p        \
      "/PA-all/" size "\n" p "/PAO-2/" size "\n" p "/PAO-128/" size "\n" p "/PAO-all/" size "\n"
#define PROGRAMS(size)                                                                             \
    LAUNCHERS("los", size)                                                                         \
    LAUNCHERS("pd", size)                                                                          \
    LAUNCHERS("pt", size) LAUNCHERS("sc", size) LAUNCHERS("unq", size) LAUNCHERS("upd", size)

static void test_cases(void **unused)
{
    (void)unused;
    plans_ids(&cpu, "", PROGRAMS("small") PROGRAMS("medium") PROGRAMS("large"));
    plans_ids(&cpu, "program=sc launcher=PAO,host pool=7 size=small",
              "sc/PAO-7/small\nsc/host/small\n");
    plan_quick = true;
    plans_ids(&cpu, "program=los launcher=loop", "los/loop/medium\nlos/loop/large\n");
    plan_quick = false;
}

/* Table I: small has 2 recurrences, medium 25, large as many as an aggregation of 128 can do. */
static void test_steps(void **unused)
{
    (void)unused;
    for (const struct cb_chain_program *p = cb_chain_programs; p->id; p++) {
        assert_int_equal(cb_chain_steps(p, &p->sizes[CB_CHAIN_SMALL]), 2);
        assert_int_equal(cb_chain_steps(p, &p->sizes[CB_CHAIN_MEDIUM]), 25);
        assert_in_range(cb_chain_steps(p, &p->sizes[CB_CHAIN_LARGE]), 26, 25 * 128);
    }
    assert_int_equal(cb_launch_pool_of("all", 25), 25);
    assert_int_equal(cb_launch_pool_of("128", 25), 128);
    assert_int_equal(cb_launch_size_of("large"), CB_CHAIN_LARGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
