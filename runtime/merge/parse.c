/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of a file, and which kernel is merged.
 */
#include "runtime/merge/clang.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/merge/conditions.h"
#include "runtime/merge/macros.h"
#include "runtime/merge/written_out.h"
#include "runtime/source.h"

/* How often a text is read, and how much may be written out: a part that any text may need, so much
 * for each byte of it, and no more than all texts may. */
#define MOST_ROUNDS 64
#define LEAST_ROOM  ((size_t)1 << 16)
#define ROOM_FACTOR 16
#define MOST_ROOM   ((size_t)1 << 20)

/* Without generic pointers, and what cannot be without them. */
#define WITHOUT_GENERIC                                                                            \
    "-cl-ext=-__opencl_c_generic_address_space,-__opencl_c_pipes,-__opencl_c_device_enqueue"

/* What a text may take that seems to be too long for libclang. */
#define CLANG_SECONDS 10
#define CLANG_BYTES   ((rlim_t)4 << 30)
#define CLANG_DEPTH   4096 /* of expressions in each other */

/* Where the text lies for libclang, beside it the kernel library. */
#define FOLDER "/coopbench/"

/* Extensions that libclang has and usual devices lack: what #if has for those without is read. The
 * functions stay, for kernels that do not ask. */
#define WITHOUT(extension) "#undef " #extension "\n"
#define WITHOUT_EXTENSIONS                                                                         \
    WITHOUT(cl_amd_media_ops)                                                                      \
    WITHOUT(cl_amd_media_ops2)                                                                     \
    WITHOUT(cl_arm_integer_dot_product_accumulate_int16)                                           \
    WITHOUT(cl_arm_integer_dot_product_accumulate_int8)                                            \
    WITHOUT(cl_arm_integer_dot_product_accumulate_saturate_int8)                                   \
    WITHOUT(cl_arm_integer_dot_product_int8)                                                       \
    WITHOUT(cl_ext_float_atomics)                                                                  \
    WITHOUT(cl_intel_device_side_avc_motion_estimation)                                            \
    WITHOUT(cl_intel_subgroups)                                                                    \
    WITHOUT(cl_intel_subgroups_short)                                                              \
    WITHOUT(cl_khr_extended_bit_ops)                                                               \
    WITHOUT(cl_khr_gl_msaa_sharing)                                                                \
    WITHOUT(cl_khr_integer_dot_product)                                                            \
    WITHOUT(cl_khr_mipmap_image)                                                                   \
    WITHOUT(cl_khr_mipmap_image_writes)                                                            \
    WITHOUT(cl_khr_srgb_image_writes)                                                              \
    WITHOUT(cl_khr_subgroup_ballot)                                                                \
    WITHOUT(cl_khr_subgroup_clustered_reduce)                                                      \
    WITHOUT(cl_khr_subgroup_extended_types)                                                        \
    WITHOUT(cl_khr_subgroup_non_uniform_arithmetic)                                                \
    WITHOUT(cl_khr_subgroup_non_uniform_vote)                                                      \
    WITHOUT(cl_khr_subgroup_rotate)                                                                \
    WITHOUT(cl_khr_subgroup_shuffle)                                                               \
    WITHOUT(cl_khr_subgroup_shuffle_relative)                                                      \
    WITHOUT(cl_khr_subgroups)                                                                      \
    WITHOUT(__opencl_c_subgroups)

#define PRELUDE                                                                                    \
    "void offer_kill(void);\nvoid request_fork(void);\nvoid global_barrier(void);\n"               \
    "void resizing_global_barrier(void);\nuint coop_max_groups(void);\nuint coop_run(void);\n"     \
    "bool coop_resize_is_wanted(void);\nuint coop_query(void);\n#include \"launch_abi.h\"\n"       \
    "global cb_launch *coop_launch(void);\n"                                                       \
    "void " CB_MERGE_JOIN "(void);\nvoid " CB_MERGE_JOIN_ALL                                       \
    "(void);\ntypedef struct { int size; } task_range;\n"                                          \
    "task_range task_range_1d(uint, uint);\ntask_range task_range_2d(uint2, uint2);\n"             \
    "bool " CB_MERGE_SUBMITTED "(task_range);\n"                                                   \
    "#define " CB_MERGE_SUBMIT "(task, range, ...) (task(__VA_ARGS__), " CB_MERGE_SUBMITTED        \
    "(range))\n" WITHOUT_EXTENSIONS

