/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/multitask/together/power.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/host/options.h"
#include "measure/estimate.h"
#include "measure/text/json.h"
#include "runtime/host/time.h"

#define SENTENCE 256

/* ---- Measuring ------------------------------------------------------------------------------- */

bool cb_together_wants_power(const struct cb_multitask_options *options)
{
    bool needed = options->power;
    for (int i = 0; i < options->policies.n; i++) {
        const struct cb_policy *policy = cb_policy_find(cb_texts_at(options->policies, i));
        needed |= policy && policy->needs_power;
    }
    return needed;
}

enum cb_status cb_together_power_open(struct cb_power_meter *meter, bool wanted,
                                      const struct cb_device *device,
                                      const struct cb_policy *policy, struct cb_err *err)
{
    if (cb_power_meter_open(meter, wanted, device, err) != CB_OK)
        return err->status;
    if (!policy->needs_power || meter->power)
        return CB_OK;
    *err = meter->none;
    if (err->status == CB_OK)
        return cb_fail(err, CB_USAGE, "the policy %s needs the parameter power", policy->name);
    return cb_context(err, "the policy %s", policy->name);
}

double cb_together_rest_s(const struct cb_power_meter *meter)
{
    return meter->power ? CB_POWER_REST_NS / 1e9 : 0;
}

double cb_together_window_s(const struct cb_power_meter *meter, double least_s)
{
    return meter->power ? fmax(least_s, (CB_POWER_WINDOW_NS - CB_POWER_REST_NS) / 1e9) : least_s;
}

double cb_together_watts_since(const struct cb_power_meter *meter, double from_ns)
{
    return cb_power_mean(meter->sampler, from_ns, (double)cb_now_ns());
}

/* ---- Telling --------------------------------------------------------------------------------- */

static double rate_of(const cJSON *row, const char *time)
{
    return 1e9 / cb_json_metric(row, time, "median");
}

/* Runs a second that the first app is to keep. */
static double rate_asked(const cJSON *row)
{
    const double said = cb_row_number(row, "app-rate");
    return said > 0 ? said : CB_TOGETHER_RATE_PART * rate_of(row, "app_time_alone");
}

static void rate_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    cb_form_cell(cell, rate_of(row, "app_time"), CB_FORM_RUNS);
}

/* Whether the policy of a row looks for the fewest watts. */
static bool saves_power(const cJSON *row)
{
    const struct cb_policy *policy = cb_policy_find(cb_row_text(row, "policy"));
    return policy && policy->needs_power;
}

static void asked_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    if (saves_power(row))
        cb_form_cell(cell, rate_asked(row), CB_FORM_RUNS);
}

static const struct cb_column columns[] = {
    {.head = "app", .param = "app"},
    {.head = "beside", .param = "beside"},
    {.head = "policy", .param = "policy"},
    {.head = "share", .param = "share"},
    {"app's workgroups", "app_groups", "median", CB_FORM_COUNT},
    {"other's", "beside_groups", "median", CB_FORM_COUNT},
    {.head = "app's rate", .fill = rate_cell},
    {.head = "to keep", .fill = asked_cell},
    {"power", "power", "median", CB_FORM_WATTS},
    {"energy for each run of the app", "energy_per_run", "median", CB_FORM_JOULES},
};

void cb_together_power_report(FILE *out, const struct cb_rows *rows)
{
    cb_power_print(out, rows, columns, (int)CB_COUNTOF(columns));
}

/* Whether that is fewer than what a fixed share of the same pair takes; nothing if there is none.
 */
static void beside_fixed(const struct cb_findings *f, const cJSON *row, char text[SENTENCE])
{
    struct cb_rows rows = cb_findings_rows(f);
    const struct cb_estimate watts = cb_estimate_of(row, "power");
    rows.metric = "power";
    cb_rows_like(&rows, row, "app");
    cb_rows_like(&rows, row, "beside");
    cb_rows_is(&rows, "policy", "fixed");
    const cJSON *fixed = cb_rows_next(&rows, NULL);
    *text = '\0';
    if (!fixed)
        return;
    const struct cb_estimate theirs = cb_estimate_of(fixed, "power");
    snprintf(text, SENTENCE, " With fixed shares (%s) it draws %.3g W, for %.3g runs/s: %s.",
             cb_row_text(fixed, "share"), theirs.median, rate_of(fixed, "app_time"),
             cb_estimate_below(watts, theirs)   ? "the policy saves power"
             : cb_estimate_below(theirs, watts) ? "the policy saves none"
                                                : "which is less, these samples do not tell");
}

static void tell(struct cb_findings *f, const cJSON *row)
{
    char fixed[SENTENCE];
    const double rate = rate_of(row, "app_time"), asked = rate_asked(row);
    beside_fixed(f, row, fixed);
    cb_finding_add(f, "energy",
                   "With the policy %s, %s has %.0f and %s %.0f of %.0f workgroups: the device "
                   "draws %.3g W, and %s does %.3g runs/s of the %.3g that it is to keep%s.%s",
                   cb_row_text(row, "policy"), cb_row_text(row, "app"),
                   cb_json_metric(row, "app_groups", "median"), cb_row_text(row, "beside"),
                   cb_json_metric(row, "beside_groups", "median"),
                   cb_json_metric(row, "workers", "median"), cb_json_metric(row, "power", "median"),
                   cb_row_text(row, "app"), rate, asked, rate < 0.95 * asked ? ", too few" : "",
                   fixed);
}

void cb_together_power_find(struct cb_findings *f)
{
    struct cb_rows rows = cb_findings_rows(f);
    rows.metric = "power";
    for (const cJSON *row = cb_rows_next(&rows, NULL); row; row = cb_rows_next(&rows, row))
        if (saves_power(row))
            tell(f, row);
}
