/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/discover/claims.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/column.h"
#include "measure/text/json.h"
#include "probes/discover/configuration.h"
#include "runtime/cuda.h"
#include "runtime/program_cache.h"

/* ---- Asking ---------------------------------------------------------------------------------- */

static size_t ask(const struct cb_session *session, cl_kernel kernel,
                  cl_kernel_work_group_info what)
{
    size_t value = 0;
    return clGetKernelWorkGroupInfo(kernel, session->device, what, sizeof value, &value, NULL) ==
                   CL_SUCCESS
               ? value
               : 0;
}

size_t cb_claimed_wg_size(const struct cb_session *session, cl_kernel kernel)
{
    return ask(session, kernel, CL_KERNEL_WORK_GROUP_SIZE);
}

/* The API's 0 is nothing that it says. */
static void add(struct cb_sample *sample, const char *metric, double value)
{
    if (value > 0)
        cb_sample_add(sample, metric, value);
}

void cb_claims_add_kernel(const struct cb_claimed *c, struct cb_sample *sample)
{
    add(sample, "api_wg_size", (double)cb_claimed_wg_size(c->session, c->kernel));
    add(sample, "api_wg_multiple",
        (double)ask(c->session, c->kernel, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE));
    add(sample, "api_private_bytes", (double)cb_kernel_needs(c->session, c->kernel).private_bytes);
}

/* Sub-groups of a workgroup, where the device has any (OpenCL 2.1): older drivers may lack the
 * function. */
static void add_sub_groups(const struct cb_claimed *c, struct cb_sample *sample)
{
    size_t n = 0;
    double version = 0;
    if (sscanf(c->session->info.device_version, "OpenCL %lf", &version) == 1 && version > 2.05 &&
        clGetKernelSubGroupInfo(c->kernel, c->session->device,
                                CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, sizeof c->wg_size,
                                &c->wg_size, sizeof n, &n, NULL) == CL_SUCCESS)
        add(sample, "api_sub_groups", (double)n);
}

static void add_cudas(const struct cb_claimed *c, struct cb_sample *sample)
{
    size_t size;
    uint64_t groups = 0;
    struct cb_err err = {0};
    if (!cb_cuda_may_know(&c->session->info))
        return;
    char *ptx = cb_program_binary(c->program, &size);
    const struct cb_cuda_kernel kernel = {ptx, c->name, c->wg_size, c->argument_bytes};
    if (!ptx)
        cb_fail(&err, CB_UNSUPPORTED, "the driver does not tell the kernel's PTX");
    else if (cb_cuda_groups(&c->session->info, &kernel, &groups, &err) == CB_OK)
        cb_sample_add(sample, "cuda_groups", (double)groups);
    if (err.status != CB_OK)
        cb_sample_note(sample, "CUDA claims nothing: %s", err.text);
    free(ptx);
}

/* A compute unit is taken to have CL_DEVICE_LOCAL_MEM_SIZE, and registers for
 * CL_KERNEL_WORK_GROUP_SIZE work-items, since a workgroup may have as much: OpenCL does not say
 * that it has no more. */
void cb_claims_add_groups(const struct cb_claimed *c, struct cb_sample *sample)
{
    const struct cb_device *device = &c->session->info;
    const uint64_t bytes = cb_kernel_needs(c->session, c->kernel).local_bytes;
    const uint64_t by_local = bytes > 0 ? device->local_mem_bytes / bytes : 0;
    const uint64_t claimed = cb_claimed_wg_size(c->session, c->kernel);
    const uint64_t by_items = claimed / c->wg_size; /* 0: too few for one workgroup */
    add(sample, "api_local_bytes", (double)bytes);
    add(sample, "api_groups", (double)device->compute_units * (double)by_local);
    if (claimed > 0)
        cb_sample_add(sample, "api_groups_items", (double)device->compute_units * (double)by_items);
    add_sub_groups(c, sample);
    add_cudas(c, sample);
}

/* ---- The table ------------------------------------------------------------------------------- */

/* "264", "132, too few" or "4224, too many", beside a bound; nothing for NaN. */
static void format_claim(char cell[CB_CELL_BYTES], double claimed, double bound)
{
    *cell = '\0';
    if (!isnan(claimed))
        snprintf(cell, CB_CELL_BYTES, "%.0f%s", claimed,
                 claimed < bound   ? ", too few"
                 : claimed > bound ? ", too many"
                                   : "");
}

static double median(const cJSON *row, const char *metric)
{
    return cb_json_metric(row, metric, "median");
}

static void claim(char cell[CB_CELL_BYTES], const cJSON *row, const char *metric)
{
    format_claim(cell, median(row, metric), median(row, "groups_bound"));
}

static void configuration_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows,
                               const cJSON *row)
{
    (void)rows;
    cb_discover_configuration(row, cell);
}

/* What a protocol of the same run has found: the lock-free one. */
static void protocol_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    static const char *const same[] = {"microbenchmark", "wg-size", "dimensions"};
    struct cb_rows found = {.run = rows->run, .bench = "discover", .device = rows->device};
    found.ok = true;
    cb_rows_is(&found, "protocol", "lockfree");
    for (size_t i = 0; i < CB_COUNTOF(same); i++)
        cb_rows_like(&found, row, same[i]);
    const cJSON *first = cb_rows_next(&found, NULL);
    const double mean = first ? cb_json_metric(first, "groups_found", "mean") : NAN;
    *cell = '\0';
    if (!isnan(mean))
        snprintf(cell, CB_CELL_BYTES, "%.*f", mean == floor(mean) ? 0 : 1, mean);
}

static void units_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    const cJSON *device = cb_json_device(rows->run, rows->device);
    format_claim(cell, cb_json_number(device, "compute_units"), median(row, "groups_bound"));
}

static void items_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    claim(cell, row, "api_groups_items");
}

static void local_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    claim(cell, row, "api_groups");
}

static void cuda_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    claim(cell, row, "cuda_groups");
}

void cb_claims_report(FILE *out, const cJSON *run, const char *device_id)
{
    static const struct cb_column columns[] = {
        {.head = "configuration", .fill = configuration_cell, .left = true},
        {.head = "run at once",
         .metric = "groups_bound",
         .statistic = "median",
         .form = CB_FORM_COUNT},
        {.head = "lockfree", .fill = protocol_cell},
        {.head = "compute units", .fill = units_cell},
        {.head = "by work-items", .fill = items_cell},
        {.head = "by local memory", .fill = local_cell},
        {.head = "CUDA", .fill = cuda_cell}, /* the last: left out where it claims nothing */
    };
    struct cb_rows rows = {.run = run, .bench = "discover", .device = device_id, .ok = true};
    rows.metric = "api_wg_size"; /* not known of older runs */
    cb_rows_is(&rows, "protocol", "bound");
    struct cb_rows cudas = rows;
    cudas.metric = "cuda_groups";
    const bool has_cudas = cb_rows_next(&cudas, NULL);
    if (!cb_rows_next(&rows, NULL))
        return;
    fprintf(out,
            "\nWhat is claimed of how many run at once, and whether it holds: compute units; those "
            "times as many as\nfit into CL_KERNEL_WORK_GROUP_SIZE, or into "
            "CL_DEVICE_LOCAL_MEM_SIZE%s. Too many\nwould deadlock\n\n",
            has_cudas ? "; CUDA's occupancy calculator" : "");
    cb_rows_print(out, &rows, columns, (int)CB_COUNTOF(columns) - !has_cudas);
    cb_rows_print_notes(out, &rows, NULL);
}
