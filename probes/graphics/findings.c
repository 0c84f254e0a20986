/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/graphics/findings.h"

#include <math.h>

#include "measure/json.h"
#include "measure/units.h"

static double median_of(const cJSON *item, const char *metric)
{
    return cb_json_metric(item, metric, "median");
}

void cb_graphics_findings(struct cb_findings *f)
{
    char t[32], period[32], duration[32], command[CB_COMMAND_BYTES];
    for (const cJSON *item = cb_findings_next(f, NULL); item; item = cb_findings_next(f, item)) {
        const char *scene = cb_json_text(cb_json_params(item), "scene", "");
        cb_format_time(t, sizeof t, median_of(item, "t"));
        cb_format_time(period, sizeof period, median_of(item, "period"));
        cb_format_time(duration, sizeof duration, median_of(item, "duration"));
        if (!*t)
            cb_finding_add(f, "scene", "The scene `%.40s` shows every kernel that was tried.",
                           scene);
        else
            cb_finding_add(f, "scene",
                           "The scene `%.40s` does not show kernels of up to %s: it needs the "
                           "device every %s for %s.",
                           scene, t, *period ? period : "?", *duration ? duration : "?");
    }
    cb_finding_add(f, "next", "`%s` runs apps beside such a display.",
                   cb_findings_command(f, "multitask --workload FILE", command));
}
