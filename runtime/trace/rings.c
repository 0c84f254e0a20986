/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/rings.h"

bool cb_trace_is_full(const struct cb_trace *trace, uint32_t ring)
{
    return trace->counts[ring] >= trace->capacity;
}

size_t cb_trace_count(const struct cb_trace *trace, uint32_t ring, uint32_t kind)
{
    size_t n = 0;
    for (uint32_t i = 0; i < cb_trace_length(trace, ring); i++)
        n += cb_trace_ring(trace, ring)[i].kind == kind;
    return n;
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
    uint64_t until = trace->until ? trace->until : UINT64_MAX;
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
