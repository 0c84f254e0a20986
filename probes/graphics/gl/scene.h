/* SPDX-License-Identifier: Apache-2.0
 *
 * The three scenes, after FSE'17 Section 5.2: icons that are smoothly emphasised under a moving
 * pointer (light), a window that is dragged over a desktop (medium), an animated picture that one
 * shader computes (heavy). For a current OpenGL ES context.
 */
#pragma once

#include "probes/graphics/gl/draw.h"

struct cb_scene;

/* name: "light", "medium", "heavy". Close it also after a failure. */
enum cb_status cb_scene_open(const char *name, struct cb_size size, struct cb_scene **scene,
                             struct cb_err *err);
void cb_scene_close(struct cb_scene *scene); /* NULL is fine */

/* Draws the frame of this time, into a target that keeps the last frame. */
void cb_scene_draw(struct cb_scene *scene, double seconds);

/* Where the frames are. */
const struct cb_target *cb_scene_target(const struct cb_scene *scene);
