/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/multitask/in_time.h"

#include "probes/multitask/names.h"
#include "probes/multitask/over_pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/column.h"
#include "apps/host/workload.h"
#include "measure/estimate.h"
#include "measure/text/json.h"
#include "measure/text/units.h"
#include "runtime/host/text.h"

struct question {
    struct cb_findings *findings;
    const char *place, *lead;
    struct cb_rows rows; /* rows of cases with tasks */
};

/* What a workload comes to, over all pairs of an app and an input. */
struct answer {
    const cJSON *first; /* row */
    int pairs, in_time;
    const cJSON *costliest;     /* the best case in time with most overhead */
    const cJSON *fewest, *most; /* best cases with the fewest and the most workgroups of the task */
    /* The case nearest to being in time, of pairs without one in time. */
    const cJSON *nearest;
    double share; /* share of deadlines that all best cases in time met at least */
};

#define OVERHEAD_BYTES (2 * CB_ESTIMATE_BYTES + 48)

#define MOST_WORKLOADS 16 /* most workloads that one sentence is about */

/* Those of a sentence about several. */
struct workloads {
    int n;
    struct answer answers[MOST_WORKLOADS];
};

static double overhead_of(const cJSON *item)
{
    return cb_json_metric(item, "overhead", "median");
}

static double share_of(const cJSON *item)
{
    return cb_json_metric(item, "deadlines_met", "mean");
}

static double groups_of(const cJSON *item)
{
    return cb_json_metric(item, "task_groups", "median");
}

static bool is_in_time(const cJSON *item)
{
    return share_of(item) >= CB_DEADLINE_MET;
}

/* Orders cases: in time, by fewer workgroups, then less overhead; others by more deadlines met. */
static bool is_better(const cJSON *a, const cJSON *b)
{
    if (!is_in_time(a) || !is_in_time(b))
        return share_of(a) > share_of(b);
    return groups_of(a) < groups_of(b) ||
           (groups_of(a) == groups_of(b) && overhead_of(a) < overhead_of(b));
}

/* The best of a pair's rows. */
static const cJSON *best_of(struct cb_rows rows, const cJSON *pair)
{
    const cJSON *best = NULL;
    cb_rows_like(&rows, pair, "app");
    cb_rows_like(&rows, pair, "input");
    cb_rows_like(&rows, pair, "beside");
    for (const cJSON *row = cb_rows_next(&rows, NULL); row; row = cb_rows_next(&rows, row))
        if (!best || is_better(row, best))
            best = row;
    return best;
}

static void add_best(struct answer *a, const cJSON *best)
{
    a->pairs++;
    if (!is_in_time(best)) {
        if (!a->nearest || share_of(best) > share_of(a->nearest))
            a->nearest = best;
        return;
    }
    a->in_time++;
    a->share = fmin(a->share, share_of(best));
    if (!a->costliest || overhead_of(best) > overhead_of(a->costliest))
        a->costliest = best;
    if (!a->fewest || groups_of(best) < groups_of(a->fewest))
        a->fewest = best;
    if (!a->most || groups_of(best) > groups_of(a->most))
        a->most = best;
}

/* The answer for the workload of a row. */
static struct answer answer_of(struct cb_rows rows, const cJSON *first)
{
    static const char *const pair[] = {"app", "input", "beside", NULL};
    struct answer a = {.first = first, .share = 1};
    const cJSON **pairs;
    cb_rows_like(&rows, first, "workload");
    cb_rows_like(&rows, first, "task");
    int n = cb_rows_distinct(&rows, pair, &pairs);
    for (int i = 0; i < n; i++)
        add_best(&a, best_of(rows, pairs[i]));
    free(pairs);
    return a;
}

/* ---- Parts of sentences ---------------------------------------------------------------------- */

/* "3 % [1, 5]"; if the interval contains 0, the most that it may be. */
static void format_overhead(const cJSON *item, char text[OVERHEAD_BYTES])
{
    struct cb_estimate e = cb_estimate_of(item, "overhead");
    char percent[CB_ESTIMATE_BYTES], price[CB_ESTIMATE_BYTES], most[CB_ESTIMATE_BYTES];
    cb_estimate_percent(percent, e);
    cb_estimate_price(price, e);
    cb_estimate_percent(most, (struct cb_estimate){e.high, NAN, NAN});
    if (isnan(e.median))
        strcpy(text, "an unknown price");
    else if (!cb_estimate_has_interval(e))
        snprintf(text, OVERHEAD_BYTES, "%s (too few measurements for an interval)", price);
    else if (e.low > 1)
        snprintf(text, OVERHEAD_BYTES, "%s", price);
    else if (e.high > 1)
        snprintf(text, OVERHEAD_BYTES, "at most %s (%s)", most, percent);
    else
        snprintf(text, OVERHEAD_BYTES, "%s", price);
}

