/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/litmus/axioms.h"

#include <stddef.h>

#include "probes/litmus/relation.h"

/* A candidate execution, and what is known of the others. */
struct candidate {
    enum cb_litmus_model model;
    enum cb_litmus_scope scope;
    struct cb_litmus_program p;
    unsigned line[CB_LITMUS_LOCATIONS][CB_LITMUS_EVENTS]; /* stores of a word, in their order */
    unsigned length[CB_LITMUS_LOCATIONS];
    unsigned from[CB_LITMUS_EVENTS]; /* the store that an event reads */
    struct cb_litmus_outcome *outcomes;
    unsigned n;
};

/* ---- Relations ------------------------------------------------------------------------------- */

static unsigned events_that(const struct candidate *c, unsigned all)
{
    unsigned set = 0;
    for (unsigned i = 0; i < c->p.n; i++)
        if ((c->p.events[i].what & all) == all)
            set |= CB_EVENT(i);
    return set;
}

static struct cb_relation pairs_that(const struct candidate *c,
                                     bool (*holds)(const struct candidate *, unsigned, unsigned))
{
    struct cb_relation r = {{0}};
    for (unsigned a = 0; a < c->p.n; a++)
        for (unsigned b = 0; b < c->p.n; b++)
            if (holds(c, a, b))
                r.row[a] |= CB_EVENT(b);
    return r;
}

static bool is_of_one_thread(const struct candidate *c, unsigned a, unsigned b)
{
    return c->p.events[a].thread == c->p.events[b].thread;
}

/* What is there at first comes before all. */
static bool is_before(const struct candidate *c, unsigned a, unsigned b)
{
    if (c->p.events[a].thread == CB_LITMUS_FIRST)
        return c->p.events[b].thread != CB_LITMUS_FIRST;
    return is_of_one_thread(c, a, b) && a < b;
}

static bool is_of_one_word(const struct candidate *c, unsigned a, unsigned b)
{
    return !((c->p.events[a].what | c->p.events[b].what) & CB_LITMUS_FENCE) &&
           c->p.events[a].location == c->p.events[b].location;
}

/* Whether the scope of each has the other. */
static bool is_inclusive(const struct candidate *c, unsigned a, unsigned b)
{
    return c->scope != CB_LITMUS_WORKGROUPS || is_of_one_thread(c, a, b) ||
           !((c->p.events[a].what | c->p.events[b].what) & CB_LITMUS_NARROW);
}

static bool is_read_by(const struct candidate *c, unsigned a, unsigned b)
{
    return c->p.events[b].what & CB_LITMUS_READ && c->from[b] == a;
}

static bool is_overwritten_by(const struct candidate *c, unsigned a, unsigned b)
{
    const unsigned location = c->p.events[a].location;
    unsigned at = c->length[location], of_b = 0;
    if (!is_of_one_word(c, a, b))
        return false;
    for (unsigned i = 0; i < c->length[location]; i++) {
        if (c->line[location][i] == a)
            at = i;
        if (c->line[location][i] == b)
            of_b = i;
    }
    return at < of_b;
}

/* What the axioms are about, by the names that the papers have. */
struct relations {
    struct cb_relation sb, rf, mo, fr, one_thread, one_word, inclusive;
    unsigned reads, writes, changes, fences;
};

static struct relations relations_of(const struct candidate *c)
{
    struct relations r = {
        .sb = pairs_that(c, is_before),
        .rf = pairs_that(c, is_read_by),
        .mo = pairs_that(c, is_overwritten_by),
        .one_thread = pairs_that(c, is_of_one_thread),
        .one_word = pairs_that(c, is_of_one_word),
        .inclusive = pairs_that(c, is_inclusive),
        .reads = events_that(c, CB_LITMUS_READ),
        .writes = events_that(c, CB_LITMUS_WRITE),
        .changes = events_that(c, CB_LITMUS_READ | CB_LITMUS_WRITE),
        .fences = events_that(c, CB_LITMUS_FENCE),
    };
    r.fr = cb_then(cb_inverse(r.rf), r.mo);
    for (unsigned i = 0; i < c->p.n; i++)
        r.fr.row[i] &= ~CB_EVENT(i); /* a change does not come before itself */
    return r;
}

