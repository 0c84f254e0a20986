/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/store/stored_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/text/json.h"

static struct cb_level level_of(const struct cb_run_case *c, const struct cb_measurement *m)
{
    if (!cb_run_case_ok(c))
        return (struct cb_level){NAN, NAN};
    return (struct cb_level){m->side.median, m->core_speed ? m->core_speed->side.median : NAN};
}

/* The layout has the same cases and metrics, in the same order. */
static bool take_levels(const struct cb_run_table *table, struct cb_stored_run *run)
{
    size_t n = 1;
    for (int i = 0; i < table->count; i++)
        n += (size_t)table->cases[i].n_metrics;
    run->levels = malloc(n * sizeof *run->levels);
    struct cb_level *level = run->levels;
    for (int i = 0; i < table->count && level; i++)
        for (int k = 0; k < table->cases[i].n_metrics; k++)
            *level++ = level_of(&table->cases[i], &table->cases[i].metrics[k]);
    return level != NULL;
}

enum cb_status cb_stored_run_name(struct cb_stored_run *run, cJSON *head, const char *file,
                                  struct cb_err *err)
{
    run->head = head;
    run->file = strdup(file);
    run->id = run->file ? cb_json_text(head, "run_id", run->file) : "";
    return run->file ? CB_OK : cb_no_memory(err);
}

/* in the head: no keys of a document */
#define FAILURES  "failures"
#define DISTURBED "disturbed"

static cJSON *failures_of(const struct cb_run_table *table)
{
    cJSON *failures = NULL;
    for (int i = 0; i < table->count; i++) {
        const struct cb_run_case *c = &table->cases[i];
        if (!cb_run_case_failed(c))
            continue;
        failures = failures ? failures : cJSON_CreateArray();
        cJSON *failure = cJSON_CreateObject();
        cJSON_AddStringToObject(failure, "id", c->id);
        cJSON_AddStringToObject(failure, "device", c->device);
        cJSON_AddStringToObject(failure, "status", c->status);
        cJSON_AddStringToObject(failure, "reason", c->reason);
        cJSON_AddItemToArray(failures, failure);
    }
    return failures;
}

const cJSON *cb_stored_run_failures(const struct cb_stored_run *run)
{
    return cJSON_GetObjectItemCaseSensitive(run->head, FAILURES);
}

static int count_disturbed(const struct cb_run_table *table)
{
    int n = 0;
    for (int i = 0; i < table->count; i++)
        n += table->cases[i].disturbed;
    return n;
}

int cb_stored_run_disturbed(const struct cb_stored_run *run)
{
    const double n = cb_json_number(run->head, DISTURBED);
    return n > 0 ? (int)n : 0;
}

/* The document without what is in the layout and the levels. Takes the failures. */
static cJSON *head_of(const cJSON *document, cJSON *failures, int disturbed)
{
    static const char *const left_out[] = {"devices",    "cases",  "findings",
                                           "neighbours", FAILURES, DISTURBED};
    cJSON *head = cJSON_CreateObject(), *member;
    cJSON_ArrayForEach (member, document) {
        bool wanted = true;
        for (size_t i = 0; i < CB_COUNTOF(left_out); i++)
            wanted = wanted && strcmp(member->string, left_out[i]) != 0;
        if (wanted)
            cJSON_AddItemToObject(head, member->string, cJSON_Duplicate(member, true));
    }
    if (failures)
        cJSON_AddItemToObject(head, FAILURES, failures);
    if (disturbed > 0)
        cJSON_AddNumberToObject(head, DISTURBED, disturbed);
    return head;
}

enum cb_status cb_stored_run_begin(const struct cb_run_document *document,
                                   struct cb_stored_run *run, char **layout, struct cb_err *err)
{
    struct cb_run_table table = {.document = *document};
    *layout = NULL;
    enum cb_status status = cb_run_table_index(&table, document->file, err);
    if (status == CB_OK && !take_levels(&table, run))
        status = cb_no_memory(err);
    cJSON *failures = status == CB_OK ? failures_of(&table) : NULL;
    const int disturbed = status == CB_OK ? count_disturbed(&table) : 0;
    cb_run_table_clear(&table);
    if (status == CB_OK)
        status = cb_stored_run_name(run, head_of(document->tree, failures, disturbed),
                                    document->file, err);
    if (status == CB_OK && !(*layout = cb_layout_text(document->tree)))
        status = cb_no_memory(err);
    return status;
}

enum cb_status cb_stored_run_make(const struct cb_run_document *document,
                                  struct cb_layouts *layouts, struct cb_stored_run *run,
                                  struct cb_err *err)
{
    char *layout;
    enum cb_status status = cb_stored_run_begin(document, run, &layout, err);
    return status == CB_OK ? cb_layouts_take(layouts, layout, document->file, &run->layout, err)
                           : status;
}

const char *cb_stored_run_start(const struct cb_stored_run *run)
{
    return cb_json_text(cJSON_GetObjectItemCaseSensitive(run->head, "time"), "start", "");
}

void cb_stored_run_free(struct cb_stored_run *run)
{
    cJSON_Delete(run->head);
    free(run->file);
    free(run->levels);
    *run = (struct cb_stored_run){0};
}
