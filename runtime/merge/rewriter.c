/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/merge/rewriter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Changes --------------------------------------------------------------------------------- */

void cb_merge_change(struct cb_merge_rewriter *w, uint32_t begin, uint32_t end, const char *text)
{
    const size_t size = strlen(text) + sizeof *w->changes;
    if (size >= w->u->room && w->u->room > 0)
        cb_merge_problem(w->u, w->n_changes > 0 ? w->changes[0].begin : begin,
                         "what is written out of macros and functions with points in them makes "
                         "the kernel too large: use fewer of them, or a loop");
    w->u->room = size > w->u->room ? 0 : w->u->room - size;
    if (w->u->room == 0)
        return;
    w->changes = cb_merge_grown(w->changes, w->n_changes, sizeof *w->changes);
    w->changes[w->n_changes++] = (struct cb_merge_change){begin, end, text};
}

/* The first change from a place on; NULL: there is none. */
static const struct cb_merge_change *next_change(const struct cb_merge_rewriter *w, uint32_t from,
                                                 uint32_t end, const struct cb_merge_change *last,
                                                 int first)
{
    const struct cb_merge_change *next = NULL;
    for (int i = first; i < w->n_changes; i++) {
        const struct cb_merge_change *c = &w->changes[i];
        bool is_later = !last || c->begin > last->begin || (c->begin == last->begin && c > last);
        if (is_later && c->begin >= from && c->end <= end && (!next || c->begin < next->begin))
            next = c;
    }
    return next;
}

const char *cb_merge_changed(struct cb_merge_rewriter *w, uint32_t begin, uint32_t end, int first)
{
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    for (const struct cb_merge_change *c = NULL; (c = next_change(w, begin, end, c, first));) {
        fwrite(w->u->text + begin, 1, c->begin - begin, out);
        fputs(c->text, out);
        begin = c->end;
    }
    fwrite(w->u->text + begin, 1, end - begin, out);
    return cb_merge_made(w->u, out, &text, &n);
}

/* ---- Functions ------------------------------------------------------------------------------- */

bool cb_merge_is_copy(const char *name)
{
    return strcmp(name, "async_work_group_copy") == 0 ||
           strcmp(name, "async_work_group_strided_copy") == 0;
}

bool cb_merge_is_wait(const char *name)
{
    return strcmp(name, "wait_group_events") == 0;
}

/* The function of this name that has a body, or else the first; -1: there is none. */
static int function_of(const struct cb_merge_unit *u, const char *name)
{
    int found = -1;
    for (int f = 0; f < u->n_functions; f++)
        if (strcmp(u->functions[f].name, name) == 0 && (found < 0 || u->functions[f].has_body))
            found = f;
    return found;
}

int cb_merge_callee(const struct cb_merge_rewriter *w, CXCursor call)
{
    CXString name = cb_merge_called(call);
    int f = clang_getCString(name) ? function_of(w->u, clang_getCString(name)) : -1;
    clang_disposeString(name);
    return f;
}

bool cb_merge_is_point_word(const char *name)
{
    return cb_merge_point_named(name) || cb_merge_is_copy(name) || cb_merge_is_wait(name);
}

bool cb_merge_reaches(const struct cb_merge_rewriter *w, CXCursor call)
{
    if (clang_getCursorKind(call) != CXCursor_CallExpr)
        return false;
    CXString name = cb_merge_called(call);
    int f = cb_merge_callee(w, call);
    bool reaches =
        cb_merge_is_point_word(clang_getCString(name)) || (f >= 0 && w->routines[f].reaches);
    clang_disposeString(name);
    return reaches;
}

struct search {
    const struct cb_merge_rewriter *w;
    bool found;
};

static enum CXChildVisitResult look_for_reaching(CXCursor c, CXCursor parent, CXClientData data)
{
    struct search *search = data;
    (void)parent;
    search->found |= cb_merge_reaches(search->w, c);
    return search->found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

bool cb_merge_has_reaching(const struct cb_merge_rewriter *w, CXCursor c)
{
    struct search search = {w, cb_merge_reaches(w, c)};
    if (!search.found)
        clang_visitChildren(c, look_for_reaching, &search);
    return search.found;
}
