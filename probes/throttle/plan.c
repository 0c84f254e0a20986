/* SPDX-License-Identifier: Apache-2.0
 *
 * Which cases a set of options means on one device: for each app the steps of the schedule, which
 * are a group, and the power caps.
 */
#include "probes/throttle/plan.h"

#include <stdio.h>
#include <string.h>

#include "apps/host/case.h"
#include "apps/host/options.h"
#include "probes/throttle/throttle.h"
#include "runtime/discovery.h"

/* The options, whose rows say what each is. */
struct cb_throttle_options {
    struct cb_app_options app;
    struct cb_texts schedule;
    double hold_s, cap_time_s, interval_s, idle_s, resize_deadline_s;
    struct cb_reals power_caps_w;
};

#define OPTION(name, member) CB_OPTION(struct cb_throttle_options, name, member)

const struct cb_param cb_throttle_params[] = {
    {OPTION("app", app.apps), .letter = 'a', .default_value = "color", .value_name = "APP",
     .help = "Apps to run, as in color,game, or all but those that only measure the runtime; "
             "'coopbench list apps' tells what there is." CB_APP_SETUP_HELP},
    CB_APP_KERNEL_PARAM(struct cb_throttle_options),
    CB_APP_SETUP_PARAM(struct cb_throttle_options),
    CB_APP_INPUT_PARAM(struct cb_throttle_options),
    CB_APP_SCALE_PARAM(struct cb_throttle_options),
    {OPTION("schedule", schedule), .default_value = "N,3N/4,N/2,N/4,1,N", .value_name = "GROUPS",
     .help = "Workgroups of the app, one number after the other: a number, N (as many as run at "
             "once, but one for the scheduler), a part of them (N/4, 3N/4), or so many fewer "
             "(N-1); none: no schedule."},
    {OPTION("hold", hold_s), .default_value = "3", .min = 0.05, .max = 600, .value_name = "S",
     .help = "Seconds that each of them is measured, and a bit more, until a run of the app ends."},
    {OPTION("power-cap", power_caps_w), .min = 1, .max = 100000, .value_name = "W",
     .help = "Watts to stay below, with as many workgroups as that allows; several: one after the "
             "other."},
    {OPTION("cap-time", cap_time_s), .default_value = "30", .min = 0.2, .max = 3600,
     .value_name = "S", .help = "Seconds that each cap is held."},
    {OPTION("interval", interval_s), .default_value = "0.5", .min = 0.05, .max = 60,
     .value_name = "S", .help = "Seconds between two looks at the power, for a cap."},
    {OPTION("idle", idle_s), .default_value = "1", .min = 0.05, .max = 600, .value_name = "S",
     .help = "Seconds before the app begins, in which the power of the idle device is measured."},
    {OPTION("barrier", app.barrier), .letter = 'b', .default_value = "atomic",
     .choices = CB_APP_RESIZING_CHOICES,
     .help = "Resizing barrier of the apps; those that offer and request have none."},
    {OPTION("workgroups", app.workgroups), .min = 1, .max = 4094,
     .help = "Most workgroups of the app, N; without it as many as run at once, but one for the "
             "scheduler."},
    {OPTION("wg-size", app.wg_size), .min = 1, .max = 65536,
     .help = "Work-items a workgroup; without it, what suits the app."},
    {OPTION("channel", app.channel), .default_value = "auto", .choices = "auto,svm,queue",
     .help = "How the host reaches the running kernel: svm (fine-grained shared memory), queue "
             "(copies on a second queue)."},
    {OPTION("resize-deadline", resize_deadline_s), .default_value = "10", .min = 0.01, .max = 600,
     .value_name = "S",
     .help = "A change that has not come to pass by then makes a row 'timeout'."},
    {OPTION("trace", app.trace), .value_name = "FOLDER",
     .help =
         "Write power and workgroups over time to FOLDER, for each schedule and cap: for 'plot'."},
    {0},
};

#define PREPARING_S 30

struct planner {
    const struct cb_bench *bench;
    const struct cb_device *device;
    const cJSON *options;
    struct cb_plan *plan;
    char schedule[256]; /* "N,N/2,1"; empty: none */
};

/* ---- Cases ----------------------------------------------------------------------------------- */

/* trace: names its file among those of the app. */
static void set_common(const struct planner *p, struct cb_case *c, const struct cb_app *app,
                       const char *trace)
{
    struct cb_app_choice inputs[CB_APP_MAX_CHOICES];
    char name[96];
    c->batch = p->plan->batches;
    cb_app_choices(p->options, app, cb_app_scale(p->options, app, p->device->type), inputs);
    cb_app_case_name(c, app, cb_app_choice_spec(&inputs[0]), NULL);
    cb_app_case_take(c, p->options, app, NULL);
    cb_case_take(c, p->options, "idle");
    cb_case_take(c, p->options, "resize-deadline");
    snprintf(name, sizeof name, "%s-%s", app->id, trace);
    cb_app_case_trace(c, p->options, name, ".tsv");
}

