/* SPDX-License-Identifier: Apache-2.0
 *
 * Which cases a set of options means on one device: a sizing for each scene; without an observer, a
 * workload that was given.
 */
#include "probes/graphics/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/text/json.h"
#include "probes/graphics/analysis/impact.h"
#include "probes/graphics/gl/renderer.h"
#include "probes/graphics/sizing.h"

#define MS       1e6
#define MIN_SIDE 16
#define MAX_SIDE 16384
#define OPEN_S   2  /* time to open a case: context, shaders, kernel */
#define BUDGET_S 88 /* time of a run */
#define QUICK_S  26 /* time of a quick run: there are two */
#define GPU_SIZE "1920x1080"
#define CPU_SIZE "192x108"
/* a software rasteriser should draw it in a fifth of a frame's period */
#define CPU_SIZE_HEAVY "96x54"

/* The options, whose rows say what each is. */
struct cb_graphics_options {
    struct cb_texts scenes, criteria;
    const char *observer, *size, *platform;
    struct cb_reals periods_ms, durations_ms;
    double fps, t_ms, t_min_ms, t_max_ms, resolution, level, margin, window_s, confirm_time_s;
    bool png;
    unsigned pairs;
};

#define OPTION(name, member) CB_OPTION(struct cb_graphics_options, name, member)

const struct cb_param cb_graphics_params[] = {
    {OPTION("scene", scenes), .letter = 's', .default_value = "light,medium,heavy",
     .choices = "light,medium,heavy",
     .help = "What is drawn. light: icons emphasised under a moving pointer; medium: a window "
             "dragged over a desktop; heavy: an animated scene by ray marching.",
     .quick = "light,heavy"},
    {OPTION("observer", observer), .default_value = "egl", .choices = "egl,none",
     .help = "egl: the frames of a renderer (OpenGL ES); none: nobody, --period and --duration are "
             "the workload."},
    {OPTION("period", periods_ms), .min = 0.001, .max = 3600e3, .value_name = "MS",
     .help = "With --observer none: P of all scenes, or of each of them."},
    {OPTION("duration", durations_ms), .min = 0.001, .max = 3600e3, .value_name = "MS",
     .help = "With --observer none: E of all scenes, or of each of them."},
    {OPTION("size", size), .value_name = "WxH",
     .help = "Pixels of a frame. Without it: " GPU_SIZE ", beside a CPU device " CPU_SIZE
             " (heavy: " CPU_SIZE_HEAVY ")."},
    {OPTION("fps", fps), .default_value = "60", .min = 1, .max = 1000, .help = "Frames a second."},
    {OPTION("platform", platform), .default_value = "auto",
     .choices = "auto,device,surfaceless,default",
     .help = "Where EGL draws: on an EGL device, on none, on the default display; auto: the first "
             "of them that works."},
    {OPTION("png", png), .help = "Save a frame of each scene as SCENE.png in the run's folder."},
    {OPTION("t", t_ms), .min = 0.001, .max = 1000, .value_name = "MS",
     .help = "Time of the kernels; without it, the longest that is not seen is searched for."},
    {OPTION("t-min", t_min_ms), .default_value = "0.1", .min = 0.001, .max = 1000,
     .value_name = "MS", .help = "Shortest that is tried."},
    {OPTION("t-max", t_max_ms), .default_value = "100", .min = 0.001, .max = 1000,
     .value_name = "MS",
     .help =
         "Longest that is tried. Some drivers end kernels that take longer than a second or two."},
    {OPTION("resolution", resolution), .default_value = "0.05", .min = 0.005, .max = 1,
     .help = "The search ends when the shortest kernel that is seen is so much longer than the "
             "longest that is not.",
     .quick = "0.25"},
    {OPTION("criterion", criteria), .default_value = "p99,missed", .choices = "p99,missed",
     .help = "What must be as without the kernels: the 99th percentile of the frames' times, the "
             "share of frames that miss their deadline."},
    {OPTION("level", level), .default_value = "0.025", .min = 0.0001, .max = 0.5,
     .help = "Level of the test: how probable it may be to see kernels that make no difference."},
    {OPTION("margin", margin), .default_value = "0.25", .max = 1,
     .help =
         "By so much of a frame's period the 99th percentile may rise before it counts as seen."},
    {OPTION("window", window_s), .default_value = "0.15", .min = 0.01, .max = 60, .value_name = "S",
     .help = "Windows with the kernels and without take turns; so long is one.", .quick = "0.12"},
    {OPTION("pairs", pairs), .default_value = "12", .min = 1, .max = 60,
     .help = "Pairs of windows for each look at a kernel; what is in doubt gets up to three.",
     .quick = "8"},
    {OPTION("confirm-time", confirm_time_s), .default_value = "10", .min = 0.01, .max = 3600,
     .value_name = "S",
     .help = "With the t that was found: so long with kernels (X), and so long without.",
     .quick = "1"},
    {0},
};

