/* SPDX-License-Identifier: Apache-2.0
 *
 * A desktop with icons, windows and a pointer, put together from textures as a compositor does.
 */
#pragma once

#include <stdbool.h>

#include "probes/graphics/gl/draw.h"

#define CB_DESKTOP_IMAGES 5

struct cb_desktop {
    struct cb_shader sprite;
    struct cb_target images[CB_DESKTOP_IMAGES]; /* by the number in paint.frag */
    struct cb_rect damage;                      /* the part to draw again of the last frame */
    bool drawn;                                 /* there was a frame before */
};

enum cb_status cb_desktop_open(struct cb_size size, struct cb_desktop *d, struct cb_err *err);
void cb_desktop_close(struct cb_desktop *d);

/* The pointer moves, and icons near it grow and brighten. Like a real desktop it draws only the
 * parts that change. */
void cb_desktop_emphasise(struct cb_desktop *d, const struct cb_target *to, double seconds);

/* A window is dragged over others; all is put together anew. */
void cb_desktop_drag(struct cb_desktop *d, const struct cb_target *to, double seconds);
