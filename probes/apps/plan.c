/* SPDX-License-Identifier: Apache-2.0
 *
 * Which cases a set of options means on one device: for each app with an input a group that tunes
 * its modes, and one that measures them, in turns.
 */
#include "probes/apps/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/host/case.h"
#include "measure/safe_groups.h"
#include "probes/apps/bound.h"
#include "runtime/discovery.h"
#include "runtime/profile.h"

/* Rounds of tuning after those that build a size each and run it once. */
#define FURTHER_ROUNDS 4
#define ROUNDS_OF_MEAN 9   /* OOPSLA'16 Section 5.2: the average of ten runs */
#define LEAST_ON_GPU   32u /* OOPSLA'16 Section 5.2: smaller ones did not perform well */

struct planner {
    struct cb_plan *plan;
    struct cb_apps_options o;
    bool cpu;
    char headroom[16]; /* share, as ids have it; "": none is asked for */
};

/* ---- Sizes ----------------------------------------------------------------------------------- */

static bool is_size_word(const struct planner *p, const char *word)
{
    return strcmp(cb_texts_at(p->o.wg_sizes, 0), word) == 0;
}

static bool is_auto(const struct planner *p)
{
    return is_size_word(p, "auto");
}

/* The size that suits the app, if the device takes it. */
static unsigned suited_size(const struct planner *p, const struct cb_app *app)
{
    unsigned size = cb_app_wg_size(app, p->plan->device->type);
    while (size > p->plan->device->max_wg_size && size > 1)
        size /= 2;
    return size;
}

/* The size of a case that needs no tuning; 0: it needs some. */
static unsigned fixed_size(const struct planner *p, const struct cb_app *app)
{
    if (is_size_word(p, "suited") || (is_auto(p) && app->required_wg_size))
        return suited_size(p, app);
    if (!is_auto(p) && p->o.wg_sizes.n == 1)
        return (unsigned)strtoul(cb_texts_at(p->o.wg_sizes, 0), NULL, 10);
    return p->o.verify ? suited_size(p, app) : 0;
}

static void append_size(const struct planner *p, char *text, size_t room, unsigned size)
{
    unsigned least = p->cpu || p->plan->device->max_wg_size < LEAST_ON_GPU ? 1 : LEAST_ON_GPU;
    size_t n = strlen(text);
    if (size >= least && size <= CB_APPS_MOST_SIZE && size <= p->plan->device->max_wg_size)
        snprintf(text + n, room - n, "%s%u", n ? "," : "", size);
}

/* "64,32,128,256": first what is likely to be best, since the budget may end it. */
static void list_sizes(const struct planner *p, const struct cb_app *app, char *text, size_t room)
{
    unsigned middle = suited_size(p, app);
    text[0] = '\0';
    for (int i = 0; !is_auto(p) && i < p->o.wg_sizes.n; i++)
        snprintf(text + strlen(text), room - strlen(text), "%s%s", i ? "," : "",
                 cb_texts_at(p->o.wg_sizes, i));
    if (!is_auto(p))
        return;
    while (middle & (middle - 1))
        middle &= middle - 1; /* a power of two */
    append_size(p, text, room, middle);
    for (unsigned factor = 2; factor <= CB_APPS_MOST_SIZE; factor *= 2) {
        append_size(p, text, room, middle / factor);
        append_size(p, text, room, middle * factor);
    }
}

/* ---- Cases ----------------------------------------------------------------------------------- */

/* How a mode lets workgroups find and meet each other. */
struct system {
    const char *protocol, *barrier; /* NULL: the mode has none that could be chosen */
    const char *ids;                /* their order; NULL: the protocol's own */
    const char *headroom;           /* share of launches; NULL: as many as run at once now */
};

static void append_choice(char *text, size_t room, const char *name, const char *value,
                          const char *usual)
{
    size_t n = strlen(text);
    if (value && strcmp(value, usual) != 0)
        snprintf(text + n, room - n, "%c%s=%s", n ? ',' : '/', name, value);
}

/* "/variant=paper,protocol=ticket,ids=native,global-barrier=xf": what is not as by default. */
static void name_system(const struct cb_app *app, struct system system, char *text, size_t room)
{
    *text = '\0';
    append_choice(text, room, "variant", cb_app_variant_name(app), CB_APP_OURS);
    append_choice(text, room, "protocol", system.protocol, CB_APPS_PROTOCOL);
    append_choice(text, room, "ids", system.ids, "own");
    append_choice(text, room, "global-barrier", system.barrier, CB_APPS_BARRIER);
    append_choice(text, room, "headroom", system.headroom, "");
}

