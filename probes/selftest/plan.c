/* SPDX-License-Identifier: Apache-2.0
 *
 * The random cases. What a case is follows from the seed, its number and the type of device alone,
 * so that one of them can be run again without the others. Its *program* is what is built for it;
 * since that takes longer than a run, the programs of the first cases come again, with other
 * inputs, workgroups, tasks and limits.
 */
#include "probes/selftest/plan.h"

#include <string.h>

#include "apps/host/options.h"
#include "apps/host/run.h"
#include "apps/host/user.h"
#include "probes/multitask/policies/policy.h"

/* The options, whose rows say what each is. */
struct cb_selftest_options {
    struct cb_app_options app;
    unsigned stress;
    const char *together;
    struct cb_texts resizings, semantics;
};

#define OPTION(name, member) CB_OPTION(struct cb_selftest_options, name, member)

const struct cb_param cb_selftest_params[] = {
    {OPTION("stress", stress), .default_value = "50", .min = 1, .max = 99999, .value_name = "RUNS",
     .help = "Random runs; which they are, says --seed."},
    {OPTION("app", app.apps), .letter = 'a', .default_value = "all", .value_name = "APPS",
     .help = "Apps to run: some of them, as in bfs,game, or all, with those that only measure the "
             "runtime." CB_APP_SETUP_HELP},
    CB_APP_KERNEL_PARAM(struct cb_selftest_options),
    CB_APP_SETUP_PARAM(struct cb_selftest_options),
    {OPTION("variant", app.variants), .list = CB_LIST_NONE, .default_value = CB_APP_ALL_VARIANTS,
     .choices = CB_APP_ALL_VARIANTS "," CB_APP_PAPER "," CB_APP_PAPER_ONCE "," CB_APP_OURS,
     .help = "How the apps work: ours, as the authors' programs (paper), or all."},
    {OPTION("resizing", resizings), .default_value = CB_APP_RESIZING_CHOICES,
     .choices = CB_APP_RESIZING_CHOICES,
     .help = "Resizing barriers to draw from; 'coopbench multitask --help' tells which is what."},
    {OPTION("semantics", semantics), .default_value = CB_APP_SEMANTICS_CHOICES,
     .choices = CB_APP_SEMANTICS_CHOICES,
     .help = "Semantics to draw from; 'coopbench multitask --help' tells which is what."},
    {OPTION("together", together), .default_value = "some", .choices = "some,all,none",
     .help = "Which cases have a second cooperative kernel in the megakernel, of any app."},
    {0},
};

#define FIELD(key, member)  CB_FIELD(struct cb_selftest_case, key, member)
#define NEEDED(key, member) CB_FIELD_NEEDED(struct cb_selftest_case, key, member)
#define ALWAYS(key, member) CB_FIELD_ALWAYS(struct cb_selftest_case, key, member)

const struct cb_field cb_selftest_fields[] = {
    NEEDED("app", app.app),
    FIELD("variant", app.variant),
    FIELD("wg-size", app.wg_size),
    NEEDED("resizing", resizing),
    ALWAYS("trace", trace_events),
    ALWAYS("all_modes", all_modes),
    FIELD("beside", beside),
    FIELD("beside_variant", beside_variant),
    NEEDED("semantics", app.semantics),
    FIELD("workers", workers),
    FIELD("first_groups", first_groups),
    FIELD("tasks", tasks),
    ALWAYS("tasks_seed", tasks_seed),
    ALWAYS("limits", limits),
    FIELD("policy", policy),
    NEEDED("input", app.input),
    FIELD("beside_input", beside_input),
    {0},
};

#define ALL_MODES_EVERY 10 /* cases: one in so many checks the other execution modes, too */
#define TOGETHER_EVERY  3  /* cases: one in so many has two kernels */
#define UNTRACED_EVERY  8  /* cases: events take time, and might hide a race */
#define CPU_TRACE       16000
#define GPU_TRACE       800 /* events of a workgroup, of which there may be thousands */
#define MAX_APPS        32
#define PROGRAMS        500
#define INPUT           64 /* bytes of a drawn one */

struct planner {
    struct cb_plan *plan;
    const char *variant; /* of those that there are, or CB_APP_ALL_VARIANTS */
    const struct cb_app *apps[MAX_APPS];
    unsigned n_apps;
    const struct cb_app *others[MAX_APPS]; /* for a second kernel */
    unsigned n_others;
    struct cb_selftest_options o;
};

