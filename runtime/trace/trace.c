/* SPDX-License-Identifier: Apache-2.0
 *
 * All rules. No model: TRACE, of what is no trace.
 */
#include "runtime/trace/trace.h"

#include "runtime/trace/rules.h"

bool cb_trace_check(const struct cb_trace *trace, char *violation, size_t size)
{
    struct cb_trace_verdict verdict = cb_trace_verdict_on(trace, violation, size);
    if (cb_trace_check_kernel(&verdict) && cb_trace_check_tasks(&verdict) &&
        cb_trace_check_children(&verdict) && cb_trace_check_limits(&verdict))
        return !verdict.broken;
    snprintf(violation, size, "TRACE: out of memory");
    return false;
}
