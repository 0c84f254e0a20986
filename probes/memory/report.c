/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/memory/report.h"

#include <math.h>
#include <string.h>

#include "measure/json.h"
#include "measure/table.h"
#include "runtime/error.h"

#define MAX_GROUPS 16 /* columns of the sweep; all are in summary.csv */

static const char *const contentions[] = {"contentious", "noncontentious"};
static const char *const operations[] = {"read", "write", "chase"};
static const char *const accesses[] = {"volatile", "atomic", "volatile_after_atomic"};

/* A median with its 95 % interval. */
struct estimate {
    double median, low, high;
};

struct report {
    const cJSON *run;
    const char *device;
};

static const cJSON *find_case(const struct report *r, const char *contention, const char *operation,
                              const char *access, const char *groups)
{
    char id[160];
    const cJSON *item;
    snprintf(id, sizeof id, "memory/%s.%s.%s/groups=%s", contention, operation, access, groups);
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(r->run, "cases"))
        if (strcmp(cb_json_text(item, "device", ""), r->device) == 0 &&
            strcmp(cb_json_text(item, "id", ""), id) == 0)
            return item;
    return NULL;
}

static struct estimate time_of(const cJSON *item)
{
    return (struct estimate){cb_json_metric(item, "time", "median"),
                             cb_json_metric(item, "time", "ci95_low"),
                             cb_json_metric(item, "time", "ci95_high")};
}

/* The interval of a quotient of two medians encloses all quotients of their intervals. */
static struct estimate quotient(struct estimate a, struct estimate b)
{
    return (struct estimate){a.median / b.median, a.low / b.high, a.high / b.low};
}

/* Three digits, and no exponent. */
static void format_number(char *text, size_t size, double value)
{
    snprintf(text, size, value >= 999.5 ? "%.0f" : "%.3g", value);
}

static void format_estimate(struct estimate e, double unit, char cell[CB_CELL_BYTES])
{
    char median[24], low[24], high[24];
    format_number(median, sizeof median, e.median / unit);
    format_number(low, sizeof low, e.low / unit);
    format_number(high, sizeof high, e.high / unit);
    if (isnan(e.median))
        strcpy(cell, "-");
    else if (isnan(e.low))
        strcpy(cell, median);
    else
        snprintf(cell, CB_CELL_BYTES, "%s [%s, %s]", median, low, high);
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
                    quotient(
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
    if (open_table(&t, 2, "contention", "Atomic over volatile (Tab. 3)", out)) {
        for (int row = 0; row < 2; row++) {
            const char *contention = contentions[row];
            strcpy(cb_table_cell(&t, 1 + row, 0), contention);
            for (int k = 0; k < 2; k++)
                format_estimate(
                    quotient(time_of(find_case(r, contention, operations[k], "atomic", "N")),
                             time_of(find_case(r, contention, operations[k], "volatile", "N"))),
                    1, cb_table_cell(&t, 1 + row, 1 + k));
        }
        cb_table_print(out, &t);
    }
    cb_table_free(&t);
}

/* The values of "groups" of the device's cases, as in the document. */
static int group_names(const struct report *r, const char *names[MAX_GROUPS])
{
    int n = 0;
    const cJSON *item;
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(r->run, "cases")) {
        const char *name =
            cb_json_text(cJSON_GetObjectItemCaseSensitive(item, "params"), "groups", NULL);
        bool known = !name || strcmp(cb_json_text(item, "bench", ""), "memory") != 0 ||
                     strcmp(cb_json_text(item, "device", ""), r->device) != 0;
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
    format_estimate((struct estimate){cb_json_metric(item, "access_time", "median"), NAN, NAN}, 1,
                    cell);
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

static void print_sweep(FILE *out, const struct report *r)
{
    const char *names[MAX_GROUPS];
    int n = group_names(r, names);
    struct cb_table t;
    fprintf(out,
            "\nNanoseconds an access, by workgroups (chase: each waits for the one before)\n\n");
    if (cb_table_open(1 + PROBES, 1 + n, ~1u, &t)) {
        fill_sweep(r, &t, names, n);
        cb_table_print(out, &t);
    }
    cb_table_free(&t);
}

/* A line per distance: at which is a neighbour's word as good as far away? */
static void print_distances(FILE *out, const struct report *r)
{
    static const char *const heads[] = {"distance (bytes)", "volatile reads", "volatile writes",
                                        "atomic reads", "atomic writes"};
    struct cb_table t;
    const cJSON *cases = cJSON_GetObjectItemCaseSensitive(r->run, "cases"), *item;
    if (cb_table_open(1 + cJSON_GetArraySize(cases), 5, ~0u, &t)) {
        for (int i = 0; i < 5; i++)
            strcpy(cb_table_cell(&t, 0, i), heads[i]);
        t.rows = 1;
        cJSON_ArrayForEach (item, cases) {
            const cJSON *params = cJSON_GetObjectItemCaseSensitive(item, "params");
            if (strcmp(cb_json_text(item, "device", ""), r->device) != 0 ||
                strcmp(cb_json_text(params, "contention", ""), "spaced") != 0)
                continue;
            int column = 1 + (strcmp(cb_json_text(params, "operation", ""), "write") == 0) +
                         2 * (strcmp(cb_json_text(params, "access", ""), "atomic") == 0);
            char bytes[32];
            int row = 1;
            snprintf(bytes, sizeof bytes, "%.0f", cb_json_number(params, "stride_bytes"));
            while (row < t.rows && strcmp(cb_table_cell(&t, row, 0), bytes) != 0)
                row++;
            t.rows = row == t.rows ? row + 1 : t.rows;
            strcpy(cb_table_cell(&t, row, 0), bytes);
            format_access(item, cb_table_cell(&t, row, column));
        }
        if (t.rows > 1) {
            fprintf(out,
                    "\nNanoseconds an access, by the distance between the workgroups' words\n\n");
            cb_table_print(out, &t);
        }
    }
    cb_table_free(&t);
}

void cb_memory_report(FILE *out, const cJSON *run)
{
    const cJSON *device;
    cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(run, "devices")) {
        struct report r = {run, cb_json_text(device, "id", "")};
        const cJSON *full = find_case(&r, "contentious", "read", "atomic", "N");
        fprintf(out, "\n%s", cb_json_text(device, "name", ""));
        if (!isnan(cb_json_metric(full, "groups", "median")))
            fprintf(out, ": N = %.0f workgroups", cb_json_metric(full, "groups", "median"));
        fputc('\n', out);
        print_times(out, &r);
        print_contention(out, &r);
        print_atomicity(out, &r);
        print_sweep(out, &r);
        print_distances(out, &r);
    }
}
