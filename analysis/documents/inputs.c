/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/documents/inputs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/documents/rows.h"
#include "measure/identity.h"
#include "measure/text/json.h"
#include "measure/text/table.h"
#include "runtime/host/hash.h"

/* An array of ["roads.gr", "264346 vertices, 730100 edges"]; the same again is left out. */
static void add_once(cJSON *list, const char *name, const char *contents)
{
    const cJSON *known;
    cJSON_ArrayForEach (known, list)
        if (strcmp(cb_json_item_text(known->child), name) == 0 &&
            strcmp(cb_json_item_text(known->child->next), contents) == 0)
            return;
    const char *const both[] = {name, contents};
    cJSON_AddItemToArray(list, cJSON_CreateStringArray(both, 2));
}

/* Whether nothing was read but a source: a kernel without setup or build options. */
static bool is_of_nothing(const cJSON *identity)
{
    char nothing[24];
    snprintf(nothing, sizeof nothing, "%016" PRIx64, CB_HASH_START);
    return strcmp(cb_json_text(identity, "hash", ""), nothing) == 0;
}

static cJSON *list_inputs(const cJSON *run, const char *bench)
{
    cJSON *list = cJSON_CreateArray();
    const struct cb_rows rows = {.run = run, .bench = bench};
    for (const cJSON *row = cb_rows_next(&rows, NULL); row; row = cb_rows_next(&rows, row)) {
        const cJSON *identity;
        char contents[CB_CELL_BYTES];
        cJSON_ArrayForEach (identity, cJSON_GetObjectItemCaseSensitive(row, "inputs")) {
            if (is_of_nothing(identity))
                continue;
            cb_identity_describe(identity, contents, sizeof contents);
            add_once(list, cb_row_text(row, identity->string), contents);
        }
    }
    return list;
}

#define MOST 24 /* that are listed: a stress test reads hundreds of drawn ones */

void cb_inputs_print(FILE *out, const cJSON *run, const char *bench)
{
    cJSON *list = list_inputs(run, bench);
    const cJSON *item;
    struct cb_table t;
    const int all = cJSON_GetArraySize(list);
    int n = 0;
    if (all > 0 && cb_table_open(1 + (all < MOST ? all : MOST), 2, 0, &t)) {
        strcpy(cb_table_cell(&t, 0, 0), "input");
        strcpy(cb_table_cell(&t, 0, 1), "what was read");
        cJSON_ArrayForEach (item, list) {
            if (n == MOST)
                break;
            cb_table_put(&t, ++n, 0, cb_json_item_text(item->child));
            cb_table_put(&t, n, 1, cb_json_item_text(item->child->next));
        }
        fputs("\nInputs (an undirected edge counts twice)\n\n", out);
        cb_table_print(out, &t);
        if (all > MOST)
            fprintf(out, "\nand %d more (\"inputs\" in run.json)\n", all - MOST);
        cb_table_free(&t);
    }
    cJSON_Delete(list);
}
