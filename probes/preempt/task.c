/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/preempt/task.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "probes/preempt/preempt_abi.h"
#include "runtime/coop/matmul.h"
#include "runtime/coop/task.h"
#include "runtime/coop/tasks.h"
#include "runtime/host/time.h"

/* Least time without the device: longer than interrupts and reads of memory. */
#define GAP_NS    50e3
#define GAP_STEPS 4 /* least steps of a coarse clock without the device */
#define WATCH_NS  100e9
/* Share of the task's time; a watch that began later has not seen the task. */
#define SEEN_SHARE       0.5
#define CALIBRATION_RUNS 3
#define MAX_FOUND        64

_Static_assert(sizeof(preempt_record) == 48 && sizeof(preempt_share) == 16,
               "as the kernel lays them out");

struct cb_preempt_task {
    struct cb_session *session;
    struct cb_preempt_task_config config;
    cl_program program;
    cl_kernel kernel;
    struct cb_tasks *tasks; /* matrices of the tasks */
    cl_mem record, matrices[3];
    preempt_record *seen; /* the record of the last task, followed by its shares */
    cl_uint number;       /* number of tasks so far */
};

/* ---- Opening --------------------------------------------------------------------------------- */

static size_t record_bytes(size_t groups)
{
    return sizeof(preempt_record) + groups * sizeof(preempt_share);
}

static enum cb_status build(struct cb_preempt_task *t, struct cb_err *err)
{
    char defines[64];
    snprintf(defines, sizeof defines, "-DCOOP_WG_SIZE=%zu", t->config.wg_size);
    if (cb_program_build(t->session, "probes/preempt/preempt.cl", defines, &t->program, err) !=
        CB_OK)
        return err->status;
    if (cb_kernel_create(t->program, "preempt_task", &t->kernel, err) != CB_OK)
        return err->status;
    return cb_launch_reset(t->session, t->kernel, err);
}

enum cb_status cb_preempt_task_open(struct cb_session *session,
                                    const struct cb_preempt_task_config *config,
                                    struct cb_preempt_task **task, struct cb_err *err)
{
    struct cb_preempt_task *t = *task = calloc(1, sizeof *t);
    if (!t)
        return cb_no_memory(err);
    t->session = session;
    t->config = *config;
    t->seen = calloc(1, record_bytes(config->groups + 1));
    if (!t->seen)
        return cb_no_memory(err);
    t->record = cb_buffer_create(session, record_bytes(config->groups + 1), err);
    if (!t->record || cb_tasks_open(session, config->most, &t->tasks, err) != CB_OK ||
        cb_tasks_matrices(t->tasks, t->matrices, err) != CB_OK)
        return err->status;
    return build(t, err);
}

void cb_preempt_task_close(struct cb_preempt_task *t)
{
    if (!t)
        return;
    for (int i = 0; i < 3; i++)
        if (t->matrices[i])
            clReleaseMemObject(t->matrices[i]);
    cb_tasks_close(t->tasks);
    if (t->record)
        clReleaseMemObject(t->record);
    if (t->kernel)
        clReleaseKernel(t->kernel);
    if (t->program)
        clReleaseProgram(t->program);
    free(t->seen);
    free(t);
}

/* ---- One task -------------------------------------------------------------------------------- */

static double tick_ns(const struct cb_preempt_task *t)
{
    return t->session->ns_per_tick;
}

static enum cb_status set_args(struct cb_preempt_task *t, cl_uint groups, cl_uint size,
                               cl_uint salt, struct cb_err *err)
{
    double tick = tick_ns(t) > 0 ? tick_ns(t) : 1;
    cl_ulong gap = (cl_ulong)(fmax(GAP_NS, GAP_STEPS * t->session->clock_resolution_ns) / tick);
    cl_ulong limit = (cl_ulong)(WATCH_NS / tick);
    const struct cb_kernel_value args[] = {
        {sizeof t->record, &t->record},
        {sizeof t->matrices[0], &t->matrices[0]},
        {sizeof t->matrices[1], &t->matrices[1]},
        {sizeof t->matrices[2], &t->matrices[2]},
        {sizeof size, &size},
        {sizeof salt, &salt},
        {sizeof groups, &groups},
        {sizeof t->seen->done, &t->seen->done},
        {sizeof t->seen->taken, &t->seen->taken},
        {sizeof gap, &gap},
        {sizeof limit, &limit},
    };
    return cb_kernel_args(t->kernel, args, CB_COUNTOF(args), err);
}

