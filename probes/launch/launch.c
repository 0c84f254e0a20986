/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches from kernels on devices without them (KLAP'16). See README.md beside this file.
 */
#include "probes/launch/launch.h"

#include <stdlib.h>

#include "apps/nested/programs/programs.h"
#include "probes/launch/figures.h"
#include "probes/launch/occupancy.h"
#include "probes/launch/report.h"
#include "probes/launch/tune.h"

struct launch {
    const struct cb_launch_kind *kind;
    void *state;
};

static enum cb_status launch_open(struct cb_session *session, const cJSON *params, void *batch,
                                  void **state, struct cb_err *err)
{
    struct launch *l = *state = calloc(1, sizeof *l);
    (void)batch;
    if (!l)
        return cb_no_memory(err);
    struct cb_launch_case p;
    cb_fields_read(params, cb_launch_fields, &p);
    l->kind = cb_nest_program_of(p.program) ? &cb_launch_nested : &cb_launch_promoted;
    return l->kind->open(session, &p, &l->state, err);
}

static enum cb_status launch_run(void *state, struct cb_sample *sample, struct cb_err *err)
{
    const struct launch *l = state;
    return l->kind->run(l->state, sample, err);
}

static void launch_close(void *state)
{
    struct launch *l = state;
    if (l->state)
        l->kind->close(l->state);
    free(l);
}

#define TENTH(n)                                                                                   \
    {                                                                                              \
        "at_once_" #n, "1", CB_NEITHER, false, "the same, in tenth " #n " of this time"            \
    }
static const struct cb_metric metrics[] = {
    {"run_time", "ns", CB_LOWER, true,
     "of a program that launches itself, from the start of the first launch to the end of the "
     "last; of parents, until the host knew of the end; with --breakdown, of the longest round"},
    {"step_time", "ns", CB_LOWER, false, "the same, of one step"},
    {"rate", "1/s", CB_HIGHER, false, "elements a second"},
    {"steps", "1", CB_NEITHER, false, "how often the program launches itself"},
    {"launch_rate", "1/s", CB_HIGHER, false, "children a second"},
    {"launches", "1", CB_NEITHER, false, "children, in all rounds, or in the longest one"},
    {"parent_time", "ns", CB_NEITHER, false,
     "of the longest round, what parents do themselves; with the next three it is run_time"},
    {"aggregation_time", "ns", CB_NEITHER, false,
     "notes of launches, room for them, and the search of children for their parent"},
    {"launch_time", "ns", CB_NEITHER, false, "submission of children, their begin and end"},
    {"work_time", "ns", CB_NEITHER, false, "what children do"},
    {"at_once", "1", CB_NEITHER, false,
     "with --occupancy, workgroups of children, or steps, that run at once, on average, from the "
     "first one's begin to the last one's end"},
    TENTH(1),
    TENTH(2),
    TENTH(3),
    TENTH(4),
    TENTH(5),
    TENTH(6),
    TENTH(7),
    TENTH(8),
    TENTH(9),
    TENTH(10),
    {"waiting", "1", CB_NEITHER, false, "share of their time that steps wait for the one before"},
    {0},
};

static const struct cb_derived derived[] = {
    {"step_time", "run_time"}, {"rate", "run_time"}, {"launch_rate", "run_time"}, {0}};

static const char *const built_by[] = {"program",   "launcher",  "places",     "child-size",
                                       "arguments", "condition", "occupancy?", NULL};

static const char *const chosen[] = {"launcher",    "threshold", "coarsening",
                                     "descendants", "places",    "child-size",
                                     "arguments",   "condition", NULL};
static const struct cb_choice choices[] = {{"launcher", chosen, .within = "kind"}, {0}};

const struct cb_bench cb_bench_launch = {
    .id = "launch",
    .summary = "Kernels that launch kernels, on devices that cannot",
    .reproduces = "KLAP'16 Sections II and III, Figs. 8, 9, 10, 11",
    .details =
        "Programs that launch kernels from kernels are written once and run in several ways.\n"
        "Those that launch themselves again and again, because each step needs what the one\n"
        "before it found: each step by the host, in a loop, or promoted, many steps together,\n"
        "each of which waits until the one before releases it. Parents that each launch a\n"
        "child, of as many work-items as they find work: by the host or from within a kernel,\n"
        "each or several as one, or without launches. Every word of every result is checked.",
    .params = cb_launch_params,
    .fields = cb_launch_fields,
    .metrics = metrics,
    .choices = choices,
    .derived = derived,
    .stop = {.rule = CB_STOP_CI,
             .warmup = 1,
             .min_runs = 5,
             .max_runs = 30,
             .max_rci = 2,
             .max_time_s = 1},
    .run_deadline_s = 60,
    .quick_gpu_s = 40,
    .quick_cpu_s = 40,
    .built_by = built_by,
    .learn = cb_launch_learn,
    .plan = cb_launch_plan,
    .open = launch_open,
    .run = launch_run,
    .close = launch_close,
    .report = cb_launch_report,
    .findings = cb_launch_findings,
    .figures = cb_launch_figures,
};
