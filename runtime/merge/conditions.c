/* SPDX-License-Identifier: Apache-2.0
 *
 * libclang tells which branches are taken here; these are taken on every device if the conditions
 * up to that branch depend on nothing but the text.
 */
#include "runtime/merge/conditions.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/merge/macros.h"

#define MOST_LEVELS 32

struct condition {
    uint32_t begin;
    uint32_t taken_begin, taken_end; /* the branch that is taken; 0: none so far */
    bool is_decided;                 /* so far */
    bool is_taken_away;              /* by one around it */
};

struct conditions {
    struct cb_merge_unit *u;
    struct condition list[MOST_LEVELS];
    int n;
    int n_deeper; /* levels beyond */
    struct names {
        struct cb_merge_range *list;
        int n;
    } undecided /* macros that are, perhaps, defined otherwise */, guards /* of whole files */;
};

/* ---- Names ----------------------------------------------------------------------------------- */

/* What begins so is the device's compiler's, the standard's, or our own. */
static bool is_reserved(const char *name)
{
    static const char *const begins[] = {"_", "cl_", "CL_", "CLK_", "CB_", "COOP_", "TASK_", "FP_"};
    for (size_t i = 0; i < CB_COUNTOF(begins); i++)
        if (strncmp(name, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

static bool is_given(const struct cb_merge_unit *u, const char *name, size_t size)
{
    for (int i = 0; i < u->n_given_macros; i++)
        if (strlen(u->given_macros[i]) == size && strncmp(u->given_macros[i], name, size) == 0)
            return true;
    return false;
}

struct name_list {
    struct conditions *c;
    uint32_t place;
    bool is_decided;
};

static bool is_among(const struct cb_merge_unit *u, const struct names *names, const char *name,
                     uint32_t size)
{
    for (int i = 0; i < names->n; i++) {
        const struct cb_merge_range *r = &names->list[i];
        if (r->end - r->begin == size && strncmp(u->code + r->begin, name, size) == 0)
            return true;
    }
    return false;
}

static void add_name(const struct cb_merge_unit *u, struct names *names, uint32_t at)
{
    const uint32_t size = (uint32_t)strspn(u->code + at, CB_MERGE_LETTERS);
    names->list = cb_merge_grown(names->list, names->n, sizeof *names->list);
    names->list[names->n++] = (struct cb_merge_range){at, at + size};
}

static void look_at_name(const struct cb_merge_unit *u, uint32_t at, uint32_t size, void *data)
{
    struct name_list *list = data;
    const char *name = u->code + at;
    const struct cb_merge_macro *m = cb_merge_macro_at(u, name, size, list->place);
    if (cb_merge_stands_at(u, at, "defined"))
        return;
    if ((is_reserved(name) && !is_among(u, &list->c->guards, name, size)) ||
        is_among(u, &list->c->undecided, name, size) || (m && m->is_undecided) ||
        (!m && is_given(u, name, size)))
        list->is_decided = false;
    else if (m && list->is_decided && cb_merge_take_once(u, m))
        cb_merge_go_through_names(u, m->body, m->end, look_at_name, list);
}

static bool is_decided(struct conditions *c, uint32_t begin, uint32_t end)
{
    struct name_list list = {.c = c, .place = begin, .is_decided = true};
    cb_merge_begin_search(c->u);
    cb_merge_go_through_names(c->u, begin, end, look_at_name, &list);
    return list.is_decided;
}

bool cb_merge_is_by_text(struct cb_merge_unit *u, uint32_t begin, uint32_t end)
{
    return is_decided(&(struct conditions){.u = u}, begin, end);
}

/* ---- Include guards -------------------------------------------------------------------------- */

static uint32_t next_line(const struct cb_merge_unit *u, uint32_t line)
{
    const uint32_t end = cb_merge_end_of_line(u, line);
    return end + (u->code[end] == '\n');
}

static uint32_t after_blanks(const struct cb_merge_unit *u, uint32_t at, const char *blanks)
{
    return at + (uint32_t)strspn(u->code + at, blanks);
}

/* The word of the directive that a line is; 0: it is none. */
static uint32_t directive_on(const struct cb_merge_unit *u, uint32_t line)
{
    const uint32_t at = after_blanks(u, line, " \t");
    return u->code[at] == '#' ? after_blanks(u, at + 1, " \t") : 0;
}

/* The name that a line defines, or asks for; 0: that is another line. */
static uint32_t name_on(const struct cb_merge_unit *u, uint32_t line, const char *directive)
{
    const uint32_t word = directive_on(u, line);
    return word && cb_merge_stands_at(u, word, directive)
               ? after_blanks(u, word + (uint32_t)strlen(directive), " \t")
               : 0;
}

static bool begins_file(const struct cb_merge_unit *u, uint32_t line)
{
    static const char first[] = "#line 1 ";
    while (line > 0 && strchr(" \t\r\n", u->code[line - 1]))
        line--;
    while (line > 0 && u->code[line - 1] != '\n')
        line--;
    return strncmp(u->code + line, first, strlen(first)) == 0;
}

/* Whether nothing of the file comes after the #if on a line. */
static bool ends_file(const struct cb_merge_unit *u, uint32_t line)
{
    int depth = 0;
    do {
        const uint32_t word = directive_on(u, line);
        depth += word && strncmp(u->code + word, "if", 2) == 0;
        depth -= word && cb_merge_stands_at(u, word, "endif");
        line = next_line(u, line);
    } while (depth > 0 && u->code[line]);
    const uint32_t after = after_blanks(u, line, " \t\r\n");
    return depth == 0 && (!u->code[after] || cb_merge_stands_at(u, after + 1, "line"));
}

/* The name that a line begins to guard a file with, where it is defined; 0: it does not. */
static uint32_t guard_on(const struct cb_merge_unit *u, uint32_t line)
{
    const uint32_t asked = name_on(u, line, "ifndef");
    const uint32_t defined =
        asked ? name_on(u, after_blanks(u, next_line(u, line), " \t\r\n"), "define") : 0;
    const size_t size = strspn(u->code + asked, CB_MERGE_LETTERS);
    const bool is_same = defined && size > 0 &&
                         strncmp(u->code + asked, u->code + defined, size) == 0 &&
                         !cb_merge_is_letter(u->code[defined + size]);
    return is_same && begins_file(u, line) && ends_file(u, line) ? defined : 0;
}

/* Compilers do not know the names by which files keep from being read twice, whatever these begin
 * with: the file would be lost. Each comes twice for each time that its file is included; one that
 * comes once more may be about something else. */
static void find_guards(struct conditions *c)
{
    const struct cb_merge_unit *u = c->u;
    struct names found = {NULL, 0};
    for (uint32_t line = 0; u->code[line]; line = next_line(u, line)) {
        const uint32_t name = guard_on(u, line);
        if (name && is_reserved(u->code + name))
            add_name(u, &found, name);
    }
    for (int i = 0; i < found.n; i++) {
        const struct cb_merge_range *r = &found.list[i];
        const char *name = cb_merge_keep_text(c->u, u->code + r->begin, r->end - r->begin);
        int n = 0;
        for (int other = 0; other < found.n; other++)
            n -= 2 * cb_merge_stands_at(u, found.list[other].begin, name);
        for (const char *at = u->code; (at = cb_merge_find_word(u, at, name)); at++)
            n++;
        if (n == 0)
            add_name(u, &c->guards, r->begin);
    }
    free(found.list);
}

/* ---- Branches -------------------------------------------------------------------------------- */

static void blank(struct cb_merge_unit *u, uint32_t begin, uint32_t end)
{
    for (; begin < end; begin++)
        if (u->text[begin] != '\n')
            u->text[begin] = u->code[begin] = ' ';
}

/* A branch begins: its line goes from `at` to `end`, its condition begins at `from`. */
static void begin_branch(struct conditions *c, uint32_t at, uint32_t from, uint32_t end)
{
    struct condition *k = &c->list[c->n - 1];
    if (k->taken_begin && !k->taken_end)
        k->taken_end = at;
    if (k->taken_begin)
        return;
    k->is_decided = k->is_decided && is_decided(c, from, end);
    if (!cb_merge_is_skipped(c->u, end))
        k->taken_begin = end;
}

static void end_condition(struct conditions *c, uint32_t at, uint32_t end)
{
    struct condition *k = &c->list[--c->n];
    if (!k->is_decided || k->is_taken_away)
        return;
    if (k->taken_begin) {
        blank(c->u, k->begin, k->taken_begin);
        blank(c->u, k->taken_end ? k->taken_end : at, end);
    } else {
        blank(c->u, k->begin, end);
    }
}

static void mark_macro(struct conditions *c, uint32_t at)
{
    struct cb_merge_unit *u = c->u;
    bool is_undecided = c->n_deeper > 0;
    for (int i = 0; i < c->n; i++)
        is_undecided |= !c->list[i].is_decided && !c->list[i].is_taken_away;
    if (!is_undecided)
        return;
    for (int i = 0; i < u->n_macros; i++)
        u->macros[i].is_undecided |= u->macros[i].at == at;
    add_name(u, &c->undecided, at);
}

/* Whether the innermost condition so far takes away what stands here. */
static bool is_here_taken_away(const struct conditions *c)
{
    const struct condition *k = c->n > 0 ? &c->list[c->n - 1] : NULL;
    return k && (k->is_taken_away || !k->taken_begin || k->taken_end);
}

static void read_directive(struct conditions *c, uint32_t line, uint32_t word, uint32_t end)
{
    struct cb_merge_unit *u = c->u;
    const uint32_t after = word + (uint32_t)strspn(u->code + word, CB_MERGE_LETTERS);
    if (strncmp(u->code + word, "if", 2) == 0) {
        if (c->n == MOST_LEVELS) {
            c->n_deeper++;
            return;
        }
        c->list[c->n] = (struct condition){
            .begin = line, .is_decided = true, .is_taken_away = is_here_taken_away(c)};
        c->n++;
        begin_branch(c, line, after, end);
    } else if (cb_merge_stands_at(u, word, "endif") && c->n_deeper > 0) {
        c->n_deeper--;
    } else if (cb_merge_stands_at(u, word, "endif") && c->n > 0) {
        end_condition(c, line, end);
    } else if (strncmp(u->code + word, "el", 2) == 0 && c->n > 0 && c->n_deeper == 0) {
        begin_branch(c, line, after, end);
    } else if (cb_merge_stands_at(u, word, "define") || cb_merge_stands_at(u, word, "undef")) {
        mark_macro(c, after_blanks(u, after, " \t"));
    }
}

void cb_merge_decide(struct cb_merge_unit *u)
{
    struct conditions c = {.u = u};
    find_guards(&c);
    for (uint32_t line = 0; u->code[line]; line = next_line(u, line)) {
        const uint32_t word = directive_on(u, line);
        if (word)
            read_directive(&c, line, word, cb_merge_end_of_line(u, line));
    }
    free(c.undecided.list);
    free(c.guards.list);
}
