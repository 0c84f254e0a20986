/* SPDX-License-Identifier: Apache-2.0
 *
 * The options of apps.
 */
#include "apps/host/options.h"
#include "probes/apps/bound.h"
#include "probes/apps/plan.h"
#include "runtime/discovery.h"
#include "runtime/primitives.h"

const struct cb_param cb_apps_params[] = {
    {"app", 'a', CB_PARAM_TEXT, true, "all", NULL, 0, 0, "APPS",
     "Apps to run: some of them, as in bfs,game, or all but those that only measure the runtime; "
     "'coopbench list apps' tells what there is." CB_APP_SETUP_HELP},
    CB_APP_KERNEL_PARAM,
    CB_APP_SETUP_PARAM,
    {"input", 'i', CB_PARAM_TEXT, true, "auto", NULL, 0, 0, "INPUT",
     "Input of the apps: APP=INPUT, or INPUT if there is one app: one of the app's own by its name "
     "(bfs=road, which means no file: that is ./road), a generator or a file; auto: all of the "
     "app's own, of the size that --scale says, but those that 'coopbench list apps' has on "
     "request; first: the first of these.",
     .quick = CB_APP_INPUT_FIRST},
    CB_APP_SCALE_PARAM,
    CB_APP_VARIANT_PARAM(CB_LIST_COMMAS),
    {"mode", 'm', CB_PARAM_CHOICE, true, "multikernel,specialised,portable,cooperative,baseline",
     "multikernel,specialised,portable,cooperative,baseline", 0, 0, NULL,
     "Execution modes. multikernel: the host launches each stretch between two global barriers; "
     "specialised: one launch of exactly as many workgroups as run at once, and a barrier; "
     "portable: one of too many, and the discovery protocol finds those that do; cooperative: the "
     "megakernel, with a scheduler that has nothing to do; baseline: as the paper's multi-kernel "
     "programs, plain kernels of a work-item for each vertex, one for each step (only of variants "
     "that have it)."},
    {"verify", 0, CB_PARAM_FLAG, false, NULL, NULL, 0, 0, NULL,
     "Run each case once, or as --runs says, and check its result: no tuning, and times that say "
     "little.",
     .full = true},
    {CB_APPS_BOUND, 0, CB_PARAM_FLAG, false, NULL, NULL, 0, 0, NULL,
     "Also run each specialised app with N workgroups, where N is how many run at once, and with "
     "N + 1, which has to deadlock (at the cost of two or three times --wait-deadline)."},
    {"wg-size", 0, CB_PARAM_TEXT, true, "auto", NULL, 0, 0, "SIZES",
     "Work-items a workgroup: powers of two that are tried, the best of which is measured, or one "
     "size; auto: all from 32 (on a CPU device, 1) to the device's largest; suited: one that suits "
     "the "
     "app, without trying.",
     .quick = "suited"},
    {"tune-by", 0, CB_PARAM_CHOICE, false, CB_APPS_BY_LEAST, CB_APPS_BY_LEAST "," CB_APPS_BY_MEAN,
     0, 0, NULL,
     "The best size: least: that of each mode with the least time of a few runs; mean: as "
     "OOPSLA'16, by the mean of ten, and specialised takes portable's."},
    {"tune-budget", 0, CB_PARAM_REAL, false, NULL, NULL, 0, 3600, "S",
     "Tuning the modes of an app with an input builds no further size after so many seconds, "
     "beginning with the size that suits the app. Without it: 10 on a CPU device, 60 on others."},
    {"workgroups", 0, CB_PARAM_UINT, false, NULL, NULL, 2, 4094, NULL,
     "Workgroups of the app; without it as many as run at once, but one, in whose place the "
     "megakernel has its scheduler."},
    {"barrier", 'b', CB_PARAM_CHOICE, false, CB_APPS_RESIZING, CB_APP_RESIZING_CHOICES, 0, 0, NULL,
     "Resizing barrier of the cooperative mode; 'coopbench multitask --help' tells which is what."},
    {"global-barrier", 'g', CB_PARAM_CHOICE, true, CB_APPS_BARRIER, CB_PRIMITIVE_IDS(CB_BARRIERS),
     0, 0, NULL,
     "Barriers of the modes specialised and portable. OOPSLA'16 has xf; 'coopbench primitives "
     "--help' tells which is what."},
    {"protocol", 'p', CB_PARAM_CHOICE, true, CB_APPS_PROTOCOL, "ticket,spin,lockfree,unsafe", 0, 0,
     NULL,
     "How the mode portable finds out which workgroups run at once. ticket: with this mutex, as "
     "OOPSLA'16; spin: with a spin lock; lockfree: with one atomic word; unsafe: not at all, only "
     "as many are launched as others have found."},
    {"delay", 0, CB_PARAM_TEXT, false, "adaptive", NULL, 0, 0, "TURNS",
     "Lock-unlock turns of the protocols ticket and spin before they stop to wait for more "
     "workgroups: N, where 0 is the paper's protocol as printed; or adaptive (until nobody has "
     "joined for a while)."},
    {"ids", 0, CB_PARAM_CHOICE, true, "own", CB_DISCOVERY_IDS, 0, 0, NULL,
     "The order of the workgroups' ids in the mode portable. arrival: as they come to a word, "
     "which is a protocol's own; native: by their numbers in the launch, the own one of unsafe; "
     "shuffled: native ones in a fixed order that has nothing to do with them."},
    {0},
};
