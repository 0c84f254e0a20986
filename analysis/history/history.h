/* SPDX-License-Identifier: Apache-2.0
 *
 * What has changed in a history of runs, and at which run: of the code, or of what it was measured
 * with.
 */
#pragma once

#include "analysis/compare/change.h"
#include "analysis/compare/choice.h"
#include "analysis/history/accepted.h"
#include "analysis/history/change_points.h"
#include "analysis/history/series.h"

struct cb_history_rules {
    struct cb_change_rules points; /* alpha: over all series together */
    struct cb_compare_choice_options choice;
    int recent;                   /* a change in so many runs at the end is a new one */
    struct cb_accepted *accepted; /* list of changes that are expected; NULL: none is */
};

enum cb_history_kind {
    CB_HISTORY_FAILED, /* the case gives no result any more */
    CB_HISTORY_WORSE,
    CB_HISTORY_ACCEPTED, /* worse, which somebody has accepted */
    CB_HISTORY_BETTER,
    CB_HISTORY_CORES,       /* no change: the speed of the cores explains the step */
    CB_HISTORY_ENVIRONMENT, /* device, driver, host or a parameter: the levels are not compared */
    CB_HISTORY_KINDS,
};

struct cb_history_change {
    enum cb_history_kind kind;
    const struct cb_case_series *series;
    int run, run_before;     /* indices of the run at which it changed, and the last before it */
    int at;                  /* the first of its values that is different; failed: the last */
    int last;                /* the value before it; of a level: in the same environment */
    int before, after;       /* values of the levels on either side */
    double p;                /* adjusted for all series; NaN: environment, failed, cores */
    double from, to;         /* medians of the levels; cores: as measured */
    struct cb_change change; /* NaN: environment, failed */
    char *why;               /* environment: what was, and is; failed: "crashed: ..."; cores: how
                              * much their speed changed; owned */
    const struct cb_acceptance *accepted; /* the acceptance of a change that is accepted */
};

struct cb_history {
    struct cb_all_series series;
    struct cb_history_change *changes; /* ordered by run, then by size */
    int n, room;
    int of[CB_HISTORY_KINDS];
    int recent_worse;                    /* worse or failed, in the runs that are recent */
    int disturbed_cases, disturbed_runs; /* left out: others used the device; runs that have any */
    const struct cb_accepted *accepted;  /* accepted changes as the rules have them */
};

/* Finds the changes of runs in order. Values of a series are judged for each of its
 * environments by themselves, and after a change that is accepted (cb_accepted_read_all) anew.
 * Of values with the speed of the cores (kernels/core_speed.clh), that is taken out, and a step
 * that it explains is told as that. p of all series are corrected together
 * (Benjamini-Hochberg). A case fails since a run if it was ok before, and failed in that run and
 * all later ones that tried it, which are more in a row than it failed before and was ok again
 * (streaks of rules->points.least or more apart: those were no chance). The runs have to
 * outlive the history. As cb_compare_nothing(): no series. */
enum cb_status cb_history_find(const struct cb_stored_run *runs, int n,
                               const struct cb_history_rules *rules, struct cb_history *out,
                               struct cb_err *err);
void cb_history_free(struct cb_history *history);

/* "failed", "worse", "accepted", "better", "cores", "environment". */
const char *cb_history_kind_name(enum cb_history_kind kind);

/* Whether a level changed, of which the numbers tell; else there is only a reason. */
bool cb_history_is_level(const struct cb_history_change *change);
