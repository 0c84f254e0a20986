/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/launch/plan.h"

#include <stdlib.h>
#include <string.h>

#include "apps/nested/programs/programs.h"
#include "measure/text/json.h"
#include "probes/launch/promotion/programs.h"
#include "probes/launch/tune.h"
#include "runtime/host/text.h"
#include "runtime/profile.h"

/* Expected time of a case (PoCL, H100). */
#define CPU_CASE_S 0.6
#define GPU_CASE_S 0.4

#define BREAKDOWN_TIMES 4 /* factor of the expected time with --breakdown */

/* Launchers that programs of each kind can have. */
static const char *const of_chains[] = {CB_LAUNCH_HOST, CB_LAUNCH_LOOP, CB_LAUNCH_TAIL, CB_LAUNCH_P,
                                        CB_LAUNCH_PO,   CB_LAUNCH_PA,   CB_LAUNCH_PAO,  NULL};
static const char *const of_nests[] = {CB_LAUNCH_HOST,       CB_LAUNCH_SERIAL,    CB_LAUNCH_FLAT,
                                       CB_LAUNCH_THREAD,     CB_LAUNCH_WARP,      CB_LAUNCH_BLOCK,
                                       CB_LAUNCH_MULTIBLOCK, CB_LAUNCH_GRID,      CB_LAUNCH_AHEAD,
                                       CB_LAUNCH_ENQUEUE,    CB_LAUNCH_RECURSIVE, NULL};

struct planner {
    struct cb_plan *plan;
    struct cb_launch_options o;
    const cJSON *profile;
    const char *mode; /* "breakdown", "tune" or "occupancy"; NULL: none of these options */
};

/* The details of a launcher; NULL, 0: it has none. */
struct detail {
    const char *descendants, *places, *child_size, *arguments, *condition;
    unsigned threshold, coarsening;
    bool tuned; /* chosen by an earlier run */
};

/* Appends a detail to a name, unless it is 1. */
static void append(char name[CB_LAUNCHER_BYTES], const char *what, unsigned value)
{
    const size_t n = strlen(name);
    if (value > 1)
        snprintf(name + n, CB_LAUNCHER_BYTES - n, ",%s=%u", what, value);
}

/* A text, or NULL if it is the usual one. */
static const char *unless(const char *text, const char *usual)
{
    return text && strcmp(text, usual) != 0 ? text : NULL;
}

static void append_text(char name[CB_LAUNCHER_BYTES], const char *what, const char *text)
{
    const size_t n = strlen(name);
    if (text)
        snprintf(name + n, CB_LAUNCHER_BYTES - n, ",%s=%s", what, text);
}

/* Names a launcher: "PAO-128", "grid,threshold=64,coarsening=4", "grid". */
static void name_launcher(const char *launcher, const struct detail *d,
                          char name[CB_LAUNCHER_BYTES])
{
    snprintf(name, CB_LAUNCHER_BYTES, "%s%s%.20s", d->tuned ? CB_LAUNCH_TUNED : launcher,
             d->descendants ? "-" : "", d->descendants ? d->descendants : "");
    if (d->tuned)
        return;
    append(name, "threshold", d->threshold);
    append(name, "coarsening", d->coarsening);
    append_text(name, "places", unless(d->places, CB_LAUNCH_ATOMIC));
    append_text(name, "child-size", d->child_size);
    append_text(name, "arguments", d->arguments);
    append_text(name, "condition", d->condition);
}

static bool has(const char *const *list, const char *text)
{
    while (*list && strcmp(*list, text) != 0)
        list++;
    return *list;
}

static bool is_without_launches(const char *launcher)
{
    return strcmp(launcher, CB_LAUNCH_SERIAL) == 0 || strcmp(launcher, CB_LAUNCH_FLAT) == 0;
}

/* Whether there are no rounds of launches, of which a mode could measure something. */
static bool is_without_rounds(const char *launcher)
{
    return is_without_launches(launcher) || strcmp(launcher, CB_LAUNCH_RECURSIVE) == 0;
}

static bool is_mode(const struct planner *p, const char *option)
{
    return p->mode && strcmp(p->mode, option) == 0;
}

