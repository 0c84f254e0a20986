/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/throttle/findings.h"

#include <math.h>
#include <string.h>

#include "measure/column.h"
#include "measure/json.h"
#include "probes/throttle/report.h"

static const char *text_of(const cJSON *item, const char *key)
{
    return cb_json_text(cb_json_params(item), key, "");
}

static double median_of(const cJSON *item, const char *metric)
{
    return cb_json_metric(item, metric, "median");
}

static bool is_cap(const cJSON *item)
{
    return !isnan(cb_json_number(cb_json_params(item), "power_cap_w"));
}

/* The step of the app that takes the least energy for a run (or draws the least power). NULL: there
 * is no power. */
static const cJSON *least(const struct cb_findings *f, const char *app, const char *metric)
{
    const cJSON *best = NULL;
    for (const cJSON *item = cb_findings_next(f, NULL); item; item = cb_findings_next(f, item))
        if (strcmp(text_of(item, "app"), app) == 0 && !is_cap(item) &&
            !isnan(median_of(item, metric)) &&
            (!best || median_of(item, metric) < median_of(best, metric)))
            best = item;
    return best;
}

static bool is_first_of_app(const struct cb_findings *f, const cJSON *item)
{
    const cJSON *before = cb_findings_next(f, NULL);
    while (before != item &&
           (strcmp(text_of(before, "app"), text_of(item, "app")) != 0 || is_cap(before)))
        before = cb_findings_next(f, before);
    return before == item;
}

/* Each step is one measurement: it has no interval, and the sentence says so. */
static void find_steps(struct cb_findings *f, const cJSON *first)
{
    char groups[CB_CELL_BYTES];
    const char *app = text_of(first, "app");
    const cJSON *cheap = least(f, app, "energy_per_run"), *low = least(f, app, "power");
    double full = cb_throttle_full_progress(f->run, cb_json_text(f->device, "id", ""), app);
    if (!cheap) {
        cb_finding_add(f, "power",
                       "The power of this device cannot be read: what %s saves is not known.", app);
        return;
    }
    snprintf(groups, sizeof groups, "%.40s", text_of(cheap, "groups"));
    cb_finding_add(f, "energy",
                   "%s takes the least energy for a run with %s (%.0f %% of its progress with the "
                   "most), and draws the least power with %s (%.0f %%); one measurement each.",
                   app, groups, 100 * median_of(cheap, "progress") / full, text_of(low, "groups"),
                   100 * median_of(low, "progress") / full);
}

static void find_cap(struct cb_findings *f, const cJSON *item)
{
    double cap = cb_json_number(cb_json_params(item), "power_cap_w");
    double above = median_of(item, "over_cap");
    if (isnan(above))
        cb_finding_add(f, "cap", "A cap of %g W was not held with %s.", cap, text_of(item, "app"));
    else
        cb_finding_add(f, "cap",
                       "A cap of %g W was held with %s but for %.0f %% of the time, with %.0f "
                       "workgroups.",
                       cap, text_of(item, "app"), 100 * above, median_of(item, "active"));
}

void cb_throttle_findings(struct cb_findings *f)
{
    char command[CB_COMMAND_BYTES];
    for (const cJSON *item = cb_findings_next(f, NULL); item; item = cb_findings_next(f, item)) {
        if (is_cap(item))
            find_cap(f, item);
        else if (is_first_of_app(f, item))
            find_steps(f, item);
    }
    if (!cb_json_text(f->device, "id", NULL))
        return;
    cb_finding_add(f, "next",
                   "`%s` measures each step three times, for intervals between processes.",
                   cb_findings_command(f, "throttle --rounds 3", command));
}
