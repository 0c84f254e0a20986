/* SPDX-License-Identifier: Apache-2.0
 *
 * Which cases a set of options means on one device: each app with each of its inputs.
 */
#include "probes/migrate/plan.h"

#include "apps/host/options.h"

#define GPU_STAY_S 0.02
#define CPU_STAY_S 0.1
#define MOVE_S     0.05 /* what a move takes, roughly */
#define OPEN_S     2
#define DEADLINE_S 100

/* The options, whose rows say what each is. */
struct options {
    struct cb_app_options app;
    const char *to;
    unsigned moves, workgroups_there;
    double stay_s;
};

#define OPTION(name, member) CB_OPTION(struct options, name, member)

const struct cb_param cb_migrate_params[] = {
    {OPTION("app", app.apps), .letter = 'a', .default_value = "bfs,color", .value_name = "APP",
     .help = "Long kernels: apps, as in bfs,mis, or all; 'coopbench list apps' tells what there "
             "is." CB_APP_SETUP_HELP},
    CB_APP_KERNEL_PARAM(struct options),
    CB_APP_SETUP_PARAM(struct options),
    CB_APP_INPUT_PARAM(struct options),
    CB_APP_SCALE_PARAM(struct options),
    CB_APP_VARIANT_PARAM(struct options, CB_LIST_COMMAS),
    {OPTION("to", to), .value_name = "DEVICE",
     .help = "The other device, named as for --device; without it, the first other one of the same "
             "kind "
             "(a CPU, or a GPU)."},
    {OPTION("moves", moves), .default_value = "4", .min = 1, .max = 1000,
     .help = "Moves of a sample: to the other device, back, to the other one again."},
    {OPTION("stay", stay_s), .min = 0.0001, .max = 600, .value_name = "S",
     .help = "Seconds on a device before the next wish to move; without it 0.02, from or to a CPU "
             "device 0.1."},
    {OPTION("barrier", app.barrier), .letter = 'b', .default_value = "atomic",
     .choices = "atomic,query",
     .help = "Resizing barrier of the apps: those that can let all workgroups go."},
    {OPTION("workgroups", app.workgroups), .min = 1, .max = 4094,
     .help = "Workgroups of the app on the first device; without it as many as run at once, but "
             "one for the scheduler."},
    {OPTION("workgroups-there", workgroups_there), .min = 1, .max = 4094,
     .help = "The same on the other device."},
    {OPTION("wg-size", app.wg_size), .min = 1, .max = 65536,
     .help = "Work-items a workgroup, on both; without it, what suits the app on the first."},
    {OPTION("channel", app.channel), .default_value = "auto", .choices = "auto,svm,queue",
     .help = "How the host reaches the running kernel: svm (fine-grained shared memory), queue "
             "(copies on a second queue)."},
    {0},
};

#define FIELD(key, member) CB_FIELD(struct cb_migrate_case, key, member)

const struct cb_field cb_migrate_fields[] = {
    CB_APP_NAME_FIELDS(struct cb_migrate_case),
    CB_APP_KERNEL_FIELDS(struct cb_migrate_case),
    CB_FIELD_NEEDED(struct cb_migrate_case, "semantics", app.semantics),
    FIELD("to", to),
    FIELD("moves", moves),
    FIELD("stay", stay_s),
    FIELD("workgroups-there", workgroups_there),
    {0},
};

static void add_case(struct cb_plan *plan, const struct options *o, const struct cb_app *app,
                     const struct cb_app_choice *input)
{
    struct cb_migrate_case params;
    const char *variant = cb_app_variant_name(app);
    const bool is_cpu = cb_device_is_cpu(plan->device);
    struct cb_case *c = strcmp(variant, CB_APP_OURS) == 0
                            ? cb_plan_add(plan, "%s/%s", app->id, input->name)
                            : cb_plan_add(plan, "%s/%s/variant=%s", app->id, input->name, variant);
    cb_fields_clear(cb_migrate_fields, &params);
    cb_app_params_name(&params.app, app, cb_app_choice_spec(input), input->name);
    cb_app_params_take(&params.app, &o->app, app, plan->device, NULL);
    params.app.semantics = "whole";
    params.to = o->to;
    params.moves = o->moves;
    params.stay_s = o->stay_s > 0 ? o->stay_s : is_cpu ? CPU_STAY_S : GPU_STAY_S;
    params.workgroups_there = o->workgroups_there;
    cb_fields_write(c->params, cb_migrate_fields, &params);
    c->batch = ++plan->batches;
    c->expected_s = OPEN_S + c->stop.min_runs * o->moves * (params.stay_s + MOVE_S);
    c->run_deadline_s = DEADLINE_S + 2 * c->expected_s;
}

static void add_app(struct cb_plan *plan, const struct options *o, const struct cb_app *app)
{
    struct cb_app_choice inputs[CB_APP_MAX_CHOICES];
    int n = cb_app_choices(&o->app, app, cb_app_scale(&o->app, app, plan->device->type), inputs);
    for (int i = 0; i < n; i++)
        add_case(plan, o, app, &inputs[i]);
}

enum cb_status cb_migrate_plan(struct cb_plan *plan, const cJSON *options, struct cb_err *err)
{
    struct options o = {0}; /* there is no row for some members */
    cb_app_options_read(options, plan->bench->params, &o);
    if (cb_app_options_check(&o.app, err) != CB_OK ||
        cb_app_groups_check(&o.app, plan->device, NULL, err) != CB_OK)
        return err->status;
    for (int a = 0; cb_apps[a]; a++)
        for (int v = 0; v < cb_app_variants(&o.app); v++) {
            const struct cb_app *variant = cb_app_chosen_variant(&o.app, cb_apps[a], v);
            if (variant && cb_app_is_chosen(&o.app, cb_apps[a], false))
                add_app(plan, &o, variant);
        }
    return CB_OK;
}
