/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/nested/programs/programs.h"
#include "apps/nested/programs/qt_abi.h"
#include "probes/launch/plan.h"
#include "probes/launch/promotion/programs.h"

#include <stdlib.h>
#include <string.h>

#define ALL              "all"
#define MOST_DESCENDANTS 65536

const char *cb_launch_inputs(const char *size)
{
    static const char *const texts[] = {"small inputs", "medium inputs", "large inputs",
                                        "an input of your own", "inputs of any size"};
    return texts[cb_launch_size_place(size)];
}

enum cb_launch_size cb_launch_size_of(const char *name, bool rehearsal)
{
    int size = 0;
    while (!rehearsal && size + 1 < CB_LAUNCH_SIZES &&
           strcmp(cb_launch_size_names[size], name) != 0)
        size++;
    return (enum cb_launch_size)size;
}

uint32_t cb_launch_descendants_of(const char *text, uint32_t steps)
{
    return strcmp(text, ALL) == 0 ? steps : (uint32_t)strtoul(text, NULL, 10);
}

enum cb_status cb_launch_check_descendants(struct cb_texts descendants, struct cb_err *err)
{
    for (int i = 0; i < descendants.n; i++) {
        const char *text = cb_texts_at(descendants, i);
        char *end;
        unsigned long n = strtoul(text, &end, 10);
        if (strcmp(text, ALL) != 0 &&
            (text[0] < '0' || text[0] > '9' || *end || n < 1 || n > MOST_DESCENDANTS))
            return cb_fail(err, CB_USAGE,
                           "descendants: expected a number from 1 to %d, or all, got \"%s\"",
                           MOST_DESCENDANTS, text);
    }
    return CB_OK;
}

#define AND_NAME(id, ...)     "," #id
#define PROGRAMS              (("" CB_NEST_PROGRAMS(AND_NAME) CB_CHAIN_PROGRAMS(AND_NAME)) + 1)
#define CHAIN(id, what)       " " #id ": " what "."
#define NEST(id, what, takes) CHAIN(id, what)
#define PARENTS_HELP          "Their parents launch children:" CB_NEST_APPS(NEST)
#define FILLS_HELP            " For the price of a launch:" CB_NEST_FILLS(NEST)
#define CHAINS_HELP           " They launch themselves:" CB_CHAIN_PROGRAMS(CHAIN)
#define ON_REQUEST            "," CB_LAUNCH_RECURSIVE "," CB_LAUNCH_ENQUEUE "," CB_LAUNCH_TUNED

#define OPTION(name, member) CB_OPTION(struct cb_launch_options, name, member)

