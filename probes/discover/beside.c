/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/discover/beside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/beside.h"
#include "measure/text/json.h"
#include "measure/text/table.h"
#include "probes/discover/configuration.h"
#include "probes/discover/report.h"
#include "runtime/host/text.h"

const char *const cb_discover_beside_configuration[] = {"microbenchmark", "wg-size", NULL};

/* ---- Numbers --------------------------------------------------------------------------------- */

struct cb_rows cb_discover_beside_rows(const cJSON *run, const char *device_id)
{
    struct cb_rows rows = {.run = run, .bench = "discover", .device = device_id, .ok = true};
    cb_rows_have(&rows, "wg-size");
    cb_rows_lack(&rows, "kernel");
    cb_rows_lack(&rows, "dimensions");
    cb_rows_lack(&rows, "ids");
    cb_rows_lack(&rows, "starvation");
    return rows;
}

static bool has_protocol(const cJSON *row, const char *protocol)
{
    return strcmp(cb_row_text(row, "protocol"), protocol) == 0;
}

/* How well a row tells what a launch finds; -1: not at all. */
static int preference(const cJSON *row)
{
    if (isnan(cb_json_metric(row, "groups_found", "median")) || has_protocol(row, "unsafe"))
        return -1;
    return !isnan(cb_row_number(row, "headroom"))               ? 3
           : has_protocol(row, "lockfree")                      ? 2
           : strcmp(cb_row_text(row, "delay"), "adaptive") == 0 ? 1
                                                                : 0;
}

struct cb_discover_beside cb_discover_beside_of(const struct cb_rows *rows, const cJSON *like,
                                                const char *beside)
{
    struct cb_discover_beside n = {NAN, NAN, NAN, NAN, NAN, NAN};
    struct cb_rows alike = *rows;
    int best = -1;
    for (const char *const *param = cb_discover_beside_configuration; *param; param++)
        cb_rows_like(&alike, like, *param);
    for (const cJSON *row = cb_rows_next(&alike, NULL); row; row = cb_rows_next(&alike, row)) {
        if (strcmp(cb_row_beside(row), beside) != 0)
            continue;
        if (has_protocol(row, "bound"))
            n.bound = cb_json_metric(row, "groups_bound", "median");
        if (preference(row) <= best)
            continue;
        best = preference(row);
        n.found = cb_json_metric(row, "groups_found", "median");
        n.found_min = cb_json_metric(row, "groups_found", "min");
        n.found_max = cb_json_metric(row, "groups_found", "max");
        n.safe = cb_json_metric(row, "groups_safe", "median");
        n.share = cb_row_number(row, "headroom");
    }
    return n;
}

double cb_discover_beside_groups(const struct cb_discover_beside *n)
{
    return isnan(n->bound) ? n->found : n->bound;
}

/* ---- The table ------------------------------------------------------------------------------- */

/* Formats "198 (found 190 to 198, safe 190)", as far as it is known. */
static void format_numbers(const struct cb_discover_beside *n, char text[CB_CELL_BYTES])
{
    char found[64] = "", safe[32] = "", bound[32] = "";
    if (!isnan(n->bound))
        snprintf(bound, sizeof bound, "%.0f", n->bound);
    if (n->found_min < n->found_max)
        snprintf(found, sizeof found, "found %.0f to %.0f", n->found_min, n->found_max);
    else if (!isnan(n->found) && n->found != n->bound)
        snprintf(found, sizeof found, "found %.0f", n->found);
    if (!isnan(n->safe))
        snprintf(safe, sizeof safe, "safe %.0f", n->safe);
    const char *comma = *found && *safe ? ", " : "";
    if (*bound && (*found || *safe))
        snprintf(text, CB_CELL_BYTES, "%s (%s%s%s)", bound, found, comma, safe);
    else
        snprintf(text, CB_CELL_BYTES, "%s%s%s%s", bound, found, comma, safe);
}

static void fill(struct cb_table *table, const struct cb_rows *rows, const cJSON *const *firsts,
                 int n, const cJSON *besides)
{
    const cJSON *beside;
    int column = 0;
    strcpy(cb_table_cell(table, 0, 0), "configuration");
    for (int i = 0; i < n; i++)
        cb_discover_configuration(firsts[i], cb_table_cell(table, 1 + i, 0));
    cJSON_ArrayForEach (beside, besides) {
        const char *what = beside->valuestring;
        cb_table_put(table, 0, ++column, *what ? what : "alone");
        for (int i = 0; i < n; i++) {
            const struct cb_discover_beside numbers = cb_discover_beside_of(rows, firsts[i], what);
            format_numbers(&numbers, cb_table_cell(table, 1 + i, column));
        }
    }
}

