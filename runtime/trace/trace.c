/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/trace.h"

#include <inttypes.h>
#include <stdarg.h>

#include "runtime/trace/rules.h"

bool cb_trace_is_full(const struct cb_trace *trace, uint32_t ring)
{
    return trace->counts[ring] >= trace->capacity;
}

uint64_t cb_trace_first(const struct cb_trace *trace)
{
    uint64_t first = UINT64_MAX;
    for (uint32_t i = 0; i <= trace->workers; i++)
        if (cb_trace_length(trace, i) > 0 && cb_trace_ring(trace, i)->time < first)
            first = cb_trace_ring(trace, i)->time;
    return first == UINT64_MAX ? 0 : first;
}

uint64_t cb_trace_seen_until(const struct cb_trace *trace)
{
    uint64_t until = UINT64_MAX;
    for (uint32_t i = 0; i <= trace->workers; i++) {
        uint32_t length = cb_trace_length(trace, i);
        if (!cb_trace_is_full(trace, i))
            continue;
        uint64_t last = length > 0 ? cb_trace_ring(trace, i)[length - 1].time : 0;
        until = last < until ? last : until;
    }
    return until;
}

bool cb_trace_is_cut(const struct cb_trace *trace)
{
    return cb_trace_seen_until(trace) != UINT64_MAX;
}

struct cb_trace_time cb_trace_time(const struct cb_trace_verdict *verdict, uint64_t time)
{
    struct cb_trace_time t;
    uint64_t ticks = time > verdict->first ? time - verdict->first : 0;
    if (verdict->trace->ns_per_tick > 0)
        snprintf(t.text, sizeof t.text, "%.3f us",
                 (double)ticks * verdict->trace->ns_per_tick / 1e3);
    else
        snprintf(t.text, sizeof t.text, "tick %" PRIu64, ticks);
    return t;
}

static uint64_t later_by_slack(const struct cb_trace_verdict *verdict, uint64_t time)
{
    uint64_t slack = verdict->trace->slack_ticks;
    return time > UINT64_MAX - slack ? UINT64_MAX : time + slack;
}

bool cb_trace_earlier(const struct cb_trace_verdict *verdict, uint64_t a, uint64_t b)
{
    return later_by_slack(verdict, a) < b;
}

void cb_trace_violation(struct cb_trace_verdict *verdict, bool missing, const char *rule,
                        uint64_t time, const char *format, ...)
{
    uint64_t when = missing ? later_by_slack(verdict, time) : time;
    if ((time >= verdict->limit && !verdict->complete) ||
        (verdict->broken && when >= verdict->when))
        return;
    verdict->broken = true;
    verdict->when = when;
    int used = snprintf(verdict->text, verdict->size, "%s at %s: ", rule,
                        cb_trace_time(verdict, time).text);
    if (used < 0 || (size_t)used >= verdict->size)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(verdict->text + used, verdict->size - (size_t)used, format, arguments);
    va_end(arguments);
}

bool cb_trace_check(const struct cb_trace *trace, char *violation, size_t size)
{
    uint64_t until = cb_trace_seen_until(trace);
    uint64_t slack = trace->slack_ticks;
    struct cb_trace_verdict verdict = {
        .trace = trace,
        .first = cb_trace_first(trace),
        .complete = until == UINT64_MAX,
        .text = violation,
        .size = size,
    };
    verdict.limit = verdict.complete ? UINT64_MAX : until > slack ? until - slack : 0;
    if (size > 0)
        violation[0] = '\0';
    if (cb_trace_check_kernel(&verdict) && cb_trace_check_tasks(&verdict) &&
        cb_trace_check_limits(&verdict))
        return !verdict.broken;
    snprintf(violation, size, "TRACE: out of memory");
    return false;
}
