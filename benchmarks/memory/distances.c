/* SPDX-License-Identifier: Apache-2.0 */
#include "benchmarks/memory/distances.h"

#include <math.h>
#include <string.h>

#include "measure/text/json.h"
#include "measure/text/table.h"
#include "runtime/host/error.h"

/* A table with a line per distance, of the cases of one contention. */
struct by_bytes {
    const char *title, *contention, *key; /* key: the parameter that is the distance */
    const char *heads[5];
    int columns;
    int (*column_of)(const cJSON *params);
};

static int spaced_column(const cJSON *params)
{
    return 1 + (strcmp(cb_json_text(params, "operation", ""), "write") == 0) +
           2 * (strcmp(cb_json_text(params, "access", ""), "atomic") == 0);
}

static int hostage_column(const cJSON *params)
{
    const char *access = cb_json_text(params, "access", "");
    return strcmp(access, "idle") == 0 ? 1 : strcmp(access, "volatile") == 0 ? 2 : 3;
}

/* At which distance is a neighbour's word as good as far away? */
static const struct by_bytes tables_by_bytes[] = {
    {"Nanoseconds an access, by the distance between the workgroups' words",
     "spaced",
     "stride_bytes",
     {"distance (bytes)", "volatile reads", "volatile writes", "atomic reads", "atomic writes"},
     5,
     spaced_column},
    {"Nanoseconds a read by one workgroup, by the distance of its word from the others' word",
     "hostage",
     "distance_bytes",
     {"distance (bytes)", "others idle", "others read", "others add atomically"},
     4,
     hostage_column},
};

static void fill_by_bytes(const cJSON *cases, const char *device, const struct by_bytes *b,
                          struct cb_table *t)
{
    const cJSON *item;
    for (int i = 0; i < b->columns; i++)
        strcpy(cb_table_cell(t, 0, i), b->heads[i]);
    t->rows = 1;
    cJSON_ArrayForEach (item, cases) {
        const cJSON *params = cb_json_params(item);
        if (strcmp(cb_json_text(item, "device", ""), device) != 0 ||
            strcmp(cb_json_text(params, "contention", ""), b->contention) != 0)
            continue;
        char bytes[32];
        int row = 1;
        snprintf(bytes, sizeof bytes, "%.0f", cb_json_number(params, b->key));
        while (row < t->rows && strcmp(cb_table_cell(t, row, 0), bytes) != 0)
            row++;
        t->rows = row == t->rows ? row + 1 : t->rows;
        strcpy(cb_table_cell(t, row, 0), bytes);
        double ns = cb_json_metric(item, "access_time", "median");
        snprintf(cb_table_cell(t, row, b->column_of(params)), CB_CELL_BYTES,
                 isnan(ns)     ? "-"
                 : ns >= 999.5 ? "%.0f"
                               : "%.3g",
                 ns);
    }
}

static void print_by_bytes(FILE *out, const cJSON *cases, const char *device,
                           const struct by_bytes *b)
{
    struct cb_table t;
    if (cb_table_open(1 + cJSON_GetArraySize(cases), b->columns, ~0u, &t)) {
        fill_by_bytes(cases, device, b, &t);
        if (t.rows > 1) {
            fprintf(out, "\n%s\n\n", b->title);
            cb_table_print(out, &t);
        }
    }
    cb_table_free(&t);
}

void cb_memory_print_distances(FILE *out, const cJSON *run, const char *device_id)
{
    const cJSON *cases = cJSON_GetObjectItemCaseSensitive(run, "cases");
    for (size_t i = 0; i < CB_COUNTOF(tables_by_bytes); i++)
        print_by_bytes(out, cases, device_id, &tables_by_bytes[i]);
}
