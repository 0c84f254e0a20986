/* SPDX-License-Identifier: Apache-2.0 */
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore.h"

#define TIME_STEP (1u << 16) /* between messages, for stores that go in between */

typedef struct {
    uint32_t time[WEAK_PLACES];
    uint32_t clock[WEAK_THREADS];
} weak_view;

typedef struct {
    uint64_t value;
    uint32_t time;
    bool changed; /* a read-modify-write comes at once after it */
    weak_view view;
} weak_message;

typedef struct {
    volatile uint32_t *word;
    unsigned width, messages;
    bool plain;                          /* the newest message's value is in memory only */
    weak_message message[WEAK_MESSAGES]; /* by their times */
    /* Clocks of each thread's last accesses. */
    uint32_t plain_reads[WEAK_THREADS], plain_writes[WEAK_THREADS];
    uint32_t reads[WEAK_THREADS], writes[WEAK_THREADS];
} weak_place_state;

typedef struct {
    weak_view now, acquirable, released; /* what a fence acquires, and what one has released */
} weak_thread_state;

static uint32_t words[WEAK_WORDS];
static size_t words_used;
static uint16_t place_of[WEAK_WORDS]; /* plus 1; 0: none yet */
static weak_place_state places[WEAK_PLACES];
static unsigned place_count;
static weak_thread_state threads[WEAK_THREADS];
static weak_view sequential; /* of sequentially consistent fences */

/* ---- Shared memory --------------------------------------------------------------------------- */

static void forget_all(void)
{
    memset(threads, 0, sizeof threads);
    memset(&sequential, 0, sizeof sequential);
    words_used = place_count = 0;
}

void weak_memory_clear(void)
{
    memset(words, 0, sizeof words);
    memset(place_of, 0, sizeof place_of);
    forget_all();
}

void weak_memory_again(void)
{
    for (unsigned i = 0; i < place_count; i++) {
        const size_t index = (size_t)(places[i].word - words);
        place_of[index] = 0;
        memset(words + index, 0, places[i].width);
    }
    forget_all();
}

void *weak_shared(size_t bytes)
{
    uint32_t *p = words + words_used;
    words_used += (bytes + 7) / 8 * 2;
    if (words_used > WEAK_WORDS) {
        fprintf(stderr, "a program needs more shared memory: raise WEAK_WORDS\n");
        abort();
    }
    return p;
}

bool weak_is_shared(const volatile void *p)
{
    const uintptr_t at = (uintptr_t)p, from = (uintptr_t)words;
    return at >= from && at < from + words_used * sizeof *words;
}

static uint64_t in_memory(const weak_place_state *p)
{
    return p->width == 8 ? p->word[0] | (uint64_t)p->word[1] << 32 : p->word[0];
}

unsigned weak_place(const volatile void *p, unsigned width)
{
    const size_t index = ((uintptr_t)p - (uintptr_t)words) / sizeof *words;
    if (place_of[index] == 0) {
        if (place_count == WEAK_PLACES) {
            weak_cut();
        }
        weak_place_state *fresh = &places[place_count++];
        memset(fresh, 0, offsetof(weak_place_state, message));
        memset(fresh->plain_reads, 0, sizeof *fresh - offsetof(weak_place_state, plain_reads));
        memset(&fresh->message[0], 0, sizeof fresh->message[0]);
        fresh->word = words + index;
        fresh->width = width;
        fresh->messages = 1;
        fresh->message[0].value = in_memory(fresh);
        place_of[index] = (uint16_t)place_count;
    }
    weak_place_state *place = &places[place_of[index] - 1];
    if (width == 8 && place->width == 4) { /* was accessed by plain words so far */
        place->width = 8;
        place->message[place->messages - 1].value = in_memory(place);
    }
    if (place->plain) {
        place->message[place->messages - 1].value = in_memory(place);
        place->plain = false;
    }
    return place_of[index] - 1u;
}

