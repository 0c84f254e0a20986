/* SPDX-License-Identifier: Apache-2.0
 *
 * The observer: the half of the bench that runs in a companion without OpenCL. It draws the frames
 * of a scene at a fixed rate, as a display shows them; each run is a window of time.
 */
#pragma once

#include "probes/graphics/plan.h"

#define CB_RENDERER_SETTLE 1 /* frames at the beginning of a window that are not counted */

/* What the parameters say of the renderer. CB_UNSUPPORTED: there is no driver for EGL. */
enum cb_status cb_renderer_open(const struct cb_graphics_case *params, void **state,
                                struct cb_err *err);

/* One window: the values "frame_time" (ns, of each frame, from when it was due until glFinish()
 * returned), "slots" (frames that were due), sometimes "pixels_changed" (share, since the last
 * time), and a note of what renders. A frame that comes late leaves out those that were due
 * meanwhile. */
enum cb_status cb_renderer_run(void *state, struct cb_sample *sample, struct cb_err *err);
void cb_renderer_close(void *state);
