/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/history/failing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "measure/text/json.h"

/* The entry of the case among the failures of a run; NULL: it is not one. */
static const cJSON *failure_of(const struct cb_stored_run *run, const struct cb_run_case *c)
{
    const cJSON *failure;
    cJSON_ArrayForEach (failure, cb_stored_run_failures(run))
        if (strcmp(cb_json_text(failure, "id", ""), c->id) == 0 &&
            strcmp(cb_json_text(failure, "device", ""), c->device) == 0)
            return failure;
    return NULL;
}

static bool is_ok(const struct cb_stored_run *run, const struct cb_run_case *c)
{
    const struct cb_run_case *here = cb_run_table_find(&run->layout->table, c->id, c->device);
    bool ok = false;
    for (int i = 0; here && i < here->n_metrics; i++)
        ok = ok || isfinite(run->levels[&here->metrics[i] - run->layout->table.metrics].median);
    return ok;
}

bool cb_case_fails(const struct cb_stored_run *runs, int n, const struct cb_run_case *c, int least,
                   struct cb_failing *f)
{
    int streak = 0, longest = 0; /* failures in a row now, and in the longest that may be chance */
    *f = (struct cb_failing){.since = -1, .last_ok = -1};
    for (int run = 0; run < n; run++) {
        const cJSON *failure = failure_of(&runs[run], c);
        if (failure) {
            if (streak++ == 0)
                f->since = run;
            snprintf(f->why, sizeof f->why, "%.40s: %.200s", cb_json_text(failure, "status", ""),
                     cb_json_text(failure, "reason", ""));
        } else if (is_ok(&runs[run], c)) {
            if (streak < least && streak > longest && f->last_ok >= 0)
                longest = streak;
            streak = 0;
            f->last_ok = run;
        }
    }
    return f->last_ok >= 0 && streak > longest;
}
