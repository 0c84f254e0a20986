/* SPDX-License-Identifier: Apache-2.0
 *
 * Litmus tests, many instances at a time.
 *
 *   CB_ORDER  what orders the accesses: CB_LITMUS_RELAXED and so on
 *
 * Values that a thread reads stay private until it is done: a store of one in between would wait
 * for it, and so keep the accesses in order.
 */
#include "atomics.clh"
#include "launch_abi.h"
#include "litmus_abi.h"

typedef volatile global cb_atomic *cb_word;

static inline void cb_put(cb_word p, uint value)
{
    if (CB_ORDER == CB_LITMUS_RMW)
        cb_exchange_acq_rel(p, value);
    else
        cb_store_relaxed(p, value);
}

static inline uint cb_get(cb_word p)
{
    return CB_ORDER == CB_LITMUS_RMW ? cb_fetch_add_acq_rel(p, 0) : cb_load_relaxed(p);
}

/* The store that others wait to see, and the load that sees it. */
static inline void cb_publish(cb_word p, uint value)
{
    if (CB_ORDER == CB_LITMUS_ACQREL || CB_ORDER == CB_LITMUS_RELEASING)
        cb_store_release(p, value);
    else
        cb_put(p, value);
}

static inline uint cb_look(cb_word p)
{
    if (CB_ORDER == CB_LITMUS_ACQREL || CB_ORDER == CB_LITMUS_ACQUIRING)
        return cb_load_acquire(p);
    return cb_get(p);
}

/* The fence of CB_LITMUS_FENCES, and of the order that has this one alone. */
static inline void cb_fence_after(int alone)
{
    if (CB_ORDER == CB_LITMUS_FENCES || CB_ORDER == alone)
        cb_fence_acq_rel();
    else if (CB_ORDER == CB_LITMUS_WG_FENCES)
        cb_fence_acq_rel_workgroup();
}

static inline void cb_between_stores(void)
{
    if (CB_ORDER == CB_LITMUS_FENCES || CB_ORDER == CB_LITMUS_FENCE_ST)
        cb_fence_release();
    else
        cb_fence_after(CB_LITMUS_FENCE_ST);
}

/* What a thread has read. */
static inline uint2 cb_reads(uint first, uint second)
{
    uint2 reads;
    reads.x = first;
    reads.y = second;
    return reads;
}

/* ---- The shapes of threads ------------------------------------------------------------------- */

static inline uint2 cb_store_store(cb_word a, uint first, cb_word b, uint second)
{
    if (CB_ORDER == CB_LITMUS_REVERSED) {
        cb_put(b, second);
        cb_put(a, first);
        return cb_reads(0, 0);
    }
    cb_put(a, first);
    cb_between_stores();
    cb_publish(b, second);
    return cb_reads(0, 0);
}

static inline uint2 cb_load_load(cb_word a, cb_word b)
{
    if (CB_ORDER == CB_LITMUS_REVERSED) {
        uint second = cb_get(b);
        return cb_reads(cb_get(a), second);
    }
    uint first = cb_look(a);
    cb_fence_after(CB_LITMUS_FENCE_LD);
    return cb_reads(first, cb_get(b));
}

static inline uint2 cb_load_store(cb_word a, cb_word b, uint value)
{
    if (CB_ORDER == CB_LITMUS_REVERSED) {
        cb_put(b, value);
        return cb_reads(cb_get(a), 0);
    }
    uint read = cb_look(a);
    cb_fence_after(CB_LITMUS_FENCE_LD);
    cb_publish(b, value);
    return cb_reads(read, 0);
}

static inline uint2 cb_store_load(cb_word a, uint value, cb_word b)
{
    if (CB_ORDER == CB_LITMUS_REVERSED) {
        uint read = cb_get(b);
        cb_put(a, value);
        return cb_reads(read, 0);
    }
    cb_publish(a, value);
    cb_fence_after(CB_LITMUS_FENCE_ST);
    return cb_reads(cb_look(b), 0);
}

static inline uint2 cb_only_store(cb_word a, uint value)
{
    cb_publish(a, value);
    return cb_reads(0, 0);
}

static inline uint2 cb_only_load(cb_word a)
{
    return cb_reads(cb_look(a), 0);
}

static inline uint2 cb_nothing_to_do(void)
{
    return cb_reads(0, 0);
}

/* ---- The tests ------------------------------------------------------------------------------- */

static inline uint2 cb_litmus_MP(uint thread, cb_word x, cb_word y, cb_word z)
{
    return thread == 0 ? cb_store_store(x, 1, y, 1) : cb_load_load(y, x);
}

static inline uint2 cb_litmus_LB(uint thread, cb_word x, cb_word y, cb_word z)
{
    return thread == 0 ? cb_load_store(x, y, 1) : cb_load_store(y, x, 1);
}

