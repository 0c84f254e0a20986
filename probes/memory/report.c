/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/memory/report.h"

#include <math.h>
#include <string.h>

#include "analysis/documents/rows.h"
#include "measure/estimate.h"
#include "measure/text/json.h"
#include "measure/text/table.h"
#include "probes/memory/distances.h"
#include "probes/memory/predict.h"
#include "runtime/host/text.h"

#define MAX_GROUPS 16 /* columns of the sweep; all are in summary.csv */

static const char *const contentions[] = {"contentious", "noncontentious"};
static const char *const operations[] = {"read", "write", "chase"};
static const char *const accesses[] = {"volatile", "atomic", "volatile_after_atomic"};

struct report {
    const cJSON *run;
    const char *device;
};

static const cJSON *find_case(const struct report *r, const char *contention, const char *operation,
                              const char *access, const char *groups)
{
    return cb_row_with_id(r->run, r->device, "memory/%s.%s.%s/groups=%s", contention, operation,
                          access, groups);
}

static struct cb_estimate time_of(const cJSON *item)
{
    return cb_estimate_of(item, "time");
}

static void format_estimate(struct cb_estimate e, double unit, char cell[CB_CELL_BYTES])
{
    struct cb_estimate scaled = {e.median / unit, e.low / unit, e.high / unit};
    if (isnan(e.median))
        strcpy(cell, "-");
    else
        cb_estimate_number(cell, scaled);
}

static bool open_table(struct cb_table *t, int rows, const char *first, const char *title,
                       FILE *out)
{
    fprintf(out, "\n%s\n\n", title);
    if (!cb_table_open(1 + rows, 3, 0, t))
        return false;
    strcpy(cb_table_cell(t, 0, 0), first);
    strcpy(cb_table_cell(t, 0, 1), "reads");
    strcpy(cb_table_cell(t, 0, 2), "writes");
    return true;
}

static void print_times(FILE *out, const struct report *r)
{
    struct cb_table t;
    if (open_table(&t, 6, "access", "Time in µs, median [95 % interval] (Tab. 1)", out)) {
        for (int row = 0; row < 6; row++) {
            const char *contention = contentions[row % 2], *access = accesses[row / 2];
            snprintf(cb_table_cell(&t, 1 + row, 0), CB_CELL_BYTES, "%s %s", contention, access);
            for (int k = 0; k < 2; k++)
                format_estimate(time_of(find_case(r, contention, operations[k], access, "N")), 1e3,
                                cb_table_cell(&t, 1 + row, 1 + k));
        }
        cb_table_print(out, &t);
    }
    cb_table_free(&t);
}

static void print_contention(FILE *out, const struct report *r)
{
    struct cb_table t;
    if (open_table(&t, 3, "access", "Contentious over noncontentious (Tab. 2)", out)) {
        for (int row = 0; row < 3; row++) {
            strcpy(cb_table_cell(&t, 1 + row, 0), accesses[row]);
            for (int k = 0; k < 2; k++)
                format_estimate(
                    cb_estimate_quotient(
                        time_of(find_case(r, contentions[0], operations[k], accesses[row], "N")),
                        time_of(find_case(r, contentions[1], operations[k], accesses[row], "N"))),
                    1, cb_table_cell(&t, 1 + row, 1 + k));
        }
        cb_table_print(out, &t);
    }
    cb_table_free(&t);
}

static void print_atomicity(FILE *out, const struct report *r)
{
    struct cb_table t;
    if (open_table(&t, 4, "access", "Over volatile (Tab. 3)", out)) {
        for (int row = 0; row < 4; row++) {
            const char *contention = contentions[row % 2], *access = accesses[1 + row / 2];
            snprintf(cb_table_cell(&t, 1 + row, 0), CB_CELL_BYTES, "%s %s", contention, access);
            for (int k = 0; k < 2; k++)
                format_estimate(
                    cb_estimate_quotient(
                        time_of(find_case(r, contention, operations[k], access, "N")),
                        time_of(find_case(r, contention, operations[k], "volatile", "N"))),
                    1, cb_table_cell(&t, 1 + row, 1 + k));
        }
        cb_table_print(out, &t);
    }
    cb_table_free(&t);
}

/* Whether a row is in Tabs. 1 to 3, or in their sweep. */
static bool is_swept(const cJSON *row)
{
    const char *contention = cb_row_text(row, "contention");
    return strcmp(contention, contentions[0]) == 0 || strcmp(contention, contentions[1]) == 0;
}

