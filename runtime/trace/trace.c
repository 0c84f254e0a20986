/* SPDX-License-Identifier: Apache-2.0
 *
 * All rules. No model: TRACE, of what is no trace.
 */
#include "runtime/trace/trace.h"

#include "runtime/trace/rules.h"

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
        cb_trace_check_children(&verdict) && cb_trace_check_limits(&verdict))
        return !verdict.broken;
    snprintf(violation, size, "TRACE: out of memory");
    return false;
}
