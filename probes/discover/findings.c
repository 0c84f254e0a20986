/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/discover/findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/rows.h"
#include "measure/text/json.h"
#include "probes/discover/beside.h"
#include "probes/discover/findings_protocols.h"
#include "probes/discover/headroom.h"
#include "probes/discover/user_kernel_report.h"
#include "runtime/host/text.h"

/* ---- The bound ------------------------------------------------------------------------------- */

static double wg_size(const cJSON *row)
{
    return cb_row_number(row, "wg-size");
}

static double bound_of(const cJSON *search)
{
    return cb_json_metric(search, "groups_bound", "median");
}

static bool takes_all_local_memory(const cJSON *row)
{
    return cb_row_number(row, "local_bytes") > 1;
}

/* The configuration without local memory that has the lowest (sign -1) or highest (+1) bound; of
 * several, the one that says most, with the least or the most work-items. */
static const cJSON *extreme(const struct cb_rows *searches, int sign)
{
    const cJSON *best = NULL;
    for (const cJSON *row = cb_rows_next(searches, NULL); row; row = cb_rows_next(searches, row)) {
        if (takes_all_local_memory(row))
            continue;
        double more = best ? sign * (bound_of(row) - bound_of(best)) : 1;
        if (more > 0 || (more == 0 && sign * (wg_size(row) - wg_size(best)) > 0))
            best = row;
    }
    return best;
}

/* The bound of the small workgroup that takes all local memory: it tells the cost of that memory
 * alone. */
static double bound_with_local_memory(const struct cb_rows *searches)
{
    for (const cJSON *row = cb_rows_next(searches, NULL); row; row = cb_rows_next(searches, row))
        if (takes_all_local_memory(row) && wg_size(row) == 1)
            return bound_of(row);
    return NAN;
}

static void find_bound(struct cb_findings *f, const struct cb_rows *rows)
{
    struct cb_rows searches = *rows;
    cb_rows_is(&searches, "protocol", "bound");
    const cJSON *few = extreme(&searches, -1), *many = extreme(&searches, 1);
    double most_found = 0, local = bound_with_local_memory(&searches);
    for (const cJSON *row = cb_rows_next(rows, NULL); row; row = cb_rows_next(rows, row))
        most_found = fmax(most_found, cb_json_metric(row, "groups_found", "max"));
    if (!few && most_found > 0) {
        cb_finding_add(f, "bound",
                       "The protocols found up to %.0f workgroup%s at once; `--bound search` tells "
                       "whether more could run.",
                       most_found, CB_PLURAL(most_found));
        return;
    }
    if (!few)
        return;
    double least = bound_of(few);
    double most = bound_of(many);
    char memory[96] = "";
    if (local > 0 && local != most)
        snprintf(memory, sizeof memory, ", and %.0f where each takes all local memory", local);
    if (least < most)
        cb_finding_add(f, "bound",
                       "%.0f workgroups of up to %.0f work-item%s run at once, %.0f of %.0f%s.",
                       most, wg_size(many), CB_PLURAL(wg_size(many)), least, wg_size(few), memory);
    else if (wg_size(few) < wg_size(many))
        cb_finding_add(f, "bound",
                       "%.0f workgroup%s at once, whatever the size (%.0f to %.0f work-items)%s.",
                       most, most == 1 ? " runs" : "s run", wg_size(few), wg_size(many), memory);
    else
        cb_finding_add(f, "bound", "%.0f workgroup%s of %.0f work-item%s run%s at once%s.", most,
                       CB_PLURAL(most), wg_size(few), CB_PLURAL(wg_size(few)), most == 1 ? "s" : "",
                       memory);
}

/* ---- Dimensions ------------------------------------------------------------------------------ */

static bool are_apart(const cJSON *a, const cJSON *b, const char *metric)
{
    return cb_json_metric(a, metric, "max") < cb_json_metric(b, metric, "min") ||
           cb_json_metric(b, metric, "max") < cb_json_metric(a, metric, "min");
}

/* Whether another layout of a launch changes how many workgroups run at once, or are found. */
static void find_dimensions(struct cb_findings *f, const struct cb_rows *rows)
{
    static const char *const same[] = {"protocol", "microbenchmark", "wg-size", "delay",
                                       "ids",      "launch"};
    struct cb_rows laid_out = *rows;
    int n = 0, others = 0;
    cb_rows_have(&laid_out, "dimensions");
    for (const cJSON *row = cb_rows_next(&laid_out, NULL); row;
         row = cb_rows_next(&laid_out, row)) {
        struct cb_rows flat = *rows;
        cb_rows_lack(&flat, "dimensions");
        for (size_t i = 0; i < CB_COUNTOF(same); i++)
            cb_rows_like(&flat, row, same[i]);
        const cJSON *other = cb_rows_next(&flat, NULL);
        n += other != NULL;
        others += other &&
                  (are_apart(row, other, "groups_bound") || are_apart(row, other, "groups_found"));
    }
    if (n > 0 && others == 0)
        cb_finding_add(f, "dimensions",
                       "A launch in two or three dimensions changes neither how many workgroups "
                       "run at once nor how many the protocols find (%d case%s).",
                       n, CB_PLURAL(n));
    else if (n > 0 && others == n)
        cb_finding_add(f, "dimensions",
                       "A launch in two or three dimensions has another number of workgroups that "
                       "run at once, or that are found (%d case%s).",
                       n, CB_PLURAL(n));
    else if (n > 0)
        cb_finding_add(f, "dimensions",
                       "In %d of %d cases, a launch in two or three dimensions has another number "
                       "of workgroups that run at once, or that are found.",
                       others, n);
}

void cb_discover_findings(struct cb_findings *findings)
{
    const struct cb_rows all = {.run = findings->run,
                                .bench = findings->bench->id,
                                .device = cb_json_text(findings->device, "id", ""),
                                .ok = true};
    struct cb_rows rows = all;
    cb_rows_lack(&rows, "dimensions");
    cb_rows_lack(&rows, "headroom");
    char command[CB_COMMAND_BYTES];
    find_bound(findings, &rows);
    cb_discover_beside_findings(findings);
    cb_headroom_findings(findings);
    cb_discover_find_protocols(findings, &rows);
    find_dimensions(findings, &all);
    cb_user_kernels_find(findings);
    cb_finding_add(findings, "next", "`%s` tells which barrier between them is fastest.",
                   cb_findings_command(findings, "primitives", command));
}
