/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/apps/findings.h"

#include <math.h>

#include "measure/estimate.h"
#include "measure/json.h"
#include "probes/apps/pairs.h"

#define LABEL_BYTES 96

/* A ratio over all pairs that have it. */
struct outcome {
    int n, more, less; /* pairs; of which the interval is above, below 1 */
    const struct cb_apps_pair *highest, *lowest;
    struct cb_estimate high, low, mean; /* geometric, of medians and of limits */
};

static struct outcome outcome_of(const struct cb_apps_pairs *pairs, enum cb_apps_ratio ratio)
{
    struct outcome o = {.mean = {0, 0, 0}};
    for (int i = 0; i < pairs->n; i++) {
        struct cb_estimate e = cb_apps_ratio_estimate(&pairs->list[i], ratio);
        if (isnan(e.median))
            continue;
        o.more += e.low > 1;
        o.less += e.high < 1;
        o.mean.median += log(e.median);
        o.mean.low += log(e.low);
        o.mean.high += log(e.high);
        if (o.n == 0 || e.median > o.high.median) {
            o.highest = &pairs->list[i];
            o.high = e;
        }
        if (o.n == 0 || e.median < o.low.median) {
            o.lowest = &pairs->list[i];
            o.low = e;
        }
        o.n++;
    }
    o.mean = (struct cb_estimate){exp(o.mean.median / o.n), exp(o.mean.low / o.n),
                                  exp(o.mean.high / o.n)};
    return o;
}

static void find_speedup(struct cb_findings *f, const struct cb_apps_pairs *pairs)
{
    struct outcome o = outcome_of(pairs, CB_APPS_SPEEDUP);
    char high[CB_ESTIMATE_BYTES], low[CB_ESTIMATE_BYTES], best[LABEL_BYTES], worst[LABEL_BYTES];
    if (o.n == 0)
        return;
    cb_estimate_number(high, o.high);
    cb_estimate_number(low, o.low);
    cb_apps_label(o.highest, best, sizeof best);
    cb_apps_label(o.lowest, worst, sizeof worst);
    if (o.more == 1 && o.n == 1)
        cb_finding_add(f, "speedup",
                       "With %s, one kernel with barriers is %s times as fast as a launch for each "
                       "step. Use it.",
                       best, high);
    else if (o.more == o.n)
        cb_finding_add(f, "speedup",
                       "One kernel with barriers is faster than a launch for each step with all %d "
                       "inputs: %s times with %s, %s with %s. Use it.",
                       o.n, high, best, low, worst);
    else if (o.less == o.n)
        cb_finding_add(f, "speedup",
                       "One kernel with barriers is slower than a launch for each step with all %d "
                       "inputs: at best %s times as fast, with %s. Keep to launches.",
                       o.n, high, best);
    else if (o.more + o.less == 0)
        cb_finding_add(f, "speedup",
                       "These measurements do not tell whether one kernel with barriers is faster "
                       "than a launch for each step: %s times with %s. More runs: --runs %d.",
                       high, best, cb_findings_runs(o.highest->rows[COOP_PORTABLE]));
    else
        cb_finding_add(f, "speedup",
                       "One kernel with barriers is faster than a launch for each step with %d of "
                       "%d inputs (%s times with %s), slower with %d (%s with %s). Choose by the "
                       "input.",
                       o.more, o.n, high, best, o.less, low, worst);
}

static void find_price(struct cb_findings *f, const struct cb_apps_pairs *pairs)
{
    struct outcome o = outcome_of(pairs, CB_APPS_COOPERATION_PORTABLE);
    char mean[CB_ESTIMATE_BYTES], high[CB_ESTIMATE_BYTES], worst[LABEL_BYTES];
    if (o.n == 0)
        return;
    cb_estimate_percent(mean, o.mean);
    cb_estimate_percent(high, o.high);
    cb_apps_label(o.highest, worst, sizeof worst);
    if (!cb_estimate_has_interval(o.mean))
        cb_finding_add(f, "cooperation",
                       "So few runs do not tell what it costs that an app can give workgroups away "
                       "(%s on average): --runs %d.",
                       mean, cb_findings_runs(o.highest->rows[COOP_PORTABLE]));
    else if (o.mean.low <= 1 && o.mean.high >= 1)
        cb_finding_add(f, "cooperation",
                       "That an app can give workgroups away costs nothing that these measurements "
                       "show: %s on average, at most %s (%s).",
                       mean, high, worst);
    else if (o.mean.low > 1)
        cb_finding_add(f, "cooperation",
                       "That an app can give workgroups away costs %s of its time on average, at "
                       "most %s (%s).",
                       mean, high, worst);
    else
        cb_finding_add(f, "cooperation",
                       "Apps that can give workgroups away are not slower here: %s on average, at "
                       "most %s (%s).",
                       mean, high, worst);
}

void cb_apps_findings(struct cb_findings *f)
{
    char command[CB_COMMAND_BYTES];
    struct cb_apps_pairs pairs = cb_apps_pairs_of(f->run, cb_json_text(f->device, "id", ""));
    find_speedup(f, &pairs);
    find_price(f, &pairs);
    cb_finding_add(f, "next", "`%s` tells what urgent tasks beside them cost.",
                   cb_findings_command(f, "multitask", command));
    cb_apps_pairs_free(&pairs);
}