static inline uint2 cb_litmus_SB(uint thread, cb_word x, cb_word y, cb_word z)
{
    return thread == 0 ? cb_store_load(x, 1, y) : cb_store_load(y, 1, x);
}

static inline uint2 cb_litmus_S(uint thread, cb_word x, cb_word y, cb_word z)
{
    return thread == 0 ? cb_store_store(x, 2, y, 1) : cb_load_store(y, x, 1);
}

static inline uint2 cb_litmus_R(uint thread, cb_word x, cb_word y, cb_word z)
{
    return thread == 0 ? cb_store_store(x, 1, y, 1) : cb_store_load(y, 2, x);
}

static inline uint2 cb_litmus_2W(uint thread, cb_word x, cb_word y, cb_word z)
{
    return thread == 0 ? cb_store_store(x, 1, y, 2) : cb_store_store(y, 1, x, 2);
}

static inline uint2 cb_litmus_CORR(uint thread, cb_word x, cb_word y, cb_word z)
{
    return thread == 0 ? cb_only_store(x, 1) : cb_load_load(x, x);
}

static inline uint2 cb_litmus_COWR(uint thread, cb_word x, cb_word y, cb_word z)
{
    return thread == 0 ? cb_store_load(x, 1, x) : cb_only_store(x, 2);
}

static inline uint2 cb_litmus_CORW(uint thread, cb_word x, cb_word y, cb_word z)
{
    return thread == 0 ? cb_load_store(x, x, 1) : cb_only_store(x, 2);
}

static inline uint2 cb_litmus_COWW(uint thread, cb_word x, cb_word y, cb_word z)
{
    return thread == 0 ? cb_store_store(x, 1, x, 2) : cb_only_load(x);
}

static inline uint2 cb_litmus_WRC(uint thread, cb_word x, cb_word y, cb_word z)
{
    switch (thread) {
    case 0:
        return cb_only_store(x, 1);
    case 1:
        return cb_load_store(x, y, 1);
    case 2:
        return cb_load_load(y, x);
    default:
        return cb_nothing_to_do();
    }
}

static inline uint2 cb_litmus_ISA2(uint thread, cb_word x, cb_word y, cb_word z)
{
    switch (thread) {
    case 0:
        return cb_store_store(x, 1, y, 1);
    case 1:
        return cb_load_store(y, z, 1);
    case 2:
        return cb_load_load(z, x);
    default:
        return cb_nothing_to_do();
    }
}

static inline uint2 cb_litmus_RWC(uint thread, cb_word x, cb_word y, cb_word z)
{
    switch (thread) {
    case 0:
        return cb_only_store(x, 1);
    case 1:
        return cb_load_load(x, y);
    case 2:
        return cb_store_load(y, 1, x);
    default:
        return cb_nothing_to_do();
    }
}

static inline uint2 cb_litmus_Z63(uint thread, cb_word x, cb_word y, cb_word z)
{
    switch (thread) {
    case 0:
        return cb_store_store(x, 1, y, 1);
    case 1:
        return cb_store_store(y, 2, z, 1);
    case 2:
        return cb_load_load(z, x);
    default:
        return cb_nothing_to_do();
    }
}

static inline uint2 cb_litmus_IRIW(uint thread, cb_word x, cb_word y, cb_word z)
{
    switch (thread) {
    case 0:
        return cb_only_store(x, 1);
    case 1:
        return cb_only_store(y, 1);
    case 2:
        return cb_load_load(x, y);
    default:
        return cb_load_load(y, x);
    }
}

#define CB_LITMUS_CASE(id, name, threads, weak, allowed, reorders)                                 \
    case CB_LITMUS_##id:                                                                           \
        return cb_litmus_##id(thread, x, y, z);

/* What no test is plays nothing, which the host sees (CB_LITMUS_BROKEN). */
static inline uint2 cb_litmus_thread(uint kind, uint thread, cb_word x, cb_word y, cb_word z)
{
    switch (kind) {
        CB_LITMUS_LIST(CB_LITMUS_CASE)
    }
    return cb_reads(CB_LITMUS_NOTHING, CB_LITMUS_NOTHING);
}

/* ---- Instances ------------------------------------------------------------------------------- */

static inline size_t cb_litmus_place(const cb_litmus_launch *l, uint instance, uint location)
{
    uint place = (instance * l->factor + location * l->offset) & (l->instances - 1);
    return ((size_t)location * l->instances + place) * l->stride;
}

/* Lets the threads of an instance begin together. What is left of a work-item's turns bounds its
 * waits: without any it goes on alone. One that waits for another whose core is taken meets it when
 * that comes back, which is when they run at the same time. Returns whether all have arrived. */
static inline bool cb_litmus_meet(cb_word arrived, uint threads, uint *turns)
{
    uint seen = 0;
    cb_add_relaxed(arrived, 1);
    while (*turns > 0 && (seen = cb_load_relaxed(arrived)) < threads)
        (*turns)--;
    return seen >= threads;
}