static const char *kind_of(const struct planner *p, bool is_nest)
{
    if (is_mode(p, "occupancy"))
        return is_nest ? CB_LAUNCH_CHILDREN : CB_LAUNCH_STEPS;
    return is_mode(p, "breakdown") ? CB_LAUNCH_BREAKDOWN
           : is_mode(p, "tune")    ? CB_LAUNCH_TUNING
           : is_nest               ? CB_LAUNCH_AGGREGATION
                                   : CB_LAUNCH_PROMOTION;
}

/* Whether a program by this launcher lacks what the mode measures. */
static bool is_left_out(const struct planner *p, bool is_nest, const char *launcher)
{
    if (is_mode(p, "breakdown"))
        return !is_nest || is_without_rounds(launcher);
    return is_mode(p, "occupancy") && is_nest && is_without_rounds(launcher);
}

/* Whether launches of a round are kept until all are known. Breakdowns find their round by grid. */
static bool has_pool(const struct planner *p, bool is_nest, const char *launcher)
{
    static const char *const all[] = {CB_LAUNCH_HOST, CB_LAUNCH_GRID, CB_LAUNCH_AHEAD, NULL};
    return is_nest && (has(all, launcher) || is_mode(p, "breakdown"));
}

/* The depth that is asked for; 0: the program's own, or it has none. */
static unsigned depth_of(const struct planner *p, const char *program)
{
    const struct cb_nest_program *nest = cb_nest_program_of(program);
    return nest && nest->depth > 0 && p->o.depth != nest->depth ? p->o.depth : 0;
}

static void add_case(const struct planner *p, const char *program, const char *size,
                     const char *launcher, const struct detail *detail)
{
    const bool is_nest = cb_nest_program_of(program);
    const unsigned depth = depth_of(p, program);
    char name[CB_LAUNCHER_BYTES];
    if (is_left_out(p, is_nest, launcher))
        return;
    name_launcher(launcher, detail, name);
    if (depth > 0)
        snprintf(name + strlen(name), sizeof name - strlen(name), ",depth=%u", depth);
    struct cb_case *c = cb_plan_add(p->plan, "%s/%s/%s%s%s", program, name, size,
                                    p->mode ? "/" : "", p->mode ? p->mode : "");
    c->group = p->plan->groups;
    c->expected_s = cb_device_is_cpu(p->plan->device) ? CPU_CASE_S : GPU_CASE_S;
    c->expected_s *= is_mode(p, "breakdown") ? BREAKDOWN_TIMES : 1;
    const struct cb_launch_case params = {
        .kind = kind_of(p, is_nest),
        .program = program,
        .size = size,
        .launcher = launcher,
        .descendants = detail->descendants,
        .places = detail->places,
        .child_size = detail->child_size,
        .arguments = detail->arguments,
        .condition = detail->condition,
        .depth = depth,
        .threshold = detail->threshold,
        .coarsening = detail->coarsening,
        .pool = has_pool(p, is_nest, launcher) ? p->o.pool : 0,
        .tuned = detail->tuned,
        .breakdown = p->o.breakdown,
        .occupancy = p->o.occupancy,
        .tune = p->o.tune,
        .input = p->o.input,
    };
    cb_fields_write(c->params, cb_launch_fields, &params);
    if (p->o.scale)
        c->stop = (struct cb_stop){.rule = CB_STOP_COUNT, .min_runs = 1, .max_runs = 1};
    else if (is_nest && strcmp(launcher, CB_LAUNCH_HOST) == 0) /* each run takes seconds */
        c->stop = (struct cb_stop){.rule = CB_STOP_COUNT, .min_runs = 3, .max_runs = 3};
}

/* Adds the cases of a launcher that launches children: all thresholds, coarsenings and sizes of
 * children. */
static void add_with_launches(const struct planner *p, const char *program, const char *size,
                              const char *launcher, struct detail detail)
{
    for (int t = 0; t < p->o.thresholds.texts.n; t++)
        for (int k = 0; k < p->o.coarsenings.texts.n; k++)
            for (int c = 0; c < p->o.child_sizes.n; c++) {
                detail.threshold = (unsigned)cb_uints_at(p->o.thresholds, t);
                detail.coarsening = (unsigned)cb_uints_at(p->o.coarsenings, k);
                detail.child_size = unless(cb_texts_at(p->o.child_sizes, c), CB_LAUNCH_FIXED);
                add_case(p, program, size, launcher, &detail);
            }
}

