/* SPDX-License-Identifier: Apache-2.0
 *
 * Points that not all work-items reach, of all workgroups or of one. What they surely part by is
 * in the tree (parting); beside that, a condition may differ between them if an id is in it, or a
 * variable that was told one, or was written where some only come. The tree is gone through in the
 * order in which it is executed, a loop until nothing new is found.
 */
#include "runtime/merge/unit.h"

#include <string.h>

enum certainty { CB_NEVER, CB_MAYBE, CB_SURELY };

/* Where some work-items go another way, and whom that parts (CB_WITHIN_GROUPS, ...). */
struct parting {
    enum certainty certainty;
    unsigned whom;
    const struct cb_merge_node *by;
};

/* Variables that may differ. */
struct differing {
    struct cb_merge_set within, between;
};

/* What depends on the way here. Left: the innermost loop. */
struct flow {
    struct differing now;
    struct differing at_break, at_continue; /* of the innermost loop; at_break: or switch */
    struct parting returned, left, continued;
    bool has_returned; /* all that came here */
};

/* What is kept of a loop from one turn to the next. */
struct cb_merge_turns {
    struct differing head;
    struct parting left;
    unsigned condition; /* whom it parts, where it comes last */
};

struct walk {
    struct cb_merge_unit *u;
    struct flow flow;
    struct differing at_switch; /* where the innermost begins */
    struct parting here;        /* around what is looked at */
    bool is_right_there;        /* with nothing but blocks between */
    bool is_in_switch;          /* not in a loop within it */
    bool is_single;             /* workgroups have one work-item */
};

/* ---- Variables ------------------------------------------------------------------------------- */

static void join_set(struct cb_merge_set *s, const struct cb_merge_set *other)
{
    for (size_t i = 0; i < CB_COUNTOF(s->words); i++)
        s->words[i] |= other->words[i];
}

static void join(struct differing *d, const struct differing *other)
{
    join_set(&d->within, &other->within);
    join_set(&d->between, &other->between);
}

/* Whether names for ids mean what they began as. */
static bool are_as_they_began(const struct walk *w, const struct cb_merge_node *origin)
{
    bool are = true;
    for (const struct cb_merge_node *c = origin->first; c; c = c->next) {
        const struct cb_merge_var *v = &w->u->vars[c->which];
        are = are && (c->kind != CB_MERGE_READS || (!v->may_be_written && !v->address_at));
    }
    return are;
}

/* Whether a variable may be reached by the pointers of another. */
static bool is_behind(const struct walk *w, int behind, int var)
{
    const struct cb_merge_var *v = &w->u->vars[var];
    return v->has_private_pointer && v->pointed && w->u->vars[behind].pointed == v->pointed;
}

static unsigned of_variable(const struct walk *w, int var)
{
    return (cb_merge_has(&w->flow.now.within, var) ? CB_WITHIN_GROUPS : 0u) |
           (cb_merge_has(&w->flow.now.between, var) ? CB_BETWEEN_GROUPS : 0u);
}

/* Whom what is read by a variable may differ between. */
static unsigned read_by(const struct walk *w, int var)
{
    unsigned whom = of_variable(w, var);
    for (int v = 0; w->u->vars[var].pointed && v < w->u->n_vars; v++)
        if (is_behind(w, v, var))
            whom |= of_variable(w, v);
    return whom;
}

/* Whom an expression may differ between. */
static unsigned differs(const struct walk *w, const struct cb_merge_node *n)
{
    unsigned whom = n->kind == CB_MERGE_DIFFERS ? (unsigned)n->which
                    : n->kind == CB_MERGE_READS ? read_by(w, n->which)
                                                : 0;
    for (const struct cb_merge_node *c = n->first; c; c = c->next)
        whom |= differs(w, c);
    if (n->kind == CB_MERGE_ORIGIN && are_as_they_began(w, n))
        whom &= ~(unsigned)CB_WITHIN_GROUPS;
    return whom;
}

/* Whom a condition may part: nobody, where it is always the same. */
static unsigned parts(const struct walk *w, const struct cb_merge_node *condition)
{
    return condition->value ? 0 : differs(w, condition);
}

static void put(struct cb_merge_set *s, int var, bool is_in, bool may_leave)
{
    const uint64_t bit = (uint64_t)1 << var % 64;
    if (is_in)
        s->words[var / 64] |= bit;
    else if (may_leave)
        s->words[var / 64] &= ~bit;
}

/* A variable gets a value; is_all: instead of the one that it had. One in local memory is the same
 * for a whole workgroup. Members of a structure are not told apart: of one that is transmit, we
 * believe its author that workgroups agree on what decides. */
