/* SPDX-License-Identifier: Apache-2.0
 *
 * Which variables an expression reads and writes, and what it calls.
 */
#include "runtime/merge/clang.h"

#include <stdlib.h>
#include <string.h>

static void note_call(struct cb_merge_parser *p, int function, CXCursor c)
{
    struct cb_merge_function *caller = &p->u->functions[p->function],
                             *callee = &p->u->functions[function];
    caller->calls = cb_merge_grown(caller->calls, caller->n_calls, sizeof *caller->calls);
    caller->calls[caller->n_calls++] = function;
    uint32_t begin = cb_merge_begin_of(c), end = cb_merge_end_of(c) - 1;
    bool is_written = cb_merge_stands_at(p->u, begin, callee->name) && p->u->text[end] == ')';
    const char *open = strchr(p->u->code + begin, '(');
    callee->call_ends =
        cb_merge_grown(callee->call_ends, callee->n_call_ends, sizeof *callee->call_ends);
    callee->call_is_empty =
        cb_merge_grown(callee->call_is_empty, callee->n_call_ends, sizeof *callee->call_is_empty);
    callee->call_ends[callee->n_call_ends] = is_written ? end : 0;
    callee->call_is_empty[callee->n_call_ends++] =
        is_written && open && cb_merge_is_empty(p->u, (uint32_t)(open + 1 - p->u->code), end);
}

/* Whom that differs between what a function tells: ids, and what atomics find that change it. */
static int differs(const char *name)
{
    const struct cb_merge_id_name *id = cb_merge_id_named(name);
    const bool is_id = id && id->changes && strstr(name, "_id");
    const bool is_atomic =
        strncmp(name, "atom", 4) == 0 && strncmp(name, "atomic_load", strlen("atomic_load")) != 0;
    if (is_id && strncmp(name, "get_local", strlen("get_local")) == 0)
        return CB_WITHIN_GROUPS;
    if (is_id && strncmp(name, "get_group", strlen("get_group")) == 0)
        return CB_BETWEEN_GROUPS;
    return is_id || is_atomic || strcmp(name, "coop_resize_is_wanted") == 0 ||
                   strcmp(name, "coop_query") == 0
               ? CB_WITHIN_GROUPS | CB_BETWEEN_GROUPS
               : 0;
}

static int asked_of(const char *name)
{
    return strcmp(name, "get_global_id") == 0 || strcmp(name, "get_group_id") == 0       ? CB_PLACES
           : strcmp(name, "get_global_size") == 0 || strcmp(name, "get_num_groups") == 0 ? CB_STEPS
           : strcmp(name, "get_local_id") == 0                                           ? CB_ITEMS
                                                                                         : CB_SIDES;
}

/* A dimension that is no number is, perhaps, any: then steps and sides are known of all. */
static void ask(struct cb_merge_function *f, const char *name, CXCursor call)
{
    const int what = asked_of(name);
    const bool is_extent = what == CB_STEPS || what == CB_SIDES;
    struct cb_merge_asked *asked = &f->asked[what];
    int of = 0;
    const bool is_known = clang_Cursor_getNumArguments(call) == 1 &&
                          cb_merge_has_value(clang_Cursor_getArgument(call, 0), &of);
    if (!is_known && !asked->any_at)
        asked->any_at = cb_merge_begin_of(call);
    for (int d = 1; d < 3; d++)
        if (is_known ? of == d : is_extent) {
            asked->at[d] = asked->at[d] ? asked->at[d] : cb_merge_begin_of(call);
            asked->dimensions |= 1u << d;
        }
}

static void look_at_id(struct cb_merge_parser *p, struct cb_merge_function *f, const char *name,
                       CXCursor c)
{
    const uint32_t at = cb_merge_begin_of(c);
    f->id_at = f->id_at ? f->id_at : at;
    f->differs |= differs(name);
    f->asks_group |=
        strstr(name, "_id") && strncmp(name, "get_global_", strlen("get_global_")) != 0;
    if (p->u->is_task && !cb_merge_id_named(name)->task)
        cb_merge_problem(p->u, at,
                         "%s() is a word of cooperative kernels, and this kernel has no "
                         "scheduling point",
                         name);
    else if (cb_merge_id_named(name)->is_of_dimension)
        ask(f, name, c);
}

