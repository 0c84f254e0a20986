/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/graphics/gl/renderer.h"

#include <math.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

#include "probes/graphics/gl/egl.h"
#include "probes/graphics/gl/picture.h"
#include "probes/graphics/gl/scene.h"
#include "runtime/host/time.h"

#define FIRST_FRAMES 5   /* drivers compile and allocate while they draw these */
#define PNG_SECONDS  2.5 /* the time of the frame that is saved */
#define CHECK_NS     1e9 /* at least, between two looks at the pixels: to read them takes time */

struct renderer {
    struct cb_egl egl;
    struct cb_scene *scene;
    struct cb_picture pictures[2]; /* when they were looked at before, and now */
    double period_ns, window_ns;
    uint64_t origin_ns;  /* begin of the slots, which are a period long */
    uint64_t checked_ns; /* when the pixels were looked at; 0: not yet */
};

static enum cb_status draw(struct renderer *r, double seconds, struct cb_err *err)
{
    cb_scene_draw(r->scene, seconds);
    glFinish();
    return cb_gl_check("drawing", err);
}

/* ---- Opening --------------------------------------------------------------------------------- */

static enum cb_status save(struct renderer *r, const char *path, struct cb_err *err)
{
    if (!path)
        return CB_OK;
    if (draw(r, PNG_SECONDS, err) != CB_OK ||
        cb_picture_read(cb_scene_target(r->scene), &r->pictures[0], err) != CB_OK)
        return err->status;
    return cb_picture_save(&r->pictures[0], path, err);
}

static enum cb_status draw_first(struct renderer *r, struct cb_err *err)
{
    for (int i = 0; i < FIRST_FRAMES; i++)
        if (draw(r, 0, err) != CB_OK)
            return err->status;
    return cb_picture_read(cb_scene_target(r->scene), &r->pictures[0], err);
}

enum cb_status cb_renderer_open(const struct cb_graphics_case *params, void **state,
                                struct cb_err *err)
{
    struct renderer *r = *state = calloc(1, sizeof *r);
    const struct cb_egl_wish wish = {
        .platform = params->platform,
        .software = params->software,
        .uuid = params->uuid,
        .index = (int)params->index,
    };
    const struct cb_size size = {(int)params->width, (int)params->height};
    if (!r)
        return cb_no_memory(err);
    prctl(PR_SET_TIMERSLACK, 1ul); /* frames begin when they are due, not up to 50 us later */
    r->period_ns = 1e9 / params->fps;
    r->window_ns = 1e9 * params->window_s;
    if (cb_egl_open(&wish, &r->egl, err) != CB_OK ||
        cb_scene_open(params->scene, size, &r->scene, err) != CB_OK ||
        save(r, params->picture, err) != CB_OK || draw_first(r, err) != CB_OK)
        return err->status;
    r->origin_ns = cb_now_ns();
    return CB_OK;
}

void cb_renderer_close(void *state)
{
    struct renderer *r = state;
    for (int i = 0; i < 2; i++)
        free(r->pictures[i].pixels);
    cb_scene_close(r->scene);
    cb_egl_close(&r->egl);
    free(r);
}

/* ---- A window -------------------------------------------------------------------------------- */

/* The first slot that begins after now. */
static uint64_t next_slot(const struct renderer *r)
{
    return (uint64_t)floor((double)(cb_now_ns() - r->origin_ns) / r->period_ns) + 1;
}

static uint64_t due_ns(const struct renderer *r, uint64_t slot)
{
    return r->origin_ns + (uint64_t)((double)slot * r->period_ns);
}

static void sleep_until(uint64_t ns)
{
    const struct timespec then = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &then, NULL) != 0)
        ;
}

static enum cb_status draw_window(struct renderer *r, struct cb_sample *sample, struct cb_err *err)
{
    uint64_t first = next_slot(r) + CB_RENDERER_SETTLE;
    uint64_t slots = (uint64_t)fmax(1, round(r->window_ns / r->period_ns));
    for (uint64_t slot = first - CB_RENDERER_SETTLE; slot < first + slots;) {
        uint64_t due = due_ns(r, slot);
        sleep_until(due);
        if (draw(r, (double)(due - r->origin_ns) / 1e9, err) != CB_OK)
            return err->status;
        if (slot >= first)
            cb_sample_add(sample, "frame_time", (double)(cb_now_ns() - due));
        uint64_t next = next_slot(r);
        slot = next > slot + 1 ? next : slot + 1;
    }
    cb_sample_add(sample, "slots", (double)slots);
    return CB_OK;
}

/* That the picture is one, and moves. */
static enum cb_status check_picture(struct renderer *r, struct cb_sample *sample,
                                    struct cb_err *err)
{
    if (cb_picture_read(cb_scene_target(r->scene), &r->pictures[1], err) != CB_OK)
        return err->status;
    double changed = cb_picture_changed(&r->pictures[0], &r->pictures[1]);
    cb_sample_check(sample, !cb_picture_is_blank(&r->pictures[1]),
                    "the frames are blank: all pixels are the same");
    cb_sample_check(sample, changed > 0, "the picture does not move");
    cb_sample_add(sample, "pixels_changed", changed);
    unsigned char *old = r->pictures[0].pixels;
    r->pictures[0].pixels = r->pictures[1].pixels;
    r->pictures[1].pixels = old;
    return CB_OK;
}

enum cb_status cb_renderer_run(void *state, struct cb_sample *sample, struct cb_err *err)
{
    struct renderer *r = state;
    cb_sample_note(sample, "rendered by %s (%s), %s: %s", (const char *)glGetString(GL_RENDERER),
                   eglQueryString(r->egl.display, EGL_VENDOR),
                   (const char *)glGetString(GL_VERSION), r->egl.how);
    if (draw_window(r, sample, err) != CB_OK)
        return err->status;
    if (r->checked_ns > 0 && (double)(cb_now_ns() - r->checked_ns) < CHECK_NS)
        return CB_OK;
    r->checked_ns = cb_now_ns();
    return check_picture(r, sample, err);
}
