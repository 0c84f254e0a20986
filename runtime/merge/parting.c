/* SPDX-License-Identifier: Apache-2.0
 *
 * Conditions that an id decides, so that no kernel can mean all work-items by them: id == 0, !id,
 * id > 0 and the like. Of others, such as id < n, nothing is sure.
 */
#include <string.h>

#include "runtime/merge/clang.h"
#include "runtime/merge/conditions.h"

bool cb_merge_has_value(CXCursor c, int *value)
{
    CXEvalResult result = clang_Cursor_Evaluate(c);
    const bool is_whole = result && clang_EvalResult_getKind(result) == CXEval_Int;
    const long long all = is_whole ? clang_EvalResult_getAsLongLong(result) : 0;
    const bool has = is_whole && all == (int)all;
    *value = (int)all;
    if (result)
        clang_EvalResult_dispose(result);
    return has;
}

enum cb_merge_value cb_merge_value_of(struct cb_merge_unit *u, CXCursor c)
{
    int value;
    if (!cb_merge_has_value(c, &value) ||
        !cb_merge_is_by_text(u, cb_merge_begin_of(c), cb_merge_end_of(c)))
        return CB_ANY_VALUE;
    return value ? CB_ALWAYS_TRUE : CB_ALWAYS_FALSE;
}

static bool is_id(CXCursor c)
{
    if (clang_getCursorKind(c) != CXCursor_CallExpr)
        return false;
    CXString name = cb_merge_called(c);
    const struct cb_merge_id_name *id = cb_merge_id_named(clang_getCString(name));
    const bool is = id && id->changes && strstr(id->source, "_id");
    clang_disposeString(name);
    return is;
}

static enum cb_merge_parting compared(const struct cb_merge_unit *u, CXCursor id, CXCursor with,
                                      uint32_t from, uint32_t to)
{
    int value;
    if (!is_id(id) || !cb_merge_has_value(with, &value))
        return CB_ALL_ALIKE;
    if (cb_merge_is_operator(u, from, to, "=="))
        return value == 0 ? CB_BOTH_WAYS : CB_NOT_ALL_COME;
    const bool is_nonzero =
        cb_merge_is_operator(u, from, to, "!=") || cb_merge_is_operator(u, from, to, ">");
    return (is_nonzero && value == 0) || (cb_merge_is_operator(u, from, to, ">=") && value == 1) ||
                   (cb_merge_is_operator(u, from, to, "<") && value == 1)
               ? CB_BOTH_WAYS
               : CB_ALL_ALIKE;
}

static enum cb_merge_parting parting_by(struct cb_merge_unit *u, CXCursor condition)
{
    const CXCursor c = cb_merge_bare(condition);
    const enum CXCursorKind kind = clang_getCursorKind(c);
    struct cb_merge_children parts = cb_merge_children_of(u, c);
    if (is_id(c))
        return CB_BOTH_WAYS;
    if (kind == CXCursor_UnaryOperator && parts.n == 1 && u->code[cb_merge_begin_of(c)] == '!')
        return parting_by(u, parts.list[0]) == CB_BOTH_WAYS ? CB_BOTH_WAYS : CB_ALL_ALIKE;
    if (kind != CXCursor_BinaryOperator || parts.n != 2)
        return CB_ALL_ALIKE;
    const CXCursor left = cb_merge_bare(parts.list[0]), right = cb_merge_bare(parts.list[1]);
    const uint32_t from = cb_merge_end_of(parts.list[0]), to = cb_merge_begin_of(parts.list[1]);
    if (cb_merge_is_operator(u, from, to, "&&"))
        return parting_by(u, left) || parting_by(u, right) ? CB_NOT_ALL_COME : CB_ALL_ALIKE;
    const enum cb_merge_parting parting = compared(u, left, right, from, to);
    return parting || !cb_merge_is_operator(u, from, to, "==") ? parting
                                                               : compared(u, right, left, from, to);
}

static enum cb_merge_parting parting_of_whole(struct cb_merge_unit *u, CXCursor condition)
{
    return cb_merge_value_of(u, condition) ? CB_ALL_ALIKE : parting_by(u, condition);
}

enum cb_merge_parting cb_merge_parting_of(struct cb_merge_unit *u, CXCursor statement)
{
    struct cb_merge_children parts = cb_merge_children_of(u, statement);
    switch (clang_getCursorKind(statement)) {
    case CXCursor_IfStmt:
    case CXCursor_WhileStmt:
        return parts.n > 1 ? parting_of_whole(u, parts.list[0]) : CB_ALL_ALIKE;
    case CXCursor_DoStmt:
        return parts.n > 1 ? parting_of_whole(u, parts.list[1]) : CB_ALL_ALIKE;
    default: /* of a for, libclang does not tell which part is missing */
        return CB_ALL_ALIKE;
    }
}

bool cb_merge_comes_once(struct cb_merge_unit *u, CXCursor statement)
{
    struct cb_merge_children parts = cb_merge_children_of(u, statement);
    int value;
    if (clang_getCursorKind(statement) != CXCursor_DoStmt || parts.n < 2)
        return false;
    const CXCursor condition = cb_merge_bare(parts.list[1]);
    const enum CXCursorKind kind = clang_getCursorKind(condition);
    const bool is_literal = kind == CXCursor_IntegerLiteral || kind == CXCursor_CXXBoolLiteralExpr;
    return is_literal ? cb_merge_has_value(condition, &value) && value == 0
                      : cb_merge_value_of(u, condition) == CB_ALWAYS_FALSE;
}
