/* SPDX-License-Identifier: Apache-2.0
 *
 * Global barriers that not all work-items reach. What they surely part by is in the tree (parting);
 * beside that, a condition may differ between them if an id is in it, or a variable that was told
 * one, or was written where some only come.
 */
#include "runtime/merge/unit.h"

enum certainty { CB_NEVER, CB_MAYBE, CB_SURELY };

/* Where some work-items go another way. */
struct parting {
    enum certainty certainty;
    const struct cb_merge_node *by;
};

struct walk {
    struct cb_merge_unit *u;
    struct cb_merge_set differing; /* variables */
    bool has_changed;
    struct parting here;                      /* around what is looked at */
    bool is_right_there;                      /* with nothing but blocks between */
    struct parting returned, left, continued; /* before it: some did. Left: the innermost loop */
    bool is_in_switch, is_again;              /* is_again: a later turn of a loop is looked at */
};

static bool is_condition(const struct cb_merge_node *n, const struct cb_merge_node *part)
{
    return n->kind == CB_MERGE_DO    ? part != n->first
           : n->kind == CB_MERGE_FOR ? part == n->first->next
                                     : part == n->first;
}

static bool parts(const struct cb_merge_node *n)
{
    return n->kind == CB_MERGE_IF || n->kind == CB_MERGE_FOR || n->kind == CB_MERGE_WHILE ||
           n->kind == CB_MERGE_DO || n->kind == CB_MERGE_SWITCH;
}

/* ---- Variables ------------------------------------------------------------------------------- */

static bool differs(const struct walk *w, const struct cb_merge_node *n)
{
    if (n->kind == CB_MERGE_DIFFERS ||
        (n->kind == CB_MERGE_READS && cb_merge_has(&w->differing, n->which)))
        return true;
    for (const struct cb_merge_node *c = n->first; c; c = c->next)
        if (differs(w, c))
            return true;
    return false;
}

static bool has_differing_condition(const struct walk *w, const struct cb_merge_node *n)
{
    for (const struct cb_merge_node *c = n->first; c; c = c->next)
        if (is_condition(n, c) && differs(w, c))
            return true;
    return false;
}

static void mark(struct walk *w, int var)
{
    w->has_changed |= !cb_merge_has(&w->differing, var);
    w->differing.words[var / 64] |= (uint64_t)1 << var % 64;
}

/* Marks what is written in a statement that reads what differs, or to which some only come. */
static void spread(struct walk *w, const struct cb_merge_node *n, bool is_parted)
{
    bool reads = false;
    is_parted |= parts(n) && (n->parting || has_differing_condition(w, n));
    for (const struct cb_merge_node *c = n->first; c; c = c->next) {
        const bool writes =
            c->kind == CB_MERGE_WRITES || c->kind == CB_MERGE_BEGINS || c->kind == CB_MERGE_CHANGES;
        if (writes && (reads || is_parted))
            mark(w, c->which);
        reads = (reads || (!c->first && differs(w, c))) && c->kind != CB_MERGE_BEGINS;
        spread(w, c, is_parted);
    }
}

/* ---- Barriers -------------------------------------------------------------------------------- */

static struct parting surer(struct parting a, struct parting b)
{
    return b.certainty > a.certainty ? b : a;
}

static void soften(struct parting *p)
{
    p->certainty = p->certainty ? CB_MAYBE : CB_NEVER;
}

static void look_at_barrier(struct walk *w, struct cb_merge_node *n)
{
    const struct parting p = surer(surer(w->here, w->returned), surer(w->left, w->continued));
    char path[512];
    unsigned line, column;
    if (!p.certainty || (w->is_again && n->is_told))
        return;
    n->is_told = true;
    cb_merge_written_at(w->u, p.by->begin, path, sizeof path, &line, &column);
    if (p.certainty == CB_SURELY)
        cb_merge_problem(w->u, n->begin,
                         "not all work-items reach this %s(), by the id in line %u: let them all "
                         "come here",
                         cb_merge_row_of(n)->source, line);
    else
        cb_merge_warn(w->u, n->begin,
                      "perhaps not all work-items reach this %s(), by line %u, in which they may "
                      "differ: if they do, those that come wait for ever",
                      cb_merge_row_of(n)->source, line);
}

