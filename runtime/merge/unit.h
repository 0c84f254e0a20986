/* SPDX-License-Identifier: Apache-2.0
 *
 * What is known of the file that is merged, and of its kernel's body. Places are offsets into the
 * text.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "runtime/host/error.h"
#include "runtime/merge/layout.h"

enum cb_merge_point {
    CB_NO_POINT,
    CB_OFFER_KILL,
    CB_REQUEST_FORK,
    CB_GLOBAL_BARRIER,
    CB_RESIZING_BARRIER,
    CB_JOIN_TASKS,
    CB_WORKGROUP_BARRIER,
};

/* How a point is called in the source and in our language. */
struct cb_merge_point_name {
    const char *source, *ours;
    enum cb_merge_point point;
};
extern const struct cb_merge_point_name cb_merge_points[]; /* ends with a row of nulls */

/* Functions that tell ids or sizes, which change with the number of workgroups, and those words of
 * our language that a user's kernel may have as well. */
struct cb_merge_id_name {
    const char *source, *ours; /* ours: in dimension 0; NULL: the same */
    const char *otherwise;     /* in the others */
    const char *sided;         /* in all, where workgroups have sides (kernels/sides.clh) */
    bool changes;              /* with the workgroup, or with how many there are */
    bool is_of_dimension;      /* which it is given */
    const char *task;          /* in a task; NULL: none there */
};
extern const struct cb_merge_id_name cb_merge_ids[]; /* ends with a row of nulls */

/* What submits a task, and waits for all that were. */
#define CB_MERGE_SUBMIT   "submit_task"
#define CB_MERGE_JOIN     "join_tasks"
#define CB_MERGE_JOIN_ALL "join_all_tasks"

/* What submit_task() calls for libclang, beside the task. */
#define CB_MERGE_SUBMITTED "task_is_submitted"

/* NULL: no such. */
const struct cb_merge_id_name *cb_merge_id_named(const char *name);

/* Letters of a name. */
#define CB_MERGE_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

static inline bool cb_merge_is_letter(char c)
{
    return c && strchr(CB_MERGE_LETTERS, c);
}

#define CB_MERGE_VARS 1024 /* variables of a kernel, parameters among them */

struct cb_merge_set {
    uint64_t words[CB_MERGE_VARS / 64];
};

struct cb_merge_var {
    /* type: of an array, that of its elements, without dimensions. */
    char *name, *type;
    char *canonical;                 /* the type without names for it */
    char *dimensions;                /* "[4][2]", or "" */
    uint32_t begin, end, name_at;    /* its declaration */
    uint32_t scope_begin, scope_end; /* where the name means this */
    uint32_t init;                   /* what it begins with; 0: nothing */
    long long size, alignment;       /* bytes */
    bool is_parameter, is_local, is_constant, is_transmitted, is_record;
    bool is_written_here;              /* not by a macro */
    bool is_list;                      /* what it begins with is one in braces */
    char *attribute;                   /* beside its name, or "" */
    char *given;                       /* what the user called it, if it is renamed; NULL */
    bool is_used_by_macro;             /* its name is a macro, too, and used other than in place */
    bool is_pointer, is_local_pointer; /* to local memory */
    bool is_const, is_const_by_typedef, has_const_member;
    bool may_be_written;                                      /* a parameter, perhaps by a macro */
    bool has_pointer, has_private_pointer, has_local_pointer; /* in it, or it is one */
    int pointed; /* number of those that point to each other, or are pointed to; 0: none */
    uint32_t address_at, id_at, written_at; /* where its address is taken, an id assigned to it, or
                                               anything; 0: nowhere */
    bool lives;                             /* across a point: it is in the state */
    enum cb_space space;                    /* of a parameter */
    struct cb_layout layout;
};