/* "N/4 = 32 workgroups", "1 workgroup" where the number says it all. */
static void format_groups(const cJSON *item, char text[CB_CELL_BYTES])
{
    const char *groups = cb_row_text(item, "groups"), *s = CB_PLURAL(groups_of(item));
    bool named = groups[0] == 'N' || strchr(groups, '/') != NULL;
    if (named)
        snprintf(text, CB_CELL_BYTES, "%.30s = %.0f workgroup%s", groups, groups_of(item), s);
    else
        snprintf(text, CB_CELL_BYTES, "%.0f workgroup%s", groups_of(item), s);
}

/* Formats the range of all best cases. */
static void format_range(const struct answer *a, char text[CB_CELL_BYTES])
{
    if (groups_of(a->fewest) < groups_of(a->most))
        snprintf(text, CB_CELL_BYTES, "%.0f to %.0f workgroups, by the app", groups_of(a->fewest),
                 groups_of(a->most));
    else
        format_groups(a->costliest, text);
}

static void format_met(double share, char text[64])
{
    if (share >= 1)
        strcpy(text, "every deadline");
    else
        snprintf(text, 64, "at least %d %% of the deadlines", cb_whole_percent(share));
}

static void format_late(const cJSON *item, char text[192])
{
    char groups[CB_CELL_BYTES];
    format_groups(item, groups);
    snprintf(text, 192, "at best %d %% in time, beside %.40s %.40s with %.60s",
             cb_whole_percent(share_of(item)), cb_row_text(item, "app"), cb_row_text(item, "input"),
             groups);
}

/* Only a cooperative program chooses the workgroups of its tasks, of which one task has at most all
 * but one of the kernel's. */
static const char *advice(const struct question *q, const cJSON *nearest, bool several)
{
    if (q->place)
        return "";
    if (groups_of(nearest) >= cb_json_metric(nearest, "workers", "median") - 1)
        return several ? " More workgroups there are not: give them a longer period."
                       : " More workgroups there are not: give it a longer period.";
    return several ? " Give them more workgroups or a longer period."
                   : " Give it more workgroups or a longer period.";
}

/* ---- One workload ---------------------------------------------------------------------------- */

/* "`heavy` (10.0 ms of all workgroups every 40.0 ms)", or, of a user's, "`blur` (every 40.0 ms)" */
#define FORMAT_TASK 288
static void format_task(const struct answer *a, char text[FORMAT_TASK])
{
    char duration[32], name[CB_MULTITASK_NAME], every[CB_MULTITASK_EVERY];
    double duration_ns = cb_row_number(a->first, "duration_ns");
    cb_format_time(duration, sizeof duration, duration_ns);
    cb_multitask_every(a->first, every);
    snprintf(text, FORMAT_TASK, "`%s` (%s%s%s)", cb_multitask_name(a->first, name),
             duration_ns > 0 ? duration : "", duration_ns > 0 ? " of all workgroups " : "", every);
}

static void find_late(const struct question *q, const struct answer *a)
{
    char task[FORMAT_TASK], late[192];
    format_task(a, task);
    format_late(a->nearest, late);
    cb_finding_add(q->findings, "late", "%s%s is late: %s.%s", q->lead, task, late,
                   advice(q, a->nearest, false));
}

static void find_in_time(const struct question *q, const struct answer *a)
{
    char task[FORMAT_TASK], groups[CB_CELL_BYTES], met[64], overhead[OVERHEAD_BYTES],
        late[192] = "", beside[64] = "";
    const char *app = cb_row_text(a->costliest, "app"), *input = cb_row_text(a->costliest, "input");
    format_task(a, task);
    format_range(a, groups);
    format_met(a->share, met);
    format_overhead(a->costliest, overhead);
    if (a->in_time < a->pairs) {
        format_late(a->nearest, late);
        snprintf(beside, sizeof beside, " beside %d of %d inputs", a->in_time, a->pairs);
    } else if (a->pairs > 1) {
        snprintf(beside, sizeof beside, " beside all %d inputs", a->pairs);
    }
    cb_finding_add(q->findings, *late ? "late" : "in_time",
                   "%s%s the task %s %s: it met %s%s, and %s %s pays%s %s.%s%s%s", q->lead,
                   *q->lead ? "give" : "Give", task, groups, met, beside, app, input,
                   a->in_time > 1 ? " most:" : "", overhead,
                   *late ? " It is late beside the others: " : "", late, *late ? "." : "");
}

/* ---- Several workloads ----------------------------------------------------------------------- */

static bool is_met(const struct answer *a)
{
    return a->in_time == a->pairs;
}

