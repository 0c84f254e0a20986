/* SPDX-License-Identifier: Apache-2.0
 *
 * litmus.cl itself, as C: with each order, its tests have exactly the outcomes that the axioms of
 * C11 allow (probes/litmus/axioms.h); the threads of an instance wait for each other; and no two
 * instances share a word.
 */
#include "opencl.h"

#include <stdio.h>
#include <stdlib.h>

static int the_order;
#define CB_ORDER the_order
static uint the_item; /* outside of threads */
#define get_global_id(dimension) (weak_thread() == WEAK_NO_THREAD ? the_item : weak_thread())
#define get_group_id(dimension)  get_global_id(dimension)

/* Its only loop that waits has no turns of kernels/wait.clh. */
static cb_u32 *meets;
#define MOST_INSTANCES 64u
static uint load_in_turn(volatile global cb_atomic *p);
#define cb_load_relaxed load_in_turn
#include "probes/litmus/litmus.cl"
#undef cb_load_relaxed
#pragma GCC diagnostic pop

#include "probes/litmus/axioms.h"

static uint load_in_turn(volatile global cb_atomic *p)
{
    if (meets && p >= CB_ATOMIC(meets[0]) && p < CB_ATOMIC(meets[MOST_INSTANCES]))
        weak_turn();
    return cb_load_relaxed(p);
}

static unsigned wrong;

static void tell(bool right, const char *format, const char *name, const char *more)
{
    wrong += !right;
    printf("%s: ", right ? "ok" : "WRONG");
    printf(format, name, more);
    printf("\n");
}

/* ---- The outcomes of the tests --------------------------------------------------------------- */

static const struct cb_litmus_test *test;
static cb_u32 *places[CB_LITMUS_LOCATIONS];
static uint64_t reads, seen[CB_LITMUS_OUTCOMES * 2];
static unsigned seen_count;

static void start_test(void)
{
    for (unsigned l = 0; l < CB_LITMUS_LOCATIONS; l++)
        places[l] = weak_shared(sizeof *places[l]);
    reads = 0;
}

static void run_test(unsigned thread)
{
    const uint2 read = cb_litmus_thread((uint)test->kind, thread, CB_ATOMIC(*places[0]),
                                        CB_ATOMIC(*places[1]), CB_ATOMIC(*places[2]));
    reads |= cb_litmus_digit(read.x, CB_LITMUS_READS * thread) |
             cb_litmus_digit(read.y, CB_LITMUS_READS * thread + 1);
}

static const char *end_test(void)
{
    uint64_t outcome = reads;
    for (unsigned l = 0; l < CB_LITMUS_LOCATIONS; l++)
        outcome |= cb_litmus_digit(*places[l], CB_LITMUS_X + l);
    for (unsigned i = 0; i < seen_count; i++)
        if (seen[i] == outcome)
            return NULL;
    if (seen_count == sizeof seen / sizeof *seen)
        return "too many outcomes";
    seen[seen_count++] = outcome;
    return NULL;
}

static bool was_seen(uint64_t digits)
{
    for (unsigned i = 0; i < seen_count; i++)
        if (seen[i] == digits)
            return true;
    return false;
}

/* The memory here has no scopes: what a workgroup's fence orders is what it orders within one. And
 * none of its loads reads what is stored later. */
static void check_test(void)
{
    struct cb_litmus_outcome outcomes[CB_LITMUS_OUTCOMES];
    const unsigned n =
        cb_litmus_outcomes(CB_LITMUS_C11, test, the_order, CB_LITMUS_SUBGROUPS, outcomes);
    const weak_program program = {test->name, cb_litmus_parts(test), start_test, run_test,
                                  end_test};
    unsigned expected = 0;
    seen_count = 0;
    const weak_result r = weak_explore(&program, 1000000);
    bool right = r.complete && !r.failure;
    for (unsigned i = 0; i < n; i++) {
        expected += outcomes[i].in_order;
        right = right && was_seen(outcomes[i].digits) == outcomes[i].in_order;
    }
    tell(right && seen_count == expected, "%s, %s: the outcomes of the axioms", test->name,
         cb_litmus_order_name(the_order));
}

