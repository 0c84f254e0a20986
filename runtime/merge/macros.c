/* SPDX-License-Identifier: Apache-2.0
 *
 * Macros are expanded as the standard says, but that names within arguments and in what comes out
 * stay, where nothing depends on it: so what another macro stands for, on this device or on
 * another, is left to the device's compiler.
 */
#include "runtime/merge/macros.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/merge/clang.h"
#include "runtime/source_tokens.h"

#define MOST_BYTES     (1 << 20) /* of one expansion */
#define MOST_LEVELS    64        /* of macros that stand for each other */
#define MOST_ARGUMENTS 64

/* ---- Definitions ----------------------------------------------------------------------------- */

uint32_t cb_merge_end_of_line(const struct cb_merge_unit *u, uint32_t at)
{
    for (; u->code[at]; at++) {
        uint32_t last = at - (at > 1 && u->text[at - 1] == '\r');
        if (u->code[at] == '\n' && (last == 0 || u->text[last - 1] != '\\'))
            return at;
    }
    return at;
}

/* after: the word of the directive. */
static void note_macro(struct cb_merge_unit *u, uint32_t at, uint32_t after, bool is_defined)
{
    uint32_t name = after + (uint32_t)strspn(u->code + after, " \t");
    uint32_t size = (uint32_t)strspn(u->code + name, CB_MERGE_LETTERS);
    if (size == 0 || cb_merge_is_skipped(u, at))
        return;
    u->macros = cb_merge_grown(u->macros, u->n_macros, sizeof *u->macros);
    struct cb_merge_macro *m = &u->macros[u->n_macros++];
    *m = (struct cb_merge_macro){.at = name, .size = size, .is_undefined = !is_defined};
    m->end = cb_merge_end_of_line(u, name);
    m->body = name + size;
    if (u->code[m->body] == '(') {
        m->parameters = m->body + 1;
        m->body += (uint32_t)strcspn(u->code + m->body, ")\n");
        m->body += u->code[m->body] == ')';
    }
    m->body = m->body < m->end ? m->body : m->end;
}

void cb_merge_find_macros(struct cb_merge_unit *u)
{
    u->n_macros = 0;
    for (uint32_t line = 0; u->code[line]; line = cb_merge_end_of_line(u, line)) {
        line += u->code[line] == '\n';
        uint32_t word = line + (uint32_t)strspn(u->code + line, " \t");
        if (u->code[word] != '#')
            continue;
        word += 1 + (uint32_t)strspn(u->code + word + 1, " \t");
        if (cb_merge_stands_at(u, word, "define"))
            note_macro(u, line, word + 6, true);
        else if (cb_merge_stands_at(u, word, "undef"))
            note_macro(u, line, word + 5, false);
    }
}

const struct cb_merge_macro *cb_merge_macro_at(const struct cb_merge_unit *u, const char *name,
                                               size_t size, uint32_t at)
{
    const struct cb_merge_macro *found = NULL;
    for (int i = 0; i < u->n_macros && u->macros[i].at < at; i++)
        if (u->macros[i].size == size && strncmp(u->code + u->macros[i].at, name, size) == 0)
            found = &u->macros[i];
    return found && !found->is_undefined ? found : NULL;
}

void cb_merge_begin_search(const struct cb_merge_unit *u)
{
    for (int i = 0; i < u->n_macros; i++)
        u->macros[i].is_seen = false;
}

bool cb_merge_take_once(const struct cb_merge_unit *u, const struct cb_merge_macro *m)
{
    const bool is_new = !m->is_seen;
    u->macros[m - u->macros].is_seen = true;
    return is_new;
}

void cb_merge_go_through_names(const struct cb_merge_unit *u, uint32_t begin, uint32_t end,
                               void (*take)(const struct cb_merge_unit *u, uint32_t at,
                                            uint32_t size, void *data),
                               void *data)
{
    for (uint32_t at = begin; at < end;) {
        uint32_t size = (uint32_t)strspn(u->code + at, CB_MERGE_LETTERS);
        if (size > 0 && !strchr("0123456789", u->code[at]))
            take(u, at, size, data);
        at += size ? size : 1;
    }
}

/* ---- What is in them ------------------------------------------------------------------------- */

/* What all macros say that a text uses, and that these use. */
struct inside {
    uint32_t place; /* of the use, which says what names mean */
    int depth;
    const char *const *words;
    bool has_word, pastes, has_comma, makes_string, is_undecided, has_circle;
    const struct cb_merge_macro *around[MOST_LEVELS];
};

