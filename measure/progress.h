/* SPDX-License-Identifier: Apache-2.0
 *
 * Progress of a run, on standard error: one line that is rewritten (bar), a line per finished case
 * (lines), or nothing. A case that is not ok is told in any style; in quiet, if it makes a failure
 * of the run. What is wrong with the input of a batch is told of the first of its cases only.
 */
#pragma once

#include "measure/engine.h"

enum cb_progress_style { CB_PROGRESS_BAR, CB_PROGRESS_LINES, CB_PROGRESS_NONE };

struct cb_progress {
    enum cb_progress_style style;
    bool quiet;
    const struct cb_plan *plan;
    struct cb_time_left *time;
    double running_s;  /* what the cases that run will take, since began_ns; NaN: not known */
    double rest_s;     /* what the others will take that have not ended */
    int group;         /* that runs */
    int n_cases, done; /* cases */
    int n_group;       /* cases of it */
    uint64_t start_ns, began_ns, shown_ns;
    double waited_s; /* as it was told last that something takes long */
    bool told_wait;  /* in a line of its own */
    int wrong_batch; /* batch of the last wrong input that was told of, and what it said */
    char wrong[CB_ERR_TEXT];
};

/* What the bar tells. */
struct cb_progress_bar {
    int order, n_cases; /* the first is 0 */
    const char *id;
    unsigned runs, of_runs; /* of_runs: 0: not known how many */
    double elapsed_s;
    double left_s;     /* NaN: not known */
    const char *doing; /* what takes long, instead of runs and times; NULL: nothing does */
    double waited_s, deadline_s;
};

/* style: "auto" (a bar if standard error is a terminal, else nothing), "bar", "lines", "none". */
void cb_progress_init(struct cb_progress *progress, const struct cb_plan *plan, const char *style,
                      bool quiet);
void cb_progress_free(struct cb_progress *progress);
void cb_progress_case(struct cb_progress *progress, const struct cb_case *c, int n_cases);
void cb_progress_run(struct cb_progress *progress, const struct cb_case *c, unsigned runs);

/* Something that a case does, "running", takes long, and is given up at its deadline. */
void cb_progress_wait(struct cb_progress *progress, const char *case_id, const char *doing,
                      double waited_s, double deadline_s);

void cb_progress_row(struct cb_progress *progress, const struct cb_row *row);

/* The bar as a line of at most width characters. What has no room goes, the least important first:
 * the middle of the id, the time that passed, the id, the end of the line. */
void cb_progress_format(const struct cb_progress_bar *bar, int width, char *line, size_t size);
