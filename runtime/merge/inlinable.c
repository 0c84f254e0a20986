/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a function means the same where it is written out.
 */
#include "runtime/merge/inlined.h"

#include <string.h>

#include "runtime/merge/macros.h"

struct capture {
    struct cb_merge_rewriter *w;
    const struct cb_merge_known *names;
    const struct cb_merge_function *f;
    const char *name; /* that means something else here; NULL: none does */
};

static bool is_declared_here(const struct cb_merge_known *names, const char *name)
{
    for (int i = 0; i < names->n; i++)
        if (strcmp(names->list[i], name) == 0)
            return true;
    return false;
}

/* A name in a function that is not its own, and another's in the kernel. */
static enum CXChildVisitResult look_for_capture(CXCursor c, CXCursor parent, CXClientData data)
{
    struct capture *capture = data;
    const enum CXCursorKind kind = clang_getCursorKind(c);
    (void)parent;
    if (kind != CXCursor_DeclRefExpr && kind != CXCursor_TypeRef)
        return CXChildVisit_Recurse;
    CXCursor declared = clang_getCursorReferenced(c);
    const uint32_t at = cb_merge_offset_of(clang_getCursorLocation(declared));
    const bool is_own = cb_merge_is_in_file(capture->w->p, declared) && at > capture->f->begin &&
                        at < capture->f->end &&
                        clang_getCursorKind(declared) != CXCursor_FunctionDecl;
    char *name = cb_merge_keep_string(capture->w->u, clang_getCursorSpelling(declared));
    if (!is_own && is_declared_here(capture->names, name))
        capture->name = name;
    return CXChildVisit_Recurse;
}

struct two_places {
    uint32_t here, there;
    const struct cb_merge_macro *other; /* one that is not the same at both */
};

static void compare_macros(const struct cb_merge_unit *u, uint32_t at, uint32_t size, void *data)
{
    struct two_places *places = data;
    const struct cb_merge_macro *here = cb_merge_macro_at(u, u->code + at, size, places->here),
                                *there = cb_merge_macro_at(u, u->code + at, size, places->there);
    if (here != there)
        places->other = here ? here : there;
    if (here && here == there && cb_merge_take_once(u, here))
        cb_merge_go_through_names(u, here->body, here->end, compare_macros, places);
}

/* Whether #if leaves out a return, which would be left as it is. */
static bool has_skipped_return(const struct cb_merge_unit *u, const struct cb_merge_function *f)
{
    for (const char *at = u->code + f->begin;
         (at = cb_merge_find_word(u, at, "return")) && at < u->code + f->end; at++)
        if (cb_merge_is_skipped(u, (uint32_t)(at - u->code)))
            return true;
    return false;
}

static bool calls(const struct cb_merge_rewriter *w, int caller, int function, bool *seen)
{
    const struct cb_merge_routine *r = &w->routines[caller];
    bool found = false;
    for (int i = 0; i < r->n_calls && !found; i++) {
        const int callee = r->calls[i];
        found = callee == function ||
                (!seen[callee] && (seen[callee] = true) && calls(w, callee, function, seen));
    }
    return found;
}

static bool has_local(const struct cb_merge_unit *u, const struct cb_merge_function *f)
{
    const char *body = strchr(u->code + f->parameters_end, '{');
    const char *const words[] = {"local", "__local"};
    for (size_t i = 0; body && i < CB_COUNTOF(words); i++)
        for (const char *at = body;
             (at = cb_merge_find_word(u, at, words[i])) && at < u->code + f->end; at++) {
            const char *end = at + strcspn(at, ";*()");
            if (*end == ';')
                return true;
        }
    return false;
}

/* Whether it takes an image or a sampler, which no variable can be. */
static bool has_image(CXCursor function)
{
    bool has = false;
    for (int i = 0; i < clang_Cursor_getNumArguments(function); i++) {
        struct cb_layout l;
        enum cb_space space;
        cb_merge_read_layout(clang_Cursor_getArgument(function, (unsigned)i), &space, &l);
        has |= cb_layout_is_opaque(&l);
        cb_layout_free(&l);
    }
    return has;
}

bool cb_merge_can_be_inlined(struct cb_merge_rewriter *w, const struct cb_merge_known *names,
                             int function, uint32_t at)
{
    struct cb_merge_unit *u = w->u;
    const struct cb_merge_function *f = &u->functions[function];
    const int problems = u->n_problems;
    struct capture capture = {w, names, f, NULL};
    struct two_places places = {at, f->begin, NULL};
    clang_visitChildren(w->routines[function].c, look_for_capture, &capture);
    cb_merge_begin_search(u);
    cb_merge_go_through_names(u, f->parameters, f->end, compare_macros, &places);
    if (calls(w, function, function, cb_merge_keep(u, (size_t)u->n_functions)))
        cb_merge_problem(u, f->begin, "%s() calls itself, which OpenCL C has not", f->name);
    if (capture.name)
        cb_merge_problem(u, at,
                         "%s() has a point in it, and the %s that it knows is another one here: "
                         "rename the kernel's",
                         f->name, capture.name);
    if (places.other)
        cb_merge_problem(u, at,
                         "%s() has a point in it, and the macro %.*s that it knows is another one "
                         "here: rename one",
                         f->name, (int)places.other->size, u->code + places.other->at);
    if (has_skipped_return(u, f))
        cb_merge_problem(u, f->begin,
                         "%s() has a point in it, and a return that #if takes away here, and "
                         "perhaps not on the device: let #if choose a macro or a helper before it",
                         f->name);
    if (has_local(u, f))
        cb_merge_problem(u, f->begin,
                         "%s() has a point and local memory in it, and is called: give it the "
                         "memory as an argument",
                         f->name);
    if (has_image(w->routines[function].c))
        cb_merge_problem(
            u, f->begin,
            "%s() has a point in it, and is given an image or a sampler: read the image "
            "in the kernel, or in a helper without a point",
            f->name);
    return u->n_problems == problems;
}
