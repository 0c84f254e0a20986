/* SPDX-License-Identifier: Apache-2.0
 *
 * How often, and for how long, a display needs the device (FSE'17 Section 5.2). See README.md
 * beside this file.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probes/graphics/figures.h"
#include "probes/graphics/findings.h"
#include "probes/graphics/gl/renderer.h"
#include "probes/graphics/plan.h"
#include "probes/graphics/report.h"
#include "probes/graphics/sizing.h"
#include "probes/graphics/workloads.h"

/* One half of a case: the worker's, or the renderer's. */
struct graphics {
    bool renders;
    void *renderer;
    struct cb_sizing sizing;
    double period_ns, duration_ns; /* that were given: nothing is measured */
};

/* ---- Opening --------------------------------------------------------------------------------- */

static void configure(struct cb_sizing *s, const struct cb_graphics_case *p)
{
    s->criterion = (struct cb_criterion){
        .p99 = p->p99,
        .missed = p->missed,
        .level = p->level,
        .margin_ns = p->margin_ns,
        .period_ns = 1e9 / p->fps,
    };
    s->search = (struct cb_search){
        .least = p->t_min_ms * 1e6, .most = p->t_max_ms * 1e6, .resolution = p->resolution};
    s->given_ns = fmax(0, p->t_ms * 1e6);
    s->pairs = p->pairs;
    s->confirm_s = p->confirm_time_s;
    s->budget_s = p->budget_s;
    s->spare_s = p->spare_s;
    s->random.state = cb_random_mix(p->seed);
}

static enum cb_status open_sizing(struct cb_session *session, const struct cb_graphics_case *params,
                                  struct cb_sizing *s, struct cb_err *err)
{
    configure(s, params);
    if (cb_loop_open(session, &s->loop, err) != CB_OK)
        return err->status;
    if (session->rehearsal)
        return cb_loop_try(&s->loop, err);
    return cb_observer_open(cb_bench_find("graphics"), session, params, &s->observer, err);
}

static enum cb_status open_renderer(const struct cb_graphics_case *params, struct graphics *g,
                                    struct cb_err *err)
{
    g->renders = true;
#ifdef COOPBENCH_EGL
    return cb_renderer_open(params, &g->renderer, err);
#else
    (void)params;
    return cb_fail(err, CB_UNSUPPORTED,
                   "this build cannot render: it was configured without EGL and OpenGL ES (Debian: "
                   "libegl-dev libgles-dev, and to run libegl-mesa0 libgl1-mesa-dri); --observer "
                   "none takes a workload as it is");
#endif
}

static enum cb_status graphics_open(struct cb_session *session, const cJSON *params, void *batch,
                                    void **state, struct cb_err *err)
{
    (void)batch;
    struct graphics *g = *state = calloc(1, sizeof *g);
    if (!g)
        return cb_no_memory(err);
    struct cb_graphics_case p;
    cb_fields_read(params, cb_graphics_fields, &p);
    g->period_ns = p.period_ns;
    g->duration_ns = p.duration_ns;
    if (cb_text_is(p.half, "renderer"))
        return open_renderer(&p, g, err);
    return isnan(g->period_ns) ? open_sizing(session, &p, &g->sizing, err) : CB_OK;
}

static void graphics_close(void *state)
{
    struct graphics *g = state;
#ifdef COOPBENCH_EGL
    if (g->renderer)
        cb_renderer_close(g->renderer);
#endif
    cb_frames_free(&g->sizing.undisturbed);
    cb_observer_close(&g->sizing.observer);
    cb_loop_close(&g->sizing.loop);
    free(g);
}

static enum cb_status graphics_run(void *state, struct cb_sample *sample, struct cb_err *err)
{
    struct graphics *g = state;
#ifdef COOPBENCH_EGL
    if (g->renders)
        return cb_renderer_run(g->renderer, sample, err);
#endif
    if (isnan(g->period_ns))
        return cb_sizing_run(&g->sizing, sample, err);
    cb_sample_add(sample, "period", g->period_ns);
    cb_sample_add(sample, "duration", g->duration_ns);
    cb_sample_note(sample, "period and duration were given: nothing was measured");
    return CB_OK;
}

/* ---- The table entry ------------------------------------------------------------------------- */