static void take_times(const struct cb_preempt_task *t, size_t groups, struct cb_preempt_result *r)
{
    const preempt_record *seen = t->seen;
    const preempt_share *shares = (const preempt_share *)(seen + 1);
    r->begun = UINT64_MAX;
    for (size_t i = 0; i < groups; i++) {
        r->begun = shares[i].begun < r->begun ? shares[i].begun : r->begun;
        r->ended = shares[i].ended > r->ended ? shares[i].ended : r->ended;
    }
    r->exec_ns = (double)(r->ended - r->begun) * tick_ns(t);
}

/* Not if the workgroup that watches the clock found no room beside the task. */
static void take_slices(const struct cb_preempt_task *t, struct cb_preempt_result *r)
{
    const preempt_record *seen = t->seen;
    double seen_ns = (double)(seen->watch_ended - seen->watch_begun) * tick_ns(t);
    if (seen_ns < SEEN_SHARE * r->exec_ns)
        return;
    r->slices = 1 + (unsigned)seen->gaps;
    r->away_ns = (double)seen->away * tick_ns(t);
}

/* How often the operating system has taken a core from a thread of this process. */
static long count_switches(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_nivcsw : 0;
}

enum cb_status cb_preempt_task_run(struct cb_preempt_task *t, size_t groups, uint32_t size,
                                   struct cb_preempt_result *r, struct cb_err *err)
{
    cl_uint salt = t->number++ * 2654435761u, before = t->seen->digest;
    bool clocked = tick_ns(t) > 0, watches = clocked && t->config.watch == CB_WATCH_CLOCK;
    long switches = count_switches();
    *r = (struct cb_preempt_result){
        .clocked = clocked, .request_ns = (double)cb_now_ns(), .away_ns = NAN};
    if (set_args(t, (cl_uint)groups, size, salt, err) != CB_OK ||
        cb_launch_step(t->session, t->kernel, groups + watches, t->config.wg_size, t->record,
                       t->seen, record_bytes(groups), err) != CB_OK)
        return err->status;
    r->answer_ns = (double)cb_now_ns() - r->request_ns;
    if (t->config.watch == CB_WATCH_SYSTEM)
        r->slices = 1 + (unsigned)(count_switches() - switches);
    r->right = t->seen->digest - before == cb_task_digest(t->session, COOP_TASK_MATMUL, size, salt);
    if (clocked)
        take_times(t, groups, r);
    if (watches)
        take_slices(t, r);
    return CB_OK;
}

/* ---- Its size -------------------------------------------------------------------------------- */

/* Those that searches have found in a session. */
struct found_sizes {
    struct found_size {
        struct cb_preempt_task_config config;
        double duration_ns;
        uint32_t size; /* 0: the first that is free */
    } list[MAX_FOUND];
};

static const struct cb_kept_kind found_kind = {sizeof(struct found_sizes), NULL,
                                               .by_neighbour = true};

static bool is_of(const struct found_size *f, const struct cb_preempt_task_config *config,
                  double duration_ns)
{
    return f->duration_ns == duration_ns && f->config.wg_size == config->wg_size &&
           f->config.groups == config->groups;
}

/* The entry of such tasks; its size is 0 if they are new. */
static struct found_size *find(struct found_sizes *found,
                               const struct cb_preempt_task_config *config, double duration_ns)
{
    struct found_size *f = found->list;
    while (f < found->list + MAX_FOUND - 1 && f->size > 0 && !is_of(f, config, duration_ns))
        f++;
    if (!is_of(f, config, duration_ns))
        *f = (struct found_size){*config, duration_ns, 0};
    return f;
}

/* The least time of some runs, since a GPU that was idle begins with a slow clock. */
static enum cb_status time_task(void *self, uint32_t size, double *least_ns, struct cb_err *err)
{
    struct cb_preempt_task *t = self;
    *least_ns = INFINITY;
    for (int i = 0; i < CALIBRATION_RUNS; i++) {
        struct cb_preempt_result r;
        if (cb_preempt_task_run(t, t->config.groups, size, &r, err) != CB_OK)
            return err->status;
        if (!r.right)
            return cb_fail(err, CB_VERIFY_FAILED, "a product of %u rows is wrong",
                           COOP_TASK_ROWS(size));
        *least_ns = fmin(*least_ns, r.clocked ? r.exec_ns : r.answer_ns);
    }
    return CB_OK;
}

enum cb_status cb_preempt_task_find_size(struct cb_preempt_task *t, double duration_ns,
                                         uint32_t *size, struct cb_err *err)
{
    struct found_sizes *found = cb_session_kept(t->session, &found_kind, err);
    if (!found)
        return err->status;
    struct found_size *f = find(found, &t->config, duration_ns);
    if (f->size == 0 &&
        cb_matmul_find_size(duration_ns, t->config.most, time_task, t, &f->size, err) != CB_OK) {
        f->size = 0;
        return cb_context(err, "calibrating the task");
    }
    *size = f->size;
    return CB_OK;
}