enum cb_merge_kind {
    CB_MERGE_BLOCK,
    CB_MERGE_IF,
    CB_MERGE_FOR,   /* four parts: begin, condition, step, body; CB_MERGE_NOTHING where empty */
    CB_MERGE_WHILE, /* condition, body */
    CB_MERGE_DO,    /* body, condition */
    CB_MERGE_SWITCH,
    CB_MERGE_CASE,
    CB_MERGE_BREAK,
    CB_MERGE_CONTINUE,
    CB_MERGE_RETURN,
    CB_MERGE_DECLARES, /* variables: CB_MERGE_BEGINS after what each reads */
    CB_MERGE_EXPRESSION,
    CB_MERGE_POINT,
    CB_MERGE_NOTHING,
    /* in an expression, in their order */
    CB_MERGE_READS,
    CB_MERGE_WRITES,
    CB_MERGE_BEGINS,
    CB_MERGE_CHANGES, /* a variable, or a part of it, to what is read anywhere in the expression */
    CB_MERGE_DIFFERS, /* an id, or what an atomic finds */
    CB_MERGE_ORIGIN,  /* get_global_id(d) - get_local_id(d), or variables that begin as these */
};

/* Whom a value may differ between: work-items of a workgroup, and workgroups. */
#define CB_WITHIN_GROUPS  1
#define CB_BETWEEN_GROUPS 2

/* Whether work-items surely go different ways from an if or a loop, by an id in its condition. */
enum cb_merge_parting {
    CB_ALL_ALIKE,    /* as far as can be seen */
    CB_NOT_ALL_COME, /* into its body, or the first part of an if */
    CB_BOTH_WAYS,    /* some come, and some do not */
};

/* What an expression comes to, by the text alone. */
enum cb_merge_value { CB_ANY_VALUE, CB_ALWAYS_FALSE, CB_ALWAYS_TRUE };

struct cb_merge_node {
    enum cb_merge_kind kind;
    uint32_t begin, end;
    int which; /* variable, point, or whom CB_MERGE_DIFFERS differs between */
    enum cb_merge_parting parting;
    enum cb_merge_value value;                 /* of an expression */
    bool is_told;                              /* a barrier that some may miss, which is noted */
    bool comes_once;                           /* do ... while (0) */
    int number;                                /* a point's; 0: its line tells it from others */
    struct cb_merge_node *first, *last, *next; /* children, sibling */
    struct cb_merge_turns *turns;              /* of a loop (reached.c); NULL: none yet */
    struct cb_merge_set live; /* a point: what is read after it; a loop: before its head */
};

/* What ids and sizes tell of. */
enum { CB_PLACES, CB_STEPS /* from place to place */, CB_ITEMS, CB_SIDES, CB_MERGE_ASKED };

struct cb_merge_function {
    char *name;
    uint32_t begin, end, name_at;        /* with its body */
    uint32_t parameters, parameters_end; /* after the opening bracket; the closing one */
    bool is_kernel, has_body, is_empty /* of parameters */;
    bool reaches;    /* a point, in itself or in what it calls */
    bool needs_view; /* asks for ids, submits tasks, or calls one that does */
    bool asks_group; /* for its workgroup's place, or its own there */
    int *calls;      /* functions of the unit */
    int n_calls;
    uint32_t *call_ends; /* closing brackets of all calls of it, in other functions */
    bool *call_is_empty;
    int n_call_ends;
    uint32_t collective_at; /* a function of all work-items of a workgroup; 0: none */
    int differs;            /* whom what it tells differs between */
    struct
        cb_merge_asked { /* bits of dimensions but the first, and where one was asked for first */
        unsigned dimensions;
        uint32_t at[3], any_at; /* any_at: of a dimension that is no number */
    } asked[CB_MERGE_ASKED];
    uint32_t point_at,
        id_at;             /* in a helper: a point or barrier(), an id or a submission; 0: none */
    bool is_called;        /* by the kernel, or by what it calls */
    bool is_seen, is_done; /* while cycles are looked for */
};