static void look_inside(const struct cb_merge_unit *u, uint32_t at, uint32_t size, void *data);

static void look_at_macro(const struct cb_merge_unit *u, const struct cb_merge_macro *m,
                          struct inside *in)
{
    for (int i = 0; i < in->depth; i++)
        in->has_circle |= in->around[i] == m;
    if (in->has_circle || in->depth == MOST_LEVELS) {
        in->has_circle = true;
        return;
    }
    if (!cb_merge_take_once(u, m))
        return;
    in->is_undecided |= m->is_undecided;
    for (uint32_t at = m->body; at < m->end; at++) {
        in->has_comma |= u->code[at] == ',';
        in->pastes |= u->code[at] == '#' && u->code[at + 1] == '#';
        in->makes_string |= u->code[at] == '#' && u->code[at + 1] != '#' && u->code[at - 1] != '#';
    }
    in->around[in->depth++] = m;
    cb_merge_go_through_names(u, m->body, m->end, look_inside, in);
    in->depth--;
}

static void look_inside(const struct cb_merge_unit *u, uint32_t at, uint32_t size, void *data)
{
    struct inside *in = data;
    for (const char *const *word = in->words; word && *word; word++)
        in->has_word |= strlen(*word) == size && strncmp(u->code + at, *word, size) == 0;
    const struct cb_merge_macro *m = cb_merge_macro_at(u, u->code + at, size, in->place);
    if (m && !in->has_circle)
        look_at_macro(u, m, in);
}

bool cb_merge_macro_hides(const struct cb_merge_unit *u, const struct cb_merge_macro *m,
                          uint32_t at, const char *const *words)
{
    struct inside in = {.place = at, .words = words};
    cb_merge_begin_search(u);
    look_at_macro(u, m, &in);
    return in.has_word;
}

/* ---- Expansion ------------------------------------------------------------------------------- */

struct text {
    const char *at;
    size_t n;
};

struct expansion {
    struct cb_merge_unit *u;
    uint32_t place;
    bool is_full;   /* names within are macros, too */
    bool is_broken; /* too long, or too few arguments */
    size_t written;
};

struct arguments {
    struct text given[MOST_ARGUMENTS], names[MOST_ARGUMENTS];
    int n, n_names;
    bool is_variadic;
};

static void put(struct expansion *x, FILE *out, const char *at, size_t n)
{
    x->written += n;
    x->is_broken |= x->written > MOST_BYTES;
    if (!x->is_broken)
        fwrite(at, 1, n, out);
}

/* The tokens of a text on one line, with a blank for each comment and end of line. */
static struct text on_one_line(struct cb_merge_unit *u, const char *at, size_t n)
{
    char *line = cb_merge_keep(u, n + 1);
    size_t size = 0;
    struct cb_scanner s = {.at = cb_merge_keep_text(u, at, n), .place = CB_IN_LINE};
    for (struct cb_token t; (t = cb_token_next(&s)).kind != CB_TOKEN_END;) {
        const bool is_blank = t.kind == CB_TOKEN_BLANK || t.kind == CB_TOKEN_NEWLINE;
        if (is_blank && (size == 0 || line[size - 1] == ' '))
            continue;
        memcpy(line + size, is_blank ? " " : t.at, is_blank ? 1 : t.n);
        size += is_blank ? 1 : t.n;
    }
    size -= size > 0 && line[size - 1] == ' ';
    return (struct text){line, size};
}

static bool begins_with_blank(struct text t)
{
    return t.n > 0 && *t.at == ' ';
}

static struct text without_blanks(struct text t)
{
    for (; begins_with_blank(t); t.n--)
        t.at++;
    while (t.n > 0 && t.at[t.n - 1] == ' ')
        t.n--;
    return t;
}

/* The texts between the commas of a list in brackets, of which `at` is after the opening one. The
 * closing one; NULL: there is none. */
static const char *split_list(const char *at, const char *end, struct text *parts, int *n)
{
    int depth = 1;
    struct cb_scanner s = {.at = at, .place = CB_IN_LINE};
    const char *begin = at;
    for (struct cb_token t; s.at < end && (t = cb_token_next(&s)).kind != CB_TOKEN_END;) {
        depth += cb_token_is(t, "(");
        depth -= cb_token_is(t, ")");
        if (depth > 0 && (depth > 1 || !cb_token_is(t, ",")))
            continue;
        if (*n < MOST_ARGUMENTS)
            parts[(*n)++] = without_blanks((struct text){begin, (size_t)(t.at - begin)});
        begin = s.at;
        if (depth == 0)
            return t.at;
    }
    return NULL;
}

