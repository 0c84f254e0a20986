/* SPDX-License-Identifier: Apache-2.0
 *
 * What the axioms say of the litmus tests: what is published.
 */
#include <string.h>

#include "probes/litmus/axioms.h"
#include "tests/unit/unit.h"

static const struct cb_litmus_test *named(const char *name)
{
    const struct cb_litmus_test *test = cb_litmus_test_named(name);
    assert_non_null(test);
    return test;
}

/* How many verdicts of the table are not those of the axioms of both models. */
static int wrong_verdicts(const struct cb_litmus_test *test)
{
    int wrong = 0;
    for (int order = 0; order <= CB_LITMUS_ACQREL; order++)
        for (int scope = CB_LITMUS_WORKGROUPS; scope <= CB_LITMUS_SUBGROUP; scope++)
            for (int model = CB_LITMUS_C11; model <= CB_LITMUS_PTX; model++)
                wrong += cb_litmus_model_allows((enum cb_litmus_model)model, test, order,
                                                (enum cb_litmus_scope)scope) !=
                         (test->published >> order & 1);
    return wrong;
}

TEST(as_published)
{
    for (const struct cb_litmus_test *t = cb_litmus_tests; t->name; t++)
        if (wrong_verdicts(t) > 0)
            fail_msg("%s is not as published", t->name);
}

/* Any row of the table with any verdict turned is found. */
TEST(finds_wrong_rows)
{
    for (const struct cb_litmus_test *t = cb_litmus_tests; t->name; t++)
        for (int order = 0; order <= CB_LITMUS_ACQREL; order++) {
            struct cb_litmus_test wrong = *t;
            wrong.published ^= 1u << order;
            assert_int_equal(wrong_verdicts(&wrong), 6); /* scopes and models */
        }
}

/* A test with one outcome more, or less, that its threads cannot have. */
TEST(finds_wrong_threads)
{
    struct cb_litmus_test both_on_one_word = *named("MP");
    both_on_one_word.threads = "x=1; y=1 | r0=x; r1=x";
    assert_true(wrong_verdicts(&both_on_one_word) > 0);
}

static void forbids(const char *test, const char *order, bool workgroups, bool within)
{
    const struct cb_litmus_test *t = named(test);
    const int o = cb_litmus_order_named(order);
    for (int model = CB_LITMUS_C11; model <= CB_LITMUS_PTX; model++)
        if (cb_litmus_model_allows((enum cb_litmus_model)model, t, o, CB_LITMUS_WORKGROUPS) ==
                workgroups ||
            cb_litmus_model_allows((enum cb_litmus_model)model, t, o, CB_LITMUS_SUBGROUPS) ==
                within)
            fail_msg("%s, %s, model %d", test, order, model);
}

/* Both models agree on the others, too. */
TEST(other_orders)
{
    forbids("MP", "release", false, false);
    forbids("MP", "acquire", false, false);
    forbids("ISA2", "release", false, false);
    forbids("MP", "fence-stores", false, false);
    forbids("MP", "fence-loads", false, false);
    forbids("WRC", "fence-stores", false, false);
    forbids("WRC", "fence-loads", true, true); /* all its fences */
    forbids("MP", "rmw", true, true);
    forbids("SB", "rmw", true, true); /* changes read the newest: MC Mutants, section 3 */
    forbids("R", "rmw", true, true);
    forbids("2+2W", "rmw", true, true);
    forbids("MP", "wg-fences", false, true);
    forbids("WRC", "wg-fences", false, true);
    forbids("SB", "wg-fences", false, false);
    forbids("CoRR", "reversed", false, false);
    forbids("CoWW", "reversed", false, false);
    forbids("CoRR", "rmw", true, true);
}

