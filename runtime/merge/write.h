/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the merge tool that write have in common: the user's text with edits, and a
 * frame around its kernel.
 */
#pragma once

#include <stdio.h>

#include "runtime/merge/merge.h"
#include "runtime/merge/unit.h"

struct cb_merge_writer {
    struct cb_merge_unit *u;
    FILE *out;
    struct cb_merge_edit {
        uint32_t begin, end;
        const char *text;
    } * edits;
    int n_edits;
    bool has_packet; /* a task's: it has been written */
};

/* Reads the unit of its text, and makes the edits. CB_USAGE: it cannot be merged. */
enum cb_status cb_merge_prepare(struct cb_merge_writer *w, const char *path, const char *name,
                                struct cb_err *err);

/* A variable's declaration, without what it begins with. */
void cb_merge_put_type(FILE *out, const struct cb_merge_var *v, bool is_const);

/* Whether it is declared elsewhere than where the user did: in the state or in local memory. */
static inline bool cb_merge_is_moved(const struct cb_merge_var *v)
{
    return v->lives || v->is_local;
}

/* Whether each use of a variable is edited: it lies in the state or in local memory, and has no
 * copy in a phase. */
static inline bool cb_merge_is_in_place(const struct cb_merge_var *v)
{
    return v->is_local || (v->lives && (*v->dimensions || v->address_at));
}

/* The fields of the state, or of local memory, each once, after `before` and with `after`. Whether
 * there are any. */
bool cb_merge_write_fields(struct cb_merge_writer *w, bool local, const char *before,
                           const char *after);

/* At the beginning of a phase: parameters and the state, under the names that the user gave them.
 */
void cb_merge_write_names(struct cb_merge_writer *w);

/* The user's text, a head before its first function, and the kernel's function in its place, with
 * types (NULL: none) right before it, of which function() writes what comes before the body. */
void cb_merge_write_text(struct cb_merge_writer *w, void (*head)(struct cb_merge_writer *w),
                         void (*types)(struct cb_merge_writer *w),
                         void (*function)(struct cb_merge_writer *w));

/* The text before the frame, the frame, and the text after it: of a cooperative kernel, and of a
 * task. */
void cb_merge_write_cooperative(struct cb_merge_writer *w);
void cb_merge_write_task(struct cb_merge_writer *w);

/* Writes the arguments of a task in a launch packet, once. */
void cb_merge_write_packet(struct cb_merge_writer *w);

/* Whether a cooperative kernel offers workgroups or asks for some, beside barriers. */
bool cb_merge_offers(const struct cb_merge_unit *u);

/* Whether it submits tasks. */
bool cb_merge_submits(const struct cb_merge_unit *u);

/* Whether a variable is an argument of a cooperative kernel in local memory. */
bool cb_merge_is_local_argument(const struct cb_merge_unit *u, const struct cb_merge_var *v);

/* Whether the work-items of a workgroup of a cooperative kernel have more than one side; and writes
 * how large workgroups have to be, and what the macros of ids need then. */
bool cb_merge_has_sides(const struct cb_merge_unit *u);
void cb_merge_write_sides(const struct cb_merge_unit *u, FILE *out);

/* cb_merge(), with the stack that there is. */
enum cb_status cb_merge_program(const struct cb_merge_source *sources, int n, FILE *out,
                                struct cb_merge_kernel *kernel, struct cb_err *err);

/* A task's first parameter that is an image or a sampler, which no launch packet can bring; NULL:
 * there is none. */
const struct cb_merge_var *cb_merge_images_of(const struct cb_merge_unit *u);
