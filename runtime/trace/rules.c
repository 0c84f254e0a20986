/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/rules.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

struct cb_trace_verdict cb_trace_verdict_on(const struct cb_trace *trace, char *violation,
                                            size_t size)
{
    const uint64_t until = cb_trace_seen_until(trace), slack = trace->slack_ticks;
    if (size > 0)
        violation[0] = '\0';
    return (struct cb_trace_verdict){
        .trace = trace,
        .first = cb_trace_first(trace),
        .complete = until == UINT64_MAX,
        .limit = until == UINT64_MAX ? UINT64_MAX
                 : until > slack     ? until - slack
                                     : 0,
        .text = violation,
        .size = size,
    };
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