/* For a number of resizes that each take as long as they may, and for what comes before them. */
static double deadline_s(const struct planner *p, int resizes)
{
    return resizes * cb_option_real(p->options, "resize-deadline") +
           cb_option_real(p->options, "idle") + PREPARING_S;
}

/* All steps of an app share a launch, which any of them may begin. */
static void add_step(const struct planner *p, const struct cb_app *app, int step)
{
    const char *groups = cb_options_text(p->options, "schedule", step);
    double hold_s = cb_option_real(p->options, "hold");
    char launch[64];
    int n = cb_options_count(p->options, "schedule");
    int i = cb_plan_add(p->plan, p->bench, p->device, "%s/%s/step=%d,groups=%s", p->bench->id,
                        app->id, step + 1, groups);
    if (i < 0)
        return;
    struct cb_case *c = &p->plan->cases[i];
    set_common(p, c, app, "steps");
    snprintf(launch, sizeof launch, "%s/%d", app->id, p->plan->groups);
    cJSON_AddStringToObject(c->params, "launch", launch);
    cb_case_set(c, "schedule", p->schedule);
    cJSON_AddNumberToObject(c->params, "step", step + 1);
    cJSON_AddStringToObject(c->params, "groups", groups);
    cb_case_take(c, p->options, "hold");
    c->group = p->plan->groups;
    c->expected_s = 1.15 * hold_s + 0.3;
    c->run_deadline_s = n * 10 * hold_s + deadline_s(p, n);
}

static void add_schedule(const struct planner *p, const struct cb_app *app)
{
    p->plan->groups++;
    for (int s = 0; s < cb_options_count(p->options, "schedule"); s++)
        add_step(p, app, s);
}

static void add_cap(const struct planner *p, const struct cb_app *app, const char *cap)
{
    char trace[64];
    double cap_s = cb_option_real(p->options, "cap-time");
    int i = cb_plan_add(p->plan, p->bench, p->device, "%s/%s/cap=%s", p->bench->id, app->id, cap);
    if (i < 0)
        return;
    struct cb_case *c = &p->plan->cases[i];
    snprintf(trace, sizeof trace, "cap-%.32s", cap);
    set_common(p, c, app, trace);
    cb_case_set(c, "power-cap", cap);
    cb_case_take(c, p->options, "cap-time");
    cb_case_take(c, p->options, "interval");
    c->expected_s = cap_s + 2;
    c->run_deadline_s = cap_s + deadline_s(p, 2);
}

/* ---- Options --------------------------------------------------------------------------------- */

static enum cb_status check_schedule(struct planner *p, struct cb_err *err)
{
    int n = cb_options_count(p->options, "schedule");
    if (n == 1 && strcmp(cb_options_text(p->options, "schedule", 0), "none") == 0)
        return CB_OK;
    if (n > CB_THROTTLE_MAX_STEPS)
        return cb_fail(err, CB_USAGE, "schedule: at most %d steps", CB_THROTTLE_MAX_STEPS);
    for (int i = 0; i < n; i++) {
        const char *text = cb_options_text(p->options, "schedule", i);
        size_t used = strlen(p->schedule);
        if (cb_groups_parse(text, 0, NULL, err) != CB_OK)
            return cb_context(err, "schedule");
        if (used + strlen(text) + 2 > sizeof p->schedule)
            return cb_fail(err, CB_USAGE, "schedule: too long");
        strcat(strcat(p->schedule, used ? "," : ""), text);
    }
    return CB_OK;
}

static enum cb_status check_options(struct planner *p, struct cb_err *err)
{
    if (cb_app_options_check(p->options, err) != CB_OK || check_schedule(p, err) != CB_OK)
        return err->status;
    if (!*p->schedule && cb_options_count(p->options, "power-cap") == 0)
        return cb_fail(err, CB_USAGE,
                       "schedule: there is nothing to do without a schedule; give --power-cap W, "
                       "or --schedule N,N/2,1");
    if (cb_app_trace_check(p->options, err) != CB_OK)
        return err->status;
    return cb_app_groups_check(p->options, p->device, NULL, err);
}

enum cb_status cb_throttle_plan(const struct cb_bench *bench, const struct cb_device *device,
                                const cJSON *options, struct cb_plan *plan, struct cb_err *err)
{
    struct planner p = {bench, device, options, plan, ""};
    if (check_options(&p, err) != CB_OK)
        return err->status;
    for (int a = 0; cb_apps[a]; a++) {
        if (!cb_app_is_chosen(options, cb_apps[a], false))
            continue;
        plan->batches++; /* the cases of an app share its input */
        if (*p.schedule)
            add_schedule(&p, cb_apps[a]);
        for (int i = 0; i < cb_options_count(options, "power-cap"); i++)
            add_cap(&p, cb_apps[a], cb_options_text(options, "power-cap", i));
    }
    return CB_OK;
}