/* "`light`, `medium` and `heavy`": those that are in time, or the others; how many. */
static int list_names(const struct workloads *w, bool met, FILE *out)
{
    char name[CB_MULTITASK_NAME];
    int n = 0, all = 0;
    for (int i = 0; i < w->n; i++)
        all += is_met(&w->answers[i]) == met;
    for (int i = 0; i < w->n; i++)
        if (is_met(&w->answers[i]) == met) {
            fprintf(out, "%s`%s`",
                    n == 0         ? ""
                    : n + 1 == all ? " and "
                                   : ", ",
                    cb_multitask_name(w->answers[i].first, name));
            n++;
        }
    return n;
}

static bool all_have_the_same(const struct workloads *w)
{
    char first[CB_CELL_BYTES] = "", groups[CB_CELL_BYTES];
    for (int i = 0; i < w->n; i++) {
        if (!is_met(&w->answers[i]))
            continue;
        format_range(&w->answers[i], groups);
        if (*first && strcmp(first, groups) != 0)
            return false;
        strcpy(first, groups);
    }
    return true;
}

/* "`light` 1 workgroup, `heavy` N/4 = 32 workgroups", "`light` and `heavy` 1 workgroup" */
static void list_groups(const struct workloads *w, FILE *out)
{
    bool same = all_have_the_same(w), first = true;
    if (same)
        list_names(w, true, out);
    for (int i = 0; i < w->n; i++) {
        char groups[CB_CELL_BYTES], name[CB_MULTITASK_NAME];
        if (!is_met(&w->answers[i]) || (same && !first))
            continue;
        format_range(&w->answers[i], groups);
        if (same)
            fprintf(out, " %s", groups);
        else
            fprintf(out, "%s`%s` %s", first ? "" : ", ",
                    cb_multitask_name(w->answers[i].first, name), groups);
        first = false;
    }
}

/* The workload in time with most overhead, or the one nearest to being in time. NULL: none. */
static const struct answer *extreme(const struct workloads *w, bool met)
{
    const struct answer *best = NULL;
    for (int i = 0; i < w->n; i++) {
        const struct answer *a = &w->answers[i];
        if (is_met(a) == met &&
            (!best || (met ? overhead_of(a->costliest) > overhead_of(best->costliest)
                           : share_of(a->nearest) > share_of(best->nearest))))
            best = a;
    }
    return best;
}

static void say_in_time(const struct question *q, const struct workloads *w, FILE *out)
{
    char met[64], overhead[OVERHEAD_BYTES], name[CB_MULTITASK_NAME];
    const cJSON *costliest = extreme(w, true)->costliest;
    double share = 1;
    for (int i = 0; i < w->n; i++)
        share = is_met(&w->answers[i]) ? fmin(share, w->answers[i].share) : share;
    format_met(share, met);
    format_overhead(costliest, overhead);
    fprintf(out, "%s%s tasks of ", q->lead, *q->lead ? "give" : "Give");
    list_groups(w, out);
    fprintf(out, ": they met %s, and %s %s pays most beside `%s`: %s.", met,
            cb_row_text(costliest, "app"), cb_row_text(costliest, "input"),
            cb_multitask_name(costliest, name), overhead);
}

static void say_late(const struct question *q, const struct workloads *w, FILE *out)
{
    char late[192];
    int n = list_names(w, false, out);
    const cJSON *nearest = extreme(w, false)->nearest;
    format_late(nearest, late);
    fprintf(out, " %s late: %s.%s", n == 1 ? "is" : "are", late, advice(q, nearest, n > 1));
}

static void find_several(const struct question *q, const struct workloads *w)
{
    const struct answer *met = extreme(w, true), *late = extreme(w, false);
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    if (met)
        say_in_time(q, w, out);
    if (late) {
        fputs(met ? " " : q->lead, out);
        say_late(q, w, out);
    }
    fclose(out);
    cb_finding_add(q->findings, late ? "late" : "in_time", "%s", text);
    free(text);
}

/* ---- All of them ----------------------------------------------------------------------------- */

void cb_in_time_find(struct cb_findings *findings, const char *place, const char *lead)
{
    static const char *const workload[] = {"workload", "task", NULL};
    struct question q = {findings, place, lead, cb_findings_rows(findings)};
    struct workloads w = {0};
    const cJSON **firsts;
    q.rows.metric = "deadlines_met";
    cb_rows_have(&q.rows, "workload");
    cb_multitask_one_system(&q.rows);
    if (place)
        cb_rows_is(&q.rows, "place", place);
    int n = cb_rows_distinct(&q.rows, workload, &firsts);
    while (w.n < n && w.n < MOST_WORKLOADS) {
        w.answers[w.n] = answer_of(q.rows, firsts[w.n]);
        w.n++;
    }
    free(firsts);
    if (w.n > 1)
        find_several(&q, &w);
    else if (w.n == 1 && w.answers[0].in_time == 0)
        find_late(&q, &w.answers[0]);
    else if (w.n == 1)
        find_in_time(&q, &w.answers[0]);
}
