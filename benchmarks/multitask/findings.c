/* SPDX-License-Identifier: Apache-2.0 */
#include "benchmarks/multitask/findings.h"

#include <math.h>
#include <string.h>

#include "measure/estimate.h"
#include "measure/text/json.h"

#include "benchmarks/multitask/in_time.h"

#define MOST_BARRIERS 8

/* A resizing barrier, over all cases that are there with every barrier. */
struct barrier {
    const char *name;
    int n;
    struct cb_estimate overhead; /* geometric mean; of its limits, too */
};

static const char *text_of(const cJSON *item, const char *key)
{
    return cb_json_text(cb_json_params(item), key, "");
}

static bool has_task(const cJSON *item)
{
    return *text_of(item, "workload") && !isnan(cb_json_metric(item, "overhead", "median"));
}

/* Whether they differ at most in the barrier. */
static bool same_but_barrier(const cJSON *a, const cJSON *b)
{
    static const char *const keys[] = {"app", "input", "workload", "groups"};
    for (size_t i = 0; i < CB_COUNTOF(keys); i++)
        if (strcmp(text_of(a, keys[i]), text_of(b, keys[i])) != 0)
            return false;
    return true;
}

static const cJSON *case_with(const struct cb_findings *f, const cJSON *like, const char *barrier)
{
    for (const cJSON *item = cb_findings_next(f, NULL); item; item = cb_findings_next(f, item))
        if (has_task(item) && same_but_barrier(item, like) &&
            strcmp(text_of(item, "barrier"), barrier) == 0)
            return item;
    return NULL;
}

static int list_barriers(const struct cb_findings *f, struct barrier list[MOST_BARRIERS])
{
    int n = 0;
    for (const cJSON *item = cb_findings_next(f, NULL); item; item = cb_findings_next(f, item)) {
        int i = 0;
        while (i < n && strcmp(list[i].name, text_of(item, "barrier")) != 0)
            i++;
        if (i == n && n < MOST_BARRIERS && has_task(item))
            list[n++] = (struct barrier){.name = text_of(item, "barrier")};
    }
    return n;
}

static void add_to_all(const struct cb_findings *f, struct barrier *list, int n, const cJSON *like)
{
    for (int i = 0; i < n; i++)
        if (!case_with(f, like, list[i].name))
            return;
    for (int i = 0; i < n; i++) {
        struct cb_estimate e = cb_estimate_of(case_with(f, like, list[i].name), "overhead");
        list[i].overhead.median += log(e.median);
        list[i].overhead.low += log(e.low);
        list[i].overhead.high += log(e.high);
        list[i].n++;
    }
}

static struct cb_estimate mean_of(const struct barrier *b)
{
    return (struct cb_estimate){exp(b->overhead.median / b->n), exp(b->overhead.low / b->n),
                                exp(b->overhead.high / b->n)};
}

/* The cheapest, and the next to it. */
static void find_barrier(struct cb_findings *f)
{
    struct barrier list[MOST_BARRIERS];
    const struct barrier *best = NULL, *second = NULL;
    char low[CB_ESTIMATE_BYTES], high[CB_ESTIMATE_BYTES];
    int n = list_barriers(f, list);
    for (const cJSON *item = cb_findings_next(f, NULL); n > 1 && item;
         item = cb_findings_next(f, item))
        if (has_task(item) && strcmp(text_of(item, "barrier"), list[0].name) == 0)
            add_to_all(f, list, n, item);
    for (int i = 0; i < n; i++) {
        bool better = !best || mean_of(&list[i]).median < mean_of(best).median;
        if (better || !second || mean_of(&list[i]).median < mean_of(second).median)
            second = better ? best : &list[i];
        best = better ? &list[i] : best;
    }
    if (!second || best->n == 0)
        return;
    cb_estimate_percent(low, mean_of(best));
    cb_estimate_percent(high, mean_of(second));
    if (cb_estimate_below(mean_of(best), mean_of(second)))
        cb_finding_add(f, "barrier",
                       "Use the resizing barrier `%.30s`: apps pay %s on average, with `%.30s` %s.",
                       best->name, low, second->name, high);
    else
        cb_finding_add(f, "barrier",
                       "Which resizing barrier is cheapest, these measurements do not tell: with "
                       "`%.30s` apps pay %s on average, with `%.30s` %s.",
                       best->name, low, second->name, high);
}

void cb_multitask_findings(struct cb_findings *f)
{
    char command[CB_COMMAND_BYTES];
    cb_in_time_find(f, NULL, "");
    find_barrier(f);
    cb_finding_add(f, "next", "`%s` tells what the driver's own time slicing makes of such tasks.",
                   cb_findings_command(f, "preempt", command));
}
