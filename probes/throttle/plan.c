/* SPDX-License-Identifier: Apache-2.0
 *
 * Which cases a set of options means on one device: for each app the steps of the schedule, which
 * are a group, and the power caps.
 */
#include "probes/throttle/plan.h"

#include <stdio.h>
#include <stdlib.h>
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
             "once, but one for the scheduler), a part of N (N/4, 3N/4), or all but some "
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

#define FIELD(key, member) CB_FIELD(struct cb_throttle_case, key, member)

const struct cb_field cb_throttle_fields[] = {
    CB_APP_NAME_FIELDS(struct cb_throttle_case),
    CB_APP_KERNEL_FIELDS(struct cb_throttle_case),
    FIELD("idle", idle_s),
    FIELD("resize-deadline", resize_deadline_s),
    FIELD("trace", app.trace),
    FIELD("launch", launch),
    FIELD("schedule", schedule),
    FIELD("step", step),
    FIELD("groups", groups),
    FIELD("hold", hold_s),
    FIELD("power-cap", power_cap_w),
    FIELD("cap-time", cap_time_s),
    FIELD("interval", interval_s),
    {0},
};

struct planner {
    struct cb_plan *plan;
    struct cb_throttle_options o;
    char schedule[256]; /* "N,N/2,1"; empty: none */
};

/* ---- Cases ----------------------------------------------------------------------------------- */

/* Writes the parameters of a case; trace: names its file among those of the app. */
static void set_params(const struct planner *p, struct cb_case *c, const struct cb_app *app,
                       const char *trace, struct cb_throttle_case *params)
{
    struct cb_app_choice inputs[CB_APP_MAX_CHOICES];
    char name[96];
    snprintf(name, sizeof name, "%s-%s", app->id, trace);
    char *path = cb_app_trace_path(p->o.app.trace, name, p->plan->device, ".tsv");
    cb_app_choices(&p->o.app, app, cb_app_scale(&p->o.app, app, p->plan->device->type), inputs);
    cb_app_params_name(&params->app, app, cb_app_choice_spec(&inputs[0]), NULL);
    cb_app_params_take(&params->app, &p->o.app, app, p->plan->device, NULL);
    params->app.trace = path;
    params->idle_s = p->o.idle_s;
    params->resize_deadline_s = p->o.resize_deadline_s;
    cb_fields_write(c->params, cb_throttle_fields, params);
    free(path);
    c->batch = p->plan->batches;
}

/* For a number of resizes that each take as long as they may, and for what comes before them. */
static double deadline_s(const struct planner *p, int resizes)
{
    return resizes * p->o.resize_deadline_s + p->o.idle_s + PREPARING_S;
}

/* All steps of an app share a launch, which any of them may begin. */
static void add_step(const struct planner *p, const struct cb_app *app, int step)
{
    const char *groups = cb_texts_at(p->o.schedule, step);
    const double hold_s = p->o.hold_s;
    const int n = p->o.schedule.n;
    char launch[64];
    struct cb_case *c = cb_plan_add(p->plan, "%s/step=%d,groups=%s", app->id, step + 1, groups);
    snprintf(launch, sizeof launch, "%s/%d", app->id, p->plan->groups);
    struct cb_throttle_case params;
    cb_fields_clear(cb_throttle_fields, &params);
    params.launch = launch;
    params.schedule = p->schedule;
    params.step = (unsigned)step + 1;
    params.groups = groups;
    params.hold_s = hold_s;
    set_params(p, c, app, "steps", &params);
    c->group = p->plan->groups;
    c->expected_s = 1.15 * hold_s + 0.3;
    c->run_deadline_s = n * 10 * hold_s + deadline_s(p, n);
}

static void add_schedule(const struct planner *p, const struct cb_app *app)
{
    p->plan->groups++;
    for (int s = 0; s < p->o.schedule.n; s++)
        add_step(p, app, s);
}

static void add_cap(const struct planner *p, const struct cb_app *app, int cap)
{
    const char *watts = cb_texts_at(p->o.power_caps_w.texts, cap);
    char trace[64];
    struct cb_case *c = cb_plan_add(p->plan, "%s/cap=%s", app->id, watts);
    snprintf(trace, sizeof trace, "cap-%.32s", watts);
    struct cb_throttle_case params;
    cb_fields_clear(cb_throttle_fields, &params);
    params.power_cap_w = cb_reals_at(p->o.power_caps_w, cap);
    params.cap_time_s = p->o.cap_time_s;
    params.interval_s = p->o.interval_s;
    set_params(p, c, app, trace, &params);
    c->expected_s = p->o.cap_time_s + 2;
    c->run_deadline_s = p->o.cap_time_s + deadline_s(p, 2);
}

/* ---- Options --------------------------------------------------------------------------------- */

static enum cb_status check_schedule(struct planner *p, struct cb_err *err)
{
    const int n = p->o.schedule.n;
    if (n == 1 && strcmp(cb_texts_at(p->o.schedule, 0), "none") == 0)
        return CB_OK;
    if (n > CB_THROTTLE_MAX_STEPS)
        return cb_fail(err, CB_USAGE, "schedule: at most %d steps", CB_THROTTLE_MAX_STEPS);
    for (int i = 0; i < n; i++) {
        const char *text = cb_texts_at(p->o.schedule, i);
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
    if (cb_app_options_check(&p->o.app, err) != CB_OK || check_schedule(p, err) != CB_OK)
        return err->status;
    if (!*p->schedule && p->o.power_caps_w.texts.n == 0)
        return cb_fail(err, CB_USAGE,
                       "schedule: there is nothing to do without a schedule; give --power-cap W, "
                       "or --schedule N,N/2,1");
    if (cb_app_trace_check(&p->o.app, err) != CB_OK)
        return err->status;
    return cb_app_groups_check(&p->o.app, p->plan->device, NULL, err);
}

enum cb_status cb_throttle_plan(struct cb_plan *plan, const cJSON *options, struct cb_err *err)
{
    struct planner p = {.plan = plan};
    cb_app_options_read(options, plan->bench->params, &p.o);
    if (check_options(&p, err) != CB_OK)
        return err->status;
    for (int a = 0; cb_apps[a]; a++) {
        if (!cb_app_is_chosen(&p.o.app, cb_apps[a], false))
            continue;
        plan->batches++; /* the cases of an app share its input */
        if (*p.schedule)
            add_schedule(&p, cb_apps[a]);
        for (int i = 0; i < p.o.power_caps_w.texts.n; i++)
            add_cap(&p, cb_apps[a], i);
    }
    return CB_OK;
}