/* The last of them to come would be done before the others have seen it. */
static inline void cb_litmus_dither(cb_word arrived, uint number, uint most)
{
    uint turns = number * 2654435761u >> 16 & most;
    for (uint i = 0; i < turns; i++)
        cb_load_relaxed(arrived);
}

/* A work-item plays a part in one instance each round, and another part in the next round. The
 * domain has a region for each part, so that the threads of an instance are regions apart. */
static inline void cb_litmus_play(const cb_litmus_launch *l, global cb_u32 *words,
                                  global cb_u32 *meets, global cb_u32 *reads, global cb_u32 *counts)
{
    uint item = (uint)get_global_id(0), size = l->domain / l->threads;
    uint region = item % l->domain / size, turns = l->turns, alone = 0, early = 0;
    for (uint round = 0; round < l->rounds; round++) {
        uint thread = (region + round) % l->threads;
        uint met = (item + region * l->shift) & (size - 1);
        uint first = round * (l->instances / l->rounds) + item / l->domain * size;
        uint instance = first + met;
        cb_word x = CB_ATOMIC(words[cb_litmus_place(l, instance, 0)]);
        cb_word y = CB_ATOMIC(words[cb_litmus_place(l, instance, 1)]);
        cb_word z = CB_ATOMIC(words[cb_litmus_place(l, instance, 2)]);
        bool met_all = cb_litmus_meet(CB_ATOMIC(meets[instance]), l->threads, &turns);
        alone += turns == 0;
        early += turns > 0 && !met_all;
        cb_litmus_dither(CB_ATOMIC(meets[instance]), instance * l->threads + thread, l->dither);
        uint2 read = cb_litmus_thread(l->kind, thread, x, y, z);
        global cb_u32 *own = reads + ((size_t)instance * l->threads + thread) * CB_LITMUS_READS;
        own[0] = read.x;
        own[1] = read.y;
    }
    if (alone > 0)
        cb_add_relaxed(CB_ATOMIC(counts[CB_LITMUS_ALONE]), alone);
    if (early > 0)
        cb_add_relaxed(CB_ATOMIC(counts[CB_LITMUS_EARLY]), early);
}

/* Loads and stores of words that no test has, to keep the memory busy. */
static inline void cb_litmus_stress(const cb_litmus_launch *l, global cb_u32 *scratch)
{
    uint at = (uint)get_global_id(0) * l->stride;
    for (uint i = 0; i < l->stress; i++) {
        cb_store_relaxed(CB_ATOMIC(scratch[at & (CB_LITMUS_SCRATCH - 1)]), i);
        at += l->shift +
              cb_load_relaxed(CB_ATOMIC(scratch[at * l->factor & (CB_LITMUS_SCRATCH - 1)]));
    }
}

kernel void litmus_play(global cb_launch *launch, global cb_u32 *words, global cb_u32 *meets,
                        global cb_u32 *reads, global cb_u32 *scratch, global cb_u32 *counts,
                        cb_litmus_launch l)
{
    (void)launch;
    if (get_group_id(0) < l.groups)
        cb_litmus_play(&l, words, meets, reads, counts);
    else
        cb_litmus_stress(&l, scratch);
}

/* ---- Counting -------------------------------------------------------------------------------- */

static inline ulong cb_litmus_digit(uint value, uint digit)
{
    return (ulong)min(value, CB_LITMUS_NOTHING) << (4 * digit);
}

/* One work-item for each instance, which takes what its words hold: a word of two instances has
 * nothing left for the second. outcomes: the digits of all that an execution may have. */
kernel void litmus_count(global cb_launch *launch, global cb_u32 *words, global cb_u32 *reads,
                         global cb_u32 *counts, cb_litmus_launch l, global const ulong *outcomes)
{
    (void)launch;
    uint instance = (uint)get_global_id(0), n = l.threads * CB_LITMUS_READS, counted;
    ulong outcome = 0;
    for (uint i = 0; i < n; i++)
        outcome |= cb_litmus_digit(reads[(size_t)instance * n + i], i);
    for (uint i = 0; i < CB_LITMUS_LOCATIONS; i++)
        outcome |=
            cb_litmus_digit(cb_exchange_relaxed(CB_ATOMIC(words[cb_litmus_place(&l, instance, i)]),
                                                CB_LITMUS_NOTHING),
                            CB_LITMUS_X + i);
    if (get_local_id(0) == 0)
        cb_add_relaxed(CB_ATOMIC(counts[CB_LITMUS_COUNTED]), (uint)get_local_size(0));
    counted = CB_LITMUS_BROKEN;
    for (uint i = 0; i < l.outcomes; i++)
        if (outcome == outcomes[i])
            counted = CB_LITMUS_OUTCOME + i;
    cb_add_relaxed(CB_ATOMIC(counts[counted]), 1);
}
