/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/source_kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/source_tokens.h"

static const char *const kernel_words[] = {"kernel", "__kernel", NULL};
static const char *const attribute_words[] = {"__attribute__", "__attribute", NULL};

static bool is_char(struct cb_token t, char c)
{
    return t.kind == CB_TOKEN_OTHER && *t.at == c;
}

static bool requires_size(struct cb_token t)
{
    return cb_token_is(t, "reqd_work_group_size");
}

static bool is_same(struct cb_token a, struct cb_token b)
{
    return a.n == b.n && memcmp(a.at, b.at, a.n) == 0;
}

/* ---- Macros ---------------------------------------------------------------------------------- */

/* What stands for a word of a declaration, as in "#define ENTRY __kernel" or -DNAME=sum. */
struct macro {
    struct cb_token name;
    struct cb_token alias; /* the only word that it is; n 0: there are others */
    bool is_kernel, requires_size;
};

struct macros {
    struct macro *list;
    size_t n;
};

static void read_macro(struct cb_scanner *s, struct macro *m)
{
    struct cb_token t = cb_token_next(s);
    bool is_body = false;
    size_t words = 0;
    while (t.kind == CB_TOKEN_BLANK)
        t = cb_token_next(s);
    *m = (struct macro){.name = t};
    for (t = cb_token_next(s); t.kind != CB_TOKEN_NEWLINE && t.kind != CB_TOKEN_END;
         t = cb_token_next(s)) {
        if (t.kind == CB_TOKEN_BLANK)
            continue;
        words++;
        m->alias = words == 1 && t.kind == CB_TOKEN_NAME ? t : (struct cb_token){0};
        m->is_kernel = m->is_kernel || cb_token_is_any_of(t, kernel_words);
        m->requires_size = m->requires_size || requires_size(t);
        is_body = is_body || is_char(t, '{');
    }
    m->is_kernel = m->is_kernel && !is_body;
}

