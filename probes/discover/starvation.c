/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/discover/starvation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/column.h"
#include "kernels/barrier_abi.h"
#include "measure/text/json.h"

#define WG_SIZE    256u /* the paper's size */
#define MAX_GROUPS 65536u
#define RUNS       3

/* ---- Cases ----------------------------------------------------------------------------------- */

static const char *const kinds[] = {"flag", "xf"};

static void add_case(struct cb_plan *plan, const char *kind, unsigned long groups)
{
    const size_t most = plan->device->max_wg_size;
    struct cb_case *c = cb_plan_add(plan, "starvation/%s/groups=%lu", kind, groups);
    const struct cb_discover_case params = {.headroom = NAN,
                                            .starvation = kind,
                                            .groups = (unsigned)groups,
                                            .wg_size = most < WG_SIZE ? (unsigned)most : WG_SIZE};
    cb_fields_write(c->params, cb_discover_fields, &params);
    c->stop = (struct cb_stop){.rule = CB_STOP_COUNT, .min_runs = RUNS};
    c->own_stop = true;
}

enum cb_status cb_starvation_plan(struct cb_plan *plan, struct cb_texts numbers, struct cb_err *err)
{
    for (int i = 0; i < numbers.n; i++) {
        const char *text = cb_texts_at(numbers, i);
        size_t digits = strspn(text, "0123456789");
        unsigned long groups = digits > 0 && digits < 7 ? strtoul(text, NULL, 10) : 0;
        if (strcmp(text, "none") == 0)
            continue;
        if (text[digits] || groups < 2 || groups > MAX_GROUPS)
            return cb_fail(err, CB_USAGE,
                           "starvation: expected numbers of workgroups from 2 to %u, or none, got "
                           "\"%s\"",
                           MAX_GROUPS, text);
        for (size_t k = 0; k < CB_COUNTOF(kinds); k++)
            add_case(plan, kinds[k], groups);
    }
    return CB_OK;
}

/* ---- Runs ------------------------------------------------------------------------------------ */

static size_t words_bytes(const struct cb_starvation *s)
{
    return 4 * (size_t)CB_BARRIER_WORDS((cb_u32)s->groups);
}

enum cb_status cb_starvation_open(struct cb_starvation *s, struct cb_session *session,
                                  const struct cb_discover_case *params, struct cb_err *err)
{
    bool flag = cb_text_is(params->starvation, "flag");
    char defines[64];
    s->session = session;
    s->groups = session->rehearsal ? 2 : params->groups;
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
    snprintf(cell, CB_CELL_BYTES, "%.0f", cb_row_number(row, "groups"));
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
