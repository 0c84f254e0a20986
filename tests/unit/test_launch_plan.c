/* SPDX-License-Identifier: Apache-2.0
 *
 * The cases that options of launch mean, and its programs' sizes.
 */
#define BENCH "launch"
#include "bench_fixture.h"
#include "tests/unit/unit.h"

#include "apps/nested/programs/programs.h"
#include "kernels/task_abi.h"
#include "probes/launch/aggregation/breakdown.h"
#include "probes/launch/occupancy.h"
#include "probes/launch/promotion/programs.h"
#include "runtime/host/text.h"

static const struct cb_device cpu = {
    .id = "name:cpu", .name = "cpu-8", .type = "cpu", .compute_units = 8, .max_wg_size = 4096};

#define LAUNCHERS(p, size)                                                                         \
    p "/host/" size "\n" p "/loop/" size "\n" p "/tail/" size "\n" p "/P/" size "\n" p "/PO/" size \
      "\n" p "/PA-2/" size "\n" p "/PA-128/" size "\n" p "/PA-all/" size "\n" p "/PAO-2/" size     \
      "\n" p "/PAO-128/" size "\n" p "/PAO-all/" size "\n"
#define NEST(p, size)                                                                              \
    p "/host/" size "\n" p "/serial/" size "\n" p "/flat/" size "\n" p "/thread/" size "\n" p      \
      "/warp/" size "\n" p "/block/" size "\n" p "/multiblock/" size "\n" p "/grid/" size "\n" p   \
      "/ahead/" size "\n"
#define OF_SMALL(id, ...)        NEST(#id, "small")
#define OF_MEDIUM(id, ...)       NEST(#id, "medium")
#define OF_LARGE(id, ...)        NEST(#id, "large")
#define OF_SMALL_CHAIN(id, ...)  LAUNCHERS(#id, "small")
#define OF_MEDIUM_CHAIN(id, ...) LAUNCHERS(#id, "medium")
#define OF_LARGE_CHAIN(id, ...)  LAUNCHERS(#id, "large")
#define AND_NAME(id, ...)        ", " #id

TEST(cases)
{
    plans_ids(&cpu, "size=small", CB_NEST_PROGRAMS(OF_SMALL) CB_CHAIN_PROGRAMS(OF_SMALL_CHAIN));
    plans_ids(&cpu, "size=medium", CB_NEST_PROGRAMS(OF_MEDIUM) CB_CHAIN_PROGRAMS(OF_MEDIUM_CHAIN));
    plans_ids(&cpu, "size=large", CB_NEST_PROGRAMS(OF_LARGE) CB_CHAIN_PROGRAMS(OF_LARGE_CHAIN));
    plans_ids(&cpu, "program=equal,sc launcher=grid,loop size=small pool=9",
              "equal/grid/small\nsc/loop/small\n");
    plans_ids(&cpu, "program=sc launcher=loop", "sc/loop/small\nsc/loop/medium\nsc/loop/large\n");
    plans_ids(&cpu, "program=sc launcher=PAO,host descendants=7 size=small",
              "sc/PAO-7/small\nsc/host/small\n");
    plans_ids(&cpu, "program=sc launcher=tail,P,PO condition=known,found size=small",
              "sc/tail/small\nsc/P/small\nsc/P,condition=found/small\nsc/PO/small\n"
              "sc/PO,condition=found/small\n");
    plans_ids(&cpu, "program=sc launcher=PA descendants=1 size=small", "sc/PA-1/small\n");
    plans_ids(&cpu, "program=equal launcher=serial,warp threshold=1,64 size=small",
              "equal/serial/small\nequal/warp/small\nequal/warp,threshold=64/small\n");
    plans_ids(&cpu, "program=equal launcher=flat,grid threshold=1,64 coarsening=1,4 size=small",
              "equal/flat/small\nequal/grid/small\nequal/grid,coarsening=4/small\n"
              "equal/grid,threshold=64/small\nequal/grid,threshold=64,coarsening=4/small\n");
    plans_ids(
        &cpu, "program=equal launcher=thread,warp,flat places=atomic,scan size=small",
        "equal/thread/small\nequal/warp/small\nequal/warp,places=scan/small\nequal/flat/small\n");
    plans_ids(&cpu, "program=equal launcher=grid places=scan coarsening=4 size=small",
              "equal/grid,coarsening=4,places=scan/small\n");
    plans_ids(&cpu,
              "program=equal launcher=serial,thread,grid child-size=fixed,items "
              "arguments=uniform,arrays size=small",
              "equal/serial/small\nequal/thread/small\nequal/thread,child-size=items/small\n"
              "equal/grid/small\nequal/grid,child-size=items/small\n"
              "equal/grid,arguments=arrays/small\n"
              "equal/grid,child-size=items,arguments=arrays/small\n");
    plans_ids(&cpu, "program=qt,bt launcher=serial,recursive depth=12 size=small",
              "qt/serial/small\nqt/recursive/small\nbt/serial/small\n");
    plans_ids(&cpu, "program=qt,bt launcher=grid,recursive depth=4 size=small",
              "qt/grid,depth=4/small\nqt/recursive,depth=4/small\nbt/grid/small\n");
    plans_ids(&cpu, "program=equal launcher=block,grid,ahead places=sequential,atomic size=small",
              "equal/block/small\nequal/grid,places=sequential/small\nequal/grid/small\n"
              "equal/ahead,places=sequential/small\nequal/ahead/small\n");
    plans_ids(&cpu, "program=bfs_nested,sc launcher=grid,loop input=a.mtx",
              "bfs_nested/grid/input\n");
    plans_ids(&cpu, "program=sc launcher=loop scale=tiny", "sc/loop/small\n");
    plans_ids(&cpu, "program=sc,bt launcher=serial,flat,grid,loop size=small breakdown=true",
              "bt/grid/small/breakdown\n");
    plans_ids(&cpu, "program=sc,bt launcher=serial,flat,grid,loop size=small occupancy=true",
              "sc/loop/small/occupancy\nbt/grid/small/occupancy\n");
    plans_ids(&cpu, "quick=true program=los launcher=loop", "los/loop/medium\n");
}