/* By name, and of those with one name by place. */
static int compare(const void *one, const void *other)
{
    const struct cb_token *a = &((const struct macro *)one)->name;
    const struct cb_token *b = &((const struct macro *)other)->name;
    const int order = memcmp(a->at, b->at, a->n < b->n ? a->n : b->n);
    if (order != 0 || a->n != b->n)
        return order ? order : a->n < b->n ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

/* false: no memory. */
static bool read_macros(const char *text, struct macros *all)
{
    struct cb_scanner s = {.at = text};
    *all = (struct macros){0};
    for (struct cb_token t = cb_token_next(&s); t.kind != CB_TOKEN_END; t = cb_token_next(&s)) {
        if (t.kind != CB_TOKEN_DIRECTIVE || !cb_token_is(t, "define"))
            continue;
        struct macro *longer = (all->n & (all->n + 1)) == 0
                                   ? realloc(all->list, 2 * (all->n + 1) * sizeof *longer)
                                   : all->list;
        if (!longer)
            return false;
        all->list = longer;
        read_macro(&s, &all->list[all->n++]);
    }
    if (all->n > 0)
        qsort(all->list, all->n, sizeof *all->list, compare);
    return true;
}

/* The last one that is called so; NULL: there is none. */
static const struct macro *find_macro(const struct macros *all, struct cb_token name)
{
    const struct macro wanted = {.name = name};
    size_t from = 0, to = all->n; /* before `from` are those with names up to this one */
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        if (is_same(all->list[middle].name, name) || compare(&all->list[middle], &wanted) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from > 0 && is_same(all->list[from - 1].name, name) ? &all->list[from - 1] : NULL;
}

/* What a name is after macros that are one word. */
static struct cb_token meant(const struct macros *all, struct cb_token name)
{
    for (int i = 0; i < 8; i++) {
        const struct macro *m = find_macro(all, name);
        if (!m || m->alias.n == 0)
            break;
        name = m->alias;
    }
    return name;
}

/* ---- A name with brackets after it ----------------------------------------------------------- */

/* A name, what is between its brackets, and what comes next. */
struct use {
    struct cb_token name;
    const char *parameters;        /* after the opening bracket */
    bool is_empty;                 /* nothing is between the brackets, or the word void */
    const char *body;              /* after the opening brace; NULL: it is no definition */
    bool is_declared;              /* a type stands before the name */
    bool is_kernel, requires_size; /* words of the declaration that it is in */
};

struct walk {
    struct macros macros;
    struct cb_scanner from;
    struct cb_token before; /* the token before the next one */
    unsigned depth;         /* brackets that are open */
    bool is_kernel, requires_size;
};

/* false: no memory. */
static bool begin_walk(struct walk *w, const char *text)
{
    *w = (struct walk){.from = {.at = text}};
    return read_macros(text, &w->macros);
}

static void end_walk(struct walk *w)
{
    free(w->macros.list);
}

/* What a word says of the declaration that it is in. */
static void take_word(struct walk *w, struct cb_token t)
{
    const struct macro *m = t.kind == CB_TOKEN_NAME ? find_macro(&w->macros, t) : NULL;
    w->is_kernel = w->is_kernel || cb_token_is_any_of(t, kernel_words) || (m && m->is_kernel);
    w->requires_size = w->requires_size || requires_size(t) || (m && m->requires_size);
}

/* The next token that is no blank and in no directive. */
static struct cb_token next_token(struct cb_scanner *s)
{
    for (;;) {
        const bool begins = s->place == CB_LINE_BEGINS;
        struct cb_token t = cb_token_next(s);
        if (begins && t.kind == CB_TOKEN_OTHER && *t.at == '#')
            while (t.kind != CB_TOKEN_NEWLINE && t.kind != CB_TOKEN_END)
                t = cb_token_next(s);
        if (t.kind != CB_TOKEN_BLANK && t.kind != CB_TOKEN_NEWLINE)
            return t;
    }
}

/* Whether a token ends a statement or a declaration, in whatever brackets it stands. */
static bool is_end(struct cb_token t)
{
    return t.kind == CB_TOKEN_END || is_char(t, ';') || is_char(t, '{') || is_char(t, '}');
}

/* Goes on after the bracket that closes the one before, and takes the words between. False: the
 * declaration ends before that. */
static bool pass_brackets(struct walk *w)
{
    for (int open = 1; open > 0;) {
        struct cb_scanner ahead = w->from;
        const struct cb_token t = next_token(&ahead);
        if (is_end(t))
            return false;
        open += is_char(t, '(') - is_char(t, ')');
        take_word(w, t);
        w->from = ahead;
    }
    return true;
}

/* Whether nothing, or the word void, is between the bracket before and the one that closes it. */
static bool is_empty(struct cb_scanner from)
{
    struct cb_token t = next_token(&from);
    if (cb_token_is(t, "void"))
        t = next_token(&from);
    return is_char(t, ')');
}

/* Whether a token may stand between a function's closing bracket and its body. */
static bool is_attribute(const struct walk *w, struct cb_token t)
{
    return cb_token_is_any_of(t, attribute_words) ||
           (t.kind == CB_TOKEN_NAME && find_macro(&w->macros, t));
}

#define MOST_ATTRIBUTES 16 /* of a function, so that none is read again and again */

/* The place after a function's opening brace; NULL: after the closing bracket and attributes comes
 * something else. */
static const char *find_body(struct walk *w)
{
    struct cb_scanner ahead = w->from;
    struct cb_token t = next_token(&ahead);
    for (int i = 0; i < MOST_ATTRIBUTES && is_attribute(w, t); i++) {
        w->from = ahead;
        t = next_token(&ahead);
        if (!is_char(t, '('))
            continue;
        w->from = ahead;
        if (!pass_brackets(w))
            return NULL;
        ahead = w->from;
        t = next_token(&ahead);
    }
    return is_char(t, '{') ? t.at + 1 : NULL;
}

/* Whether a token may end a type before a declared name, which "return f(x)" does not. */
static bool ends_type(struct cb_token t)
{
    static const char *const statements[] = {"return", "else", "do", "case", "goto", NULL};
    return t.kind == CB_TOKEN_NAME && !cb_token_is_any_of(t, statements);
}

/* Goes on after a function's brackets if it is a definition, else after the opening one. */
static void read_use(struct walk *w, struct cb_token name, bool is_declared, struct use *use)
{
    struct walk in = *w;
    *use = (struct use){.name = meant(&w->macros, name),
                        .parameters = w->from.at,
                        .is_empty = is_empty(w->from),
                        .is_declared = is_declared};
    if (w->depth == 0 && pass_brackets(&in))
        use->body = find_body(&in);
    use->is_kernel = in.is_kernel;
    use->requires_size = in.requires_size;
    if (use->body)
        *w = in;
    else
        w->depth++;
}

static void take_token(struct walk *w, struct cb_token t)
{
    if (is_end(t)) {
        w->is_kernel = w->requires_size = false;
        w->depth = 0;
    }
    w->depth += is_char(t, '(');
    w->depth -= is_char(t, ')') && w->depth > 0;
    take_word(w, t);
}

/* The next use of any name as a function; false: there is none. */
static bool next_use(struct walk *w, struct use *use)
{
    struct cb_token name = {0}, before_name = {0};
    for (struct cb_token t = next_token(&w->from); t.kind != CB_TOKEN_END;
         t = next_token(&w->from)) {
        if (is_char(t, '(') && name.n && !cb_token_is_any_of(name, attribute_words)) {
            read_use(w, name, ends_type(before_name), use);
            w->before = t;
            return true;
        }
        take_token(w, t);
        before_name = w->before;
        w->before = t;
        name = t.kind == CB_TOKEN_NAME ? t : (struct cb_token){0};
    }
    return false;
}

/* ---- What there is --------------------------------------------------------------------------- */

static bool has(const cJSON *list, struct cb_token name)
{
    const cJSON *item;
    cJSON_ArrayForEach (item, list)
        if (cb_token_is(name, item->valuestring))
            return true;
    return false;
}

/* Adds a name to a list, once; false: no memory. */
static bool add(cJSON *list, struct cb_token name)
{
    if (has(list, name))
        return true;
    char *text = strndup(name.at, name.n);
    cJSON *item = text ? cJSON_CreateString(text) : NULL;
    free(text);
    return item && cJSON_AddItemToArray(list, item);
}

cJSON *cb_source_kernels(const char *text)
{
    cJSON *list = cJSON_CreateArray();
    struct walk w;
    int n = 0;
    bool ok = begin_walk(&w, text) && list;
    for (struct use use; ok && n < CB_SOURCE_KERNELS && next_use(&w, &use);)
        if (use.body && use.is_kernel) {
            ok = add(list, use.name);
            n++;
        }
    end_walk(&w);
    if (ok)
        return list;
    cJSON_Delete(list);
    return NULL;
}

/* The first definition of this name. */
static bool find_definition(const char *text, const char *name, struct use *use)
{
    struct walk w;
    bool found = false, more = begin_walk(&w, text);
    while (more && !found && (more = next_use(&w, use)))
        found = use->body && cb_token_is(use->name, name);
    end_walk(&w);
    return found;
}

bool cb_source_defines(const char *text, const char *name)
{
    struct use use;
    return find_definition(text, name, &use);
}

bool cb_source_requires_size(const char *text, const char *name)
{
    struct use use;
    return find_definition(text, name, &use) && use.requires_size;
}

/* ---- Another beginning ----------------------------------------------------------------------- */

static void copy_until(FILE *out, const char **done, const char *end)
{
    fwrite(*done, 1, (size_t)(end - *done), out);
    *done = end;
}

static void write_use(FILE *out, const char **done, const struct use *use,
                      const struct cb_source_prologue *p)
{
    struct cb_scanner from = {.at = use->parameters, .place = CB_IN_LINE};
    const struct cb_token first = next_token(&from);
    copy_until(out, done, use->parameters);
    fputs(use->body || use->is_declared ? p->parameters : p->arguments, out);
    if (!use->is_empty)
        fputs(", ", out);
    else if (cb_token_is(first, "void")) {
        copy_until(out, done, first.at);
        *done = first.at + first.n;
    }
    if (!use->body)
        return;
    copy_until(out, done, use->body);
    fprintf(out, " %s", p->statement);
}

enum cb_status cb_source_begin_with(const char *text, const char *name,
                                    const struct cb_source_prologue *prologue, char **out,
                                    struct cb_err *err)
{
    size_t size = 0;
    *out = NULL;
    FILE *stream = open_memstream(out, &size);
    if (!stream)
        return cb_no_memory(err);
    struct walk w;
    const char *done = text;
    const bool ok = begin_walk(&w, text);
    for (struct use use; ok && next_use(&w, &use);)
        if (cb_token_is(use.name, name))
            write_use(stream, &done, &use, prologue);
    end_walk(&w);
    fputs(done, stream);
    if (fclose(stream) == 0 && ok)
        return CB_OK;
    free(*out);
    *out = NULL;
    return cb_no_memory(err);
}
