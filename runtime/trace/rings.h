/* SPDX-License-Identifier: Apache-2.0
 *
 * A trace as it comes from the device: a ring of events for each slot, and one for the scheduler.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/coop_abi.h"

/* Rings of `capacity` events: one for each slot, and the last for the scheduler. */
struct cb_trace {
    uint32_t workers;
    uint32_t capacity;
    /* [workers + 1]: events that each ring holds. One with `capacity` of them, or more (that it was
     * asked to hold), is full: those after them may be lost. */
    const uint32_t *counts;
    const coop_trace_event *events; /* [(workers + 1) * capacity] */
    double ns_per_tick;             /* 0: not known, or times are no times */
    uint64_t slack_ticks;           /* by which times of two rings may be wrong */
    uint32_t semantics;             /* COOP_HIGHEST, ...: whose rules hold */
    /* End of a part of a trace up to which no event of the whole is lost; 0: as the rings say. */
    uint64_t until;
};

/* Events of a ring among those that it was asked to hold. */
static inline uint32_t cb_trace_length(const struct cb_trace *trace, uint32_t ring)
{
    uint32_t asked = trace->counts[ring];
    return asked < trace->capacity ? asked : trace->capacity;
}

/* Events may be lost that were later than those. */
bool cb_trace_is_full(const struct cb_trace *trace, uint32_t ring);

static inline const coop_trace_event *cb_trace_ring(const struct cb_trace *trace, uint32_t ring)
{
    return trace->events + (size_t)ring * trace->capacity;
}

/* Events of this kind in a ring. */
size_t cb_trace_count(const struct cb_trace *trace, uint32_t ring, uint32_t kind);

/* Time of the first event of all; 0 if there is none. */
uint64_t cb_trace_first(const struct cb_trace *trace);

/* Up to this time no event is lost: UINT64_MAX if none is at all. */
uint64_t cb_trace_seen_until(const struct cb_trace *trace);

/* Whether a ring was too short, so that the trace ends before what it traced. */
bool cb_trace_is_cut(const struct cb_trace *trace);
