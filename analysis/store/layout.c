/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/store/layout.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/compare/mismatch.h"
#include "measure/text/json.h"
#include "runtime/host/hash.h"

static const char *const case_keys[] = {"id", "bench", "device", "params", "inputs"};
static const char *const metric_keys[] = {"name", "unit", "better"};

/* ---- Of a document --------------------------------------------------------------------------- */

/* Some members of an object, which it refers to. */
static cJSON *part_of(const cJSON *object, const char *const *keys, size_t n)
{
    cJSON *part = cJSON_CreateObject();
    for (size_t i = 0; i < n; i++) {
        cJSON *member = cJSON_GetObjectItemCaseSensitive(object, keys[i]);
        if (member)
            cJSON_AddItemReferenceToObject(part, keys[i], member);
    }
    return part;
}

static cJSON *cases_of(const cJSON *document)
{
    const cJSON *c, *metric;
    cJSON *cases = cJSON_CreateArray();
    cJSON_ArrayForEach (c, cJSON_GetObjectItemCaseSensitive(document, "cases")) {
        cJSON *part = part_of(c, case_keys, CB_COUNTOF(case_keys));
        cJSON *metrics = cJSON_AddArrayToObject(part, "metrics");
        cJSON_ArrayForEach (metric, cJSON_GetObjectItemCaseSensitive(c, "metrics"))
            cJSON_AddItemToArray(metrics, part_of(metric, metric_keys, CB_COUNTOF(metric_keys)));
        cJSON_AddItemToArray(cases, part);
    }
    return cases;
}

char *cb_layout_text(const cJSON *document)
{
    cJSON *tree = cb_mismatch_circumstances(document);
    cJSON_AddItemToObject(tree, "cases", cases_of(document));
    char *text = cJSON_PrintUnformatted(tree);
    cJSON_Delete(tree);
    return text;
}

/* ---- All ------------------------------------------------------------------------------------- */

const struct cb_layout *cb_layouts_find(const struct cb_layouts *layouts, uint64_t hash)
{
    for (int i = layouts->n - 1; i >= 0;
         i--) /* runs that follow each other tend to have the same */
        if (layouts->items[i]->hash == hash)
            return layouts->items[i];
    return NULL;
}

static void free_layout(struct cb_layout *layout)
{
    if (layout) {
        cb_run_table_free(&layout->table);
        cJSON_free(layout->text);
    }
    free(layout);
}

static bool append(struct cb_layouts *layouts, struct cb_layout *layout)
{
    if (layouts->n == layouts->room) {
        const int room = layouts->room ? 2 * layouts->room : 16;
        struct cb_layout **items = realloc(layouts->items, (size_t)room * sizeof *items);
        if (!items)
            return false;
        layouts->items = items;
        layouts->room = room;
    }
    layout->number = layouts->n;
    layouts->items[layouts->n++] = layout;
    return true;
}

/* Takes the text, even if it fails. */
static enum cb_status add(struct cb_layouts *layouts, char *text, uint64_t hash, const char *file,
                          const struct cb_layout **out, struct cb_err *err)
{
    struct cb_layout *layout = calloc(1, sizeof *layout);
    if (!layout) {
        cJSON_free(text);
        return cb_no_memory(err);
    }
    *layout = (struct cb_layout){.text = text, .hash = hash};
    layout->table.document.tree = cJSON_Parse(text);
    snprintf(layout->table.document.file, sizeof layout->table.document.file, "%s", file);
    enum cb_status status = layout->table.document.tree
                                ? cb_run_table_index(&layout->table, file, err)
                                : cb_fail(err, CB_USAGE, "%s: no layout of a run", file);
    for (int i = 0; i < layout->table.count; i++)
        layout->n_metrics += layout->table.cases[i].n_metrics;
    if (status == CB_OK && !append(layouts, layout))
        status = cb_no_memory(err);
    if (status == CB_OK)
        *out = layout;
    else
        free_layout(layout);
    return status;
}

enum cb_status cb_layouts_take(struct cb_layouts *layouts, char *text, const char *file,
                               const struct cb_layout **layout, struct cb_err *err)
{
    const uint64_t hash = cb_hash(CB_HASH_START, text, strlen(text));
    *layout = cb_layouts_find(layouts, hash);
    if (!*layout)
        return add(layouts, text, hash, file, layout, err);
    cJSON_free(text);
    return CB_OK;
}

enum cb_status cb_layouts_add(struct cb_layouts *layouts, const char *text, const char *file,
                              const struct cb_layout **layout, struct cb_err *err)
{
    const size_t n = strlen(text) + 1;
    char *copy = cJSON_malloc(n);
    if (!copy)
        return cb_no_memory(err);
    memcpy(copy, text, n);
    return add(layouts, copy, cb_hash(CB_HASH_START, text, n - 1), file, layout, err);
}

void cb_layouts_free(struct cb_layouts *layouts)
{
    for (int i = 0; i < layouts->n; i++)
        free_layout(layouts->items[i]);
    free(layouts->items);
    *layouts = (struct cb_layouts){0};
}
