/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "measure/time_left.h"
#include "runtime/host/text.h"
#include "runtime/host/time.h"

#define SHOW_PERIOD_NS 100000000u
#define CLEAR_LINE     "\r\033[K"
#define LINE_BYTES     512
#define DEFAULT_WIDTH  80
#define BAR_WAIT_S     3  /* seconds after which the bar tells what takes long */
#define LINE_WAIT_S    20 /* seconds after which a line of its own tells it */
#define READABLE_ID    24 /* characters; a longer id is cut before the time that passed goes */

void cb_progress_init(struct cb_progress *p, const struct cb_plan *plan, const char *style,
                      bool quiet)
{
    *p = (struct cb_progress){.style = CB_PROGRESS_NONE,
                              .quiet = quiet,
                              .plan = plan,
                              .time = cb_time_left_new(plan),
                              .start_ns = cb_now_ns()};
    for (int i = 0; i < plan->count; i++)
        p->done += plan->cases[i].kept != NULL;
    bool terminal = isatty(STDERR_FILENO);
    if (quiet)
        return;
    if (strcmp(style, "bar") == 0 || (strcmp(style, "auto") == 0 && terminal))
        p->style = CB_PROGRESS_BAR;
    else if (strcmp(style, "lines") == 0)
        p->style = CB_PROGRESS_LINES;
}

void cb_progress_free(struct cb_progress *p)
{
    if (p->style == CB_PROGRESS_BAR && p->shown_ns > 0)
        fputs(CLEAR_LINE, stderr); /* of a row that could not be kept, and so was not told */
    cb_time_left_free(p->time);
    p->time = NULL;
}

/* What stands after the id. */
static void format_tail(const struct cb_progress_bar *bar, bool with_elapsed, char *tail,
                        size_t size)
{
    char of[16] = "", elapsed[32] = "", about[32], left[48] = "";
    if (bar->doing) {
        int n = (int)(with_elapsed ? strlen(bar->doing) : strcspn(bar->doing, " "));
        snprintf(tail, size, "  %.*s: %.0f s, given up after %.0f s", n, bar->doing, bar->waited_s,
                 bar->deadline_s);
        return;
    }
    if (bar->of_runs > 0)
        snprintf(of, sizeof of, "/%u", bar->of_runs);
    bool known = !isnan(bar->left_s);
    if (with_elapsed || !known)
        snprintf(elapsed, sizeof elapsed, "  %.0f s%s", bar->elapsed_s, known ? "," : "");
    if (known) {
        cb_time_format(bar->left_s, about, sizeof about);
        snprintf(left, sizeof left, "%s%s left", with_elapsed ? " " : "  ",
                 with_elapsed ? about : about + strlen("about "));
    }
    snprintf(tail, size, "  run %u%s%s%s", bar->runs, of, elapsed, left);
}

/* Copies the id, with "..." for its middle if it is longer than room. */
static void cut_id(const char *id, int room, char *text, size_t size)
{
    int length = (int)strlen(id), ends = room - (int)strlen("...");
    if (length <= room)
        snprintf(text, size, "%s", id);
    else if (ends < 2)
        text[0] = '\0';
    else
        snprintf(text, size, "%.*s...%s", ends / 2, id, id + length - (ends - ends / 2));
}

void cb_progress_format(const struct cb_progress_bar *bar, int width, char *line, size_t size)
{
    char counter[48], id[LINE_BYTES], tail[128];
    int length = (int)strlen(bar->id), needed = length < READABLE_ID ? length : READABLE_ID;
    snprintf(counter, sizeof counter, "[%d/%d] ", bar->order + 1, bar->n_cases);
    format_tail(bar, true, tail, sizeof tail);
    int room = width - (int)(strlen(counter) + strlen(tail));
    if (room < needed) {
        format_tail(bar, false, tail, sizeof tail);
        room = width - (int)(strlen(counter) + strlen(tail));
    }
    cut_id(bar->id, room, id, sizeof id);
    /* without an id, one of the two spaces before the tail is enough, and the counter has it */
    snprintf(line, size, "%s%s%s", counter, id, id[0] ? tail : tail + strlen("  "));
    if (width >= 0 && (size_t)width < size)
        line[width] = '\0';
}

static int terminal_width(void)
{
    struct winsize window;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0 ? window.ws_col
                                                                               : DEFAULT_WIDTH;
}

static void print_bar(const struct cb_progress_bar *bar)
{
    char line[LINE_BYTES];
    /* the last columns stay free: for "^C", and some terminals wrap when the last one is written */
    cb_progress_format(bar, terminal_width() - 3, line, sizeof line);
    fprintf(stderr, CLEAR_LINE "%s", line);
    fflush(stderr);
}

/* What the cases that run will still take: as those that have ended did, which gives NaN if none
 * has; or, of the last ones of a plan, as their own runs did so far. */