/* Memory itself has each place's newest value, for plain accesses. */
static void put_in_memory(weak_place_state *p)
{
    const uint64_t value = p->message[p->messages - 1].value;
    p->word[0] = (uint32_t)value;
    if (p->width == 8)
        p->word[1] = (uint32_t)(value >> 32);
}

/* ---- Views ----------------------------------------------------------------------------------- */

static void join_times(weak_view *v, const weak_view *other)
{
    for (unsigned i = 0; i < place_count; i++)
        if (v->time[i] < other->time[i])
            v->time[i] = other->time[i];
}

static void join(weak_view *v, const weak_view *other)
{
    join_times(v, other);
    for (unsigned i = 0; i < WEAK_THREADS; i++)
        if (v->clock[i] < other->clock[i])
            v->clock[i] = other->clock[i];
}

/* Are all accesses of these clocks before what the thread does now? */
static bool all_before(unsigned thread, const uint32_t clocks[WEAK_THREADS])
{
    for (unsigned i = 0; i < WEAK_THREADS; i++)
        if (i != thread && clocks[i] > threads[thread].now.clock[i])
            return false;
    return true;
}

static void note(unsigned thread, uint32_t clocks[WEAK_THREADS])
{
    clocks[thread] = ++threads[thread].now.clock[thread];
}

/* Fails because of an access that is not ordered with one of another thread. */
noreturn static void fail_by_race(const weak_place_state *p, const char *what)
{
    if (weak_is_shown())
        weak_show("%s of place %u at byte %zu: data race", what, (unsigned)(p - places),
                  (size_t)((const volatile char *)p->word - (const char *)words));
    weak_fail("data race");
}

static void check_atomic(unsigned thread, weak_place_state *p, bool reads, bool writes)
{
    if (!all_before(thread, p->plain_writes) || (writes && !all_before(thread, p->plain_reads)))
        fail_by_race(p, "atomic access");
    if (reads)
        note(thread, p->reads);
    if (writes)
        note(thread, p->writes);
}

/* ---- Atomic accesses ------------------------------------------------------------------------- */

static weak_message *message_at(unsigned place, unsigned from)
{
    return &places[place].message[places[place].messages - 1 - from];
}

unsigned weak_readable(unsigned thread, unsigned place)
{
    unsigned n = 0;
    while (n < places[place].messages &&
           message_at(place, n)->time >= threads[thread].now.time[place])
        n++;
    return n;
}

uint64_t weak_peek(unsigned place, unsigned from)
{
    return message_at(place, from)->value;
}

bool weak_changeable(unsigned place, unsigned from)
{
    return !message_at(place, from)->changed;
}

static void take(unsigned thread, unsigned place, const weak_message *m, int order)
{
    weak_thread_state *t = &threads[thread];
    if (t->now.time[place] < m->time)
        t->now.time[place] = m->time;
    if (t->acquirable.time[place] < m->time)
        t->acquirable.time[place] = m->time;
    join(&t->acquirable, &m->view);
    if (order & WEAK_ACQUIRE)
        join(&t->now, &m->view);
}

uint64_t weak_read(unsigned thread, unsigned place, unsigned from, int order)
{
    const weak_message *m = message_at(place, from);
    take(thread, place, m, order);
    check_atomic(thread, &places[place], true, false);
    return m->value;
}

/* A new message after the index-th, with what the thread releases by it. */
static weak_message *insert(unsigned thread, unsigned place, unsigned index, uint64_t value,
                            int order)
{
    weak_place_state *p = &places[place];
    weak_thread_state *t = &threads[thread];
    if (p->messages == WEAK_MESSAGES) { /* the oldest is forgotten */
        memmove(&p->message[0], &p->message[1], --p->messages * sizeof p->message[0]);
        index -= index > 0;
    }
    const uint32_t before = p->message[index].time;
    const uint32_t after =
        index + 1 == p->messages ? before + 2 * TIME_STEP : p->message[index + 1].time;
    if (after - before < 2 || before > UINT32_MAX / 2) {
        weak_cut();
    }
    memmove(&p->message[index + 2], &p->message[index + 1],
            (p->messages - index - 1) * sizeof p->message[0]);
    p->messages++;
    weak_message *m = &p->message[index + 1];
    m->value = value;
    m->time = before + (after - before) / 2;
    m->changed = false;
    t->now.time[place] = t->acquirable.time[place] = m->time;
    m->view = order & WEAK_RELEASE ? t->now : t->released;
    m->view.time[place] = m->time;
    put_in_memory(p);
    return m;
}

