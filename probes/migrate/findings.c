/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/migrate/findings.h"

#include "measure/estimate.h"
#include "measure/text/json.h"

/* The app that takes longest to move, and what of it the copy is. */
static void find_longest(struct cb_findings *f)
{
    const cJSON *longest = NULL;
    char all[CB_ESTIMATE_BYTES], gone[CB_ESTIMATE_BYTES], copied[CB_ESTIMATE_BYTES];
    int n = 0;
    for (const cJSON *row = cb_findings_next(f, NULL); row; row = cb_findings_next(f, row)) {
        const double ns = cb_json_metric(row, "move_time", "median");
        if (!(ns > 0))
            continue;
        n++;
        if (!longest || ns > cb_json_metric(longest, "move_time", "median"))
            longest = row;
    }
    if (!longest)
        return;
    cb_estimate_time(all, cb_estimate_of(longest, "move_time"));
    cb_estimate_time(gone, cb_estimate_of(longest, "gone_time"));
    cb_estimate_time(copied, cb_estimate_of(longest, "copied_time"));
    cb_finding_add(f, "move",
                   "%s%.40s%s works on the other device %s after the wish to move; its workgroups "
                   "are gone after %s, and all is copied after %s.",
                   n > 1 ? "The app that takes longest, " : "The app ", cb_row_text(longest, "app"),
                   n > 1 ? "," : "", all, gone, copied);
}

void cb_migrate_findings(struct cb_findings *f)
{
    char command[CB_COMMAND_BYTES];
    find_longest(f);
    cb_finding_add(f, "next", "`%s` tells how soon an app gives up part of its device instead.",
                   cb_findings_command(f, "multitask", command));
}
