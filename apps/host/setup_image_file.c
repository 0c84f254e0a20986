/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of an image's pixels.
 */
#include <stdlib.h>
#include <string.h>

#include "apps/host/setup_reader.h"
#include "runtime/host/text.h"

/* "640 x 480" */
static void put_sizes(const struct cb_image *image, const size_t sizes[CB_IMAGE_SIZES], char *text,
                      size_t room)
{
    size_t n = 0;
    for (unsigned i = 0; i < CB_IMAGE_SIZES && n < room; i++)
        if (cb_image_has(image, i))
            n += (size_t)snprintf(text + n, room - n, "%s%zu", i > 0 ? " x " : "", sizes[i]);
}

/* Takes the sizes of a file where there are none. */
static enum cb_status take_sizes(const char *path, const struct cb_image *image,
                                 size_t sizes[CB_IMAGE_SIZES], const size_t found[CB_IMAGE_SIZES],
                                 struct cb_err *err)
{
    char is[96] = "", should[96] = "";
    bool fits = true;
    for (unsigned i = 0; i < CB_IMAGE_SIZES; i++) {
        sizes[i] = sizes[i] ? sizes[i] : found[i];
        fits &= sizes[i] == found[i];
    }
    put_sizes(image, found, is, sizeof is);
    put_sizes(image, sizes, should, sizeof should);
    return fits ? CB_OK
                : cb_fail(err, CB_USAGE,
                          "%s: it has %s pixels, not %s: edit the sizes in the setup, or leave "
                          "them out",
                          path, is, should);
}

/* The shape that a .npy of such an image has: "(height, width, 4)", without a single channel. */
static void put_shape(const struct cb_layout *l, char *text, size_t room)
{
    const unsigned channels = l->members[0].element.width;
    size_t n = 0;
    for (unsigned i = CB_IMAGE_SIZES; i-- > 0 && n < room;)
        if (cb_image_has(&l->image, i))
            n += (size_t)snprintf(text + n, room - n, "%s%s", n ? ", " : "(", cb_setup_sizes[i]);
    if (n < room && channels > 1)
        n += (size_t)snprintf(text + n, room - n, ", %u", channels);
    if (n < room)
        snprintf(text + n, room - n, ")");
}

/* From the last dimension on: channels, if there are several, width, height, depth, layers. */
static enum cb_status take_shape(const char *path, const struct cb_layout *l,
                                 const struct cb_shape *shape, size_t sizes[CB_IMAGE_SIZES],
                                 struct cb_err *err)
{
    const unsigned channels = l->members[0].element.width;
    const unsigned wanted = l->image.dimensions + l->image.is_array;
    size_t found[CB_IMAGE_SIZES] = {1, 1, 1, 1};
    char should[96], is[CB_SHAPE_TEXT];
    unsigned n = shape->n;
    if (n == wanted + 1 && shape->of[n - 1] == channels)
        n--;
    else if (channels > 1)
        n = 0;
    put_shape(l, should, sizeof should);
    cb_setup_put_shape(shape, is);
    if (n != wanted)
        return cb_fail(err, CB_USAGE,
                       "%s: its shape is %s, and no %s with %u channel%s: expected %s, or other "
                       "\"channels\" in the setup",
                       path, is, l->image.type, channels, CB_PLURAL(channels), should);
    for (unsigned i = 0; i < CB_IMAGE_SIZES; i++)
        if (cb_image_has(&l->image, i))
            found[i] = shape->of[--n];
    return take_sizes(path, &l->image, sizes, found, err);
}

static enum cb_status take_png(const char *path, const struct cb_layout *l,
                               size_t sizes[CB_IMAGE_SIZES], unsigned char **data, size_t *size,
                               struct cb_err *err)
{
    size_t found[CB_IMAGE_SIZES] = {1, 1, 1, 1};
    if (l->image.dimensions != 2 || l->image.is_array)
        return cb_fail(err, CB_USAGE, "%s: a PNG file is an image2d_t, not an %s: give a .npy",
                       path, l->image.type);
    if (cb_setup_load_png(path, l, &found[CB_WIDTH], &found[CB_HEIGHT], data, err) != CB_OK)
        return err->status;
    *size = found[CB_WIDTH] * found[CB_HEIGHT] * l->bytes;
    return take_sizes(path, &l->image, sizes, found, err);
}

enum cb_status cb_setup_load_image(const char *path, const struct cb_layout *l,
                                   size_t sizes[CB_IMAGE_SIZES], unsigned char **data, size_t *size,
                                   struct cb_err *err)
{
    struct cb_shape shape;
    const size_t n = strlen(path);
    enum cb_status status;
    *data = NULL;
    if (n > 4 && strcmp(path + n - 4, ".png") == 0) {
        status = take_png(path, l, sizes, data, size, err);
    } else {
        status = cb_setup_load_shaped(path, l, &shape, data, size, err);
        if (status == CB_OK && shape.n > 0)
            status = take_shape(path, l, &shape, sizes, err);
    }
    double all = (double)l->bytes; /* sizes of the setup's may be any */
    for (unsigned i = 0; i < CB_IMAGE_SIZES; i++)
        all *= (double)sizes[i];
    if (status == CB_OK && all > 0 && (double)*size != all)
        status =
            cb_fail(err, CB_USAGE, "%s: it has %zu bytes, and the image %.0f", path, *size, all);
    if (status != CB_OK) {
        free(*data);
        *data = NULL;
    }
    return status;
}
