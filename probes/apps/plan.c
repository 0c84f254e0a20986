/* SPDX-License-Identifier: Apache-2.0
 *
 * Which cases a set of options means on one device: for each app with an input a group that tunes
 * its modes, and one that measures them, in turns.
 */
#include "probes/apps/plan.h"

#include <stdlib.h>
#include <string.h>

#include "apps/host/case.h"
#include "probes/apps/bound.h"
#include "runtime/discovery.h"

/* Rounds of tuning after those that build a size each and run it once. */
#define FURTHER_ROUNDS 4
#define ROUNDS_OF_MEAN 9   /* OOPSLA'16 Section 5.2: the average of ten runs */
#define LEAST_ON_GPU   32u /* OOPSLA'16 Section 5.2: smaller ones did not perform well */

struct planner {
    const struct cb_bench *bench;
    const struct cb_device *device;
    const cJSON *options;
    struct cb_apps_options o;
    struct cb_plan *plan;
    bool cpu, verify;
};

/* ---- Sizes ----------------------------------------------------------------------------------- */

static bool is_size_word(const struct planner *p, const char *word)
{
    return strcmp(cb_option_text(p->options, "wg-size"), word) == 0;
}

static bool is_auto(const struct planner *p)
{
    return is_size_word(p, "auto");
}

/* The size that suits the app, if the device takes it. */
static unsigned suited_size(const struct planner *p, const struct cb_app *app)
{
    unsigned size = cb_app_wg_size(app, p->device->type);
    while (size > p->device->max_wg_size && size > 1)
        size /= 2;
    return size;
}

/* The size of a case that needs no tuning; 0: it needs some. */
static unsigned fixed_size(const struct planner *p, const struct cb_app *app)
{
    if (is_size_word(p, "suited"))
        return suited_size(p, app);
    if (!is_auto(p) && cb_options_count(p->options, "wg-size") == 1)
        return (unsigned)strtoul(cb_option_text(p->options, "wg-size"), NULL, 10);
    return p->verify ? suited_size(p, app) : 0;
}

static void append_size(const struct planner *p, char *text, size_t room, unsigned size)
{
    unsigned least = p->cpu || p->device->max_wg_size < LEAST_ON_GPU ? 1 : LEAST_ON_GPU;
    size_t n = strlen(text);
    if (size >= least && size <= CB_APPS_MOST_SIZE && size <= p->device->max_wg_size)
        snprintf(text + n, room - n, "%s%u", n ? "," : "", size);
}

/* "64,32,128,256": first what is likely to be best, since the budget may end it. */
static void list_sizes(const struct planner *p, const struct cb_app *app, char *text, size_t room)
{
    unsigned middle = suited_size(p, app);
    text[0] = '\0';
    for (int i = 0; !is_auto(p) && i < cb_options_count(p->options, "wg-size"); i++)
        snprintf(text + strlen(text), room - strlen(text), "%s%s", i ? "," : "",
                 cb_options_text(p->options, "wg-size", i));
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
}

/* A case that tunes a mode or measures it; NULL: no memory. */
static struct cb_case *add_case(const struct planner *p, const struct cb_app *app,
                                const struct cb_app_choice *input, const char *mode,
                                struct system system, const char *ending)
{
    char name[128];
    name_system(app, system, name, sizeof name);
    int i = cb_plan_add(p->plan, p->bench, p->device, "%s/%s/%s/%s%s%s", p->bench->id, app->id,
                        mode, input->name, name, ending);
    if (i < 0)
        return NULL;
    struct cb_case *c = &p->plan->cases[i];
    c->group = p->plan->groups;
    c->batch = p->plan->batches;
    cb_app_case_name(c, app, cb_app_choice_spec(input), input->name);
    cb_case_set(c, "mode", mode);
    cb_app_case_take(c, p->options, app, /* only the megakernel has a barrier that resizes */
                     strcmp(mode, cb_app_modes[COOP_COOPERATIVE]) == 0 ? NULL : CB_APPS_RESIZING);
    if (system.protocol) {
        cb_case_set(c, "protocol", system.protocol);
        cb_case_set(c, "delay",
                    cb_discovery_has_mutex(system.protocol) ? cb_option_text(p->options, "delay")
                                                            : "adaptive");
    }
    if (system.ids)
        cb_case_set(c, "ids", system.ids);
    if (system.barrier)
        cb_case_set(c, "global-barrier", system.barrier);
    return c;
}