/* Table I: small has 2 recurrences, medium 25, large as many as an aggregation of 128 can do. */
TEST(steps)
{
    for (const struct cb_chain_program *p = cb_chain_programs; p->id; p++) {
        assert_int_equal(cb_chain_steps(p, &p->sizes[CB_LAUNCH_SMALL], p->each), 2);
        assert_int_equal(cb_chain_steps(p, &p->sizes[CB_LAUNCH_MEDIUM], p->each), 25);
        assert_in_range(cb_chain_steps(p, &p->sizes[CB_LAUNCH_LARGE], p->each), 26, 25 * 128);
    }
    assert_int_equal(cb_launch_descendants_of("all", 25), 25);
    assert_int_equal(cb_launch_descendants_of("128", 25), 128);
}

/* Where there is as little local memory as OpenCL promises, a step has room for its tile, for two
 * words of each work-item, and for the arguments of tasks; elsewhere its tile is the paper's. */
TEST(tiles)
{
    static const uint64_t usual[] = {0, 49152, 65536, 1u << 20};
    for (const struct cb_chain_program *p = cb_chain_programs; p->id; p++) {
        const unsigned each = cb_chain_each(p, 32768);
        for (size_t i = 0; i < CB_COUNTOF(usual); i++)
            assert_int_equal(cb_chain_each(p, usual[i]), p->each);
        assert_true(each > 0 && p->each % each == 0 && (each < p->each) == p->arranges);
        if (p->arranges)
            assert_true(p->wg_size * (each + 2) * sizeof(uint32_t) + TASK_LOCAL_BYTES < 32000);
        assert_true(cb_chain_each(p, 1) > 0);
    }
}

/* Inputs of parents: the reference has found something, and not all at once. */
TEST(nests)
{
    for (const struct cb_nest_program *const *p = cb_nest_programs; *p; p++) {
        struct cb_nest_data d;
        struct cb_err err;
        uint32_t most = 0, zeros = 0;
        assert_int_equal(cb_nest_make(*p, CB_LAUNCH_SMALL, NULL, &d, &err), CB_OK);
        assert_true(d.parents > 0 && d.n_others > 0 && d.n_words >= d.n_expected);
        for (size_t i = 0; i < d.n_expected; i++) {
            most = d.expected[i] > most ? d.expected[i] : most;
            zeros += d.expected[i] == 0;
        }
        if ((*p)->check) {
            char why[CB_NEST_WHY];
            assert_false((*p)->check(&d, d.words, why)); /* nothing has been done yet */
        } else {
            assert_true(most > 2 && zeros < d.n_expected);
        }
        assert_true((*p)->launching > 0 && (*p)->launching >> (*p)->phases == 0);
        for (uint32_t i = 0; i < d.parents; i++)
            assert_true(d.begins[i + 1] >= d.begins[i]);
        cb_nest_free(&d);
    }
}

