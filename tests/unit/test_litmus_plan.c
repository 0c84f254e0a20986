/* SPDX-License-Identifier: Apache-2.0
 *
 * The cases that options of litmus mean.
 */
#define BENCH "litmus"
#include "bench_fixture.h"
#include "probes/litmus/litmus_abi.h"
#include "tests/unit/unit.h"

static const struct cb_device gpu = {
    .id = "uuid:1", .index = "0:0", .name = "H200", .type = "gpu", .max_wg_size = 1024};
static const struct cb_device cpu = {
    .id = "name:cpu", .index = "1:0", .name = "cpu-8", .type = "cpu", .max_wg_size = 4096};

TEST(cases)
{
    plans_ids(&cpu, "test=MP,2+2W ordering=relaxed,fences",
              "MP/workgroups/relaxed\nMP/workgroups/fences\n"
              "2+2W/workgroups/relaxed\n2+2W/workgroups/fences\n");
    plans_ids(&gpu, "test=MP ordering=acqrel",
              "MP/workgroups/acqrel\nMP/subgroups/acqrel\nMP/subgroup/acqrel\n");
    plans_ids(&cpu, "test=MP ordering=acqrel scope=subgroups", "MP/subgroups/acqrel\n");
    struct cb_plan plan = plans(&gpu, "");
    assert_true(plan.count > CB_LITMUS_KINDS * 3 * 4); /* relaxed, fences, acqrel, rmw, mutants */
    cb_plan_free(&plan);
    /* what is no mutant of anything is left out */
    plans_ids(&cpu, "test=MP,SB,CoRR ordering=release,reversed,rmw,wg-fences",
              "MP/workgroups/release\nMP/workgroups/rmw\nMP/workgroups/wg-fences\n"
              "SB/workgroups/rmw\nSB/workgroups/wg-fences\n"
              "CoRR/workgroups/reversed\nCoRR/workgroups/rmw\n");
}

/* Only what is forbidden, of coherence by nothing but itself. */
TEST(conformance)
{
    plans_ids(&cpu, "conformance=true test=MP,SB,CoRR",
              "MP/workgroups/fences\nMP/workgroups/acqrel\nMP/workgroups/rmw\n"
              "SB/workgroups/rmw\nCoRR/workgroups/relaxed\nCoRR/workgroups/rmw\n");
    plans_ids(&gpu, "conformance=true test=MP ordering=wg-fences",
              "MP/subgroups/wg-fences\nMP/subgroup/wg-fences\n");
    refuses(&cpu, "conformance=true test=SB ordering=acqrel",
            "nothing is left of these tests and orderings: all of them are allowed their weak "
            "outcome, or mutants of none");
    refuses(&cpu, "test=SB ordering=reversed",
            "nothing is left of these tests and orderings: all of them are allowed their weak "
            "outcome, or mutants of none");
}

TEST(params)
{
    plan_seed = 7;
    has_params(&gpu, "", "litmus/LB/subgroups/fences",
               "{\"test\":\"LB\",\"scope\":\"subgroups\",\"ordering\":\"fences\",\"iterations\":16,"
               "\"stress\":50,\"wg-size\":256,\"seed\":7}");
    has_params(&cpu, "", "litmus/LB/workgroups/fences",
               "{\"test\":\"LB\",\"scope\":\"workgroups\",\"ordering\":\"fences\",\"iterations\":2,"
               "\"stress\":50,\"wg-size\":1,\"seed\":7}");
    has_params(
        &cpu, "iterations=5 stress=0 wg-size=8", "litmus/SB/workgroups/relaxed",
        "{\"test\":\"SB\",\"scope\":\"workgroups\",\"ordering\":\"relaxed\",\"iterations\":5,"
        "\"stress\":0,\"wg-size\":8,\"seed\":7}");
}

TEST(refusals)
{
    refuses(&gpu, "wg-size=48", "wg-size: expected a power of two, got 48");
    refuses(&gpu, "wg-size=2048", "wg-size: H200 takes at most 1024 work-items a workgroup");
    static const struct wrong_value rows[] = {
        {"test", "MPP", "MP"},
        {"ordering", "seq_cst", "acqrel"},
        {"stress", "101", "100"},
    };
    refuses_values(rows, sizeof rows / sizeof *rows);
}