/* Adds a case that tunes a mode or measures it, with these parameters and those that all have. */
static struct cb_case *add_case(const struct planner *p, const struct cb_app *app,
                                const struct cb_app_choice *input, const char *mode,
                                struct system system, struct cb_apps_parameters params,
                                const char *ending)
{
    char name[128];
    name_system(app, system, name, sizeof name);
    struct cb_case *c =
        cb_plan_add(p->plan, "%s/%s/%s%s%s", app->id, mode, input->name, name, ending);
    const unsigned wg_size = params.app.wg_size;
    c->group = p->plan->groups;
    c->batch = p->plan->batches;
    params.mode = mode;
    cb_app_params_name(&params.app, app, cb_app_choice_spec(input), input->name);
    cb_app_params_take(&params.app, &p->o.app, app, p->plan->device,
                       /* only the megakernel has a barrier that resizes */
                       strcmp(mode, cb_app_modes[COOP_COOPERATIVE]) == 0 ? NULL : CB_APPS_RESIZING);
    if (cb_app_mode_of(mode) == CB_APP_BASELINE) /* has a launch for each step */
        params.app.workgroups = 0;
    params.app.wg_size = wg_size;
    params.app.protocol = system.protocol;
    params.app.ids = system.ids;
    params.app.global_barrier = system.barrier;
    params.headroom = system.headroom ? p->o.headroom : NAN;
    if (system.protocol)
        params.app.delay = cb_discovery_has_mutex(system.protocol) ? p->o.delay : "adaptive";
    cb_fields_write(c->params, cb_apps_fields, &params);
    return c;
}

/* The systems of a mode, as options say; how many there are. */
static int list_systems(const struct planner *p, const char *mode,
                        struct system systems[CB_APPS_MAX_SYSTEMS])
{
    bool portable = strcmp(mode, cb_app_modes[COOP_PORTABLE]) == 0;
    bool specialised = strcmp(mode, cb_app_modes[COOP_SPECIALISED]) == 0;
    bool chooses = portable || specialised;
    int ways = portable ? p->o.protocols.n : 1;
    int orders = portable ? p->o.ids.n : 1;
    int barriers = chooses ? p->o.global_barriers.n : 1, n = 0;
    for (int i = 0; i < ways * orders; i++)
        for (int k = 0; k < barriers && n < CB_APPS_MAX_SYSTEMS; k++) {
            struct system *s = &systems[n++];
            *s = (struct system){NULL};
            if (portable)
                s->protocol = cb_texts_at(p->o.protocols, i / orders);
            if (portable)
                s->ids = cb_discovery_other_order(s->protocol, cb_texts_at(p->o.ids, i % orders));
            if (specialised && *p->headroom)
                s->headroom = p->headroom;
            if (chooses)
                s->barrier = cb_texts_at(p->o.global_barriers, k);
        }
    return n;
}

static bool is_by_mean(const struct planner *p)
{
    return strcmp(p->o.tune_by, CB_APPS_BY_MEAN) == 0;
}

/* Adds the case that tunes a mode, and returns its index. */
static int add_tuning(const struct planner *p, const struct cb_app *app,
                      const struct cb_app_choice *input, const char *mode)
{
    char sizes[128];
    struct system systems[CB_APPS_MAX_SYSTEMS];
    list_systems(p, mode, systems);
    list_sizes(p, app, sizes, sizeof sizes);
    const double usual_s = p->cpu ? 10 : 60;
    const struct cb_apps_parameters params = {
        .sizes = sizes,
        .tune_by = is_by_mean(p) ? p->o.tune_by : NULL,
        .budget_s = isnan(p->o.tune_budget_s) ? usual_s : p->o.tune_budget_s,
    };
    struct cb_case *c = add_case(p, app, input, mode, systems[0], params, "/tuning");
    unsigned n = 1;
    for (const char *comma = sizes; (comma = strchr(comma, ',')); comma++)
        n++;
    c->own_stop = true;
    c->stop = (struct cb_stop){.rule = CB_STOP_COUNT,
                               .min_runs = n + (is_by_mean(p) ? ROUNDS_OF_MEAN : FURTHER_ROUNDS)};
    return p->plan->count - 1;
}

/* The parameters of a case that runs an app: its workgroup size, if no case has to find it out. */
static struct cb_apps_parameters sized(const struct planner *p, const struct cb_app *app,
                                       int tuning)
{
    return (struct cb_apps_parameters){
        .app.wg_size = tuning < 0 ? fixed_size(p, app) : 0,
        .tune_by = tuning >= 0 && is_by_mean(p) ? p->o.tune_by : NULL,
        .budget_s = NAN,
    };
}

