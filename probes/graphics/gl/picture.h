/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames as pixels: whether a frame is blank, how much of it changes, and PNG files.
 */
#pragma once

#include <stdbool.h>

#include "probes/graphics/gl/draw.h"

/* Four bytes a pixel, red first, from the lowest line up. */
struct cb_picture {
    struct cb_size size;
    unsigned char *pixels; /* free() it */
};

/* The target as it is now. */
enum cb_status cb_picture_read(const struct cb_target *target, struct cb_picture *picture,
                               struct cb_err *err);

/* The share of the pixels that differ, of two pictures of one size. */
double cb_picture_changed(const struct cb_picture *a, const struct cb_picture *b);

/* Whether all pixels are the same. */
bool cb_picture_is_blank(const struct cb_picture *picture);

/* CB_UNSUPPORTED: built without libpng. */
enum cb_status cb_picture_save(const struct cb_picture *picture, const char *path,
                               struct cb_err *err);
