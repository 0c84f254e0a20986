/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/discover/starvation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/column.h"
#include "kernels/barrier_abi.h"
#include "measure/text/json.h"
#include "probes/discover/launch_size.h"

#define WG_SIZE    256u /* the paper's size */
#define MAX_GROUPS 65536u
#define RUNS       3

/* ---- Cases ----------------------------------------------------------------------------------- */

static const char *const kinds[] = {"flag", "xf"};

unsigned cb_starvation_wg_size(const struct cb_device *device)
{
    return device->max_wg_size < WG_SIZE ? (unsigned)device->max_wg_size : WG_SIZE;
}

static void add_case(struct cb_plan *plan, const char *kind, const char *groups,
                     const struct cb_launch_size *size, int bound)
{
    struct cb_case *c = cb_plan_add(plan, "starvation/%s/groups=%s", kind, groups);
    const bool counts = size->kind == CB_LAUNCH_COUNT;
    const struct cb_discover_case params = {.headroom = NAN,
                                            .starvation = kind,
                                            .groups = counts ? (unsigned)size->n : 0,
                                            .launch = counts ? NULL : groups,
                                            .wg_size = cb_starvation_wg_size(plan->device)};
    cb_fields_write(c->params, cb_discover_fields, &params);
    c->stop = (struct cb_stop){.rule = CB_STOP_COUNT, .min_runs = RUNS};
    c->own_stop = true;
    c->needs = counts ? -1 : bound;
}

/* False: the text is no number of workgroups. */
static bool read_size(const char *text, struct cb_launch_size *size)
{
    struct cb_err ignored;
    return cb_launch_size_parse(text, size, &ignored) == CB_OK && size->n <= MAX_GROUPS &&
           (size->kind == CB_LAUNCH_BOUND_PLUS || (size->kind == CB_LAUNCH_COUNT && size->n >= 2));
}

bool cb_starvation_asks_bound(struct cb_texts numbers)
{
    struct cb_launch_size size;
    bool asks = false;
    for (int i = 0; i < numbers.n; i++)
        asks = asks || (read_size(cb_texts_at(numbers, i), &size) && size.kind != CB_LAUNCH_COUNT);
    return asks;
}

enum cb_status cb_starvation_plan(struct cb_plan *plan, struct cb_texts numbers, int bound,
                                  struct cb_err *err)
{
    for (int i = 0; i < numbers.n; i++) {
        const char *text = cb_texts_at(numbers, i);
        struct cb_launch_size size;
        if (strcmp(text, "none") == 0)
            continue;
        if (!read_size(text, &size))
            return cb_fail(err, CB_USAGE,
                           "starvation: expected numbers of workgroups from 2 to %u, bound, "
                           "bound+K or none, got \"%s\"",
                           MAX_GROUPS, text);
        for (size_t k = 0; k < CB_COUNTOF(kinds); k++)
            add_case(plan, kinds[k], text, &size, bound);
    }
    return CB_OK;
}

/* ---- Runs ------------------------------------------------------------------------------------ */

static size_t words_bytes(const struct cb_starvation *s)
{
    return 4 * (size_t)CB_BARRIER_WORDS((cb_u32)s->groups);
}

enum cb_status cb_starvation_open(struct cb_starvation *s, struct cb_session *session,
                                  const struct cb_discover_case *params, double bound,
                                  struct cb_err *err)
{
    bool flag = cb_text_is(params->starvation, "flag");
    char defines[64];
    struct cb_launch_size size = {CB_LAUNCH_COUNT, params->groups};
    if (params->launch && cb_launch_size_parse(params->launch, &size, err) != CB_OK)
        return err->status;
    s->session = session;
    s->bound = bound;
    s->groups = session->rehearsal ? 2 : (size_t)bound + size.n;
    s->wg_size = params->wg_size;
    snprintf(defines, sizeof defines, "-DCB_WG_SIZE=%zu -DCB_BARRIER=xf", s->wg_size);
    enum cb_status status = cb_buffered_kernel_open(
        session, "probes/discover/starvation.cl", defines,
        flag ? "starvation_flag" : "starvation_barrier", words_bytes(s), &s->kernel, err);
    struct cb_sample sample = {0};
    return status == CB_OK && session->rehearsal ? cb_starvation_run(s, &sample, err) : status;
}

void cb_starvation_close(struct cb_starvation *s)
{
    cb_buffered_kernel_close(&s->kernel);
    *s = (struct cb_starvation){0};
}

enum cb_status cb_starvation_run(struct cb_starvation *s, struct cb_sample *sample,
                                 struct cb_err *err)
{
    if (cb_buffer_clear(s->session, s->kernel.buffer, words_bytes(s), err) != CB_OK)
        return err->status;
    enum cb_status status =
        cb_launch_run(s->session, s->kernel.kernel, s->groups, s->wg_size, NULL, NULL, err);
    if (status != CB_OK && status != CB_TIMEOUT)
        return status;
    *err = (struct cb_err){CB_OK, ""};
    cb_sample_check(sample, true, "it ended");
    cb_sample_add(sample, "completes", status == CB_OK);
    if (s->bound > 0) {
        cb_sample_add(sample, "groups_bound", s->bound);
        cb_sample_add(sample, "groups_launched", (double)s->groups);
    }
    return CB_OK;
}

/* ---- The table ------------------------------------------------------------------------------- */

static void kernel_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    bool flag = strcmp(cb_row_text(row, "starvation"), "flag") == 0;
    snprintf(cell, CB_CELL_BYTES, "%s", flag ? "a flag (Fig. 1)" : "the XF barrier");
}

static void groups_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    const double launched = cb_json_metric(row, "groups_launched", "median");
    snprintf(cell, CB_CELL_BYTES, "%.0f", launched > 0 ? launched : cb_row_number(row, "groups"));
}

static void bound_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    const double bound = cb_json_metric(row, "groups_bound", "median");
    if (bound > 0)
        snprintf(cell, CB_CELL_BYTES, "%.0f", bound);
}

static void outcome_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    double low = cb_json_metric(row, "completes", "min"),
           high = cb_json_metric(row, "completes", "max");
    snprintf(cell, CB_CELL_BYTES, "%s",
             !cb_row_is_ok(row) ? cb_json_text(row, "status", "")
             : low == 1         ? "ends"
             : high == 0        ? "deadlock"
                                : "deadlock in some runs");
}

void cb_starvation_report(FILE *out, const cJSON *run, const char *device_id)
{
    static const struct cb_column columns[] = {
        {.head = "workgroups wait at", .fill = kernel_cell, .left = true},
        {.head = "launched", .fill = groups_cell},
        {.head = "run at once", .fill = bound_cell},
        {.head = "outcome", .fill = outcome_cell, .left = true},
    };
    struct cb_rows rows = {.run = run, .bench = "discover", .device = device_id};
    cb_rows_have(&rows, "starvation");
    if (!cb_rows_next(&rows, NULL))
        return;
    fputs("\nWithout a protocol, workgroups that wait for others (OOPSLA'16 Fig. 1, Section "
          "2.2):\n\n",
          out);
    cb_rows_print(out, &rows, columns, CB_COUNTOF(columns));
}