const struct cb_param cb_launch_params[] = {
    {OPTION("program", programs), .letter = 'p', .default_value = PROGRAMS, .choices = PROGRAMS,
     .help = PARENTS_HELP FILLS_HELP CHAINS_HELP},
    {OPTION("launcher", launchers), .letter = 'l', .default_value = CB_LAUNCH_LAUNCHERS,
     .choices = CB_LAUNCH_LAUNCHERS ON_REQUEST,
     .help = "host: each launch by the host. Of parents: serial, they do their child's work "
             "themselves; flat, a workgroup does it; from within a kernel, thread, each launch on "
             "its own, warp and block, those of 32 work-items or of a workgroup as one, "
             "multiblock, those of all workgroups; grid, all children are launched as one, ahead, "
             "before the host knows how many; recursive, of qt, each child launches those "
             "that follow it; enqueue, by the device's own queue, if it has one; "
             "tuned, as --tune found best. Of launches of themselves: loop, one workgroup does "
             "all; from within a kernel, tail, each step launches the next at its end, P, "
             "promoted, at its beginning; PA, promoted and aggregated, --descendants in a launch; "
             "PO, PAO, with overlap, work that does not depend on the step before first."},
    {OPTION("descendants", descendants), .default_value = "2,128,all", .value_name = "STEPS",
     .help = "PA and PAO: steps that are launched together; all of them in one launch."},
    {OPTION("condition", conditions), .default_value = CB_LAUNCH_KNOWN,
     .choices = CB_LAUNCH_KNOWN "," CB_LAUNCH_FOUND,
     .help = "P and PO: whether there is a next step. known: from a step's start, so that none is "
             "launched in vain; found: by the step, so that each launches the next speculatively, "
             "and those that were launched in vain abort along the chain."},
    {OPTION("threshold", thresholds), .default_value = "1", .min = 1, .max = 1u << 30,
     .value_name = "ITEMS",
     .help = "Launchers with launches of children: a parent with less work than so many work-items "
             "does it itself."},
    {OPTION("coarsening", coarsenings), .default_value = "1", .min = 1, .max = 1024,
     .value_name = "WORKGROUPS",
     .help = "Launchers with launches of children: one workgroup does the work of so many of a "
             "child's."},
    {OPTION("places", places), .default_value = CB_LAUNCH_ATOMIC,
     .choices = CB_LAUNCH_ATOMIC "," CB_LAUNCH_SCAN "," CB_LAUNCH_SEQUENTIAL,
     .help = "warp, block, multiblock, grid and ahead: how launches find their places among those "
             "that are one. atomic: those next to each other together, by an addition, in no "
             "order; scan: the same, by a prefix sum, as in the paper for warp and block; "
             "sequential, of grid and ahead: each by an addition of its own, the paper's scan out "
             "of order for grid."},
    {OPTION("child-size", child_sizes), .default_value = CB_LAUNCH_FIXED,
     .choices = CB_LAUNCH_FIXED "," CB_LAUNCH_NOTED "," CB_LAUNCH_ITEMS,
     .help =
         "Launchers with launches of children: work-items of a child's workgroup. fixed: as the "
         "program says. noted: the same, but each launch notes it; launches that are one have "
         "the largest, and work-items beyond a child's own do nothing, as in the paper. items: "
         "noted, of each child a power of two from 32 to 256, so that it has 8 workgroups or "
         "fewer."},
    {OPTION("arguments", arguments), .default_value = CB_LAUNCH_UNIFORM,
     .choices = CB_LAUNCH_UNIFORM "," CB_LAUNCH_ARRAYS,
     .help = "warp, block, multiblock, grid and ahead: arguments of children. uniform: those that "
             "are the same for all are passed as they are, which the paper's compiler does if it "
             "can prove it; arrays: each launch notes all of its own."},
    {OPTION("tune", tune),
     .help = "Measures programs whose parents launch children by all launchers with several "
             "thresholds and coarsenings, says which are the best, and keeps them in the device's "
             "profile, for the launcher tuned."},
    {OPTION("pool", pool), .min = 1, .max = 1u << 28, .value_name = "LAUNCHES",
     .help = "host, grid and ahead: room for so many launches of a round. Without it: one of each "
             "parent."},
    {OPTION("depth", depth), .min = 1, .max = QT_MOST_DEPTH, .value_name = "LEVELS",
     .help = "qt: edges from the tree's root to a leaf, at most. Without it: 12, as the paper's."},
    {OPTION("breakdown", breakdown),
     .help = "Where the time of the longest round goes (KLAP'16 Fig. 9), in place of that of all: "
             "for launchers with launches of children."},
    {OPTION("occupancy", occupancy),
     .help = "How many children, or steps, run at once, and how this changes over the run (KLAP'16 "
             "Fig. 11), beside its time, which is a little longer then."},
    {OPTION("size", sizes), .default_value = "small,medium,large", .choices = "small,medium,large",
     .help = "Inputs. Large ones are the paper's, or of its sizes; for programs that launch "
             "themselves the small and medium ones, too.",
     .quick = "medium"},
    {OPTION("scale", scale), .choices = "tiny",
     .help = "tiny, to see whether all works: small inputs, whatever --size says, and few runs."},
    {OPTION("input", input), .letter = 'i', .value_name = "FILE",
     .help =
         "A file in place of the inputs, for the programs that take one: a graph (" CB_GRAPH_FILES
         "), or clauses (DIMACS, .cnf) for sp and sid; for bt no file, but how many "
         "points its lines have: T2048/C64."},
    {0},
};

#define FIELD(key, member)  CB_FIELD(struct cb_launch_case, key, member)
#define NEEDED(key, member) CB_FIELD_NEEDED(struct cb_launch_case, key, member)

const struct cb_field cb_launch_fields[] = {
    NEEDED("kind", kind),
    NEEDED("program", program),
    NEEDED("size", size),
    NEEDED("launcher", launcher),
    FIELD("descendants", descendants),
    FIELD("threshold", threshold),
    FIELD("coarsening", coarsening),
    FIELD("places", places),
    FIELD("child-size", child_size),
    FIELD("arguments", arguments),
    FIELD("condition", condition),
    FIELD("tuned", tuned),
    FIELD("breakdown", breakdown),
    FIELD("occupancy", occupancy),
    FIELD("tune", tune),
    FIELD("pool", pool),
    FIELD("depth", depth),
    FIELD("input", input),
    {0},
};
