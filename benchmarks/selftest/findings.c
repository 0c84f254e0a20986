/* SPDX-License-Identifier: Apache-2.0 */
#include "benchmarks/selftest/findings.h"

#include <math.h>
#include <string.h>

#include "measure/text/json.h"

/* With no failure in n, fewer than this share fails, at 95 %: (1 - share)^n = 0.05. */
static double upper_share(int n)
{
    return 1 - pow(0.05, 1.0 / n);
}

void cb_selftest_findings(struct cb_findings *f)
{
    static const enum cb_status bad[] = {CB_VERIFY_FAILED, CB_TIMEOUT, CB_CRASHED, CB_ERROR,
                                         CB_SKIPPED};
    const struct cb_rows rows = cb_findings_rows(f);
    int passed = cb_rows_count(&rows);
    bool failed = false;
    char command[CB_COMMAND_BYTES], discover[CB_COMMAND_BYTES];
    for (size_t i = 0; i < CB_COUNTOF(bad); i++)
        failed = failed || cb_findings_have(f, bad[i]);
    if (failed) {
        cb_finding_add(f, "verdict",
                       "Only %d random run%s passed: believe no other figure of this device and "
                       "driver. The command above runs each that failed again.",
                       passed, passed == 1 ? "" : "s");
        return;
    }
    cb_finding_add(f, "verdict",
                   "%s%d random run%s passed: cooperative kernels work on this device, as far as "
                   "these tell (with 95 %% confidence, fewer than %.2g %% of such runs fail).",
                   passed == 1 ? "The " : "All ", passed, passed == 1 ? "" : "s",
                   100 * upper_share(passed));
    if (passed < 500)
        cb_finding_add(f, "next", "`%s` looks for rarer failures; `%s` goes on.",
                       cb_findings_command(f, "selftest --stress 500", command),
                       cb_findings_command(f, "discover", discover));
    else
        cb_finding_add(f, "next", "`%s` tells how many workgroups run at once.",
                       cb_findings_command(f, "discover", command));
}
