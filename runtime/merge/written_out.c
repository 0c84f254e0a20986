/* SPDX-License-Identifier: Apache-2.0
 *
 * Which kernel is merged, what it needs, and which macros hide a part of that.
 */
#include "runtime/merge/written_out.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/merge/macros.h"
#include "runtime/merge/rewriter.h"

/* ---- Functions ------------------------------------------------------------------------------- */

/* Whether what stands at a place submits a task, by a macro perhaps: libclang sees a call. */
static bool is_submission(const struct cb_merge_unit *u, uint32_t at)
{
    static const char *const words[] = {CB_MERGE_SUBMIT, NULL};
    const uint32_t size = (uint32_t)strspn(u->code + at, CB_MERGE_LETTERS);
    const struct cb_merge_macro *m = cb_merge_macro_at(u, u->code + at, size, at);
    return cb_merge_stands_at(u, at, CB_MERGE_SUBMIT) ||
           (m && cb_merge_macro_hides(u, m, at, words));
}

struct reading {
    struct cb_merge_rewriter *w;
    int function; /* in whose body it is */
};

static enum CXChildVisitResult read_call(CXCursor c, CXCursor parent, CXClientData data)
{
    struct reading *reading = data;
    struct cb_merge_rewriter *w = reading->w;
    struct cb_merge_routine *r = &w->routines[reading->function];
    (void)parent;
    if (clang_getCursorKind(c) != CXCursor_CallExpr)
        return CXChildVisit_Recurse;
    CXString string = cb_merge_called(c);
    const char *name = clang_getCString(string);
    enum cb_merge_point point = cb_merge_point_named(name);
    int callee = cb_merge_callee(w, c);
    r->reaches |= cb_merge_is_point_word(name);
    r->schedules |= point && point != CB_WORKGROUP_BARRIER;
    r->asks |= cb_merge_id_named(name) || strcmp(name, CB_MERGE_SUBMITTED) == 0;
    if (callee >= 0 &&
        !(w->u->functions[callee].is_kernel && is_submission(w->u, cb_merge_begin_of(c)))) {
        r->calls = cb_merge_grown(r->calls, r->n_calls, sizeof *r->calls);
        r->calls[r->n_calls++] = callee;
    }
    clang_disposeString(string);
    return CXChildVisit_Recurse;
}

struct numbered {
    struct cb_merge_rewriter *w;
    int n;
};

static enum CXChildVisitResult read_function(CXCursor c, CXCursor parent, CXClientData data)
{
    struct numbered *numbered = data;
    struct cb_merge_rewriter *w = numbered->w;
    (void)parent;
    if (!cb_merge_is_in_file(w->p, c) || clang_getCursorKind(c) != CXCursor_FunctionDecl ||
        numbered->n == w->u->n_functions)
        return CXChildVisit_Continue;
    w->routines[numbered->n].c = c;
    clang_visitChildren(c, read_call, &(struct reading){w, numbered->n});
    numbered->n++;
    return CXChildVisit_Continue;
}

/* What a function does, the functions that it calls do for it. */
static void spread(struct cb_merge_rewriter *w)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int f = 0; f < w->u->n_functions; f++)
            for (int i = 0; i < w->routines[f].n_calls; i++) {
                struct cb_merge_routine *r = &w->routines[f], *callee = &w->routines[r->calls[i]];
                changed |= (callee->reaches && !r->reaches) || (callee->asks && !r->asks) ||
                           (callee->schedules && !r->schedules);
                r->reaches |= callee->reaches;
                r->schedules |= callee->schedules;
                r->asks |= callee->asks;
            }
    }
}

static void mark_needed(struct cb_merge_rewriter *w, int function)
{
    struct cb_merge_routine *r = &w->routines[function];
    if (r->is_needed)
        return;
    r->is_needed = true;
    for (int i = 0; i < r->n_calls; i++)
        mark_needed(w, r->calls[i]);
}

/* ---- The kernel ------------------------------------------------------------------------------ */

static bool is_meant(const struct cb_merge_rewriter *w, int function, const char *name)
{
    const struct cb_merge_function *f = &w->u->functions[function];
    return name ? strcmp(name, f->name) == 0
                : w->routines[function].schedules || cb_merge_next_point(w->u, f, f->begin + 1) > 0;
}

