/* SPDX-License-Identifier: Apache-2.0
 *
 * A round in which a text is changed: what its functions do, and the changes so far.
 */
#pragma once

#include "runtime/merge/clang.h"

/* What is known of a function of the unit, by its number. */
struct cb_merge_routine {
    CXCursor c;
    bool reaches;   /* a point, in it or in what it calls */
    bool schedules; /* one between workgroups */
    bool asks;      /* for ids, or submits tasks */
    bool is_needed; /* by the kernel */
    int *calls;     /* functions, with their bodies */
    int n_calls;
};

struct cb_merge_rewriter {
    struct cb_merge_parser *p;
    struct cb_merge_unit *u;
    struct cb_merge_routine *routines;
    struct cb_merge_change { /* those at one place in the order in which they are noted */
        uint32_t begin, end;
        const char *text; /* the unit's */
    } * changes;
    int n_changes;
};

/* Notes a change, or, if there is no room left for what it writes, a problem. */
void cb_merge_change(struct cb_merge_rewriter *w, uint32_t begin, uint32_t end, const char *text);

/* The text between two places with the changes there from number `first` on; the unit's. */
const char *cb_merge_changed(struct cb_merge_rewriter *w, uint32_t begin, uint32_t end, int first);

/* The function of the unit that a call calls, with its body; -1: none of them. */
int cb_merge_callee(const struct cb_merge_rewriter *w, CXCursor call);

/* Whether it is a call in which there is a point, or of which one has to be made. */
bool cb_merge_reaches(const struct cb_merge_rewriter *w, CXCursor call);
bool cb_merge_has_reaching(const struct cb_merge_rewriter *w, CXCursor c);

/* A copy of a group of work-items, or the wait for it (OpenCL C 6.15.11). */
bool cb_merge_is_copy(const char *name);
bool cb_merge_is_wait(const char *name);

/* Whether a function of this name is a point, or points are made of its calls. */
bool cb_merge_is_point_word(const char *name);

/* Notes a call in each statement of the kernel that has one which reaches a point. */
void cb_merge_inline(struct cb_merge_rewriter *w);