/* The systems of a mode, as options say; how many there are. */
static int list_systems(const struct planner *p, const char *mode,
                        struct system systems[CB_APPS_MAX_SYSTEMS])
{
    bool portable = strcmp(mode, cb_app_modes[COOP_PORTABLE]) == 0;
    bool chooses = portable || strcmp(mode, cb_app_modes[COOP_SPECIALISED]) == 0;
    int ways = portable ? cb_options_count(p->options, "protocol") : 1;
    int orders = portable ? cb_options_count(p->options, "ids") : 1;
    int barriers = chooses ? cb_options_count(p->options, "global-barrier") : 1, n = 0;
    for (int i = 0; i < ways * orders; i++)
        for (int k = 0; k < barriers && n < CB_APPS_MAX_SYSTEMS; k++) {
            struct system *s = &systems[n++];
            *s = (struct system){NULL};
            if (portable)
                s->protocol = cb_options_text(p->options, "protocol", i / orders);
            if (portable)
                s->ids = cb_discovery_other_order(s->protocol,
                                                  cb_options_text(p->options, "ids", i % orders));
            if (chooses)
                s->barrier = cb_options_text(p->options, "global-barrier", k);
        }
    return n;
}

static bool is_by_mean(const struct planner *p)
{
    return strcmp(cb_option_text(p->options, "tune-by"), CB_APPS_BY_MEAN) == 0;
}

/* Returns the index of the case. */
static int add_tuning(const struct planner *p, const struct cb_app *app,
                      const struct cb_app_choice *input, const char *mode)
{
    char sizes[128];
    struct system systems[CB_APPS_MAX_SYSTEMS];
    list_systems(p, mode, systems);
    struct cb_case *c = add_case(p, app, input, mode, systems[0], "/tuning");
    if (!c)
        return -1;
    list_sizes(p, app, sizes, sizeof sizes);
    cJSON_AddStringToObject(c->params, "sizes", sizes);
    if (is_by_mean(p))
        cb_case_take(c, p->options, "tune-by");
    cJSON_AddNumberToObject(c->params, "budget_s",
                            cb_option_real_or(p->options, "tune-budget", p->cpu ? 10 : 60));
    unsigned n = 1;
    for (const char *comma = sizes; (comma = strchr(comma, ',')); comma++)
        n++;
    c->own_stop = true;
    c->stop = (struct cb_stop){.rule = CB_STOP_COUNT,
                               .min_runs = n + (is_by_mean(p) ? ROUNDS_OF_MEAN : FURTHER_ROUNDS)};
    return p->plan->count - 1;
}

/* The workgroup size of a case that runs an app, or the case that finds it out. */
static void give_size(const struct planner *p, struct cb_case *c, const struct cb_app *app,
                      int tuning)
{
    c->needs = tuning;
    if (tuning >= 0 && is_by_mean(p))
        cb_case_take(c, p->options, "tune-by");
    if (tuning < 0)
        cJSON_AddNumberToObject(c->params, "wg-size", fixed_size(p, app));
}

static void add_measured(const struct planner *p, const struct cb_app *app,
                         const struct cb_app_choice *input, const char *mode, struct system system,
                         int tuning)
{
    struct cb_case *c = add_case(p, app, input, mode, system, "");
    if (!c)
        return;
    give_size(p, c, app, tuning);
    cJSON_AddBoolToObject(c->params, "verify", p->verify);
    if (p->verify)
        c->stop = (struct cb_stop){.rule = CB_STOP_COUNT, .min_runs = 1};
}

