/* SPDX-License-Identifier: Apache-2.0
 *
 * PNG files as pixels of an image: their numbers as they are stored.
 */
#include "apps/host/setup_reader.h"
#include "runtime/host/files.h"

#ifndef COOPBENCH_PNG

enum cb_status cb_setup_load_png(const char *path, const struct cb_layout *l, size_t *width,
                                 size_t *height, unsigned char **data, struct cb_err *err)
{
    (void)l, (void)width, (void)height, (void)data;
    return cb_fail(err, CB_UNSUPPORTED,
                   "%s: this build reads no PNG files, without libpng (Debian: libpng-dev): give a "
                   ".npy",
                   path);
}

#else

#include <png.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>

static const struct cb_file_kind png_kind = {"a PNG file", (uint64_t)1 << 32};

#define MOST_DEFLATED 1032 /* bytes that one of a file may stand for */

/* All that lives across libpng's long jumps. */
struct reader {
    const char *path;
    struct cb_err *err;
    FILE *file;
    size_t file_size, width, height;
    png_structp png;
    png_infop info;
    unsigned char *data;
    png_bytep *rows;
};

static void note_error(png_structp png, png_const_charp what)
{
    struct reader *r = png_get_error_ptr(png);
    cb_fail(r->err, CB_USAGE, "%s: %s", r->path, what);
    png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp what)
{
    (void)png, (void)what;
}

/* What libpng is to make of its pixels; false: they are others than the image's. */
static bool choose_pixels(struct reader *r, const struct cb_element *e)
{
    const unsigned color = png_get_color_type(r->png, r->info),
                   bits = png_get_bit_depth(r->png, r->info);
    const bool has_colors = color & PNG_COLOR_MASK_COLOR,
               has_alpha =
                   (color & PNG_COLOR_MASK_ALPHA) || png_get_valid(r->png, r->info, PNG_INFO_tRNS);
    if (e->kind != 'u' || e->size != (bits == 16 ? 2 : 1))
        return cb_fail(r->err, CB_USAGE,
                       "%s: its numbers have %u bits: the image's \"type\" is to be \"unorm%u\" or "
                       "\"uint%u\"",
                       r->path, bits, bits == 16 ? 16 : 8, bits == 16 ? 16 : 8),
               false;
    if (e->width < 4 && (has_colors || has_alpha != (e->width == 2)))
        return cb_fail(r->err, CB_USAGE,
                       "%s: it has %s%s: the image's \"channels\" are to be \"%s\"", r->path,
                       has_colors ? "colors" : "grey", has_alpha ? " and alpha" : " alone",
                       has_colors  ? "rgba"
                       : has_alpha ? "rg"
                                   : "r"),
               false;
    png_set_expand(r->png);
    if (e->size == 2)
        png_set_swap(r->png);
    if (e->width == 4) {
        png_set_gray_to_rgb(r->png);
        png_set_add_alpha(r->png, 0xffff, PNG_FILLER_AFTER);
    }
    return true;
}

static bool make_room(struct reader *r, const struct cb_layout *l)
{
    const size_t stored = png_get_rowbytes(r->png, r->info);
    if (stored * r->height / MOST_DEFLATED > r->file_size)
        return cb_fail(r->err, CB_USAGE, "%s: a file of %zu bytes does not have %zu x %zu pixels",
                       r->path, r->file_size, r->width, r->height),
               false;
    r->data = malloc(r->width * r->height * l->bytes);
    r->rows = malloc(r->height * sizeof *r->rows);
    if (!r->data || !r->rows)
        return cb_no_memory(r->err), false;
    for (size_t y = 0; y < r->height; y++)
        r->rows[y] = r->data + y * r->width * l->bytes;
    return true;
}

static bool read_pixels(struct reader *r, const struct cb_layout *l)
{
    if (setjmp(png_jmpbuf(r->png)))
        return false;
    png_init_io(r->png, r->file);
    png_read_info(r->png, r->info);
    r->width = png_get_image_width(r->png, r->info);
    r->height = png_get_image_height(r->png, r->info);
    if (!make_room(r, l) || !choose_pixels(r, &l->members[0].element))
        return false;
    png_set_interlace_handling(r->png);
    png_read_update_info(r->png, r->info);
    if (png_get_rowbytes(r->png, r->info) != r->width * l->bytes)
        png_error(r->png, "its pixels are of an unknown kind");
    png_read_image(r->png, r->rows);
    png_read_end(r->png, NULL);
    return true;
}

enum cb_status cb_setup_load_png(const char *path, const struct cb_layout *l, size_t *width,
                                 size_t *height, unsigned char **data, struct cb_err *err)
{
    struct reader r = {.path = path, .err = err};
    struct stat status;
    *data = NULL;
    r.file = cb_open_stream(path, &png_kind, err);
    if (!r.file)
        return err->status;
    r.file_size = fstat(fileno(r.file), &status) == 0 ? (size_t)status.st_size : 0;
    r.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &r, note_error, ignore_warning);
    r.info = r.png ? png_create_info_struct(r.png) : NULL;
    const bool is_read = r.info ? read_pixels(&r, l) : (cb_no_memory(err), false);
    png_destroy_read_struct(&r.png, &r.info, NULL);
    fclose(r.file);
    free(r.rows);
    *width = r.width;
    *height = r.height;
    if (is_read)
        *data = r.data;
    else
        free(r.data);
    return is_read ? CB_OK : err->status;
}
#endif