/* The kernel that is meant: of that name, or the one with scheduling points, or the only one. */
static enum cb_status choose_kernel(struct cb_merge_rewriter *w, const char *path, const char *name,
                                    struct cb_err *err)
{
    struct cb_merge_unit *u = w->u;
    char names[512] = "";
    int all = 0, found = 0;
    for (int f = 0; f < u->n_functions; f++) {
        const struct cb_merge_function *function = &u->functions[f];
        if (!function->is_kernel || !function->has_body)
            continue;
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", *names ? ", " : "",
                 function->name);
        bool is_chosen = is_meant(w, f, name);
        u->kernel = is_chosen || all == 0 ? f : u->kernel;
        found += is_chosen;
        all++;
    }
    if (found == 1 || (found == 0 && all == 1 && !name)) {
        const char *chosen = u->functions[u->kernel].name;
        if (!u->chosen)
            u->chosen = strdup(chosen);
        return u->chosen ? CB_OK : cb_no_memory(err);
    }
    if (all == 0)
        return cb_fail(err, CB_USAGE, "%s: there is no kernel in it", path);
    if (name)
        return cb_fail(err, CB_USAGE, "%s: there is no kernel %s in it; there is %s", path, name,
                       names);
    return cb_fail(err, CB_USAGE, "%s: several kernels in it%s: give one as %s:NAME; there is %s",
                   path, found ? " have scheduling points" : ", and none has a scheduling point",
                   path, names);
}

static void blank_word(struct cb_merge_unit *u, uint32_t at, size_t size)
{
    memset(u->text + at, ' ', size);
    memset(u->code + at, ' ', size);
}

/* Makes a function of a kernel that another calls, as OpenCL C allows: without its attributes. */
static void make_helper(struct cb_merge_unit *u, struct cb_merge_function *f)
{
    static const char attribute[] = "__attribute__";
    for (uint32_t at = f->begin; at < f->parameters; at++) {
        if (at > 0 && strchr(CB_MERGE_LETTERS, u->code[at - 1]))
            continue;
        for (int is_long = 0; is_long < 2; is_long++)
            if (cb_merge_stands_at(u, at, is_long ? "__kernel" : "kernel"))
                blank_word(u, at, is_long ? strlen("__kernel") : strlen("kernel"));
        if (!cb_merge_stands_at(u, at, attribute))
            continue;
        const uint32_t open = at + (uint32_t)(strlen(attribute) +
                                              strspn(u->code + at + strlen(attribute), " \t\r\n"));
        const uint32_t end = u->code[open] == '(' ? cb_merge_closing(u, open) : 0;
        for (uint32_t i = at; end && i <= end; i++)
            if (u->code[i] != '\n')
                blank_word(u, i, 1);
    }
    f->is_kernel = false;
}

static void make_helpers(struct cb_merge_rewriter *w)
{
    struct cb_merge_unit *u = w->u;
    for (int f = 0; f < u->n_functions; f++) {
        if (!w->routines[f].is_needed || !u->functions[f].is_kernel || f == u->kernel)
            continue;
        for (int k = 0; k < u->n_functions; k++)
            if (u->functions[k].is_kernel &&
                strcmp(u->functions[k].name, u->functions[f].name) == 0)
                make_helper(u, &u->functions[k]);
    }
}

/* ---- What macros hide ------------------------------------------------------------------------ */

static void expose(struct cb_merge_rewriter *w, uint32_t at)
{
    uint32_t end = at;
    if (w->u->room == 0)
        return;
    for (int i = 0; i < w->n_changes; i++)
        if (at == w->changes[i].begin || (at > w->changes[i].begin && at < w->changes[i].end))
            return; /* once */
    const char *text = cb_merge_written_out(w->u, at, &end);
    cb_merge_change(w, at, end, text ? text : "");
}

/* Kernels that only macros call so. */
static void expose_kernels(struct cb_merge_rewriter *w)
{
    static const char *const words[] = {"kernel", "__kernel", NULL};
    struct cb_merge_unit *u = w->u;
    for (int f = 0; f < u->n_functions; f++) {
        const struct cb_merge_function *function = &u->functions[f];
        for (uint32_t at = function->begin; at <= function->name_at;) {
            const uint32_t size = (uint32_t)strspn(u->code + at, CB_MERGE_LETTERS);
            const struct cb_merge_macro *m = cb_merge_macro_at(u, u->code + at, size, at);
            if (m && cb_merge_macro_hides(u, m, at, words))
                expose(w, at);
            at += size ? size : 1;
        }
    }
}

/* All macros between two places. */
static void expose_between(struct cb_merge_rewriter *w, uint32_t begin, uint32_t end)
{
    for (uint32_t at = begin; at < end;) {
        const uint32_t size = (uint32_t)strspn(w->u->code + at, CB_MERGE_LETTERS);
        if (size > 0 && cb_merge_macro_at(w->u, w->u->code + at, size, at))
            expose(w, at);
        at += size ? size : 1;
    }
}

