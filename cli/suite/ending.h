/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run leaves for people when it ends: tables, report.md, where its results are, and how to
 * go on with what is missing.
 */
#pragma once

#include "analysis/documents/results.h"
#include "cli/suite/suite.h"
#include "cli/suite/tables.h"
#include "measure/bench.h"

struct cb_ending {
    const struct cb_suite *suite;
    const struct cb_plan *plan;
    const struct cb_results *results;
    bool interrupted;
    bool quiet;
    /* Tables, some of which were printed early; NULL: none is printed. */
    const struct cb_tables *tables;
};

/* Writes report.md into the run's folder. Without it, only text is lost: a failure is a warning. */
void cb_ending_save(const struct cb_ending *ending);

/* Writes files of the benches' own: without them, too, nothing that was measured is lost. Returns
 * the names of those that were written. */
cJSON *cb_ending_artefacts(const struct cb_ending *ending);

/* Prints the tables that were not printed early, and where the results are. artefacts: names of
 * files of the benches' own. */
void cb_ending_tell(const struct cb_ending *ending, const cJSON *artefacts);

/* Says on standard error of what compilers warned in users' kernels. */
void cb_ending_tell_warnings(const struct cb_ending *ending);

/* Says on standard error how far an interrupted run came, or which cases failed for reasons that
 * may go away, and the command that measures them. */
void cb_ending_tell_resume(const struct cb_ending *ending);
