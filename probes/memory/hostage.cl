/* SPDX-License-Identifier: Apache-2.0
 *
 * A line held hostage (SO'11 Sections 3, 4): how long does a reader of a word wait while the other
 * workgroups access a word `distance` words before it?
 *
 *   CB_OTHERS     idle: they make no accesses; volatile: reads; atomic: fetch-adds of 1
 *   CB_RISES      1: the reader's word is the one that the others add to; 0: it never changes
 *   CB_WG_SIZE work-items a workgroup; one of them makes the accesses
 */
#include "barrier_once.clh"
#include "discovery.clh"
#include "memory_abi.h"

#define CB_TURNS_PER_STOP 16u /* the others look whether to stop once in so many accesses */
#define CB_ANY_RISE       0x7fffffffu
#define CB_PATIENCE       50u        /* quiet times (of the discovery): 5 ms on CPU devices */
#define CB_PATIENT_TURNS  (1u << 24) /* whatever the clock says */

#define cb_others_idle(p)     CB_MEMORY_INITIAL
#define cb_others_volatile(p) (*(volatile global uint *)(p))
#define cb_others_atomic(p)   cb_fetch_add_relaxed(CB_ATOMIC(*(p)), 1)

#define CB_OTHERS_idle     0
#define CB_OTHERS_volatile 1
#define CB_OTHERS_atomic   2
#define CB_OTHERS_KIND     CB_PASTE(CB_OTHERS_, CB_OTHERS)

/* Values may rise, or else must stay: what is added to never falls. */
#define cb_is_right(value, last, rises) ((value) - (last) <= ((rises) ? CB_ANY_RISE : 0u))

/* Reads that wait for each other: the next address depends on the value, though it is the same
 * (zero is an argument of the kernel). Returns how many gave a right value. */
static inline uint cb_read_on(volatile global cb_u32 *word, uint accesses, uint zero)
{
    uint right = 0, last = CB_MEMORY_INITIAL;
    for (uint i = 0; i < accesses; i++) {
        uint value = *word;
        right += cb_is_right(value, last, CB_RISES);
        last = value;
        word += value & zero;
    }
    return right;
}

/* Until the reader is done, but not without bound. Returns how many accesses gave a right value. */
static inline uint cb_disturb(global cb_u32 *word, volatile global cb_u32 *signal, uint turns)
{
    uint right = 0, last = CB_MEMORY_INITIAL;
    for (uint i = 0; i < turns; i++) {
        if (i % CB_TURNS_PER_STOP == 0 && *signal == CB_HOSTAGE_STOP)
            break;
        uint value = CB_PASTE(cb_others_, CB_OTHERS)(word);
        right += cb_is_right(value, last, CB_OTHERS_KIND == CB_OTHERS_atomic);
        last = value;
    }
    return right;
}

/* The others begin when the reader tells them, and the reader when the first of them has: the
 * threads of a CPU device do not all run at once, and one that went on alone would be done before
 * the others' turn comes. The reader does not yield, or its own core would run those that it waits
 * for, in its place; after `patience` it goes on alone. False: a wait was given up. */
static inline bool cb_begin(global cb_launch *launch, volatile global cb_u32 *signal,
                            volatile global cb_u32 *begun, ulong patience)
{
    if (CB_OTHERS_KIND == CB_OTHERS_idle)
        return true;
    if (get_group_id(0) != 0) {
        if (!cb_wait_reached(launch, CB_ATOMIC(*signal), CB_HOSTAGE_BEGIN, CB_SITE_BARRIER))
            return false;
        cb_fetch_add_relaxed(CB_ATOMIC(*begun), 1);
        return true;
    }
    cb_store_release(CB_ATOMIC(*signal), CB_HOSTAGE_BEGIN);
    ulong since = cb_clock();
    for (uint turn = 0; turn < CB_PATIENT_TURNS; turn++)
        if (cb_load_relaxed(CB_ATOMIC(*begun)) != 0 || cb_elapsed(cb_clock(), since) >= patience)
            break;
    return true;
}

/* Workgroup 0 reads, the others disturb it, after a barrier. The time ends as in memory.cl. */
static inline void cb_take_part(global cb_launch *launch, volatile global cb_discovery *d,
                                global cb_memory_group *self, global cb_u32 *words, uint accesses,
                                uint distance, uint zero, ulong patience)
{
    volatile global cb_u32 *signal = words + distance + CB_HOSTAGE_SIGNAL;
    if (!cb_barrier_once(launch, d->barrier, (uint)get_num_groups(0)) ||
        !cb_begin(launch, signal, d->total, patience))
        return;
    ulong start = cb_clock();
    if (get_group_id(0) == 0)
        self->sum = cb_read_on(words + distance, accesses, zero);
    else if (CB_OTHERS_KIND != CB_OTHERS_idle)
        self->sum = cb_disturb(words, signal, accesses * CB_HOSTAGE_TURNS);
    self->drained = cb_fetch_add_acq_rel(CB_ATOMIC(self->drained), 1) + 1;
    self->end = cb_clock();
    self->start = start;
    self->passed = 1;
    if (get_group_id(0) == 0)
        *signal = CB_HOSTAGE_STOP;
}

/* As in memory.cl. */
kernel __attribute__((reqd_work_group_size(CB_WG_SIZE, 1, 1))) void
hostage(global cb_launch *launch, global cb_discovery *d, global cb_memory_group *groups,
        global cb_u32 *words, uint discover, uint accesses, uint distance, uint zero, ulong quiet)
{
    local cb_environment env;
    uint group = (uint)get_group_id(0);
    if (get_local_id(0) == 0) {
        if (discover) {
            groups[group].participating = cb_discover_whether(launch, d, &env, quiet);
        } else {
            cb_take_part(launch, d, &groups[group], words, accesses, distance, zero,
                         CB_PATIENCE * quiet);
        }
    }
}