TEST(models_agree)
{
    for (const struct cb_litmus_test *t = cb_litmus_tests; t->name; t++)
        for (int order = 0; order < CB_LITMUS_N_ORDERS; order++)
            for (int scope = CB_LITMUS_WORKGROUPS; scope <= CB_LITMUS_SUBGROUP; scope++)
                assert_true(
                    cb_litmus_model_allows(CB_LITMUS_C11, t, order, (enum cb_litmus_scope)scope) ==
                    cb_litmus_model_allows(CB_LITMUS_PTX, t, order, (enum cb_litmus_scope)scope));
}

static unsigned count(const char *test, const char *order, bool sequential, bool allowed)
{
    struct cb_litmus_outcome outcomes[CB_LITMUS_OUTCOMES];
    const unsigned n = cb_litmus_outcomes(CB_LITMUS_C11, named(test), cb_litmus_order_named(order),
                                          CB_LITMUS_WORKGROUPS, outcomes);
    unsigned found = 0;
    for (unsigned i = 0; i < n; i++)
        found += outcomes[i].sequential == sequential && outcomes[i].allowed == allowed;
    return found;
}

TEST(outcomes)
{
    assert_int_equal(count("MP", "relaxed", true, true), 3);
    assert_int_equal(count("MP", "relaxed", false, true), 1);
    assert_int_equal(count("MP", "acqrel", false, false), 1);
    assert_int_equal(count("SB", "acqrel", true, true), 3);
    assert_int_equal(count("IRIW", "relaxed", true, true), 15);
    assert_int_equal(count("IRIW", "relaxed", false, true), 1);
    assert_int_equal(count("2+2W", "relaxed", true, true), 3);
    for (const struct cb_litmus_test *t = cb_litmus_tests; t->name; t++)
        for (int order = 0; order < CB_LITMUS_N_ORDERS; order++)
            assert_int_equal(count(t->name, cb_litmus_order_name(order), true, false), 0);
}

/* Which threads may be first: of MP's outcomes, the one that reads nothing has the reader first. */
TEST(first_threads)
{
    struct cb_litmus_outcome outcomes[CB_LITMUS_OUTCOMES];
    const unsigned n = cb_litmus_outcomes(CB_LITMUS_C11, named("MP"), CB_LITMUS_RELAXED,
                                          CB_LITMUS_WORKGROUPS, outcomes);
    for (unsigned i = 0; i < n; i++) {
        const uint64_t reads = outcomes[i].digits & 0xff00;
        assert_int_equal(outcomes[i].first, reads == 0 ? 2 : reads == 0x1100 ? 1 : 0);
    }
}

/* What a stronger order allows, a weaker one does; and within a workgroup no more is allowed. */
TEST(weaker_allows_more)
{
    static const int pairs[][2] = {
        {CB_LITMUS_RELAXED, CB_LITMUS_FENCES},    {CB_LITMUS_WG_FENCES, CB_LITMUS_FENCES},
        {CB_LITMUS_RELAXED, CB_LITMUS_WG_FENCES}, {CB_LITMUS_RELEASING, CB_LITMUS_ACQREL},
        {CB_LITMUS_ACQUIRING, CB_LITMUS_ACQREL},  {CB_LITMUS_RELAXED, CB_LITMUS_RELEASING},
        {CB_LITMUS_ACQREL, CB_LITMUS_RMW}};
    for (const struct cb_litmus_test *t = cb_litmus_tests; t->name; t++)
        for (int model = CB_LITMUS_C11; model <= CB_LITMUS_PTX; model++) {
            const enum cb_litmus_model m = (enum cb_litmus_model)model;
            for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
                assert_true(cb_litmus_model_allows(m, t, pairs[i][0], CB_LITMUS_WORKGROUPS) >=
                            cb_litmus_model_allows(m, t, pairs[i][1], CB_LITMUS_WORKGROUPS));
            for (int order = 0; order < CB_LITMUS_N_ORDERS; order++)
                assert_true(cb_litmus_model_allows(m, t, order, CB_LITMUS_WORKGROUPS) >=
                            cb_litmus_model_allows(m, t, order, CB_LITMUS_SUBGROUPS));
        }
}