/* ---- Functions ------------------------------------------------------------------------------- */

static bool is_kernel(const struct cb_merge_unit *u, uint32_t begin, uint32_t name_at)
{
    for (uint32_t i = begin; i < name_at; i++)
        if ((i == 0 || (!isalnum((unsigned char)u->code[i - 1]) && u->code[i - 1] != '_')) &&
            (cb_merge_stands_at(u, i, "kernel") || cb_merge_stands_at(u, i, "__kernel")))
            return true;
    return false;
}

static void note_function(struct cb_merge_parser *p, CXCursor c)
{
    struct cb_merge_unit *u = p->u;
    uint32_t name_at = cb_merge_offset_of(clang_getCursorLocation(c));
    u->functions = cb_merge_grown(u->functions, u->n_functions, sizeof *u->functions);
    struct cb_merge_function *f = &u->functions[u->n_functions++];
    *f = (struct cb_merge_function){.name = cb_merge_keep_string(u, clang_getCursorSpelling(c)),
                                    .name_at = name_at,
                                    .begin = cb_merge_begin_of(c),
                                    .end = cb_merge_end_of(c),
                                    .has_body = clang_isCursorDefinition(c)};
    const char *open = strchr(u->code + name_at, '(');
    f->is_kernel = is_kernel(u, f->begin, name_at);
    f->parameters = open ? (uint32_t)(open + 1 - u->code) : 0;
    f->parameters_end = open ? cb_merge_closing(u, (uint32_t)(open - u->code)) : 0;
    f->is_empty = open && cb_merge_is_empty(u, (uint32_t)(open + 1 - u->code), f->parameters_end);
    if (cb_merge_point_named(f->name) || cb_merge_id_named(f->name))
        cb_merge_problem(u, name_at, "%s is a word of the language: call the function otherwise",
                         f->name);
}

static void note_name(struct cb_merge_parser *p, CXCursor c)
{
    struct cb_merge_unit *u = p->u;
    u->names = cb_merge_grown(u->names, u->n_names, sizeof *u->names);
    u->names[u->n_names++] = cb_merge_keep_string(u, clang_getCursorSpelling(c));
}

static void note_table(struct cb_merge_parser *p, CXCursor c)
{
    struct cb_merge_unit *u = p->u;
    const CXType type = clang_getCanonicalType(clang_getCursorType(c));
    const char *spelling = cb_merge_keep_string(u, clang_getTypeSpelling(type));
    if (clang_getAddressSpace(type) != CB_CLANG_CONSTANT || strstr(spelling, "sampler_t"))
        return;
    u->tables = cb_merge_grown(u->tables, u->n_tables, sizeof *u->tables);
    struct cb_merge_table *t = &u->tables[u->n_tables++];
    *t = (struct cb_merge_table){.name = cb_merge_keep_string(u, clang_getCursorSpelling(c)),
                                 .end = UINT32_MAX};
    for (const char *at = spelling; (at = strpbrk(at, "[*")); at++)
        t->n_dimensions++;
}

static enum CXChildVisitResult note_constant(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    if (clang_getCursorKind(c) == CXCursor_EnumConstantDecl)
        note_name(data, c);
    return CXChildVisit_Continue;
}

/* A macro that is there before the text: the compiler's, or OpenCL's. */
static void note_given_macro(struct cb_merge_unit *u, CXCursor c)
{
    u->given_macros = cb_merge_grown(u->given_macros, u->n_given_macros, sizeof *u->given_macros);
    u->given_macros[u->n_given_macros++] = cb_merge_keep_string(u, clang_getCursorSpelling(c));
}