/* Whether launches find their places so by this launcher: within a workgroup each has an addition
 * of its own anyway. */
static bool has_places(const char *launcher, const char *places)
{
    static const char *const of_host[] = {CB_LAUNCH_GRID, CB_LAUNCH_AHEAD, NULL};
    return strcmp(places, CB_LAUNCH_SEQUENTIAL) != 0 || has(of_host, launcher);
}

/* Adds the cases of a launcher that aggregates launches: all ways to find their places, and to pass
 * arguments. */
static void add_aggregated(const struct planner *p, const char *program, const char *size,
                           const char *launcher)
{
    for (int i = 0; i < p->o.places.n; i++)
        for (int a = 0; a < p->o.arguments.n && has_places(launcher, cb_texts_at(p->o.places, i));
             a++) {
            const struct detail detail = {
                .places = cb_texts_at(p->o.places, i),
                .arguments = unless(cb_texts_at(p->o.arguments, a), CB_LAUNCH_UNIFORM)};
            add_with_launches(p, program, size, launcher, detail);
        }
}

static void add_promoted(const struct planner *p, const char *program, const char *size,
                         const char *launcher)
{
    for (int d = 0; d < p->o.descendants.n; d++) {
        const struct detail detail = {.descendants = cb_texts_at(p->o.descendants, d)};
        add_case(p, program, size, launcher, &detail);
    }
}

/* Adds the cases of a promoted launch, without and with speculation. */
static void add_conditions(const struct planner *p, const char *program, const char *size,
                           const char *launcher)
{
    for (int i = 0; i < p->o.conditions.n; i++) {
        const struct detail detail = {.condition =
                                          unless(cb_texts_at(p->o.conditions, i), CB_LAUNCH_KNOWN)};
        add_case(p, program, size, launcher, &detail);
    }
}

/* Whether the profile has the choice that --tune left, of a launcher that exists. */
static bool has_choice(const struct planner *p, const char *program,
                       struct cb_launch_choice *choice)
{
    return cb_launch_choice_of(p->profile, program, choice) && has(of_nests, choice->launcher);
}

static void add_tuned(const struct planner *p, const char *program, const char *size)
{
    struct cb_launch_choice choice;
    if (!has_choice(p, program, &choice))
        return;
    const struct detail detail = {
        .threshold = choice.threshold, .coarsening = choice.coarsening, .tuned = true};
    add_case(p, program, size, choice.launcher, &detail);
}

static void add_launcher(const struct planner *p, const char *program, const char *size,
                         const char *launcher)
{
    static const char *const pooled[] = {CB_LAUNCH_PA, CB_LAUNCH_PAO, NULL};
    static const char *const promoted[] = {CB_LAUNCH_P, CB_LAUNCH_PO, NULL};
    static const char *const aggregated[] = {CB_LAUNCH_WARP, CB_LAUNCH_BLOCK, CB_LAUNCH_MULTIBLOCK,
                                             CB_LAUNCH_GRID, CB_LAUNCH_AHEAD, NULL};
    const struct detail none = {0};
    const bool is_nest = cb_nest_program_of(program);
    if (is_nest && strcmp(launcher, CB_LAUNCH_TUNED) == 0)
        add_tuned(p, program, size);
    if (!has(is_nest ? of_nests : of_chains, launcher))
        return;
    if (is_nest && strcmp(launcher, CB_LAUNCH_RECURSIVE) == 0 &&
        cb_nest_program_of(program)->depth == 0)
        return;
    if (is_nest && has(aggregated, launcher))
        add_aggregated(p, program, size, launcher);
    else if (is_nest && !is_without_rounds(launcher))
        add_with_launches(p, program, size, launcher, none);
    else if (has(pooled, launcher))
        add_promoted(p, program, size, launcher);
    else if (has(promoted, launcher))
        add_conditions(p, program, size, launcher);
    else
        add_case(p, program, size, launcher, &none);
}

