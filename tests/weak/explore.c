/* SPDX-License-Identifier: Apache-2.0 */
#undef _FORTIFY_SOURCE /* which takes jumps between stacks for mistakes */
#include "explore.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "memory.h"
#include "sites.h"

#define STACK_BYTES   (256u * 1024u)
#define MOST_CHOICES  262144u
#define MOST_WATCHED  64u
#define DEFAULT_TURNS 6u
#define SHOWN_LINES   100u

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
static unsigned switches, asleep;
static bool shown;
static char lines[SHOWN_LINES][160];
static unsigned line_threads[SHOWN_LINES], line_count;

static bool waits_end(void)
{
    return program->waits_end || program->random_only;
}

/* ---- Choices --------------------------------------------------------------------------------- */

static bool randomly; /* else all, one after the other */
static bool plainly;  /* but where a choice is made: the plain execution */
static struct {
    unsigned taken, of;
} choices[MOST_CHOICES];
static unsigned choice_count, choices_known;
static uint32_t random_state;
static unsigned stale_of, switch_of; /* of this random execution */

static uint32_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

/* other_of: of so many random choices, one need not be the first possibility. */
static unsigned choose(unsigned n, unsigned other_of)
{
    if (n <= 1)
        return 0;
    if (choice_count == MOST_CHOICES) {
        fprintf(stderr, "a program is too long: raise MOST_CHOICES\n");
        abort();
    }
    if (choice_count == choices_known) { /* the first one more often than others */
        const bool other = randomly && next_random() % other_of == 0;
        choices[choices_known].taken = other ? next_random() / 2 % n : 0;
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

void weak_show(const char *format, ...)
{
    va_list arguments;
    char *line = lines[line_count % SHOWN_LINES], *before = lines[(line_count - 1) % SHOWN_LINES];
    va_start(arguments, format);
    vsnprintf(line, sizeof *lines, format, arguments);
    va_end(arguments);
    line_threads[line_count % SHOWN_LINES] = current;
    line_count += line_count == 0 || strcmp(line, before) != 0; /* not each turn of a wait */
}

static void print_lines(void)
{
    const unsigned first = line_count > SHOWN_LINES ? line_count - SHOWN_LINES : 0;
    for (unsigned i = first; i < line_count; i++)
        printf("    %*sthread %u: %s\n", (int)line_threads[i % SHOWN_LINES] * 4, "",
               line_threads[i % SHOWN_LINES], lines[i % SHOWN_LINES]);
}

noreturn static void give_up(enum outcome why)
{
    outcome = why;
    if (current == WEAK_NO_THREAD)
        abort();
    _longjmp(scheduler, 1);
}

noreturn void weak_cut(void)
{
    give_up(CUT);
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
    return choose(n, stale_of);
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
    if (!randomly && !waits_end() && c->waits && c->read_count == c->before_count &&
        memcmp(c->reads, c->before, c->read_count * sizeof *c->reads) == 0)
        give_up(REDUNDANT);
    if (++c->turns > (program->most_turns ? program->most_turns : DEFAULT_TURNS)) {
        if (program->random_only)
            weak_fail("a wait that does not end");
        give_up(CUT);
    }
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

/* It is not waiting, or there is something new for it to read. */
static bool has_news(const weak_coroutine *c)
{
    if (c->read_count > 0 || c->before_count == 0)
        return true;
    for (unsigned i = 0; i < c->before_count; i++)
        if (weak_time_newest(c->before[i].place) > c->before[i].time)
            return true;
    return false;
}

static bool can_go_on(const weak_coroutine *c)
{
    return !c->finished && (has_news(c) || waits_end());
}

static bool depend(const weak_coroutine *a, const weak_coroutine *b)
{
    return a->place == b->place && (a->writes || b->writes);
}

/* The thread that accesses next. WEAK_NO_THREAD: none can, or needs to. */
static unsigned choose_thread(unsigned last)
{
    unsigned able = 0, awake[WEAK_THREADS], n = 0;
    bool all_finished = true, any_news = false;
    for (unsigned t = 0; t < program->threads; t++)
        any_news |= !coroutines[t].finished && has_news(&coroutines[t]);
    /* of waits that end by themselves, those without news get on more slowly */
    const unsigned first = /* the last one, but for a wait that would look once more */
        (randomly || plainly) && !has_news(&coroutines[last]) ? last + 1 : last;
    const bool only_news = any_news && (plainly || (randomly && choose(2, 4) == 0));
    for (unsigned i = 0; i < program->threads; i++) {
        const unsigned t = (first + i) % program->threads;
        all_finished &= coroutines[t].finished;
        able += can_go_on(&coroutines[t]);
        if (can_go_on(&coroutines[t]) && !(asleep >> t & 1) &&
            (!only_news || has_news(&coroutines[t])))
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
    const unsigned k = choose(n, switch_of), taken = awake[k];
    switches += last_able && taken != last;
    if (!randomly && !plainly)
        for (unsigned j = 0; j < k; j++)
            asleep |= 1u << awake[j];
    for (unsigned t = 0; t < program->threads; t++)
        if (depend(&coroutines[t], &coroutines[taken]))
            asleep &= ~(1u << t);
    return taken;
}

static void execute(void)
{
    weak_memory_again();
    weak_sites_begin();
    choice_count = switches = asleep = 0;
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
    r->deepest = choice_count > r->deepest ? choice_count : r->deepest;
    r->failure = outcome == CUT && program->random_only ? "given up: too long" : failure;
}

weak_result weak_random(const weak_program *p, unsigned long runs, uint32_t seed)
{
    weak_result r = {NULL};
    program = p;
    weak_memory_clear();
    plainly = false;
    randomly = true;
    random_state = seed ? seed : 1;
    for (unsigned long i = 0; i < runs && !r.failure; i++) {
        choices_known = 0;
        stale_of = 2u << next_random() % 6;
        switch_of = 2u << next_random() % 5;
        execute();
        count(&r);
    }
    return r;
}

weak_result weak_explore(const weak_program *p, unsigned long limit)
{
    weak_result r = {NULL};
    program = p;
    weak_memory_clear();
    randomly = plainly = false;
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

/* The execution with the choices that are known, and those that differ in up to `most` later ones:
 * as many as `share`. */
static void deviate(unsigned most, unsigned long share, weak_result *r)
{
    const unsigned known = choices_known;
    unsigned long others = 0, number = 0;
    execute();
    count(r);
    const unsigned n = choice_count;
    unsigned char *of = most > 0 && !r->failure ? malloc(n + 1) : NULL;
    for (unsigned i = known; i < n && of; i++) {
        of[i] = (unsigned char)choices[i].of; /* threads, or messages: no more than 48 */
        others += of[i] - 1u;
    }
    const unsigned long step = others > share ? (others + share - 1) / share : 1;
    r->complete &= step == 1;
    for (unsigned i = known; i < n && of && !r->failure; i++)
        for (unsigned k = 1; k < of[i] && !r->failure; k++) {
            if (number++ % step != 0)
                continue;
            for (unsigned j = known; j < i; j++)
                choices[j].taken = 0, choices[j].of = of[j];
            choices[i].taken = k, choices[i].of = of[i];
            choices_known = i + 1;
            deviate(most - 1, share * step / (others + 1), r);
        }
    free(of);
}

weak_result weak_deviate(const weak_program *p, unsigned most, unsigned long limit)
{
    weak_result r = {.complete = true};
    program = p;
    weak_memory_clear();
    randomly = false;
    plainly = true;
    choices_known = 0;
    deviate(most, limit, &r);
    return r;
}

void weak_show_failure(const weak_program *p)
{
    program = p;
    shown = true;
    line_count = 0;
    execute();
    shown = false;
    print_lines();
}
