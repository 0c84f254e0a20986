/* SPDX-License-Identifier: Apache-2.0
 *
 * Connected components (ccl.cl) of noise, and of images whose components are long.
 */
#include <stdlib.h>

#include "apps/nested/programs/programs.h"
#include "measure/random.h"

#define SEED    1
#define PARENTS 16u /* two for each frame */
#define TILE    4u
#define COLOURS 4u
#define NONE    UINT32_MAX

/* ---- Images ---------------------------------------------------------------------------------- */

struct image {
    uint32_t *pixels, width;
    struct cb_random *random;
};

static void draw_noise(const struct image *image)
{
    for (uint32_t i = 0; i < image->width * image->width; i++)
        image->pixels[i] = cb_random_below(image->random, 100) < 58;
}

static void draw_tiles(const struct image *image)
{
    const uint32_t w = image->width;
    for (uint32_t y = 0; y < w; y += TILE)
        for (uint32_t x = 0; x < w; x += TILE) {
            const uint32_t colour = cb_random_below(image->random, COLOURS);
            for (uint32_t i = 0; i < TILE * TILE; i++)
                image->pixels[(y + i / TILE) * w + x + i % TILE] = colour;
        }
}

/* One line to and fro, between walls with a gap at alternating ends. */
static void draw_snake(const struct image *image)
{
    const uint32_t w = image->width;
    for (uint32_t y = 0; y < w; y++)
        for (uint32_t x = 0; x < w; x++)
            image->pixels[y * w + x] = y % 2 == 0 || x == (y % 4 == 1 ? w - 1 : 0);
}

/* Two arms, one in the other, from the edge to the middle: rings, each of which is shifted where
 * it would close. */
static void draw_spiral(const struct image *image)
{
    const uint32_t w = image->width;
    for (uint32_t y = 0; y < w; y++)
        for (uint32_t x = 0; x < w; x++) {
            const uint32_t column = x < w - 1 - x ? x : w - 1 - x,
                           row = y < w - 1 - y ? y : w - 1 - y;
            const uint32_t ring = column < row ? column : row;
            const bool shifted = x + 1 == y && x < w / 2;
            image->pixels[y * w + x] = (ring + shifted) % 2;
        }
}

/* ---- The reference --------------------------------------------------------------------------- */

/* All pixels of the component of the first one, which none of the pixels before it has. */
static void flood(const struct image *image, uint32_t first, uint32_t *labels, uint32_t *stack)
{
    const uint32_t w = image->width;
    uint32_t n = 0;
    labels[first] = first;
    stack[n++] = first;
    while (n > 0) {
        const uint32_t p = stack[--n], x = p % w, y = p / w;
        const uint32_t to[] = {x > 0 ? p - 1 : p, x + 1 < w ? p + 1 : p, y > 0 ? p - w : p,
                               y + 1 < w ? p + w : p};
        for (int i = 0; i < 4; i++)
            if (labels[to[i]] == NONE && image->pixels[to[i]] == image->pixels[p]) {
                labels[to[i]] = first;
                stack[n++] = to[i];
            }
    }
}

static enum cb_status label(const struct image *image, uint32_t *labels, struct cb_err *err)
{
    const uint32_t pixels = image->width * image->width;
    uint32_t *stack = malloc(pixels * sizeof *stack);
    if (!stack)
        return cb_fail(err, CB_ERROR, "out of memory for the components");
    for (uint32_t p = 0; p < pixels; p++)
        labels[p] = NONE;
    for (uint32_t p = 0; p < pixels; p++)
        if (labels[p] == NONE)
            flood(image, p, labels, stack);
    free(stack);
    return CB_OK;
}

static enum cb_status make(const struct cb_nest_size *size, const char *input,
                           struct cb_nest_data *d, struct cb_err *err)
{
    static void (*const draw[])(const struct image *) = {draw_noise, draw_tiles, draw_snake,
                                                         draw_spiral};
    const uint32_t width = size->items, pixels = width * width;
    const size_t all = (size_t)PARENTS / 2 * pixels;
    struct cb_random random = {SEED};
    (void)input;
    if (cb_nest_room(d, PARENTS, all, all, all, err) != CB_OK)
        return err->status;
    d->n = width;
    for (uint32_t p = 0; p < PARENTS; p++)
        d->begins[p + 1] = d->begins[p] + pixels / 2;
    for (uint32_t frame = 0; frame < PARENTS / 2; frame++) {
        const struct image image = {d->others + (size_t)frame * pixels, width, &random};
        draw[frame % CB_COUNTOF(draw)](&image);
        if (label(&image, d->expected + (size_t)frame * pixels, err) != CB_OK)
            return err->status;
    }
    return CB_OK;
}

const struct cb_nest_program cb_nest_ccl = {
    .id = "ccl",
    .kernel = "apps/nested/programs/ccl.cl",
    .parent_size = 2,
    .child_size = 256,
    .phases = 3,
    .launching = 7,
    .has_laps = true,
    .sizes = {{PARENTS, 32}, {PARENTS, 128}, {PARENTS, 512}}, /* items: the width of a frame */
    .make = make,
};
