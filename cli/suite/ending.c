/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/suite/ending.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/documents/beside.h"
#include "analysis/documents/findings.h"
#include "cli/suite/plan.h"
#include "measure/process/worker_process.h"
#include "measure/text/glossary.h"
#include "measure/text/json.h"
#include "measure/text/shell.h"
#include "measure/text/table.h"
#include "plots/plot.h"
#include "runtime/host/text.h"

#define MOST_PARTIAL_LINES 20

static bool was_interrupted(const cJSON *item)
{
    return cb_status_from_name(cb_json_text(item, "status", "")) == CB_INTERRUPTED;
}

/* The number of cases that were tried, whatever became of them. */
static int count_ended(const struct cb_ending *e)
{
    const cJSON *row;
    int n = 0;
    cJSON_ArrayForEach (row,
                        cJSON_GetObjectItemCaseSensitive(cb_results_document(e->results), "cases"))
        n += !was_interrupted(row);
    return n;
}

static void print_hints(const struct cb_ending *e, FILE *out)
{
    for (int i = 0; cb_benches[i]; i++)
        if (cb_plan_has(e->plan, cb_benches[i]))
            cb_glossary_print_hint(out, cb_benches[i]->id);
}

/* Below the tables: where their words are explained, what is missing, and what they mean. */
static void print_meaning(const struct cb_ending *e, FILE *out)
{
    const cJSON *text, *document = cb_results_document(e->results);
    if (e->interrupted)
        return;
    print_hints(e, out);
    cJSON_ArrayForEach (text, cJSON_GetObjectItemCaseSensitive(document, "left_out"))
        fprintf(out, "\n%s\n", cJSON_GetStringValue(text));
    cb_findings_print(out, document);
}

static void print_command(FILE *out, const struct cb_ending *e)
{
    cb_shell_resume(out, program_invocation_name, e->suite->argv, e->suite->argc,
                    cb_results_folder(e->results));
}

static int count_ok(const struct cb_ending *e)
{
    const cJSON *summary =
        cJSON_GetObjectItemCaseSensitive(cb_results_document(e->results), "summary");
    const double n = cb_json_number(summary, cb_status_name(CB_OK));
    return n > 0 ? (int)n : 0;
}

static void print_partial(FILE *out, const struct cb_ending *e)
{
    fprintf(out,
            "Partial: the run was interrupted when %d of %d case%s had ended, %d of them ok. To go "
            "on with it:\n\n    ",
            count_ended(e), e->plan->count, CB_PLURAL(e->plan->count), count_ok(e));
    print_command(out, e);
    fputs("\n\n", out);
}

void cb_ending_save(const struct cb_ending *e)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/report.md", cb_results_folder(e->results));
    FILE *out = fopen(path, "we");
    if (out && e->interrupted)
        print_partial(out, e);
    if (out) {
        struct cb_tables tables;
        cb_tables_begin(&tables, e->plan, cb_line_width(out));
        cb_tables_rest(out, &tables, cb_results_document(e->results));
        cb_tables_end(&tables);
        print_meaning(e, out);
    }
    bool nothing = out && ftell(out) == 0;
    if (!out || fclose(out) != 0)
        cb_text_print(stderr, "Warning: cannot write %s: %s\n", path, strerror(errno));
    if (nothing)
        unlink(path);
}

cJSON *cb_ending_artefacts(const struct cb_ending *e)
{
    cJSON *names = cJSON_CreateArray();
    cJSON *alone = cb_run_beside(cb_results_document(e->results), ""); /* one file for each case */
    for (int i = 0; cb_benches[i]; i++) {
        struct cb_err err = {0};
        if (cb_plan_has(e->plan, cb_benches[i]) && cb_benches[i]->artefacts &&
            cb_benches[i]->artefacts(alone, cb_results_folder(e->results), names, &err) != CB_OK)
            fprintf(stderr, "Warning: %s\n", err.text);
    }
    cJSON_Delete(alone);
    return names;
}

/* Prints the tables that are not finished; of a run that was interrupted only if they are short,
 * since they must not hide how to go on. */