static struct cb_relation identity(unsigned set)
{
    return cb_between_sets(cb_optional((struct cb_relation){{0}}), set, set);
}

/* ---- OpenCL C11 ------------------------------------------------------------------------------ */

/* The stores that carry on a release: what the same thread, or a change by any, writes next. */
static struct cb_relation release_sequence(const struct relations *r)
{
    const struct cb_relation carries =
        cb_either(r->one_thread, cb_between_sets(r->mo, ~0u, r->changes));
    struct cb_relation ends = r->mo;
    for (unsigned i = 0; i < CB_LITMUS_EVENTS; i++)
        ends.row[i] &= ~carries.row[i];
    struct cb_relation ended = cb_either(ends, cb_then(ends, r->mo)), all = r->mo;
    for (unsigned i = 0; i < CB_LITMUS_EVENTS; i++)
        all.row[i] &= ~ended.row[i];
    return cb_optional(all);
}

static struct cb_relation synchronises_in_c11(const struct candidate *c, const struct relations *r)
{
    const unsigned releases = events_that(c, CB_LITMUS_RELEASE),
                   acquires = events_that(c, CB_LITMUS_ACQUIRE);
    const struct cb_relation begins =
                                 cb_either(identity(releases & r->writes),
                                           cb_between_sets(r->sb, releases & r->fences, r->writes)),
                             seen = cb_then(release_sequence(r), r->rf),
                             ends =
                                 cb_either(identity(acquires & r->reads),
                                           cb_between_sets(r->sb, r->reads, acquires & r->fences));
    return cb_both(cb_then(cb_then(begins, seen), ends), r->inclusive);
}

static bool c11_allows(const struct candidate *c, const struct relations *r)
{
    const struct cb_relation hb = cb_closure(cb_either(r->sb, synchronises_in_c11(c, r))),
                             after = cb_then(cb_optional(cb_inverse(r->rf)),
                                             cb_then(r->mo, cb_optional(r->rf)));
    return cb_is_irreflexive(hb) && cb_is_irreflexive(cb_then(after, hb)) &&
           cb_is_irreflexive(cb_then(r->rf, hb));
}

/* ---- PTX ------------------------------------------------------------------------------------- */

/* Every fence is a fence.acq_rel. A pattern goes on from its release, or up to its acquire, by
 * accesses of the same word. */
static struct cb_relation synchronises_in_ptx(const struct candidate *c, const struct relations *r)
{
    const unsigned releases = events_that(c, CB_LITMUS_WRITE | CB_LITMUS_RELEASE),
                   acquires = events_that(c, CB_LITMUS_READ | CB_LITMUS_ACQUIRE);
    const struct cb_relation same_word = cb_both(r->sb, r->one_word),
                             begins = cb_either(
                                 cb_either(identity(releases),
                                           cb_between_sets(same_word, releases, r->writes)),
                                 cb_between_sets(r->sb, r->fences, r->writes)),
                             ends = cb_either(
                                 cb_either(identity(acquires),
                                           cb_between_sets(same_word, r->reads, acquires)),
                                 cb_between_sets(r->sb, r->reads, r->fences));
    return cb_both(cb_then(cb_then(begins, cb_closure(r->rf)), ends), r->inclusive);
}

static bool ptx_allows(const struct candidate *c, const struct relations *r)
{
    const struct cb_relation observation = cb_closure(r->rf),
                             base = cb_closure(cb_either(r->sb, synchronises_in_ptx(c, r))),
                             cause = cb_either(base, cb_then(observation, base)),
                             communication = cb_either(r->rf, cb_either(r->mo, r->fr));
    return cb_is_acyclic(cb_either(communication, cb_both(r->sb, r->one_word))) &&
           cb_is_irreflexive(base) && cb_is_irreflexive(cb_then(communication, cause));
}

