/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/primitives/findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/estimate.h"
#include "measure/json.h"
#include "probes/primitives/best.h"

static double throughput_of(const struct cb_primitive_case *c)
{
    return cb_primitive_stat(c, "throughput", "median");
}

/* By name, the fastest of a name first. */
static int compare_cases(const void *a, const void *b)
{
    const struct cb_primitive_case *x = *(const struct cb_primitive_case *const *)a,
                                   *y = *(const struct cb_primitive_case *const *)b;
    int names = strcmp(x->name, y->name);
    double first = throughput_of(x), second = throughput_of(y);
    return names ? names : (first < second) - (first > second);
}

/* The fastest case of each name where the verdict compared them, n of them, to be freed. */
static const struct cb_primitive_case **fastest_of(const struct cb_primitive_cases *set,
                                                   const struct cb_verdict *v, int *n)
{
    const struct cb_primitive_case **found = calloc((size_t)set->n + 1, sizeof *found);
    int all = 0;
    *n = 0;
    for (int i = 0; i < set->n && found; i++) {
        const struct cb_primitive_case *c = &set->cases[i];
        if (cb_primitive_is(c, v->kind, v->variant) &&
            strcmp(c->groups, v->best[CB_CONTENTION_FULL].groups) == 0 && throughput_of(c) > 0)
            found[all++] = c;
    }
    if (all > 1)
        qsort(found, (size_t)all, sizeof *found, compare_cases);
    for (int i = 0; i < all; i++)
        if (*n == 0 || strcmp(found[*n - 1]->name, found[i]->name) != 0)
            found[(*n)++] = found[i];
    return found;
}

/* Another of n that is not surely slower, the fastest of them; others: how many there are in all.
 */
static const struct cb_primitive_case *rival_of(const struct cb_primitive_case *const *fastest,
                                                int n, const struct cb_primitive_case *best,
                                                int *others)
{
    const struct cb_primitive_case *rival = NULL;
    *others = 0;
    for (int i = 0; i < n; i++) {
        const struct cb_primitive_case *c = fastest[i];
        if (c == best || strcmp(c->name, CB_NATIVE) == 0)
            continue;
        ++*others;
        if (!cb_estimate_below(cb_estimate_of(c->item, "throughput"),
                               cb_estimate_of(best->item, "throughput")) &&
            (!rival || throughput_of(c) > throughput_of(rival)))
            rival = c;
    }
    return rival;
}

static void format_subject(const struct cb_verdict *v, char text[64])
{
    if (strcmp(v->kind, "barrier") == 0)
        strcpy(text, "Barrier");
    else if (strcmp(v->kind, "mutex") == 0 && v->variant == 0)
        strcpy(text, "Mutex");
    else if (strcmp(v->kind, "mutex") == 0)
        snprintf(text, 64, "Mutex (section of %.0f)", v->variant);
    else
        snprintf(text, 64, "Semaphore of %.0f", v->variant);
}

static void tell_best(struct cb_findings *f, const struct cb_verdict *v,
                      const struct cb_primitive_case *best, const struct cb_primitive_case *rival,
                      int others)
{
    char subject[64], time[CB_ESTIMATE_BYTES], other_time[CB_ESTIMATE_BYTES];
    format_subject(v, subject);
    cb_estimate_time(time, cb_estimate_of(best->item, "op_time"));
    if (rival) {
        cb_estimate_time(other_time, cb_estimate_of(rival->item, "op_time"));
        cb_finding_add(f, v->kind,
                       "%s: with %.0f workgroups, these measurements do not tell `%s` (%s) from "
                       "`%s` (%s): use either, or measure more: --runs %d.",
                       subject, best->count, best->name, time, rival->name, other_time,
                       cb_findings_runs(best->item));
    } else if (others == 0) {
        cb_finding_add(f, v->kind, "%s: `%s` takes %s with %.0f workgroups; no other ran there.",
                       subject, best->name, time, best->count);
    } else {
        cb_finding_add(f, v->kind,
                       "%s: use `%s`: with %.0f workgroups it takes %s, the fastest of %d.",
                       subject, best->name, best->count, time, others + 1);
    }
}

static void find_best(struct cb_findings *f, const struct cb_primitive_cases *set,
                      const struct cb_verdict *v)
{
    int n, others;
    const struct cb_primitive_case **fastest = fastest_of(set, v, &n), *best = NULL;
    for (int i = 0; i < n && !best; i++)
        if (strcmp(fastest[i]->name, v->best[CB_CONTENTION_FULL].names[0]) == 0)
            best = fastest[i];
    if (best) {
        const struct cb_primitive_case *rival = rival_of(fastest, n, best, &others);
        tell_best(f, v, best, rival, others);
    }
    free(fastest);
}

/* Of each kind, the first variant: an empty section, the least initial value. */
static void find_all(struct cb_findings *f, const struct cb_primitive_cases *set,
                     const struct cb_verdict *verdicts, int n)
{
    const char *kind = "";
    for (int i = 0; i < n; i++) {
        if (strcmp(kind, verdicts[i].kind) != 0 && verdicts[i].best[CB_CONTENTION_FULL].n > 0) {
            find_best(f, set, &verdicts[i]);
            kind = verdicts[i].kind;
        }
    }
}

static bool was_tuned(const struct cb_findings *f)
{
    for (const cJSON *item = cb_findings_next(f, NULL); item; item = cb_findings_next(f, item))
        if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(cb_json_params(item), "tune")))
            return true;
    return false;
}

void cb_primitives_findings(struct cb_findings *f)
{
    const char *device = cb_json_text(f->device, "id", "");
    char command[CB_COMMAND_BYTES];
    int n;
    struct cb_primitive_cases set = cb_primitive_cases_of(f->run, device);
    struct cb_verdict *verdicts = cb_verdicts_of(f->run, device, &n);
    find_all(f, &set, verdicts, n);
    if (was_tuned(f))
        cb_finding_add(f, "next", "`%s` tells what such a barrier is worth to applications.",
                       cb_findings_command(f, "apps", command));
    else
        cb_finding_add(f, "next",
                       "`%s` also tries pauses, and keeps the best for this device: coopbench's "
                       "own kernels use them from then on.",
                       cb_findings_command(f, "primitives --tune", command));
    free(verdicts);
    cb_primitive_cases_free(&set);
}