static void add_measured(const struct planner *p, const struct cb_app *app,
                         const struct cb_app_choice *input, const char *mode, struct system system,
                         int tuning)
{
    struct cb_apps_parameters params = sized(p, app, tuning);
    params.verify = (struct cb_given_flag){true, p->o.verify};
    struct cb_case *c = add_case(p, app, input, mode, system, params, "");
    c->needs = tuning;
    if (p->o.verify)
        c->stop = (struct cb_stop){.rule = CB_STOP_COUNT, .min_runs = 1};
}

/* Adds a case for the bound of the specialised mode in each system that it is measured in. */
static void add_bounds(const struct planner *p, const struct cb_app *app,
                       const struct cb_app_choice *input, int tuning)
{
    const char *mode = cb_app_modes[COOP_SPECIALISED];
    struct system systems[CB_APPS_MAX_SYSTEMS];
    int n = list_systems(p, mode, systems);
    for (int i = 0; i < n; i++) {
        struct cb_apps_parameters params = sized(p, app, tuning);
        params.bound = true;
        systems[i].headroom = NULL; /* the bound is that of the device */
        struct cb_case *c = add_case(p, app, input, mode, systems[i], params, "/bound");
        c->needs = tuning;
        c->group = 0; /* it takes no turns with those whose times are compared */
        c->own_stop = true;
        c->stop = (struct cb_stop){.rule = CB_STOP_COUNT, .min_runs = 1};
    }
}

static bool has_mode(const struct planner *p, unsigned m)
{
    return cb_texts_have(p->o.modes, cb_app_modes[m]);
}

static bool is_mode_asked_for(const struct planner *p, const struct cb_app *app, unsigned m)
{
    return has_mode(p, m) && (m != CB_APP_BASELINE || app->run_baseline);
}

static void add_pair(const struct planner *p, const struct cb_app *app,
                     const struct cb_app_choice *input)
{
    int tuning[CB_APP_MODES];
    p->plan->batches++;
    p->plan->groups++;
    for (unsigned m = 0; m < CB_APP_MODES; m++) {
        bool tuned = is_mode_asked_for(p, app, m) && fixed_size(p, app) == 0;
        tuning[m] = tuned ? add_tuning(p, app, input, cb_app_modes[m]) : -1;
    }
    p->plan->groups++;
    if (is_by_mean(p) && tuning[COOP_SPECIALISED] >= 0 && tuning[COOP_PORTABLE] >= 0)
        tuning[COOP_SPECIALISED] = tuning[COOP_PORTABLE];
    for (unsigned m = 0; m < CB_APP_MODES; m++) {
        struct system systems[CB_APPS_MAX_SYSTEMS];
        int n = is_mode_asked_for(p, app, m) ? list_systems(p, cb_app_modes[m], systems) : 0;
        for (int i = 0; i < n; i++)
            add_measured(p, app, input, cb_app_modes[m], systems[i], tuning[m]);
    }
    if (p->o.bound)
        add_bounds(p, app, input, tuning[COOP_SPECIALISED]);
}

/* All inputs of an app, or of a variant of it. */
static void add_app(const struct planner *p, const struct cb_app *app)
{
    struct cb_app_choice inputs[CB_APP_MAX_CHOICES];
    int n =
        cb_app_choices(&p->o.app, app, cb_app_scale(&p->o.app, app, p->plan->device->type), inputs);
    for (int i = 0; i < n; i++)
        add_pair(p, app, &inputs[i]);
}

static void add_variants(const struct planner *p, const struct cb_app *app)
{
    for (int v = 0; v < cb_app_variants(&p->o.app); v++) {
        const struct cb_app *variant = cb_app_chosen_variant(&p->o.app, app, v);
        if (variant)
            add_app(p, variant);
    }
}

/* ---- Options --------------------------------------------------------------------------------- */

static enum cb_status wrong_size(const char *text, struct cb_err *err)
{
    return cb_fail(
        err, CB_USAGE,
        "wg-size: expected auto, suited, one size, or several powers of two from %u to %u, got "
        "\"%s\"",
        CB_APPS_LEAST_SIZE, CB_APPS_MOST_SIZE, text);
}

