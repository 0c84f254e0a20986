/* SPDX-License-Identifier: Apache-2.0
 *
 * Relations between the events of an execution: row a has the bits of all b with (a, b).
 */
#pragma once

#include "probes/litmus/program.h"

#define CB_EVENT(i) (1u << (i))

struct cb_relation {
    unsigned row[CB_LITMUS_EVENTS];
};

static inline bool cb_related(const struct cb_relation *r, unsigned a, unsigned b)
{
    return r->row[a] >> b & 1;
}

static inline struct cb_relation cb_either(struct cb_relation a, struct cb_relation b)
{
    for (unsigned i = 0; i < CB_LITMUS_EVENTS; i++)
        a.row[i] |= b.row[i];
    return a;
}

static inline struct cb_relation cb_both(struct cb_relation a, struct cb_relation b)
{
    for (unsigned i = 0; i < CB_LITMUS_EVENTS; i++)
        a.row[i] &= b.row[i];
    return a;
}

/* a ; b: from one to another by a, and on by b. */
static inline struct cb_relation cb_then(struct cb_relation a, struct cb_relation b)
{
    struct cb_relation r = {{0}};
    for (unsigned i = 0; i < CB_LITMUS_EVENTS; i++)
        for (unsigned k = 0; k < CB_LITMUS_EVENTS; k++)
            if (cb_related(&a, i, k))
                r.row[i] |= b.row[k];
    return r;
}

static inline struct cb_relation cb_inverse(struct cb_relation a)
{
    struct cb_relation r = {{0}};
    for (unsigned i = 0; i < CB_LITMUS_EVENTS; i++)
        for (unsigned k = 0; k < CB_LITMUS_EVENTS; k++)
            if (cb_related(&a, i, k))
                r.row[k] |= CB_EVENT(i);
    return r;
}

/* What leads from one to another in one step or more (Warshall). */
static inline struct cb_relation cb_closure(struct cb_relation a)
{
    for (unsigned k = 0; k < CB_LITMUS_EVENTS; k++)
        for (unsigned i = 0; i < CB_LITMUS_EVENTS; i++)
            if (cb_related(&a, i, k))
                a.row[i] |= a.row[k];
    return a;
}

/* Each with itself, too. */
static inline struct cb_relation cb_optional(struct cb_relation a)
{
    for (unsigned i = 0; i < CB_LITMUS_EVENTS; i++)
        a.row[i] |= CB_EVENT(i);
    return a;
}

static inline struct cb_relation cb_between_sets(struct cb_relation a, unsigned from, unsigned to)
{
    for (unsigned i = 0; i < CB_LITMUS_EVENTS; i++)
        a.row[i] &= from >> i & 1 ? to : 0;
    return a;
}

static inline bool cb_is_irreflexive(struct cb_relation a)
{
    for (unsigned i = 0; i < CB_LITMUS_EVENTS; i++)
        if (cb_related(&a, i, i))
            return false;
    return true;
}

static inline bool cb_is_acyclic(struct cb_relation a)
{
    return cb_is_irreflexive(cb_closure(a));
}
