/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the check share.
 */
#pragma once

#include "runtime/trace/rings.h"

/* The first violation found so far. */
struct cb_trace_verdict {
    const struct cb_trace *trace;
    uint64_t first; /* time of the first event */
    uint64_t limit; /* from here on, the cause of an event may be lost */
    bool complete;  /* nothing is lost */
    bool broken;
    uint64_t when; /* time of the violation */
    char *text;
    size_t size;
};

/* Nothing has been found yet. */
struct cb_trace_verdict cb_trace_verdict_on(const struct cb_trace *trace, char *violation,
                                            size_t size);

/* "12.345 us", counted from the first event. */
struct cb_trace_time {
    char text[40];
};
struct cb_trace_time cb_trace_time(const struct cb_trace_verdict *verdict, uint64_t time);

/* Takes down a violation at time, unless an earlier one is known: "RULE at 12.345 us: text". Those
 * that are only seen by what is missing come after others that are later by no more than the slack:
 * they may be what follows from these. */
void cb_trace_violation(struct cb_trace_verdict *verdict, bool missing, const char *rule,
                        uint64_t time, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Whether time `a` is earlier than `b` by more than the slack. */
bool cb_trace_earlier(const struct cb_trace_verdict *verdict, uint64_t a, uint64_t b);

/* The rules of tasks; false: out of memory. */
bool cb_trace_check_tasks(struct cb_trace_verdict *verdict);

/* The rules of children; false: out of memory. Those of one workgroup are the replay's. */
bool cb_trace_check_children(struct cb_trace_verdict *verdict);

/* The rules of limits; false: out of memory. */
bool cb_trace_check_limits(struct cb_trace_verdict *verdict);

/* The rule of slots, of the whole trace of a megakernel of one kernel; as cb_trace_check(). */
bool cb_trace_check_slots(const struct cb_trace *trace, char *violation, size_t size);

/* The rules of the cooperative kernel; false: out of memory. */
bool cb_trace_check_kernel(struct cb_trace_verdict *verdict);
