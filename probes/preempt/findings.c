/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/preempt/findings.h"

#include "probes/multitask/in_time.h"
#include "probes/preempt/beside.h"
#include "probes/preempt/hybrid/hybrid.h"

void cb_preempt_findings(struct cb_findings *f)
{
    char command[CB_COMMAND_BYTES];
    struct cb_rows tasks = cb_findings_rows(f);
    cb_beside_find(f);
    cb_hybrid_find(f);
    cb_rows_have(&tasks, "workload");
    cb_rows_lack(&tasks, "hybrid");
    if (!cb_rows_next(&tasks, NULL))
        return;
    cb_in_time_find(f, "process", "From another process, ");
    cb_in_time_find(f, "queue", "On a second queue, ");
    cb_finding_add(f, "next", "`%s` tells what cooperation makes of the same tasks.",
                   cb_findings_command(f, "multitask", command));
}
