/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/ending.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/glossary.h"
#include "cli/plot.h"
#include "cli/suite_plan.h"
#include "measure/findings.h"
#include "measure/json.h"
#include "measure/shell.h"
#include "runtime/text.h"

static bool was_interrupted(const cJSON *item)
{
    return cb_status_from_name(cb_json_text(item, "status", "")) == CB_INTERRUPTED;
}

/* The run without cases that were interrupted: they have no numbers, and would fill tables. It
 * refers to the document's items. */
static cJSON *without_interrupted(const cJSON *document)
{
    cJSON *run = cJSON_CreateObject(), *cases = cJSON_CreateArray(), *item, *row;
    cJSON_ArrayForEach (item, document)
        if (strcmp(item->string, "cases") != 0)
            cJSON_AddItemReferenceToObject(run, item->string, item);
    cJSON_ArrayForEach (row, cJSON_GetObjectItemCaseSensitive(document, "cases"))
        if (!was_interrupted(row))
            cJSON_AddItemReferenceToArray(cases, row);
    cJSON_AddItemToObject(run, "cases", cases);
    return run;
}

/* The number of cases that were measured, whatever became of them. */
static int count_measured(const struct cb_ending *e)
{
    const cJSON *row;
    int n = 0;
    cJSON_ArrayForEach (row,
                        cJSON_GetObjectItemCaseSensitive(cb_results_document(e->results), "cases"))
        n += !was_interrupted(row);
    return n;
}

static bool has_bench(const cJSON *run, const struct cb_bench *bench)
{
    const cJSON *row;
    cJSON_ArrayForEach (row, cJSON_GetObjectItemCaseSensitive(run, "cases"))
        if (strcmp(cb_json_text(row, "bench", ""), bench->id) == 0)
            return true;
    return false;
}

/* The tables of the benches, and with hints, below each's, where its words are explained. */
static void print_tables(FILE *out, const cJSON *run, bool hints)
{
    for (int i = 0; cb_benches[i]; i++)
        if (cb_benches[i]->report && has_bench(run, cb_benches[i])) {
            cb_benches[i]->report(out, run);
            if (hints)
                cb_glossary_print_hint(out, cb_benches[i]->id);
        }
}

void cb_ending_tables(FILE *out, const cJSON *document)
{
    cJSON *run = without_interrupted(document);
    print_tables(out, run, false);
    cJSON_Delete(run);
}

/* Tables, and below them what they mean. */
static void print_reports(const struct cb_ending *e, FILE *out)
{
    cJSON *run = without_interrupted(cb_results_document(e->results));
    print_tables(out, run, true);
    const cJSON *text;
    cJSON_ArrayForEach (text, cJSON_GetObjectItemCaseSensitive(run, "left_out"))
        fprintf(out, "\n%s\n", cJSON_GetStringValue(text));
    cJSON_Delete(run);
    if (!e->interrupted)
        cb_findings_print(out, cb_results_document(e->results));
}

static void print_command(FILE *out, const struct cb_ending *e)
{
    cb_shell_resume(out, program_invocation_name, e->suite->argv, e->suite->argc,
                    cb_results_folder(e->results));
}

static void print_partial(FILE *out, const struct cb_ending *e)
{
    fprintf(out,
            "Partial: the run was interrupted when %d of %d cases were measured. To go on with "
            "it:\n\n    ",
            count_measured(e), e->plan->count);
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
    if (out)
        print_reports(e, out);
    bool nothing = out && ftell(out) == 0;
    if (!out || fclose(out) != 0)
        cb_text_print(stderr, "Warning: cannot write %s: %s\n", path, strerror(errno));
    if (nothing)
        unlink(path);
}

cJSON *cb_ending_artefacts(const struct cb_ending *e)
{
    cJSON *names = cJSON_CreateArray();
    for (int i = 0; cb_benches[i]; i++) {
        struct cb_err err = {0};
        if (cb_plan_has(e->plan, cb_benches[i]) && cb_benches[i]->artefacts &&
            cb_benches[i]->artefacts(cb_results_document(e->results), cb_results_folder(e->results),
                                     names, &err) != CB_OK)
            fprintf(stderr, "Warning: %s\n", err.text);
    }
    return names;
}

void cb_ending_tell(const struct cb_ending *e, const cJSON *artefacts)
{
    const cJSON *name;
    if (e->quiet || !e->tables)
        return;
    print_reports(e, stdout);
    if (e->interrupted)
        return;
    const char *folder = cb_results_folder(e->results);
    cb_text_print(stdout, "\nResults: %s (run.json, report.md, summary.csv, samples.csv", folder);
    cJSON_ArrayForEach (name, artefacts)
        cb_text_print(stdout, ", %s", cJSON_GetStringValue(name));
    puts(")");
    if (cb_plot_has_data(folder))
        cb_text_print(stdout, "Pictures: coopbench plot %s\n", folder);
}

/* Cases that may end otherwise when they are measured again. */
static int count_unlucky(const struct cb_ending *e)
{
    static const enum cb_status unlucky[] = {CB_TIMEOUT, CB_CRASHED, CB_SKIPPED, CB_ERROR};
    const cJSON *summary =
        cJSON_GetObjectItemCaseSensitive(cb_results_document(e->results), "summary");
    int n = 0;
    for (size_t i = 0; i < CB_COUNTOF(unlucky); i++)
        n += (int)cb_json_number(summary, cb_status_name(unlucky[i]));
    return n;
}

void cb_ending_tell_resume(const struct cb_ending *e)
{
    int unlucky = count_unlucky(e);
    if (e->quiet || (!e->interrupted && unlucky == 0))
        return;
    fflush(stdout); /* the tables go first, wherever the two end up */
    if (e->interrupted)
        cb_text_print(stderr, "Interrupted: finished cases are in %s (%d of %d)\nTo go on: ",
                      cb_results_folder(e->results), count_measured(e), e->plan->count);
    else
        fprintf(stderr, "To measure again what failed (%d of %d cases): ", unlucky, e->plan->count);
    print_command(stderr, e);
    fputc('\n', stderr);
}
