/* SPDX-License-Identifier: Apache-2.0
 *
 * The worker's side of the renderer (gl/renderer.h): windows of frames, with kernels beside them or
 * without.
 */
#pragma once

#include "measure/process/companion.h"
#include "probes/graphics/analysis/impact.h"
#include "probes/graphics/loop.h"
#include "probes/graphics/plan.h"

/* Parent: the parameters of a case that draws a scene at full size, a window in each run, and
 * measures nothing. The caller's to delete. */
enum cb_status cb_observer_params(const struct cb_device *device, const char *scene, cJSON **params,
                                  struct cb_err *err);

struct cb_observer {
    struct cb_companion *renderer;
    double window_s;
};

/* Starts the renderer. params: the case's. CB_UNSUPPORTED: nothing here can render. */
enum cb_status cb_observer_open(const struct cb_bench *bench, struct cb_session *session,
                                const struct cb_graphics_case *params, struct cb_observer *observer,
                                struct cb_err *err);
void cb_observer_close(struct cb_observer *observer);

/* The kernels that run meanwhile. */
struct cb_load {
    struct cb_loop *loop;
    double t_ns;
    struct cb_loop_log *log; /* log of the loop; NULL: none */
};

/* Some windows in a row. load NULL: without kernels. Notes and checks of the renderer go into the
 * sample, and pixels_changed. CB_CRASHED, CB_TIMEOUT: the renderer has gone. */
enum cb_status cb_observer_watch(struct cb_observer *observer, unsigned windows,
                                 const struct cb_load *load, struct cb_frames *frames,
                                 struct cb_sample *sample, struct cb_err *err);
