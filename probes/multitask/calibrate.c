/* SPDX-License-Identifier: Apache-2.0
 *
 * The size of the tasks: with which one do all workers take the workload's duration (FSE'17
 * Section 5.4)? Found in the megakernel that will run them: in a kernel of its own the compiler
 * makes other code of the task, up to a fifth slower. And beside the app, which has the caches to
 * itself between two tasks: tasks one right after the other find their matrices there (H200: 3.0
 * ms, beside the app 3.25).
 */
#include <stdio.h>
#include <string.h>

#include "measure/stats.h"
#include "probes/multitask/multitask.h"
#include "runtime/coop/matmul.h"
#include "runtime/coop/task.h"
#include "runtime/host/time.h"

#define CALIBRATION_RUNS 5
#define REST_NS          2e6 /* between two of them, for the app */
#define MAX_FOUND        256

/* Those that searches have found in a session. */
struct found_sizes {
    struct found_size {
        char kernel[96];
        double duration_ns;
        unsigned size; /* 0: the first that is free */
    } list[MAX_FOUND];
};

static const struct cb_kept_kind found_kind = {sizeof(struct found_sizes), NULL,
                                               .by_neighbour = true};

static bool is_like(const struct found_size *f, const struct found_size *wanted)
{
    return f->duration_ns == wanted->duration_ns && strcmp(f->kernel, wanted->kernel) == 0;
}

/* The entry of such tasks; its size is 0 if they are new. */
static struct found_size *find(struct found_sizes *found, const struct cb_multitask *m,
                               double duration_ns)
{
    struct found_size *f = found->list, wanted = {.duration_ns = duration_ns};
    snprintf(wanted.kernel, sizeof wanted.kernel, "%s %u %u %zu %zu %d", m->on->app->id, m->task,
             m->config.resizing, m->config.wg_size, m->workers, m->config.trace_events > 0);
    while (f < found->list + MAX_FOUND - 1 && f->size > 0 && !is_like(f, &wanted))
        f++;
    if (!is_like(f, &wanted))
        *f = wanted;
    return f;
}

/* What all workers would take: the first of them is the app's. The median of some runs, which come
 * in different phases of the app: in the best of them the task is a few percent faster (H200, bfs)
 * than the tasks to come will be. */
static enum cb_status time_task(void *self, uint32_t size, double *median_ns, struct cb_err *err)
{
    struct cb_multitask *m = self;
    const size_t groups = m->workers - cb_multitask_kernels(m);
    bool clocked = m->session->ns_per_tick > 0;
    double times[CALIBRATION_RUNS];
    for (int i = 0; i < CALIBRATION_RUNS; i++) {
        struct cb_coop_task task;
        cb_sleep_until_ns((double)cb_now_ns() + REST_NS);
        if (cb_multitask_task(m, groups, size, &task, err) != CB_OK)
            return err->status;
        double ns = clocked ? task.exec_ns : task.answer_ns;
        times[i] = ns * (double)groups / (double)m->workers;
    }
    *median_ns = cb_stats_of(times, CALIBRATION_RUNS).median;
    return CB_OK;
}

static enum cb_status calibrate(struct cb_multitask *m, double duration_ns, unsigned *size,
                                struct cb_err *err)
{
    if (cb_multitask_begin(m, m->coop, true, err) != CB_OK ||
        cb_matmul_find_size(duration_ns, cb_matmul_most(&m->session->info), time_task, m, size,
                            err) != CB_OK ||
        cb_multitask_end_trials(m, err) != CB_OK)
        return cb_context(err, "calibrating the task");
    return CB_OK;
}

enum cb_status cb_multitask_calibrate(struct cb_multitask *m, double duration_ns,
                                      struct cb_err *err)
{
    struct found_sizes *found = cb_session_kept(m->session, &found_kind, err);
    if (!found)
        return err->status;
    struct found_size *f = find(found, m, duration_ns);
    if (f->size == 0 && calibrate(m, duration_ns, &f->size, err) != CB_OK) {
        f->size = 0;
        return err->status;
    }
    m->size = f->size;
    cb_task_digest(m->session, m->task, m->size, 0); /* takes too long between two tasks */
    return CB_OK;
}
