/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the merge tool that read libclang's cursors have in common.
 */
#pragma once

#include "runtime/merge/load.h"
#include "runtime/merge/unit.h"

struct cb_merge_parser {
    struct cb_merge_unit *u;
    CXFile file;
    int function; /* whose body is read */
    bool is_in_kernel;
    uint32_t scope_end;               /* end of the innermost block */
    bool is_maybe;                    /* what is written here may not be */
    CXCursor declared[CB_MERGE_VARS]; /* cursor of each variable */
};

struct cb_merge_children {
    CXCursor *list;
    int n;
};

/* ---- Places and texts ------------------------------------------------------------------------ */

/* Where it stands in the text; of what comes out of a macro, where that is used. */
uint32_t cb_merge_offset_of(CXSourceLocation location);
uint32_t cb_merge_begin_of(CXCursor c);
uint32_t cb_merge_end_of(CXCursor c);

/* Not in the prelude, nor in clang's own headers. */
bool cb_merge_is_in_file(const struct cb_merge_parser *p, CXCursor c);

/* Disposes of the string; the copy is the unit's. */
char *cb_merge_keep_string(struct cb_merge_unit *u, CXString string);

/* What stands between two places, without blanks, brackets and comments, is this operator. */
bool cb_merge_is_operator(const struct cb_merge_unit *u, uint32_t from, uint32_t to,
                          const char *op);

/* The bracket that closes the one at this place; 0: there is none. */
uint32_t cb_merge_closing(const struct cb_merge_unit *u, uint32_t at);

/* Whether there is nothing between a function's brackets. */
bool cb_merge_is_empty(const struct cb_merge_unit *u, uint32_t from, uint32_t to);

/* ---- Cursors --------------------------------------------------------------------------------- */

/* The list is the unit's. */
struct cb_merge_children cb_merge_children_of(struct cb_merge_unit *u, CXCursor c);

/* Without brackets and conversions around it. */
CXCursor cb_merge_bare(CXCursor c);

/* The first child; a null cursor: there is none. */
CXCursor cb_merge_first_child(CXCursor c);

/* The variable of the kernel that a name means; -1: something else. */
int cb_merge_var_of(const struct cb_merge_parser *p, CXCursor c);

/* What a call calls; the caller disposes of it. */
CXString cb_merge_called(CXCursor c);

/* ---- Types ----------------------------------------------------------------------------------- */

/* The type as it is written in OpenCL C: without the address spaces that clang deduces, and by the
 * names that kernels/coop/args.clh may define anew. */
char *cb_merge_type_text(struct cb_merge_unit *u, CXType type);

/* A variable whose value comes later may not be constant. */
void cb_merge_drop_const(char *type);

/* ---- Words and functions --------------------------------------------------------------------- */

enum cb_merge_point cb_merge_point_named(const char *name);

/* -1: no such. */
int cb_merge_function_named(const struct cb_merge_unit *u, const char *name);

/* ---- The tree -------------------------------------------------------------------------------- */

struct cb_merge_node *cb_merge_new_node(struct cb_merge_parser *p, enum cb_merge_kind kind,
                                        CXCursor c);
void cb_merge_append(struct cb_merge_node *parent, struct cb_merge_node *child);

/* Appends a node without children. */
void cb_merge_note(struct cb_merge_parser *p, struct cb_merge_node *parent, enum cb_merge_kind kind,
                   int which, CXCursor c);

/* A type, beside functions or in the kernel. */
void cb_merge_note_type(struct cb_merge_parser *p, CXCursor c);

/* A variable or parameter of the kernel; -1: there are too many, which is noted as a problem. */
int cb_merge_new_var(struct cb_merge_parser *p, CXCursor c, bool is_parameter);

/* What clang calls OpenCL's address spaces. */
enum { CB_CLANG_GLOBAL = 1, CB_CLANG_LOCAL, CB_CLANG_CONSTANT };

/* What a parameter is. The layout is the caller's to free. */
void cb_merge_read_layout(CXCursor c, enum cb_space *space, struct cb_layout *layout);

/* Notes what a call does: an id, a point that is no statement, a helper. */
void cb_merge_look_at_call(struct cb_merge_parser *p, CXCursor c);

/* Looks for an id or a size in what is assigned to a variable. */
void cb_merge_look_for_id(struct cb_merge_parser *p, int var, CXCursor value);

/* What an expression comes to on all devices. */
enum cb_merge_value cb_merge_value_of(struct cb_merge_unit *u, CXCursor c);

/* Which ways work-items surely go from a statement. */
enum cb_merge_parting cb_merge_parting_of(struct cb_merge_unit *u, CXCursor statement);

/* Whether a statement is a loop that never begins again, as macros of several statements are. */
bool cb_merge_comes_once(struct cb_merge_unit *u, CXCursor statement);

/* Whether an expression has the same value on all devices, and which. */
bool cb_merge_has_value(CXCursor c, int *value);

/* Appends what an expression reads, writes and calls to a node, in its order. */
void cb_merge_read_expression(struct cb_merge_parser *p, CXCursor c, struct cb_merge_node *parent);

/* The tree of a statement. */
struct cb_merge_node *cb_merge_read_statement(struct cb_merge_parser *p, CXCursor c);