static const struct cb_metric metrics[] = {
    {"t", "ns", CB_HIGHER, true, "longest kernel without an observable impact on the frames"},
    {"period", "ns", CB_NEITHER, false, "P = X / n: from one kernel's start to the next"},
    {"period_lower", "ns", CB_NEITHER, false, "its 95 % interval, by bootstrap"},
    {"period_upper", "ns", CB_NEITHER, false, "its 95 % interval, by bootstrap"},
    {"duration", "ns", CB_NEITHER, false,
     "E = (X - Y) / n: of it, when the kernel did not have the device; gap + stopped"},
    {"duration_lower", "ns", CB_NEITHER, false, "its 95 % interval, by bootstrap"},
    {"duration_upper", "ns", CB_NEITHER, false, "its 95 % interval, by bootstrap"},
    {"gap", "ns", CB_NEITHER, false, "between the end of a kernel and the start of the next"},
    {"idle_gap", "ns", CB_NEITHER, false, "the same while nothing is drawn: the loop's own cost"},
    {"stopped", "ns", CB_NEITHER, false, "while a kernel was stopped in its midst"},
    {"frame_time_alone", "ns", CB_LOWER, false,
     "of each frame without kernels, from when it was due until it was drawn"},
    {"frame_time_with", "ns", CB_LOWER, false, "the same beside kernels of t"},
    {"missed_alone", "1", CB_LOWER, false,
     "share of frames not drawn a period after they were due, without kernels"},
    {"missed_with", "1", CB_LOWER, false, "the same beside kernels of t"},
    {"p_value", "1", CB_NEITHER, false, "of the test for an impact of t, over all these frames"},
    {"kernels", "1", CB_NEITHER, false, "n: launches that P and E are of"},
    {"pixels_changed", "1", CB_NEITHER, false, "share of pixels, from second to second"},
    {"tried_t", "ns", CB_NEITHER, false, "kernels of the search, in its order, and of each:"},
    {"tried_seen", "1", CB_NEITHER, false, "1: they have an impact"},
    {"tried_p_value", "1", CB_NEITHER, false, "of the test for one"},
    {"tried_median", "ns", CB_NEITHER, false, "median time of the frames beside them"},
    {"tried_p99", "ns", CB_NEITHER, false, "99th percentile"},
    {"tried_limit", "ns", CB_NEITHER, false,
     "99th percentile of all frames without kernels so far, and the margin"},
    {"tried_late_alone", "1", CB_NEITHER, false, "share of frames above it without kernels"},
    {"tried_late", "1", CB_NEITHER, false, "with them"},
    {"tried_missed", "1", CB_NEITHER, false, "share of missed frames with them"},
    {0},
};

static const char *const built_by[] = {"period_ns?", NULL};

const struct cb_bench cb_bench_graphics = {
    .id = "graphics",
    .summary = "How often, and for how long, a display needs the device",
    .reproduces = "FSE'17 Sec. 5.2",
    .details =
        "A renderer in a process of its own draws a scene, headless, at a fixed rate. Beside it a\n"
        "kernel that occupies all workgroups for a time t runs in an endless loop. The longest t\n"
        "that has no observable impact on the frames is searched for; with it, P = X / n is how\n"
        "often the display needs the device, and E = (X - Y) / n for how long: n launches in X\n"
        "seconds, of which kernels had the device for Y.\n"
        "\n"
        "Observable is, by default, what makes the 99th percentile of the frames' times rise by\n"
        "more than a quarter of their period, or more of them miss their deadline, beyond the\n"
        "noise: windows with kernels and without take turns, and a permutation test over the\n"
        "windows decides, at a level of 2.5 %, shared by both and by all looks "
        "(--criterion, --margin, --level).\n"
        "A frame's time is from when it was due until glFinish() returned; its deadline is one\n"
        "period later.\n"
        "\n"
        "Each scene's P and E are saved as SCENE.json in the run's folder, for\n"
        "'coopbench multitask --workload'. Raw times of frames are in samples.csv.",
    .params = cb_graphics_params,
    .fields = cb_graphics_fields,
    .metrics = metrics,
    .figures = cb_graphics_figures,
    .figures_of_samples = "",
    .stop = {.rule = CB_STOP_COUNT, .min_runs = 1},
    .run_deadline_s = 60,
    .built_by = built_by,
    .plan = cb_graphics_plan,
    .open = graphics_open,
    .run = graphics_run,
    .close = graphics_close,
    .report = cb_graphics_report,
    .findings = cb_graphics_findings,
    .artefacts = cb_graphics_workloads,
};
