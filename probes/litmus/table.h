/* SPDX-License-Identifier: Apache-2.0
 *
 * The litmus tests: what their threads do, which outcome is weak, and the orders of their accesses.
 * What is allowed is in axioms.h.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probes/litmus/litmus_abi.h"

#define CB_LITMUS_NAME(id, name, threads, weak, allowed, reorders) "," name
#define CB_LITMUS_TESTS                                                                            \
    (CB_LITMUS_LIST(CB_LITMUS_NAME) + 1) /* "MP,LB,...", the choices of --test */
#define CB_LITMUS_ORDERS                                                                           \
    "relaxed,fences,acqrel,release,acquire,reversed,rmw,wg-fences,fence-stores,fence-loads"
#define CB_LITMUS_SCOPES "workgroups,subgroups,subgroup"

#define CB_LITMUS_N_ORDERS 10

/* Where the threads of a test are. */
enum cb_litmus_scope { CB_LITMUS_WORKGROUPS, CB_LITMUS_SUBGROUPS, CB_LITMUS_SUBGROUP };

struct cb_litmus_test {
    const char *name;
    enum cb_litmus_kind kind;
    const char *threads;  /* what they do: "x=1; y=1 | r0=y; r1=x" */
    const char *outcome;  /* that is weak: "r0=1 r1=0" */
    unsigned published;   /* bits by order: it may be; of relaxed, fences and acqrel */
    const char *reorders; /* what a device does that shows it */
};

/* In the order of CB_LITMUS_TESTS, ending with a row without name. */
extern const struct cb_litmus_test cb_litmus_tests[];

/* How many threads it has, and for how many there is room where they are powers of two. */
unsigned cb_litmus_threads(const struct cb_litmus_test *test);
unsigned cb_litmus_parts(const struct cb_litmus_test *test);

/* NULL: there is none. */
const struct cb_litmus_test *cb_litmus_test_named(const char *name);

/* CB_LITMUS_RELAXED and so on; -1: there is none. */
int cb_litmus_order_named(const char *name);
const char *cb_litmus_order_name(int order);

/* The order in a sentence, after "with". */
const char *cb_litmus_order_text(int order);

/* CB_LITMUS_WORKGROUPS and so on; -1: there is none. */
int cb_litmus_scope_named(const char *name);

/* The digits of an outcome that are its weak outcome's. */
void cb_litmus_weak_digits(const struct cb_litmus_test *test, uint64_t *mask, uint64_t *weak);

#define CB_LITMUS_OUTCOME_BYTES 64

/* An outcome by the names that the test has: "r0=1 r1=0 x=1". Words that one store writes are left
 * out. */
void cb_litmus_outcome_text(const struct cb_litmus_test *test, uint64_t digits,
                            char text[CB_LITMUS_OUTCOME_BYTES]);
