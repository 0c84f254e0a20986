/* SPDX-License-Identifier: Apache-2.0
 *
 * How many tokens an expression comes to, and all macros, before the compiler makes them: one that
 * doubles thirty times would fill all memory, and a long sum its stack. Each macro is counted once,
 * as a sum over its parameters. Of names that are pasted together, and of macros in a circle, no
 * more is counted than stands there.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/merge/clang.h"
#include "runtime/merge/macros.h"

#define MOST_IN_ONE     (1 << 14) /* of an expression: the compiler calls itself for each */
#define ANY_TOKENS      (1 << 20) /* of all macros that a text uses: what any may have, and */
#define TOKENS_PER_BYTE 4         /* so many more for each of its bytes */
#define MOST_TRIED      (1 << 26) /* beyond which the compiler is not asked */

#define MOST_LEVELS     256 /* of macros that use others, and of uses in what is given */
#define MOST_PARAMETERS 16

/* Tokens: own ones, and how often what is given for each parameter. Run: own ones, if nothing ends
 * an expression; else since the last end, after the longest of all before. */
struct count {
    double own, of[MOST_PARAMETERS], run, longest;
};

struct word {
    const char *at;
    size_t size;
};

struct entry {
    struct word name;
    const struct cb_merge_macro *macro;
    struct word parameters[MOST_PARAMETERS];
    int n_parameters;
    bool is_open, is_done; /* is_open: it is being counted */
    struct count count;
};

struct counter {
    const struct cb_merge_unit *u;
    struct entry *entries; /* by name, those of one name in their order */
    int n, levels;
};

/* ---- Macros ---------------------------------------------------------------------------------- */

static int compare_words(struct word a, struct word b)
{
    const int order = memcmp(a.at, b.at, a.size < b.size ? a.size : b.size);
    return order ? order : (a.size > b.size) - (a.size < b.size);
}

