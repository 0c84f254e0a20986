/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runtime/clock.h"

#define SHOW_PERIOD_NS 100000000u
#define CLEAR_LINE     "\r\033[K"

void cb_progress_init(struct cb_progress *p, const char *style, bool quiet)
{
    *p = (struct cb_progress){.style = CB_PROGRESS_NONE, .quiet = quiet, .start_ns = cb_now_ns()};
    bool terminal = isatty(STDERR_FILENO);
    if (quiet)
        return;
    if (strcmp(style, "bar") == 0 || (strcmp(style, "auto") == 0 && terminal))
        p->style = CB_PROGRESS_BAR;
    else if (strcmp(style, "lines") == 0)
        p->style = CB_PROGRESS_LINES;
}

static void show_bar(struct cb_progress *p, const struct cb_case *c, unsigned runs)
{
    uint64_t now = cb_now_ns();
    if (p->style != CB_PROGRESS_BAR || now - p->shown_ns < SHOW_PERIOD_NS)
        return;
    p->shown_ns = now;
    double elapsed_s = (double)(now - p->start_ns) / 1e9;
    fprintf(stderr, CLEAR_LINE "[%d/%d] %s  run %u", p->order + 1, p->n_cases, c->id, runs);
    if (c->stop.rule == CB_STOP_COUNT)
        fprintf(stderr, "/%u", c->stop.min_runs);
    fprintf(stderr, "  %.0f s", elapsed_s);
    if (p->order > 0)
        fprintf(stderr, ", about %.0f s left",
                elapsed_s / p->order * (double)(p->n_cases - p->order));
    fflush(stderr);
}

void cb_progress_case(struct cb_progress *p, const struct cb_case *c, int order, int n_cases)
{
    p->order = order;
    p->n_cases = n_cases;
    p->shown_ns = 0; /* a new case is shown at once */
    show_bar(p, c, 0);
}

void cb_progress_run(struct cb_progress *p, const struct cb_case *c, unsigned runs)
{
    show_bar(p, c, runs);
}

void cb_progress_row(struct cb_progress *p, const struct cb_row *row)
{
    if (p->style == CB_PROGRESS_BAR)
        fputs(CLEAR_LINE, stderr);
    bool bad = row->status != CB_OK && row->status != CB_INTERRUPTED;
    if (bad && !p->quiet)
        fprintf(stderr, "%s: %s: %s\n", row->c->id, cb_status_name(row->status), row->reason);
    else if (p->style == CB_PROGRESS_LINES)
        fprintf(stderr, "[%d/%d] %s: %s (%u runs, %.1f s)\n", row->order + 1, p->n_cases,
                row->c->id, cb_status_name(row->status), row->runs, row->duration_s);
    fflush(stderr);
}
