/* SPDX-License-Identifier: Apache-2.0
 *
 * Tools of the scenes: shader programs, targets, rectangles. For a current OpenGL ES context;
 * coordinates are pixels from the lower left corner of the target.
 */
#pragma once

#include <GLES2/gl2.h>

#include "runtime/host/error.h"

struct cb_size {
    int width, height;
};

struct cb_rect {
    float x, y, width, height;
};

/* A texture that can be drawn into, and from. */
struct cb_target {
    GLuint texture, frame;
    struct cb_size size;
};

enum cb_status cb_target_open(struct cb_size size, struct cb_target *target, struct cb_err *err);
void cb_target_close(struct cb_target *target);
void cb_target_bind(const struct cb_target *target); /* later draws go there */

struct cb_shader {
    GLuint program;
    GLint rect, part, target; /* uniforms of the vertex shader */
    GLint own[2];             /* uniforms of the fragment shader, by the names given */
};

/* A program of carried files: probes/graphics/quad.vert and a fragment shader. names: up to two
 * uniforms of it. If it does not compile, err holds the driver's log. */
enum cb_status cb_shader_open(const char *fragment, const char *const names[2],
                              struct cb_shader *shader, struct cb_err *err);
void cb_shader_close(struct cb_shader *shader);

/* Fills a rectangle of the bound target by the program, which is in use. part: the coordinates that
 * its fragments get; NULL: from 0 to 1. */
void cb_fill(const struct cb_shader *shader, struct cb_size target, const struct cb_rect *rect,
             const struct cb_rect *part);

/* CB_ERROR: an error of OpenGL since the last call. */
enum cb_status cb_gl_check(const char *doing, struct cb_err *err);