static int compare(const void *a, const void *b)
{
    return compare_words(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

static struct word word_at(const struct cb_merge_unit *u, uint32_t at)
{
    return (struct word){u->code + at, strspn(u->code + at, CB_MERGE_LETTERS)};
}

static void read_parameters(const struct cb_merge_unit *u, struct entry *e)
{
    const struct cb_merge_macro *m = e->macro;
    for (uint32_t at = m->parameters;
         at > 0 && at < m->body && e->n_parameters < MOST_PARAMETERS;) {
        const struct word w = word_at(u, at);
        const bool is_variadic = w.size == 0 && u->code[at] == '.';
        if (w.size > 0)
            e->parameters[e->n_parameters++] = w;
        else if (is_variadic &&
                 (u->code[at - 1] == '(' || u->code[at - 1] == ' ' || u->code[at - 1] == ','))
            e->parameters[e->n_parameters++] = (struct word){"__VA_ARGS__", 11};
        at += w.size ? (uint32_t)w.size : is_variadic ? 3 : 1;
    }
}

static struct entry *first_entry(const struct counter *x, struct word name)
{
    int begin = 0, end = x->n;
    while (begin < end) {
        const int middle = (begin + end) / 2;
        if (compare_words(x->entries[middle].name, name) < 0)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin < x->n && compare_words(x->entries[begin].name, name) == 0 ? &x->entries[begin]
                                                                            : NULL;
}

/* ---- Counts ---------------------------------------------------------------------------------- */

static void add_tokens(struct count *sum, double n)
{
    sum->own += n;
    sum->run += n;
    sum->longest = fmax(sum->longest, sum->run);
}

/* An expression ends where a comma, a semicolon or a brace is. */
static void add_token(struct count *sum, char first)
{
    add_tokens(sum, 1);
    sum->run = strchr(",;{}", first) ? 0 : sum->run;
}

/* A part so many times: of what a macro stands for, or of what it is given, in all its places as if
 * these were one. */
static void add_part(struct count *sum, const struct count *part, double times)
{
    const bool has_end = part->run < part->own;
    sum->own += times * part->own;
    sum->longest = fmax(sum->longest, sum->run + (has_end ? part->longest : times * part->own));
    sum->run = has_end ? part->run : sum->run + times * part->own;
    for (int i = 0; i < MOST_PARAMETERS; i++)
        sum->of[i] += times * part->of[i];
}

/* Adds what a part of the code becomes, which may be in a macro. */
static void count_part(struct counter *x, uint32_t begin, uint32_t end, const struct entry *in,
                       struct count *sum);

/* What a macro stands for; where it is used in itself, it stays. */
static void count_macro(struct counter *x, struct entry *e)
{
    if (e->is_done || e->is_open)
        return;
    e->is_open = true;
    read_parameters(x->u, e);
    count_part(x, e->macro->body, e->macro->end, e, &e->count);
    e->is_open = false;
    e->is_done = true;
}

/* The most of all definitions of a name: which one is meant is not asked. */
static struct count most_of(struct counter *x, struct entry *first, const struct entry **longest)
{
    struct count most = {0};
    *longest = first;
    for (struct entry *e = first; e < x->entries + x->n && compare(e, first) == 0; e++) {
        count_macro(x, e);
        most.own = fmax(most.own, e->count.own);
        most.run = fmax(most.run, e->count.run);
        most.longest = fmax(most.longest, e->count.longest);
        for (int i = 0; i < e->n_parameters; i++)
            most.of[i] = fmax(most.of[i], e->count.of[i]);
        *longest = e->n_parameters > (*longest)->n_parameters ? e : *longest;
    }
    return most;
}

/* Adds a use of a macro. Returns where it ends. */
static uint32_t count_use(struct counter *x, struct entry *first, uint32_t at, uint32_t end,
                          const struct entry *in, struct count *sum)
{
    const struct cb_merge_unit *u = x->u;
    const struct entry *longest;
    const struct count each = most_of(x, first, &longest);
    uint32_t open = at + (uint32_t)first->name.size;
    while (open < end && isspace((unsigned char)u->code[open]))
        open++;
    const uint32_t closing =
        longest->macro->parameters && u->code[open] == '(' ? cb_merge_closing(u, open) : 0;
    struct count own = each;
    memset(own.of, 0, sizeof own.of); /* these are its parameters, not those around it */
    add_part(sum, &own, 1);
    if (closing == 0 || closing >= end)
        return at + (uint32_t)first->name.size;
    int depth = 0, parameter = 0;
    uint32_t begin = open + 1;
    for (uint32_t i = open + 1; i <= closing; i++) {
        depth += u->code[i] == '(';
        depth -= u->code[i] == ')' && i < closing;
        const bool is_last = parameter >= longest->n_parameters - 1; /* it takes all, if variadic */
        if (i < closing && (u->code[i] != ',' || depth > 0 || is_last))
            continue;
        struct count given = {0};
        count_part(x, begin, i, in, &given);
        const double times = parameter < MOST_PARAMETERS ? each.of[parameter] : 1;
        add_part(sum, &given, fmax(times, 1));
        begin = i + 1;
        parameter++;
    }
    return closing + 1;
}

static int parameter_named(const struct entry *in, struct word w)
{
    for (int i = 0; in && i < in->n_parameters; i++)
        if (compare_words(in->parameters[i], w) == 0)
            return i;
    return -1;
}

/* Adds what stands at a place, which may be in a macro. Returns where it ends. */
static uint32_t count_next(struct counter *x, uint32_t at, uint32_t end, const struct entry *in,
                           struct count *sum)
{
    const struct word w = word_at(x->u, at);
    const int parameter = w.size > 0 ? parameter_named(in, w) : -1;
    struct entry *e = w.size > 0 && parameter < 0 ? first_entry(x, w) : NULL;
    if (e)
        return count_use(x, e, at, end, in, sum);
    if (parameter >= 0)
        sum->of[parameter]++;
    else if (!isspace((unsigned char)x->u->code[at]))
        add_token(sum, x->u->code[at]);
    return at + (w.size ? (uint32_t)w.size : 1);
}

static void count_part(struct counter *x, uint32_t begin, uint32_t end, const struct entry *in,
                       struct count *sum)
{
    if (x->levels == MOST_LEVELS) {
        add_tokens(sum, HUGE_VAL);
        return;
    }
    x->levels++;
    while (begin < end)
        begin = count_next(x, begin, end, in, sum);
    x->levels--;
}

/* ---- The text -------------------------------------------------------------------------------- */

/* Whether the line that begins at a place defines a macro: what is in it is counted where that is
 * used. */
static bool defines(const struct cb_merge_unit *u, uint32_t line)
{
    uint32_t at = line + (uint32_t)strspn(u->code + line, " \t");
    if (u->code[at] != '#')
        return false;
    at += 1 + (uint32_t)strspn(u->code + at + 1, " \t");
    return cb_merge_stands_at(u, at, "define") || cb_merge_stands_at(u, at, "undef");
}

/* Notes what the compiler could not take. Whether it might all the same: this counts the most that
 * a text may come to. */
static bool check_text(struct counter *x, struct cb_merge_unit *u)
{
    const uint32_t size = (uint32_t)strlen(u->code);
    const double most = ANY_TOKENS + TOKENS_PER_BYTE * (double)size;
    struct count all = {0};
    for (uint32_t line = 0, end; line < size; line = end + 1) {
        end = cb_merge_end_of_line(u, line);
        for (uint32_t at = line, next; at < end && !defines(u, line); at = next) {
            next = count_next(x, at, size, NULL, &all);
            const bool is_more = all.own > most || all.longest > MOST_IN_ONE;
            if (is_more && u->n_problems == 0)
                cb_merge_problem(u, at,
                                 "%s more than %.0f tokens: write loops or functions, or tables "
                                 "without macros",
                                 all.own > most ? "the text comes, by its macros, to"
                                                : "this expression comes to",
                                 all.own > most ? most : MOST_IN_ONE);
            if (all.own > MOST_TRIED)
                return false;
        }
    }
    return true;
}

bool cb_merge_check_expanded(struct cb_merge_unit *u)
{
    struct counter x = {.u = u};
    cb_merge_find_macros(u);
    x.entries = cb_merge_keep(u, ((size_t)u->n_macros + 1) * sizeof *x.entries);
    for (int i = 0; i < u->n_macros; i++)
        if (!u->macros[i].is_undefined)
            x.entries[x.n++] =
                (struct entry){.name = word_at(u, u->macros[i].at), .macro = &u->macros[i]};
    qsort(x.entries, (size_t)x.n, sizeof *x.entries, compare);
    return check_text(&x, u);
}
