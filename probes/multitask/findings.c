/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/multitask/findings.h"

#include "probes/multitask/in_time.h"

void cb_multitask_findings(struct cb_findings *f)
{
    char command[CB_COMMAND_BYTES];
    cb_in_time_find(f, NULL, "");
    cb_finding_add(f, "next", "`%s` tells what the driver's own time slicing makes of such tasks.",
                   cb_findings_command(f, "preempt", command));
}
