/* SPDX-License-Identifier: Apache-2.0
 *
 * Which outcomes of a litmus test a memory model allows, by its axioms. All candidate executions
 * are enumerated: from where each load reads, and in which order the stores of each word are made.
 * What the axioms do not rule out is allowed.
 *
 * OpenCL C11: Batty, Donaldson, Wickerson, Overhauling SC atomics in C11 and OpenCL (POPL'16), as
 * herd has it (opencl.cat): HbReq, Coherence, Rf, RMW, with scopes. There are no consume loads, no
 * accesses that are not atomic, and none that is sequentially consistent, so that the axioms of
 * these have nothing to say.
 *
 * PTX: Lustig, Sahasrabuddhe, Giroux, A Formal Analysis of the NVIDIA PTX Memory Consistency Model
 * (ASPLOS'19), and the PTX ISA, Memory Consistency Model: Coherence, SC-per-Location, Atomicity,
 * Causality, with patterns of release and acquire. All accesses are strong. No value depends on
 * one that was read, so that No-Thin-Air has nothing to say, and there is no fence.sc.
 */
#pragma once

#include "probes/litmus/table.h"

enum cb_litmus_model { CB_LITMUS_C11, CB_LITMUS_PTX };

struct cb_litmus_outcome {
    uint64_t digits; /* litmus_abi.h */
    bool allowed;    /* by the model */
    bool sequential; /* some taking of turns leads to it */
    bool in_order;   /* allowed even where a load never reads what is stored later */
    unsigned first;  /* bits: threads that a taking of turns to it has before all others */
};

/* The outcomes of all candidate executions, always in the same order. Returns how many: at most
 * CB_LITMUS_OUTCOMES. */
unsigned cb_litmus_outcomes(enum cb_litmus_model model, const struct cb_litmus_test *test,
                            int order, enum cb_litmus_scope scope,
                            struct cb_litmus_outcome outcomes[CB_LITMUS_OUTCOMES]);

/* Whether the model allows the weak outcome. */
bool cb_litmus_model_allows(enum cb_litmus_model model, const struct cb_litmus_test *test,
                            int order, enum cb_litmus_scope scope);

/* Whether C11 does, on which all that waits here relies, by whatever back end. */
bool cb_litmus_allows(const struct cb_litmus_test *test, int order, enum cb_litmus_scope scope);

/* Whether it is a test of coherence: the weak outcome is forbidden without any order. */
bool cb_litmus_is_coherence(const struct cb_litmus_test *test);

/* Whether a test with the weaker order is a mutant of the one with the stronger order (MC Mutants,
 * Levine et al., ASPLOS'23, section 3): the other accesses or fences are taken away, on one side or
 * both, or, of tests of coherence, the program order is reversed; what the stronger one forbids is
 * allowed then, and shows whether it could have been seen. */
bool cb_litmus_is_mutant_of(const struct cb_litmus_test *test, int weaker, int stronger,
                            enum cb_litmus_scope scope);

/* Whether it is one of any. */
bool cb_litmus_is_mutant(const struct cb_litmus_test *test, int order, enum cb_litmus_scope scope);
