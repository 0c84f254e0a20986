/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/graphics/gl/desktop.h"

#include <math.h>

#define COLUMNS   8
#define ROWS      5
#define ICON_SIDE 96 /* pixels of an icon's texture */

enum image { BACKGROUND, ICONS, WINDOW, SHADOW, POINTER };

/* ---- Opening --------------------------------------------------------------------------------- */

enum cb_status cb_desktop_open(struct cb_size size, struct cb_desktop *d, struct cb_err *err)
{
    const struct cb_size sizes[CB_DESKTOP_IMAGES] = {size,
                                                     {COLUMNS * ICON_SIDE, ICON_SIDE},
                                                     {size.width / 2 + 1, size.height / 2 + 1},
                                                     {128, 128},
                                                     {32, 32}};
    static const char *const painting[] = {"what", NULL}, *const drawing[] = {"tint", NULL};
    struct cb_shader paint;
    enum cb_status status = cb_shader_open("probes/graphics/paint.frag", painting, &paint, err);
    for (int i = 0; i < CB_DESKTOP_IMAGES && status == CB_OK; i++) {
        const struct cb_rect all = {0, 0, (float)sizes[i].width, (float)sizes[i].height};
        status = cb_target_open(sizes[i], &d->images[i], err);
        glUseProgram(paint.program);
        glUniform1i(paint.own[0], i);
        cb_fill(&paint, sizes[i], &all, NULL);
    }
    cb_shader_close(&paint);
    if (status != CB_OK)
        return status;
    return cb_shader_open("probes/graphics/sprite.frag", drawing, &d->sprite, err);
}

void cb_desktop_close(struct cb_desktop *d)
{
    for (int i = 0; i < CB_DESKTOP_IMAGES; i++)
        cb_target_close(&d->images[i]);
    cb_shader_close(&d->sprite);
}

/* ---- Parts ----------------------------------------------------------------------------------- */

static void begin(const struct cb_desktop *d, const struct cb_target *to)
{
    cb_target_bind(to);
    glUseProgram(d->sprite.program);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
}

static void put(const struct cb_desktop *d, const struct cb_target *to, enum image image,
                const struct cb_rect *rect, const struct cb_rect *part, float light)
{
    glBindTexture(GL_TEXTURE_2D, d->images[image].texture);
    glUniform4f(d->sprite.own[0], light, light, light, 1);
    cb_fill(&d->sprite, to->size, rect, part);
}

static void put_background(const struct cb_desktop *d, const struct cb_target *to)
{
    const struct cb_rect all = {0, 0, (float)to->size.width, (float)to->size.height};
    put(d, to, BACKGROUND, &all, NULL, 1);
}

/* An icon, emphasised by up to 1. */
static void put_icon(const struct cb_desktop *d, const struct cb_target *to, int i, float emphasis)
{
    const float cell = (float)to->size.width / COLUMNS, high = (float)to->size.height / ROWS;
    const float side = fminf(cell, high) * (0.6f + 0.3f * emphasis);
    const struct cb_rect rect = {cell * ((float)(i % COLUMNS) + 0.5f) - side / 2,
                                 high * ((float)(i / COLUMNS) + 0.5f) - side / 2, side, side};
    const struct cb_rect part = {(float)(i * 3 % COLUMNS) / COLUMNS, 0, 1.0f / COLUMNS, 1};
    put(d, to, ICONS, &rect, &part, 0.75f + 0.35f * emphasis);
}

static void put_window(const struct cb_desktop *d, const struct cb_target *to, float x, float y)
{
    const float w = (float)to->size.width * 0.5f, h = (float)to->size.height * 0.5f;
    const struct cb_rect shadow = {x - 0.1f * w, y - 0.15f * h, 1.25f * w, 1.25f * h};
    const struct cb_rect rect = {x, y, w, h};
    put(d, to, SHADOW, &shadow, NULL, 1);
    put(d, to, WINDOW, &rect, NULL, 1);
}

/* ---- light ----------------------------------------------------------------------------------- */

static struct cb_rect around(float x, float y, float radius)
{
    return (struct cb_rect){x - radius, y - radius, 2 * radius, 2 * radius};
}

/* Draws only inside the two rectangles. */
static void clip(const struct cb_rect *a, const struct cb_rect *b)
{
    float left = floorf(fminf(a->x, b->x)), low = floorf(fminf(a->y, b->y));
    float right = ceilf(fmaxf(a->x + a->width, b->x + b->width));
    float top = ceilf(fmaxf(a->y + a->height, b->y + b->height));
    glEnable(GL_SCISSOR_TEST);
    glScissor((GLint)left, (GLint)low, (GLsizei)(right - left), (GLsizei)(top - low));
}

/* From 1 at the pointer to 0 at the radius. */
static float emphasis_at(float dx, float dy, float radius)
{
    float near = fmaxf(0, 1 - hypotf(dx, dy) / radius);
    return near * near * (3 - 2 * near);
}

void cb_desktop_emphasise(struct cb_desktop *d, const struct cb_target *to, double seconds)
{
    const float width = (float)to->size.width, height = (float)to->size.height;
    const float cell = width / COLUMNS, high = height / ROWS, radius = fmaxf(cell, high);
    const float x = width * (0.5f + 0.42f * (float)sin(0.9 * seconds));
    const float y = height * (0.5f + 0.42f * (float)sin(1.3 * seconds + 0.5));
    const struct cb_rect damage = around(x, y, 2 * radius);
    const struct cb_rect pointer = {x, y - 0.3f * high, 0.3f * high, 0.3f * high};
    begin(d, to);
    if (d->drawn)
        clip(&damage, &d->damage);
    put_background(d, to);
    for (int i = 0; i < COLUMNS * ROWS; i++)
        put_icon(d, to, i,
                 emphasis_at(cell * ((float)(i % COLUMNS) + 0.5f) - x,
                             high * ((float)(i / COLUMNS) + 0.5f) - y, radius));
    put(d, to, POINTER, &pointer, NULL, 1);
    glDisable(GL_SCISSOR_TEST);
    d->damage = damage;
    d->drawn = true;
}

/* ---- medium ---------------------------------------------------------------------------------- */

void cb_desktop_drag(struct cb_desktop *d, const struct cb_target *to, double seconds)
{
    const float width = (float)to->size.width, height = (float)to->size.height;
    const float x = width * (0.25f + 0.24f * (float)sin(1.1 * seconds));
    const float y = height * (0.25f + 0.24f * (float)sin(1.7 * seconds + 0.5));
    const struct cb_rect pointer = {x + 0.25f * width, y + 0.42f * height, 0.05f * height,
                                    0.05f * height};
    begin(d, to);
    put_background(d, to);
    for (int i = 0; i < COLUMNS * ROWS; i++)
        put_icon(d, to, i, 0);
    put_window(d, to, 0.05f * width, 0.40f * height);
    put_window(d, to, 0.42f * width, 0.08f * height);
    put_window(d, to, x, y);
    put(d, to, POINTER, &pointer, NULL, 1);
}
