/* SPDX-License-Identifier: Apache-2.0 */
#undef _FORTIFY_SOURCE /* which takes jumps between stacks for mistakes */
#include "explore.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "memory.h"
#include "sites.h"

#define STACK_BYTES   (256u * 1024u)
#define MOST_CHOICES  4096u
#define MOST_WATCHED  16u
#define DEFAULT_TURNS 6u

/* ---- Threads --------------------------------------------------------------------------------- */

typedef struct {
    unsigned place;
    uint32_t time;
} watched;

typedef struct {
    ucontext_t beginning;
    jmp_buf here; /* where it goes on; swapcontext() would be a system call each time */
    bool finished, waits;
    unsigned place; /* of the next access */
    bool writes;
    unsigned turns, read_count, before_count;
    watched reads[MOST_WATCHED], before[MOST_WATCHED]; /* in this turn of a wait and the last one */
} weak_coroutine;

static weak_coroutine coroutines[WEAK_THREADS];
static _Alignas(64) char stacks[WEAK_THREADS][STACK_BYTES];
static jmp_buf scheduler;
static unsigned current = WEAK_NO_THREAD;

/* ---- An execution ---------------------------------------------------------------------------- */

enum outcome { ENDED, REDUNDANT, CUT, FAILED };

static const weak_program *program;
static enum outcome outcome;
static const char *failure;
static unsigned switches, stale, asleep;
static bool shown;

/* ---- Choices --------------------------------------------------------------------------------- */

static enum { EXPLORING, RANDOM, AGAIN } mode;
static struct {
    unsigned taken, of;
} choices[MOST_CHOICES];
static unsigned choice_count, choices_known;
static uint32_t random_state;

static uint32_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static unsigned choose(unsigned n)
{
    if (n <= 1)
        return 0;
    if (choice_count == MOST_CHOICES) {
        fprintf(stderr, "a program is too long: raise MOST_CHOICES\n");
        abort();
    }
    if (choice_count == choices_known) { /* the first one more often than others */
        choices[choices_known].taken =
            mode == RANDOM && next_random() % 2 ? next_random() / 2 % n : 0;
        choices[choices_known++].of = n;
    }
    return choices[choice_count++].taken;
}

/* The next execution: the last choice that can be another one. False: there is none. */
static bool advance(void)
{
    while (choices_known > 0) {
        if (++choices[choices_known - 1].taken < choices[choices_known - 1].of)
            return true;
        choices_known--;
    }
    return false;
}

/* ---- In a thread ----------------------------------------------------------------------------- */

unsigned weak_thread(void)
{
    return current;
}

bool weak_is_shown(void)
{
    return shown;
}

noreturn static void give_up(enum outcome why)
{
    outcome = why;
    if (current == WEAK_NO_THREAD)
        abort();
    _longjmp(scheduler, 1);
}

noreturn void weak_fail(const char *what)
{
    failure = what;
    if (current == WEAK_NO_THREAD) {
        fprintf(stderr, "%s: %s before there were threads\n", program->name, what);
        abort();
    }
    give_up(FAILED);
}

static void to_scheduler(void)
{
    if (_setjmp(coroutines[current].here) == 0)
        _longjmp(scheduler, 1);
}

void weak_await_access(unsigned place, bool writes)
{
    coroutines[current].place = place;
    coroutines[current].writes = writes;
    to_scheduler();
}

unsigned weak_choose_message(unsigned n)
{
    if (program->most_stale > 0 && stale >= program->most_stale)
        return 0;
    const unsigned taken = choose(n);
    stale += taken > 0;
    return taken;
}

void weak_has_read(unsigned place)
{
    weak_coroutine *c = &coroutines[current];
    if (c->read_count == MOST_WATCHED)
        memmove(c->reads, c->reads + 1, --c->read_count * sizeof *c->reads);
    c->reads[c->read_count++] = (watched){place, weak_time_seen(current, place)};
}

void weak_turn(void)
{
    if (current == WEAK_NO_THREAD)
        return;
    weak_coroutine *c = &coroutines[current];
    if (c->read_count == 0)
        return;
    if (mode != RANDOM && !program->waits_end && c->waits && c->read_count == c->before_count &&
        memcmp(c->reads, c->before, c->read_count * sizeof *c->reads) == 0)
        give_up(REDUNDANT);
    if (++c->turns > (program->most_turns ? program->most_turns : DEFAULT_TURNS))
        give_up(CUT);
    memcpy(c->before, c->reads, sizeof c->before);
    c->before_count = c->read_count;
    c->read_count = 0;
    c->waits = true;
}

/* ---- The scheduler --------------------------------------------------------------------------- */

