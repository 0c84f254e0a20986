/* SPDX-License-Identifier: Apache-2.0
 *
 * A run in rounds: every round was a run of its own, in processes of its own. Joined, they are one
 * run with the samples of all, which also knows the median of each round: only those tell by how
 * much processes differ, and with it what a change has to exceed (analysis/compare/rounds.h).
 */
#pragma once

#include "analysis/documents/results.h"

struct cb_joined_run {
    const char *output_dir, *id;
    const cJSON *argv;          /* words of the call that made all rounds */
    struct cb_results *results; /* NULL: no round yet */
    int rounds;                 /* that were added */
    double wall_s;              /* in all rounds */
};

/* Adds the run in folder `part` as the next round, and writes all files of the joined run but
 * events.jsonl: it can be read from then on. The first round gives it its folder and says what was
 * measured where. A case counts as ok if it was in all rounds, else as in the first where it was
 * not. CB_USAGE: part is no run; CB_ERROR: it is not complete, or the joined run cannot be
 * written. */
enum cb_status cb_joined_run_add(struct cb_joined_run *run, const char *part, struct cb_err *err);

/* Writes all files for the last time, if there was a round. complete: no round is missing. */
enum cb_status cb_joined_run_finish(struct cb_joined_run *run, bool complete, int exit_code,
                                    struct cb_err *err);
void cb_joined_run_free(struct cb_joined_run *run);
