/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/litmus/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/text/json.h"
#include "measure/text/table.h"
#include "probes/litmus/chance.h"
#include "probes/litmus/outcomes.h"
#include "runtime/host/error.h"

enum column { TEST, SCOPE, ORDER, INSTANCES, WEAK, ALLOWED, TURNS, VERDICT, MISSED, COLUMNS };

static const char *const heads[COLUMNS] = {"test",      "scope",     "order",
                                           "instances", "weak seen", "allowed",
                                           "turns",     "verdict",   "missed, at most"};

#define RIGHT (1u << INSTANCES | 1u << WEAK | 1u << TURNS | 1u << MISSED)

static const char *verdict_of(const cJSON *row, bool allowed, double weak)
{
    if (strcmp(cb_json_text(row, "status", ""), cb_status_name(CB_VERIFY_FAILED)) == 0)
        return "FORBIDDEN SEEN";
    if (!cb_row_is_ok(row))
        return cb_json_text(row, "status", "");
    if (cb_litmus_lacks_turns(row))
        return weak > 0 && allowed ? "weak, allowed" : "NO PROOF";
    return weak > 0 && allowed ? "weak, allowed" : "as promised";
}

static void fill_missed(char *cell, double missed)
{
    if (isnan(missed))
        strcpy(cell, "not known");
    else if (missed < CB_LITMUS_LEAST_CHANCE)
        snprintf(cell, CB_CELL_BYTES, "< %g", CB_LITMUS_LEAST_CHANCE);
    else
        snprintf(cell, CB_CELL_BYTES, "%.2g", missed);
}

static void fill_counts(const struct cb_table *t, int i, const cJSON *row)
{
    struct cb_litmus_tally tally = cb_litmus_tally_of(row);
    bool known = !isnan(tally.instances);
    snprintf(cb_table_cell(t, i, INSTANCES), CB_CELL_BYTES, known ? "%.0f" : "-", tally.instances);
    snprintf(cb_table_cell(t, i, WEAK), CB_CELL_BYTES, known ? "%.0f" : "-", tally.weak);
}

static void fill_turns(char *cell, const cJSON *row)
{
    const struct cb_litmus_turns turns = cb_litmus_turns_of(row);
    if (turns.all > 0)
        snprintf(cell, CB_CELL_BYTES, "%u of %u", turns.came, turns.all);
    else
        strcpy(cell, "-");
}

static void fill_row(const struct cb_table *t, int i, const cJSON *run, const cJSON *row)
{
    struct cb_litmus_form form;
    const bool known = cb_litmus_form_of(row, &form);
    snprintf(cb_table_cell(t, i, TEST), CB_CELL_BYTES, "%.16s: %s", cb_row_text(row, "test"),
             known ? form.test->outcome : "?");
    snprintf(cb_table_cell(t, i, SCOPE), CB_CELL_BYTES, "%.16s", cb_row_text(row, "scope"));
    snprintf(cb_table_cell(t, i, ORDER), CB_CELL_BYTES, "%.16s", cb_row_text(row, "ordering"));
    fill_counts(t, i, row);
    fill_turns(cb_table_cell(t, i, TURNS), row);
    strcpy(cb_table_cell(t, i, ALLOWED), form.allowed ? "yes" : "no");
    snprintf(cb_table_cell(t, i, VERDICT), CB_CELL_BYTES, "%.20s",
             verdict_of(row, form.allowed, cb_litmus_tally_of(row).weak));
    if (cb_row_is_ok(row) && known && !form.allowed && cb_litmus_has_mutant(run, row))
        fill_missed(cb_table_cell(t, i, MISSED), cb_litmus_missed_by(run, row));
    else if (cb_row_is_ok(row) && known && !form.allowed)
        strcpy(cb_table_cell(t, i, MISSED), "no mutant");
    else
        strcpy(cb_table_cell(t, i, MISSED), "-");
}

static void print_table(FILE *out, const cJSON *run, const cJSON *const *list, int n)
{
    struct cb_table t;
    if (cb_table_open(1 + n, COLUMNS, RIGHT, &t)) {
        for (int c = 0; c < COLUMNS; c++)
            strcpy(cb_table_cell(&t, 0, c), heads[c]);
        for (int i = 0; i < n; i++)
            fill_row(&t, 1 + i, run, list[i]);
        cb_table_print(out, &t);
    }
    cb_table_free(&t);
}

static void print_score(FILE *out, const cJSON *run, const char *device)
{
    struct cb_litmus_score score = cb_litmus_score_of(run, device);
    const char *unit = score.worst && !cb_litmus_has_launches(score.worst) ? "sample" : "launch";
    if (score.mutants == 0)
        return;
    fprintf(
        out,
        "\nMutation score: %d of %d mutants showed their weak outcome here; %d in so many of them "
        "(by %s) that "
        "as many more\nshow it again with a chance of 95 %%. Mutants: tests with a weaker order, "
        "on "
        "one side or both, that\nallows what a stronger one forbids, in each scope; of coherence "
        "(tests Co..), those whose accesses are\nreversed.\n"
        "Missed, at most: the chance that no %s of the test shows what it forbids, if the device "
        "does it\nin as large a share of them as in its rarest mutant: the lower end of that "
        "share's 95 %% interval.\nNot known where a mutant has not shown it.\n",
        score.seen, score.mutants, score.sure, unit, unit);
}