static double left_s(const struct cb_progress *p, const struct cb_case *c, unsigned runs,
                     double ran_s)
{
    const double left = p->rest_s + fmax(0, p->running_s - ran_s);
    if (!isnan(p->rest_s) && !isnan(p->running_s))
        return left;
    const bool known = c->stop.rule == CB_STOP_COUNT && runs > 0 && runs < c->stop.min_runs;
    return known && p->done + p->n_group == p->n_cases ? ran_s / runs * (c->stop.min_runs - runs)
                                                       : NAN;
}

static void show_bar(struct cb_progress *p, const struct cb_case *c, unsigned runs)
{
    uint64_t now = cb_now_ns();
    if (p->style != CB_PROGRESS_BAR || now - p->shown_ns < SHOW_PERIOD_NS)
        return;
    p->shown_ns = now;
    struct cb_progress_bar bar = {
        .order = p->done,
        .n_cases = p->n_cases,
        .id = c->id,
        .runs = runs,
        .of_runs = c->stop.rule == CB_STOP_COUNT ? c->stop.min_runs : 0,
        .elapsed_s = (double)(now - p->start_ns) / 1e9,
        .left_s = left_s(p, c, runs, (double)(now - p->began_ns) / 1e9),
    };
    print_bar(&bar);
}

/* The cases of a group run together. */
static void begin_group(struct cb_progress *p, const struct cb_case *c)
{
    int first = (int)(c - p->plan->cases);
    p->group = c->group;
    p->began_ns = cb_now_ns();
    p->running_s = 0;
    p->n_group = cb_group_end(p->plan, first) - first;
    for (int i = first; i < cb_group_end(p->plan, first); i++)
        p->running_s += p->time ? cb_time_left_of(p->time, i) : NAN;
    p->rest_s = p->time ? cb_time_left(p->time) - p->running_s : NAN;
}

void cb_progress_case(struct cb_progress *p, const struct cb_case *c, int n_cases)
{
    p->n_cases = n_cases;
    if (c->group == 0 || c->group != p->group)
        begin_group(p, c);
    p->shown_ns = 0; /* a new case is shown at once */
    show_bar(p, c, 0);
}

void cb_progress_run(struct cb_progress *p, const struct cb_case *c, unsigned runs)
{
    show_bar(p, c, runs);
}

void cb_progress_wait(struct cb_progress *p, const char *case_id, const char *doing,
                      double waited_s, double deadline_s)
{
    p->told_wait = p->told_wait && waited_s > p->waited_s;
    p->waited_s = waited_s;
    const struct cb_progress_bar bar = {.order = p->done,
                                        .n_cases = p->n_cases,
                                        .id = case_id,
                                        .doing = doing,
                                        .waited_s = waited_s,
                                        .deadline_s = deadline_s};
    if (p->style == CB_PROGRESS_BAR && waited_s >= BAR_WAIT_S)
        print_bar(&bar);
    if (p->style == CB_PROGRESS_BAR || p->quiet || p->told_wait || waited_s < LINE_WAIT_S)
        return;
    fprintf(stderr, "%s: %s for %.0f s so far, given up after %.0f s\n", case_id, doing, waited_s,
            deadline_s);
    fflush(stderr);
    p->told_wait = true;
}

/* With --quiet only what makes a failure of the run: not what is missing, or fails because of it.
 */
static bool is_told(enum cb_status status, bool quiet)
{
    if (status == CB_OK || status == CB_INTERRUPTED)
        return false;
    return !quiet || (status != CB_UNSUPPORTED && status != CB_SKIPPED);
}

/* A wrong input is told once, not for each case of its batch. */
static bool is_told_already(struct cb_progress *p, const struct cb_row *row)
{
    if (row->status != CB_USAGE || row->c->batch == 0)
        return false;
    bool again = row->c->batch == p->wrong_batch && strcmp(row->reason, p->wrong) == 0;
    p->wrong_batch = row->c->batch;
    snprintf(p->wrong, sizeof p->wrong, "%s", row->reason);
    return again;
}

void cb_progress_row(struct cb_progress *p, const struct cb_row *row)
{
    p->done++;
    if (p->style == CB_PROGRESS_BAR)
        fputs(CLEAR_LINE, stderr);
    p->shown_ns = 0;
    if (p->time)
        cb_time_left_learn(p->time, row->index, row->duration_s);
    if (is_told(row->status, p->quiet) && !is_told_already(p, row))
        fprintf(stderr, "%s: %s: %s\n", row->c->id, cb_status_name(row->status), row->reason);
    else if (p->style == CB_PROGRESS_LINES)
        fprintf(stderr, "[%d/%d] %s: %s (%u run%s, %.1f s)\n", row->order + 1, p->n_cases,
                row->c->id, cb_status_name(row->status), row->runs, CB_PLURAL(row->runs),
                row->duration_s);
    fflush(stderr);
}
