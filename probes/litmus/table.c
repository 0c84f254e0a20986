/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/litmus/table.h"

#include <stddef.h>
#include <string.h>

#define NEVER        0u
#define RELAXED_ONLY (1u << CB_LITMUS_RELAXED)
#define ALWAYS       (RELAXED_ONLY | 1u << CB_LITMUS_FENCES | 1u << CB_LITMUS_ACQREL)

/* The first and second read of a thread. */
#define FIRST(thread)  (CB_LITMUS_READS * (thread))
#define SECOND(thread) (CB_LITMUS_READS * (thread) + 1)

/* Acquire and release forbid what needs no order of all accesses: SB, R, 2+2W and IRIW do, so that
 * only sequential consistency forbids them. Coherence needs no order of accesses at all. */
const struct cb_litmus_test cb_litmus_tests[] = {
    /* x=1; y=1 | r0=y; r1=x */
    {.name = "MP",
     .kind = CB_LITMUS_MP,
     .threads = 2,
     .outcome = "r0=1 r1=0",
     .weak = {{FIRST(1), 1}, {SECOND(1), 0}},
     .n_weak = 2,
     .allowed = RELAXED_ONLY,
     .reorders = "two stores, or two loads"},
    /* r0=x; y=1 | r1=y; x=1 */
    {.name = "LB",
     .kind = CB_LITMUS_LB,
     .threads = 2,
     .outcome = "r0=1 r1=1",
     .weak = {{FIRST(0), 1}, {FIRST(1), 1}},
     .n_weak = 2,
     .allowed = RELAXED_ONLY,
     .reorders = "a load and a later store"},
    /* x=1; r0=y | y=1; r1=x */
    {.name = "SB",
     .kind = CB_LITMUS_SB,
     .threads = 2,
     .outcome = "r0=0 r1=0",
     .weak = {{FIRST(0), 0}, {FIRST(1), 0}},
     .n_weak = 2,
     .allowed = ALWAYS,
     .reorders = "a store and a later load"},
    /* x=2; y=1 | r0=y; x=1 */
    {.name = "S",
     .kind = CB_LITMUS_S,
     .threads = 2,
     .outcome = "r0=1 x=2",
     .weak = {{FIRST(1), 1}, {CB_LITMUS_X, 2}},
     .n_weak = 2,
     .allowed = RELAXED_ONLY,
     .reorders = "two stores, or a load and a later store"},
    /* x=1; y=1 | y=2; r0=x */
    {.name = "R",
     .kind = CB_LITMUS_R,
     .threads = 2,
     .outcome = "r0=0 y=2",
     .weak = {{FIRST(1), 0}, {CB_LITMUS_Y, 2}},
     .n_weak = 2,
     .allowed = ALWAYS,
     .reorders = "two stores, or a store and a later load"},
    /* x=1; y=2 | y=1; x=2 */
    {.name = "2+2W",
     .kind = CB_LITMUS_2W,
     .threads = 2,
     .outcome = "x=1 y=1",
     .weak = {{CB_LITMUS_X, 1}, {CB_LITMUS_Y, 1}},
     .n_weak = 2,
     .allowed = ALWAYS,
     .reorders = "two stores"},
    /* x=1 | r0=x; r1=x */
    {.name = "CoRR",
     .kind = CB_LITMUS_CORR,
     .threads = 2,
     .outcome = "r0=1 r1=0",
     .weak = {{FIRST(1), 1}, {SECOND(1), 0}},
     .n_weak = 2,
     .allowed = NEVER,
     .reorders = "two loads of one word"},
    /* x=1; r0=x | x=2 */
    {.name = "CoWR",
     .kind = CB_LITMUS_COWR,
     .threads = 2,
     .outcome = "r0=2 x=1",
     .weak = {{FIRST(0), 2}, {CB_LITMUS_X, 1}},
     .n_weak = 2,
     .allowed = NEVER,
     .reorders = "a store and a later load of one word"},
    /* x=1 | y=1 | r0=x; r1=y | r2=y; r3=x */
    {.name = "IRIW",
     .kind = CB_LITMUS_IRIW,
     .threads = 4,
     .outcome = "r0=1 r1=0 r2=1 r3=0",
     .weak = {{FIRST(2), 1}, {SECOND(2), 0}, {FIRST(3), 1}, {SECOND(3), 0}},
     .n_weak = 4,
     .allowed = ALWAYS,
     .reorders = "two loads, or what two readers see of two stores"},
    {0},
};

const struct cb_litmus_test *cb_litmus_test_named(const char *name)
{
    for (const struct cb_litmus_test *t = cb_litmus_tests; t->name; t++)
        if (strcmp(t->name, name) == 0)
            return t;
    return NULL;
}

static const struct {
    const char *name, *text;
} orders[CB_LITMUS_N_ORDERS] = {
    [CB_LITMUS_RELAXED] = {"relaxed", "relaxed accesses"},
    [CB_LITMUS_FENCES] = {"fences", "fences between the accesses"},
    [CB_LITMUS_ACQREL] = {"acqrel", "release stores and acquire loads"},
};

int cb_litmus_order_named(const char *name)
{
    for (int i = 0; i < CB_LITMUS_N_ORDERS; i++)
        if (strcmp(orders[i].name, name) == 0)
            return i;
    return -1;
}

const char *cb_litmus_order_name(int order)
{
    return orders[order].name;
}

const char *cb_litmus_order_text(int order)
{
    return orders[order].text;
}

bool cb_litmus_allows(const struct cb_litmus_test *test, int order)
{
    return test->allowed >> order & 1;
}

bool cb_litmus_is_mutant(const struct cb_litmus_test *test)
{
    return test->allowed == RELAXED_ONLY;
}

bool cb_litmus_is_coherence(const struct cb_litmus_test *test)
{
    return test->allowed == NEVER;
}

void cb_litmus_weak_digits(const struct cb_litmus_test *test, uint64_t *mask, uint64_t *weak)
{
    *mask = *weak = 0;
    for (unsigned i = 0; i < test->n_weak; i++) {
        *mask |= (uint64_t)CB_LITMUS_NOTHING << 4 * test->weak[i].digit;
        *weak |= (uint64_t)test->weak[i].value << 4 * test->weak[i].digit;
    }
}