/* Adds the bounds of the specialised mode, in each system that it is measured in. */
static void add_bounds(const struct planner *p, const struct cb_app *app,
                       const struct cb_app_choice *input, int tuning)
{
    const char *mode = cb_app_modes[COOP_SPECIALISED];
    struct system systems[CB_APPS_MAX_SYSTEMS];
    int n = list_systems(p, mode, systems);
    for (int i = 0; i < n; i++) {
        struct cb_case *c = add_case(p, app, input, mode, systems[i], "/bound");
        if (!c)
            return;
        give_size(p, c, app, tuning);
        cb_case_take(c, p->options, CB_APPS_BOUND);
        c->group = 0; /* it takes no turns with those whose times are compared */
        c->own_stop = true;
        c->stop = (struct cb_stop){.rule = CB_STOP_COUNT, .min_runs = 1};
    }
}

static bool has_mode(const struct planner *p, unsigned m)
{
    for (int i = 0; i < cb_options_count(p->options, "mode"); i++)
        if (strcmp(cb_options_text(p->options, "mode", i), cb_app_modes[m]) == 0)
            return true;
    return false;
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
    if (cb_options_flag(p->options, CB_APPS_BOUND))
        add_bounds(p, app, input, tuning[COOP_SPECIALISED]);
}

/* All inputs of an app, or of a variant of it. */
static void add_app(const struct planner *p, const struct cb_app *app)
{
    struct cb_app_choice inputs[CB_APP_MAX_CHOICES];
    int n = cb_app_choices(&p->o.app, app, cb_app_scale(&p->o.app, app, p->device->type), inputs);
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
    if (size > p->device->max_wg_size)
        return cb_fail(err, CB_USAGE, "wg-size: %s takes at most %llu work-items a workgroup",
                       p->device->name, (unsigned long long)p->device->max_wg_size);
    return CB_OK;
}

static enum cb_status check_sizes(const struct planner *p, struct cb_err *err)
{
    int n = cb_options_count(p->options, "wg-size");
    for (int i = 0; i < n; i++) {
        const char *text = cb_options_text(p->options, "wg-size", i);
        if (n == 1 && (is_auto(p) || is_size_word(p, "suited")))
            break;
        if (check_size(p, text, n == 1, err) != CB_OK)
            return err->status;
        for (int k = 0; k < i; k++)
            if (strcmp(text, cb_options_text(p->options, "wg-size", k)) == 0)
                return cb_fail(err, CB_USAGE, "wg-size: %s is named twice", text);
    }
    if (n > 1 && p->verify)
        return cb_fail(err, CB_USAGE, "wg-size: --verify takes one size, for it tunes nothing");
    return CB_OK;
}

static enum cb_status check_bound(const struct planner *p, struct cb_err *err)
{
    if (!cb_options_flag(p->options, CB_APPS_BOUND) || has_mode(p, COOP_SPECIALISED))
        return CB_OK;
    return cb_fail(err, CB_USAGE, CB_APPS_BOUND ": only the mode specialised has a bound to know");
}

static bool has_baseline(const struct cb_app *app)
{
    return app->run_baseline || (app->paper && app->paper->run_baseline);
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

enum cb_status cb_apps_plan(const struct cb_bench *bench, const struct cb_device *device,
                            const cJSON *options, struct cb_plan *plan, struct cb_err *err)
{
    struct planner p = {.bench = bench,
                        .device = device,
                        .options = options,
                        .plan = plan,
                        .cpu = cb_device_is_cpu(device)};
    cb_app_options_read(options, bench->params, &p.o, &p.o.app);
    p.verify = p.o.verify;
    if (cb_app_options_check(&p.o.app, err) != CB_OK || check_sizes(&p, err) != CB_OK ||
        check_modes(&p, err) != CB_OK || check_bound(&p, err) != CB_OK ||
        cb_discovery_delay(cb_option_text(options, "delay"), &(uint32_t){0}, err) != CB_OK)
        return err->status;
    for (int a = 0; cb_apps[a]; a++)
        if (cb_app_is_chosen(&p.o.app, cb_apps[a], false))
            add_variants(&p, cb_apps[a]);
    return CB_OK;
}
