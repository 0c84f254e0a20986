/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/graphics/observer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/folder.h"
#include "runtime/host/time.h"

#define OPEN_S     60 /* for a driver to start and to compile */
#define PATIENCE_S 10 /* for the frames of a window, beyond its time: kernels may hold them up */
#define KERNELS    20 /* kernels that a frame may have to wait for */

/* ---- Opening --------------------------------------------------------------------------------- */

/* "0:1": 1 */
static unsigned index_of(const struct cb_device *device)
{
    const char *colon = strchr(device->index, ':');
    return colon ? (unsigned)strtoul(colon + 1, NULL, 10) : 0;
}

/* The parameters of the case that only draws. */
static cJSON *renderer_params(const struct cb_graphics_case *params, const struct cb_device *device,
                              const char *picture)
{
    struct cb_graphics_case half = *params;
    half.half = "renderer";
    half.software = cb_device_is_cpu(device);
    half.uuid = device->uuid;
    half.index = index_of(device);
    half.picture = picture;
    cJSON *own = cJSON_CreateObject();
    cb_fields_write(own, cb_graphics_fields, &half);
    return own;
}

enum cb_status cb_observer_params(const struct cb_device *device, const char *scene, cJSON **params,
                                  struct cb_err *err)
{
    const struct cb_bench *bench = cb_bench_find("graphics");
    struct cb_plan plan = {0};
    struct cb_graphics_case drawn;
    cJSON *options = cJSON_CreateObject();
    cJSON_AddItemToObject(options, "scene", cJSON_CreateStringArray(&scene, 1));
    cb_options_complete(options, bench->params);
    *params = NULL;
    enum cb_status status = cb_plan_bench(&plan, bench, device, options, err);
    if (status == CB_OK) {
        cb_fields_read(plan.cases->params, cb_graphics_fields, &drawn);
        *params = renderer_params(&drawn, device, NULL);
    }
    cb_plan_free(&plan);
    cJSON_Delete(options);
    return status;
}

enum cb_status cb_observer_open(const struct cb_bench *bench, struct cb_session *session,
                                const struct cb_graphics_case *params, struct cb_observer *o,
                                struct cb_err *err)
{
    char path[1024];
    const char *folder = cb_run_folder();
    snprintf(path, sizeof path, "%s/%s.png", folder ? folder : "", params->file);
    cJSON *own = renderer_params(params, &session->info, params->png && folder ? path : NULL);
    o->window_s = params->window_s;
    if (cb_companion_open(bench, session, false, own, OPEN_S, &o->renderer, err) != CB_OK)
        return cb_context(err, "the renderer");
    return CB_OK;
}

void cb_observer_close(struct cb_observer *o)
{
    cb_companion_close(o->renderer);
    o->renderer = NULL;
}

/* ---- Windows --------------------------------------------------------------------------------- */

/* Windows that are under way. */
struct watch {
    struct cb_observer *o;
    struct cb_frames *frames;
    struct cb_sample *sample;
    unsigned left;
    double patience_s;
    uint64_t deadline_ns;
};

static enum cb_status begin_window(struct watch *w, struct cb_err *err)
{
    w->deadline_ns = cb_now_ns() + (uint64_t)((w->o->window_s + w->patience_s) * 1e9);
    return cb_companion_begin(w->o->renderer, err);
}

static bool take_frames(struct watch *w, const cJSON *values)
{
    const cJSON *times = cJSON_GetObjectItemCaseSensitive(values, "frame_time"), *item;
    const cJSON *slots = cJSON_GetObjectItemCaseSensitive(values, "slots");
    double *ns = calloc((size_t)cJSON_GetArraySize(times) + 1, sizeof *ns);
    size_t n = 0;
    if (!ns)
        return false;
    cJSON_ArrayForEach (item, times)
        ns[n++] = cJSON_GetNumberValue(item);
    bool kept = cb_frames_add(w->frames, ns, n, cJSON_GetNumberValue(cJSON_GetArrayItem(slots, 0)));
    free(ns);
    return kept;
}

/* Takes over the result of a window. */
static enum cb_status take(struct watch *w, const struct cb_sample *told, struct cb_err *err)
{
    const cJSON *item;
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(told->values, "pixels_changed"))
        cb_sample_add(w->sample, "pixels_changed", cJSON_GetNumberValue(item));
    cJSON_ArrayForEach (item, told->notes)
        cb_sample_note(w->sample, "%s", cJSON_GetStringValue(item));
    cb_sample_check(w->sample, !told->failure[0], "the renderer: %s", told->failure);
    return take_frames(w, told->values) ? CB_OK : cb_no_memory(err);
}

/* Waits for the end of a window, and begins the next, if there is one. */
static enum cb_status end_window(struct watch *w, struct cb_err *err)
{
    struct cb_sample told = {0};
    double left_s = ((double)w->deadline_ns - (double)cb_now_ns()) / 1e9;
    enum cb_status status = cb_companion_end(w->o->renderer, fmax(0.1, left_s), &told, err);
    if (status == CB_OK)
        status = take(w, &told, err);
    else
        cb_context(err, "the renderer");
    cb_sample_free(&told);
    return status == CB_OK && --w->left > 0 ? begin_window(w, err) : status;
}

/* Kernels go on until all windows are over. */
static enum cb_status more_kernels(void *self, bool *more, struct cb_err *err)
{
    struct watch *w = self;
    if ((cb_companion_has_ended(w->o->renderer) || cb_now_ns() > w->deadline_ns) &&
        end_window(w, err) != CB_OK)
        return err->status;
    *more = w->left > 0;
    return CB_OK;
}

enum cb_status cb_observer_watch(struct cb_observer *o, unsigned windows,
                                 const struct cb_load *load, struct cb_frames *frames,
                                 struct cb_sample *sample, struct cb_err *err)
{
    struct watch w = {.o = o, .frames = frames, .sample = sample, .left = windows};
    w.patience_s = PATIENCE_S + (load ? KERNELS * load->t_ns / 1e9 : 0);
    if (begin_window(&w, err) != CB_OK)
        return cb_context(err, "the renderer");
    if (load) {
        const struct cb_loop_control control = {&w, more_kernels};
        return cb_loop_run(load->loop, load->t_ns, &control, load->log, err);
    }
    while (w.left > 0)
        if (end_window(&w, err) != CB_OK)
            return err->status;
    return CB_OK;
}
