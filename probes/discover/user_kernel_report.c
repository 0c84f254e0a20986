/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/discover/user_kernel_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/column.h"
#include "measure/text/json.h"
#include "runtime/host/text.h"

/* Rows of workgroup sizes, or of what the API says, of all kernels of a device. */
static struct cb_rows rows_of(const cJSON *run, const char *device_id, bool claims)
{
    struct cb_rows rows = {.run = run, .bench = "discover", .device = device_id};
    cb_rows_have(&rows, "kernel");
    if (claims)
        cb_rows_flag(&rows, "claims");
    else
        cb_rows_lack(&rows, "claims");
    return rows;
}

/* "lud_internal" of "./lud.cl:lud_internal". */
static const char *name_of(const cJSON *row)
{
    const char *kernel = cb_row_text(row, "kernel"), *colon = strrchr(kernel, ':');
    return colon ? colon + 1 : kernel;
}

static double work_items(const cJSON *row)
{
    const double given = cb_row_number(row, "wg-size");
    return isnan(given) ? cb_json_metric(row, "wg_size", "median") : given;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static void kernel_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    snprintf(cell, CB_CELL_BYTES, "%s", name_of(row));
}

static void items_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    const double items = work_items(row);
    (void)rows;
    snprintf(cell, CB_CELL_BYTES, "%.0f", items);
    if (isnan(items))
        strcpy(cell, "required");
}

/* The median of a metric; nothing where there is none. */
static void number(char cell[CB_CELL_BYTES], const cJSON *row, const char *metric, const char *unit)
{
    const double value = cb_json_metric(row, metric, "median");
    snprintf(cell, CB_CELL_BYTES, "%.*f%s", value == floor(value) ? 0 : 2, value, unit);
    if (isnan(value))
        cell[0] = '\0';
}

static void unit_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    number(cell, row, "groups_per_unit", "");
}

static void room_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    number(cell, row, "api_groups", "");
}

static void by_items_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    number(cell, row, "api_groups_items", "");
}

static void cuda_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    number(cell, row, "cuda_groups", "");
}

static void local_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    number(cell, row, "api_local_bytes", " B");
}

static void private_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    number(cell, row, "api_private_bytes", " B");
}

static void print_sizes(FILE *out, const struct cb_rows *rows)
{
    static const struct cb_column columns[] = {
        {.head = "kernel", .fill = kernel_cell, .left = true},
        {.head = "work-items", .fill = items_cell},
        {.head = "run at once",
         .metric = "groups_bound",
         .statistic = "median",
         .form = CB_FORM_COUNT},
        {.head = "a compute unit", .fill = unit_cell},
        {.head = "local memory (API)", .fill = local_cell},
        {.head = "by local memory", .fill = room_cell},
        {.head = "by work-items", .fill = by_items_cell},
        {.head = "CUDA", .fill = cuda_cell}, /* the last: left out where it claims nothing */
    };
    struct cb_rows cudas = *rows;
    cudas.metric = "cuda_groups";
    const bool has_cudas = cb_rows_next(&cudas, NULL);
    fprintf(out,
            "\nWorkgroups of your kernels that run at once. By local memory: compute units x those "
            "that fit into\nCL_DEVICE_LOCAL_MEM_SIZE, by work-items: into "
            "CL_KERNEL_WORK_GROUP_SIZE; OpenCL does not say that\na compute unit has as much%s\n\n",
            has_cudas ? ". CUDA: its occupancy calculator" : "");
    cb_rows_print(out, rows, columns, (int)CB_COUNTOF(columns) - !has_cudas);
    cb_rows_print_notes(out, rows, NULL);
}

static void print_claims(FILE *out, const struct cb_rows *rows)
{
    static const struct cb_column columns[] = {
        {.head = "kernel", .fill = kernel_cell, .left = true},
        {.head = "most work-items",
         .metric = "api_wg_size",
         .statistic = "median",
         .form = CB_FORM_COUNT},
        {.head = "preferred multiple",
         .metric = "api_wg_multiple",
         .statistic = "median",
         .form = CB_FORM_COUNT},
        {.head = "private memory", .fill = private_cell},
    };
    fputs("\nWhat the API says of them as they are (clGetKernelWorkGroupInfo)\n\n", out);
    cb_rows_print(out, rows, columns, CB_COUNTOF(columns));
}

void cb_user_kernels_report(FILE *out, const cJSON *run, const char *device_id)
{
    const struct cb_rows sizes = rows_of(run, device_id, false),
                         claims = rows_of(run, device_id, true);
    if (cb_rows_next(&sizes, NULL))
        print_sizes(out, &sizes);
    if (cb_rows_next(&claims, NULL))
        print_claims(out, &claims);
}

/* ---- Findings -------------------------------------------------------------------------------- */

#define MOST_SIZES 12 /* that a sentence lists */

static double bound_of(const cJSON *row)
{
    return cb_json_metric(row, "groups_bound", "median");
}

static bool are_all_as(const struct cb_rows *rows, double bound)
{
    for (const cJSON *row = cb_rows_next(rows, NULL); row; row = cb_rows_next(rows, row))
        if (bound_of(row) != bound)
            return false;
    return true;
}

/* "8 workgroups of 64 work-items here, 4 of 128"; a size that has as many as the one before it is
 * left out. */
static void list_sizes(const struct cb_rows *rows, char *text, size_t size)
{
    double before = NAN;
    int n = 0;
    *text = '\0';
    for (const cJSON *row = cb_rows_next(rows, NULL); row && n < MOST_SIZES;
         row = cb_rows_next(rows, row)) {
        const double bound = bound_of(row);
        if (bound == before)
            continue;
        before = bound;
        if (n++ == 0)
            snprintf(text, size, "%.0f workgroup%s of %.0f work-item%s here", bound,
                     CB_PLURAL(bound), work_items(row), CB_PLURAL(work_items(row)));
        else
            cb_text_join(text, size, "%.0f of %.0f", bound, work_items(row));
    }
}

static void find_kernel(struct cb_findings *f, const struct cb_rows *rows, const cJSON *first)
{
    char sizes[512];
    const double bound = bound_of(first);
    if (cb_rows_count(rows) > 1 && are_all_as(rows, bound))
        snprintf(sizes, sizeof sizes, "%.0f workgroup%s here, whatever their size", bound,
                 CB_PLURAL(bound));
    else
        list_sizes(rows, sizes, sizeof sizes);
    cb_finding_add(
        f, "kernel",
        "A persistent kernel of `%s` can have at most %s: one more does not start before "
        "another has ended.",
        name_of(first), sizes);
}

void cb_user_kernels_find(struct cb_findings *f)
{
    struct cb_rows rows = rows_of(f->run, cb_json_text(f->device, "id", ""), false);
    rows.ok = true;
    rows.metric = "groups_bound";
    const char *last = "";
    for (const cJSON *row = cb_rows_next(&rows, NULL); row; row = cb_rows_next(&rows, row)) {
        if (strcmp(cb_row_text(row, "kernel"), last) == 0)
            continue;
        last = cb_row_text(row, "kernel");
        struct cb_rows own = rows;
        cb_rows_like(&own, row, "kernel");
        find_kernel(f, &own, row);
    }
}