static void run_thread(unsigned thread)
{
    program->run(thread);
    coroutines[thread].finished = true;
    to_scheduler();
}

static void go_on(unsigned thread, bool begins)
{
    current = thread;
    if (_setjmp(scheduler) == 0) {
        if (begins)
            setcontext(&coroutines[thread].beginning);
        _longjmp(coroutines[thread].here, 1);
    }
    current = WEAK_NO_THREAD;
}

/* A thread begins by going on to its first access. */
static void begin(unsigned thread)
{
    weak_coroutine *c = &coroutines[thread];
    c->finished = c->waits = false;
    c->turns = c->read_count = c->before_count = 0;
    getcontext(&c->beginning);
    c->beginning.uc_stack.ss_sp = stacks[thread];
    c->beginning.uc_stack.ss_size = STACK_BYTES;
    c->beginning.uc_link = NULL;
    makecontext(&c->beginning, (void (*)(void))run_thread, 1, thread);
    go_on(thread, true);
}

static bool can_go_on(const weak_coroutine *c)
{
    if (c->finished)
        return false;
    if (c->read_count > 0 || c->before_count == 0 || program->waits_end)
        return true;
    for (unsigned i = 0; i < c->before_count; i++)
        if (weak_time_newest(c->before[i].place) > c->before[i].time)
            return true;
    return false;
}

static bool depend(const weak_coroutine *a, const weak_coroutine *b)
{
    return a->place == b->place && (a->writes || b->writes);
}

/* Who accesses next: WEAK_NO_THREAD if nobody can, or needs to. */
static unsigned choose_thread(unsigned last)
{
    unsigned able = 0, awake[WEAK_THREADS], n = 0;
    bool all_finished = true;
    for (unsigned i = 0; i < program->threads; i++) {
        const unsigned t = (last + i) % program->threads; /* the last one first */
        all_finished &= coroutines[t].finished;
        able += can_go_on(&coroutines[t]);
        if (can_go_on(&coroutines[t]) && !(asleep >> t & 1))
            awake[n++] = t;
    }
    if (able == 0 && !all_finished) {
        failure = "all wait for ever";
        outcome = FAILED;
    } else if (n == 0 && !all_finished) {
        outcome = REDUNDANT;
    }
    if (n == 0)
        return WEAK_NO_THREAD;
    const bool last_able = can_go_on(&coroutines[last]);
    if (last_able && program->most_switches > 0 && switches >= program->most_switches)
        n = 1;
    const unsigned k = choose(n), taken = awake[k];
    switches += last_able && taken != last;
    if (mode != RANDOM)
        for (unsigned j = 0; j < k; j++)
            asleep |= 1u << awake[j];
    for (unsigned t = 0; t < program->threads; t++)
        if (depend(&coroutines[t], &coroutines[taken]))
            asleep &= ~(1u << t);
    return taken;
}

static void execute(void)
{
    weak_memory_clear();
    weak_sites_begin();
    choice_count = switches = stale = asleep = 0;
    outcome = ENDED;
    failure = NULL;
    program->start();
    for (unsigned t = 0; t < program->threads && outcome == ENDED; t++)
        begin(t);
    for (unsigned t = 0; outcome == ENDED && (t = choose_thread(t)) != WEAK_NO_THREAD;)
        go_on(t, false);
    current = WEAK_NO_THREAD;
    if (outcome == ENDED && program->end) {
        failure = program->end();
        outcome = failure ? FAILED : ENDED;
    }
}

/* ---- Many executions ------------------------------------------------------------------------- */

static void count(weak_result *r)
{
    r->seen += outcome == ENDED || outcome == FAILED;
    r->others += outcome == REDUNDANT || outcome == CUT;
    r->cut |= outcome == CUT;
    r->failure = failure;
}

weak_result weak_random(const weak_program *p, unsigned long runs, uint32_t seed)
{
    weak_result r = {NULL};
    program = p;
    mode = RANDOM;
    random_state = seed ? seed : 1;
    for (unsigned long i = 0; i < runs && !r.failure; i++) {
        choices_known = 0;
        execute();
        count(&r);
    }
    return r;
}

weak_result weak_explore(const weak_program *p, unsigned long limit)
{
    weak_result r = {NULL};
    program = p;
    mode = EXPLORING;
    choices_known = 0;
    do {
        execute();
        count(&r);
        if (r.failure)
            return r;
        r.complete = !advance();
    } while (!r.complete && r.seen + r.others < limit);
    return r;
}

void weak_show_failure(const weak_program *p)
{
    program = p;
    mode = AGAIN;
    shown = true;
    execute();
    shown = false;
}