#define FIELD(key, member)  CB_FIELD(struct cb_graphics_case, key, member)
#define NEEDED(key, member) CB_FIELD_NEEDED(struct cb_graphics_case, key, member)
#define ALWAYS(key, member) CB_FIELD_ALWAYS(struct cb_graphics_case, key, member)

const struct cb_field cb_graphics_fields[] = {
    NEEDED("scene", scene),
    NEEDED("file", file),
    FIELD("width", width),
    FIELD("height", height),
    FIELD("fps", fps),
    FIELD("window", window_s),
    FIELD("pairs", pairs),
    FIELD("confirm-time", confirm_time_s),
    FIELD("budget_s", budget_s),
    FIELD("spare_s", spare_s),
    ALWAYS("p99", p99),
    ALWAYS("missed", missed),
    FIELD("level", level),
    FIELD("margin_ns", margin_ns),
    FIELD("t", t_ms),
    FIELD("t-min", t_min_ms),
    FIELD("t-max", t_max_ms),
    FIELD("resolution", resolution),
    ALWAYS("seed", seed),
    FIELD("platform", platform),
    ALWAYS("png", png),
    FIELD("period_ns", period_ns),
    FIELD("duration_ns", duration_ns),
    FIELD("half", half),
    FIELD("software", software),
    FIELD("uuid", uuid),
    FIELD("index", index),
    FIELD("picture", picture),
    {0},
};

/* The fields of a workload that was given. */
static const struct cb_field given_fields[] = {
    FIELD("scene", scene),
    FIELD("file", file),
    FIELD("period_ns", period_ns),
    FIELD("duration_ns", duration_ns),
    {0},
};

struct planner {
    struct cb_plan *plan;
    struct cb_graphics_options o;
    bool quick;
    int width, height;
    struct cb_criterion criterion;
    struct cb_search search;
};

/* ---- Cases ----------------------------------------------------------------------------------- */

static bool is_taken(const struct planner *p, const char *file)
{
    for (int i = 0; i < p->plan->count; i++)
        if (p->plan->cases[i].bench == p->plan->bench &&
            strcmp(cb_json_text(p->plan->cases[i].params, "file", ""), file) == 0)
            return true;
    return false;
}

/* The name of a scene's files: "heavy", or "heavy-2" if a case before has that name. */
static void name_file(const struct planner *p, const char *scene, char file[48])
{
    snprintf(file, 48, "%s", scene);
    for (int i = 2; is_taken(p, file); i++)
        snprintf(file, 48, "%s-%d", scene, i);
}

/* A run: the search, and twice the time of the confirmation. */
static double expected_s(const struct planner *p)
{
    const struct cb_graphics_options *o = &p->o;
    const double window = o->window_s + CB_RENDERER_SETTLE / o->fps;
    const double tries = isnan(o->t_ms) ? cb_search_tries(&p->search) : 0;
    return tries * o->pairs * 2 * window + 2 * o->confirm_time_s * window / o->window_s + OPEN_S;
}

/* The frames, how long to measure them, the criterion, and the kernels. */
static struct cb_graphics_case sizing_of(const struct planner *p)
{
    const struct cb_graphics_options *o = &p->o;
    const double budget_s = p->quick ? QUICK_S : BUDGET_S;
    const bool searches = isnan(o->t_ms);
    return (struct cb_graphics_case){
        .width = (unsigned)p->width,
        .height = (unsigned)p->height,
        .fps = o->fps,
        .window_s = o->window_s,
        .pairs = o->pairs,
        .confirm_time_s = o->confirm_time_s,
        .budget_s = fmax(budget_s, expected_s(p)),
        .spare_s = fmax(0, budget_s - expected_s(p)),
        .p99 = p->criterion.p99,
        .missed = p->criterion.missed,
        .level = o->level,
        .margin_ns = o->margin * 1e9 / o->fps,
        .t_ms = o->t_ms,
        .t_min_ms = searches ? o->t_min_ms : (double)NAN,
        .t_max_ms = searches ? o->t_max_ms : (double)NAN,
        .resolution = searches ? o->resolution : (double)NAN,
        .seed = (unsigned)(p->plan->seed % 1000000007),
        .platform = o->platform,
        .png = o->png,
        .period_ns = NAN,
        .duration_ns = NAN,
    };
}

static void add_sizing(const struct planner *p, const char *scene)
{
    char file[48];
    name_file(p, scene, file);
    struct cb_case *c =
        cb_plan_add(p->plan, "%s/size=%dx%d,fps=%g", scene, p->width, p->height, p->o.fps);
    struct cb_graphics_case params = sizing_of(p);
    params.scene = scene;
    params.file = file;
    cb_fields_write(c->params, cb_graphics_fields, &params);
    c->expected_s = expected_s(p);
    c->run_deadline_s = fmax(c->run_deadline_s, 3 * c->expected_s);
}

/* The value for scene k, in ms: its own, or the only one. */
static double given_ms(struct cb_reals values, int k)
{
    return cb_reals_at(values, values.texts.n > 1 ? k : 0);
}

