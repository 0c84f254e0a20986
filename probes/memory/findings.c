/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/memory/findings.h"

#include <math.h>
#include <string.h>

#include "analysis/documents/rows.h"
#include "measure/estimate.h"
#include "measure/text/json.h"
#include "measure/text/units.h"
#include "probes/memory/predict.h"

/* The access time among N workgroups. */
static struct cb_estimate read_of(const struct cb_findings *f, const char *contention,
                                  const char *access)
{
    return cb_estimate_of(cb_row_with_id(f->run, cb_json_text(f->device, "id", ""),
                                         "memory/%s.read.%s/groups=N", contention, access),
                          "access_time");
}

/* Says one thing of a ratio above 1, another below, and that nothing is told between. */
static void find_ratio(struct cb_findings *f, const char *id, struct cb_estimate access,
                       struct cb_estimate other, const char *what, const char *above,
                       const char *below)
{
    struct cb_estimate ratio = cb_estimate_quotient(access, other);
    char text[CB_ESTIMATE_BYTES], time[32];
    if (isnan(ratio.median))
        return;
    cb_estimate_number(text, ratio);
    cb_format_time(time, sizeof time, access.median);
    bool told = ratio.low > 1 || ratio.high < 1;
    cb_finding_add(f, id, "%s takes %s, %s times as long as %s: %s.", what, time, text,
                   strcmp(id, "contention") == 0 ? "one of a word that no other reads"
                                                 : "a plain one",
                   !told           ? "which is faster, these measurements do not tell (--runs 50)"
                   : ratio.low > 1 ? above
                                   : below);
}

void cb_memory_findings(struct cb_findings *f)
{
    struct cb_machine machine;
    char missing[160], command[CB_COMMAND_BYTES];
    struct cb_estimate shared = read_of(f, "contentious", "atomic");
    find_ratio(f, "contention", shared, read_of(f, "noncontentious", "atomic"),
               "An atomic read of a word that all workgroups read",
               "let each workgroup wait for a word of its own where you can",
               "waiting for one shared word costs nothing more");
    find_ratio(f, "atomicity", shared, read_of(f, "contentious", "volatile"),
               "An atomic read of a shared word", "spin with plain (volatile) reads",
               "spin with atomic reads");
    if (!cb_machine_of(f->run, cb_json_text(f->device, "id", ""), &machine, missing)) {
        cb_finding_add(f, "next", "No primitive is predicted without %s. `%s` measures it all.",
                       missing, cb_findings_command(f, "memory", command));
        return;
    }
    cb_finding_add(f, "next",
                   "With all workgroups, the barrier `%s` and the mutex `%s` are predicted to be "
                   "the fastest; `%s` tests that.",
                   cb_predict(&machine, CB_PREDICTED_BARRIER, machine.groups_full).name,
                   cb_predict(&machine, CB_PREDICTED_MUTEX, machine.groups_full).name,
                   cb_findings_command(f, "primitives", command));
}
