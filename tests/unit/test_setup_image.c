/* SPDX-License-Identifier: Apache-2.0
 *
 * Images and samplers of setups, and files of pixels.
 */
#include <string.h>

#include "setup_fixture.h"
#include "tests/layouts.h"

#ifdef COOPBENCH_PNG
#include <png.h>
#endif

#define PNG_FILE "/tmp/coopbench-image-XXXXXX.png"
#define NPY_FILE "/tmp/coopbench-image-XXXXXX.npy"

static const struct cb_image line = {"image1d_t", 1, false, false},
                             lines = {"image1d_array_t", 1, true, false},
                             square = {"image2d_t", 2, false, false},
                             squares = {"image2d_array_t", 2, true, false},
                             solid = {"image3d_t", 3, false, true};

/* As the kernel has it. */
static struct cb_layout image(const struct cb_image *of)
{
    return (struct cb_layout){.image = *of};
}

/* With the pixels of a setup, "u1x4". */
static struct cb_layout pixels(const struct cb_image *of, const char *type)
{
    struct cb_layout l = layout_of(type);
    l.image = *of;
    return l;
}

/* ---- Their setups ---------------------------------------------------------------------------- */

TEST(images_have_the_sizes_of_their_kind)
{
    static const struct {
        const struct cb_image *image;
        const char *setup;
        size_t sizes[CB_IMAGE_SIZES], bytes;
        enum cb_setup_pixels pixels;
    } rows[] = {
        {&line, "{\"width\": 5}", {5, 1, 1, 1}, 20, CB_PIXELS_UNORM8},
        {&lines,
         "{\"width\": 5, \"layers\": 3, \"channels\": \"rg\", \"type\": \"int16\"}",
         {5, 1, 1, 3},
         60,
         CB_PIXELS_INT16},
        {&square,
         "{\"width\": 5, \"height\": 7, \"channels\": \"r\", \"type\": \"float\"}",
         {5, 7, 1, 1},
         140,
         CB_PIXELS_FLOAT},
        {&squares,
         "{\"width\": 5, \"height\": 7, \"layers\": 2, \"type\": \"half\"}",
         {5, 7, 1, 2},
         560,
         CB_PIXELS_HALF},
        {&solid,
         "{\"width\": 5, \"height\": 7, \"depth\": 2, \"type\": \"uint32\"}",
         {5, 7, 2, 1},
         1120,
         CB_PIXELS_UINT32},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        struct cb_setup s = setup_of(image(rows[i].image), CB_BY_VALUE, rows[i].setup);
        const struct cb_setup_argument *a = &s.arguments[0];
        assert_true(cb_setup_is_image(a) && cb_setup_has_contents(a) && !cb_setup_is_value(a));
        assert_memory_equal(a->sizes, rows[i].sizes, sizeof a->sizes);
        assert_int_equal(a->bytes, rows[i].bytes);
        assert_int_equal(a->pixels, rows[i].pixels);
        cb_setup_free(&s);
    }
}

TEST(images_begin_as_buffers)
{
    uint8_t bytes[8];
    struct cb_setup s = setup_of(image(&line), CB_BY_VALUE, "{\"width\": 2, \"fill\": \"iota\"}");
    cb_setup_fill(&s.arguments[0], bytes);
    assert_memory_equal(bytes, ((uint8_t[]){0, 1, 2, 3, 4, 5, 6, 7}), 8);
    cb_setup_free(&s);
}

TEST(images_that_are_refused)
{
    static const struct {
        const struct cb_image *image;
        const char *setup, *why;
    } rows[] = {
        {&square, "5", "p: is an image2d_t: expected {\"width\": pixels, ...}"},
        {&square, "{\"width\": 4}", "expected its \"height\", or a \"file\" that tells it"},
        {&square, "{\"width\": 4, \"height\": 4, \"depth\": 1}", "depth: an image2d_t has none"},
        {&solid, "{\"width\": 4, \"height\": 4, \"layers\": 1}", "layers: an image3d_t has none"},
        {&line, "{\"width\": 0}", "p: width: expected a whole number from 1 to 4294967295"},
        {&line, "{\"width\": 1.5}", "p: width: expected a whole number"},
        {&line, "{\"count\": 4}", "\"count\" is not known here"},
        {&line, "{\"width\": 4, \"type\": \"int64\"}", "type: expected \"unorm8\", "},
        {&line, "{\"width\": 4, \"type\": 8}", "type: expected \"unorm8\", "},
        {&line, "{\"width\": 4, \"channels\": \"rgb\"}",
         "channels: expected \"r\", \"rg\" or \"rgba\""},
        {&line, "{\"width\": 4, \"check\": 1}", "check: expected true or false"},
        {&solid, "{\"width\": 1e6, \"height\": 1e6, \"depth\": 1e6}", "have more than 1e+12 bytes"},
        {&line, "{\"width\": 4, \"file\": \"not/there.npy\"}", "not/there.npy"},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++)
        refuses(image(rows[i].image), CB_BY_VALUE, rows[i].setup, rows[i].why);
}

