/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "apps/nested/programs/sizes.h"
#include "measure/bench.h"

/* Names inputs: "small inputs", "an input of your own". */
const char *cb_launch_inputs(const char *size);

/* How launches find their places among those that are one. */
#define CB_LAUNCH_ATOMIC     "atomic"
#define CB_LAUNCH_SCAN       "scan"
#define CB_LAUNCH_SEQUENTIAL "sequential"

/* How many work-items a workgroup of a child has: as the program says; the same, noted by each
 * launch; by how many the child has. */
#define CB_LAUNCH_FIXED "fixed"
#define CB_LAUNCH_NOTED "noted"
#define CB_LAUNCH_ITEMS "items"

/* How a child gets its arguments: those that are the same for all as they are, or all in arrays. */
#define CB_LAUNCH_UNIFORM "uniform"
#define CB_LAUNCH_ARRAYS  "arrays"

/* Whether it is known from the start of a step that there is a next one, or found by the step. */
#define CB_LAUNCH_KNOWN "known"
#define CB_LAUNCH_FOUND "found"

#define CB_LAUNCHER_BYTES 128 /* room for a launcher's name with all details */

/* Kinds of cases: parents that launch children, and programs that launch themselves. */
#define CB_LAUNCH_AGGREGATION "aggregation"
#define CB_LAUNCH_PROMOTION   "promotion"
#define CB_LAUNCH_BREAKDOWN   "breakdown" /* parents: parts of their time */
#define CB_LAUNCH_TUNING      "tuning"    /* parents: what --tune tries */
#define CB_LAUNCH_CHILDREN    "children"  /* parents: children that run at once */
/* Programs that launch themselves: steps that run at once. */
#define CB_LAUNCH_STEPS "steps"

/* Launchers. */
#define CB_LAUNCH_HOST       "host"
#define CB_LAUNCH_LOOP       "loop"
#define CB_LAUNCH_TAIL       "tail"
#define CB_LAUNCH_P          "P"
#define CB_LAUNCH_PO         "PO"
#define CB_LAUNCH_PA         "PA"
#define CB_LAUNCH_PAO        "PAO"
#define CB_LAUNCH_SERIAL     "serial"
#define CB_LAUNCH_FLAT       "flat"
#define CB_LAUNCH_THREAD     "thread"
#define CB_LAUNCH_WARP       "warp"
#define CB_LAUNCH_BLOCK      "block"
#define CB_LAUNCH_MULTIBLOCK "multiblock"
#define CB_LAUNCH_GRID       "grid"
#define CB_LAUNCH_ENQUEUE    "enqueue"
#define CB_LAUNCH_TUNED      "tuned"
#define CB_LAUNCH_AHEAD      "ahead"
#define CB_LAUNCH_RECURSIVE  "recursive"

/* Launchers that are measured unless others are named. */
#define CB_LAUNCH_LAUNCHERS                                                                        \
    "host,serial,flat,thread,warp,block,multiblock,grid,ahead,loop,tail,P,PO,PA,PAO"

/* The options, whose rows say what each is. */
struct cb_launch_options {
    struct cb_texts programs, launchers, descendants, places, child_sizes, arguments, conditions,
        sizes;
    struct cb_uints thresholds, coarsenings;
    bool tune, breakdown, occupancy;
    unsigned pool, depth;
    const char *scale, *input;
};

/* The parameters of a case. */
struct cb_launch_case {
    const char *kind, *program, *size, *launcher;
    const char *descendants; /* a number, or "all" */
    const char *places;
    /* NULL: CB_LAUNCH_FIXED, CB_LAUNCH_UNIFORM, CB_LAUNCH_KNOWN */
    const char *child_size, *arguments, *condition;
    unsigned threshold, coarsening, pool; /* 0: not said */
    unsigned depth;                       /* of a recursion; 0: as the program has it */
    bool tuned;                           /* the launcher, by an earlier run */
    bool breakdown, occupancy, tune;
    const char *input; /* a file; NULL: one of the size */
};

extern const struct cb_param cb_launch_params[];
extern const struct cb_field cb_launch_fields[];

enum cb_status cb_launch_plan(struct cb_plan *plan, const cJSON *options, struct cb_err *err);

/* That of a case by its name; in a rehearsal small. */
enum cb_launch_size cb_launch_size_of(const char *name, bool rehearsal);

/* The number of steps that are launched together, of a number or "all". */
uint32_t cb_launch_descendants_of(const char *text, uint32_t steps);
enum cb_status cb_launch_check_descendants(struct cb_texts descendants, struct cb_err *err);
