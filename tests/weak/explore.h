/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a program of a few threads again and again on weak memory (memory.h), in all orders of its
 * atomic accesses and with all messages that they may read, or in random ones.
 *
 * Threads are coroutines, which change over at atomic accesses. Plain accesses need no change-over:
 * a race is found by clocks in any order. Two accesses of different places, or two loads, come to
 * the same in either order, so that one order is enough (sleep sets; Godefroid 1996).
 *
 * A wait tells of each turn (weak_turn()). A turn that has read the same messages as the one before
 * it adds nothing, and its execution is given up; so waits end, but for those that change words
 * themselves, which have `most_turns`. A thread whose wait has seen the newest messages goes on
 * when there is another one. If no thread can go on, all wait for ever.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <stdnoreturn.h>

typedef struct {
    const char *name;
    unsigned threads;
    void (*start)(void);          /* before all threads: makes what they share */
    void (*run)(unsigned thread); /* all of them at the same time */
    const char *(*end)(void);     /* after all: NULL, or what is wrong; may be NULL */
    unsigned most_turns;          /* of one thread, in its waits; 0: 6 */
    unsigned most_switches;       /* away from a thread that could go on; 0: no bound */
    bool waits_end;               /* by themselves, after some turns: none is for ever */
    bool random_only; /* the same, and too long for all executions: each has to come to its end */
} weak_program;

typedef struct {
    const char *failure; /* NULL: none */
    bool complete;       /* all executions within the program's bounds were seen */
    bool cut;            /* some were given up for most_turns */
    unsigned long seen;  /* executions that ended, and others */
    unsigned long others;
    unsigned deepest; /* most choices of an execution */
} weak_result;

/* `runs` random executions, from a seed. */
weak_result weak_random(const weak_program *p, unsigned long runs, uint32_t seed);
/* All executions, up to `limit` of them. Both end at the first failure. */
weak_result weak_explore(const weak_program *p, unsigned long limit);
/* Executions that differ in up to `most` choices from the plain one, in which each thread goes on
 * until it waits in vain, and reads what is newest: elsewhere another thread goes on, or an older
 * message is read. All of them, or as many as `limit` says, spread evenly over the execution's
 * choices; without sleep sets, which such a bound does not allow. */
weak_result weak_deviate(const weak_program *p, unsigned most, unsigned long limit);
/* The execution that failed last, once more: its last accesses, each on a line of stdout. */
void weak_show_failure(const weak_program *p);

/* ---- For the accesses (access.c), in a thread ------------------------------------------------ */

#define WEAK_NO_THREAD (~0u)
unsigned weak_thread(void); /* WEAK_NO_THREAD: before or after them */

/* Comes back when it is the thread's turn to access a place. */
void weak_await_access(unsigned place, bool writes);
/* One of n possibilities, of which 0 is the newest. */
unsigned weak_choose_message(unsigned n);
/* The thread has read or changed a place, and its wait knows. */
void weak_has_read(unsigned place);
/* Returns whether the execution is to be shown; weak_show() prints a line of it. */
bool weak_is_shown(void);
void weak_show(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- For programs ---------------------------------------------------------------------------- */

void weak_turn(void);
/* Gives this execution up, as one that is too long. */
noreturn void weak_cut(void);
/* The same, as wrong. */
noreturn void weak_fail(const char *what);
#define WEAK_CHECK(condition, what)                                                                \
    do {                                                                                           \
        if (!(condition))                                                                          \
            weak_fail(what);                                                                       \
    } while (0)
