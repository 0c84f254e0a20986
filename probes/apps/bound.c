/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/apps/bound.h"

#include <string.h>

#include "analysis/documents/column.h"
#include "kernels/coop_abi.h"
#include "measure/text/json.h"
#include "runtime/host/text.h"
#include "runtime/occupancy.h"

/* ---- Runs ------------------------------------------------------------------------------------ */

struct validation {
    struct cb_apps_case *c;
    struct cb_sample *sample;
    uint64_t least;         /* workgroups that deadlocked; 0: none did */
    struct cb_err deadlock; /* who waited for what then */
    struct cb_err failure;  /* error of a run that neither ended nor deadlocked */
};

/* The probe of cb_occupancy_search(), whose barriers are the app's. */
static enum cb_status run_with(void *self, uint64_t groups, struct cb_occupancy_meeting *meeting,
                               struct cb_err *err)
{
    struct validation *v = self;
    struct cb_coop_time time;
    bool failed = v->sample->failure[0];
    (void)meeting;
    enum cb_status status =
        cb_app_run_alone(&v->c->batch->on, v->c->kernel.coop, groups, &time, v->sample, err);
    if (!failed)
        cb_sample_context(v->sample, "%llu workgroup%s", (unsigned long long)groups,
                          CB_PLURAL(groups));
    if (status == CB_TIMEOUT && (v->least == 0 || groups <= v->least)) {
        v->least = groups;
        v->deadlock = *err;
    } else if (status != CB_OK && status != CB_TIMEOUT) {
        v->failure = *err;
    }
    return status;
}

enum cb_status cb_apps_validate_bound(struct cb_apps_case *c, struct cb_sample *sample,
                                      struct cb_err *err)
{
    struct validation v = {.c = c, .sample = sample};
    uint64_t found = cb_coop_found(c->kernel.coop, c->kernel.groups);
    const struct cb_occupancy_probe probe = {&v, run_with, found};
    struct cb_occupancy bound;
    enum cb_status status =
        cb_occupancy_search(&probe, cb_app_room(c->batch->on.session), 0, &bound, err);
    if (v.failure.status != CB_OK)
        *err = v.failure;
    if (v.failure.status != CB_OK || (status != CB_OK && status != CB_UNSUPPORTED))
        return err->status;
    bool deadlocks = status == CB_OK;
    cb_sample_add(sample, "wg_size", (double)c->kernel.wg_size);
    cb_sample_add(sample, "groups_found", (double)found);
    cb_sample_add(sample, "one_more_ends", !deadlocks);
    if (deadlocks)
        cb_sample_add(sample, "groups_bound", (double)bound.bound);
    cb_sample_note(sample, deadlocks ? "with N + 1: %s" : "%s",
                   deadlocks ? v.deadlock.text : err->text);
    *err = (struct cb_err){CB_OK, ""};
    return CB_OK;
}

/* ---- The table ------------------------------------------------------------------------------- */

/* "bfs [road]", "bfs (paper) [road]" */
static void label_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    const char *variant = cb_row_text(row, "variant");
    (void)rows;
    snprintf(cell, CB_CELL_BYTES, "%.40s%s%.20s%s [%.40s]", cb_row_text(row, "app"),
             *variant ? " (" : "", variant, *variant ? ")" : "", cb_row_text(row, "input_name"));
}

static bool is_ended_by_more(const cJSON *row)
{
    return cb_json_metric(row, "one_more_ends", "median") == 1;
}

/* The runtime takes no more workers; how many the discovery found beyond is not kept. */
static bool is_found_capped(const cJSON *row)
{
    return cb_json_metric(row, "groups_found", "median") > COOP_MAX_WORKERS;
}

static void found_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    if (cb_row_is_ok(row))
        snprintf(cell, CB_CELL_BYTES, "%s%.0f", is_found_capped(row) ? ">= " : "",
                 cb_json_metric(row, "groups_found", "median"));
    else
        snprintf(cell, CB_CELL_BYTES, "%s", cb_json_text(row, "status", "-"));
}

static void with_bound_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    strcpy(cell, cb_row_is_ok(row) ? "ends" : "-");
}

static void with_more_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    strcpy(cell, !cb_row_is_ok(row) ? "-" : is_ended_by_more(row) ? "ends, too" : "deadlock");
}

static struct cb_rows bounds_of(const cJSON *run, const char *device)
{
    struct cb_rows rows = {.run = run, .bench = "apps", .device = device};
    cb_rows_have(&rows, CB_APPS_BOUND);
    return rows;
}

void cb_apps_report_bounds(FILE *out, const cJSON *run, const char *device)
{
    static const struct cb_column columns[] = {
        {.head = "app [input]", .fill = label_cell, .left = true},
        {.head = "barrier", .param = "global-barrier"},
        {.head = "work-items", .metric = "wg_size", .statistic = "median", .form = CB_FORM_COUNT},
        {.head = "found", .fill = found_cell},
        {.head = "N", .metric = "groups_bound", .statistic = "median", .form = CB_FORM_COUNT},
        {.head = "with N", .fill = with_bound_cell, .left = true},
        {.head = "with N + 1", .fill = with_more_cell, .left = true},
    };
    struct cb_rows rows = bounds_of(run, device);
    if (!cb_rows_next(&rows, NULL))
        return;
    fputs("\nOccupancy bounds of the specialised apps: workgroups that the discovery found, and N, "
          "the most with\nwhich the app ends (OOPSLA'16 Section 5.3)\n\n",
          out);
    cb_rows_print(out, &rows, columns, CB_COUNTOF(columns));
}

/* ---- Findings -------------------------------------------------------------------------------- */

void cb_apps_find_bounds(struct cb_findings *f)
{
    struct cb_rows rows = bounds_of(f->run, cb_json_text(f->device, "id", ""));
    const cJSON *ended = NULL, *other = NULL;
    int n = 0, others = 0;
    char label[CB_CELL_BYTES];
    rows.ok = true;
    for (const cJSON *row = cb_rows_next(&rows, NULL); row; row = cb_rows_next(&rows, row)) {
        double bound = cb_json_metric(row, "groups_bound", "median");
        double found = cb_json_metric(row, "groups_found", "median");
        ended = is_ended_by_more(row) ? row : ended;
        if (bound > found && is_found_capped(row))
            continue;
        if (bound != found) {
            others++;
            other = row;
        }
        n++;
    }
    if (ended) {
        label_cell(label, &rows, ended);
        cb_finding_add(f, "bound",
                       "%s ends with more workgroups than the discovery finds, up to as many as "
                       "there is room for: no bound was found.",
                       label);
    } else if (others > 0) {
        label_cell(label, &rows, other);
        cb_finding_add(f, "bound",
                       "Each specialised app ends with N workgroups and deadlocks with N + 1, but "
                       "with %d of %d the discovery finds another number (%s: %.0f, N is %.0f).",
                       others, n, label, cb_json_metric(other, "groups_found", "median"),
                       cb_json_metric(other, "groups_bound", "median"));
    } else if (n > 0) {
        cb_finding_add(f, "bound",
                       "The discovery finds the occupancy bound N of the specialised apps exactly: "
                       "all %d end with N workgroups and deadlock with N + 1.",
                       n);
    }
}
