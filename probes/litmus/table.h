/* SPDX-License-Identifier: Apache-2.0
 *
 * The litmus tests: what their threads do, which outcome is weak, and which orders forbid it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probes/litmus/litmus_abi.h"

#define CB_LITMUS_NAME(id, name, threads, weak, allowed, reorders) "," name
#define CB_LITMUS_TESTS                                                                            \
    (CB_LITMUS_LIST(CB_LITMUS_NAME) + 1) /* "MP,LB,...", the choices of --test */
#define CB_LITMUS_ORDERS "relaxed,fences,acqrel"
#define CB_LITMUS_SCOPES "workgroups,subgroups"

#define CB_LITMUS_N_ORDERS 3

struct cb_litmus_test {
    const char *name;
    enum cb_litmus_kind kind;
    const char *threads;  /* what they do: "x=1; y=1 | r0=y; r1=x" */
    const char *outcome;  /* that is weak: "r0=1 r1=0" */
    unsigned allowed;     /* bits by order: the weak outcome may be */
    const char *reorders; /* what a device does that shows it */
};

/* In the order of CB_LITMUS_TESTS, ending with a row without name. */
extern const struct cb_litmus_test cb_litmus_tests[];

/* How many threads it has. */
unsigned cb_litmus_threads(const struct cb_litmus_test *test);

/* NULL: there is none. */
const struct cb_litmus_test *cb_litmus_test_named(const char *name);

/* CB_LITMUS_RELAXED and so on; -1: there is none. */
int cb_litmus_order_named(const char *name);
const char *cb_litmus_order_name(int order);

/* The order in a sentence, after "with". */
const char *cb_litmus_order_text(int order);

/* Whether C11's model, at device scope, allows the weak outcome. */
bool cb_litmus_allows(const struct cb_litmus_test *test, int order);

/* Whether the relaxed test is the mutant of a stronger one, with both sides weakened: its weak
 * outcome is allowed, that of the stronger one is not. */
bool cb_litmus_is_mutant(const struct cb_litmus_test *test);

/* Whether no order allows the weak outcome, as of tests of coherence: there is no mutant. */
bool cb_litmus_is_coherence(const struct cb_litmus_test *test);

/* The weak outcome as litmus_count() takes it. */
void cb_litmus_weak_digits(const struct cb_litmus_test *test, uint64_t *mask, uint64_t *weak);
