/* SPDX-License-Identifier: Apache-2.0
 *
 * The observer: the half of the bench that runs in a companion without OpenCL. It draws the frames
 * of a scene at a fixed rate, as a display shows them; each run is a window of time.
 */
#pragma once

#include "measure/bench.h"

#define CB_RENDERER_SETTLE 1 /* frames at the beginning of a window that are not counted */

/* params: "scene", "width", "height", "fps", "window", "platform", "software", "uuid", "index"
 * (struct cb_egl_wish), "picture" (a PNG file, or absent). CB_UNSUPPORTED: built without EGL, or
 * there is no driver for it. */
enum cb_status cb_renderer_open(const cJSON *params, void **state, struct cb_err *err);

/* One window: the values "frame_time" (ns, of each frame, from when it was due until glFinish()
 * returned), "slots" (frames that were due), sometimes "pixels_changed" (share, since the last
 * time), and a note of what renders. A frame that comes late leaves out those that were due
 * meanwhile. */
enum cb_status cb_renderer_run(void *state, struct cb_sample *sample, struct cb_err *err);
void cb_renderer_close(void *state);