/* A loop in which there is a point: what its parts are has to be seen. */
static void expose_loop(struct cb_merge_rewriter *w, CXCursor c)
{
    const uint32_t begin = cb_merge_begin_of(c);
    const char *open = strchr(w->u->code + begin, '(');
    int semicolons = 0;
    if (!cb_merge_stands_at(w->u, begin, "for")) {
        expose(w, begin);
        return;
    }
    const uint32_t end = open ? cb_merge_closing(w->u, (uint32_t)(open - w->u->code)) : 0;
    for (uint32_t at = begin; at < end; at++)
        semicolons += w->u->code[at] == ';';
    if (semicolons != 2)
        expose_between(w, begin + 3, end);
}

static const char *word_of(enum CXCursorKind kind)
{
    switch (kind) {
    case CXCursor_ReturnStmt:
        return "return";
    case CXCursor_IfStmt:
        return "if";
    case CXCursor_WhileStmt:
        return "while";
    case CXCursor_DoStmt:
        return "do";
    case CXCursor_SwitchStmt:
        return "switch";
    default:
        return NULL;
    }
}

static void expose_call(struct cb_merge_rewriter *w, CXCursor c)
{
    const int callee = cb_merge_callee(w, c);
    const uint32_t at = cb_merge_begin_of(c);
    CXString string = cb_merge_called(c);
    const char *name = clang_getCString(string);
    const bool is_of_file = callee >= 0 && !is_submission(w->u, at);
    if (!cb_merge_stands_at(w->u, at, name) &&
        (cb_merge_reaches(w, c) || (is_of_file && w->routines[callee].asks)))
        expose(w, at);
    clang_disposeString(string);
}

static enum CXChildVisitResult expose_part(CXCursor c, CXCursor parent, CXClientData data)
{
    struct cb_merge_rewriter *w = data;
    const enum CXCursorKind kind = clang_getCursorKind(c);
    const char *word = word_of(kind);
    const uint32_t at = cb_merge_begin_of(c);
    (void)parent;
    if (kind == CXCursor_CallExpr)
        expose_call(w, c);
    else if (kind == CXCursor_ForStmt && cb_merge_has_reaching(w, c))
        expose_loop(w, c);
    else if (word && !cb_merge_stands_at(w->u, at, word) &&
             (kind == CXCursor_ReturnStmt || cb_merge_has_reaching(w, c)))
        expose(w, at);
    return CXChildVisit_Recurse;
}

/* Name, parameters and body of a function that is written out itself. */
static enum CXChildVisitResult expose_head(CXCursor c, CXCursor parent, CXClientData data)
{
    struct cb_merge_rewriter *w = data;
    const enum CXCursorKind kind = clang_getCursorKind(c);
    const uint32_t at = cb_merge_offset_of(clang_getCursorLocation(c));
    CXString name = clang_getCursorSpelling(c);
    (void)parent;
    if (kind == CXCursor_CompoundStmt && w->u->code[cb_merge_begin_of(c)] != '{')
        expose(w, cb_merge_begin_of(c));
    else if (kind == CXCursor_ParmDecl && !cb_merge_stands_at(w->u, at, clang_getCString(name)) &&
             cb_merge_is_letter(w->u->code[at]))
        expose(w, at);
    clang_disposeString(name);
    return CXChildVisit_Continue;
}

/* Functions that are called by the kernel, and heads of all others that are edited. */
static void expose_all(struct cb_merge_rewriter *w)
{
    struct cb_merge_unit *u = w->u;
    for (int f = 0; f < u->n_functions; f++) {
        const struct cb_merge_function *function = &u->functions[f];
        const struct cb_merge_routine *r = &w->routines[f];
        if (!r->reaches && !r->asks && f != u->kernel)
            continue;
        if (!function->is_kernel && !cb_merge_stands_at(u, function->name_at, function->name))
            expose(w, function->name_at);
        if (f != u->kernel && r->is_needed && r->reaches)
            clang_visitChildren(r->c, expose_head, w);
        if (r->is_needed)
            clang_visitChildren(r->c, expose_part, w);
    }
}

/* ---- A round --------------------------------------------------------------------------------- */

static void take_changes(struct cb_merge_rewriter *w)
{
    struct cb_merge_unit *u = w->u;
    const char *changed = cb_merge_changed(w, 0, (uint32_t)strlen(u->text), 0);
    char *text = strdup(changed);
    if (!text)
        abort();
    free(u->text);
    u->text = text;
}

