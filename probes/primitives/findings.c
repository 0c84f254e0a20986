/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/primitives/findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/figure.h"
#include "measure/estimate.h"
#include "measure/text/json.h"
#include "probes/primitives/best.h"
#include "runtime/host/text.h"

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
    struct cb_primitive_query q = {set, v->kind, v->variant, NULL,
                                   v->best[CB_CONTENTION_FULL].groups};
    const struct cb_primitive_case **found = calloc((size_t)set->n + 1, sizeof *found);
    int all = 0;
    *n = 0;
    for (const struct cb_primitive_case *c = cb_primitive_next(&q, NULL); c && found;
         c = cb_primitive_next(&q, c))
        if (throughput_of(c) > 0)
            found[all++] = c;
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
        if (c == best || cb_primitive_only_compared(c->name))
            continue;
        ++*others;
        if (!cb_estimate_below(cb_estimate_of(c->item, "throughput"),
                               cb_estimate_of(best->item, "throughput")) &&
            (!rival || throughput_of(c) > throughput_of(rival)))
            rival = c;
    }
    return rival;
}

/* "barrier", "mutex with sections of 5", "semaphore of 2" */
static void print_subject(FILE *out, const struct cb_verdict *v)
{
    fputs(v->kind, out);
    if (strcmp(v->kind, "mutex") == 0 && v->variant != 0)
        fprintf(out, " with sections of %.0f", v->variant);
    else if (strcmp(v->kind, "semaphore") == 0)
        fprintf(out, " of %.0f", v->variant);
}

static void print_case(FILE *out, const struct cb_primitive_case *c)
{
    char time[CB_ESTIMATE_BYTES];
    cb_estimate_time(time, cb_estimate_of(c->item, "op_time"));
    fprintf(out, "`%.40s` (%s", c->name, time);
}

/* What was found of kinds, to be joined into a sentence each. */
struct sentences {
    struct cb_findings *findings;
    const struct cb_primitive_cases *set;
    FILE *fastest, *ties;
    int n_fastest, n_ties, runs;
    double groups;
};

/* "barrier `counter` (500 ns [455 ns, 556 ns], fastest of 2)", or "barrier `xf` (1.00 µs) or
 * `counter` (500 ns)". */
static void add_best(struct sentences *s, const struct cb_verdict *v,
                     const struct cb_primitive_case *best, const struct cb_primitive_case *rival,
                     int others)
{
    FILE *out = rival ? s->ties : s->fastest;
    int *n = rival ? &s->n_ties : &s->n_fastest;
    fputs((*n)++ ? ", the " : "the ", out);
    print_subject(out, v);
    fputc(' ', out);
    print_case(out, best);
    if (rival) {
        fputs(") or ", out);
        print_case(out, rival);
        fputc(')', out);
        s->runs = s->runs > cb_findings_runs(best->item) ? s->runs : cb_findings_runs(best->item);
    } else if (others == 0) {
        fputs(", the only one with a result)", out);
    } else {
        fprintf(out, ", fastest of %d)", others + 1);
    }
    s->groups = best->count;
}

static void add_kind(struct sentences *s, const struct cb_verdict *v)
{
    int n, others;
    const struct cb_primitive_case **fastest = fastest_of(s->set, v, &n), *best = NULL;
    for (int i = 0; i < n && !best; i++)
        if (strcmp(fastest[i]->name, v->best[CB_CONTENTION_FULL].names[0]) == 0)
            best = fastest[i];
    if (best) {
        const struct cb_primitive_case *rival = rival_of(fastest, n, best, &others);
        add_best(s, v, best, rival, others);
    }
    free(fastest);
}

/* Adds the first variant of each kind: an empty section, the least initial value. */
static void add_kinds(struct sentences *s, const struct cb_verdict *verdicts, int n)
{
    const char *kind = "";
    for (int i = 0; i < n; i++) {
        if (strcmp(kind, verdicts[i].kind) != 0 && verdicts[i].best[CB_CONTENTION_FULL].n > 0) {
            add_kind(s, &verdicts[i]);
            kind = verdicts[i].kind;
        }
    }
}

static void find_all(struct cb_findings *f, const struct cb_primitive_cases *set,
                     const struct cb_verdict *verdicts, int n)
{
    char *fastest = NULL, *ties = NULL;
    size_t size[2];
    struct sentences s = {
        f, set, open_memstream(&fastest, &size[0]), open_memstream(&ties, &size[1]), 0, 0, 0, 0};
    if (s.fastest && s.ties)
        add_kinds(&s, verdicts, n);
    if (s.fastest)
        fclose(s.fastest);
    if (s.ties)
        fclose(s.ties);
    const char *plural = CB_PLURAL(s.groups);
    if (s.n_fastest > 0)
        cb_finding_add(f, "fastest", "With %.0f workgroup%s, use %s.", s.groups, plural, fastest);
    if (s.n_ties > 0)
        cb_finding_add(f, "tie",
                       "With %.0f workgroup%s, these measurements do not tell which is faster, %s: "
                       "use either, or measure more: --runs %d.",
                       s.groups, plural, ties, s.runs);
    free(fastest);
    free(ties);
}

static bool was_tuned(const struct cb_findings *f)
{
    struct cb_rows rows = cb_figure_rows(&(struct cb_run_device){f->run, f->device}, "primitives");
    cb_rows_flag(&rows, "tune");
    return cb_rows_next(&rows, NULL);
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
