/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/litmus/findings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/text/json.h"
#include "probes/litmus/outcomes.h"
#include "runtime/host/text.h"

/* The share of instances of a relaxed test that were weak, over all scopes; NaN: it has no row. */
static double relaxed_share(const struct cb_findings *f, const struct cb_litmus_test *test)
{
    struct cb_rows rows = cb_findings_rows(f);
    struct cb_litmus_tally all = {0, 0};
    cb_rows_is(&rows, "test", test->name);
    cb_rows_is(&rows, "ordering", cb_litmus_order_name(CB_LITMUS_RELAXED));
    for (const cJSON *row = cb_rows_next(&rows, NULL); row; row = cb_rows_next(&rows, row)) {
        struct cb_litmus_tally tally = cb_litmus_tally_of(row);
        all.instances += tally.instances;
        all.weak += tally.weak;
    }
    return all.instances > 0 ? all.weak / all.instances : NAN;
}

static void find_order(struct cb_findings *f)
{
    char seen[900] = "";
    size_t length = 0;
    bool any = false;
    for (const struct cb_litmus_test *t = cb_litmus_tests; t->name; t++) {
        double share = relaxed_share(f, t);
        any = any || !isnan(share);
        if (share > 0 && length < sizeof seen)
            length += (size_t)snprintf(seen + length, sizeof seen - length,
                                       "%s%s (%s: %.*f in a million)", length > 0 ? "; " : "",
                                       t->reorders, t->name, share < 1e-5 ? 2 : 0, share * 1e6);
    }
    if (length > 0)
        cb_finding_add(f, "order", "With relaxed accesses, the device does not keep in order: %s.",
                       seen);
    else if (any)
        cb_finding_add(f, "order", "No relaxed access was seen out of order.");
}

/* Instances of tests that forbid their outcome, and did not show it. */
static void find_promise(struct cb_findings *f)
{
    double kept = 0;
    for (const cJSON *row = cb_findings_next(f, NULL); row; row = cb_findings_next(f, row)) {
        struct cb_litmus_form form;
        if (cb_litmus_form_of(row, &form) && !form.allowed && !cb_litmus_lacks_turns(row))
            kept += cb_litmus_tally_of(row).instances;
    }
    if (cb_findings_have(f, CB_VERIFY_FAILED))
        cb_finding_add(
            f, "promise",
            "A promise of the memory model was broken, by our kernels, the driver's "
            "compiler or the device: another --atomics tells them apart. Until then, doubt "
            "kernels that wait for each other here.");
    else if (kept > 0)
        cb_finding_add(f, "promise",
                       "No promise was broken: none of %.0f instances showed an outcome that the "
                       "memory model forbids.",
                       kept);
}

/* What could have been seen. */
static void find_score(struct cb_findings *f)
{
    char command[CB_COMMAND_BYTES], worst[200] = "";
    struct cb_litmus_score score = cb_litmus_score_of(f->run, cb_json_text(f->device, "id", ""));
    if (score.mutants == 0)
        return;
    if (score.worst)
        snprintf(worst, sizeof worst,
                 " Where they did, the ordered tests would have missed as much with a chance of at "
                 "most %.2g (%s, %s, %s).",
                 fmax(score.missed, CB_LITMUS_LEAST_CHANCE), cb_row_text(score.worst, "test"),
                 cb_row_text(score.worst, "scope"), cb_row_text(score.worst, "ordering"));
    if (score.seen == score.mutants)
        cb_finding_add(
            f, "score",
            "All mutants (%d; tests whose order allows what a stronger one forbids, in each "
            "scope) showed their weak outcome.%s",
            score.mutants, worst);
    else
        cb_finding_add(f, "score",
                       "Of %d mutant%s (tests whose order allows what a stronger one forbids, in "
                       "each scope), %d showed the weak outcome: of the others, a kept promise "
                       "says little.%s `%s` "
                       "looks longer.",
                       score.mutants, CB_PLURAL(score.mutants), score.seen, worst,
                       cb_findings_command(f, "litmus --full --runs 400", command));
}

static void find_coherence(struct cb_findings *f)
{
    for (const cJSON *row = cb_findings_next(f, NULL); row; row = cb_findings_next(f, row)) {
        struct cb_litmus_form form;
        if (!cb_litmus_form_of(row, &form) || form.allowed || !cb_litmus_is_coherence(form.test) ||
            cb_litmus_has_mutant(f->run, row))
            continue;
        cb_finding_add(f, "coherence",
                       "Coherence (tests Co..) was tested without its mutants (--ordering "
                       "reversed): whether the tests could see it broken is not known.");
        return;
    }
}

/* Rows that show nothing, as not all of the outcomes came to which a taking of turns leads. */
static void find_turns(struct cb_findings *f)
{
    int rows = 0, lacking = 0;
    for (const cJSON *row = cb_findings_next(f, NULL); row; row = cb_findings_next(f, row)) {
        rows++;
        lacking += cb_litmus_lacks_turns(row);
    }
    if (lacking > 0)
        cb_finding_add(f, "turns",
                       "%d of %d rows are no proof: not all outcomes came to which a taking of "
                       "turns leads, so that their threads may not run at the same time. Let "
                       "nothing else use the device, or look longer (--runs).",
                       lacking, rows);
}

#define MANY 0.25

/* Threads that do not run at the same time show nothing. */
static void find_alone(struct cb_findings *f)
{
    struct cb_rows rows = cb_findings_rows(f);
    const cJSON **list;
    int n = cb_rows_list(&rows, &list);
    double alone = cb_rows_stats(list, n, "alone", "mean").mean;
    if (alone > MANY)
        cb_finding_add(f, "alone",
                       "%.0f %% of the threads waited in vain for the others of their instance, so "
                       "that few reorderings could show: let nothing else use the device.",
                       100 * alone);
    free(list);
}

void cb_litmus_findings(struct cb_findings *f)
{
    find_order(f);
    find_promise(f);
    find_score(f);
    find_coherence(f);
    find_turns(f);
    find_alone(f);
}