static void read_parameters(const struct expansion *x, const struct cb_merge_macro *m,
                            struct arguments *a)
{
    static const char dots[] = "...";
    if (m->parameters)
        split_list(x->u->code + m->parameters, x->u->code + m->end, a->names, &a->n_names);
    if (a->n_names == 1 && a->names[0].n == 0)
        a->n_names = 0;
    struct text *last = a->n_names ? &a->names[a->n_names - 1] : NULL;
    if (last && last->n >= 3 && strncmp(last->at + last->n - 3, dots, 3) == 0) {
        a->is_variadic = true;
        *last =
            last->n == 3 ? (struct text){"__VA_ARGS__", 11} : (struct text){last->at, last->n - 3};
    }
}

/* All that is given beyond the other parameters is one. */
static void join_variadic(struct arguments *a)
{
    const int last = a->n_names - 1;
    if (a->is_variadic && a->n > last + 1) {
        a->given[last].n =
            (size_t)(a->given[a->n - 1].at + a->given[a->n - 1].n - a->given[last].at);
        a->n = last + 1;
    } else if (a->is_variadic && a->n == last) {
        a->given[a->n++] = (struct text){"", 0};
    }
}

static const struct text *argument_named(const struct arguments *a, struct cb_token t)
{
    for (int i = 0; i < a->n_names && i < a->n; i++)
        if (t.kind == CB_TOKEN_NAME && a->names[i].n == t.n &&
            strncmp(a->names[i].at, t.at, t.n) == 0)
            return &a->given[i];
    return NULL;
}

static void expand(struct expansion *x, FILE *out, struct text text, int depth);

/* Whether a ## comes next; it is passed over. */
static bool take_pasting(struct cb_scanner *s)
{
    const char *at = s->at + strspn(s->at, " ");
    if (strncmp(at, "##", 2) != 0)
        return false;
    s->at = at + 2 + strspn(at + 2, " ");
    return true;
}

/* The body, with what is given in the places of the parameters. */
static struct text substituted(struct expansion *x, const struct cb_merge_macro *m,
                               const struct arguments *a, int depth)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    struct text body = on_one_line(x->u, x->u->text + m->body, m->end - m->body);
    struct cb_scanner s = {.at = body.at, .place = CB_IN_LINE};
    bool was_pasted = false;
    for (struct cb_token t; (t = cb_token_next(&s)).kind != CB_TOKEN_END;) {
        const bool pastes = take_pasting(&s);
        const struct text *given = argument_named(a, t);
        if (given && !pastes && !was_pasted) {
            put(x, out, " ", 1); /* so that - and -1 are no -- */
            if (x->is_full)
                expand(x, out, *given, depth);
            else
                put(x, out, given->at, given->n);
            put(x, out, " ", 1);
        } else if (given) {
            put(x, out, given->at, given->n);
        } else if (!(pastes && cb_token_is(t, ",") && a->is_variadic &&
                     a->given[a->n - 1].n == 0)) { /* GNU's ", ## args" */
            put(x, out, t.at, t.n);
        }
        was_pasted = pastes;
    }
    const char *kept = cb_merge_made(x->u, out, &text, &size);
    return (struct text){kept, size};
}

/* Writes out a use whose name ends at `after`; where it ends. NULL: it is none. */
static const char *expand_use(struct expansion *x, FILE *out, const struct cb_merge_macro *m,
                              const char *after, const char *end, int depth)
{
    struct arguments a = {.n = 0};
    x->is_broken |= ++x->written > MOST_BYTES;
    read_parameters(x, m, &a);
    if (m->parameters) {
        struct cb_scanner s = {.at = after, .place = CB_IN_LINE};
        struct cb_token t = cb_token_next(&s);
        while (t.kind == CB_TOKEN_BLANK || t.kind == CB_TOKEN_NEWLINE)
            t = cb_token_next(&s);
        if (t.at >= end || !cb_token_is(t, "("))
            return NULL;
        after = split_list(s.at, end, a.given, &a.n);
        if (!after)
            return NULL;
        after++;
        if (a.n_names == 0 && a.n == 1 && a.given[0].n == 0)
            a.n = 0;
        join_variadic(&a);
        x->is_broken |= a.n != a.n_names;
        for (int i = 0; i < a.n; i++)
            a.given[i] = without_blanks(on_one_line(x->u, a.given[i].at, a.given[i].n));
    }
    if (x->is_broken)
        return after;
    struct text text = substituted(x, m, &a, depth + 1);
    if (x->is_full)
        expand(x, out, text, depth + 1);
    else
        put(x, out, text.at, text.n);
    return after;
}

