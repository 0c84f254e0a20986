/* SPDX-License-Identifier: Apache-2.0
 *
 * A Markdown table per device, padded to be read in a terminal too: a line per configuration with
 * a column per protocol, or, where that is too wide, a line per case.
 */
#include "probes/discover/report.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/rows.h"
#include "measure/text/json.h"
#include "measure/text/table.h"
#include "measure/text/units.h"
#include "probes/discover/claims.h"
#include "probes/discover/configuration.h"
#include "probes/discover/headroom.h"
#include "probes/discover/starvation.h"
#include "probes/discover/user_kernel_report.h"
#include "runtime/device.h"
#include "runtime/host/error.h"
#include "runtime/host/text.h"

/* A device's rows, with the numbers of their configurations and protocols. */
struct grid {
    const cJSON **rows;
    int *configuration, *protocol; /* number of each row's configuration and protocol */
    int n, n_configurations, n_protocols;
    int bound;            /* number of the protocol "bound", the search; -1: none */
    const cJSON **search; /* search row of each configuration; NULL: none */
    bool *measured;       /* whether a configuration has other rows */
};

static bool is_search(const cJSON *row)
{
    return strcmp(cb_row_text(row, "protocol"), "bound") == 0;
}

static void note_row(struct grid *g, int i)
{
    const int k = g->configuration[i];
    if (!is_search(g->rows[i])) {
        g->measured[k] = true;
        return;
    }
    g->bound = g->protocol[i];
    if (!g->search[k])
        g->search[k] = g->rows[i];
}

/* Numbers configurations and protocols; false: no memory. */
static bool number_rows(struct grid *g)
{
    static const char *const configuration[] = {"microbenchmark", "wg-size", "dimensions", NULL};
    static const char *const protocol[] = {"protocol", "delay", "ids", "launch", NULL};
    const size_t room = (size_t)g->n + 1;
    g->configuration = calloc(room, sizeof *g->configuration);
    g->protocol = calloc(room, sizeof *g->protocol);
    g->search = calloc(room, sizeof *g->search);
    g->measured = calloc(room, sizeof *g->measured);
    if (!g->configuration || !g->protocol || !g->search || !g->measured)
        return false;
    g->n_configurations = cb_rows_number(g->rows, g->n, configuration, g->configuration);
    g->n_protocols = cb_rows_number(g->rows, g->n, protocol, g->protocol);
    if (g->n > 0 && (g->n_configurations == 0 || g->n_protocols == 0))
        return false;
    for (int i = 0; i < g->n; i++)
        note_row(g, i);
    return true;
}

static void free_grid(struct grid *g)
{
    free(g->rows);
    free(g->configuration);
    free(g->protocol);
    free(g->search);
    free(g->measured);
}

/* ---- Text of cells --------------------------------------------------------------------------- */

/* A row's statistic; a case that is not ok has none, whatever its row holds. */
static double statistic(const cJSON *row, const char *metric, const char *key)
{
    return cb_row_is_ok(row) ? cb_json_metric(row, metric, key) : NAN;
}

/* Formats "ticket, delay 0, ids native"; "adaptive" says enough without "delay". */
static void format_protocol(const cJSON *row, char text[CB_CELL_BYTES])
{
    const char *delay = cb_row_text(row, "delay"), *launch = cb_row_text(row, "launch");
    const char *ids = cb_row_text(row, "ids");
    snprintf(text, CB_CELL_BYTES, "%.20s", cb_row_text(row, "protocol"));
    if (*delay)
        cb_text_join(text, CB_CELL_BYTES, "%s%.20s", isdigit((unsigned char)*delay) ? "delay " : "",
                     delay);
    if (*ids)
        cb_text_join(text, CB_CELL_BYTES, "ids %.20s", ids);
    if (*launch && strcmp(launch, "auto") != 0)
        cb_text_join(text, CB_CELL_BYTES, "launch %.20s", launch);
}

static void format_bound(const cJSON *search, char text[CB_CELL_BYTES])
{
    double groups = statistic(search, "groups_bound", "median");
    snprintf(text, CB_CELL_BYTES, "%.0f", groups);
    if (isnan(groups))
        snprintf(text, CB_CELL_BYTES, "%s",
                 search ? cb_json_text(search, "status", "") : "not searched");
}

/* Formats "4224" where all runs found as many, else "75.6 ± 41.2", a small deviation with its first
 * digit; the status of a case that has no number. */
static void format_found(const cJSON *row, char text[CB_CELL_BYTES])
{
    double mean = statistic(row, "groups_found", "mean"), least = 0.05;
    double deviation = statistic(row, "groups_found", "stddev");
    int digits = 1;
    if (isnan(mean)) {
        snprintf(text, CB_CELL_BYTES, "%s", cb_json_text(row, "status", ""));
    } else if (deviation > 0) {
        for (; deviation < least && digits < 6; digits++)
            least /= 10;
        snprintf(text, CB_CELL_BYTES, "%.*f ± %.*f", digits, mean, digits, deviation);
    } else {
        snprintf(text, CB_CELL_BYTES, "%.*f", mean == floor(mean) ? 0 : 1, mean);
    }
}

/* Formats recall, rounded down near 100 %, which only runs that found all may show. */
static void format_recall(const cJSON *row, char text[CB_CELL_BYTES])
{
    double percent = 100 * statistic(row, "recall", "mean");
    int digits = percent >= 0.95 ? 1 : percent >= 0.095 ? 2 : 3;
    if (percent == 100 || percent == 0)
        digits = 0;
    if (percent > 99.9 && percent < 100)
        percent = 99.9;
    snprintf(text, CB_CELL_BYTES, "%.*f %%", digits, percent);
    if (isnan(percent))
        text[0] = '\0';
}