/* Some go away from here, if some only come here. */
static void leave(const struct walk *w, struct parting *way)
{
    struct parting p = w->here;
    if (p.certainty == CB_SURELY && (!w->is_right_there || p.by->parting != CB_BOTH_WAYS))
        p.certainty = CB_MAYBE;
    *way = surer(*way, p);
}

static void look(struct walk *w, struct cb_merge_node *n);

static void look_at_parts(struct walk *w, struct cb_merge_node *n)
{
    const struct walk before = *w;
    const bool may_differ = has_differing_condition(w, n);
    for (struct cb_merge_node *c = n->first; c; c = c->next) {
        const bool is_else = n->kind == CB_MERGE_IF && c == n->last && c != n->first->next;
        const bool is_sure = is_else ? n->parting == CB_BOTH_WAYS : n->parting != CB_ALL_ALIKE;
        w->here = before.here;
        w->is_right_there = false;
        if (!is_condition(n, c) && (is_sure || may_differ)) {
            w->here = surer(before.here, (struct parting){is_sure ? CB_SURELY : CB_MAYBE, n});
            w->is_right_there = is_sure && w->here.by == n;
        }
        look(w, c);
    }
    w->here = before.here;
    w->is_right_there = before.is_right_there;
    if (n->parting == CB_BOTH_WAYS)
        return;
    soften(&w->returned);
    soften(&w->left);
    soften(&w->continued);
    w->returned = surer(w->returned, before.returned);
    w->left = surer(w->left, before.left);
    w->continued = surer(w->continued, before.continued);
}

/* In each later turn, those that left the loop are missed by what comes first in it, too. */
static void look_at_loop(struct walk *w, struct cb_merge_node *n)
{
    const struct walk before = *w;
    w->here = surer(w->here, surer(w->left, w->continued)); /* out of a loop around this */
    w->is_right_there = false;
    w->left = w->continued = (struct parting){CB_NEVER, NULL};
    w->is_in_switch = false;
    look_at_parts(w, n);
    soften(&w->left);
    w->continued = (struct parting){CB_NEVER, NULL};
    if (w->left.certainty && !w->is_again) {
        w->is_again = true;
        look_at_parts(w, n);
    }
    w->here = before.here;
    w->is_right_there = before.is_right_there;
    w->left = before.left;
    w->continued = before.continued;
    w->is_in_switch = before.is_in_switch;
    w->is_again = before.is_again;
}

static void look(struct walk *w, struct cb_merge_node *n)
{
    const bool was_in_switch = w->is_in_switch;
    switch (n->kind) {
    case CB_MERGE_POINT:
        if (n->which == CB_GLOBAL_BARRIER || n->which == CB_RESIZING_BARRIER)
            look_at_barrier(w, n);
        break;
    case CB_MERGE_RETURN:
        leave(w, &w->returned);
        break;
    case CB_MERGE_BREAK:
        if (!w->is_in_switch)
            leave(w, &w->left);
        break;
    case CB_MERGE_CONTINUE:
        leave(w, &w->continued);
        break;
    case CB_MERGE_FOR:
    case CB_MERGE_WHILE:
    case CB_MERGE_DO:
        look_at_loop(w, n);
        break;
    case CB_MERGE_IF:
    case CB_MERGE_SWITCH:
        w->is_in_switch |= n->kind == CB_MERGE_SWITCH;
        look_at_parts(w, n);
        w->is_in_switch = was_in_switch;
        break;
    default:
        for (struct cb_merge_node *c = n->first; c; c = c->next)
            look(w, c);
    }
}

void cb_merge_check_reached(struct cb_merge_unit *u)
{
    struct walk w = {.u = u};
    if (u->is_task)
        return;
    do {
        w.has_changed = false;
        spread(&w, u->body, false);
    } while (w.has_changed);
    look(&w, u->body);
}
