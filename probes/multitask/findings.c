/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/multitask/findings.h"
#include "probes/multitask/over_pairs.h"

#include <math.h>
#include <stdlib.h>

#include "measure/estimate.h"
#include "measure/text/json.h"

#include "probes/multitask/in_time.h"
#include "probes/multitask/together/together.h"

#define MOST_BARRIERS 8

/* A resizing barrier, over all cases that are there with every barrier. */
struct barrier {
    const char *name;
    int n;
    struct cb_estimate overhead; /* geometric mean; of its limits, too */
};

/* The row with a barrier that agrees with another in all else. */
static const cJSON *row_with(struct cb_rows rows, const cJSON *like, const char *barrier)
{
    cb_rows_like(&rows, like, "app");
    cb_rows_like(&rows, like, "input");
    cb_rows_like(&rows, like, "workload");
    cb_rows_like(&rows, like, "task");
    cb_rows_like(&rows, like, "groups");
    cb_rows_like(&rows, like, "beside");
    cb_rows_is(&rows, "barrier", barrier);
    return cb_rows_next(&rows, NULL);
}

static void add_to_all(const struct cb_rows *rows, struct barrier *list, int n, const cJSON *like)
{
    const cJSON *with[MOST_BARRIERS];
    for (int i = 0; i < n; i++)
        if (!(with[i] = row_with(*rows, like, list[i].name)))
            return;
    for (int i = 0; i < n; i++) {
        struct cb_estimate e = cb_estimate_of(with[i], "overhead");
        list[i].overhead.median += log(e.median);
        list[i].overhead.low += log(e.low);
        list[i].overhead.high += log(e.high);
        list[i].n++;
    }
}

/* The barriers, over the cases with tasks. Returns how many. */
static int list_barriers(const struct cb_findings *f, struct barrier list[MOST_BARRIERS])
{
    static const char *const barrier[] = {"barrier", NULL};
    struct cb_rows rows = cb_findings_rows(f);
    const cJSON **firsts;
    rows.metric = "overhead";
    cb_rows_have(&rows, "workload");
    cb_multitask_one_system(&rows);
    int n = cb_rows_distinct(&rows, barrier, &firsts);
    n = n < MOST_BARRIERS ? n : MOST_BARRIERS;
    for (int i = 0; i < n; i++)
        list[i] = (struct barrier){.name = cb_row_text(firsts[i], "barrier")};
    free(firsts);
    struct cb_rows with_first = rows;
    if (n > 1)
        cb_rows_is(&with_first, "barrier", list[0].name);
    for (const cJSON *row = NULL; n > 1 && (row = cb_rows_next(&with_first, row));)
        add_to_all(&rows, list, n, row);
    return n;
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
    for (int i = 0; i < n; i++) {
        bool better = !best || mean_of(&list[i]).median < mean_of(best).median;
        if (better || !second || mean_of(&list[i]).median < mean_of(second).median)
            second = better ? best : &list[i];
        best = better ? &list[i] : best;
    }
    if (!second || best->n == 0)
        return;
    cb_estimate_price(low, mean_of(best));
    cb_estimate_price(high, mean_of(second));
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
    cb_together_find(f);
    cb_finding_add(f, "next", "`%s` tells what the driver's own time slicing makes of such tasks.",
                   cb_findings_command(f, "preempt", command));
}