static enum CXChildVisitResult note_top(CXCursor c, CXCursor parent, CXClientData data)
{
    struct cb_merge_parser *p = data;
    (void)parent;
    enum CXCursorKind kind = clang_getCursorKind(c);
    bool is_directive = kind >= CXCursor_FirstPreprocessing && kind <= CXCursor_LastPreprocessing;
    if (is_directive || !cb_merge_is_in_file(p, c)) {
        if (kind == CXCursor_MacroDefinition && !cb_merge_is_in_file(p, c))
            note_given_macro(p->u, c);
        return CXChildVisit_Continue;
    }
    note_name(p, c);
    if (kind == CXCursor_EnumDecl)
        clang_visitChildren(c, note_constant, p);
    if (kind == CXCursor_FunctionDecl)
        note_function(p, c);
    else if (kind == CXCursor_VarDecl)
        note_table(p, c);
    else if (kind == CXCursor_TypedefDecl || kind == CXCursor_StructDecl ||
             kind == CXCursor_UnionDecl || kind == CXCursor_EnumDecl)
        cb_merge_note_type(p, c);
    return CXChildVisit_Continue;
}

/* What a function calls: a helper's body is read for that alone. */
static enum CXChildVisitResult read_calls(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    if (clang_getCursorKind(c) == CXCursor_CallExpr)
        cb_merge_look_at_call(data, c);
    return CXChildVisit_Recurse;
}

struct numbered {
    struct cb_merge_parser *p;
    int n;
    void (*visit)(struct cb_merge_parser *p, int function, CXCursor c);
};

static enum CXChildVisitResult visit_function(CXCursor c, CXCursor parent, CXClientData data)
{
    struct numbered *numbered = data;
    (void)parent;
    if (cb_merge_is_in_file(numbered->p, c) && clang_getCursorKind(c) == CXCursor_FunctionDecl)
        numbered->visit(numbered->p, numbered->n++, c);
    return CXChildVisit_Continue;
}

static void read_helper(struct cb_merge_parser *p, int function, CXCursor c)
{
    p->function = function;
    if (function != p->u->kernel && !p->u->functions[function].is_kernel)
        clang_visitChildren(c, read_calls, p);
}

/* What a helper tells may be what another tells it. */
static void spread_differences(struct cb_merge_unit *u)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int f = 0; f < u->n_functions; f++)
            for (int i = 0; i < u->functions[f].n_calls; i++) {
                struct cb_merge_function *caller = &u->functions[f];
                const int all = caller->differs | u->functions[caller->calls[i]].differs;
                changed |= all != caller->differs;
                caller->differs = all;
            }
    }
}

static void read_kernel(struct cb_merge_parser *p, int function, CXCursor c)
{
    if (function != p->u->kernel)
        return;
    p->function = function;
    p->is_in_kernel = true;
    p->scope_end = p->u->functions[function].end;
    struct cb_merge_children children = cb_merge_children_of(p->u, c);
    for (int i = 0; i < children.n; i++) {
        enum CXCursorKind kind = clang_getCursorKind(children.list[i]);
        if (kind == CXCursor_ParmDecl)
            cb_merge_new_var(p, children.list[i], true);
        else if (kind == CXCursor_CompoundStmt)
            p->u->body = cb_merge_read_statement(p, children.list[i]);
    }
}

static bool is_point_at(const struct cb_merge_node *n, uint32_t at)
{
    bool found = n->kind == CB_MERGE_POINT && n->begin == at;
    for (const struct cb_merge_node *c = n->first; c && !found; c = c->next)
        found = is_point_at(c, at);
    return found;
}

/* One that the user's macros define away, as for other compilers. */
static void check_words(struct cb_merge_unit *u)
{
    const struct cb_merge_function *kernel = &u->functions[u->kernel];
    for (uint32_t at = kernel->parameters_end; (at = cb_merge_next_point(u, kernel, at)); at++)
        if (!is_point_at(u->body, at) && u->n_problems == 0)
            cb_merge_problem(u, at,
                             "a point that is none here: a macro of that name, or #if, takes "
                             "it away. Define none for this tool");
}

/* ---- The file -------------------------------------------------------------------------------- */

/* What clang finds wrong. */
static void note_diagnostics(struct cb_merge_parser *p, CXTranslationUnit tu)
{
    for (unsigned i = 0; i < clang_getNumDiagnostics(tu); i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(tu, i);
        CXString what = clang_getDiagnosticSpelling(diagnostic);
        if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error)
            cb_merge_problem(p->u, cb_merge_offset_of(clang_getDiagnosticLocation(diagnostic)),
                             "%s", clang_getCString(what));
        clang_disposeString(what);
        clang_disposeDiagnostic(diagnostic);
    }
}

