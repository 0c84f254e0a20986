/* SPDX-License-Identifier: Apache-2.0
 *
 * Litmus tests of the checker itself: the outcomes of each are exactly those that C11 allows (but
 * for load buffering, which needs promises).
 */
#include <stdio.h>
#include <string.h>

#include "access.h"
#include "explore.h"

enum { R = WEAK_RELAXED, A = WEAK_ACQUIRE, L = WEAK_RELEASE, B = WEAK_ACQ_REL, S = WEAK_SEQ_CST };

/* A thread's instructions: r/w/c: load, store, fetch-add; f: fence; x, y: where; order; value. */
typedef struct {
    char what, where;
    int order;
    unsigned value;
} instruction;

typedef struct {
    const char *name;
    unsigned threads;
    instruction code[4][5];
    const char *outcomes; /* all loads' values by threads, then x and y at the end; sorted */
    bool with_end;
} litmus;

#define LD(p, o)                                                                                   \
    {                                                                                              \
        'r', #p[0], o, 0                                                                           \
    }
#define ST(p, v, o)                                                                                \
    {                                                                                              \
        'w', #p[0], o, v                                                                           \
    }
#define INC(p, o)                                                                                  \
    {                                                                                              \
        'c', #p[0], o, 1                                                                           \
    }
#define FENCE(o)                                                                                   \
    {                                                                                              \
        'f', 'x', o, 0                                                                             \
    }

static const litmus tests[] = {
    {"MP relaxed", 2, {{ST(x, 1, R), ST(y, 1, R)}, {LD(y, R), LD(x, R)}}, "00 01 10 11 "},
    {"MP release, acquire", 2, {{ST(x, 1, R), ST(y, 1, L)}, {LD(y, A), LD(x, R)}}, "00 01 11 "},
    {"MP release, relaxed", 2, {{ST(x, 1, R), ST(y, 1, L)}, {LD(y, R), LD(x, R)}}, "00 01 10 11 "},
    {"MP relaxed, acquire", 2, {{ST(x, 1, R), ST(y, 1, R)}, {LD(y, A), LD(x, R)}}, "00 01 10 11 "},
    {"MP fences",
     2,
     {{ST(x, 1, R), FENCE(L), ST(y, 1, R)}, {LD(y, R), FENCE(A), LD(x, R)}},
     "00 01 11 "},
    {"MP release fence, relaxed",
     2,
     {{ST(x, 1, R), FENCE(L), ST(y, 1, R)}, {LD(y, R), LD(x, R)}},
     "00 01 10 11 "},
    {"MP through a change by another",
     3,
     {{ST(x, 1, R), ST(y, 1, L)}, {INC(y, R)}, {LD(y, A), LD(x, R)}},
     "000 001 010 011 100 101 111 121 "},
    {"MP overwritten by the same thread",
     2,
     {{ST(x, 1, R), ST(y, 1, L), ST(y, 2, R)}, {LD(y, A), LD(x, R)}},
     "00 01 11 20 21 "},
    {"SB relaxed", 2, {{ST(x, 1, R), LD(y, R)}, {ST(y, 1, R), LD(x, R)}}, "00 01 10 11 "},
    {"SB release, acquire", 2, {{ST(x, 1, L), LD(y, A)}, {ST(y, 1, L), LD(x, A)}}, "00 01 10 11 "},
    {"SB acq_rel fences",
     2,
     {{ST(x, 1, R), FENCE(B), LD(y, R)}, {ST(y, 1, R), FENCE(B), LD(x, R)}},
     "00 01 10 11 "},
    {"SB seq_cst fences",
     2,
     {{ST(x, 1, R), FENCE(S), LD(y, R)}, {ST(y, 1, R), FENCE(S), LD(x, R)}},
     "01 10 11 "},
    {"LB relaxed (C11 allows 11)",
     2,
     {{LD(x, R), ST(y, 1, R)}, {LD(y, R), ST(x, 1, R)}},
     "00 01 10 "},
    {"LB acquire", 2, {{LD(x, A), ST(y, 1, R)}, {LD(y, A), ST(x, 1, R)}}, "00 01 10 "},
    {"CoRR", 2, {{ST(x, 1, R), ST(x, 2, R)}, {LD(x, R), LD(x, R)}}, "00 01 02 11 12 22 "},
    {"CoWR", 2, {{ST(x, 1, R), LD(x, R)}, {ST(x, 2, R)}}, "1 2 "},
    {"IRIW acquire",
     4,
     {{ST(x, 1, L)}, {ST(y, 1, L)}, {LD(x, A), LD(y, A)}, {LD(y, A), LD(x, A)}},
     "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1010 1011 1100 1101 1110 1111 "},
    {"IRIW seq_cst fences",
     4,
     {{ST(x, 1, R)}, {ST(y, 1, R)}, {LD(x, R), FENCE(S), LD(y, R)}, {LD(y, R), FENCE(S), LD(x, R)}},
     "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1011 1100 1101 1110 1111 "},
    {"2+2W relaxed",
     2,
     {{ST(x, 1, R), ST(y, 2, R)}, {ST(y, 1, R), ST(x, 2, R)}},
     "11 12 21 22 ",
     true},
    {"2+2W release",
     2,
     {{ST(x, 1, L), ST(y, 2, L)}, {ST(y, 1, L), ST(x, 2, L)}},
     "11 12 21 22 ",
     true},
    {"2+2W seq_cst fences",
     2,
     {{ST(x, 1, R), FENCE(S), ST(y, 2, R)}, {ST(y, 1, R), FENCE(S), ST(x, 2, R)}},
     "12 21 22 ",
     true},
    {"R relaxed",
     2,
     {{ST(x, 1, R), ST(y, 1, R)}, {ST(y, 2, R), LD(x, R)}},
     "011 012 111 112 ",
     true},
    {"R seq_cst fences",
     2,
     {{ST(x, 1, R), FENCE(S), ST(y, 1, R)}, {ST(y, 2, R), FENCE(S), LD(x, R)}},
     "011 111 112 ",
     true},
    {"S relaxed",
     2,
     {{ST(x, 2, R), ST(y, 1, R)}, {LD(y, R), ST(x, 1, R)}},
     "011 021 111 121 ",
     true},
    {"S release, acquire",
     2,
     {{ST(x, 2, R), ST(y, 1, L)}, {LD(y, A), ST(x, 1, R)}},
     "011 021 111 ",
     true},
    {"WRC release, acquire",
     3,
     {{ST(x, 1, L)}, {LD(x, A), ST(y, 1, L)}, {LD(y, A), LD(x, R)}},
     "000 001 010 011 100 101 111 "},
    {"two changes", 2, {{INC(x, R)}, {INC(x, R)}}, "01 10 "},
};

