/* SPDX-License-Identifier: Apache-2.0
 *
 * Samples beside a run document: samples.csv and events.jsonl, for comparisons, for pictures, and
 * for a run that is completed. The first line is the name of the file, the rest is the file.
 */
#include "analysis/documents/samples.h"
#include "analysis/compare/load.h"
#include "analysis/documents/earlier.h"
#include "tests/fuzz/fuzz.h"

/* The second case is one of those whose samples are drawn. */
#define METRIC                                                                                     \
    "\"metrics\": [{\"name\": \"t\", \"unit\": \"ns\", \"better\": \"lower\", \"n\": 3,"           \
    "\"median\": 2, \"ci95_low\": 1, \"ci95_high\": 3}]"
static const char document[] =
    "{\"schema\": \"coopbench-run\", \"schema_version\": \"2.0\", \"run_id\": \"r\","
    "\"complete\": true, \"devices\": [{\"id\": \"d\"}], \"cases\": ["
    "{\"id\": \"a\", \"bench\": \"discover\", \"device\": \"d\", \"status\": \"ok\"," METRIC "},"
    "{\"id\": \"b\", \"bench\": \"graphics\", \"device\": \"d\", \"status\": \"ok\"," METRIC "}]}";

static const char *const names[] = {"samples.csv", "events.jsonl"};

static void write_files(const char *name, const uint8_t *data, size_t size)
{
    fuzz_file("run.json", (const uint8_t *)document, sizeof document - 1);
    for (size_t i = 0; i < CB_COUNTOF(names); i++) {
        const char *path = fuzz_file(names[i], data, size);
        if (strcmp(names[i], name) != 0)
            unlink(path);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *name = fuzz_head(&data, &size);
    struct cb_run_table table;
    struct cb_earlier earlier;
    struct cb_err err;
    write_files(name, data, size);
    if (cb_run_table_load(fuzz_place(), NULL, &table, &err) == CB_OK) {
        cb_samples_attach(table.document.tree, fuzz_place(), &err);
        cb_run_table_free(&table);
    }
    cb_earlier_load(&earlier, ".", fuzz_place(), &err);
    cb_earlier_free(&earlier);
    return 0;
}