static void note_skipped(struct cb_merge_parser *p, CXTranslationUnit tu)
{
    struct cb_merge_unit *u = p->u;
    CXSourceRangeList *all = clang_getSkippedRanges(tu, p->file);
    for (unsigned i = 0; all && i < all->count; i++) {
        u->skipped = cb_merge_grown(u->skipped, u->n_skipped, sizeof *u->skipped);
        u->skipped[u->n_skipped++] =
            (struct cb_merge_range){cb_merge_offset_of(clang_getRangeStart(all->ranges[i])),
                                    cb_merge_offset_of(clang_getRangeEnd(all->ranges[i]))};
    }
    if (all)
        clang_disposeSourceRangeList(all);
}

static enum cb_status read_unit(struct cb_merge_parser *p, CXTranslationUnit tu, const char *path,
                                const char *name, bool *has_changed, struct cb_err *err)
{
    struct cb_merge_unit *u = p->u;
    CXCursor top = clang_getTranslationUnitCursor(tu);
    p->file = clang_getFile(tu, FOLDER "merged.cl");
    note_diagnostics(p, tu);
    if (u->n_problems)
        return cb_merge_verdict(u, err);
    note_skipped(p, tu);
    clang_visitChildren(top, note_top, p);
    cb_merge_find_macros(u);
    cb_merge_decide(u);
    if (cb_merge_write_out(p, tu, path, name, has_changed, err) != CB_OK || *has_changed)
        return *has_changed ? CB_OK : err->status;
    const struct cb_merge_function *kernel = &u->functions[u->kernel];
    u->is_task = cb_merge_next_point(u, kernel, kernel->begin + 1) == 0;
    clang_visitChildren(top, visit_function, &(struct numbered){p, 0, read_helper});
    spread_differences(u);
    clang_visitChildren(top, visit_function, &(struct numbered){p, 0, read_kernel});
    check_words(u);
    return CB_OK;
}

struct files {
    struct CXUnsavedFile *list;
    unsigned n;
};

static void put_file(struct cb_merge_unit *u, struct files *files, const char *name,
                     const char *text)
{
    const size_t size = strlen(FOLDER) + strlen(name) + 1;
    char *path = cb_merge_keep(u, size);
    snprintf(path, size, "%s%s", FOLDER, name);
    files->list[files->n++] = (struct CXUnsavedFile){path, text, strlen(text)};
}

/* The text, what is declared before it, and, if it includes anything beyond the user's files, which
 * it has in it, the kernel library; the list is the unit's. */
static struct files files_of(struct cb_merge_unit *u)
{
    static const char library[] = "kernels/";
    const bool is_whole = strstr(u->code, "include");
    size_t all = 2;
    for (const struct cb_embedded *file = cb_embedded_files; file->path; file++)
        all++;
    struct files files = {.list = cb_merge_keep(u, all * sizeof *files.list)};
    put_file(u, &files, "merged.cl", u->text);
    put_file(u, &files, "prelude.cl", PRELUDE);
    for (const struct cb_embedded *file = cb_embedded_files; file->path; file++) {
        const char *name = file->path + strlen(library);
        if (strncmp(file->path, library, strlen(library)) == 0 &&
            (is_whole || strcmp(name, "launch_abi.h") == 0 || strcmp(name, "types.h") == 0))
            put_file(u, &files, name, file->text);
    }
    return files;
}

static enum CXErrorCode translate(struct cb_merge_unit *u, CXIndex index, CXTranslationUnit *tu)
{
    static const char *const arguments[] = {"-x",
                                            "cl",
                                            "-cl-std=CL3.0",
                                            "--target=spir64",
                                            "-Xclang",
                                            "-finclude-default-header",
                                            "-I" COOPBENCH_CLANG_RESOURCES "/include",
                                            "-D__OPENCL_VERSION__=300",
                                            "-DCB_ATOMICS_C11",
                                            "-DCOOP_WG_SIZE=64",
                                            "-include",
                                            FOLDER "prelude.cl",
                                            "-Wno-everything",
                                            "-Dtransmit=__attribute__((annotate(\"transmit\")))",
                                            "-Xclang",
                                            WITHOUT_GENERIC};
    const int n = CB_COUNTOF(arguments) - (u->has_no_generic ? 0 : 2);
    const struct files files = files_of(u);
    return clang_parseTranslationUnit2(index, FOLDER "merged.cl", arguments, n, files.list, files.n,
                                       CXTranslationUnit_DetailedPreprocessingRecord, tu);
}

