/* SPDX-License-Identifier: Apache-2.0
 *
 * Which cases a set of options means on one device: for each app the steps of the schedule, which
 * are a group, and the power caps.
 */
#include "benchmarks/throttle/plan.h"

#include <string.h>

#include "apphost/options.h"
#include "benchmarks/throttle/throttle.h"
#include "runtime/discovery.h"

const struct cb_param cb_throttle_params[] = {
    {"app", 'a', CB_PARAM_TEXT, true, "color", NULL, 0, 0, "APP",
     "Apps to run, as in color,game, or all but those that only measure the runtime; "
     "'coopbench list apps' tells what there is."},
    {"input", 'i', CB_PARAM_TEXT, true, "auto", NULL, 0, 0, "INPUT",
     "Input of the apps: APP=INPUT, or INPUT if there is one app; auto: one that suits the device. "
     "'coopbench list apps' tells what they take."},
    {"scale", 's', CB_PARAM_CHOICE, false, NULL, "tiny,small,paper", 0, 0, NULL,
     "Size of the apps' own inputs. Without it: small on a CPU device, paper on others."},
    {"schedule", 0, CB_PARAM_TEXT, true, "N,3N/4,N/2,N/4,1,N", NULL, 0, 0, "GROUPS",
     "Workgroups of the app, one number after the other: a number, N (as many as run at once, but "
     "one for the scheduler), a part of them (N/4, 3N/4), or so many fewer (N-1); none: no "
     "schedule."},
    {"hold", 0, CB_PARAM_REAL, false, "3", NULL, 0.05, 600, "S",
     "Seconds that each of them is measured, and a bit more, until a run of the app ends."},
    {"power-cap", 0, CB_PARAM_REAL, true, NULL, NULL, 1, 100000, "W",
     "Watts to stay below, with as many workgroups as that allows; several: one after the other."},
    {"cap-time", 0, CB_PARAM_REAL, false, "30", NULL, 0.2, 3600, "S",
     "Seconds that each cap is held."},
    {"interval", 0, CB_PARAM_REAL, false, "0.5", NULL, 0.05, 60, "S",
     "Seconds between two looks at the power, for a cap."},
    {"idle", 0, CB_PARAM_REAL, false, "1", NULL, 0.05, 600, "S",
     "Seconds before the app begins, in which the power of the idle device is measured."},
    {"barrier", 'b', CB_PARAM_CHOICE, false, "atomic", "regular,query,atomic", 0, 0, NULL,
     "Resizing barrier of the apps; those that offer and request have none."},
    {"workgroups", 0, CB_PARAM_UINT, false, NULL, NULL, 1, 4094, NULL,
     "Most workgroups of the app, N; without it as many as run at once, but one for the "
     "scheduler."},
    {"wg-size", 0, CB_PARAM_UINT, false, NULL, NULL, 1, 65536, NULL,
     "Work-items a workgroup; without it, what suits the app."},
    {"channel", 0, CB_PARAM_CHOICE, false, "auto", "auto,svm,queue", 0, 0, NULL,
     "How the host reaches the running kernel: svm (fine-grained shared memory), queue (copies on "
     "a second queue)."},
    {"resize-deadline", 0, CB_PARAM_REAL, false, "10", NULL, 0.01, 600, "S",
     "A change that has not come to pass by then makes a row 'timeout'."},
    {"trace", 0, CB_PARAM_TEXT, false, NULL, NULL, 0, 0, "FOLDER",
     "Write power and workgroups over time to FOLDER, for each schedule and cap: for 'plot'."},
    {0},
};

#define MAX_FOLDER  256
#define PREPARING_S 30

struct planner {
    const struct cb_bench *bench;
    const struct cb_device *device;
    const cJSON *options;
    struct cb_plan *plan;
    bool cpu;
    char schedule[256]; /* "N,N/2,1"; empty: none */
};

/* ---- Cases ----------------------------------------------------------------------------------- */

/* "FOLDER/color-steps-0_0.tsv", the last of which is the device. */
static void add_trace(const struct planner *p, cJSON *params, const char *app, const char *what)
{
    char path[MAX_FOLDER + 128];
    int folder = snprintf(path, sizeof path, "%s/", cb_option_text_or(p->options, "trace", "."));
    snprintf(path + folder, sizeof path - (size_t)folder, "%s-%s-%s.tsv", app, what,
             p->device->index);
    for (char *c = path + folder; *c; c++)
        *c = *c == '/' || *c == ':' ? '_' : *c;
    cJSON_AddStringToObject(params, "trace", path);
}