bool cb_merge_is_collective(const char *name)
{
    static const char *const begins[] = {"async_work_group_", "wait_group_events", "work_group_",
                                         "sub_group_"};
    for (size_t i = 0; i < CB_COUNTOF(begins); i++)
        if (strncmp(name, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

/* A task may submit itself, which is no call: its name does not stand there, but submit_task(). */
static bool is_own_submission(const struct cb_merge_parser *p, const char *name, CXCursor c)
{
    return strcmp(name, p->u->functions[p->u->kernel].name) == 0 &&
           !cb_merge_stands_at(p->u, cb_merge_begin_of(c), name);
}

void cb_merge_look_at_call(struct cb_merge_parser *p, CXCursor c)
{
    CXString string = cb_merge_called(c);
    const char *name = clang_getCString(string);
    struct cb_merge_function *f = &p->u->functions[p->function];
    int function = cb_merge_function_named(p->u, name);
    if (cb_merge_point_named(name) && p->is_in_kernel)
        cb_merge_problem(p->u, cb_merge_begin_of(c), "%s() has to be a statement of its own", name);
    else if (cb_merge_point_named(name))
        f->point_at = f->point_at ? f->point_at : cb_merge_begin_of(c);
    else if (cb_merge_id_named(name))
        look_at_id(p, f, name, c);
    else if (strcmp(name, CB_MERGE_SUBMITTED) == 0)
        f->id_at = f->id_at ? f->id_at : cb_merge_begin_of(c);
    else if (is_own_submission(p, name, c))
        p->u->submits_itself = true;
    else if (function >= 0)
        note_call(p, function, c);
    else if (cb_merge_is_collective(name) && !f->collective_at)
        f->collective_at = cb_merge_begin_of(c);
    clang_disposeString(string);
}

static enum CXChildVisitResult find_id(CXCursor c, CXCursor parent, CXClientData data)
{
    uint32_t *at = data;
    enum CXCursorKind kind = clang_getCursorKind(c);
    (void)parent;
    if (kind == CXCursor_ArraySubscriptExpr) /* what lies there is no id */
        return CXChildVisit_Continue;
    if (kind != CXCursor_CallExpr)
        return CXChildVisit_Recurse;
    CXString name = cb_merge_called(c);
    const struct cb_merge_id_name *id = cb_merge_id_named(clang_getCString(name));
    if (id && id->changes)
        *at = cb_merge_begin_of(c);
    clang_disposeString(name);
    return *at ? CXChildVisit_Break : CXChildVisit_Continue;
}

void cb_merge_look_for_id(struct cb_merge_parser *p, int var, CXCursor value)
{
    uint32_t at = 0;
    if (find_id(value, value, &at) == CXChildVisit_Recurse)
        clang_visitChildren(value, find_id, &at);
    if (at)
        p->u->vars[var].id_at = at;
}

/* ---- Expressions ----------------------------------------------------------------------------- */

static void read_all(struct cb_merge_parser *p, struct cb_merge_children children,
                     struct cb_merge_node *parent)
{
    for (int i = 0; i < children.n; i++)
        cb_merge_read_expression(p, children.list[i], parent);
}

static void read_maybe(struct cb_merge_parser *p, CXCursor c, struct cb_merge_node *parent)
{
    bool before = p->is_maybe;
    p->is_maybe = true;
    cb_merge_read_expression(p, c, parent);
    p->is_maybe = before;
}

/* Whether it is all of a variable that is written: not a component of a vector. */
static bool is_whole(CXCursor left)
{
    return clang_equalTypes(clang_getCanonicalType(clang_getCursorType(left)),
                            clang_getCanonicalType(clang_getCursorType(cb_merge_bare(left))));
}

/* The variable of which an expression is a part, or which it is. */
static int var_in(const struct cb_merge_parser *p, CXCursor c)
{
    for (c = cb_merge_bare(c);; c = cb_merge_bare(cb_merge_first_child(c))) {
        enum CXCursorKind kind = clang_getCursorKind(c);
        if (kind != CXCursor_MemberRefExpr && kind != CXCursor_ArraySubscriptExpr)
            return cb_merge_var_of(p, c);
    }
}

/* A variable, or a part of it, may be written: not what it points to. */
static void note_writing(struct cb_merge_parser *p, CXCursor left)
{
    int base = var_in(p, left), whole = cb_merge_var_of(p, cb_merge_bare(left));
    if (base >= 0 && (base == whole || !p->u->vars[base].is_pointer))
        p->u->vars[base].may_be_written |= !p->u->vars[base].is_const;
}

/* Notes what lies in private memory as changed, by the variables that lead there: what a call is
 * given has been noted with it. */
static void note_pointers(struct cb_merge_parser *p, CXCursor c, struct cb_merge_node *parent)
{
    const enum CXCursorKind kind = clang_getCursorKind(c);
    const bool is_part = kind == CXCursor_MemberRefExpr || kind == CXCursor_ArraySubscriptExpr;
    const int var = cb_merge_var_of(p, c);
    const struct cb_merge_var *v = var >= 0 ? &p->u->vars[var] : NULL;
    if (v && (v->has_private_pointer || (*v->dimensions && !v->is_local && !v->is_constant)))
        cb_merge_note(p, parent, CB_MERGE_CHANGES, var, c);
    if (v || kind == CXCursor_CallExpr)
        return;
    const struct cb_merge_children children = cb_merge_children_of(p->u, c);
    for (int i = 0; i < children.n && (i == 0 || !is_part); i++)
        note_pointers(p, children.list[i], parent);
}

/* Whether something lies where a pointer leads: by *, [] or ->. */
static bool is_pointed_to(CXCursor c)
{
    for (c = cb_merge_bare(c);; c = cb_merge_bare(cb_merge_first_child(c))) {
        const enum CXCursorKind kind = clang_getCursorKind(c);
        const bool is_member = kind == CXCursor_MemberRefExpr;
        if (kind == CXCursor_ArraySubscriptExpr)
            return true;
        if (!is_member && kind != CXCursor_UnaryOperator)
            return false;
        const CXType of = clang_getCanonicalType(clang_getCursorType(cb_merge_first_child(c)));
        if (!is_member || of.kind == CXType_Pointer)
            return of.kind == CXType_Pointer;
    }
}

/* Notes that a variable is changed, or a part of it, or what it points to in local memory or that
 * of the work-item. */
static void note_change(struct cb_merge_parser *p, CXCursor left, struct cb_merge_node *parent)
{
    const int base = var_in(p, left), whole = cb_merge_var_of(p, cb_merge_bare(left));
    if (base >= 0 &&
        (base == whole || !p->u->vars[base].is_pointer || p->u->vars[base].is_local_pointer))
        cb_merge_note(p, parent, CB_MERGE_CHANGES, base, left);
    else if (base >= 0 || is_pointed_to(left))
        note_pointers(p, left, parent);
}

/* What a call gets a pointer to, it may change. */
static void note_given(struct cb_merge_parser *p, CXCursor call, struct cb_merge_node *parent)
{
    for (int i = 0; i < clang_Cursor_getNumArguments(call); i++) {
        const CXCursor given = clang_Cursor_getArgument(call, (unsigned)i);
        const CXType type = clang_getCanonicalType(clang_getCursorType(given));
        if (type.kind == CXType_Pointer && !clang_isConstQualifiedType(clang_getPointeeType(type)))
            note_pointers(p, given, parent);
    }
}

/* Notes the operand of an operator that may change it, or take its address, as changed: one that
 * only reads it converts it to its value, which libclang shows. */
static void note_maybe(struct cb_merge_parser *p, CXCursor operand, struct cb_merge_node *parent)
{
    CXCursor c = operand;
    while (clang_getCursorKind(c) == CXCursor_ParenExpr)
        c = cb_merge_first_child(c);
    if (clang_getCursorKind(c) != CXCursor_UnexposedExpr)
        note_change(p, operand, parent);
}

/* What a variable was lives on, but for a part of it, or if it is not surely written. */
static void read_part(struct cb_merge_parser *p, CXCursor left, struct cb_merge_node *parent)
{
    cb_merge_read_expression(p, left, parent);
    note_change(p, left, parent);
}

static bool is_wide(CXCursor c)
{
    const enum CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(c)).kind;
    return kind == CXType_Int || kind == CXType_UInt || kind == CXType_Long || kind == CXType_ULong;
}

/* The last part of a conversion or a declaration is what it converts, or begins with. */
static CXCursor last_part(struct cb_merge_unit *u, CXCursor c)
{
    struct cb_merge_children parts = cb_merge_children_of(u, c);
    return cb_merge_bare(parts.n ? parts.list[parts.n - 1] : c);
}

static CXCursor unconverted(struct cb_merge_unit *u, CXCursor c, bool *is_all)
{
    *is_all &= is_wide(c);
    c = cb_merge_bare(c);
    for (; clang_getCursorKind(c) == CXCursor_CStyleCastExpr; c = last_part(u, c))
        *is_all &= is_wide(c);
    *is_all &= is_wide(c);
    return c;
}

/* The dimension of the id that an expression is, itself or by a variable that begins so; -1: it is
 * another, or not all of one. */
static int dimension_of_id(struct cb_merge_parser *p, CXCursor c, const char *function)
{
    bool is_all = true;
    c = unconverted(p->u, c, &is_all);
    if (cb_merge_var_of(p, c) >= 0)
        c = unconverted(p->u, last_part(p->u, clang_getCursorReferenced(c)), &is_all);
    if (!is_all || clang_getCursorKind(c) != CXCursor_CallExpr)
        return -1;
    CXString name = cb_merge_called(c);
    int dimension;
    const bool is_known = strcmp(clang_getCString(name), function) == 0 &&
                          clang_Cursor_getNumArguments(c) == 1 &&
                          cb_merge_has_value(clang_Cursor_getArgument(c, 0), &dimension);
    clang_disposeString(name);
    return is_known ? dimension : -1;
}

/* get_global_id(d) - get_local_id(d), where a workgroup begins: the same for all of it. */
static bool is_origin(struct cb_merge_parser *p, CXCursor left, CXCursor right)
{
    const int dimension = dimension_of_id(p, left, "get_global_id");
    return dimension >= 0 && dimension_of_id(p, right, "get_local_id") == dimension;
}

/* Operators of which the right side is not always evaluated may hide in macros: none but = is taken
 * for one that always does. */
static void read_binary(struct cb_merge_parser *p, struct cb_merge_children children,
                        struct cb_merge_node *parent)
{
    CXCursor left = children.list[0], right = children.list[1];
    uint32_t from = cb_merge_end_of(left), to = cb_merge_begin_of(right);
    int var = cb_merge_var_of(p, cb_merge_bare(left));
    if (from >= to || cb_merge_is_operator(p->u, from, to, "=")) /* from >= to: out of a macro */
        note_writing(p, left);
    if (cb_merge_is_operator(p->u, from, to, "=") && var >= 0) {
        cb_merge_read_expression(p, right, parent);
        cb_merge_look_for_id(p, var, right);
        p->u->vars[var].written_at = from;
        if (!p->is_maybe && !*p->u->vars[var].dimensions && is_whole(left))
            cb_merge_note(p, parent, CB_MERGE_WRITES, var, left);
        else
            read_part(p, left, parent);
    } else if (cb_merge_is_operator(p->u, from, to, "-") && is_origin(p, left, right)) {
        struct cb_merge_node *origin = cb_merge_new_node(p, CB_MERGE_ORIGIN, left);
        cb_merge_append(parent, origin);
        cb_merge_read_expression(p, left, origin);
        cb_merge_read_expression(p, right, origin);
    } else {
        cb_merge_read_expression(p, left, parent);
        read_maybe(p, right, parent);
        note_maybe(p, left, parent);
    }
}

static int call_differs(const struct cb_merge_parser *p, CXCursor c)
{
    CXString name = cb_merge_called(c);
    const int function = cb_merge_function_named(p->u, clang_getCString(name));
    const int whom =
        differs(clang_getCString(name)) | (function >= 0 ? p->u->functions[function].differs : 0);
    clang_disposeString(name);
    return whom;
}

static void read_unary(struct cb_merge_parser *p, CXCursor c, struct cb_merge_children children,
                       struct cb_merge_node *parent)
{
    int var = p->u->code[cb_merge_begin_of(c)] == '&' ? var_in(p, children.list[0]) : -1;
    bool is_kept = var >= 0 && !p->u->vars[var].is_local;
    if (is_kept &&
        (var == cb_merge_var_of(p, cb_merge_bare(children.list[0])) || p->u->vars[var].is_record))
        p->u->vars[var].address_at = cb_merge_begin_of(c);
    uint32_t end = cb_merge_end_of(c);
    int changed = cb_merge_var_of(p, cb_merge_bare(children.list[0]));
    if (changed >= 0 && (strncmp(p->u->text + cb_merge_begin_of(c), "++", 2) == 0 ||
                         strncmp(p->u->text + cb_merge_begin_of(c), "--", 2) == 0 ||
                         strncmp(p->u->text + end - 2, "++", 2) == 0 ||
                         strncmp(p->u->text + end - 2, "--", 2) == 0))
        p->u->vars[changed].written_at = cb_merge_begin_of(c);
    if (strncmp(p->u->text + cb_merge_begin_of(c), "++", 2) == 0 ||
        strncmp(p->u->text + cb_merge_begin_of(c), "--", 2) == 0 ||
        !strchr("-+!~*&", p->u->code[cb_merge_begin_of(c)])) /* x++, or out of a macro */
        note_writing(p, children.list[0]);
    read_all(p, children, parent);
    note_maybe(p, children.list[0], parent);
}

void cb_merge_read_expression(struct cb_merge_parser *p, CXCursor c, struct cb_merge_node *parent)
{
    enum CXCursorKind kind = clang_getCursorKind(c);
    struct cb_merge_children children = cb_merge_children_of(p->u, c);
    int var = cb_merge_var_of(p, c);
    if (var >= 0) {
        cb_merge_note(p, parent, CB_MERGE_READS, var, c);
    } else if (kind == CXCursor_BinaryOperator && children.n == 2) {
        read_binary(p, children, parent);
    } else if (kind == CXCursor_CompoundAssignOperator && children.n == 2) {
        int changed = cb_merge_var_of(p, cb_merge_bare(children.list[0]));
        if (changed >= 0)
            p->u->vars[changed].written_at = cb_merge_begin_of(c);
        note_writing(p, children.list[0]);
        read_all(p, children, parent);
        note_change(p, children.list[0], parent);
    } else if (kind == CXCursor_UnaryOperator && children.n == 1) {
        read_unary(p, c, children, parent);
    } else if (kind == CXCursor_ConditionalOperator && children.n == 3) {
        cb_merge_read_expression(p, children.list[0], parent);
        read_maybe(p, children.list[1], parent);
        read_maybe(p, children.list[2], parent);
    } else {
        bool was_maybe = p->is_maybe;
        if (kind == CXCursor_CallExpr)
            cb_merge_look_at_call(p, c);
        if (kind == CXCursor_CallExpr && call_differs(p, c))
            cb_merge_note(p, parent, CB_MERGE_DIFFERS, call_differs(p, c), c);
        /* sizeof evaluates nothing; of a ?: b and ({ }) libclang tells no more than the parts */
        p->is_maybe |= kind == CXCursor_UnaryExpr || kind == CXCursor_StmtExpr ||
                       (kind == CXCursor_UnexposedExpr && children.n > 1);
        read_all(p, children, parent);
        p->is_maybe = was_maybe;
        if (kind == CXCursor_CallExpr)
            note_given(p, c, parent);
    }
}
