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
    int n_deeper;                     /* levels beyond */
    struct cb_merge_range *undecided; /* names of macros that are, perhaps, defined otherwise */
    int n_undecided;
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

static bool is_marked(const struct conditions *c, const char *name, uint32_t size)
{
    for (int i = 0; i < c->n_undecided; i++) {
        const struct cb_merge_range *r = &c->undecided[i];
        if (r->end - r->begin == size && strncmp(c->u->code + r->begin, name, size) == 0)
            return true;
    }
    return false;
}

static void look_at_name(const struct cb_merge_unit *u, uint32_t at, uint32_t size, void *data)
{
    struct name_list *list = data;
    const char *name = u->code + at;
    const struct cb_merge_macro *m = cb_merge_macro_at(u, name, size, list->place);
    if (cb_merge_stands_at(u, at, "defined"))
        return;
    if (is_reserved(name) || is_marked(list->c, name, size) || (!m && is_given(u, name, size)))
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
    uint32_t size = (uint32_t)strspn(u->code + at, CB_MERGE_LETTERS);
    c->undecided = cb_merge_grown(c->undecided, c->n_undecided, sizeof *c->undecided);
    c->undecided[c->n_undecided++] = (struct cb_merge_range){at, at + size};
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
        mark_macro(c, after + (uint32_t)strspn(u->code + after, " \t"));
    }
}

void cb_merge_decide(struct cb_merge_unit *u)
{
    struct conditions c = {.u = u};
    for (uint32_t line = 0; u->code[line];) {
        const uint32_t word = line + (uint32_t)strspn(u->code + line, " \t");
        const uint32_t end = cb_merge_end_of_line(u, line);
        if (u->code[word] == '#')
            read_directive(&c, line, word + 1 + (uint32_t)strspn(u->code + word + 1, " \t"), end);
        line = end + (u->code[end] == '\n');
    }
    free(c.undecided);
}