/* Why an outcome never came: some thread never began so early, or they never met. */
static void print_why(FILE *out, struct cb_litmus_turns turns)
{
    unsigned thread = 0;
    if (!turns.behind) {
        fprintf(out, "no thread came between the accesses of another");
        return;
    }
    while (!(turns.behind >> thread & 1))
        thread++;
    fprintf(out, "thread %u never came first", thread + 1);
}

/* The rows that lack turns, with how often, at most, what they lack may come. */
static void print_lacks(FILE *out, const cJSON *const *list, int n)
{
    bool any = false;
    for (int i = 0; i < n; i++) {
        if (!cb_row_is_ok(list[i]) || !cb_litmus_lacks_turns(list[i]))
            continue;
        const struct cb_litmus_turns turns = cb_litmus_turns_of(list[i]);
        const double launches = cb_litmus_units_of(list[i], true).all;
        if (!any)
            fprintf(out, "\nNo proof, as not all turns came (each should, if threads run at the "
                         "same time):\n");
        any = true;
        fprintf(out,
                "- %s, %s, %s: %s never came in %.0f launches, so that at most %.2g %% have "
                "it: ",
                cb_row_text(list[i], "test"), cb_row_text(list[i], "scope"),
                cb_row_text(list[i], "ordering"), turns.never, launches,
                100 * cb_litmus_most(launches));
        print_why(out, turns);
        fprintf(out, ".\n");
    }
}

/* ---- Promises -------------------------------------------------------------------------------- */

enum promise { KEPT, BROKEN, NOT_SHOWN, NOT_TRIED, PROMISES };

static enum promise promise_of(const cJSON *row)
{
    if (strcmp(cb_json_text(row, "status", ""), cb_status_name(CB_VERIFY_FAILED)) == 0)
        return BROKEN;
    if (!cb_row_is_ok(row))
        return NOT_TRIED;
    return cb_litmus_lacks_turns(row) ? NOT_SHOWN : KEPT;
}

static void print_promise(FILE *out, const cJSON *row, enum promise promise)
{
    static const char *const words[PROMISES] = {"kept", "BROKEN", "not shown", "not tried"};
    struct cb_litmus_form form;
    if (!cb_litmus_form_of(row, &form))
        return;
    fprintf(out, "%s: %s, %s, %s: %s never ends with %s", words[promise], form.test->name,
            cb_row_text(row, "scope"), cb_row_text(row, "ordering"), form.test->threads,
            form.test->outcome);
    if (promise == KEPT || promise == NOT_SHOWN)
        fprintf(out, " (%.0f instances, %.0f launches)\n", cb_litmus_tally_of(row).instances,
                cb_litmus_units_of(row, true).all);
    else
        fprintf(out, " (%s)\n", cb_json_text(row, "reason", "?"));
}

static void print_promises(FILE *out, const char *atomics, const cJSON *const *list, int n)
{
    int counts[PROMISES] = {0};
    for (int i = 0; i < n; i++) {
        const enum promise promise = promise_of(list[i]);
        counts[promise]++;
        print_promise(out, list[i], promise);
    }
    fprintf(
        out,
        "\n%d promises of the memory model (--atomics %s): %d kept, %d broken, %d not shown, %d "
        "not tried.\nNot shown: not all outcomes came that taking turns leads to, so that the "
        "threads may not run at\nthe same time. Without --conformance, mutants tell whether a "
        "broken promise would be seen.\n",
        n, atomics, counts[KEPT], counts[BROKEN], counts[NOT_SHOWN], counts[NOT_TRIED]);
}

static bool is_of_promises(const cJSON *row)
{
    return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(
        cJSON_GetObjectItemCaseSensitive(row, "params"), "conformance"));
}

void cb_litmus_report(FILE *out, const cJSON *run)
{
    const cJSON *device;
    cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(run, "devices")) {
        const char *id = cb_json_text(device, "id", "");
        struct cb_rows rows = {.run = run, .bench = "litmus", .device = id};
        const cJSON **list;
        int n = cb_rows_list(&rows, &list);
        if (n > 0) {
            fprintf(out, "\n%s\n\n", cb_json_text(device, "name", ""));
            if (is_of_promises(list[0])) {
                print_promises(out, cb_json_text(device, "atomics", "?"), list, n);
            } else {
                print_table(out, run, list, n);
                print_lacks(out, list, n);
                print_score(out, run, id);
            }
        }
        free(list);
    }
}
