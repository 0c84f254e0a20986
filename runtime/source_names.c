/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/source_names.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/source_tokens.h"

/* ---- Which names the text defines ------------------------------------------------------------ */

#define MAX_CONDITIONS 64

struct declaration {
    int braces, brackets; /* that are open: {; ( and [ */
    int constants;        /* the braces within which constants of an enum of the file stand, or 0 */
    bool in_type;         /* the outermost brace is of a type */
    bool in_body;         /* the outermost brace is of a function */
    bool in_value;        /* from = on */
    bool after_attribute; /* up to the end of its parentheses */
    char kind;            /* kind of a type whose brace may come: s, u, e; or 0 */
    struct cb_token tag;  /* that type's */
    bool has_type;        /* there is one before `last` */
    struct cb_token last; /* the name that may be what is declared */
    struct cb_token called; /* a name with parentheses after it */
    char before;            /* how the token before this one begins */
};

struct condition {
    struct declaration at_if, at_else;
    bool has_else;
};

struct collector {
    struct cb_scanner from;
    struct declaration now;
    struct condition conditions[MAX_CONDITIONS];
    int n_conditions;
    struct cb_token *names;
    size_t n, room;
    bool failed;
};

static void add(struct collector *c, struct cb_token t)
{
    if (t.n == 0)
        return;
    if (c->n == c->room) {
        size_t room = 2 * c->room + 64;
        struct cb_token *names = realloc(c->names, room * sizeof *names);
        c->failed = c->failed || !names;
        if (!names)
            return;
        c->names = names;
        c->room = room;
    }
    c->names[c->n++] = t;
}

/* A branch of an #if begins as the one before it did, and what follows the #endif goes on from the
 * first. Conditions within more than so many others are passed over. */
static void take_condition(struct collector *c, struct cb_token directive)
{
    bool is_if = directive.n >= 2 && memcmp(directive.at, "if", 2) == 0; /* #ifdef */
    bool is_else = directive.n >= 2 && memcmp(directive.at, "el", 2) == 0;
    c->n_conditions += is_if;
    if (c->n_conditions < 1 || c->n_conditions > MAX_CONDITIONS) {
        c->n_conditions -= c->n_conditions > 0 && cb_token_is(directive, "endif");
        return;
    }
    struct condition *in = &c->conditions[c->n_conditions - 1];
    if (is_if) {
        *in = (struct condition){.at_if = c->now};
    } else if (is_else) {
        if (!in->has_else)
            in->at_else = c->now;
        in->has_else = true;
        c->now = in->at_if;
    } else if (cb_token_is(directive, "endif")) {
        c->now = in->has_else ? in->at_else : c->now;
        c->n_conditions--;
    }
}

static void take_directive(struct collector *c, struct cb_token directive)
{
    bool defines = cb_token_is(directive, "define");
    take_condition(c, directive);
    for (struct cb_token t = cb_token_next(&c->from);
         t.kind != CB_TOKEN_END && t.kind != CB_TOKEN_NEWLINE; t = cb_token_next(&c->from))
        if (t.kind == CB_TOKEN_NAME && defines) {
            add(c, t);
            defines = false;
        }
}

static void take_name(struct collector *c, struct cb_token t)
{
    static const char *const types[] = {"struct", "union", "enum", NULL};
    static const char *const attributes[] = {"__attribute__", "__attribute", NULL};
    struct declaration *now = &c->now;
    bool is_outside = !now->braces && !now->brackets && !now->in_value;
    if (now->after_attribute || cb_token_is_any_of(t, attributes)) {
        now->after_attribute = true;
    } else if (cb_token_is_any_of(t, types)) {
        now->kind = *t.at;
        now->tag.n = 0;
    } else if (now->kind && now->tag.n == 0) {
        now->tag = t;
        now->has_type |= is_outside;
    } else if (now->constants && now->braces == now->constants && !now->brackets) {
        if (now->before == '{' || now->before == ',')
            add(c, t);
    } else if (is_outside) {
        if (now->last.n) { /* was of the type, and what was called was a macro */
            now->has_type = true;
            now->called.n = 0;
        }
        now->last = t;
    }
}

static void open_brace(struct collector *c)
{
    struct declaration *now = &c->now;
    bool is_of_file = !now->braces || now->in_type, is_type = now->kind;
    if (is_type && is_of_file)
        add(c, now->tag);
    if (!now->braces) {
        now->in_type = is_type;
        now->in_body = !is_type && !now->in_value;
        if (now->in_body)
            add(c, now->called);
    }
    now->braces++;
    if (now->kind == 'e' && is_of_file)
        now->constants = now->braces;
}

