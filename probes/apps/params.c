/* SPDX-License-Identifier: Apache-2.0
 *
 * The options of apps.
 */
#include "apps/host/options.h"
#include "probes/apps/bound.h"
#include "probes/apps/plan.h"
#include "runtime/discovery.h"
#include "runtime/primitives.h"

#define OPTION(name, member) CB_OPTION(struct cb_apps_options, name, member)

const struct cb_param cb_apps_params[] = {
    {OPTION("app", app.apps), .letter = 'a', .default_value = "all", .value_name = "APPS",
     .help = "Apps to run: some of them, as in bfs,game, or all but those that only measure the "
             "runtime; 'coopbench list apps' tells what there is." CB_APP_SETUP_HELP},
    CB_APP_KERNEL_PARAM(struct cb_apps_options),
    CB_APP_SETUP_PARAM(struct cb_apps_options),
    {OPTION("input", app.inputs), .letter = 'i', .default_value = "auto", .value_name = "INPUT",
     .help = "Input of the apps: APP=INPUT, or INPUT if there is one app: one of the app's own by "
             "its name (bfs=road, which means no file: that is ./road), a generator or a file; "
             "auto: all of the app's own, of the size that --scale says, but those that 'coopbench "
             "list apps' has on request; first: the first of these.",
     .quick = CB_APP_INPUT_FIRST},
    CB_APP_SCALE_PARAM(struct cb_apps_options),
    CB_APP_VARIANT_PARAM(struct cb_apps_options, CB_LIST_COMMAS),
    {OPTION("mode", modes), .letter = 'm',
     .default_value = "multikernel,specialised,portable,cooperative,baseline",
     .choices = "multikernel,specialised,portable,cooperative,baseline",
     .help = "Execution modes. multikernel: the host launches each stretch between two global "
             "barriers; specialised: one launch of exactly as many workgroups as run at once, and "
             "a barrier; portable: one of too many, and the discovery protocol finds those that "
             "do; cooperative: the megakernel, with a scheduler that has nothing to do; baseline: "
             "as the paper's multi-kernel programs, plain kernels of a work-item for each vertex, "
             "one for each step (only of variants that have it)."},
    {OPTION("verify", verify),
     .help = "Run each case once, or as --runs says, and check its result: no tuning, and times "
             "that say little.",
     .full = true},
    {OPTION(CB_APPS_BOUND, bound),
     .help =
         "Also run each specialised app with N workgroups, where N is how many run at once, and "
         "with N + 1, which has to deadlock (at the cost of two or three times --wait-deadline)."},
    {OPTION("wg-size", wg_sizes), .default_value = "auto", .value_name = "SIZES",
     .help = "Work-items a workgroup: powers of two that are tried, the best of which is measured, "
             "or one size; auto: all from 32 (on a CPU device, 1) to the device's largest; suited: "
             "one that suits the app, without trying.",
     .quick = "suited"},
    {OPTION("tune-by", tune_by), .default_value = CB_APPS_BY_LEAST,
     .choices = CB_APPS_BY_LEAST "," CB_APPS_BY_MEAN,
     .help = "The best size: least: that of each mode with the least time of a few runs; mean: as "
             "OOPSLA'16, by the mean of ten, and specialised takes portable's."},
    {OPTION("tune-budget", tune_budget_s), .max = 3600, .value_name = "S",
     .help = "Tuning the modes of an app with an input builds no further size after so many "
             "seconds, beginning with the size that suits the app. Without it: 10 on a CPU device, "
             "60 on others."},
    {OPTION("workgroups", app.workgroups), .min = 2, .max = 4094,
     .help = "Workgroups of the app; without it as many as run at once, but one, in whose place "
             "the megakernel has its scheduler."},
    {OPTION("headroom", headroom), .min = 0.5, .max = 0.9999, .value_name = "SHARE",
     .help =
         "The mode specialised has as many workgroups as are safe: as run at once in this share "
         "of launches, beside each neighbour that 'coopbench discover --headroom SHARE' has "
         "measured on this device; the least of these numbers, which are kept in its profile. "
         "Without it: as many as run at once now."},
    {OPTION("barrier", app.barrier), .letter = 'b', .default_value = CB_APPS_RESIZING,
     .choices = CB_APP_RESIZING_CHOICES,
     .help = "Resizing barrier of the cooperative mode; 'coopbench multitask --help' tells which "
             "is what."},
    {OPTION("global-barrier", global_barriers), .letter = 'g', .default_value = CB_APPS_BARRIER,
     .choices = CB_PRIMITIVE_IDS(CB_BARRIERS),
     .help = "Barriers of the modes specialised and portable. OOPSLA'16 has xf; 'coopbench "
             "primitives --help' tells which is what."},
    {OPTION("protocol", protocols), .letter = 'p', .default_value = CB_APPS_PROTOCOL,
     .choices = "ticket,spin,lockfree,unsafe",
     .help = "How the mode portable finds out which workgroups run at once. ticket: with this "
             "mutex, as OOPSLA'16; spin: with a spin lock; lockfree: with one atomic word; unsafe: "
             "not at all, only as many are launched as others have found."},
    {OPTION("delay", delay), .default_value = "adaptive", .value_name = "TURNS",
     .help = "Lock-unlock turns of the protocols ticket and spin before they stop to wait for more "
             "workgroups: N, where 0 is the paper's protocol as printed; or adaptive (until nobody "
             "has joined for a while)."},
    {OPTION("ids", ids), .default_value = "own", .choices = CB_DISCOVERY_IDS,
     .help = "The order of the workgroups' ids in the mode portable. arrival: as they come to a "
             "word, which is a protocol's own; native: by their numbers in the launch, the own one "
             "of unsafe; shuffled: native ones in a fixed order that has nothing to do with them."},
    {0},
};

#define FIELD(key, member)  CB_FIELD(struct cb_apps_parameters, key, member)
#define NEEDED(key, member) CB_FIELD_NEEDED(struct cb_apps_parameters, key, member)

const struct cb_field cb_apps_fields[] = {
    CB_APP_NAME_FIELDS(struct cb_apps_parameters),
    NEEDED("mode", mode),
    NEEDED("barrier", app.barrier),
    FIELD("workgroups", app.workgroups),
    FIELD("protocol", app.protocol),
    FIELD("delay", app.delay),
    FIELD("ids", app.ids),
    FIELD("global-barrier", app.global_barrier),
    FIELD("sizes", sizes),
    FIELD("tune-by", tune_by),
    FIELD("budget_s", budget_s),
    FIELD("wg-size", app.wg_size),
    FIELD("verify", verify),
    FIELD(CB_APPS_BOUND, bound),
    FIELD("headroom", headroom),
    {0},
};