struct cb_merge_unit {
    char *text, *code; /* code: the text with blanks for comments and strings */
    struct cb_merge_function *functions;
    int n_functions, kernel;
    bool is_task; /* the kernel has no scheduling point */
    bool is_late; /* arguments and state are declared right before the kernel */
    bool submits_itself;
    bool has_no_generic; /* pointers that say of no address space are private */
    uint32_t goto_at;    /* 0: there is none */
    struct cb_merge_var vars[CB_MERGE_VARS];
    int n_vars;
    struct cb_merge_node *body;
    void **kept; /* all that is freed with the unit */
    int n_kept;
    char *problems; /* a line each */
    int n_problems;
    char *warnings; /* lines of what may be wrong */
    int n_warnings;
    struct cb_merge_type {
        char *name;
        uint32_t at;
    } * types; /* declared beside functions */
    int n_types;
    struct cb_merge_table { /* in constant memory, or a pointer that is known to point to one */
        char *name;
        uint32_t begin, end; /* where its name means it */
        int n_dimensions;
    } * tables;
    int n_tables;
    char **names; /* names of all that is declared beside the kernel's variables */
    int n_names;
    struct cb_merge_range { /* texts that #if takes away, up to its next line */
        uint32_t begin, end;
    } * skipped;
    int n_skipped;
    struct cb_merge_macro {             /* what a line defines, or undefines */
        uint32_t at, size;              /* its name */
        uint32_t parameters, body, end; /* parameters: after the opening bracket; 0: none */
        bool is_undefined, is_seen /* in a search */,
            is_undecided; /* is_undecided: perhaps not on the device */
    } * macros;
    int n_macros;
    char **given_macros; /* names of those that are there before the text */
    int n_given_macros;
    /* Through all rounds in which the text is written anew: */
    char *chosen;  /* the kernel, once it is known; NULL: it is not */
    int n_written; /* calls that have been written out */
    char *written; /* with which names, "f_1 g_2 ": f() and g() are called; NULL: none */
    size_t room;   /* bytes that may still be; 0: there were too many, which is noted */
};

/* The names of the point that a node is. */
const struct cb_merge_point_name *cb_merge_row_of(const struct cb_merge_node *point);

/* Whether there is such a point in a node; CB_NO_POINT: any. */
bool cb_merge_has_point(const struct cb_merge_node *n, enum cb_merge_point point);

/* Whether the work-items of a task have barriers or local memory in common. */
bool cb_merge_is_together(const struct cb_merge_unit *u);

/* Whether a word stands at a place: no longer one. */
bool cb_merge_stands_at(const struct cb_merge_unit *u, uint32_t at, const char *word);

/* Where a word next stands in its code, and whether it does at all. */
const char *cb_merge_find_word(const struct cb_merge_unit *u, const char *from, const char *word);
bool cb_merge_has_word(const struct cb_merge_unit *u, const char *word);

/* Whether a directive begins at a place. */
bool cb_merge_is_directive(const struct cb_merge_unit *u, uint32_t at);

/* Whether a line between two places is a directive (#if). */
bool cb_merge_has_directive(const struct cb_merge_unit *u, uint32_t begin, uint32_t end);

/* Whether #if takes a place away. */
bool cb_merge_is_skipped(const struct cb_merge_unit *u, uint32_t at);

/* The next macro that the text defines, from a place on; false: there is none. */
bool cb_merge_next_macro(const struct cb_merge_unit *u, uint32_t *at, uint32_t *size);

/* Whether images and samplers are where they can be, as problems of the unit. */
void cb_merge_check_images(struct cb_merge_unit *u);

/* Whether helpers of a task can take its arguments in constant memory, as problems of the unit; and
 * makes all of these pointers to global memory. */
void cb_merge_check_constants(struct cb_merge_unit *u);
void cb_merge_share_constants(struct cb_merge_unit *u);

/* The size of workgroups that the kernel requires; 0: it does not. */
void cb_merge_required(const struct cb_merge_unit *u, size_t required[3]);

/* Which ids of other dimensions than the first a cooperative kernel cannot ask for, as problems. */
void cb_merge_check_sides(struct cb_merge_unit *u);

/* What an expression comes to that the text has at a place, and its first term alone; 0: it is not
 * known, or nothing that could be a size. */
size_t cb_merge_constant(const struct cb_merge_unit *u, const char *at);
size_t cb_merge_first_product(const struct cb_merge_unit *u, const char *at);

/* How the frame calls arguments, state, local memory and view, a, s, l and v: not by the letters of
 * our language, which a kernel may have for names. */