static void draw_input(const struct cb_app *app, struct cb_random *r, char *text, size_t size)
{
    snprintf(text, size, "%s", app->inputs[0].spec[CB_SCALE_TINY]);
    if (app->draw_input)
        app->draw_input(r, text, size);
}

/* ---- Cases ----------------------------------------------------------------------------------- */

/* Few, since each means one more build of each kernel: on a GPU one warp, two, many. The last is
 * that of the rarer kernels. */
static const unsigned cpu_sizes[] = {16, 64}, gpu_sizes[] = {32, 64, 256};

static unsigned draw_size(const struct planner *p, struct cb_random *r, bool last)
{
    bool cpu = cb_device_is_cpu(p->plan->device);
    const unsigned *sizes = cpu ? cpu_sizes : gpu_sizes;
    unsigned n = cpu ? CB_COUNTOF(cpu_sizes) : CB_COUNTOF(gpu_sizes);
    while (n > 1 && sizes[n - 1] > p->plan->device->max_wg_size)
        n--;
    unsigned drawn = cb_random_below(r, n);
    return sizes[last ? n - 1 : drawn];
}

static bool has_variant(const struct planner *p, const struct cb_app *app)
{
    return strcmp(p->variant, CB_APP_ALL_VARIANTS) == 0 || cb_app_variant(app, p->variant);
}

/* A variant of an app: all come of one draw, so that a case is the same among fewer apps. */
static const struct cb_app *draw_app(const struct planner *p, struct cb_random *r)
{
    struct cb_random again = *r;
    const struct cb_app *app = p->apps[cb_random_below(r, p->n_apps)];
    if (strcmp(p->variant, CB_APP_ALL_VARIANTS) != 0)
        return cb_app_variant(app, p->variant);
    const uint64_t drawn = cb_random_next(&again);
    if (!app->paper || drawn >> 63 == 0)
        return app;
    return app->paper_once && drawn >> 62 & 1 ? app->paper_once : app->paper;
}

/* Kernels with offers get another one in the place of `atomic`. */
static const char *draw_resizing(const struct planner *p, const struct cb_app *app,
                                 struct cb_random *r)
{
    const unsigned chosen = (unsigned)p->o.resizings.n;
    const char *drawn = cb_texts_at(p->o.resizings, (int)cb_random_below(r, chosen));
    bool atomic = cb_app_resizing_of(drawn) == COOP_ATOMIC;
    return app->offers && atomic ? cb_app_resizings[COOP_QUERY] : drawn;
}

/* An app that cannot have them, or not beside another, has the paper's. */
static const char *draw_semantics(const struct planner *p, const struct cb_app *app,
                                  const struct cb_selftest_case *params, struct cb_random *r)
{
    const unsigned chosen = (unsigned)p->o.semantics.n;
    const char *drawn = cb_texts_at(p->o.semantics, (int)cb_random_below(r, chosen));
    const struct cb_coop_config config = {.mode = COOP_COOPERATIVE,
                                          .semantics = cb_app_semantics_of(drawn),
                                          .resizing = cb_app_resizing_of(params->resizing),
                                          .others = {params->beside}};
    return cb_app_cannot_have(app, &config) ? cb_app_semantics[COOP_HIGHEST] : drawn;
}

/* By which workgroups go from one of two kernels to the other; in one case of so many none. */
static void draw_policy(struct cb_selftest_case *params, struct cb_random *r)
{
#define NAME(name, does) #name,
    static const char *const names[] = {CB_POLICIES(NAME)};
#undef NAME
    const unsigned drawn = cb_random_below(r, CB_COUNTOF(names) + 1);
    if (drawn < CB_COUNTOF(names) && params->beside)
        params->policy = names[drawn];
}

/* In [0, 1), with three digits. */
static double draw_share(struct cb_random *r)
{
    return cb_random_below(r, 1000) / 1000.0;
}

static unsigned trace_room(const struct planner *p)
{
    return cb_device_is_cpu(p->plan->device) ? CPU_TRACE : GPU_TRACE;
}

/* Another kernel in the same megakernel, maybe of the same app: of all that there are, so that a
 * case is the same among fewer apps. NULL: none. */
