/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/apps/findings.h"

#include <math.h>

#include "measure/estimate.h"
#include "measure/text/json.h"
#include "probes/apps/bound.h"
#include "probes/apps/pairs.h"

#define LABEL_BYTES 96
#define PRICE_BYTES (2 * CB_ESTIMATE_BYTES + LABEL_BYTES + 32)

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
    if (o.n == 1 && o.more + o.less == 1)
        cb_finding_add(f, "speedup",
                       "With %s, one kernel with barriers is %s times as fast as a launch for each "
                       "step: %s.",
                       best, high, o.more ? "use it" : "keep to launches");
    else if (o.more == o.n)
        cb_finding_add(f, "speedup",
                       "One kernel with barriers is faster than a launch for each step with all %d "
                       "inputs (%s times with %s, %s with %s): use it.",
                       o.n, high, best, low, worst);
    else if (o.less == o.n)
        cb_finding_add(f, "speedup",
                       "One kernel with barriers is slower than a launch for each step with all %d "
                       "inputs (at best %s times as fast, with %s): keep to launches.",
                       o.n, high, best);
    else if (o.more + o.less == 0)
        cb_finding_add(f, "speedup",
                       "These measurements do not tell whether one kernel with barriers is faster "
                       "than a launch for each step: %s times with %s. More runs: --runs %d.",
                       high, best, cb_findings_runs(o.highest->rows[COOP_PORTABLE]));
    else if (o.more > 0 && o.less > 0)
        cb_finding_add(f, "speedup",
                       "One kernel with barriers is faster than a launch for each step with %d of "
                       "%d inputs (%s times with %s), slower with %d (%s with %s). Choose by the "
                       "input.",
                       o.more, o.n, high, best, o.less, low, worst);
    else
        cb_finding_add(f, "speedup",
                       "One kernel with barriers is %s than a launch for each step with %d of %d "
                       "inputs (%s times %swith %s). With the others these measurements do not "
                       "tell.",
                       o.more ? "faster" : "slower", o.more ? o.more : o.less, o.n,
                       o.more ? high : low, o.more ? "" : "as fast ", o.more ? best : worst);
}

/* "3 % [1, 5] of its time on average, at most 8 % [6, 10] (bfs [road])" */
static void format_price(char text[PRICE_BYTES], const struct outcome *o)
{
    const bool gains = o->mean.high < 1;
    char mean[CB_ESTIMATE_BYTES], high[CB_ESTIMATE_BYTES], worst[LABEL_BYTES];
    (gains ? cb_estimate_price : cb_estimate_percent)(mean, o->mean);
    (gains ? cb_estimate_price : cb_estimate_percent)(high, o->high);
    cb_apps_label(o->highest, worst, sizeof worst);
    if (o->n == 1)
        snprintf(text, PRICE_BYTES, "%s (%s)", mean, worst);
    else
        snprintf(text, PRICE_BYTES, "%s on average, at most %s (%s)", mean, high, worst);
}

static void find_price(struct cb_findings *f, const struct cb_apps_pairs *pairs)
{
    struct outcome o = outcome_of(pairs, CB_APPS_COOPERATION_PORTABLE);
    char price[PRICE_BYTES];
    if (o.n == 0)
        return;
    format_price(price, &o);
    if (!cb_estimate_has_interval(o.mean))
        cb_finding_add(f, "cooperation",
                       "So few runs do not tell what it costs an app to be able to give "
                       "workgroups away: %s. Measure more: --runs %d.",
                       price, cb_findings_runs(o.highest->rows[COOP_PORTABLE]));
    else if (o.mean.low > 1)
        cb_finding_add(f, "cooperation",
                       "To be able to give workgroups away costs an app time: %s.", price);
    else if (o.mean.high < 1)
        cb_finding_add(f, "cooperation", "To be able to give workgroups away costs an app %s.",
                       price);
    else
        cb_finding_add(f, "cooperation",
                       "These measurements do not tell whether it costs an app time to be able to "
                       "give workgroups away: %s.",
                       price);
}

void cb_apps_findings(struct cb_findings *f)
{
    char command[CB_COMMAND_BYTES];
    struct cb_apps_pairs pairs = cb_apps_pairs_of(f->run, cb_json_text(f->device, "id", ""));
    struct cb_apps_pairs system = cb_apps_main_system(&pairs);
    find_speedup(f, &system);
    find_price(f, &system);
    cb_apps_find_bounds(f);
    cb_finding_add(f, "next", "`%s` tells what urgent tasks beside them cost.",
                   cb_findings_command(f, "multitask", command));
    cb_apps_pairs_free(&pairs);
}
