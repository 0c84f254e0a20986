/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/graphics/gl/picture.h"

#include <stdlib.h>
#include <string.h>

#ifdef COOPBENCH_PNG
#include <png.h>
#endif

#define PIXEL_BYTES 4

static size_t pixels_of(const struct cb_picture *p)
{
    return (size_t)p->size.width * (size_t)p->size.height;
}

enum cb_status cb_picture_read(const struct cb_target *target, struct cb_picture *picture,
                               struct cb_err *err)
{
    picture->size = target->size;
    if (!picture->pixels)
        picture->pixels = malloc(pixels_of(picture) * PIXEL_BYTES);
    if (!picture->pixels)
        return cb_no_memory(err);
    cb_target_bind(target);
    glReadPixels(0, 0, picture->size.width, picture->size.height, GL_RGBA, GL_UNSIGNED_BYTE,
                 picture->pixels);
    return cb_gl_check("reading a frame back", err);
}

double cb_picture_changed(const struct cb_picture *a, const struct cb_picture *b)
{
    size_t changed = 0, n = pixels_of(a);
    for (size_t i = 0; i < n; i++)
        changed +=
            memcmp(a->pixels + i * PIXEL_BYTES, b->pixels + i * PIXEL_BYTES, PIXEL_BYTES) != 0;
    return (double)changed / (double)n;
}

bool cb_picture_is_blank(const struct cb_picture *p)
{
    for (size_t i = 1; i < pixels_of(p); i++)
        if (memcmp(p->pixels, p->pixels + i * PIXEL_BYTES, PIXEL_BYTES) != 0)
            return false;
    return true;
}

enum cb_status cb_picture_save(const struct cb_picture *p, const char *path, struct cb_err *err)
{
#ifdef COOPBENCH_PNG
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)p->size.width,
                       .height = (png_uint_32)p->size.height,
                       .format = PNG_FORMAT_RGBA};
    /* a negative stride: libpng's first line is the highest */
    if (png_image_write_to_file(&image, path, 0, p->pixels, -p->size.width * PIXEL_BYTES, NULL))
        return CB_OK;
    return cb_fail(err, CB_ERROR, "cannot write %s: %s", path, image.message);
#else
    (void)p;
    return cb_fail(err, CB_UNSUPPORTED,
                   "%s was not written: this build has no libpng (Debian: libpng-dev)", path);
#endif
}