TEST(samplers)
{
    const struct cb_layout sampler = {.is_sampler = true};
    struct cb_setup s = setup_of(sampler, CB_BY_VALUE, "{}");
    const struct cb_setup_argument *a = &s.arguments[0];
    assert_true(!cb_setup_has_contents(a) && !cb_setup_is_value(a));
    assert_int_equal(a->sampler.filter, CB_FILTER_NEAREST);
    assert_int_equal(a->sampler.addressing, CB_ADDRESS_EDGE);
    assert_false(a->sampler.normalized);
    cb_setup_free(&s);
    s = setup_of(sampler, CB_BY_VALUE,
                 "{\"filter\": \"linear\", \"addressing\": \"repeat\", \"normalized\": true}");
    assert_int_equal(s.arguments[0].sampler.filter, CB_FILTER_LINEAR);
    assert_int_equal(s.arguments[0].sampler.addressing, CB_ADDRESS_REPEAT);
    assert_true(s.arguments[0].sampler.normalized);
    cb_setup_free(&s);
    static const char *const wrong[][2] = {
        {"\"linear\"", "p: is a sampler: expected {\"filter\": \"nearest\", "},
        {"{\"filter\": \"cubic\"}", "filter: expected \"nearest\" or \"linear\""},
        {"{\"filter\": 1}", "filter: expected \"nearest\" or \"linear\""},
        {"{\"addressing\": \"wrap\"}", "addressing: expected \"none\", \"clamp\", "},
        {"{\"normalized\": 1}", "normalized: expected true or false"},
        {"{\"addressing\": \"mirrored_repeat\"}", "\"mirrored_repeat\" needs \"normalized\": true"},
        {"{\"filters\": \"linear\"}", "\"filters\" is not known here"},
    };
    for (size_t i = 0; i < CB_COUNTOF(wrong); i++)
        refuses(sampler, CB_BY_VALUE, wrong[i][0], wrong[i][1]);
}

/* ---- .npy, and bytes ------------------------------------------------------------------------- */

/* Reads a file of so many bytes with pixels 1, 2, 3, ...; sizes: those that the setup says. */
static enum cb_status load_npy(struct cb_layout layout, const char *descr, const char *order,
                               const char *shape, size_t n, size_t sizes[CB_IMAGE_SIZES],
                               struct cb_err *err)
{
    unsigned char file[512] = "\x93NUMPY\x01", *data;
    char path[] = NPY_FILE;
    size_t size;
    const int length =
        snprintf((char *)file + 10, 300, "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n",
                 descr, order, shape);
    file[8] = (unsigned char)length;
    for (size_t i = 0; i < n; i++)
        file[10 + (size_t)length + i] = (unsigned char)(i + 1);
    write_data(path, file, 10 + (size_t)length + n);
    const enum cb_status status = cb_setup_load_image(path, &layout, sizes, &data, &size, err);
    unlink(path);
    cb_layout_free(&layout);
    if (status == CB_OK) {
        assert_int_equal(size, n);
        assert_memory_equal(data, file + 10 + length, n);
    }
    free(data);
    return status;
}

