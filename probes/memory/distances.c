/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/memory/distances.h"

#include <math.h>
#include <string.h>

#include "analysis/documents/rows.h"
#include "measure/text/json.h"
#include "measure/text/table.h"
#include "runtime/host/error.h"

/* A table with a line per distance, of the cases of one contention. */
struct by_bytes {
    const char *title, *contention, *key; /* key: the parameter that is the distance */
    const char *heads[5];
    int columns;
    int (*column_of)(const cJSON *row);
};

static int spaced_column(const cJSON *row)
{
    return 1 + (strcmp(cb_row_text(row, "operation"), "write") == 0) +
           2 * (strcmp(cb_row_text(row, "access"), "atomic") == 0);
}

static int hostage_column(const cJSON *row)
{
    const char *access = cb_row_text(row, "access");
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

/* The line of a distance, which is a new one if there is none. */
static int line_of(struct cb_table *t, double distance)
{
    char bytes[32];
    int line = 1;
    snprintf(bytes, sizeof bytes, "%.0f", distance);
    while (line < t->rows && strcmp(cb_table_cell(t, line, 0), bytes) != 0)
        line++;
    t->rows = line == t->rows ? line + 1 : t->rows;
    strcpy(cb_table_cell(t, line, 0), bytes);
    return line;
}

static void fill_by_bytes(const struct cb_rows *rows, const struct by_bytes *b, struct cb_table *t)
{
    for (int i = 0; i < b->columns; i++)
        strcpy(cb_table_cell(t, 0, i), b->heads[i]);
    t->rows = 1;
    for (const cJSON *row = cb_rows_next(rows, NULL); row; row = cb_rows_next(rows, row)) {
        int line = line_of(t, cb_row_number(row, b->key));
        double ns = cb_json_metric(row, "access_time", "median");
        snprintf(cb_table_cell(t, line, b->column_of(row)), CB_CELL_BYTES,
                 isnan(ns)     ? "-"
                 : ns >= 999.5 ? "%.0f"
                               : "%.3g",
                 ns);
    }
}

static void print_by_bytes(FILE *out, const struct cb_rows *rows, const struct by_bytes *b)
{
    struct cb_table t;
    if (cb_table_open(1 + cb_rows_count(rows), b->columns, ~0u, &t)) {
        fill_by_bytes(rows, b, &t);
        if (t.rows > 1) {
            fprintf(out, "\n%s\n\n", b->title);
            cb_table_print(out, &t);
        }
    }
    cb_table_free(&t);
}

void cb_memory_print_distances(FILE *out, const cJSON *run, const char *device_id)
{
    for (size_t i = 0; i < CB_COUNTOF(tables_by_bytes); i++) {
        struct cb_rows rows = {.run = run, .bench = "memory", .device = device_id};
        cb_rows_is(&rows, "contention", tables_by_bytes[i].contention);
        print_by_bytes(out, &rows, &tables_by_bytes[i]);
    }
}
