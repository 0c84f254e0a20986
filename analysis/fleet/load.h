/* SPDX-License-Identifier: Apache-2.0
 *
 * The runs of a fleet from disk, and which are not there.
 */
#pragma once

#include "analysis/compare/run_table.h"

/* A device that did not answer, or not wholly, or whose run cannot be read. Texts are owned, and ""
 * if they are not known. */
struct cb_fleet_gap {
    char *folder; /* folder of the run, or what cannot be read */
    char *host, *uuid;
    const char *state; /* "missing", "partial", "unreadable" */
    char *why;
    double attempts; /* NaN: not known */
};

struct cb_fleet_runs {
    struct cb_run_table *tables;
    int n;
    struct cb_fleet_gap *gaps;
    int n_gaps;
};

/* Reads fleets: folders that hold a run folder for each device, and perhaps fleet.json
 * (docs/fleet.md), which says what became of each; runs, and names of runs in results/, too. In a
 * folder, a run that cannot be read is a gap. CB_USAGE: a path is none of these, or no run is left.
 */
enum cb_status cb_fleet_load(char *const *paths, int n, struct cb_fleet_runs *out,
                             struct cb_err *err);

/* Adds what fleet.json in a folder says of runs that are not among these, or not whole; nothing if
 * there is no such file. CB_ERROR: no memory. */
enum cb_status cb_fleet_add_gaps(struct cb_fleet_runs *runs, const char *folder,
                                 struct cb_err *err);
void cb_fleet_runs_free(struct cb_fleet_runs *runs);