static void check_tests(void)
{
    for (test = cb_litmus_tests; test->name; test++)
        for (the_order = 0; the_order < CB_LITMUS_N_ORDERS; the_order++)
            check_test();
}

/* ---- Instances ------------------------------------------------------------------------------- */

static cb_litmus_launch launch;
static cb_u32 *words, *values, *counts;

static unsigned words_of(const cb_litmus_launch *l)
{
    return CB_LITMUS_LOCATIONS * l->instances * l->stride;
}

static unsigned values_of(const cb_litmus_launch *l)
{
    return l->instances * l->threads * CB_LITMUS_READS;
}

/* A launch as launch.c draws it. */
static void draw(unsigned threads)
{
    launch = (cb_litmus_launch){.threads = threads,
                                .groups = threads,
                                .domain = threads,
                                .rounds = 4,
                                .instances = 4,
                                .turns = 1000};
    launch.factor = 2 * ((unsigned)rand() % 2) + 1;
    launch.offset = (unsigned)rand() % launch.instances;
    launch.shift = (unsigned)rand() % launch.instances;
    launch.stride = 1 + (unsigned)rand() % 3;
}

/* Each instance has its words for itself. */
static void check_places(void)
{
    bool right = true;
    for (unsigned draws = 0; draws < 100; draws++) {
        bool taken[CB_LITMUS_LOCATIONS * 4 * 3] = {false};
        draw(2);
        for (unsigned instance = 0; instance < launch.instances; instance++)
            for (unsigned l = 0; l < CB_LITMUS_LOCATIONS; l++) {
                const size_t place = cb_litmus_place(&launch, instance, l);
                right = right && place < words_of(&launch) && !taken[place];
                if (place < words_of(&launch))
                    taken[place] = true;
            }
    }
    tell(right, "%s%s", "instances have words of their own", "");
}

static void start_play(void)
{
    words = weak_shared(words_of(&launch) * sizeof *words);
    meets = weak_shared(MOST_INSTANCES * sizeof *meets);
    values = weak_shared(values_of(&launch) * sizeof *values);
    counts = weak_shared(CB_LITMUS_COUNTS * sizeof *counts);
    for (unsigned i = 0; i < values_of(&launch); i++)
        values[i] = CB_LITMUS_NOTHING;
}

static void run_play(unsigned thread)
{
    (void)thread;
    cb_litmus_play(&launch, words, meets, values, counts);
}

static const char *end_play(void)
{
    for (unsigned i = 0; i < launch.instances; i++)
        if (meets[i] != launch.threads)
            return "an instance was not played by all";
    for (unsigned i = 0; i < values_of(&launch); i++)
        if (values[i] == CB_LITMUS_NOTHING)
            return "a read was not kept";
    return counts[CB_LITMUS_EARLY] > 0   ? "a thread did not wait for the others"
           : counts[CB_LITMUS_ALONE] > 0 ? "a thread had no turns left"
                                         : NULL;
}

/* With any scheduling, all threads of an instance have arrived before one begins. */
static void check_play(void)
{
    the_order = CB_LITMUS_RELAXED;
    for (test = cb_litmus_tests; test->name; test++) {
        const weak_program program = {test->name, cb_litmus_parts(test), start_play,       run_play,
                                      end_play,   .random_only = true,   .most_turns = 900};
        draw(cb_litmus_parts(test));
        launch.kind = (cb_u32)test->kind;
        const weak_result r = weak_random(&program, 20, 1);
        tell(!r.failure, "%s: all wait for each other%s", test->name, r.failure ? r.failure : "");
    }
}

int main(void)
{
    check_places();
    check_play();
    meets = NULL;
    check_tests();
    printf("%u wrong\n", wrong);
    return wrong > 0;
}