TEST(numpy_tells_the_sizes)
{
    static const struct {
        const struct cb_image *image;
        const char *type, *descr, *shape;
        size_t bytes, sizes[CB_IMAGE_SIZES];
    } rows[] = {
        {&line, "u1x4", "|u1", "(3, 4)", 12, {3, 1, 1, 1}},
        {&line, "u1", "|u1", "(3,)", 3, {3, 1, 1, 1}},
        {&line, "u1", "|u1", "(3, 1)", 3, {3, 1, 1, 1}},
        {&lines, "i2", "<i2", "(5, 3)", 30, {3, 1, 1, 5}},
        {&square, "u1x4", "|u1", "(2, 3, 4)", 24, {3, 2, 1, 1}},
        {&square, "f2x2", "<f2", "(2, 3, 2)", 24, {3, 2, 1, 1}},
        {&squares, "u1", "|u1", "(5, 2, 3)", 30, {3, 2, 1, 5}},
        {&solid, "f4", "<f4", "(5, 2, 3)", 120, {3, 2, 5, 1}},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        size_t sizes[CB_IMAGE_SIZES];
        struct cb_err err;
        for (unsigned s = 0; s < CB_IMAGE_SIZES; s++)
            sizes[s] = cb_image_has(rows[i].image, s) ? 0 : 1;
        if (load_npy(pixels(rows[i].image, rows[i].type), rows[i].descr, "False", rows[i].shape,
                     rows[i].bytes, sizes, &err) != CB_OK)
            fail_msg("%zu: %s", i, err.text);
        assert_memory_equal(sizes, rows[i].sizes, sizeof sizes);
    }
}

TEST(numpy_that_is_refused)
{
    static const struct {
        const char *type, *descr, *order, *shape;
        size_t bytes, sizes[CB_IMAGE_SIZES];
        const char *why;
    } rows[] = {
        {"f4x4", "<f8", "False", "(2, 3, 4)", 192, {0, 0, 1, 1}, "its numbers are <f8, the"},
        {"u1x4", "|i1", "False", "(2, 3, 4)", 24, {0, 0, 1, 1}, "its numbers are |i1, the kernel'"},
        {"u2x4", ">u2", "False", "(2, 3, 4)", 48, {0, 0, 1, 1}, "its numbers are >u2, the kernel'"},
        {"u1x4", "|u1", "True", "(2, 3, 4)", 24, {0, 0, 1, 1}, "it is in Fortran's order"},
        {"u1x4", "|u1", "False", "(2, 4, 3)", 24, {0, 0, 1, 1}, "expected (height, width, 4)"},
        {"u1x4",
         "|u1",
         "False",
         "(24,)",
         24,
         {0, 0, 1, 1},
         "its shape is (24,) of |u1, and no image2d_t with 4 channels: expected"},
        {"u1", "|u1", "False", "(2, 3, 4)", 24, {0, 0, 1, 1}, "expected (height, width)"},
        {"u1x4",
         "|u1",
         "False",
         "(2, 3, 4)",
         20,
         {0, 0, 1, 1},
         "its shape says 24: (2, 3, 4) of |u1"},
        {"u1x4",
         "|u1",
         "False",
         "(2, 3, 4)",
         24,
         {2, 3, 1, 1},
         "it has 3 x 2 pixels, not 2 x 3: edit the sizes"},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        size_t sizes[CB_IMAGE_SIZES];
        struct cb_err err = {0};
        memcpy(sizes, rows[i].sizes, sizeof sizes);
        if (load_npy(pixels(&square, rows[i].type), rows[i].descr, rows[i].order, rows[i].shape,
                     rows[i].bytes, sizes, &err) != CB_USAGE ||
            !strstr(err.text, rows[i].why))
            fail_msg("%zu: %s", i, err.text);
    }
}

TEST(bytes_need_sizes)
{
    char path[] = "/tmp/coopbench-image-XXXXXX.bin", text[256];
    write_data(path, "0123456789abcdef", 16);
    snprintf(text, sizeof text, "{\"width\": 2, \"height\": 2, \"file\": \"%s\"}", path);
    struct cb_setup s = setup_of(image(&square), CB_BY_VALUE, text);
    assert_memory_equal(s.arguments[0].begin, "0123456789abcdef", 16);
    cb_setup_free(&s);
    snprintf(text, sizeof text, "{\"width\": 2, \"height\": 3, \"file\": \"%s\"}", path);
    refuses(image(&square), CB_BY_VALUE, text, "it has 16 bytes, and the image 24");
    snprintf(text, sizeof text, "{\"file\": \"%s\"}", path);
    refuses(image(&square), CB_BY_VALUE, text, "expected its \"width\", or a \"file\" that tells");
    unlink(path);
}

/* ---- PNG ------------------------------------------------------------------------------------- */