static enum cb_status do_round(struct cb_merge_rewriter *w, CXTranslationUnit tu, const char *path,
                               const char *name, struct cb_err *err)
{
    struct cb_merge_unit *u = w->u;
    expose_kernels(w);
    if (w->n_changes > 0 || u->n_problems > 0)
        return cb_merge_verdict(u, err);
    clang_visitChildren(clang_getTranslationUnitCursor(tu), read_function,
                        &(struct numbered){w, 0});
    spread(w);
    if (choose_kernel(w, path, u->chosen ? u->chosen : name, err) != CB_OK)
        return err->status;
    mark_needed(w, u->kernel);
    make_helpers(w);
    expose_all(w);
    if (w->n_changes == 0 && u->n_problems == 0)
        cb_merge_inline(w);
    return cb_merge_verdict(u, err);
}

/* Macros that use what gets another name. */
static void expose_uses(struct cb_merge_rewriter *w, const struct cb_merge_node *n)
{
    const bool is_use = n->kind == CB_MERGE_READS || n->kind == CB_MERGE_WRITES;
    const char *given = is_use ? w->u->vars[n->which].given : NULL;
    if (given && !cb_merge_stands_at(w->u, n->begin, given))
        expose(w, n->begin);
    for (const struct cb_merge_node *child = n->first; child; child = child->next)
        expose_uses(w, child);
}

/* Whether a constant of the kernel, or a sampler that lives across a point, can be declared beside
 * it: nothing else has its name, or shares its declaration. */
static bool may_be_beside(const struct cb_merge_unit *u, const struct cb_merge_var *v)
{
    const bool is_sampler = v->lives && v->init && strstr(v->type, "sampler_t");
    bool may = (v->is_constant || is_sampler) && v->is_written_here && !v->is_parameter &&
               !cb_merge_is_beside(u, v->name);
    for (int f = 0; f < u->n_functions; f++)
        may = may && strcmp(u->functions[f].name, v->name) != 0;
    for (int o = 0; o < u->n_vars; o++)
        may = may && (&u->vars[o] == v ||
                      (u->vars[o].begin != v->begin && strcmp(u->vars[o].name, v->name) != 0));
    return may;
}

/* The kernel's own constants come before it: a task's function may have none, and a sampler cannot
 * lie in memory. */
static void move_constants(struct cb_merge_rewriter *w)
{
    const uint32_t kernel = w->u->functions[w->u->kernel].begin;
    for (int i = 0; i < w->u->n_vars; i++) {
        const struct cb_merge_var *v = &w->u->vars[i];
        if (!may_be_beside(w->u, v))
            continue;
        const char *line = cb_merge_one_line(w->u, v->begin, v->end);
        const size_t size = strlen(line) + 16;
        char *text = cb_merge_keep(w->u, size), *blank;
        snprintf(text, size, "%s%s; ", v->is_constant || v->is_const ? "" : "constant ", line);
        blank = cb_merge_keep_text(w->u, w->u->text + v->begin, v->end - v->begin);
        for (char *c = blank; *c; c++)
            *c = *c == '\n' ? *c : ' ';
        cb_merge_change(w, kernel, kernel, text);
        cb_merge_change(w, v->begin, v->end, blank);
    }
}

bool cb_merge_write_out_variables(struct cb_merge_unit *u)
{
    struct cb_merge_rewriter w = {.u = u};
    cb_merge_rename(u);
    move_constants(&w);
    for (int v = 0; v < u->n_vars; v++)
        if (!u->vars[v].is_parameter && !u->vars[v].is_written_here &&
            (u->vars[v].lives || u->vars[v].is_local))
            expose(&w, u->vars[v].name_at);
    expose_uses(&w, u->body);
    const bool has_changed = w.n_changes > 0 && u->n_problems == 0;
    if (has_changed)
        take_changes(&w);
    free(w.changes);
    return has_changed;
}

enum cb_status cb_merge_write_out(struct cb_merge_parser *p, CXTranslationUnit tu, const char *path,
                                  const char *name, bool *has_changed, struct cb_err *err)
{
    struct cb_merge_unit *u = p->u;
    struct cb_merge_rewriter w = {.p = p, .u = u};
    w.routines = calloc((size_t)u->n_functions + 1, sizeof *w.routines);
    if (!w.routines)
        return cb_no_memory(err);
    enum cb_status status = do_round(&w, tu, path, name, err);
    *has_changed = status == CB_OK && w.n_changes > 0;
    if (*has_changed)
        take_changes(&w);
    for (int f = 0; f < u->n_functions; f++)
        free(w.routines[f].calls);
    free(w.routines);
    free(w.changes);
    return status;
}