static void give(struct walk *w, int var, unsigned whom, bool is_all)
{
    const struct cb_merge_var *v = &w->u->vars[var];
    const unsigned missing =
        w->here.whom | w->flow.left.whom | w->flow.continued.whom; /* some only come here */
    whom |= missing;
    if (v->is_record && v->is_transmitted && !is_all)
        return;
    if (v->is_local || (v->is_local_pointer && !is_all))
        whom &= ~(unsigned)CB_WITHIN_GROUPS;
    put(&w->flow.now.within, var, whom & CB_WITHIN_GROUPS, is_all && !missing);
    put(&w->flow.now.between, var, whom & CB_BETWEEN_GROUPS, is_all && !missing);
}

/* A variable is changed, or what it points to. */
static void change(struct walk *w, int var, unsigned whom)
{
    give(w, var, whom, false);
    for (int v = 0; w->u->vars[var].pointed && v < w->u->n_vars; v++)
        if (v != var && is_behind(w, v, var))
            give(w, v, whom, false);
}

/* An expression, or declarations. */
static void take(struct walk *w, const struct cb_merge_node *n)
{
    const unsigned all = differs(w, n);
    unsigned read = 0;
    for (const struct cb_merge_node *c = n->first; c; c = c->next) {
        if (c->kind == CB_MERGE_CHANGES)
            change(w, c->which, all);
        if (c->kind == CB_MERGE_WRITES || c->kind == CB_MERGE_BEGINS)
            give(w, c->which, read, true);
        read = c->kind == CB_MERGE_BEGINS ? 0 : read | differs(w, c);
    }
}

/* ---- Ways ------------------------------------------------------------------------------------ */

static struct parting surer(struct parting a, struct parting b)
{
    const unsigned whom = a.whom | b.whom;
    struct parting surest = b.certainty > a.certainty ? b : a;
    surest.whom = whom;
    return surest;
}

static struct parting softer(struct parting p)
{
    p.certainty = p.certainty ? CB_MAYBE : CB_NEVER;
    return p;
}

static bool is_global(const struct cb_merge_node *point)
{
    return point->which == CB_GLOBAL_BARRIER || point->which == CB_RESIZING_BARRIER;
}

/* Those that a workgroup comes to by itself need no more than all of its own work-items. */
static struct parting parted_at(const struct walk *w, const struct cb_merge_node *point)
{
    const struct flow *f = &w->flow;
    struct parting p = surer(surer(w->here, f->returned), surer(f->left, f->continued));
    if (w->is_single)
        p.whom &= ~(unsigned)CB_WITHIN_GROUPS;
    if (!p.whom)
        p.certainty = CB_NEVER;
    if (is_global(point) || p.whom == CB_WITHIN_GROUPS)
        return p;
    p = softer(p); /* by which of its conditions those of a workgroup are parted is not known */
    if (!(p.whom & CB_WITHIN_GROUPS))
        p.certainty = CB_NEVER;
    return p;
}

static void look_at_point(struct walk *w, struct cb_merge_node *n)
{
    const struct parting p = parted_at(w, n);
    const char *whose = is_global(n) ? "" : " of a workgroup";
    char path[512];
    unsigned line, column;
    if (!p.certainty || n->is_told)
        return;
    n->is_told = true;
    cb_merge_written_at(w->u, p.by->begin, path, sizeof path, &line, &column);
    if (p.certainty == CB_SURELY)
        cb_merge_problem(w->u, n->begin,
                         "not all work-items%s reach this %s(), by the id in line %u: let them all "
                         "come here",
                         whose, cb_merge_row_of(n)->source, line);
    else
        cb_merge_warn(w->u, n->begin,
                      "not all work-items%s may reach this %s(), by the condition in line %u, and "
                      "those that do would wait for ever: let all come here, with the condition "
                      "around their work alone",
                      whose, cb_merge_row_of(n)->source, line);
}

/* Some go away from here, if some only come here. */
static void leave(struct walk *w, struct parting *way)
{
    struct parting p = w->here;
    if (!w->is_right_there || p.by->parting != CB_BOTH_WAYS)
        p = softer(p);
    *way = surer(surer(*way, p), softer(surer(w->flow.left, w->flow.continued)));
    w->flow.now = (struct differing){{{0}}, {{0}}}; /* nobody goes on */
}

/* Into a part of a statement: surely not all, or perhaps, as its condition may differ. */
static void enter(struct walk *w, const struct cb_merge_node *n, bool is_sure, unsigned whom)
{
    const enum certainty certainty = is_sure ? CB_SURELY : whom ? CB_MAYBE : CB_NEVER;
    w->here = surer(w->here, (struct parting){certainty, whom, n});
    w->is_right_there = is_sure && w->here.by == n;
}

