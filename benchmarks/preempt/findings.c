/* SPDX-License-Identifier: Apache-2.0 */
#include "benchmarks/preempt/findings.h"

#include "benchmarks/multitask/in_time.h"

void cb_preempt_findings(struct cb_findings *f)
{
    char command[CB_COMMAND_BYTES];
    cb_in_time_find(f, "process", "From another process, ");
    cb_in_time_find(f, "queue", "On a second queue, ");
    cb_finding_add(f, "next", "`%s` tells what cooperation makes of the same tasks.",
                   cb_findings_command(f, "multitask", command));
}
