/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/graphics/needs.h"

#include <math.h>
#include <stdlib.h>

#include "probes/graphics/analysis/bootstrap.h"
#include "runtime/host/time.h"

#define IDLE_LOOP_NS 500e6 /* time of the loop while nothing is drawn */
#define MOSTLY_IDLE  2     /* E is to be so many times the gap of that loop, or it says little */

static void add_interval(struct cb_sample *sample, const char *metric,
                         const struct cb_interval *interval)
{
    char name[64];
    cb_sample_add(sample, metric, interval->value);
    snprintf(name, sizeof name, "%s_lower", metric);
    cb_sample_add(sample, name, interval->lower);
    snprintf(name, sizeof name, "%s_upper", metric);
    cb_sample_add(sample, name, interval->upper);
}

enum cb_status cb_needs_add(struct cb_sample *sample, const struct cb_loop_log *log,
                            double frame_ns, uint64_t seed, struct cb_err *err)
{
    double *period = calloc(3 * log->n + 1, sizeof *period), gap = 0, stopped = 0, n = 0,
           kernels = 0;
    if (!period)
        return cb_no_memory(err);
    double *needed = period + log->n, *turns = needed + log->n; /* of the display */
    for (size_t i = 0; i < log->n; i++) {
        const struct cb_loop_part *part = &log->parts[i];
        period[i] = part->period_ns;
        needed[i] = part->gap_ns + part->stopped_ns;
        turns[i] = frame_ns > 0 ? part->period_ns / frame_ns : part->launches;
        gap += part->gap_ns;
        stopped += part->stopped_ns;
        n += turns[i];
        kernels += part->launches;
    }
    if (n > 0) {
        const struct cb_interval p = cb_bootstrap_ratio(period, turns, log->n, seed);
        const struct cb_interval e = cb_bootstrap_ratio(needed, turns, log->n, seed);
        add_interval(sample, "period", &p);
        add_interval(sample, "duration", &e);
        cb_sample_add(sample, "gap", gap / n);
        cb_sample_add(sample, "stopped", stopped / n);
        cb_sample_add(sample, "kernels", kernels);
    }
    free(period);
    return CB_OK;
}

static void add_idle_gap(struct cb_sample *sample, double idle_ns)
{
    const cJSON *duration = cJSON_GetObjectItemCaseSensitive(sample->values, "duration");
    cb_sample_add(sample, "idle_gap", idle_ns);
    if (duration && cJSON_GetNumberValue(cJSON_GetArrayItem(duration, 0)) < MOSTLY_IDLE * idle_ns)
        cb_sample_note(sample,
                       "E is mostly what it takes to launch a kernel: with nothing drawn there are "
                       "%.0f us between two of them",
                       idle_ns / 1e3);
}

static enum cb_status until(void *self, bool *more, struct cb_err *err)
{
    (void)err;
    *more = cb_now_ns() < *(const uint64_t *)self;
    return CB_OK;
}

enum cb_status cb_needs_add_idle(struct cb_sample *sample, struct cb_loop *loop, double t_ns,
                                 struct cb_err *err)
{
    struct cb_loop_log log = {.part_ns = INFINITY};
    uint64_t end = cb_now_ns() + (uint64_t)fmax(IDLE_LOOP_NS, 5 * t_ns);
    const struct cb_loop_control control = {&end, until};
    enum cb_status status = cb_loop_run(loop, t_ns, &control, &log, err);
    if (status == CB_OK && log.n == 1)
        add_idle_gap(sample, log.parts[0].gap_ns / log.parts[0].launches);
    free(log.parts);
    return status;
}
