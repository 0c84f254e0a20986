/* SPDX-License-Identifier: Apache-2.0
 *
 * Which variables are read after a point before they are written: liveness, backwards over the
 * tree. What is live after a loop's end and at its beginning grows until it stays the same.
 */
#include "runtime/merge/unit.h"

#include <string.h>

typedef struct cb_merge_set set;

/* What is live where a break, a continue or a switch's case goes. */
struct ways {
    set after, again;
    set *cases; /* cases of the innermost switch; NULL: none */
};

static void add(set *s, int var)
{
    s->words[var / 64] |= (uint64_t)1 << var % 64;
}

static void take(set *s, int var)
{
    s->words[var / 64] &= ~((uint64_t)1 << var % 64);
}

static set both(set a, const set *b)
{
    for (size_t i = 0; i < CB_COUNTOF(a.words); i++)
        a.words[i] |= b->words[i];
    return a;
}

static bool are_equal(const set *a, const set *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static set before(struct cb_merge_node *n, set live, const struct ways *ways);

/* The children one after the other, the last one first. */
static set before_all(struct cb_merge_node *child, set live, const struct ways *ways)
{
    if (!child)
        return live;
    return before(child, before_all(child->next, live, ways), ways);
}

static set before_if(struct cb_merge_node *n, set live, const struct ways *ways)
{
    struct cb_merge_node *yes = n->first->next, *no = yes->next;
    set then = before(yes, live, ways), otherwise = no ? before(no, live, ways) : live;
    return before(n->first, both(then, &otherwise), ways);
}

/* A loop of these parts, each of which may be missing; the condition comes first, or last. What is
 * live grows from one time to the next that a loop around it is gone through: it begins with what
 * it was, so that loops in loops are not each gone through twice as often as the one around. */
static set before_loop(struct cb_merge_node *n, struct cb_merge_node *condition,
                       struct cb_merge_node *step, struct cb_merge_node *body, bool is_last,
                       set live, const struct ways *ways)
{
    bool ends = condition && condition->kind != CB_MERGE_NOTHING;
    set head = n->live, last;
    do {
        struct ways inner = {live, head, ways->cases};
        last = head;
        if (is_last) {
            inner.again = before(condition, n->comes_once ? live : both(head, &live), ways);
            set begin = before(body, inner.again, &inner);
            head = both(head, &begin);
        } else {
            inner.again = step ? before(step, head, ways) : head;
            set begin = before(body, inner.again, &inner);
            if (ends)
                begin = both(begin, &live);
            begin = condition ? before(condition, begin, ways) : begin;
            head = both(head, &begin);
        }
    } while (!are_equal(&head, &last));
    n->live = head;
    return head;
}

static set before_switch(struct cb_merge_node *n, set live, const struct ways *ways)
{
    set cases = live; /* where none is right */
    struct ways inner = {live, ways->again, &cases};
    before(n->first->next, live, &inner);
    return before(n->first, cases, ways);
}

static set before_point(struct cb_merge_node *n, set live)
{
    n->live = both(n->live, &live);
    return live;
}

static set before_case(struct cb_merge_node *n, set live, const struct ways *ways)
{
    set begin = before_all(n->first, live, ways);
    if (ways->cases)
        *ways->cases = both(*ways->cases, &begin);
    return begin;
}

/* What is live before a node, if this is live after it. */
static set before(struct cb_merge_node *n, set live, const struct ways *ways)
{
    switch (n->kind) {
    case CB_MERGE_IF:
        return before_if(n, live, ways);
    case CB_MERGE_FOR: {
        struct cb_merge_node *condition = n->first->next, *step = condition->next;
        return before(n->first, before_loop(n, condition, step, step->next, false, live, ways),
                      ways);
    }
    case CB_MERGE_WHILE:
        return before_loop(n, n->first, NULL, n->first->next, false, live, ways);
    case CB_MERGE_DO:
        return before_loop(n, n->first->next, NULL, n->first, true, live, ways);
    case CB_MERGE_SWITCH:
        return before_switch(n, live, ways);
    case CB_MERGE_CASE:
        return before_case(n, live, ways);
    case CB_MERGE_BREAK:
        return ways->after;
    case CB_MERGE_CONTINUE:
        return ways->again;
    case CB_MERGE_RETURN:
        return (set){{0}};
    case CB_MERGE_POINT:
        return before_point(n, live);
    case CB_MERGE_READS:
        add(&live, n->which);
        return live;
    case CB_MERGE_WRITES:
    case CB_MERGE_BEGINS:
        take(&live, n->which);
        return live;
    default:
        return before_all(n->first, live, ways);
    }
}

/* Constants and local memory stay where they are, parameters that nothing changes are there in each
 * phase. */
static bool may_live(const struct cb_merge_unit *u, const struct cb_merge_var *v)
{
    bool stays = v->is_parameter && !(u->is_task && v->may_be_written);
    return !stays && !v->is_local && !v->is_constant;
}

static void mark(struct cb_merge_unit *u, const struct cb_merge_node *n)
{
    for (int v = 0; n->kind == CB_MERGE_POINT && v < u->n_vars; v++)
        u->vars[v].lives |= may_live(u, &u->vars[v]) && cb_merge_has(&n->live, v);
    for (const struct cb_merge_node *child = n->first; child; child = child->next)
        mark(u, child);
}

void cb_merge_find_live(struct cb_merge_unit *u)
{
    const struct ways none = {{{0}}, {{0}}, NULL};
    before(u->body, (set){{0}}, &none);
    mark(u, u->body);
}