/* The values of "groups" of the device's rows, as in the document. */
static int group_names(const struct report *r, const char *names[MAX_GROUPS])
{
    struct cb_rows rows = {.run = r->run, .bench = "memory", .device = r->device};
    int n = 0;
    cb_rows_have(&rows, "groups");
    for (const cJSON *row = cb_rows_next(&rows, NULL); row; row = cb_rows_next(&rows, row)) {
        const char *name = cb_row_text(row, "groups");
        bool known = !is_swept(row);
        for (int i = 0; i < n && !known; i++)
            known = strcmp(names[i], name) == 0;
        if (!known && n < MAX_GROUPS)
            names[n++] = name;
    }
    return n;
}

/* Nanoseconds an access of a case. */
static void format_access(const cJSON *item, char cell[CB_CELL_BYTES])
{
    format_estimate((struct cb_estimate){cb_json_metric(item, "access_time", "median"), NAN, NAN},
                    1, cell);
}

#define PROBES 18

static void fill_sweep(const struct report *r, struct cb_table *t, const char *const *names, int n)
{
    strcpy(cb_table_cell(t, 0, 0), "workgroups");
    for (int i = 0; i < n; i++)
        snprintf(cb_table_cell(t, 0, 1 + i), CB_CELL_BYTES, "%s", names[i]);
    for (int row = 0; row < PROBES; row++) {
        const char *c = contentions[row % 2], *o = operations[row / 2 % 3], *a = accesses[row / 6];
        snprintf(cb_table_cell(t, 1 + row, 0), CB_CELL_BYTES, "%s.%s.%s", c, o, a);
        for (int i = 0; i < n; i++)
            format_access(find_case(r, c, o, a, names[i]), cb_table_cell(t, 1 + row, 1 + i));
    }
}

static void print_sweep(FILE *out, const struct report *r, const char *const *names, int n)
{
    struct cb_table t;
    fprintf(out,
            "\nNanoseconds an access, by workgroups (chase: each waits for the one before)\n\n");
    if (cb_table_open(1 + PROBES, 1 + n, ~1u, &t)) {
        fill_sweep(r, &t, names, n);
        cb_table_print(out, &t);
    }
    cb_table_free(&t);
}

static void print_tables(FILE *out, const struct report *r)
{
    const char *names[MAX_GROUPS];
    int n = group_names(r, names);
    if (n == 0)
        return;
    print_times(out, r);
    print_contention(out, r);
    print_atomicity(out, r);
    print_sweep(out, r, names, n);
}

static void print_abstraction(FILE *out, const struct report *r)
{
    struct cb_machine machine;
    char missing[160];
    if (cb_machine_of(r->run, r->device, &machine, missing)) {
        cb_machine_print(out, &machine);
        cb_prediction_print(out, &machine);
    } else {
        fprintf(out, "\nNo machine abstraction: it takes %s, and others\n", missing);
    }
}

void cb_memory_report(FILE *out, const cJSON *run)
{
    const cJSON *device;
    cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(run, "devices")) {
        struct report r = {run, cb_json_text(device, "id", "")};
        const cJSON *full = find_case(&r, "contentious", "read", "atomic", "N");
        const double groups = cb_json_metric(full, "groups", "median");
        fprintf(out, "\n%s", cb_json_text(device, "name", ""));
        if (!isnan(groups))
            fprintf(out, ": N = %.0f workgroup%s", groups, CB_PLURAL(groups));
        fputc('\n', out);
        print_tables(out, &r);
        cb_memory_print_distances(out, run, r.device);
        print_abstraction(out, &r);
    }
}

bool cb_memory_learn(const cJSON *run, const char *device_id, cJSON *profile)
{
    struct cb_machine machine;
    char missing[160], reason[512];
    if (!cb_machine_of(run, device_id, &machine, missing))
        return false;
    cJSON_DeleteItemFromObjectCaseSensitive(profile, "memory");
    cJSON *section = cJSON_AddObjectToObject(profile, "memory");
    cJSON_AddStringToObject(section, "run_id", cb_json_text(run, "run_id", ""));
    cJSON_AddItemToObject(section, "parameters", cb_machine_to_json(&machine));
    cJSON_AddStringToObject(section, "class", cb_machine_class(&machine, reason));
    cJSON_AddItemToObject(section, "prediction", cb_prediction_to_json(&machine));
    return true;
}