static void report_device(FILE *out, const cJSON *run, const cJSON *device, const cJSON *besides)
{
    const struct cb_rows rows = cb_discover_beside_rows(run, cb_json_text(device, "id", ""));
    const cJSON **firsts;
    struct cb_table table = {0};
    const int n = cb_rows_distinct(&rows, cb_discover_beside_configuration, &firsts);
    if (n > 0 && cb_table_open(1 + n, 1 + cJSON_GetArraySize(besides), ~1u, &table)) {
        fill(&table, &rows, firsts, n, besides);
        fprintf(out, "\nWorkgroups that run at once, alone and beside (%s):\n\n",
                cb_json_text(device, "name", ""));
        cb_table_print(out, &table);
    }
    cb_table_free(&table);
    free(firsts);
}

void cb_discover_beside_report(FILE *out, const cJSON *run)
{
    cJSON *besides = cb_run_besides(run, cb_bench_find("discover"));
    const cJSON *device;
    if (cJSON_GetArraySize(besides) > 1)
        cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(run, "devices"))
            report_device(out, run, device, besides);
    cJSON_Delete(besides);
}

/* ---- What is concluded ----------------------------------------------------------------------- */

/* A configuration beside something, and alone. */
struct change {
    const cJSON *row;
    struct cb_discover_beside alone, beside;
};

/* Workgroups more beside than alone, as a share; 0: as many, or launches differ by as much. */
static double change_of(const struct change *c)
{
    const bool bounds = !isnan(c->alone.bound) && !isnan(c->beside.bound);
    if (!bounds && c->beside.found_min <= c->alone.found_max &&
        c->alone.found_min <= c->beside.found_max)
        return 0;
    return bounds ? c->beside.bound / c->alone.bound - 1 : c->beside.found / c->alone.found - 1;
}

static void tell(struct cb_findings *f, const struct change *c, int n)
{
    const double alone = cb_discover_beside_groups(&c->alone),
                 beside = cb_discover_beside_groups(&c->beside);
    const double size = cb_row_number(c->row, "wg-size"), by = fabs(alone - beside);
    const char *local = cb_row_number(c->row, "local_bytes") > 1 ? " with all local memory" : "";
    if (change_of(c) == 0)
        cb_finding_add(f, "beside", "As many workgroups run at once as alone (%d configuration%s).",
                       n, CB_PLURAL(n));
    else if (change_of(c) < 0)
        cb_finding_add(f, "beside",
                       "%.0f workgroup%s fewer of %.0f work-item%s%s run%s at once (%.0f of %.0f).",
                       by, CB_PLURAL(by), size, CB_PLURAL(size), local, by == 1 ? "s" : "", beside,
                       alone);
    else
        cb_finding_add(f, "beside",
                       "%.0f workgroups of %.0f work-item%s%s seem to run at once, where %.0f do "
                       "alone: the device swaps them out and in, and nobody can count on more than "
                       "%.0f.",
                       beside, size, CB_PLURAL(size), local, alone, alone);
}

/* Tells of the configuration that loses the largest share; if none does, of one that gains. */
void cb_discover_beside_findings(struct cb_findings *f)
{
    const struct cb_rows rows = cb_discover_beside_rows(f->all, cb_json_text(f->device, "id", ""));
    const cJSON **firsts;
    struct change worst = {0};
    int n = 0;
    if (!f->beside || !*f->beside)
        return;
    const int n_firsts = cb_rows_distinct(&rows, cb_discover_beside_configuration, &firsts);
    for (int i = 0; i < n_firsts; i++) {
        const struct change c = {firsts[i], cb_discover_beside_of(&rows, firsts[i], ""),
                                 cb_discover_beside_of(&rows, firsts[i], f->beside)};
        if (isnan(change_of(&c)))
            continue;
        const double change = change_of(&c), known = n++ > 0 ? change_of(&worst) : 0;
        if (!worst.row || change < known || (known == 0 && change > 0))
            worst = c;
    }
    if (n > 0)
        tell(f, &worst, n);
    free(firsts);
}