const char *cb_merge_word(const struct cb_merge_unit *u, char letter);

/* The next word in a function's text that is a point between workgroups; 0: there is none. */
uint32_t cb_merge_next_point(const struct cb_merge_unit *u, const struct cb_merge_function *f,
                             uint32_t at);

/* Makes the code of the text. */
void cb_merge_blank(struct cb_merge_unit *u);

/* A list of n with room for one more. It grows as n passes a power of two, so that each n from 0 on
 * has to ask for it. */
void *cb_merge_grown(void *list, int n, size_t size);

/* Memory that is the unit's, zero at first. */
void *cb_merge_keep(struct cb_merge_unit *u, size_t size);
char *cb_merge_keep_text(struct cb_merge_unit *u, const char *text, size_t size);

/* What was written to a stream in memory, which is closed. */
char *cb_merge_made(struct cb_merge_unit *u, FILE *stream, char **text, const size_t *size);
void cb_merge_free(struct cb_merge_unit *u);

/* Forgets all that has been read of the text, which has changed, and frees what is kept.
 * There are no problems yet. */
void cb_merge_forget(struct cb_merge_unit *u);

/* Where a place was written. */
void cb_merge_written_at(const struct cb_merge_unit *u, uint32_t at, char *path, size_t size,
                         unsigned *line, unsigned *column);

/* One more reason why the unit cannot be merged. */
void cb_merge_problem(struct cb_merge_unit *u, uint32_t at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* What may be wrong, but need not be. */
void cb_merge_warn(struct cb_merge_unit *u, uint32_t at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* CB_USAGE if there are problems. */
enum cb_status cb_merge_verdict(const struct cb_merge_unit *u, struct cb_err *err);

/* libclang's part: functions, variables and body of the kernel called name, with what lives across
 * points. Macros and functions that hide points are written out in the text. */
enum cb_status cb_merge_parse(struct cb_merge_unit *u, const char *path, const char *name,
                              struct cb_err *err);

/* Where the language begins in the merged text. Types of arguments and state come before. */
uint32_t cb_merge_split(const struct cb_merge_unit *u);

/* Whether the language may begin right before the kernel: nothing before it needs the language. */
bool cb_merge_may_be_late(const struct cb_merge_unit *u);

/* What is read after each point; in var.lives, what has to live across one. */
void cb_merge_find_live(struct cb_merge_unit *u);

/* Whether something beside the kernel's variables has a name. */
bool cb_merge_is_beside(const struct cb_merge_unit *u, const char *name);

/* Renames what lives across a point and is called as something else. */
void cb_merge_rename(struct cb_merge_unit *u);

/* Whether a function of this name is one that all work-items of a workgroup call together: on CPUs
 * they go through a phase one after the other. More may follow the name. */
bool cb_merge_is_collective(const char *name);

/* Notes points, and variables that live across one, in text of the kernel that #if takes away: they
 * would be left as they are, where others are moved. Warns of functions that work-items call
 * together. */
void cb_merge_check_skipped(struct cb_merge_unit *u);

/* Whether the merged kernel has a word for a name of its own. */
bool cb_merge_is_taken(const struct cb_merge_unit *u, const char *name);

/* Finds out which variables may be pointed to by which. */
void cb_merge_find_pointed(struct cb_merge_unit *u);

/* Notes points that not all work-items reach: surely, or perhaps. */
void cb_merge_check_reached(struct cb_merge_unit *u);

/* Notes names beside the kernel that are words of the merged one. */
void cb_merge_check_words(struct cb_merge_unit *u);

/* Whether a variable has a type that is none of OpenCL's. */
bool cb_merge_is_of_file(const struct cb_merge_unit *u, const struct cb_merge_var *v);

struct cb_merge_kernel;

/* Tells of the NDRange that the kernel wants, and which parameters bound it. */
void cb_merge_note_facts(const struct cb_merge_unit *u, struct cb_merge_kernel *kernel);

/* Notes what the language cannot express. */
void cb_merge_check(struct cb_merge_unit *u);

static inline bool cb_merge_has(const struct cb_merge_set *s, int var)
{
    return s->words[var / 64] >> var % 64 & 1;
}