static enum cb_status load(const char *path, struct cb_layout layout, size_t sizes[CB_IMAGE_SIZES],
                           unsigned char **data, size_t *size, struct cb_err *err)
{
    const enum cb_status status = cb_setup_load_image(path, &layout, sizes, data, size, err);
    cb_layout_free(&layout);
    return status;
}

/* That the file is refused as an image of two dimensions. */
static void refuses_png(const char *path, const char *type, enum cb_status as, const char *why)
{
    size_t sizes[CB_IMAGE_SIZES] = {0, 0, 1, 1}, size;
    unsigned char *data;
    struct cb_err err = {0};
    if (load(path, pixels(&square, type), sizes, &data, &size, &err) != as ||
        !strstr(err.text, why))
        fail_msg("\"%s\" is not \"%s\"", err.text, why);
    assert_null(data);
}

#ifndef COOPBENCH_PNG

TEST(png_needs_a_library)
{
    char path[] = PNG_FILE;
    write_data(path, "", 0);
    refuses_png(path, "u1x4", CB_UNSUPPORTED, "without libpng (Debian: libpng-dev): give a .npy");
    unlink(path);
}

#else

/* Writes a PNG; of one that is not whole, only its header and no pixels. */
static void write_png(char *path, unsigned width, unsigned height, int bits, int color, bool whole,
                      bool is_interlaced)
{
    int file = mkstemps(path, 4);
    FILE *out = file < 0 ? NULL : fdopen(file, "wb");
    assert_non_null(out);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png)))
        fail_msg("%s: libpng", path);
    png_init_io(png, out);
    png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
    png_set_IHDR(png, info, width, height, bits, color,
                 is_interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (color == PNG_COLOR_TYPE_PALETTE)
        png_set_PLTE(png, info, ((png_color[]){{10, 20, 30}, {40, 50, 60}}), 2);
    png_write_info(png, info);
    unsigned char rows[4][64];
    png_bytep all[4];
    for (unsigned y = 0; y < 4; y++) {
        all[y] = rows[y];
        for (unsigned i = 0; i < 64; i++)
            rows[y][i] = (unsigned char)(16 * y + i);
    }
    if (whole) {
        png_write_image(png, all);
        png_write_end(png, NULL);
    } else {
        png_write_chunk(png, (png_const_bytep) "IDAT", rows[0], 8);
    }
    png_destroy_write_struct(&png, &info);
    fclose(out);
}

/* Of two by two pixels; a file's numbers of a row are 0, 1, 2, ..., and 16, 17, ... */
TEST(png_of_each_kind)
{
    static const struct {
        int bits, color;
        const char *type;
        uint8_t bytes[32];
    } rows[] = {
        {8, PNG_COLOR_TYPE_GRAY, "u1", {0, 1, 16, 17}},
        {8,
         PNG_COLOR_TYPE_GRAY,
         "u1x4",
         {0, 0, 0, 255, 1, 1, 1, 255, 16, 16, 16, 255, 17, 17, 17, 255}},
        {8, PNG_COLOR_TYPE_GRAY_ALPHA, "u1x2", {0, 1, 2, 3, 16, 17, 18, 19}},
        {8,
         PNG_COLOR_TYPE_GRAY_ALPHA,
         "u1x4",
         {0, 0, 0, 1, 2, 2, 2, 3, 16, 16, 16, 17, 18, 18, 18, 19}},
        {8,
         PNG_COLOR_TYPE_RGB,
         "u1x4",
         {0, 1, 2, 255, 3, 4, 5, 255, 16, 17, 18, 255, 19, 20, 21, 255}},
        {8,
         PNG_COLOR_TYPE_RGB_ALPHA,
         "u1x4",
         {0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23}},
        {1, PNG_COLOR_TYPE_GRAY, "u1", {0, 0, 0, 0}},
        {1,
         PNG_COLOR_TYPE_PALETTE,
         "u1x4",
         {10, 20, 30, 255, 10, 20, 30, 255, 10, 20, 30, 255, 10, 20, 30, 255}},
        {16, PNG_COLOR_TYPE_GRAY, "u2", {1, 0, 3, 2, 17, 16, 19, 18}},
        {16, PNG_COLOR_TYPE_RGB, "u2x4", {1,   0,   3,  2,   5,   4,  255, 255, 7,   6,  9,
                                          8,   11,  10, 255, 255, 17, 16,  19,  18,  21, 20,
                                          255, 255, 23, 22,  25,  24, 27,  26,  255, 255}},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++)
        for (int is_interlaced = 0; is_interlaced < 2; is_interlaced++) {
            char path[] = PNG_FILE;
            size_t sizes[CB_IMAGE_SIZES] = {0, 0, 1, 1}, size;
            unsigned char *data;
            struct cb_err err;
            struct cb_layout layout = pixels(&square, rows[i].type);
            const size_t bytes = 4 * layout.bytes;
            write_png(path, 2, 2, rows[i].bits, rows[i].color, true, is_interlaced);
            if (load(path, layout, sizes, &data, &size, &err) != CB_OK)
                fail_msg("%s", err.text);
            unlink(path);
            assert_int_equal(sizes[CB_WIDTH], 2);
            assert_int_equal(sizes[CB_HEIGHT], 2);
            assert_int_equal(size, bytes);
            assert_memory_equal(data, rows[i].bytes, bytes);
            free(data);
        }
}

