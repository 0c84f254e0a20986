/* SPDX-License-Identifier: Apache-2.0
 *
 * A run document, as all benchmarks read it: tables, findings, data of pictures, what a profile
 * learns; and the parts of the page that are not of one benchmark.
 */
#include "analysis/compare/rules.h"
#include "analysis/documents/document.h"
#include "analysis/documents/findings.h"
#include "analysis/documents/runs.h"
#include "cli/suite/global_params.h"
#include "plots/report/parts.h"
#include "tests/fuzz/fuzz.h"

static void report_benches(cJSON *run)
{
    cJSON *const runs[] = {run};
    cJSON *profile = cJSON_CreateObject();
    for (int i = 0; cb_benches[i]; i++) {
        const struct cb_bench *bench = cb_benches[i];
        if (bench->report)
            bench->report(fuzz_sink(), run);
        if (bench->report_besides)
            bench->report_besides(fuzz_sink(), run);
        for (const struct cb_figure *f = bench->figures; f && f->id; f++)
            f->write_data(fuzz_sink(), runs, 1);
        if (bench->learn)
            bench->learn(run, fuzz_device()->id, profile);
    }
    cJSON_Delete(profile);
    cb_findings_print(fuzz_sink(), run);
}

static void report_page(cJSON *run)
{
    static cJSON *options;
    if (!options)
        cb_options_complete(options = cJSON_CreateObject(), cb_compare_params);
    struct cb_compare_options read;
    cb_options_read(options, cb_compare_params, &read);
    char file[] = "run.json", *files[] = {file};
    cJSON *items[] = {run};
    const cJSON *baselines[] = {NULL};
    struct cb_runs runs = {.items = items, .files = files, .count = 1};
    struct cb_export rows;
    struct cb_compare_rules rules;
    struct cb_err err;
    const cJSON *const both[] = {run};
    fuzz_need(cb_compare_rules_read(&read.rules, &rules, &err) == CB_OK, "rules");
    struct cb_report report = {
        .out = fuzz_sink(), .runs = &runs, .rows = &rows, .rules = &rules, .baselines = baselines};
    struct cb_report_fleet *fleet = cb_report_fleet_open(&report);
    if (cb_export_open(&rows, both, 1, &err) == CB_OK) {
        cb_report_summary(&report);
        cb_report_compare(&report);
        if (fleet)
            cb_report_fleet(&report, fleet);
        cb_report_history(&report);
        cb_report_data(&report);
    }
    cb_report_fleet_close(fleet);
    cb_export_close(&rows);
    cb_compare_rules_free(&rules);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cJSON *run;
    struct cb_err err;
    if (cb_run_document_read(fuzz_file("run.json", data, size), &run, &err) != CB_OK)
        return 0;
    report_benches(run);
    report_page(run);
    cJSON_Delete(run);
    return 0;
}