/* A planned command needs a program that has the launcher. */
TEST(refused)
{
    char text[512], takers[256] = "";
    snprintf(
        text, sizeof text,
        "launcher: none of the programs has it: those whose parents launch children have host, "
        "serial, flat, thread, warp, block, multiblock, grid, ahead, enqueue, recursive; those "
        "that "
        "launch themselves (%s) have host, loop, tail, P, PO, PA, PAO",
        &(CB_CHAIN_PROGRAMS(AND_NAME))[2]);
    refuses(&cpu, "program=sc launcher=grid", text);
    for (const struct cb_nest_program *const *p = cb_nest_programs; *p; p++)
        if ((*p)->takes)
            cb_text_join(takers, sizeof takers, "%s", (*p)->id);
    snprintf(text, sizeof text, "input: none of the programs takes a file: %s do", takers);
    refuses(&cpu, "program=sc,equal input=x.mtx", text);
    snprintf(text, sizeof text,
             "breakdown: needs a program with a launcher of children: %s by host, thread, warp, "
             "block, multiblock, grid, ahead, enqueue, tuned",
             &(CB_NEST_PROGRAMS(AND_NAME))[2]);
    refuses(&cpu, "program=sc,equal launcher=serial,flat,loop breakdown=true", text);
    refuses(&cpu, "program=equal launcher=grid breakdown=true tune=true",
            "breakdown: not with --tune: each measures something else");
    refuses(&cpu, "program=equal breakdown=true occupancy=true",
            "breakdown: not with --occupancy: each measures something else");
    refuses(&cpu, "program=equal launcher=serial occupancy=true",
            "occupancy: needs launches: of a program with children, none of the launchers serial "
            "and flat");
    refuses(&cpu, "program=equal,sc depth=4", "depth: none of the programs recurses: --program qt");
    refuses(&cpu, "program=bfs_nested launcher=recursive",
            "launcher: none of the programs recurses: --program qt");
    refuses(&cpu, "program=equal launcher=warp,multiblock places=sequential",
            "places: sequential is of the launchers grid and ahead, of programs with children");
    refuses(&cpu, "descendants=0",
            "descendants: expected a number from 1 to 65536, or all, got \"0\"");
}

/* Times with nothing left out, then also work, search, launches, notes. */
static void parts_are(const double times[CB_BREAKDOWN_STEPS],
                      const double expected[CB_BREAKDOWN_PARTS])
{
    double parts[CB_BREAKDOWN_PARTS], sum = 0;
    cb_breakdown_parts(times, parts);
    for (int p = 0; p < CB_BREAKDOWN_PARTS; p++) {
        assert_true(parts[p] == expected[p]);
        sum += parts[p];
    }
    assert_true(sum == times[0]);
}

/* Parents, aggregation, launches, work. */
TEST(parts)
{
    parts_are((double[]){100, 90, 70, 30, 5}, (double[]){5, 45, 40, 10});
    parts_are((double[]){100, 100, 100, 100, 100}, (double[]){100, 0, 0, 0});
    parts_are((double[]){100, 120, 70, 80, 5}, (double[]){5, 95, 0, 0});
    parts_are((double[]){10, 20, 30, 40, 50}, (double[]){10, 0, 0, 0});
    for (int p = 0; p < CB_BREAKDOWN_PARTS; p++)
        assert_non_null(cb_breakdown_metrics[p]);
}

/* So many that begin and end in order run as expected at once. */
static void at_once_is(const uint64_t *begins, const uint64_t *ends, size_t n, double mean,
                       double first, double last)
{
    const struct cb_occupancy o = cb_occupancy_of(begins, ends, n);
    assert_float_equal((float)o.at_once, mean, 1e-6f);
    assert_float_equal((float)o.tenths[0], first, 1e-6f);
    assert_float_equal((float)o.tenths[CB_OCCUPANCY_TENTHS - 1], last, 1e-6f);
}

TEST(occupancy)
{
    at_once_is((uint64_t[]){500}, (uint64_t[]){700}, 1, 1, 1, 1);
    /* one after the other, and a pause */
    at_once_is((uint64_t[]){0, 150}, (uint64_t[]){100, 200}, 2, 0.75, 1, 1);
    /* the second in the last quarter of the first; nobody says which end is whose */
    at_once_is((uint64_t[]){75, 0}, (uint64_t[]){100, 100}, 2, 1.25, 1, 2);
    at_once_is((uint64_t[]){0, 75}, (uint64_t[]){100, 100}, 2, 1.25, 1, 2);
    /* the last ends in the middle of the last tenth */
    at_once_is((uint64_t[]){0, 0, 1000}, (uint64_t[]){950, 1000, 1000}, 3, 1.95, 2, 1.5);
    at_once_is((uint64_t[]){7, 7}, (uint64_t[]){7, 7}, 2, 0, 0, 0); /* a clock that stands */
    for (int t = 0; t < CB_OCCUPANCY_TENTHS; t++)
        assert_non_null(cb_occupancy_tenths[t]);
}