static void look(struct walk *w, struct cb_merge_node *n);

/* Behind an if, whose parts some may not have come to. */
static struct parting way_behind(const struct cb_merge_node *n, struct parting before,
                                 struct parting yes, struct parting no)
{
    const struct parting way = surer(yes, no);
    return surer(before, n->parting == CB_BOTH_WAYS ? way : softer(way));
}

static void look_at_if(struct walk *w, struct cb_merge_node *n)
{
    struct cb_merge_node *condition = n->first, *yes = condition->next, *no = yes->next;
    const unsigned whom = parts(w, condition);
    take(w, condition);
    if (condition->value) { /* of its parts one is dead */
        struct cb_merge_node *taken = condition->value == CB_ALWAYS_TRUE ? yes : no;
        if (taken)
            look(w, taken);
        return;
    }
    const struct walk before = *w;
    enter(w, n, n->parting != CB_ALL_ALIKE, whom);
    look(w, yes);
    struct flow then = w->flow;
    *w = before;
    enter(w, n, n->parting == CB_BOTH_WAYS, whom);
    if (no)
        look(w, no);
    const struct flow otherwise = w->flow;
    const bool are_alike = !before.here.certainty && !whom;
    *w = before;
    w->flow.now = then.now;
    join(&w->flow.now, &otherwise.now);
    w->flow.at_break = then.at_break;
    join(&w->flow.at_break, &otherwise.at_break);
    w->flow.at_continue = then.at_continue;
    join(&w->flow.at_continue, &otherwise.at_continue);
    if (are_alike && then.has_returned && !then.left.certainty && !then.continued.certainty)
        then.returned = before.flow.returned; /* all that came there have, one way or another */
    w->flow.returned = way_behind(n, before.flow.returned, then.returned, otherwise.returned);
    w->flow.left = way_behind(n, before.flow.left, then.left, otherwise.left);
    w->flow.continued = way_behind(n, before.flow.continued, then.continued, otherwise.continued);
    w->flow.has_returned = then.has_returned && otherwise.has_returned;
}

static void look_at_switch(struct walk *w, struct cb_merge_node *n)
{
    const unsigned whom = differs(w, n->first);
    take(w, n->first);
    const struct walk before = *w;
    w->at_switch = w->flow.now;
    w->is_in_switch = true;
    w->flow.at_break = w->flow.now; /* where no case is right */
    enter(w, n, false, whom);
    look(w, n->first->next);
    const struct flow behind = w->flow;
    *w = before;
    w->flow = behind;
    join(&w->flow.now, &behind.at_break);
    w->flow.at_break = before.flow.at_break;
    w->flow.returned = softer(behind.returned);
    w->flow.left = softer(behind.left);
    w->flow.continued = softer(behind.continued);
    w->flow.has_returned = false;
}

/* ---- Loops ----------------------------------------------------------------------------------- */

struct loop {
    struct cb_merge_node *condition, *step, *body; /* each may be missing but for the body */
};

static struct loop loop_of(struct cb_merge_node *n)
{
    struct cb_merge_node *first = n->first, *second = first->next;
    if (n->kind == CB_MERGE_DO)
        return (struct loop){second, NULL, first};
    if (n->kind == CB_MERGE_WHILE)
        return (struct loop){first, NULL, second};
    return (struct loop){second, second->next, second->next->next};
}

/* Whom the condition at the begin of a loop parts. One out of a macro has its head in its body. */
static unsigned parted_by(const struct walk *w, const struct loop *l)
{
    unsigned whom = parts(w, l->condition);
    if (l->condition->kind == CB_MERGE_EXPRESSION && l->condition->begin == l->condition->end)
        for (const struct cb_merge_node *c = l->body->first; c && c->next; c = c->next)
            whom |= differs(w, c);
    return whom;
}

/* A turn. What comes first in it is missed by those that left in one before, too. */
static void look_at_turn(struct walk *w, struct cb_merge_node *n, const struct loop *l,
                         struct cb_merge_turns *t)
{
    const struct walk before = *w;
    unsigned whom = t->condition;
    w->flow.now = t->head;
    w->flow.left = t->left;
    w->flow.continued = (struct parting){CB_NEVER, 0, NULL};
    w->flow.at_break = w->flow.at_continue = (struct differing){{{0}}, {{0}}};
    if (n->kind != CB_MERGE_DO) {
        whom = parted_by(w, l);
        take(w, l->condition);
    }
    const struct differing at_end = w->flow.now;
    enter(w, n, n->parting != CB_ALL_ALIKE, whom);
    look(w, l->body);
    w->flow.continued = (struct parting){CB_NEVER, 0, NULL};
    join(&w->flow.now, &w->flow.at_continue);
    if (l->step)
        look(w, l->step);
    if (n->kind == CB_MERGE_DO) {
        t->condition |= parts(w, l->condition);
        take(w, l->condition);
    }
    join(&t->head, &w->flow.now);
    t->left = softer(w->flow.left);
    if (n->kind != CB_MERGE_DO)
        w->flow.now = at_end;
    join(&w->flow.now, &w->flow.at_break);
    w->flow.returned = n->parting == CB_BOTH_WAYS ? w->flow.returned : softer(w->flow.returned);
    w->flow.returned = surer(before.flow.returned, w->flow.returned);
    w->here = before.here;
    w->is_right_there = before.is_right_there;
}

