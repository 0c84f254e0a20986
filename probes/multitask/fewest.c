/* SPDX-License-Identifier: Apache-2.0
 *
 * The fewest workgroups whose tasks are in time, found by a few trial tasks beside the app. A task
 * of one workgroup may take seconds: the search begins with N/4, and tries fewer only if tasks
 * would be in time with as much work per workgroup and second.
 */
#include <math.h>

#include "measure/stats.h"
#include "probes/multitask/multitask.h"
#include "runtime/discovery.h"
#include "runtime/host/error.h"
#include "runtime/host/text.h"
#include "runtime/host/time.h"

#define TRIALS  5
#define FIRST   1   /* the first of the candidates: N/4 */
#define REST_NS 2e6 /* between two tasks, for the app */

static const char *const candidates[] = {"1", "N/4", "N/2", "N-1"};

struct trial {
    size_t groups;
    double fastest_ns, slowest_ns; /* answers */
};

/* Some of many tasks take longer than the slowest of a few: we expect as much more as the fastest
 * and the slowest of these differ. */
static bool is_late(const struct cb_multitask *m, const struct trial *t)
{
    return t->slowest_ns + (t->slowest_ns - t->fastest_ns) > m->arrivals.deadline_ns;
}

/* The trial ends as soon as it is late. */
static enum cb_status try_groups(struct cb_multitask *m, struct trial *t, struct cb_err *err)
{
    t->fastest_ns = INFINITY;
    t->slowest_ns = 0;
    for (int i = 0; i < TRIALS && (i == 0 || !is_late(m, t)); i++) {
        struct cb_coop_task task;
        cb_sleep_until_ns((double)cb_now_ns() + REST_NS);
        if (cb_multitask_task(m, t->groups, m->size, &task, err) != CB_OK)
            return err->status;
        if (m->own && cb_user_task_renew(m->own, NULL, err) != CB_OK)
            return err->status;
        t->fastest_ns = fmin(t->fastest_ns, task.answer_ns);
        t->slowest_ns = fmax(t->slowest_ns, task.answer_ns);
    }
    return CB_OK;
}

/* The numbers that the candidates mean, each once, rising. *first: index of N/4. Returns how many.
 */
static int list_groups(const struct cb_multitask *m, struct trial *trials, int *first)
{
    struct cb_err ignored;
    int n = 0;
    *first = 0;
    for (int i = 0; i < (int)CB_COUNTOF(candidates); i++) {
        size_t groups;
        if (cb_groups_parse(candidates[i], m->workers, &groups, &ignored) != CB_OK ||
            groups + cb_multitask_kernels(m) > m->workers)
            continue;
        if (n == 0 || groups > trials[n - 1].groups)
            trials[n++].groups = groups;
        *first = i <= FIRST ? n - 1 : *first;
    }
    return n;
}

/* Tries more workgroups until they are in time, or there are no more. */
static enum cb_status search_up(struct cb_multitask *m, struct trial *trials, int n, int *i,
                                struct cb_err *err)
{
    while (is_late(m, &trials[*i]) && *i + 1 < n)
        if (try_groups(m, &trials[++*i], err) != CB_OK)
            return err->status;
    return CB_OK;
}

/* Tries fewer workgroups until they are late, or would be. */
static enum cb_status search_down(struct cb_multitask *m, struct trial *trials, int *i,
                                  struct cb_err *err)
{
    for (; *i > 0; --*i) {
        struct trial *now = &trials[*i], *fewer = now - 1;
        if (now->fastest_ns * (double)now->groups / (double)fewer->groups > m->arrivals.deadline_ns)
            break;
        if (try_groups(m, fewer, err) != CB_OK)
            return err->status;
        if (is_late(m, fewer))
            break;
    }
    return CB_OK;
}

static enum cb_status search(struct cb_multitask *m, struct cb_err *err)
{
    struct trial trials[CB_COUNTOF(candidates)];
    int first, n = list_groups(m, trials, &first), i = first;
    if (n == 0)
        return cb_fail(err, CB_UNSUPPORTED, "a task leaves none of %zu workgroup%s to the app",
                       m->workers, CB_PLURAL(m->workers));
    enum cb_status status = try_groups(m, &trials[i], err);
    if (status != CB_OK)
        return status;
    if (is_late(m, &trials[i]))
        status = search_up(m, trials, n, &i, err);
    else
        status = search_down(m, trials, &i, err);
    m->groups = trials[i].groups;
    return status;
}

enum cb_status cb_multitask_fewest(struct cb_multitask *m, struct cb_err *err)
{
    if (cb_multitask_begin(m, m->coop, true, err) != CB_OK || search(m, err) != CB_OK)
        return cb_context(err, "searching for the fewest workgroups");
    return cb_multitask_end_trials(m, err);
}
