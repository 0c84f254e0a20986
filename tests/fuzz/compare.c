/* SPDX-License-Identifier: Apache-2.0
 *
 * A run document, compared with itself, and as a fleet.
 */
#include "analysis/compare/gate.h"
#include "analysis/compare/load.h"
#include "analysis/compare/rules.h"
#include "analysis/compare/write.h"
#include "analysis/fleet/write.h"
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
    struct cb_compare_options read;
    cb_options_read(options, cb_compare_params, &read);
    struct cb_run_table both[] = {*table, *table};
    struct cb_compare_rules rules;
    struct cb_comparisons comparisons;
    struct cb_err err;
    fuzz_need(cb_compare_rules_read(&read.rules, &rules, &err) == CB_OK, "rules");
    if (cb_compare(both, 1, &both[1], &rules, &comparisons, &err) == CB_OK) {
        write_all(&comparisons, &rules);
        cb_comparisons_free(&comparisons);
    }
    cb_compare_rules_free(&rules);
}

/* Its devices are one each, however often the run is there: kinds of them come of the document. */
static void read_fleet(const struct cb_run_table *table)
{
    struct cb_run_table tables[2];
    struct cb_fleet fleet;
    struct cb_portables portables = {0};
    struct cb_err err;
    for (size_t i = 0; i < CB_COUNTOF(tables); i++)
        tables[i] = *table;
    if (cb_fleet_find(tables, CB_COUNTOF(tables), &cb_fleet_rules, &fleet, &err) == CB_OK) {
        fuzz_need(cb_portables_find(&fleet.devices, &portables), "malloc");
        const struct cb_fleet_report report = {&fleet, &cb_fleet_rules, &portables, NULL, 0, 0};
        cb_fleet_write_table(fuzz_sink(), &report);
        cb_fleet_write_json(fuzz_sink(), &report);
    }
    cb_portables_free(&portables);
    cb_fleet_free(&fleet);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cb_run_table table;
    struct cb_err err;
    if (cb_run_table_load(fuzz_file("run.json", data, size), NULL, &table, &err) != CB_OK)
        return 0;
    compare(&table);
    read_fleet(&table);
    cb_run_table_free(&table);
    return 0;
}
