/* SPDX-License-Identifier: Apache-2.0
 *
 * The history of run documents, which are the elements of an array.
 */
#include "analysis/documents/runs.h"
#include "analysis/history/write.h"
#include "tests/fuzz/fuzz.h"

#define MOST_RUNS 64

/* Reads the elements as the files of runs; those that are none are left out. */
static void read_runs(const cJSON *array, struct cb_runs *runs)
{
    const cJSON *element;
    runs->items = calloc(MOST_RUNS, sizeof *runs->items);
    runs->files = calloc(MOST_RUNS, sizeof *runs->files);
    fuzz_need(runs->items && runs->files, "calloc");
    cJSON_ArrayForEach (element, array) {
        struct cb_err err;
        char *text = cJSON_PrintUnformatted(element);
        fuzz_need(text, "cJSON");
        const char *file = fuzz_file("run.json", (const uint8_t *)text, strlen(text));
        if (runs->count < MOST_RUNS &&
            cb_run_document_read(file, &runs->items[runs->count], &err) == CB_OK) {
            runs->files[runs->count] = strdup(file);
            fuzz_need(runs->files[runs->count++], "strdup");
        }
        free(text);
    }
}

static void tell(const struct cb_stored_run *stored, int n)
{
    struct cb_history_rules rules = {.points = cb_change_rules, .recent = 3};
    struct cb_history history;
    struct cb_err err;
    rules.points.least = 2;
    rules.points.alpha = 0.5; /* so that few runs are enough for a change */
    if (cb_history_find(stored, n, &rules, &history, &err) == CB_OK) {
        const struct cb_history_report report = {&history, &rules, 0};
        cb_history_write_table(fuzz_sink(), &report);
        cb_history_write_markdown(fuzz_sink(), &report);
        cb_history_write_json(fuzz_sink(), &report);
        cb_history_write_github(fuzz_sink(), &report);
    }
    cb_history_free(&history);
}

static void tell_runs(struct cb_runs *runs)
{
    struct cb_layouts layouts = {0};
    struct cb_stored_run stored[MOST_RUNS] = {0};
    bool made = runs->count > 0;
    cb_runs_sort(runs);
    for (int i = 0; i < runs->count && made; i++) {
        struct cb_run_document document = {.tree = runs->items[i]};
        struct cb_err err;
        snprintf(document.file, sizeof document.file, "%s", runs->files[i]);
        made = cb_stored_run_make(&document, &layouts, &stored[i], &err) == CB_OK;
    }
    if (made)
        tell(stored, runs->count);
    for (int i = 0; i < runs->count; i++)
        cb_stored_run_free(&stored[i]);
    cb_layouts_free(&layouts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cJSON *array = cJSON_ParseWithLength((const char *)data, size);
    struct cb_runs runs = {0};
    if (cJSON_IsArray(array)) {
        read_runs(array, &runs);
        tell_runs(&runs);
    }
    cb_runs_free(&runs);
    cJSON_Delete(array);
    return 0;
}