static cJSON *add_common(const struct planner *p, int i, const struct cb_app *app, const char *what)
{
    struct cb_app_choice inputs[CB_APP_MAX_CHOICES];
    cJSON *params = p->plan->cases[i].params;
    cb_app_choices(p->options, app, cb_app_scale(p->options, app, p->device->type), inputs);
    cJSON_AddStringToObject(params, "app", app->id);
    cJSON_AddStringToObject(params, "input", inputs[0].spec);
    cJSON_AddStringToObject(params, "barrier",
                            app->offers ? "none" : cb_option_text_or(p->options, "barrier", ""));
    cJSON_AddNumberToObject(
        params, "wg-size",
        (double)cb_option_uint_or(p->options, "wg-size",
                                  p->cpu ? app->cpu_wg_size : app->gpu_wg_size));
    if (cb_options_count(p->options, "workgroups"))
        cJSON_AddNumberToObject(params, "workgroups",
                                (double)cb_option_uint_or(p->options, "workgroups", 0));
    cJSON_AddStringToObject(params, "channel", cb_option_text_or(p->options, "channel", "auto"));
    cJSON_AddNumberToObject(params, "idle", cb_option_real_or(p->options, "idle", 1));
    cJSON_AddNumberToObject(params, "resize-deadline",
                            cb_option_real_or(p->options, "resize-deadline", 10));
    if (cb_options_count(p->options, "trace"))
        add_trace(p, params, app->id, what);
    return params;
}

/* Each may be the one that rides for all. */
static void add_steps(const struct planner *p, const struct cb_app *app)
{
    int n = cb_options_count(p->options, "schedule");
    double hold_s = cb_option_real_or(p->options, "hold", 3);
    p->plan->groups++;
    for (int s = 0; s < n; s++) {
        const char *groups = cb_options_text(p->options, "schedule", s);
        int i = cb_plan_add(p->plan, p->bench, p->device, "%s/%s/step=%d,groups=%s", p->bench->id,
                            app->id, s + 1, groups);
        if (i < 0)
            return;
        struct cb_case *c = &p->plan->cases[i];
        cJSON *params = add_common(p, i, app, "steps");
        char ride[64];
        snprintf(ride, sizeof ride, "%s/%d", app->id, p->plan->groups);
        cJSON_AddStringToObject(params, "ride", ride);
        cJSON_AddStringToObject(params, "schedule", p->schedule);
        cJSON_AddNumberToObject(params, "step", s + 1);
        cJSON_AddStringToObject(params, "groups", groups);
        cJSON_AddNumberToObject(params, "hold", hold_s);
        c->group = p->plan->groups;
        c->expected_s = 1.15 * hold_s + 0.3;
        c->run_deadline_s =
            n * (10 * hold_s + cb_option_real_or(p->options, "resize-deadline", 10)) +
            cb_option_real_or(p->options, "idle", 1) + PREPARING_S;
    }
}

static void add_cap(const struct planner *p, const struct cb_app *app, const char *cap)
{
    char what[64];
    int i = cb_plan_add(p->plan, p->bench, p->device, "%s/%s/cap=%s", p->bench->id, app->id, cap);
    if (i < 0)
        return;
    snprintf(what, sizeof what, "cap-%.32s", cap);
    struct cb_case *c = &p->plan->cases[i];
    cJSON *params = add_common(p, i, app, what);
    double cap_s = cb_option_real_or(p->options, "cap-time", 30);
    cJSON_AddNumberToObject(params, "power-cap", strtod(cap, NULL));
    cJSON_AddNumberToObject(params, "cap-time", cap_s);
    cJSON_AddNumberToObject(params, "interval", cb_option_real_or(p->options, "interval", 0.5));
    c->expected_s = cap_s + 2;
    c->run_deadline_s = cap_s + 2 * cb_option_real_or(p->options, "resize-deadline", 10) +
                        cb_option_real_or(p->options, "idle", 1) + PREPARING_S;
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
    if (strlen(cb_option_text_or(p->options, "trace", "")) >= MAX_FOLDER)
        return cb_fail(err, CB_USAGE, "trace: a folder name of at most %d characters",
                       MAX_FOLDER - 1);
    if (cb_option_uint_or(p->options, "wg-size", 1) > p->device->max_wg_size)
        return cb_fail(err, CB_USAGE, "wg-size: %s takes at most %llu work-items a workgroup",
                       p->device->name, (unsigned long long)p->device->max_wg_size);
    return CB_OK;
}

enum cb_status cb_throttle_plan(const struct cb_bench *bench, const struct cb_device *device,
                                const cJSON *options, struct cb_plan *plan, struct cb_err *err)
{
    struct planner p = {bench, device, options, plan, strcmp(device->type, "cpu") == 0, ""};
    if (check_options(&p, err) != CB_OK)
        return err->status;
    for (int a = 0; cb_apps[a]; a++) {
        if (!cb_app_is_chosen(options, cb_apps[a], false))
            continue;
        if (*p.schedule)
            add_steps(&p, cb_apps[a]);
        for (int i = 0; i < cb_options_count(options, "power-cap"); i++)
            add_cap(&p, cb_apps[a], cb_options_text(options, "power-cap", i));
    }
    return CB_OK;
}
