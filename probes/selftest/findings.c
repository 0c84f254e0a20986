/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/selftest/findings.h"

#include <math.h>
#include <string.h>

#include "measure/text/json.h"
#include "probes/selftest/again.h"
#include "runtime/host/text.h"

/* With no failure in n, fewer than this share fails, at 95 %: (1 - share)^n = 0.05. */
static double upper_share(int n)
{
    return 1 - pow(0.05, 1.0 / n);
}

/* How many of the failed cases were run again, and how many of those failed each time. */
struct repeated {
    int failed, cases, always;
};

static struct repeated count_failed(const struct cb_findings *f)
{
    struct repeated r = {0, 0, 0};
    const struct cb_rows rows = {
        .run = f->run, .bench = f->bench->id, .device = cb_json_text(f->device, "id", "")};
    for (const cJSON *row = cb_rows_next(&rows, NULL); row; row = cb_rows_next(&rows, row)) {
        const struct cb_selftest_again again =
            cb_selftest_again_of(cb_json_text(row, "reason", ""));
        r.failed += !cb_row_is_ok(row);
        r.cases += again.runs > 0;
        r.always += again.runs > 0 && again.failed == again.runs;
    }
    return r;
}

/* What it tells that they were run again at once. */
static const char *say_repeated(const struct repeated *r)
{
    if (r->cases == 0)
        return "";
    if (r->always == r->cases)
        return " Run again at once, each failed every time: it is no accident.";
    if (r->always == 0)
        return " Run again at once, none failed every time: it depends on timing, as a race does, "
               "which other processes on the device may bring out.";
    return " Run again at once, some failed every time, others not.";
}

static void find_failures(struct cb_findings *f, const struct repeated *r, int passed)
{
    cb_finding_add(
        f, "verdict",
        "%d of %d random runs passed.%s Before the cause is known, doubt what cooperative "
        "kernels do here. The commands above run each again, alone.",
        passed, passed + r->failed, say_repeated(r));
}

void cb_selftest_findings(struct cb_findings *f)
{
    const struct cb_rows rows = cb_findings_rows(f);
    const struct repeated repeated = count_failed(f);
    int passed = cb_rows_count(&rows);
    char command[CB_COMMAND_BYTES], discover[CB_COMMAND_BYTES];
    if (repeated.failed > 0) {
        find_failures(f, &repeated, passed);
        return;
    }
    cb_finding_add(f, "verdict",
                   "%s%d random run%s passed: cooperative kernels work on this device, as far as "
                   "these tell (with 95 %% confidence, fewer than %.2g %% of such runs fail).",
                   passed == 1 ? "The " : "All ", passed, CB_PLURAL(passed),
                   100 * upper_share(passed));
    if (passed < 500)
        cb_finding_add(f, "next", "`%s` looks for rarer failures; `%s` goes on.",
                       cb_findings_command(f, "selftest --stress 500", command),
                       cb_findings_command(f, "discover", discover));
    else
        cb_finding_add(f, "next", "`%s` tells how many workgroups run at once.",
                       cb_findings_command(f, "discover", command));
}
