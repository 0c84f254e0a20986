/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/graphics/gl/scene.h"

#include <stdlib.h>
#include <string.h>

#include "probes/graphics/gl/desktop.h"

struct kind {
    const char *name;
    bool desktop;
    void (*draw)(struct cb_scene *s, double seconds);
};

struct cb_scene {
    const struct kind *kind;
    struct cb_target target;
    struct cb_desktop desktop; /* light, medium */
    struct cb_shader heavy;
};

static void draw_light(struct cb_scene *s, double seconds)
{
    cb_desktop_emphasise(&s->desktop, &s->target, seconds);
}

static void draw_medium(struct cb_scene *s, double seconds)
{
    cb_desktop_drag(&s->desktop, &s->target, seconds);
}

static void draw_heavy(struct cb_scene *s, double seconds)
{
    const struct cb_size size = s->target.size;
    const struct cb_rect all = {0, 0, (float)size.width, (float)size.height};
    cb_target_bind(&s->target);
    glUseProgram(s->heavy.program);
    glUniform1f(s->heavy.own[0], (GLfloat)seconds);
    glUniform2f(s->heavy.own[1], all.width, all.height);
    cb_fill(&s->heavy, size, &all, NULL);
}

static const struct kind kinds[] = {
    {"light", true, draw_light}, {"medium", true, draw_medium}, {"heavy", false, draw_heavy}};

enum cb_status cb_scene_open(const char *name, struct cb_size size, struct cb_scene **scene,
                             struct cb_err *err)
{
    static const char *const uniforms[] = {"seconds", "size"};
    struct cb_scene *s = *scene = calloc(1, sizeof *s);
    if (!s)
        return cb_no_memory(err);
    for (size_t i = 0; i < CB_COUNTOF(kinds); i++)
        if (strcmp(kinds[i].name, name) == 0)
            s->kind = &kinds[i];
    if (!s->kind)
        return cb_fail(err, CB_USAGE, "no scene \"%s\"", name);
    if (cb_target_open(size, &s->target, err) != CB_OK)
        return err->status;
    return s->kind->desktop
               ? cb_desktop_open(size, &s->desktop, err)
               : cb_shader_open("probes/graphics/heavy.frag", uniforms, &s->heavy, err);
}

void cb_scene_close(struct cb_scene *s)
{
    if (!s)
        return;
    cb_desktop_close(&s->desktop);
    cb_shader_close(&s->heavy);
    cb_target_close(&s->target);
    free(s);
}

void cb_scene_draw(struct cb_scene *s, double seconds)
{
    s->kind->draw(s, seconds);
}

const struct cb_target *cb_scene_target(const struct cb_scene *s)
{
    return &s->target;
}