static enum cb_status check_size(const struct planner *p, const char *text, bool alone,
                                 struct cb_err *err)
{
    char *end;
    unsigned long size = strtoul(text, &end, 10);
    bool is_number = text[0] >= '0' && text[0] <= '9' && !*end && size > 0;
    bool comparable =
        size >= CB_APPS_LEAST_SIZE && size <= CB_APPS_MOST_SIZE && (size & (size - 1)) == 0;
    if (!is_number || (!alone && !comparable))
        return wrong_size(text, err);
    return cb_plan_check_wg_size(p->plan->device, size, err);
}

static enum cb_status check_sizes(const struct planner *p, struct cb_err *err)
{
    int n = p->o.wg_sizes.n;
    for (int i = 0; i < n; i++) {
        const char *text = cb_texts_at(p->o.wg_sizes, i);
        if (n == 1 && (is_auto(p) || is_size_word(p, "suited")))
            break;
        if (check_size(p, text, n == 1, err) != CB_OK)
            return err->status;
        for (int k = 0; k < i; k++)
            if (strcmp(text, cb_texts_at(p->o.wg_sizes, k)) == 0)
                return cb_fail(err, CB_USAGE, "wg-size: %s is named twice", text);
    }
    if (n > 1 && p->o.verify)
        return cb_fail(err, CB_USAGE, "wg-size: --verify takes one size, for it tunes nothing");
    return CB_OK;
}

static enum cb_status check_bound(const struct planner *p, struct cb_err *err)
{
    if (!p->o.bound || has_mode(p, COOP_SPECIALISED))
        return CB_OK;
    return cb_fail(err, CB_USAGE, CB_APPS_BOUND ": only the mode specialised has a bound to know");
}

/* Whether the device's profile has a safe number, without which no case could run. */
static enum cb_status check_headroom(struct planner *p, struct cb_err *err)
{
    cJSON *profile;
    if (isnan(p->o.headroom))
        return CB_OK;
    if (!has_mode(p, COOP_SPECIALISED))
        return cb_fail(err, CB_USAGE, "headroom: only the mode specialised takes a safe number");
    snprintf(p->headroom, sizeof p->headroom, "%g", p->o.headroom);
    enum cb_status status = cb_profile_load(p->plan->device, &profile, err);
    if (status == CB_OK)
        status = cb_safe_groups_check(profile, p->plan->device, p->o.headroom, err);
    cJSON_Delete(profile);
    return status;
}

static bool has_baseline(const struct cb_app *app)
{
    return app->paper && app->paper->run_baseline;
}

/* Whether a variant of the app that is chosen has one of the modes. */
static bool has_any_mode(const struct planner *p, const struct cb_app *app)
{
    bool found = false;
    for (int v = 0; v < cb_app_variants(&p->o.app); v++) {
        const struct cb_app *variant = cb_app_chosen_variant(&p->o.app, app, v);
        for (unsigned m = 0; variant && m < CB_APP_MODES; m++)
            found = found || is_mode_asked_for(p, variant, m);
    }
    return found;
}

/* With a mode that none of the apps has, no case would be left. */
static enum cb_status check_modes(const struct planner *p, struct cb_err *err)
{
    const char *who = NULL;
    bool several = false;
    char with[256];
    for (int a = 0; cb_apps[a]; a++) {
        if (!cb_app_is_chosen(&p->o.app, cb_apps[a], false))
            continue;
        if (has_any_mode(p, cb_apps[a]))
            return CB_OK;
        several = who != NULL;
        who = cb_apps[a]->id;
    }
    cb_app_list(has_baseline, with, sizeof with);
    return cb_fail(err, CB_USAGE, "mode: %s has %s mode baseline: with --variant paper, %s have it",
                   several ? "none of these apps" : who, several ? "a" : "no", with);
}

enum cb_status cb_apps_plan(struct cb_plan *plan, const cJSON *options, struct cb_err *err)
{
    struct planner p = {.plan = plan, .cpu = cb_device_is_cpu(plan->device)};
    cb_app_options_read(options, plan->bench->params, &p.o);
    if (cb_app_options_check(&p.o.app, err) != CB_OK || check_sizes(&p, err) != CB_OK ||
        check_modes(&p, err) != CB_OK || check_bound(&p, err) != CB_OK ||
        check_headroom(&p, err) != CB_OK ||
        cb_discovery_delay(p.o.delay, &(uint32_t){0}, err) != CB_OK)
        return err->status;
    for (int a = 0; cb_apps[a]; a++)
        if (cb_app_is_chosen(&p.o.app, cb_apps[a], false))
            add_variants(&p, cb_apps[a]);
    return CB_OK;
}