void weak_change(unsigned thread, unsigned place, unsigned from, uint64_t value, int order)
{
    weak_message *read = message_at(place, from);
    take(thread, place, read, order);
    check_atomic(thread, &places[place], true, true);
    read->changed = true;
    static weak_view handed_on;
    handed_on = read->view;
    const unsigned index = places[place].messages - 1 - from;
    join(&insert(thread, place, index, value, order)->view, &handed_on);
}

/* May a store go after the index-th message? */
static bool has_room_after(unsigned thread, unsigned place, unsigned index)
{
    const weak_message *m = &places[place].message[index];
    return m->time >= threads[thread].now.time[place] && !m->changed;
}

unsigned weak_writable(unsigned thread, unsigned place)
{
    unsigned n = 0;
    for (unsigned i = 0; i < places[place].messages; i++)
        n += has_room_after(thread, place, i);
    return n;
}

void weak_write(unsigned thread, unsigned place, unsigned at, uint64_t value, int order)
{
    unsigned index = places[place].messages - 1;
    while (!has_room_after(thread, place, index) || at-- > 0)
        index--;
    check_atomic(thread, &places[place], false, true);
    insert(thread, place, index, value, order);
}

void weak_fence_of(unsigned thread, int order)
{
    weak_thread_state *t = &threads[thread];
    if (order & WEAK_ACQUIRE)
        join(&t->now, &t->acquirable);
    if (order == WEAK_SEQ_CST) {
        join_times(&t->now, &sequential);
        join_times(&sequential, &t->now);
    }
    if (order & WEAK_RELEASE)
        t->released = t->now;
    join(&t->acquirable, &t->now);
}

/* ---- Plain accesses -------------------------------------------------------------------------- */

static void plain_access(unsigned thread, weak_place_state *p, bool writes)
{
    if (!all_before(thread, p->plain_writes) || !all_before(thread, p->writes) ||
        (writes && (!all_before(thread, p->plain_reads) || !all_before(thread, p->reads))))
        fail_by_race(p, writes ? "plain store" : "plain load");
    note(thread, writes ? p->plain_writes : p->plain_reads);
}

void weak_plain_read(unsigned thread, const volatile void *p, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += 4)
        plain_access(thread, &places[weak_place((const volatile char *)p + i, 4)], false);
}

/* Nobody may read an older message after it without a race, so that it is the only one left. */
static void only_message(unsigned thread, unsigned place)
{
    weak_place_state *p = &places[place];
    weak_message *m = &p->message[0];
    m->time = p->message[p->messages - 1].time + TIME_STEP;
    m->changed = false;
    memset(&m->view, 0, sizeof m->view);
    p->messages = 1;
    p->plain = true;
    threads[thread].now.time[place] = threads[thread].acquirable.time[place] = m->time;
}

void weak_plain_write(unsigned thread, const volatile void *p, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += 4) {
        const unsigned place = weak_place((const volatile char *)p + i, 4);
        plain_access(thread, &places[place], true);
        only_message(thread, place);
    }
}

/* ---- What a wait sees ------------------------------------------------------------------------ */

uint32_t weak_time_seen(unsigned thread, unsigned place)
{
    return threads[thread].now.time[place];
}

uint32_t weak_time_newest(unsigned place)
{
    return places[place].message[places[place].messages - 1].time;
}
