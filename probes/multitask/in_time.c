/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/multitask/in_time.h"

#include <math.h>
#include <string.h>

#include "measure/column.h"
#include "measure/estimate.h"
#include "measure/json.h"
#include "measure/units.h"

struct question {
    struct cb_findings *findings;
    const char *place, *lead, *workload;
};

/* What a workload comes to, over all pairs of an app and an input. */
struct answer {
    int pairs, in_time;
    const cJSON *dearest; /* of the best cases, the one whose app pays most */
    const cJSON *latest;  /* of pairs without a case in time, the one that comes nearest */
    bool same_groups;     /* all best cases have the same */
};

static const char *text_of(const cJSON *item, const char *key)
{
    return cb_json_text(cb_json_params(item), key, "");
}

static double overhead_of(const cJSON *item)
{
    return cb_json_metric(item, "overhead", "median");
}

static double share_of(const cJSON *item)
{
    return cb_json_metric(item, "deadlines_met", "mean");
}

static const cJSON *next_case(const struct question *q, const cJSON *item)
{
    while ((item = cb_findings_next(q->findings, item)) != NULL)
        if ((!q->place || strcmp(text_of(item, "place"), q->place) == 0) &&
            *text_of(item, "workload") && !isnan(share_of(item)) &&
            (!q->workload || strcmp(text_of(item, "workload"), q->workload) == 0))
            break;
    return item;
}

static bool same_pair(const cJSON *a, const cJSON *b)
{
    return strcmp(text_of(a, "app"), text_of(b, "app")) == 0 &&
           strcmp(text_of(a, "input"), text_of(b, "input")) == 0;
}

/* The case of the pair with the fewest workgroups that is in time, of several the one whose app
 * pays least; without any, the one that comes nearest. */
static const cJSON *best_of(const struct question *q, const cJSON *pair)
{
    const cJSON *best = NULL;
    for (const cJSON *item = next_case(q, NULL); item; item = next_case(q, item)) {
        double share = share_of(item), groups = cb_json_metric(item, "task_groups", "median");
        double least = cb_json_metric(best, "task_groups", "median");
        if (!same_pair(pair, item))
            continue;
        if (!best || share > share_of(best) ||
            (share == share_of(best) &&
             (groups < least || (groups == least && overhead_of(item) < overhead_of(best)))))
            best = item;
    }
    return best;
}

static bool is_first(const struct question *q, const cJSON *item)
{
    const cJSON *before = next_case(q, NULL);
    while (before != item && !same_pair(before, item))
        before = next_case(q, before);
    return before == item;
}

static struct answer answer_of(const struct question *q)
{
    struct answer a = {.same_groups = true};
    for (const cJSON *item = next_case(q, NULL); item; item = next_case(q, item)) {
        if (!is_first(q, item))
            continue;
        const cJSON *best = best_of(q, item);
        bool met = share_of(best) >= 1;
        a.pairs++;
        a.in_time += met;
        if (met && a.dearest && strcmp(text_of(a.dearest, "groups"), text_of(best, "groups")) != 0)
            a.same_groups = false;
        if (met && (!a.dearest || overhead_of(best) > overhead_of(a.dearest)))
            a.dearest = best;
        if (!met && (!a.latest || share_of(best) > share_of(a.latest)))
            a.latest = best;
    }
    return a;
}

/* "3 % [1, 5]" */
static void format_price(const cJSON *item, char text[160])
{
    struct cb_estimate e = cb_estimate_of(item, "overhead");
    char percent[CB_ESTIMATE_BYTES];
    cb_estimate_percent(percent, e);
    if (isnan(e.median))
        strcpy(text, "an unknown price");
    else if (!cb_estimate_has_interval(e))
        snprintf(text, 160, "%s (too few measurements for an interval)", percent);
    else if (e.low > 1)
        snprintf(text, 160, "%s", percent);
    else
        snprintf(text, 160, "nothing that these measurements show (%s)", percent);
}

static void format_late(const cJSON *item, char text[192])
{
    char groups[CB_CELL_BYTES];
    cb_groups_cell(groups, item);
    snprintf(text, 192, "%.40s %.40s, %.0f %% in time with %.60s workgroups", text_of(item, "app"),
             text_of(item, "input"), floor(100 * share_of(item)), groups);
}

static void find(const struct question *q, const cJSON *item)
{
    char duration[32], period[32], task[160], groups[CB_CELL_BYTES] = "", price[160] = "",
                                              late[192] = "";
    struct answer a = answer_of(q);
    const char *app = text_of(a.dearest, "app"), *input = text_of(a.dearest, "input");
    cb_format_time(duration, sizeof duration, cb_json_number(cb_json_params(item), "duration_ns"));
    cb_format_time(period, sizeof period, cb_json_number(cb_json_params(item), "period_ns"));
    snprintf(task, sizeof task, "%s`%.30s` (%s of all workgroups every %s)", q->lead, q->workload,
             duration, period);
    if (a.dearest) {
        cb_groups_cell(groups, a.dearest);
        format_price(a.dearest, price);
    }
    if (a.latest)
        format_late(a.latest, late);
    if (a.in_time == 0)
        cb_finding_add(q->findings, "late",
                       "%s is never in time; nearest: beside %s. Give it more workgroups or a "
                       "longer period.",
                       task, late);
    else if (a.pairs == 1)
        cb_finding_add(q->findings, "in_time",
                       "%s: give the task %s workgroups: it met every deadline, and %s %s pays %s.",
                       task, groups, app, input, price);
    else if (a.in_time == a.pairs)
        cb_finding_add(
            q->findings, "in_time", "%s is in time beside all %d inputs%s%s; %s %s pays most: %s.",
            task, a.pairs, a.same_groups ? " with " : ", each with its own number of workgroups",
            a.same_groups ? text_of(a.dearest, "groups") : "", app, input, price);
    else
        cb_finding_add(q->findings, "late",
                       "%s is in time beside %d of %d inputs, of which %s %s pays most: %s. It is "
                       "late beside the others; nearest: %s.",
                       task, a.in_time, a.pairs, app, input, price, late);
}

void cb_in_time_find(struct cb_findings *findings, const char *place, const char *lead)
{
    struct question all = {findings, place, lead, NULL};
    for (const cJSON *item = next_case(&all, NULL); item; item = next_case(&all, item)) {
        struct question q = {findings, place, lead, text_of(item, "workload")};
        if (next_case(&q, NULL) == item)
            find(&q, item);
    }
}