static const struct cb_app *draw_beside(const struct planner *p, const struct cb_app *app,
                                        struct cb_selftest_case *params, struct cb_random *r)
{
    const char *which = p->o.together;
    bool together = cb_random_below(r, TOGETHER_EVERY) == 0 || strcmp(which, "all") == 0;
    const struct cb_app *other = p->others[cb_random_below(r, p->n_others)];
    if (cb_random_below(r, 2) && other->paper)
        other = other->paper;
    if (!together || strcmp(which, "none") == 0 || cb_app_cannot_be_beside(app))
        return NULL;
    params->beside = other->id;
    params->beside_variant = cb_app_variant_name(other);
    return other;
}

/* Draws of their own for each number. */
static struct cb_random dice_of(uint64_t seed, unsigned number)
{
    struct cb_random r = {seed};
    r.state = cb_random_next(&r) ^ number;
    r.state = cb_random_next(&r); /* neighbours differ in all bits */
    return r;
}

/* What is built. Each draw comes once and in the same order, whatever those before gave; beside:
 * out. */
static const struct cb_app *draw_program(const struct planner *p, struct cb_selftest_case *params,
                                         const struct cb_app **beside, struct cb_random *r)
{
    const struct cb_app *app = draw_app(p, r);
    bool all_modes = cb_random_below(r, ALL_MODES_EVERY) == 0;
    bool traced = cb_random_below(r, UNTRACED_EVERY) != 0;
    cb_app_params_name(&params->app, app, NULL, NULL);
    params->app.wg_size = draw_size(p, r, all_modes || !traced);
    params->resizing = draw_resizing(p, app, r);
    params->trace_events = traced ? trace_room(p) : 0;
    params->all_modes = all_modes;
    *beside = draw_beside(p, app, params, r);
    params->app.wg_size = cb_app_required_wg_size(app, *beside, params->app.wg_size);
    params->app.semantics = draw_semantics(p, app, params, r);
    return app;
}

/* What it is run with; beside: NULL or the other app. */
static void draw_run(const struct cb_app *app, const struct cb_app *beside, char input[2][INPUT],
                     struct cb_selftest_case *params, struct cb_random *r)
{
    params->workers = draw_share(r);
    const double first = draw_share(r);
    params->first_groups = cb_random_below(r, 2) ? first : 0;
    params->tasks = cb_random_between(r, CB_SELFTEST_MIN_TASKS, CB_SELFTEST_MAX_TASKS);
    params->tasks_seed = (uint32_t)cb_random_next(r);
    params->limits = cb_random_below(r, 2) == 0;
    draw_policy(params, r);
    draw_input(app, r, input[0], INPUT);
    params->app.input = input[0];
    if (!beside)
        return;
    draw_input(beside, r, input[1], INPUT);
    params->beside_input = input[1];
}

static void add_case(const struct planner *p, unsigned number)
{
    struct cb_random program = dice_of(p->plan->seed, (number - 1) % PROGRAMS + 1),
                     run = dice_of(~p->plan->seed, number);
    const struct cb_app *beside;
    struct cb_case *c = cb_plan_add(p->plan, "stress/%04u", number);
    struct cb_selftest_case params = {0};
    char input[2][INPUT];
    const struct cb_app *app = draw_program(p, &params, &beside, &program);
    draw_run(app, beside, input, &params, &run);
    cb_fields_write(c->params, cb_selftest_fields, &params);
    c->own_stop = true;
}

enum cb_status cb_selftest_plan(struct cb_plan *plan, const cJSON *options, struct cb_err *err)
{
    struct planner p = {.plan = plan};
    cb_app_options_read(options, plan->bench->params, &p.o);
    p.variant = cb_texts_at(p.o.app.variants, 0);
    if (cb_app_options_check(&p.o.app, err) != CB_OK)
        return err->status;
    for (int a = 0; cb_apps[a] && p.n_apps < MAX_APPS; a++) /* in an order of their own */
        if (cb_app_is_chosen(&p.o.app, cb_apps[a], true) && has_variant(&p, cb_apps[a]))
            p.apps[p.n_apps++] = cb_apps[a];
    for (int a = 0; cb_apps[a] && p.n_others < MAX_APPS; a++)
        if (!cb_app_cannot_be_beside(cb_apps[a]) && !cb_app_is_users(cb_apps[a]->id))
            p.others[p.n_others++] = cb_apps[a];
    for (unsigned number = 1; number <= p.o.stress; number++)
        add_case(&p, number);
    return CB_OK;
}