static enum CXChildVisitResult measure_depth(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    if (*(int *)data == 0)
        return CXChildVisit_Break;
    int below = *(int *)data - 1;
    const bool is_deep = clang_visitChildren(c, measure_depth, &below);
    return is_deep ? CXChildVisit_Break : CXChildVisit_Continue;
}

/* Whether libclang takes a text within some seconds and some memory, and no expression of it is too
 * deep for the device's compiler: tried in a process of its own, as one that it does not take ends
 * that. */
static bool is_taken_apart(struct cb_merge_unit *u)
{
    const struct rlimit seconds = {CLANG_SECONDS, CLANG_SECONDS}, none = {0, 0};
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        CXTranslationUnit tu = NULL;
        alarm(4 * CLANG_SECONDS);
        setrlimit(RLIMIT_CPU, &seconds);
        setrlimit(RLIMIT_CORE, &none);
#ifndef __SANITIZE_ADDRESS__ /* which has more from the beginning */
        setrlimit(RLIMIT_DATA, &(struct rlimit){CLANG_BYTES, CLANG_BYTES});
#endif
        (void)!freopen("/dev/null", "w", stderr); /* where it says how it crashes */
        int depth = CLANG_DEPTH;
        _exit(
            translate(u, clang_createIndex(0, 0), &tu) == CXError_Success &&
                    !clang_visitChildren(clang_getTranslationUnitCursor(tu), measure_depth, &depth)
                ? 0
                : 1);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static enum cb_status parse_once(struct cb_merge_unit *u, const char *path, const char *name,
                                 bool *has_changed, struct cb_err *err)
{
    struct cb_merge_parser p = {.u = u};
    CXIndex index = clang_createIndex(0, 0);
    CXTranslationUnit tu = NULL;
    enum CXErrorCode code = translate(u, index, &tu);
    enum cb_status status =
        code == CXError_Success
            ? read_unit(&p, tu, path, name, has_changed, err)
            : cb_fail(err, CB_ERROR, "%s: libclang fails (%d)", path, (int)code);
    if (tu)
        clang_disposeTranslationUnit(tu);
    clang_disposeIndex(index);
    return status;
}

/* A pointer that says of no address space is generic, or, as OpenCL C 1.2 has it, private: what the
 * text cannot be with the one it may be with the other. */
static enum cb_status parse(struct cb_merge_unit *u, const char *path, const char *name,
                            bool *has_changed, struct cb_err *err)
{
    const enum cb_status status = parse_once(u, path, name, has_changed, err);
    if (status == CB_OK || u->has_no_generic || !strstr(err->text, "__generic"))
        return status;
    cb_merge_forget(u);
    cb_merge_blank(u);
    u->has_no_generic = true;
    cb_succeed(err);
    return parse_once(u, path, name, has_changed, err);
}

enum cb_status cb_merge_parse(struct cb_merge_unit *u, const char *path, const char *name,
                              struct cb_err *err)
{
    const size_t room = LEAST_ROOM + ROOM_FACTOR * strlen(u->text);
    bool has_changed = true;
    if (cb_clang_load(err) != CB_OK)
        return err->status;
    u->room = room < MOST_ROOM ? room : MOST_ROOM;
    cb_merge_blank(u);
    const bool is_worth_a_try = cb_merge_check_expanded(u);
    if (u->n_problems > 0 && !(is_worth_a_try && is_taken_apart(u)))
        return cb_merge_verdict(u, err);
    for (int round = 0; has_changed; round++) {
        has_changed = false;
        if (round == MOST_ROUNDS)
            u->room = 1; /* for nothing more */
        cb_merge_forget(u);
        cb_merge_blank(u);
        if (parse(u, path, name, &has_changed, err) != CB_OK)
            return err->status;
        if (!has_changed) {
            cb_merge_find_live(u);
            has_changed = cb_merge_write_out_variables(u);
        }
        if (u->n_problems > 0)
            return cb_merge_verdict(u, err);
    }
    return CB_OK;
}
