/* SPDX-License-Identifier: Apache-2.0
 *
 * The options --app, --kernel, --setup, --input, --scale, --groups, --wg-size and --trace of
 * benchmarks that run apps, in the parent process.
 */
#pragma once

#include "apps/host/app.h"
#include "apps/host/choices.h"
#include "apps/host/setup.h"

/* What the help of --app ends with. */
#define CB_APP_SETUP_HELP                                                                          \
    " A kernel of yours: its setup, ./solver.json (docs/cooperative-kernels.md)."

#define CB_APP_ALL_VARIANTS "all" /* of --variant: those that each app has */

/* The options of a benchmark that runs apps: its struct has a member `app`, with those members
 * filled for which the benchmark has rows. */
struct cb_app_options {
    struct cb_texts apps, kernels, inputs, variants, workloads, tasks, groups;
    const char *setup, *scale, *barrier, *channel, *trace;
    unsigned workgroups, wg_size;
    /* what the run says to all benchmarks: */
    bool quick;
    const char *originals; /* a folder */
};

/* Fills a benchmark's struct of options, by its table, and what the run says. */
#define cb_app_options_read(options, table, into)                                                  \
    (cb_options_read(options, table, into), cb_app_options_of_run(options, &(into)->app))
void cb_app_options_of_run(const cJSON *options, struct cb_app_options *app);

/* Rows of a benchmark's options. */
#define CB_APP_KERNEL_PARAM(STRUCT)                                                                \
    {                                                                                              \
        CB_OPTION(STRUCT, "kernel", app.kernels),                                                  \
            .value_name = "FILE", .instead_of = "app",                                             \
            .help =                                                                                \
                "Instead of --app: kernels of yours, as solver.cl, or solver.cl:solve of a file "  \
                "with several. --setup says what their arguments are."                             \
    }
#define CB_APP_SETUP_PARAM(STRUCT)                                                                 \
    {                                                                                              \
        CB_OPTION(STRUCT, "setup", app.setup),                                                     \
            .value_name = "FILE",                                                                  \
            .help = "The arguments of kernels of yours, and how their results are checked: "       \
                    "setup.json, "                                                                 \
                    "of which 'coopbench init solver.cl -o setup.json' writes a first one. "       \
                    "Without it: one that is guessed, if a trial is sure of it."                   \
    }
#define CB_APP_INPUT_PARAM(STRUCT)                                                                 \
    {                                                                                              \
        CB_OPTION(STRUCT, "input", app.inputs),                                                    \
            .letter = 'i', .default_value = "auto", .value_name = "INPUT",                         \
            .help = "Input of the apps: APP=INPUT, or INPUT if there is one app: one of the "      \
                    "app's own by "                                                                \
                    "its name (bfs=road, which means no file: that is ./road), a generator or a "  \
                    "file; "                                                                       \
                    "auto: one that suits the device. 'coopbench list apps' tells what they take." \
    }
#define CB_APP_SCALE_PARAM(STRUCT)                                                                 \
    {                                                                                              \
        CB_OPTION(STRUCT, "scale", app.scale),                                                     \
            .letter = 's', .choices = "tiny,small,paper",                                          \
            .help =                                                                                \
                "Size of the apps' own inputs: tiny (a run of some milliseconds on a CPU), "       \
                "small, "                                                                          \
                "paper (as large as the papers'). Without it: small on a CPU device, paper on "    \
                "others, but small for apps whose input or check takes seconds, unless --full."    \
    }

/* several: CB_LIST_COMMAS, or CB_LIST_NONE for a benchmark whose tables do not tell variants. */
#define CB_APP_VARIANT_PARAM(STRUCT, several)                                                      \
    {                                                                                              \
        CB_OPTION(STRUCT, "variant", app.variants),                                                \
            .list = several, .default_value = CB_APP_OURS,                                         \
            .choices = CB_APP_PAPER "," CB_APP_PAPER_ONCE "," CB_APP_OURS,                         \
            .help =                                                                                \
                "How the apps work. ours: as fast as we know how; paper: by the algorithm of the " \
                "authors' program, where that is another one; paper-once: the same, but of the "   \
                "barriers of a round one resizes, where in FSE'17 all do."                         \
    }

/* The path of a kernel's setup, which is in the file of --setup. CB_USAGE: there is none. */
enum cb_status cb_app_setup_path(const struct cb_app_options *options, const char *kernel,
                                 char path[CB_SETUP_PATH], struct cb_err *err);

/* Whether an option names the file of a kernel, as "blur.cl" or "blur.cl:blur". */
bool cb_app_is_kernel(const char *text);

/* The kernels that --kernel and --task name, each once; to be deleted. NULL: none. */
cJSON *cb_app_list_kernels(const struct cb_app_options *options);

/* How many --app or --kernel names, and whether this app is among them. */
int cb_app_count_named(const struct cb_app_options *options);
bool cb_app_is_named(const struct cb_app_options *options, const struct cb_app *app);

/* The i-th that --app or --kernel names; NULL: there is none, or it is no app. */
const struct cb_app *cb_app_named(const struct cb_app_options *options, int i);

/* CB_USAGE says which app or own input there is not, which app has not the variant, or which input
 * is of an app that is not chosen. */
enum cb_status cb_app_options_check(const struct cb_app_options *options, struct cb_err *err);

/* The app that an option called --beside names, or whose setup. NULL, CB_USAGE: there is none;
 * kinds of neighbours (measure/process/beside.h) have been taken out of the option. */
const struct cb_app *cb_app_beside(const char *name, struct cb_err *err);

/* CB_USAGE says what is no number of workgroups, or too many work-items for the device. word: what
 * --groups may be besides; NULL: nothing. */
enum cb_status cb_app_groups_check(const struct cb_app_options *options,
                                   const struct cb_device *device, const char *word,
                                   struct cb_err *err);

/* CB_USAGE if the folder of --trace has too long a name. */
enum cb_status cb_app_trace_check(const struct cb_app_options *options, struct cb_err *err);

/* Whether --app names the app. "all" means it, too, but for those that have to be named, and
 * with synthetic apps only if these are wanted. */
bool cb_app_is_chosen(const struct cb_app_options *options, const struct cb_app *app,
                      bool synthetic);

/* "bfs, game": the apps that belong to them (NULL: all). */
void cb_app_list(bool (*belongs)(const struct cb_app *app), char *text, size_t room);

/* The i-th variant of --variant, or ours if the benchmark has no such option. NULL: the app does
 * not have it. */
const struct cb_app *cb_app_chosen_variant(const struct cb_app_options *options,
                                           const struct cb_app *app, int i);

/* How many --variant names, at least 1. */
int cb_app_variants(const struct cb_app_options *options);

/* What --scale says; without it, what suits a device of this type, in a quick run a size smaller
 * for an app whose results take long to check. */
enum cb_scale cb_app_scale(const struct cb_app_options *options, const struct cb_app *app,
                           const char *device_type);