/* Adds all cases that --tune tries. */
static void add_tries(const struct planner *p, const char *program, const char *size)
{
    const struct detail none = {0};
    for (const char *const *l = cb_launch_tried_launchers; *l; l++) {
        if (is_without_launches(*l))
            add_case(p, program, size, *l, &none);
        for (const unsigned *t = cb_launch_tried_thresholds; *t && !is_without_launches(*l); t++)
            for (const unsigned *k = cb_launch_tried_coarsenings; *k; k++) {
                const struct detail detail = {.threshold = *t, .coarsening = *k};
                add_case(p, program, size, *l, &detail);
            }
    }
}

/* Adds the cases of one program and size, which take turns. */
static void add_group(const struct planner *p, const char *program, const char *size)
{
    p->plan->groups++;
    if (is_mode(p, "tune")) {
        if (cb_nest_program_of(program))
            add_tries(p, program, size);
        return;
    }
    for (int l = 0; l < p->o.launchers.n; l++)
        add_launcher(p, program, size, cb_texts_at(p->o.launchers, l));
}

static bool takes_input(const char *program)
{
    const struct cb_nest_program *nest = cb_nest_program_of(program);
    return nest && nest->takes;
}

/* Adds all groups, one after the other; an input of one's own has one size. */
static void add_all(const struct planner *p)
{
    const bool own = p->o.input, tiny = p->o.scale;
    const int sizes = own || tiny ? 1 : p->o.sizes.n;
    for (int s = 0; s < sizes; s++)
        for (int i = 0; i < p->o.programs.n; i++) {
            const char *program = cb_texts_at(p->o.programs, i);
            if (!own || takes_input(program))
                add_group(p, program,
                          own    ? CB_LAUNCH_INPUT
                          : tiny ? cb_launch_size_names[CB_LAUNCH_SMALL]
                                 : cb_texts_at(p->o.sizes, s));
        }
}

/* For the launcher `tuned` all programs whose parents launch children need a choice. */
static enum cb_status check_choices(const struct planner *p, struct cb_err *err)
{
    struct cb_launch_choice choice;
    for (int i = 0; i < p->o.programs.n; i++) {
        const char *program = cb_texts_at(p->o.programs, i);
        if (cb_nest_program_of(program) && !has_choice(p, program, &choice))
            return cb_fail(err, CB_USAGE,
                           "launcher: nothing is tuned for %s on %s: coopbench launch --tune "
                           "--program %s",
                           program, p->plan->device->name, program);
    }
    return CB_OK;
}

static bool is_only(struct cb_texts list, const char *value)
{
    return list.n == 1 && strcmp(cb_texts_at(list, 0), value) == 0;
}

static enum cb_status check_tuning(const struct planner *p, struct cb_err *err)
{
    int launchers = 1;
    for (const char *at = CB_LAUNCH_LAUNCHERS; *at; at++)
        launchers += *at == ',';
    if (!is_only(p->o.thresholds.texts, "1") || !is_only(p->o.coarsenings.texts, "1") ||
        !is_only(p->o.places, CB_LAUNCH_ATOMIC) || !is_only(p->o.child_sizes, CB_LAUNCH_FIXED) ||
        !is_only(p->o.arguments, CB_LAUNCH_UNIFORM) || p->o.launchers.n != launchers)
        return cb_fail(err, CB_USAGE,
                       "tune: tries launchers, thresholds and coarsenings of its own: not with "
                       "--launcher, --threshold, --coarsening, --places, --child-size or "
                       "--arguments");
    return CB_OK;
}

/* Lists "bfs_nested, bh, ...": all programs whose parents launch children, or those that take a
 * file. */
static void list_programs(char *list, size_t size, bool with_input)
{
    *list = '\0';
    for (const struct cb_nest_program *const *of = cb_nest_programs; *of; of++)
        if (!with_input || (*of)->takes)
            cb_text_join(list, size, "%s", (*of)->id);
}

/* Lists "host, thread, ...": launchers of a kind of programs. launch: only those with launches. */
static void list_launchers(char *list, size_t size, const char *const *of, bool launch)
{
    *list = '\0';
    for (; *of; of++)
        if (!launch || !is_without_rounds(*of))
            cb_text_join(list, size, "%s", *of);
}