/* ---- All candidates -------------------------------------------------------------------------- */

static unsigned value_of(const struct candidate *c, unsigned event)
{
    while (c->p.events[event].what & CB_LITMUS_KEEPS)
        event = c->from[event];
    return c->p.events[event].value;
}

static uint64_t digits_of(const struct candidate *c)
{
    uint64_t digits = 0;
    for (unsigned i = 0; i < c->p.n; i++)
        if (c->p.events[i].what & CB_LITMUS_READ &&
            (!(c->p.events[i].what & CB_LITMUS_WRITE) || c->p.events[i].what & CB_LITMUS_KEEPS))
            digits |= (uint64_t)value_of(c, c->from[i]) << 4 * c->p.events[i].digit;
    for (unsigned l = 0; l < CB_LITMUS_LOCATIONS; l++)
        digits |= (uint64_t)value_of(c, c->line[l][c->length[l] - 1]) << 4 * (CB_LITMUS_X + l);
    return digits;
}

static struct cb_litmus_outcome *outcome_with(struct candidate *c, uint64_t digits)
{
    for (unsigned i = 0; i < c->n; i++)
        if (c->outcomes[i].digits == digits)
            return &c->outcomes[i];
    if (c->n == CB_LITMUS_OUTCOMES)
        return NULL;
    c->outcomes[c->n] = (struct cb_litmus_outcome){.digits = digits};
    return &c->outcomes[c->n++];
}

/* The threads that may have been before all others, if each reads and stores in turn. */
static unsigned first_threads(const struct candidate *c, struct cb_relation turns)
{
    unsigned first = 0;
    for (unsigned t = 0; t < c->p.threads; t++) {
        struct cb_relation with = turns;
        for (unsigned a = 0; a < c->p.n; a++)
            for (unsigned b = 0; b < c->p.n; b++)
                if (c->p.events[a].thread == t && c->p.events[b].thread != t &&
                    c->p.events[b].thread != CB_LITMUS_FIRST)
                    with.row[a] |= CB_EVENT(b);
        if (cb_is_acyclic(with))
            first |= 1u << t;
    }
    return first;
}

static void judge(struct candidate *c)
{
    struct cb_litmus_outcome *o = outcome_with(c, digits_of(c));
    const struct relations r = relations_of(c);
    const struct cb_relation turns = cb_either(r.sb, cb_either(r.rf, cb_either(r.mo, r.fr)));
    if (!o)
        return;
    if (c->model == CB_LITMUS_C11 ? c11_allows(c, &r) : ptx_allows(c, &r)) {
        o->allowed = true;
        o->in_order = o->in_order || cb_is_acyclic(cb_either(r.sb, r.rf));
    }
    if (cb_is_acyclic(turns)) {
        o->sequential = true;
        o->first |= first_threads(c, turns);
    }
}

/* A change reads what is right before it, or it is not atomic. */
static bool may_read(const struct candidate *c, unsigned event, unsigned store)
{
    if (!is_of_one_word(c, event, store) || event == store)
        return false;
    if (!(c->p.events[event].what & CB_LITMUS_WRITE))
        return true;
    const unsigned *line = c->line[c->p.events[event].location];
    unsigned i = 1;
    while (line[i] != event)
        i++;
    return line[i - 1] == store;
}

static void choose_reads(struct candidate *c, unsigned event)
{
    while (event < c->p.n && !(c->p.events[event].what & CB_LITMUS_READ))
        event++;
    if (event == c->p.n) {
        judge(c);
        return;
    }
    for (unsigned store = 0; store < c->p.n; store++)
        if (c->p.events[store].what & CB_LITMUS_WRITE && may_read(c, event, store)) {
            c->from[event] = store;
            choose_reads(c, event + 1);
        }
}

