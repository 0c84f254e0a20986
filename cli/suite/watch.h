/* SPDX-License-Identifier: Apache-2.0
 *
 * A suite that is run again and again, and what changes meanwhile.
 */
#pragma once

#include <stdbool.h>

#include "measure/param.h"

struct cb_watch {
    const char *suite;    /* a configuration: a file, or a name */
    const cJSON *options; /* options of its runs (cb_global_params), as given */
    const char *folder;   /* folder of results */
    bool quiet;
    double every_s;
    double limit_s;        /* time limit of a run */
    unsigned times;        /* runs; 0: until a signal */
    unsigned give_up;      /* after so many runs in a row that failed */
    const char *threshold; /* option of history, and the next ones of the watch; NULL: not given */
    const char *on_change, *openmetrics;
};

/* Runs the suite every so often, says in a line for each run what changed, and writes what options
 * ask for. Returns the exit code: 5 something got worse meanwhile; of a signal; of the last run if
 * it gave up. An error that kept it from running is in err. */
int cb_watch_run(const struct cb_watch *watch, struct cb_err *err);
