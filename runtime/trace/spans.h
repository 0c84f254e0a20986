/* SPDX-License-Identifier: Apache-2.0
 *
 * What there is to draw of a trace.
 */
#pragma once

#include "runtime/trace/trace.h"

/* What a workgroup does from one event to another. */
enum cb_trace_activity {
    CB_TRACE_NOTHING,
    CB_TRACE_JOINED, /* between phases */
    CB_TRACE_PHASE,
    CB_TRACE_BARRIER,
    CB_TRACE_AWAIT, /* waits for its children, between shares of any */
    CB_TRACE_CHILD, /* in the pool, or while it waits for its own */
    CB_TRACE_TASK,
    CB_TRACE_POOL,
};

struct cb_trace_span {
    uint32_t slot;
    enum cb_trace_activity activity;
    const coop_trace_event *begin;
    const coop_trace_event *next; /* that begins something else; NULL: there is none */
    uint64_t end;                 /* time of that, or else of the last known event */
};

/* Visits what a workgroup did, in order. `last`: cb_trace_last(). */
void cb_trace_visit_spans(const struct cb_trace *trace, uint32_t slot, uint64_t last,
                          void (*visit)(void *self, const struct cb_trace_span *span), void *self);

/* Visits the changes of M: the time of each, and M after it. */
void cb_trace_visit_groups(const struct cb_trace *trace,
                           void (*visit)(void *self, uint64_t time, int64_t groups), void *self);

/* Time of the last event of all. */
uint64_t cb_trace_last(const struct cb_trace *trace);