/* Each store goes between those that have their places, after the value at first. */
static void choose_places(struct candidate *c, unsigned event)
{
    while (event < c->p.n && !(c->p.events[event].what & CB_LITMUS_WRITE))
        event++;
    if (event == c->p.n) {
        choose_reads(c, 0);
        return;
    }
    const unsigned location = c->p.events[event].location, n = c->length[location]++;
    unsigned *line = c->line[location];
    line[n] = event;
    choose_places(c, event + 1);
    for (unsigned at = n; at > 1; at--) {
        line[at] = line[at - 1];
        line[at - 1] = event;
        choose_places(c, event + 1);
    }
    for (unsigned at = 1; at < n; at++)
        line[at] = line[at + 1];
    c->length[location] = n;
}

unsigned cb_litmus_outcomes(enum cb_litmus_model model, const struct cb_litmus_test *test,
                            int order, enum cb_litmus_scope scope,
                            struct cb_litmus_outcome outcomes[CB_LITMUS_OUTCOMES])
{
    struct candidate c = {.model = model, .scope = scope, .outcomes = outcomes};
    cb_litmus_program_of(test, order, &c.p);
    choose_places(&c, 0);
    return c.n;
}

bool cb_litmus_model_allows(enum cb_litmus_model model, const struct cb_litmus_test *test,
                            int order, enum cb_litmus_scope scope)
{
    struct cb_litmus_outcome outcomes[CB_LITMUS_OUTCOMES];
    const unsigned n = cb_litmus_outcomes(model, test, order, scope, outcomes);
    uint64_t mask, weak;
    cb_litmus_weak_digits(test, &mask, &weak);
    for (unsigned i = 0; i < n; i++)
        if ((outcomes[i].digits & mask) == weak && outcomes[i].allowed)
            return true;
    return false;
}

bool cb_litmus_allows(const struct cb_litmus_test *test, int order, enum cb_litmus_scope scope)
{
    return cb_litmus_model_allows(CB_LITMUS_C11, test, order, scope);
}

bool cb_litmus_is_coherence(const struct cb_litmus_test *test)
{
    return !cb_litmus_allows(test, CB_LITMUS_RELAXED, CB_LITMUS_WORKGROUPS);
}

/* ---- Mutants --------------------------------------------------------------------------------- */

#define BIT(order) (1u << (order))

bool cb_litmus_is_mutant_of(const struct cb_litmus_test *test, int weaker, int stronger,
                            enum cb_litmus_scope scope)
{
    static const unsigned weakened[CB_LITMUS_N_ORDERS] = {
        [CB_LITMUS_FENCES] = BIT(CB_LITMUS_RELAXED) | BIT(CB_LITMUS_WG_FENCES) |
                             BIT(CB_LITMUS_FENCE_ST) | BIT(CB_LITMUS_FENCE_LD),
        [CB_LITMUS_ACQREL] =
            BIT(CB_LITMUS_RELAXED) | BIT(CB_LITMUS_RELEASING) | BIT(CB_LITMUS_ACQUIRING),
        [CB_LITMUS_RMW] = BIT(CB_LITMUS_RELAXED),
        [CB_LITMUS_WG_FENCES] = BIT(CB_LITMUS_RELAXED),
    };
    const bool is_weaker = weaker == CB_LITMUS_REVERSED ? cb_litmus_is_coherence(test)
                                                        : weakened[stronger] >> weaker & 1;
    return is_weaker && cb_litmus_allows(test, weaker, scope) &&
           !cb_litmus_allows(test, stronger, scope);
}

bool cb_litmus_is_mutant(const struct cb_litmus_test *test, int order, enum cb_litmus_scope scope)
{
    for (int stronger = 0; stronger < CB_LITMUS_N_ORDERS; stronger++)
        if (cb_litmus_is_mutant_of(test, order, stronger, scope))
            return true;
    return false;
}
