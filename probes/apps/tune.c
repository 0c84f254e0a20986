/* SPDX-License-Identifier: Apache-2.0
 *
 * Tuning: which workgroup size suits an app with an input in a mode (OOPSLA'16 Section 5.2).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probes/apps/case.h"
#include "runtime/host/text.h"
#include "runtime/host/time.h"

#define FAR_OFF 3.0 /* a size whose first time is so many times the best is not run again */

void cb_apps_open_tuning(struct cb_apps_case *c, const struct cb_apps_parameters *params)
{
    const char *text = params->sizes;
    char *end;
    while (c->n_kernels < CB_APPS_MAX_SIZES) {
        size_t size = strtoul(text, &end, 10);
        if (end == text)
            break;
        c->kernels[c->n_kernels++].wg_size = size;
        text = *end == ',' ? end + 1 : end;
    }
    c->budget_ns = params->budget_s * 1e9;
}

void cb_apps_close_tuning(struct cb_apps_case *c)
{
    for (int i = 0; i < c->n_kernels; i++)
        cb_apps_close_kernel(&c->kernels[i]);
}

/* ---- The budget ------------------------------------------------------------------------------ */

/* The first call begins the time. */
static bool is_over(uint64_t *deadline_ns, double budget_ns)
{
    if (*deadline_ns == 0)
        *deadline_ns = cb_now_ns() + (uint64_t)budget_ns;
    return cb_now_ns() > *deadline_ns;
}

/* Whether this round of building takes place: another mode has begun it, or there is time left. The
 * first always does. */
static bool begins(struct cb_apps_budget *budget, unsigned round, double budget_ns)
{
    bool over = is_over(&budget->deadline_ns, budget_ns);
    if (round > 0 && round >= budget->rounds && over)
        return false;
    budget->rounds = round >= budget->rounds ? round + 1 : budget->rounds;
    return true;
}

/* ---- Runs ------------------------------------------------------------------------------------ */

/* One run. A wrong result fails the case: then no other size is run. */
static enum cb_status run_size(struct cb_apps_case *c, struct cb_apps_kernel *k, double *ns,
                               struct cb_sample *sample, struct cb_err *err)
{
    struct cb_coop_time time = {0};
    if (sample->failure[0])
        return CB_OK;
    enum cb_status status = cb_apps_run_kernel(c, k, &time, sample, err);
    cb_sample_context(sample, "%zu work-items a workgroup", k->wg_size);
    *ns = time.run_ns;
    return status;
}

static enum cb_status time_size(struct cb_apps_case *c, struct cb_apps_kernel *k, double *ns,
                                struct cb_sample *sample, struct cb_err *err)
{
    char metric[32];
    snprintf(metric, sizeof metric, "wg_%zu", k->wg_size);
    enum cb_status status = run_size(c, k, ns, sample, err);
    if (status == CB_OK)
        cb_sample_add(sample, metric, *ns);
    return status;
}

/* ---- Building -------------------------------------------------------------------------------- */

/* A run that is not kept, since some drivers compile in it, and one that is. */
static enum cb_status try_size(struct cb_apps_case *c, struct cb_apps_kernel *k,
                               struct cb_sample *sample, struct cb_err *err)
{
    double cold_ns = INFINITY;
    if (cb_apps_open_kernel(c, k->wg_size, k, err) != CB_OK ||
        run_size(c, k, &cold_ns, sample, err) != CB_OK ||
        time_size(c, k, &k->first_ns, sample, err) != CB_OK)
        return err->status;
    k->first_ns = fmin(k->first_ns, cold_ns); /* the other may have been disturbed */
    return CB_OK;
}

/* The first line of what went wrong says it. */
static void note_failure(struct cb_sample *sample, const char *mode, size_t size,
                         const struct cb_err *err)
{
    int length = (int)strcspn(err->text, "\n");
    cb_sample_note(sample, "%s, %zu work-items a workgroup: %s: %.*s", mode, size,
                   cb_status_name(err->status), length, err->text);
}

static void note_untried(struct cb_sample *sample, const struct cb_apps_kernel *kernels, int n)
{
    char sizes[128] = "";
    for (int i = 0; i < n; i++)
        cb_text_join(sizes, sizeof sizes, "%zu", kernels[i].wg_size);
    cb_sample_note(sample, "--tune-budget was over before %s work-items a workgroup", sizes);
}

/* If no size runs, the last failure is the case's. */
static enum cb_status build_round(struct cb_apps_case *c, int round, struct cb_sample *sample,
                                  struct cb_err *err)
{
    struct cb_apps_kernel *k = &c->kernels[round];
    bool late = !begins(&c->batch->budget, (unsigned)round, c->budget_ns);
    if (c->over || (late && c->good > 0)) {
        if (!c->over)
            note_untried(sample, k, c->n_kernels - round);
        c->over = true;
        return CB_OK;
    }
    if (try_size(c, k, sample, err) == CB_OK) {
        c->good++;
        return CB_OK;
    }
    note_failure(sample, cb_app_modes[c->mode], k->wg_size, err);
    cb_apps_close_kernel(k);
    return c->good == 0 && round + 1 == c->n_kernels ? err->status : CB_OK;
}

/* ---- Further rounds -------------------------------------------------------------------------- */

static void drop_slow_sizes(struct cb_apps_case *c)
{
    double best = 0;
    for (int i = 0; i < c->n_kernels; i++)
        if (c->kernels[i].coop && (best == 0 || c->kernels[i].first_ns < best))
            best = c->kernels[i].first_ns;
    for (int i = 0; i < c->n_kernels; i++)
        if (c->kernels[i].coop && c->kernels[i].first_ns > FAR_OFF * best)
            cb_apps_close_kernel(&c->kernels[i]);
}

static enum cb_status further_round(struct cb_apps_case *c, struct cb_sample *sample,
                                    struct cb_err *err)
{
    double ns = NAN;
    for (int i = 0; i < c->n_kernels; i++)
        if (c->kernels[i].coop && !is_over(&c->batch->budget.last_deadline_ns, c->budget_ns) &&
            time_size(c, &c->kernels[i], &ns, sample, err) != CB_OK)
            return err->status;
    return CB_OK;
}

/* ---- All of it ------------------------------------------------------------------------------- */

enum cb_status cb_apps_tune(struct cb_apps_case *c, struct cb_sample *sample, struct cb_err *err)
{
    int round = (int)c->runs++;
    if (round < c->n_kernels)
        return build_round(c, round, sample, err);
    if (round == c->n_kernels)
        drop_slow_sizes(c);
    return further_round(c, sample, err);
}

size_t cb_apps_best_size(const cJSON *times)
{
    const cJSON *time, *best = NULL;
    cJSON_ArrayForEach (time, times)
        if (strncmp(time->string, "wg_", 3) == 0 &&
            (!best || time->valuedouble < best->valuedouble))
            best = time;
    return best ? strtoul(best->string + 3, NULL, 10) : 0;
}