#define AND_NAME(id, what) ", " #id

/* Explains why a command has no cases. */
static enum cb_status explain(const struct planner *p, struct cb_err *err)
{
    const bool is_breakdown = is_mode(p, "breakdown");
    char programs[400], nests[160], chains[80];
    list_programs(programs, sizeof programs, !is_breakdown);
    list_launchers(nests, sizeof nests, of_nests, is_breakdown);
    list_launchers(chains, sizeof chains, of_chains, false);
    if (is_breakdown)
        return cb_fail(err, CB_USAGE,
                       "breakdown: needs a program with a launcher of children: %s by %s, tuned",
                       programs, nests);
    if (p->o.input)
        return cb_fail(err, CB_USAGE, "input: none of the programs takes a file: %s do", programs);
    if (is_only(p->o.places, CB_LAUNCH_SEQUENTIAL))
        return cb_fail(err, CB_USAGE,
                       "places: " CB_LAUNCH_SEQUENTIAL " is of the launchers grid and ahead, of "
                       "programs with children");
    if (is_mode(p, "tune"))
        return cb_fail(err, CB_USAGE,
                       "tune: the programs launch themselves: there is no threshold "
                       "or coarsening");
    if (is_mode(p, "occupancy"))
        return cb_fail(err, CB_USAGE,
                       "occupancy: needs launches: of a program with children, none of the "
                       "launchers serial and flat");
    return cb_fail(err, CB_USAGE,
                   "launcher: none of the programs has it: those whose parents launch children "
                   "have %s; those that launch themselves (%s) have %s",
                   nests, &(CB_CHAIN_PROGRAMS(AND_NAME))[2], chains);
}

/* Whether a depth, or children that launch, are asked of a program that has them. */
static enum cb_status check_depth(const struct planner *p, struct cb_err *err)
{
    bool recurses = false;
    for (int i = 0; i < p->o.programs.n; i++) {
        const struct cb_nest_program *nest = cb_nest_program_of(cb_texts_at(p->o.programs, i));
        recurses |= nest && nest->depth > 0;
    }
    if (recurses || (p->o.depth == 0 && !is_only(p->o.launchers, CB_LAUNCH_RECURSIVE)))
        return CB_OK;
    return cb_fail(err, CB_USAGE, "%s: none of the programs recurses: --program qt",
                   p->o.depth > 0 ? "depth" : "launcher");
}

/* Finds the mode, which is one at most, since each measures something else. */
static enum cb_status find_mode(const struct cb_launch_options *o, const char **mode,
                                struct cb_err *err)
{
    static const char *const modes[] = {"breakdown", "occupancy", "tune"};
    const bool chosen[] = {o->breakdown, o->occupancy, o->tune};
    *mode = NULL;
    for (size_t m = 0; m < CB_COUNTOF(modes); m++) {
        if (!chosen[m])
            continue;
        if (*mode)
            return cb_fail(err, CB_USAGE, "%s: not with --%s: each measures something else", *mode,
                           modes[m]);
        *mode = modes[m];
    }
    return CB_OK;
}

enum cb_status cb_launch_plan(struct cb_plan *plan, const cJSON *options, struct cb_err *err)
{
    struct planner p = {.plan = plan};
    cJSON *profile = NULL;
    const int before = plan->count;
    struct cb_err ignored; /* a damaged profile is one without sections: cli/suite/suite.c warns */
    cb_options_read(options, plan->bench->params, &p.o);
    if (cb_launch_check_descendants(p.o.descendants, err) != CB_OK ||
        find_mode(&p.o, &p.mode, err) != CB_OK || check_depth(&p, err) != CB_OK)
        return err->status;
    cb_profile_load(plan->device, &profile, &ignored);
    p.profile = profile;
    enum cb_status status = p.o.tune ? check_tuning(&p, err) : CB_OK;
    if (status == CB_OK && cb_texts_have(p.o.launchers, CB_LAUNCH_TUNED))
        status = check_choices(&p, err);
    if (status == CB_OK)
        add_all(&p);
    cJSON_Delete(profile);
    return status != CB_OK || plan->count > before ? status : explain(&p, err);
}
