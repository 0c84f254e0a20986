/* SPDX-License-Identifier: Apache-2.0
 *
 * The trace of a run: checked, and written for Perfetto and for the picture.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/multitask/multitask.h"
#include "measure/run/folder.h"
#include "runtime/trace/trace.h"

#define TRACE_SLACK_NS 1000 /* between the clocks of two compute units */

static enum cb_status write_traces(const struct cb_multitask *m, const struct cb_trace *trace,
                                   struct cb_err *err)
{
    static const char *const endings[] = {".json", ".tsv"};
    for (int i = 0; i < 2; i++) {
        char path[sizeof m->trace + 8];
        snprintf(path, sizeof path, "%s%s", m->trace, endings[i]);
        FILE *out = fopen(path, "we");
        if (!out)
            return cb_fail(err, CB_ERROR, "cannot write the trace %s: %s", path, strerror(errno));
        if (i == 0) {
            cb_trace_write_perfetto(out, trace, m->trace);
        } else {
            cb_run_sign(out);
            cb_trace_write_gantt(out, trace);
        }
        if (fclose(out) != 0)
            return cb_fail(err, CB_ERROR, "cannot write the trace %s: %s", path, strerror(errno));
    }
    return CB_OK;
}

enum cb_status cb_multitask_trace(struct cb_multitask *m, struct cb_coop *coop,
                                  struct cb_sample *sample, struct cb_err *err)
{
    coop_trace_event *events = NULL;
    uint32_t *counts = NULL;
    char violation[512] = "";
    enum cb_status status = cb_coop_read_trace(coop, &events, &counts, err);
    double tick = m->session->ns_per_tick;
    if (status == CB_OK && tick > 0) {
        const struct cb_trace trace = {
            .workers = (uint32_t)m->workers,
            .capacity = m->trace_events,
            .counts = counts,
            .events = events,
            .ns_per_tick = tick,
            .slack_ticks = (uint64_t)((TRACE_SLACK_NS + m->session->clock_resolution_ns) / tick),
            .semantics = m->config.semantics};
        cb_sample_check(
            sample,
            cb_trace_check_together(&trace, cb_multitask_kernels(m), violation, sizeof violation),
            "trace: %s", violation);
        if (*m->trace && cb_trace_is_cut(&trace))
            cb_sample_note(sample,
                           "traces end when a workgroup has %u events, before their run ends: "
                           "--trace-events holds more",
                           m->trace_events);
        if (*m->trace)
            status = write_traces(m, &trace, err);
    }
    free(events);
    free(counts);
    return status;
}