TEST(png_of_other_pixels)
{
    static const struct {
        int bits, color;
        const char *type, *why;
    } rows[] = {
        {8, PNG_COLOR_TYPE_RGB, "f4x4", "have 8 bits: the image's \"type\" is to be \"unorm8\""},
        {8, PNG_COLOR_TYPE_RGB, "i1x4", "have 8 bits"},
        {8, PNG_COLOR_TYPE_RGB, "u2x4", "have 8 bits"},
        {16, PNG_COLOR_TYPE_RGB, "u1x4", "have 16 bits: the image's \"type\" is to be \"unorm16\""},
        {8, PNG_COLOR_TYPE_RGB, "u1",
         "it has colors alone: the image's \"channels\" are to be \"rgba\""},
        {8, PNG_COLOR_TYPE_GRAY_ALPHA, "u1",
         "it has grey and alpha: the image's \"channels\" are to be \"rg\""},
        {8, PNG_COLOR_TYPE_GRAY, "u1x2",
         "it has grey alone: the image's \"channels\" are to be \"r\""},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        char path[] = PNG_FILE;
        write_png(path, 2, 2, rows[i].bits, rows[i].color, true, false);
        refuses_png(path, rows[i].type, CB_USAGE, rows[i].why);
        unlink(path);
    }
}

TEST(png_that_is_broken)
{
    static const unsigned huge[][2] = {{60000, 60000}, {2000000, 1}, {0x7fffffff, 0x7fffffff}};
    char path[] = PNG_FILE, nothing[] = PNG_FILE;
    write_png(path, 4, 4, 8, PNG_COLOR_TYPE_RGB, true, false);
    for (off_t size = 60; size > 0; size -= 7) { /* the last 12 bytes are the end's */
        assert_int_equal(truncate(path, size), 0);
        refuses_png(path, "u1x4", CB_USAGE, path);
    }
    unlink(path);
    write_data(nothing, "", 0);
    refuses_png(nothing, "u1x4", CB_USAGE, nothing);
    unlink(nothing);
    for (size_t i = 0; i < CB_COUNTOF(huge); i++) {
        char claims[] = PNG_FILE;
        write_png(claims, huge[i][0], huge[i][1], 8, PNG_COLOR_TYPE_RGB, false, false);
        refuses_png(claims, "u1x4", CB_USAGE, i == 0 ? "does not have 60000 x 60000" : claims);
        unlink(claims);
    }
}

TEST(png_of_other_sizes)
{
    char path[] = PNG_FILE;
    size_t sizes[CB_IMAGE_SIZES] = {3, 0, 1, 1}, any[CB_IMAGE_SIZES] = {0, 0, 0, 1}, size;
    unsigned char *data;
    struct cb_err err;
    write_png(path, 2, 2, 8, PNG_COLOR_TYPE_RGB, true, false);
    assert_int_equal(load(path, pixels(&square, "u1x4"), sizes, &data, &size, &err), CB_USAGE);
    assert_non_null(strstr(err.text, "it has 2 x 2 pixels, not 3 x 2"));
    assert_int_equal(load(path, pixels(&solid, "u1x4"), any, &data, &size, &err), CB_USAGE);
    assert_non_null(strstr(err.text, "a PNG file is an image2d_t, not an image3d_t: give a .npy"));
    unlink(path);
}
#endif
