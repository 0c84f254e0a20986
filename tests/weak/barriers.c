/* SPDX-License-Identifier: Apache-2.0
 *
 * kernels/barriers/: what a workgroup wrote before, plain, all read after, and write over after the
 * next one.
 */
#include "opencl.h"
#include "programs.h"

#define CB_PATIENT_FEW 2u /* so that three are many */
#define CB_MUTEX       ticket
#include "kernels/barrier.clh"
#include "kernels/barrier_once.clh"
#include "kernels/barriers/broadcast.clh"
#include "kernels/barriers/counter.clh"
#include "kernels/barriers/monitor.clh"
#include "kernels/barriers/patient.clh"
#include "kernels/barriers/two_stage.clh"
#include "kernels/barriers/xf.clh"
#include "kernels/barriers/xf_rounds.clh"
#include "kernels/primitives_abi.h"
#pragma GCC diagnostic pop

static cb_launch *launch;
static cb_u32 *words;
static uint *written;

static void start(void)
{
    launch = weak_launch();
    words = weak_shared(CB_BARRIER_WORDS(4) * sizeof *words + 1024);
    written = weak_shared(4 * sizeof *written);
}

static void check_written(uint groups, uint value)
{
    for (uint g = 0; g < groups; g++)
        WEAK_CHECK(written[g] == value, "a workgroup that had not arrived");
}

#define PROGRAM(kind, name, ...)                                                                   \
    static void meet_##name(uint group, uint groups, uint rounds)                                  \
    {                                                                                              \
        cb_barrier_state b = cb_barrier_start(launch, words, group, groups);                       \
        for (uint round = 1; round <= rounds; round++) {                                           \
            written[group] = round;                                                                \
            cb_global_barrier_##name(b);                                                           \
            check_written(groups, round);                                                          \
            cb_global_barrier_##name(b);                                                           \
        }                                                                                          \
        WEAK_CHECK(!b.failed, "a wait was given up");                                              \
    }                                                                                              \
    static void two_##name(unsigned thread)                                                        \
    {                                                                                              \
        meet_##name(thread, 2, 2);                                                                 \
    }                                                                                              \
    static void three_##name(unsigned thread)                                                      \
    {                                                                                              \
        meet_##name(thread, 3, 1);                                                                 \
    }
CB_BARRIERS(PROGRAM)

static void once(unsigned thread)
{
    written[thread] = 1;
    WEAK_CHECK(cb_barrier_once(launch, words, 3), "a wait was given up");
    check_written(3, 1);
}

#define LISTED(kind, name, ...)                                                                    \
    {"barrier " #name ", two", 2, start, two_##name},                                              \
        {"barrier " #name ", three", 3, start, three_##name},
const weak_program barrier_programs[] = {
    CB_BARRIERS(LISTED){"barrier once", 3, start, once},
    {NULL},
};