static void close_brace(struct declaration *now)
{
    if (now->braces == now->constants)
        now->constants = 0;
    now->braces -= now->braces > 0;
    if (now->braces)
        return;
    if (now->in_body)
        *now = (struct declaration){0};
    else if (!now->in_value)
        now->has_type = true;
}

/* Outside of braces and values. */
static void open_bracket(struct collector *c, char bracket)
{
    struct declaration *now = &c->now;
    if (now->after_attribute || now->last.n == 0)
        return;
    now->called.n = 0;
    if (now->has_type && bracket == '[')
        add(c, now->last);
    else if (now->has_type)
        now->called = now->last;
    now->last.n = 0;
}

/* What was before a character that follows a declarator is a function, or a variable or a type. */
static void end_declarator(struct collector *c, char end)
{
    struct declaration *now = &c->now;
    if (!now->in_value && now->called.n && end != '=')
        add(c, now->called);
    else if (!now->in_value && now->has_type)
        add(c, now->last);
    now->last.n = now->called.n = 0;
    now->in_value = end == '=';
    if (end == ';')
        *now = (struct declaration){0};
}

static void take_other(struct collector *c, char first)
{
    struct declaration *now = &c->now;
    bool is_outside = !now->braces && !now->brackets, is_attribute = now->after_attribute;
    if (first == '{') {
        open_brace(c);
    } else if (first == '}') {
        close_brace(now);
    } else if (first == '(' || first == '[') {
        if (is_outside && !now->in_value)
            open_bracket(c, first);
        now->brackets++;
    } else if (first == ')' || first == ']') {
        now->brackets -= now->brackets > 0;
        now->after_attribute &= now->brackets > 0;
    } else if (is_outside && (first == ';' || first == ',' || first == '=')) {
        end_declarator(c, first);
    } else if (is_outside && first == '*' && now->last.n) {
        now->has_type = true;
        now->last.n = 0;
    }
    if (!is_attribute) /* struct __attribute__((packed)) name */
        now->kind = 0;
}

static void collect(struct collector *c)
{
    for (struct cb_token t = cb_token_next(&c->from); t.kind != CB_TOKEN_END;
         t = cb_token_next(&c->from)) {
        if (t.kind == CB_TOKEN_DIRECTIVE)
            take_directive(c, t);
        else if (t.kind == CB_TOKEN_NAME)
            take_name(c, t);
        else if (t.kind == CB_TOKEN_OTHER && *t.at != '#')
            take_other(c, *t.at);
        if (t.kind == CB_TOKEN_NAME || (t.kind == CB_TOKEN_OTHER && *t.at != '#'))
            c->now.before = *t.at;
    }
}

/* ---- The new text ---------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    const struct cb_token *x = a, *y = b;
    int order = memcmp(x->at, y->at, x->n < y->n ? x->n : y->n);
    return order ? order : (x->n > y->n) - (x->n < y->n);
}

static void write_text(FILE *out, const char *text, const char *suffix, const char *const *keep,
                       struct collector *c)
{
    if (c->n)
        qsort(c->names, c->n, sizeof *c->names, compare);
    struct cb_scanner from = {.at = text};
    for (struct cb_token t = cb_token_next(&from); t.kind != CB_TOKEN_END;
         t = cb_token_next(&from)) {
        fwrite(t.at, 1, t.n, out);
        if (t.kind == CB_TOKEN_NAME && c->n && bsearch(&t, c->names, c->n, sizeof t, compare) &&
            !cb_token_is_any_of(t, keep))
            fputs(suffix, out);
    }
}

enum cb_status cb_source_suffix_names(const char *text, const char *suffix, const char *const *keep,
                                      char **out, struct cb_err *err)
{
    struct collector *c = calloc(1, sizeof *c);
    size_t size = 0;
    *out = NULL;
    FILE *stream = c ? open_memstream(out, &size) : NULL;
    bool ok = stream;
    if (ok) {
        c->from.at = text;
        collect(c);
        write_text(stream, text, suffix, keep, c);
        ok = fclose(stream) == 0 && !c->failed;
        free(c->names);
    }
    free(c);
    if (ok)
        return CB_OK;
    free(*out);
    *out = NULL;
    return cb_no_memory(err);
}
