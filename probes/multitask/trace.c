/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/folder.h"
#include "probes/multitask/multitask.h"
#include "probes/multitask/trace.h"
#include "runtime/trace/trace.h"

#define TRACE_SLACK_NS 1000 /* between the clocks of two compute units */

static enum cb_status write_traces(const char *path, const struct cb_trace *trace,
                                   struct cb_err *err)
{
    static const char *const endings[] = {".json", ".tsv"};
    for (int i = 0; i < 2; i++) {
        char name[520];
        snprintf(name, sizeof name, "%s%s", path, endings[i]);
        FILE *out = fopen(name, "we");
        if (!out)
            return cb_fail(err, CB_ERROR, "cannot write the trace %s: %s", name, strerror(errno));
        if (i == 0) {
            cb_trace_write_perfetto(out, trace, path);
        } else {
            cb_run_sign(out);
            cb_trace_write_gantt(out, trace);
        }
        if (fclose(out) != 0)
            return cb_fail(err, CB_ERROR, "cannot write the trace %s: %s", name, strerror(errno));
    }
    return CB_OK;
}

static enum cb_status check(const struct cb_traced *t, const struct cb_trace *trace,
                            struct cb_sample *sample, struct cb_err *err)
{
    char violation[512] = "";
    cb_sample_check(sample, cb_trace_check_together(trace, t->kernels, violation, sizeof violation),
                    "trace: %s", violation);
    if (!*t->path)
        return CB_OK;
    if (cb_trace_is_cut(trace))
        cb_sample_note(sample,
                       "traces end when a workgroup has %u events, before their run ends: "
                       "--trace-events holds more",
                       t->events);
    return write_traces(t->path, trace, err);
}

enum cb_status cb_traced_check(const struct cb_traced *t, struct cb_sample *sample,
                               struct cb_err *err)
{
    coop_trace_event *events = NULL;
    uint32_t *counts = NULL;
    enum cb_status status = cb_coop_read_trace(t->coop, &events, &counts, err);
    const double tick = t->session->ns_per_tick;
    if (status == CB_OK && tick > 0) {
        const struct cb_trace trace = {
            .workers = (uint32_t)t->workers,
            .capacity = t->events,
            .counts = counts,
            .events = events,
            .ns_per_tick = tick,
            .slack_ticks = (uint64_t)((TRACE_SLACK_NS + t->session->clock_resolution_ns) / tick),
            .semantics = t->semantics};
        status = check(t, &trace, sample, err);
    }
    free(events);
    free(counts);
    return status;
}

enum cb_status cb_multitask_trace(struct cb_multitask *m, struct cb_coop *coop,
                                  struct cb_sample *sample, struct cb_err *err)
{
    const struct cb_traced traced = {
        m->session,      coop,    m->workers, cb_multitask_kernels(m), m->config.semantics,
        m->trace_events, m->trace};
    return cb_traced_check(&traced, sample, err);
}
