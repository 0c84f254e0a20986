/* SPDX-License-Identifier: Apache-2.0
 *
 * Weak memory for tests: what loads, stores and fences of C11 atomics may do, one step at a time
 * (the view machine of Kang et al., "A promising semantics", POPL 2017, without promises).
 *
 * A place is a word of shared memory. Each store leaves a message there: a value, a time, and the
 * view that an acquire gets from it. A view says, for each place, the oldest message that may still
 * be read. A load picks any message that is not older than its thread's view; a store goes anywhere
 * after it, not only last. A read-modify-write comes at once after the message that it reads, and
 * hands on that message's view (release sequences, as in C++20: not by other stores of the thread).
 *
 * Views also have a clock for each thread, which tells whether two accesses are ordered: a plain
 * access and another one of the same place, one of them a store, that are not, are a data race.
 *
 * Not in it: loads that read from stores which come later in another thread (load buffering), and
 * sequentially consistent accesses; fences of that kind are.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEAK_THREADS  5u
#define WEAK_PLACES   1000u /* that one execution accesses */
#define WEAK_MESSAGES 48u   /* of a place, the newest */
#define WEAK_WORDS    524288u

enum weak_order {
    WEAK_RELAXED,
    WEAK_ACQUIRE = 1,
    WEAK_RELEASE = 2,
    WEAK_ACQ_REL = 3,
    WEAK_SEQ_CST = 7 /* fences only */
};

/* ---- Shared memory --------------------------------------------------------------------------- */

/* All shared memory becomes zero and free. */
void weak_memory_clear(void);
/* The same for the next execution of a program: what threads have accessed. */
void weak_memory_again(void);
/* So many bytes of it, aligned for any word. */
void *weak_shared(size_t bytes);
bool weak_is_shared(const volatile void *p);
/* The place at an address; `width` bytes, 4 or 8, the same each time for atomic accesses. */
unsigned weak_place(const volatile void *p, unsigned width);

/* ---- Steps of a thread ------------------------------------------------------------------------
 * `from` counts messages from the newest down: 0 is the newest. */

unsigned weak_readable(unsigned thread, unsigned place);
/* What a message says, without reading it, and whether a read-modify-write may still read it. */
uint64_t weak_peek(unsigned place, unsigned from);
bool weak_changeable(unsigned place, unsigned from);
uint64_t weak_read(unsigned thread, unsigned place, unsigned from, int order);
/* Reads a message and stores at once after it. */
void weak_change(unsigned thread, unsigned place, unsigned from, uint64_t value, int order);
/* Positions at which a store may go; 0 is the last. */
unsigned weak_writable(unsigned thread, unsigned place);
void weak_write(unsigned thread, unsigned place, unsigned at, uint64_t value, int order);
void weak_fence_of(unsigned thread, int order);

/* The access itself is the caller's; a store's comes after the call. */
void weak_plain_read(unsigned thread, const volatile void *p, size_t bytes);
void weak_plain_write(unsigned thread, const volatile void *p, size_t bytes);

/* ---- What a wait sees ------------------------------------------------------------------------ */

/* The time of the message that the thread last read or wrote there, and of the newest one. */
uint32_t weak_time_seen(unsigned thread, unsigned place);
uint32_t weak_time_newest(unsigned place);