static bool are_equal(const struct cb_merge_turns *a, const struct cb_merge_turns *b)
{
    return memcmp(&a->head, &b->head, sizeof a->head) == 0 && a->condition == b->condition &&
           a->left.certainty == b->left.certainty && a->left.whom == b->left.whom;
}

/* What has been found in a loop stays, so that loops in loops are not each gone through twice as
 * often as the one around. */
static void look_at_loop(struct walk *w, struct cb_merge_node *n)
{
    const struct loop l = loop_of(n);
    struct cb_merge_turns last;
    if (n->kind == CB_MERGE_FOR)
        look(w, n->first);
    if (n->kind != CB_MERGE_DO && l.condition->value == CB_ALWAYS_FALSE) {
        take(w, l.condition);
        return;
    }
    const struct walk before = *w;
    if (!n->turns)
        n->turns = cb_merge_keep(w->u, sizeof *n->turns);
    w->here = surer(w->here, surer(w->flow.left, w->flow.continued)); /* out of a loop around */
    w->is_right_there = false;
    w->is_in_switch = false;
    join(&n->turns->head, &w->flow.now);
    do {
        last = *n->turns;
        look_at_turn(w, n, &l, n->turns);
    } while (!are_equal(n->turns, &last));
    const struct flow behind = w->flow;
    *w = before;
    w->flow.now = behind.now;
    w->flow.returned = behind.returned;
}

/* A block that break leaves: nobody comes again, and all are together after it. */
static void look_at_once(struct walk *w, struct cb_merge_node *n)
{
    const struct walk before = *w;
    const struct parting away = surer(w->flow.left, w->flow.continued);
    w->here = surer(w->here, away); /* out of a loop around */
    w->is_right_there = before.is_right_there && !away.certainty;
    w->is_in_switch = false;
    w->flow.left = w->flow.continued = (struct parting){CB_NEVER, 0, NULL};
    w->flow.at_break = w->flow.at_continue = (struct differing){{{0}}, {{0}}};
    look(w, n->first);
    struct flow behind = w->flow;
    join(&behind.now, &behind.at_break);
    join(&behind.now, &behind.at_continue);
    *w = before;
    w->flow.now = behind.now;
    w->flow.returned = behind.returned;
}

/* ---- Statements ------------------------------------------------------------------------------ */

static void look(struct walk *w, struct cb_merge_node *n)
{
    switch (n->kind) {
    case CB_MERGE_POINT:
        if (n->which != CB_WORKGROUP_BARRIER)
            look_at_point(w, n);
        break;
    case CB_MERGE_EXPRESSION:
    case CB_MERGE_DECLARES:
        take(w, n);
        break;
    case CB_MERGE_RETURN:
        w->flow.has_returned = true;
        leave(w, &w->flow.returned);
        break;
    case CB_MERGE_BREAK:
        join(&w->flow.at_break, &w->flow.now);
        if (!w->is_in_switch)
            leave(w, &w->flow.left);
        break;
    case CB_MERGE_CONTINUE:
        join(&w->flow.at_continue, &w->flow.now);
        leave(w, &w->flow.continued);
        break;
    case CB_MERGE_FOR:
    case CB_MERGE_WHILE:
    case CB_MERGE_DO:
        if (n->comes_once)
            look_at_once(w, n);
        else
            look_at_loop(w, n);
        break;
    case CB_MERGE_IF:
        look_at_if(w, n);
        break;
    case CB_MERGE_SWITCH:
        look_at_switch(w, n);
        break;
    default:
        if (n->kind == CB_MERGE_CASE)
            join(&w->flow.now, &w->at_switch);
        for (struct cb_merge_node *c = n->first; c; c = c->next)
            look(w, c);
    }
}

void cb_merge_check_reached(struct cb_merge_unit *u)
{
    struct walk w = {.u = u};
    size_t required[3] = {0};
    cb_merge_required(u, required);
    w.is_single = required[0] * required[1] * required[2] == 1;
    if (u->is_task)
        return;
    cb_merge_find_pointed(u);
    look(&w, u->body);
}