static void print_rest(const struct cb_ending *e)
{
    char *text = NULL;
    size_t size;
    int lines = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    cb_tables_rest(out, e->tables, cb_results_document(e->results));
    fclose(out);
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    if (e->interrupted && lines > MOST_PARTIAL_LINES)
        cb_text_print(stdout, "\nTables that were not finished are in %s/report.md\n",
                      cb_results_folder(e->results));
    else
        fputs(text, stdout);
    free(text);
}

void cb_ending_tell(const struct cb_ending *e, const cJSON *artefacts)
{
    const cJSON *name;
    if (!e->tables)
        return;
    print_rest(e);
    print_meaning(e, stdout);
    if (e->interrupted)
        return;
    const char *folder = cb_results_folder(e->results);
    cb_text_print(stdout, "\nResults: %s (run.json, report.md, summary.csv, samples.csv", folder);
    cJSON_ArrayForEach (name, artefacts)
        cb_text_print(stdout, ", %s", cJSON_GetStringValue(name));
    puts(")");
    if (count_ok(e) == 0 || !cb_plot_has_data(folder))
        return;
    fputs("Pictures: coopbench plot", stdout);
    cb_shell_word(stdout, folder);
    puts("");
}

/* How each case of the plan ended, in its order; CB_INTERRUPTED: it has not. The caller's to free;
 * NULL: no memory. */
static enum cb_status *list_statuses(const struct cb_ending *e)
{
    const cJSON *cases = cJSON_GetObjectItemCaseSensitive(cb_results_document(e->results), "cases");
    const cJSON *row = cases ? cases->child : NULL;
    enum cb_status *statuses = calloc((size_t)e->plan->count + 1, sizeof *statuses);
    for (int i = 0; statuses && i < e->plan->count; i++) {
        bool own = row && cb_tables_is_row(row, &e->plan->cases[i]);
        statuses[i] = own ? cb_status_from_name(cb_json_text(row, "status", "")) : CB_INTERRUPTED;
        row = own ? row->next : row;
    }
    return statuses;
}

/* Whether a case may end otherwise when it is measured again: not if it needs one that the device
 * cannot do. */
static bool is_unlucky(const struct cb_plan *plan, const enum cb_status *statuses, int i)
{
    static const enum cb_status unlucky[] = {CB_TIMEOUT, CB_CRASHED, CB_SKIPPED, CB_ERROR};
    bool is = false;
    for (size_t k = 0; k < CB_COUNTOF(unlucky); k++)
        is |= statuses[i] == unlucky[k];
    for (; is && i >= 0; i = plan->cases[i].needs)
        is = statuses[i] != CB_UNSUPPORTED;
    return is;
}

static int count_unlucky(const struct cb_ending *e)
{
    enum cb_status *statuses = list_statuses(e);
    int n = 0;
    for (int i = 0; statuses && i < e->plan->count; i++)
        n += is_unlucky(e->plan, statuses, i);
    free(statuses);
    return n;
}

void cb_ending_tell_warnings(const struct cb_ending *e)
{
    const cJSON *line;
    if (e->quiet)
        return;
    fflush(stdout); /* the tables go first, wherever the two end up */
    cJSON_ArrayForEach (line, cb_worker_warnings())
        cb_text_print(stderr, "%s\n", line->valuestring);
}

void cb_ending_tell_resume(const struct cb_ending *e)
{
    int unlucky = count_unlucky(e);
    if (e->quiet || (!e->interrupted && unlucky == 0))
        return;
    fflush(stdout); /* the tables go first, wherever the two end up */
    if (e->interrupted)
        cb_text_print(stderr, "Interrupted: finished cases are in %s (%d of %d)\nTo go on: ",
                      cb_results_folder(e->results), count_ended(e), e->plan->count);
    else
        fprintf(stderr, "To measure again what failed (%d of %d case%s): ", unlucky, e->plan->count,
                CB_PLURAL(e->plan->count));
    print_command(stderr, e);
    fputc('\n', stderr);
}
