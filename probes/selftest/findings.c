/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/selftest/findings.h"

#include <math.h>
#include <string.h>

#include "measure/json.h"

/* With no failure in n, fewer than this share fails, at 95 %: (1 - share)^n = 0.05. */
static double upper_share(int n)
{
    return 1 - pow(0.05, 1.0 / n);
}

void cb_selftest_findings(struct cb_findings *f)
{
    static const enum cb_status bad[] = {CB_VERIFY_FAILED, CB_TIMEOUT, CB_CRASHED, CB_ERROR,
                                         CB_SKIPPED};
    int passed = 0;
    bool failed = false;
    char command[CB_COMMAND_BYTES];
    for (const cJSON *item = cb_findings_next(f, NULL); item; item = cb_findings_next(f, item))
        passed++;
    for (size_t i = 0; i < CB_COUNTOF(bad); i++)
        failed = failed || cb_findings_have(f, bad[i]);
    if (failed) {
        cb_finding_add(f, "verdict",
                       "%d random runs passed, and not all: believe no other figure of this device "
                       "and driver. Each that failed can be run again by the command above.",
                       passed);
        return;
    }
    cb_finding_add(
        f, "verdict",
        "All %d random runs passed: the cooperative runtime keeps its rules here, as far "
        "as these tell (at 95 %%, fewer than %.2g %% of such runs fail).",
        passed, 100 * upper_share(passed));
    if (passed < 500)
        cb_finding_add(f, "next", "`%s` looks for rarer failures; `coopbench discover` goes on.",
                       cb_findings_command(f, "selftest --stress 500", command));
    else
        cb_finding_add(f, "next", "`%s` tells how many workgroups run at once.",
                       cb_findings_command(f, "discover", command));
}