/* ---- One of them ----------------------------------------------------------------------------- */

static const litmus *test;
static uint32_t *x, *y;
static unsigned loaded[4][5], loads[4];
static char outcomes[64][8];
static unsigned outcome_count;

static void start(void)
{
    x = weak_shared(sizeof *x);
    y = weak_shared(sizeof *y);
    memset(loads, 0, sizeof loads);
}

static void run(unsigned thread)
{
    for (const instruction *i = test->code[thread]; i->what; i++) {
        uint32_t *p = i->where == 'x' ? x : y;
        if (i->what == 'r')
            loaded[thread][loads[thread]++] = (unsigned)weak_load(p, 4, i->order);
        else if (i->what == 'w')
            weak_store(p, 4, i->value, i->order);
        else if (i->what == 'c')
            loaded[thread][loads[thread]++] = (unsigned)weak_rmw(p, 4, WEAK_ADD, 1, i->order);
        else
            weak_fence(i->order);
    }
}

static const char *end(void)
{
    char text[8] = "";
    size_t n = 0;
    for (unsigned t = 0; t < test->threads; t++)
        for (unsigned i = 0; i < loads[t]; i++)
            text[n++] = (char)('0' + loaded[t][i]);
    if (test->with_end) {
        text[n++] = (char)('0' + *x);
        text[n++] = (char)('0' + *y);
    }
    for (unsigned i = 0; i < outcome_count; i++)
        if (!strcmp(outcomes[i], text))
            return NULL;
    strcpy(outcomes[outcome_count++], text);
    return NULL;
}

/* Is each outcome expected, and each expected one there? */
static bool as_expected(void)
{
    size_t expected = 0;
    for (const char *p = test->outcomes; *p; p++)
        expected += *p == ' ';
    for (unsigned i = 0; i < outcome_count; i++) {
        char word[16];
        snprintf(word, sizeof word, "%s ", outcomes[i]);
        if (!strstr(test->outcomes, word))
            return false;
    }
    return expected == outcome_count;
}

static bool run_test(void)
{
    const weak_program program = {test->name, test->threads, start, run, end};
    outcome_count = 0;
    const weak_result r = weak_explore(&program, 1000000);
    const bool right = !r.failure && r.complete && as_expected();
    printf("%s: %s (%lu executions, %lu others):", right ? "ok" : "WRONG", test->name, r.seen,
           r.others);
    for (unsigned i = 0; i < outcome_count; i++)
        printf(" %s", outcomes[i]);
    printf("\n");
    return right;
}

int main(void)
{
    unsigned wrong = 0;
    for (test = tests; test < tests + sizeof tests / sizeof *tests; test++)
        wrong += !run_test();
    printf("%u wrong\n", wrong);
    return wrong > 0;
}
