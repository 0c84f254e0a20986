/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/memory/findings.h"

#include <math.h>
#include <string.h>

#include "measure/estimate.h"
#include "measure/json.h"
#include "probes/memory/cases.h"
#include "probes/memory/predict.h"

/* The time of reads by N workgroups. */
static struct cb_estimate time_of(const struct cb_findings *f, const char *contention,
                                  const char *access)
{
    return cb_estimate_of(cb_memory_case(f->run, cb_json_text(f->device, "id", ""),
                                         "memory/%s.read.%s/groups=N", contention, access),
                          "time");
}

/* Says one thing of a ratio above 1, another below, and that nothing is told between. */
static void find_ratio(struct cb_findings *f, const char *id, struct cb_estimate ratio,
                       const char *what, const char *above, const char *below)
{
    char text[CB_ESTIMATE_BYTES];
    if (isnan(ratio.median))
        return;
    cb_estimate_number(text, ratio);
    if (!(ratio.low > 1) && !(ratio.high < 1))
        cb_finding_add(f, id,
                       "%s: %s times as long, of which these measurements do not tell more; "
                       "--runs 50.",
                       what, text);
    else
        cb_finding_add(f, id, "%s: %s times as long: %s.", what, text,
                       ratio.low > 1 ? above : below);
}

void cb_memory_findings(struct cb_findings *f)
{
    struct cb_machine machine;
    char missing[160], command[CB_COMMAND_BYTES];
    find_ratio(f, "contention",
               cb_estimate_quotient(time_of(f, "contentious", "atomic"),
                                    time_of(f, "noncontentious", "atomic")),
               "Atomics of all workgroups on one word beside each on its own",
               "give each workgroup a word of its own where you can",
               "sharing a word costs nothing");
    find_ratio(f, "atomicity",
               cb_estimate_quotient(time_of(f, "contentious", "atomic"),
                                    time_of(f, "contentious", "volatile")),
               "Atomic reads beside volatile ones, all workgroups on one word",
               "wait for a word with plain reads", "wait for a word with atomics");
    if (!cb_machine_of(f->run, cb_json_text(f->device, "id", ""), &machine, missing)) {
        cb_finding_add(f, "next", "No primitive is predicted: %s is missing. `%s` measures it all.",
                       missing, cb_findings_command(f, "memory", command));
        return;
    }
    cb_finding_add(f, "next",
                   "With all workgroups, the barrier `%s` and the mutex `%s` are predicted to be "
                   "the fastest; `%s` tests that.",
                   cb_predict(&machine, CB_BARRIER, machine.groups_full).name,
                   cb_predict(&machine, CB_MUTEX, machine.groups_full).name,
                   cb_findings_command(f, "primitives", command));
}
