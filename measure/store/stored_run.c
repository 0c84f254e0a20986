/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/store/stored_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/text/json.h"

static struct cb_level level_of(const struct cb_run_case *c, const struct cb_measurement *m)
{
    if (!cb_run_case_ok(c) || m->flaw)
        return (struct cb_level){NAN, NAN};
    return (struct cb_level){m->side.median, m->core_speed ? m->core_speed->side.median : NAN};
}

/* The cases of the table and those of the layout are the same, in the same order. */
static bool take_levels(const struct cb_run_table *table, struct cb_stored_run *run)
{
    run->levels = malloc(((size_t)run->layout->n_metrics + 1) * sizeof *run->levels);
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
    return run->file ? CB_OK : cb_fail(err, CB_ERROR, "out of memory");
}

enum cb_status cb_stored_run_make(struct cb_run_document *document, struct cb_layouts *layouts,
                                  struct cb_stored_run *run, struct cb_err *err)
{
    static const char *const left_out[] = {"devices", "cases", "findings"};
    struct cb_run_table table = {.document = *document};
    enum cb_status status =
        cb_layouts_of(layouts, document->tree, document->file, &run->layout, err);
    if (status == CB_OK)
        status = cb_run_table_index(&table, document->file, err);
    if (status == CB_OK && !take_levels(&table, run))
        status = cb_fail(err, CB_ERROR, "out of memory");
    cb_run_table_clear(&table);
    if (status != CB_OK)
        return status;
    for (size_t i = 0; i < CB_COUNTOF(left_out); i++)
        cJSON_DeleteItemFromObjectCaseSensitive(document->tree, left_out[i]);
    cJSON *head = document->tree;
    document->tree = NULL;
    return cb_stored_run_name(run, head, document->file, err);
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
