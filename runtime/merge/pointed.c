/* SPDX-License-Identifier: Apache-2.0
 *
 * What pointers to private memory point to: a variable that has one, and all that is named where it
 * gets one, belong together, and so do those that belong to one of these, wherever that is.
 */
#include "runtime/merge/unit.h"

static void put_together(struct cb_merge_unit *u, int var, int other)
{
    const int from = u->vars[other].pointed;
    u->vars[var].pointed = u->vars[var].pointed ? u->vars[var].pointed : var + 1;
    u->vars[other].pointed = u->vars[var].pointed;
    for (int v = 0; from && v < u->n_vars; v++)
        if (u->vars[v].pointed == from)
            u->vars[v].pointed = u->vars[var].pointed;
}

static bool gets_pointer(const struct cb_merge_unit *u, const struct cb_merge_node *n)
{
    return (n->kind == CB_MERGE_WRITES || n->kind == CB_MERGE_BEGINS ||
            n->kind == CB_MERGE_CHANGES) &&
           u->vars[n->which].has_private_pointer;
}

/* Whose address is taken is noted as changed. */
static bool gives_pointer(const struct cb_merge_unit *u, const struct cb_merge_node *n)
{
    const struct cb_merge_var *v =
        n->kind == CB_MERGE_READS || n->kind == CB_MERGE_CHANGES ? &u->vars[n->which] : NULL;
    return v && !v->is_local && !v->is_constant &&
           (n->kind == CB_MERGE_CHANGES || *v->dimensions || v->has_private_pointer);
}

/* An expression, or what one variable begins with. */
static void look_at_all(struct cb_merge_unit *u, const struct cb_merge_node *first,
                        const struct cb_merge_node *end)
{
    const struct cb_merge_node *to = first;
    while (to != end && !gets_pointer(u, to))
        to = to->next;
    for (const struct cb_merge_node *c = first; to != end && c != end; c = c->next)
        if (gives_pointer(u, c) || gets_pointer(u, c))
            put_together(u, to->which, c->which);
}

static void look(struct cb_merge_unit *u, const struct cb_merge_node *n)
{
    const struct cb_merge_node *first = n->first;
    for (const struct cb_merge_node *c = first; c; c = c->next) {
        if (c->kind == CB_MERGE_BEGINS) {
            look_at_all(u, first, c->next);
            first = c->next;
        }
        look(u, c);
    }
    if (n->kind == CB_MERGE_EXPRESSION)
        look_at_all(u, first, NULL);
}

void cb_merge_find_pointed(struct cb_merge_unit *u)
{
    look(u, u->body);
}
