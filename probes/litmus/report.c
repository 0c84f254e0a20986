/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/litmus/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/text/json.h"
#include "measure/text/table.h"
#include "probes/litmus/outcomes.h"
#include "runtime/host/error.h"

enum column { TEST, SCOPE, ORDER, INSTANCES, WEAK, ALLOWED, VERDICT, MISSED, COLUMNS };

static const char *const heads[COLUMNS] = {"test",      "scope",   "order",   "instances",
                                           "weak seen", "allowed", "verdict", "missed, at most"};

#define RIGHT (1u << INSTANCES | 1u << WEAK | 1u << MISSED)

static const char *verdict_of(const cJSON *row, bool allowed, double weak)
{
    if (strcmp(cb_json_text(row, "status", ""), cb_status_name(CB_VERIFY_FAILED)) == 0)
        return "FORBIDDEN SEEN";
    if (!cb_row_is_ok(row))
        return cb_json_text(row, "status", "");
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

static void fill_row(const struct cb_table *t, int i, const cJSON *run, const cJSON *row)
{
    const struct cb_litmus_test *test;
    int order;
    bool known = cb_litmus_row_is_known(row, &test, &order);
    bool allowed = known && cb_litmus_allows(test, order);
    snprintf(cb_table_cell(t, i, TEST), CB_CELL_BYTES, "%.16s: %s", cb_row_text(row, "test"),
             known ? test->outcome : "?");
    snprintf(cb_table_cell(t, i, SCOPE), CB_CELL_BYTES, "%.16s", cb_row_text(row, "scope"));
    snprintf(cb_table_cell(t, i, ORDER), CB_CELL_BYTES, "%.16s", cb_row_text(row, "ordering"));
    fill_counts(t, i, row);
    strcpy(cb_table_cell(t, i, ALLOWED), allowed ? "yes" : "no");
    snprintf(cb_table_cell(t, i, VERDICT), CB_CELL_BYTES, "%.20s",
             verdict_of(row, allowed, cb_litmus_tally_of(row).weak));
    if (cb_row_is_ok(row) && known && !allowed && cb_litmus_is_mutant(test))
        fill_missed(cb_table_cell(t, i, MISSED), cb_litmus_missed_by(run, row));
    else if (cb_row_is_ok(row) && known && cb_litmus_is_coherence(test))
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
    if (score.mutants == 0)
        return;
    fprintf(
        out,
        "\nMutation score: %d of %d mutants showed their weak outcome here. Mutants: tests that "
        "only\nrelaxed accesses allow, in each scope. One side alone, and coherence (tests Co..), "
        "have none.\n"
        "Missed, at most: the chance that no %s of the ordered test shows what it forbids, "
        "if the device\ndoes it in as large a share of them as in the mutant: the lower end "
        "of that share's 95 %% interval.\nNot known where the mutant has not shown it.\n",
        score.seen, score.mutants,
        score.worst && !cb_litmus_has_launches(score.worst) ? "sample" : "launch");
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
            print_table(out, run, list, n);
            print_score(out, run, id);
        }
        free(list);
    }
}
