/* SPDX-License-Identifier: Apache-2.0
 *
 * A run document, compared with itself.
 */
#include "measure/compare/gate.h"
#include "measure/compare/load.h"
#include "measure/compare/rules.h"
#include "measure/compare/write.h"
#include "tests/fuzz/fuzz.h"

static void write_all(const struct cb_comparisons *comparisons,
                      const struct cb_compare_rules *rules)
{
    char off[1024];
    cb_compare_gate_is_off(comparisons, rules, off, sizeof off);
    struct cb_compare_report report = {.comparisons = comparisons,
                                       .rows = cb_comparisons_by_weight(comparisons),
                                       .rules = rules,
                                       .all = true};
    fuzz_need(report.rows, "malloc");
    cb_compare_write_table(fuzz_sink(), &report);
    cb_compare_write_markdown(fuzz_sink(), &report);
    cb_compare_write_json(fuzz_sink(), &report);
    cb_compare_write_csv(fuzz_sink(), &report);
    cb_compare_write_github(fuzz_sink(), &report);
    free(report.rows);
}

static void compare(const struct cb_run_table *table)
{
    static cJSON *options;
    if (!options)
        cb_options_complete(options = cJSON_CreateObject(), cb_compare_params);
    struct cb_run_table both[] = {*table, *table};
    struct cb_compare_rules rules;
    struct cb_comparisons comparisons;
    struct cb_err err;
    fuzz_need(cb_compare_rules_read(options, &rules, &err) == CB_OK, "rules");
    if (cb_compare(both, 1, &both[1], &rules, &comparisons, &err) == CB_OK) {
        write_all(&comparisons, &rules);
        cb_comparisons_free(&comparisons);
    }
    cb_compare_rules_free(&rules);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cb_run_table table;
    struct cb_err err;
    if (cb_run_table_load(fuzz_file("run.json", data, size), NULL, &table, &err) != CB_OK)
        return 0;
    compare(&table);
    cb_run_table_free(&table);
    return 0;
}