static void format_time(const cJSON *row, char text[CB_CELL_BYTES])
{
    cb_format_time(text, CB_CELL_BYTES, statistic(row, "protocol_time", "median"));
}

/* Formats "4224, 100 %, 40.7 ms": as far as it is known. */
static void format_case(const cJSON *row, char text[CB_CELL_BYTES])
{
    char part[CB_CELL_BYTES];
    void (*const rest[])(const cJSON *, char *) = {format_recall, format_time};
    format_found(row, text);
    for (size_t i = 0; i < CB_COUNTOF(rest); i++) {
        rest[i](row, part);
        if (*part)
            cb_text_join(text, CB_CELL_BYTES, "%s", part);
    }
}

/* ---- The two forms --------------------------------------------------------------------------- */

/* Fills the first two cells of a line. */
static void fill_left(const struct grid *g, int i, struct cb_table *table, int line)
{
    cb_discover_configuration(g->rows[i], cb_table_cell(table, line, 0));
    format_bound(g->search[g->configuration[i]], cb_table_cell(table, line, 1));
}

/* Fills a line per configuration, a column per protocol. False: no memory, or a repeated case, for
 * which there is no cell. */
static bool fill_wide(const struct grid *g, struct cb_table *table)
{
    const int columns = 2 + g->n_protocols - (g->bound >= 0);
    if (!cb_table_open(1 + g->n_configurations, columns, 1u << 1, table))
        return false;
    strcpy(cb_table_cell(table, 0, 0), "configuration");
    strcpy(cb_table_cell(table, 0, 1), "bound");
    for (int i = 0; i < g->n; i++) {
        const int line = 1 + g->configuration[i], p = g->protocol[i];
        fill_left(g, i, table, line);
        if (is_search(g->rows[i]))
            continue;
        const int column = 2 + p - (g->bound >= 0 && p > g->bound);
        char *cell = cb_table_cell(table, line, column);
        if (*cell)
            return false;
        format_protocol(g->rows[i], cb_table_cell(table, 0, column));
        format_case(g->rows[i], cell);
    }
    return true;
}

/* Fills a line per case. False: no memory. */
static bool fill_long(const struct grid *g, struct cb_table *table)
{
    static const char *const heads[] = {"configuration", "bound",  "protocol",
                                        "found",         "recall", "time"};
    if (!cb_table_open(1 + g->n, CB_COUNTOF(heads), 1u << 1 | 1u << 4 | 1u << 5, table))
        return false;
    for (size_t i = 0; i < CB_COUNTOF(heads); i++)
        strcpy(cb_table_cell(table, 0, (int)i), heads[i]);
    table->rows = 1;
    for (int i = 0; i < g->n; i++) {
        const cJSON *row = g->rows[i];
        if (is_search(row) && g->measured[g->configuration[i]])
            continue; /* a search has a line of its own only if it is all there is */
        const int line = table->rows++;
        fill_left(g, i, table, line);
        if (is_search(row))
            continue;
        format_protocol(row, cb_table_cell(table, line, 2));
        format_found(row, cb_table_cell(table, line, 3));
        format_recall(row, cb_table_cell(table, line, 4));
        format_time(row, cb_table_cell(table, line, 5));
    }
    return true;
}

static bool print_table(FILE *out, const struct grid *g)
{
    struct cb_table table;
    bool filled = fill_wide(g, &table);
    if (!filled || cb_table_fit(&table) > cb_line_width(out)) {
        cb_table_free(&table);
        filled = fill_long(g, &table);
    }
    if (filled)
        cb_table_print(out, &table);
    cb_table_free(&table);
    return filled;
}

static void print_grid(FILE *out, const cJSON *run, const cJSON *device)
{
    struct cb_rows rows = {
        .run = run, .bench = "discover", .device = cb_json_text(device, "id", "")};
    struct grid g = {.bound = -1};
    struct cb_device d;
    char units[64];
    cb_rows_have(&rows, "protocol");
    cb_rows_have(&rows, "wg-size");
    if (!cb_rows_next(&rows, NULL))
        return;
    cb_device_from_json(&d, device);
    cb_device_units(&d, units, sizeof units);
    fprintf(out, "\n%s%s%s\n\n", cb_json_text(device, "name", ""), *units ? ": " : "", units);
    g.n = cb_rows_list(&rows, &g.rows);
    if (!number_rows(&g) || !print_table(out, &g))
        fputs("(out of memory)\n", out);
    free_grid(&g);
}

void cb_discover_report(FILE *out, const cJSON *run)
{
    const cJSON *device;
    struct cb_rows protocols = {.run = run, .bench = "discover"};
    cb_rows_have(&protocols, "protocol");
    if (cb_rows_next(&protocols, NULL))
        fputs("\nWorkgroups found (mean ± std. dev.), recall (share of the bound), "
              "protocol time (median)\n",
              out);
    cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(run, "devices")) {
        print_grid(out, run, device);
        cb_claims_report(out, run, cb_json_text(device, "id", ""));
        cb_headroom_report(out, run, cb_json_text(device, "id", ""));
        cb_starvation_report(out, run, cb_json_text(device, "id", ""));
        cb_user_kernels_report(out, run, cb_json_text(device, "id", ""));
    }
}
