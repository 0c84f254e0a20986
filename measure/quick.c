/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/quick.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MIN_RUNS 6 /* the fewest with a 95 % interval of the median (measure/stats.h) */

bool cb_quick_is_refused(const struct cb_bench *bench, const cJSON *options)
{
    for (const struct cb_param *p = bench->params; p->name; p++)
        if (p->full && cb_options_flag(options, p->name))
            return true;
    return false;
}

/* ---- Time ------------------------------------------------------------------------------------ */

static bool takes_part(const struct cb_case *c)
{
    return !c->own_stop;
}

/* As often as in a full run at most. */
static void limit_runs(struct cb_stop *stop)
{
    if (stop->rule == CB_STOP_COUNT)
        *stop = (struct cb_stop){.rule = CB_STOP_TIME,
                                 .warmup = stop->warmup,
                                 .min_runs = stop->min_runs,
                                 .max_runs = stop->min_runs,
                                 .max_time_s = INFINITY};
    stop->min_runs = stop->min_runs < MIN_RUNS ? stop->min_runs : MIN_RUNS;
}

/* What it takes with the fewest runs. */
static double least_s(const struct cb_case *c)
{
    const struct cb_stop *s = &c->stop;
    return c->expected_s * (s->min_runs + s->warmup) / fmax(1, s->max_runs + s->warmup);
}

void cb_quick_share(struct cb_plan *plan, int first)
{
    double sum_s = 0, seconds;
    bool known = true;
    if (first == plan->count)
        return;
    const struct cb_case *one = &plan->cases[first];
    seconds = cb_device_is_cpu(one->device) ? one->bench->quick_cpu_s : one->bench->quick_gpu_s;
    for (int i = first; i < plan->count; i++)
        known = known && plan->cases[i].expected_s > 0;
    for (int i = first; i < plan->count; i++)
        if (takes_part(&plan->cases[i]))
            sum_s += known ? plan->cases[i].expected_s : 1;
    for (int i = first; seconds > 0 && i < plan->count; i++) {
        struct cb_case *c = &plan->cases[i];
        if (!takes_part(c))
            continue;
        limit_runs(&c->stop);
        c->budget_s = seconds * (known ? c->expected_s : 1) / sum_s;
        c->expected_s = fmax(fmin(c->expected_s, c->budget_s), least_s(c));
    }
}

/* ---- Words ----------------------------------------------------------------------------------- */

char *cb_quick_left_out(const struct cb_bench *bench, const cJSON *options, bool bounded)
{
    char *text = NULL;
    size_t size = 0;
    int n = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fprintf(out, "Quick run of %s:", bench->id);
    for (const struct cb_param *p = bench->params; p->name; p++)
        if (p->quick && cb_options_lack(options, bench->params, p))
            fprintf(out, "%s --%s %s%s%s", n++ ? "," : "", p->name, p->quick,
                    p->default_value ? " in place of " : "",
                    p->default_value ? p->default_value : "");
    if (bounded)
        fprintf(out, "%s no more runs of a case than fit into its part of the time",
                n++ ? "," : "");
    fputs(". The same command with --full measures all.", out);
    fclose(out);
    if (n > 0)
        return text;
    free(text);
    return NULL;
}

const char *cb_quick_help(const struct cb_bench *bench)
{
    bool cut = bench->quick_gpu_s > 0;
    for (const struct cb_param *p = bench->params; p->name; p++)
        cut = cut || p->quick;
    return cut ? "Takes about a minute, once its kernels are built. --full measures more, and more "
                 "often."
               : "Takes less than a minute, once its kernels are built.";
}
