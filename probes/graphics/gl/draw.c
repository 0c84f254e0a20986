/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/graphics/gl/draw.h"

#include <stdlib.h>

#include "runtime/source.h"

#define VERTEX_SHADER "probes/graphics/quad.vert"
#define LOG_BYTES     1500

enum cb_status cb_gl_check(const char *doing, struct cb_err *err)
{
    GLenum first = glGetError(), code = first;
    for (int i = 0; i < 16 && code != GL_NO_ERROR; i++) /* each call takes one off */
        code = glGetError();
    return first == GL_NO_ERROR
               ? CB_OK
               : cb_fail(err, CB_ERROR, "OpenGL error 0x%04x while %s", first, doing);
}

/* ---- Shaders --------------------------------------------------------------------------------- */

static enum cb_status compile(GLenum type, const char *path, GLuint *shader, struct cb_err *err)
{
    char *text = NULL, log[LOG_BYTES] = "";
    GLint compiled = GL_FALSE;
    if (cb_source_read(path, &text, err) != CB_OK)
        return err->status;
    *shader = glCreateShader(type);
    glShaderSource(*shader, 1, (const char *const *)&text, NULL);
    glCompileShader(*shader);
    free(text);
    glGetShaderiv(*shader, GL_COMPILE_STATUS, &compiled);
    if (compiled)
        return CB_OK;
    glGetShaderInfoLog(*shader, sizeof log, NULL, log);
    return cb_fail(err, CB_ERROR, "%s does not compile:\n%s", path, log);
}

static enum cb_status link_program(GLuint program, const char *path, struct cb_err *err)
{
    char log[LOG_BYTES] = "";
    GLint linked = GL_FALSE;
    glBindAttribLocation(program, 0, "corner");
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (linked)
        return CB_OK;
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    return cb_fail(err, CB_ERROR, "%s does not link:\n%s", path, log);
}

static void find_uniforms(struct cb_shader *s, const char *const names[2])
{
    s->rect = glGetUniformLocation(s->program, "rect");
    s->part = glGetUniformLocation(s->program, "part");
    s->target = glGetUniformLocation(s->program, "target");
    for (int i = 0; i < 2; i++)
        s->own[i] = names[i] ? glGetUniformLocation(s->program, names[i]) : -1;
}

enum cb_status cb_shader_open(const char *fragment, const char *const names[2],
                              struct cb_shader *shader, struct cb_err *err)
{
    GLuint parts[2] = {0, 0};
    shader->program = glCreateProgram();
    enum cb_status status = compile(GL_VERTEX_SHADER, VERTEX_SHADER, &parts[0], err);
    if (status == CB_OK)
        status = compile(GL_FRAGMENT_SHADER, fragment, &parts[1], err);
    for (int i = 0; i < 2 && status == CB_OK; i++)
        glAttachShader(shader->program, parts[i]);
    if (status == CB_OK)
        status = link_program(shader->program, fragment, err);
    if (status == CB_OK)
        find_uniforms(shader, names);
    for (int i = 0; i < 2; i++)
        glDeleteShader(parts[i]); /* with the program, if it has them */
    return status;
}

void cb_shader_close(struct cb_shader *shader)
{
    glDeleteProgram(shader->program);
    *shader = (struct cb_shader){0};
}

/* ---- Targets --------------------------------------------------------------------------------- */

enum cb_status cb_target_open(struct cb_size size, struct cb_target *target, struct cb_err *err)
{
    target->size = size;
    glGenTextures(1, &target->texture);
    glBindTexture(GL_TEXTURE_2D, target->texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, size.width, size.height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 NULL);
    /* ES 2 takes textures of any size only with these */
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glGenFramebuffers(1, &target->frame);
    cb_target_bind(target);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target->texture, 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        return cb_fail(err, CB_UNSUPPORTED, "the driver does not draw into %dx%d pixels",
                       size.width, size.height);
    return cb_gl_check("making a target", err);
}

void cb_target_close(struct cb_target *target)
{
    glDeleteFramebuffers(1, &target->frame);
    glDeleteTextures(1, &target->texture);
}

void cb_target_bind(const struct cb_target *target)
{
    glBindFramebuffer(GL_FRAMEBUFFER, target->frame);
    glViewport(0, 0, target->size.width, target->size.height);
}

/* ---- Rectangles ------------------------------------------------------------------------------ */

void cb_fill(const struct cb_shader *shader, struct cb_size target, const struct cb_rect *rect,
             const struct cb_rect *part)
{
    static const GLfloat corners[] = {0, 0, 1, 0, 0, 1, 1, 1};
    static const struct cb_rect whole = {0, 0, 1, 1};
    part = part ? part : &whole;
    glUniform4f(shader->rect, rect->x, rect->y, rect->width, rect->height);
    glUniform4f(shader->part, part->x, part->y, part->width, part->height);
    glUniform2f(shader->target, (GLfloat)target.width, (GLfloat)target.height);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}
