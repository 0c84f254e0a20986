/* SPDX-License-Identifier: Apache-2.0
 *
 * apps/nested/programs/nest_ended.clh: workgroups of a child each write a plain word, and the one
 * that ends as the last reads all of them.
 */
#include "opencl.h"
#include "programs.h"

#define GROUPS 3u

#include "apps/nested/programs/nest.clh"
static inline volatile global uint *nest_ended(const nest_input in, uint parent)
{
    return in.flag + parent;
}
#include "apps/nested/programs/nest_ended.clh"
#pragma GCC diagnostic pop

static nest_input in;
static uint last_ones;

static void start(void)
{
    in = (nest_input){.words = weak_shared(GROUPS * sizeof(uint)),
                      .flag = weak_shared(sizeof(uint))};
    last_ones = 0;
}

static void end_child(unsigned thread)
{
    in.words[thread] = 1;
    if (!nest_is_last(in, 0, GROUPS))
        return;
    last_ones++;
    for (uint group = 0; group < GROUPS; group++)
        WEAK_CHECK(in.words[group] == 1, "a workgroup that had not ended");
}

static const char *one_was_last(void)
{
    return last_ones == 1 ? NULL : "nobody is the last, or two are";
}

const weak_program nested_programs[] = {
    {"child ends", GROUPS, start, end_child, one_was_last},
    {NULL},
};