static void add_given(const struct planner *p, const char *scene, int k)
{
    char file[48];
    name_file(p, scene, file);
    struct cb_case *c = cb_plan_add(p->plan, "%s/none", scene);
    const struct cb_graphics_case params = {.scene = scene,
                                            .file = file,
                                            .period_ns = given_ms(p->o.periods_ms, k) * MS,
                                            .duration_ns = given_ms(p->o.durations_ms, k) * MS};
    cb_fields_write(c->params, given_fields, &params);
}

/* ---- Options --------------------------------------------------------------------------------- */

static const char *default_size(const struct planner *p, const char *scene)
{
    if (!cb_device_is_cpu(p->plan->device))
        return GPU_SIZE;
    return strcmp(scene, "heavy") == 0 ? CPU_SIZE_HEAVY : CPU_SIZE;
}

static enum cb_status read_size(struct planner *p, const char *scene, struct cb_err *err)
{
    char rest;
    const char *text = p->o.size ? p->o.size : default_size(p, scene);
    if (sscanf(text, "%dx%d%c", &p->width, &p->height, &rest) == 2 && p->width >= MIN_SIDE &&
        p->width <= MAX_SIDE && p->height >= MIN_SIDE && p->height <= MAX_SIDE)
        return CB_OK;
    return cb_fail(err, CB_USAGE,
                   "size: expected WIDTHxHEIGHT, each from %d to %d pixels, got \"%s\"", MIN_SIDE,
                   MAX_SIDE, text);
}

static enum cb_status read_criterion(struct planner *p, struct cb_err *err)
{
    struct cb_criterion *c = &p->criterion;
    const unsigned pairs = p->o.pairs;
    c->level = p->o.level;
    c->looks = CB_SIZING_LOOKS;
    c->p99 = cb_texts_have(p->o.criteria, "p99");
    c->missed = cb_texts_have(p->o.criteria, "missed");
    if (pairs < cb_impact_least_pairs(c))
        return cb_fail(
            err, CB_USAGE,
            "pairs: level %g takes %u pairs of windows at least; with %u of them nothing "
            "would ever be seen (raise --pairs or --level)",
            c->level, cb_impact_least_pairs(c), pairs);
    return CB_OK;
}

static enum cb_status read_search(struct planner *p, struct cb_err *err)
{
    p->search = (struct cb_search){
        .least = p->o.t_min_ms * MS, .most = p->o.t_max_ms * MS, .resolution = p->o.resolution};
    if (p->search.least > p->search.most)
        return cb_fail(err, CB_USAGE, "t-min: %g ms is more than --t-max, %g ms",
                       p->search.least / MS, p->search.most / MS);
    return CB_OK;
}

/* A workload for each scene: one value for all, or one for each. */
static enum cb_status check_given(const struct planner *p, struct cb_err *err)
{
    static const char *const names[] = {"period", "duration"};
    const int counts[] = {p->o.periods_ms.texts.n, p->o.durations_ms.texts.n};
    bool none = strcmp(p->o.observer, "none") == 0;
    int scenes = p->o.scenes.n;
    for (size_t i = 0; i < CB_COUNTOF(names); i++) {
        const int n = counts[i];
        if (!none && n > 0)
            return cb_fail(err, CB_USAGE, "%s: is measured; to give it, use --observer none",
                           names[i]);
        if (none && n != 1 && n != scenes)
            return cb_fail(err, CB_USAGE,
                           "%s: --observer none takes one for all scenes, or one for each of the "
                           "%d, in milliseconds; %d given",
                           names[i], scenes, n);
    }
    for (int k = 0; k < scenes && none; k++)
        if (given_ms(p->o.durations_ms, k) >= given_ms(p->o.periods_ms, k))
            return cb_fail(err, CB_USAGE, "duration: %g ms every %g ms leaves nothing between",
                           given_ms(p->o.durations_ms, k), given_ms(p->o.periods_ms, k));
    return CB_OK;
}

enum cb_status cb_graphics_plan(struct cb_plan *plan, const cJSON *options, struct cb_err *err)
{
    struct planner p = {.plan = plan};
    cb_options_read(options, plan->bench->params, &p.o);
    p.quick = cb_options_flag(options, CB_QUICK);
    const bool none = strcmp(p.o.observer, "none") == 0;
    if (check_given(&p, err) != CB_OK || read_criterion(&p, err) != CB_OK ||
        read_search(&p, err) != CB_OK)
        return err->status;
#ifndef COOPBENCH_PNG
    if (p.o.png)
        return cb_fail(err, CB_USAGE, "png: this build has no libpng (Debian: libpng-dev)");
#endif
    for (int i = 0; i < p.o.scenes.n; i++) {
        const char *scene = cb_texts_at(p.o.scenes, i);
        if (read_size(&p, scene, err) != CB_OK)
            return err->status;
        if (none)
            add_given(&p, scene, i);
        else
            add_sizing(&p, scene);
    }
    return CB_OK;
}