/* All macros in a text, which is on one line. */
static void expand(struct expansion *x, FILE *out, struct text text, int depth)
{
    struct cb_scanner s = {.at = text.at, .place = CB_IN_LINE};
    const char *end = text.at + text.n;
    x->is_broken |= depth > MOST_LEVELS;
    while (s.at < end && !x->is_broken) {
        struct cb_token t = cb_token_next(&s);
        const struct cb_merge_macro *m =
            t.kind == CB_TOKEN_NAME ? cb_merge_macro_at(x->u, t.at, t.n, x->place) : NULL;
        const char *after = m ? expand_use(x, out, m, s.at, end, depth) : NULL;
        if (after)
            s.at = after;
        else
            put(x, out, t.at, t.n);
    }
}

const char *cb_merge_one_line(struct cb_merge_unit *u, uint32_t begin, uint32_t end)
{
    struct text line = without_blanks(on_one_line(u, u->text + begin, end - begin));
    return cb_merge_keep_text(u, line.at, line.n);
}

/* ---- A use in the text ----------------------------------------------------------------------- */

/* Whether a letter could be one token with what comes out of a macro beside it. */
static bool could_join(char c)
{
    return cb_merge_is_letter(c) || (c && strchr("+-<>=&|#.:*/%^!", c));
}

static uint32_t lines_in(const struct cb_merge_unit *u, uint32_t begin, uint32_t end)
{
    uint32_t n = 0;
    for (; begin < end; begin++)
        n += u->text[begin] == '\n';
    return n;
}

static const char *why_not(const struct inside *in, bool has_directive)
{
    return in->has_circle     ? "stands for itself"
           : in->makes_string ? "makes a string of a name"
           : in->is_undecided ? "is perhaps another on the device"
           : has_directive    ? "has an #if among its arguments"
                              : NULL;
}

const char *cb_merge_written_out(struct cb_merge_unit *u, uint32_t at, uint32_t *end)
{
    const uint32_t size = (uint32_t)strspn(u->code + at, CB_MERGE_LETTERS);
    const struct cb_merge_macro *m = cb_merge_macro_at(u, u->code + at, size, at);
    if (!m) {
        cb_merge_problem(u, at,
                         "this comes out of a macro in a way that cannot be seen: write it "
                         "where it is");
        return NULL;
    }
    struct expansion x = {.u = u, .place = at};
    struct inside in = {.place = at};
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    const char *open = m->parameters ? strchr(u->code + at + size, '(') : NULL;
    uint32_t closing = open ? cb_merge_closing(u, (uint32_t)(open - u->code)) : 0;
    *end = closing ? closing + 1 : at + size;
    cb_merge_begin_search(u);
    cb_merge_go_through_names(u, at + size, *end, look_inside, &in); /* its arguments */
    x.is_full = in.has_comma;
    look_at_macro(u, m, &in);
    x.is_full |= in.pastes;
    const char *why = why_not(&in, cb_merge_has_directive(u, at, *end));
    /* Only the macro itself is decided here, if one level is written out. */
    if (in.is_undecided && !x.is_full && !m->is_undecided && !in.has_circle && !in.makes_string)
        why = NULL;
    if (at > 0 && could_join(u->text[at - 1]))
        fputc(' ', out);
    const char *after = why ? NULL : expand_use(&x, out, m, u->text + at + size, u->text + *end, 0);
    if (!why && (!after || x.is_broken))
        why = "cannot be written out here";
    if (could_join(u->text[*end]))
        fputc(' ', out);
    for (uint32_t i = lines_in(u, at, *end); i > 0; i--)
        fputc('\n', out);
    const char *kept = cb_merge_made(u, out, &text, &n);
    if (why)
        cb_merge_problem(u, at,
                         "a macro that hides a part of the kernel %s: write that where it is, "
                         "without %.*s",
                         why, (int)size, u->code + at);
    return why ? NULL : kept;
}
