/* SPDX-License-Identifier: Apache-2.0
 *
 * Where in the runtime's buffers what is, and how large they are: the host makes room by the same
 * functions by which the kernels find it. All is in words of 32 bits but for what has a structure
 * of its own, and begins with a line of its own where workgroups poll it. kernels: of the program;
 * workers: N; semantics: COOP_HIGHEST, ...
 *
 * The memory of messages has, one after the other,
 *
 *   a line for each slot (of several kernels, as many lines for each: those of the first have the
 *     mail), of which the barrier `master` and COOP_ANY use words beside the mail;
 *   tables of slots, if an id is not the slot (coop_has_tables());
 *   the children, if there are any.
 */
#pragma once
#include "barrier_abi.h"
#include "child_abi.h"
#include "coop_abi.h"

/* ---- Messages -------------------------------------------------------------------------------- */

/* A number of words, rounded up to whole lines. */
#define COOP_WHOLE_LINES(words) (((words) + COOP_LINE - 1) / COOP_LINE * COOP_LINE)

/* The line of a slot, or of the id of a kernel beyond the first. */
static inline cb_u64 coop_mail_at(cb_u32 k, cb_u32 workers, cb_u32 slot)
{
    return ((cb_u64)k * workers + slot) * COOP_LINE;
}

/* Whether an id may differ from its slot; a constant, since any other answer costs time. */
#define COOP_HAS_TABLES(kernels, semantics) ((kernels) > 1 || (semantics) == COOP_ANY)

/* Tables have a word for each slot, or id: the ids of the slots; the slots of each owner, a kernel
 * or a lane; a stack of those that nobody has; with COOP_ANY, a stack of the ids that nobody has.
 */
#define COOP_TABLE_OF_IDS               0u
#define COOP_TABLE_OF_OWNER(owner)      (1u + (owner))
#define COOP_TABLE_OF_FREE(kernels)     (1u + (kernels) + COOP_LANES)
#define COOP_TABLE_OF_FREE_IDS(kernels) (2u + (kernels) + COOP_LANES)
#define COOP_TABLES(kernels, semantics)                                                            \
    (!COOP_HAS_TABLES(kernels, semantics) ? 0u                                                     \
     : (semantics) == COOP_ANY            ? 3u + (kernels) + COOP_LANES                            \
                                          : 2u + (kernels) + COOP_LANES)

static inline cb_u64 coop_table_at(cb_u32 kernels, cb_u32 workers, cb_u32 table)
{
    return coop_mail_at(kernels, workers, 0) + (cb_u64)table * workers;
}

static inline cb_u64 coop_children_at(cb_u32 kernels, cb_u32 semantics, cb_u32 workers)
{
    return COOP_WHOLE_LINES(coop_table_at(kernels, workers, COOP_TABLES(kernels, semantics)));
}

/* All words of messages. submits: whether there are children. */
static inline cb_u64 coop_message_words(cb_u32 kernels, cb_u32 semantics, cb_u32 submits,
                                        cb_u32 workers)
{
    return coop_children_at(kernels, semantics, workers) +
           (submits ? child_words(kernels, workers) : 0);
}

/* ---- What a kernel's workgroups share -------------------------------------------------------- */

/* Index of the entry of an id of a kernel; the entry of the kernel's beginning is at id N. */
static inline cb_u64 coop_entry_at(cb_u32 k, cb_u32 workers, cb_u32 id)
{
    return (cb_u64)k * (workers + 1) + id;
}

/* Byte at which the state of an id of a kernel begins. */
static inline cb_u64 coop_state_at(cb_u32 k, cb_u32 workers, cb_u32 id)
{
    return ((cb_u64)k * workers + id) * COOP_STATE_BYTES;
}

/* Index of the first event of a slot's ring; the scheduler's ring is at slot N. */
static inline cb_u64 coop_ring_at(cb_u32 slot, cb_u32 events)
{
    return (cb_u64)slot * events;
}

/* Index of the kernel's word of the barrier `atomic`, counted from coop_control.offset. */
static inline cb_u64 coop_arrivals_at(cb_u32 k)
{
    return (cb_u64)k * COOP_LINE;
}

/* Barrier words for any offset; the other modes have a plain barrier there. */
static inline cb_u64 coop_barrier_words(cb_u32 kernels, cb_u32 workers)
{
    const cb_u64 alone = CB_BARRIER_WORDS((cb_u64)workers), arrivals = coop_arrivals_at(kernels);
    return (cb_u64)(COOP_OFFSETS - 1) * COOP_OFFSET_WORDS + (alone > arrivals ? alone : arrivals);
}
