/* SPDX-License-Identifier: Apache-2.0 */
#include "plots/report/levels.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/host/text.h"

#define MOST_ROWS 300

/* ---- The table's rows ------------------------------------------------------------------------ */

struct place {
    int kind, run, change;
};

static int by_kind_and_newest(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return x->kind != y->kind ? x->kind - y->kind
           : x->run != y->run ? y->run - x->run
                              : x->change - y->change;
}

static bool number_rows(struct cb_report_levels *l)
{
    const struct cb_history *h = &l->history;
    const size_t n = (size_t)h->n + 1; /* never 0 */
    struct place *places = calloc(n, sizeof *places);
    l->order = calloc(n, sizeof *l->order);
    l->numbers = calloc(n, sizeof *l->numbers);
    const bool room = places && l->order && l->numbers;
    for (int i = 0; i < h->n && room; i++)
        places[i] = (struct place){h->changes[i].kind, h->changes[i].run, i};
    if (room)
        qsort(places, (size_t)h->n, sizeof *places, by_kind_and_newest);
    for (int i = 0; i < h->n && room; i++) {
        const struct place *p = &places[i], *last = i > 0 ? p - 1 : NULL;
        const bool shares = last && p->kind == CB_HISTORY_ENVIRONMENT && last->kind == p->kind &&
                            last->run == p->run; /* a new environment of the same run */
        if (shares) {
            l->numbers[p->change] = l->numbers[last->change];
        } else if (l->rows < MOST_ROWS) {
            l->order[l->rows++] = p->change;
            l->numbers[p->change] = l->rows;
        }
    }
    free(places);
    return room;
}

/* ---- All ------------------------------------------------------------------------------------- */

static bool take_runs(const struct cb_runs *runs, struct cb_report_levels *l)
{
    l->stored = calloc((size_t)runs->count, sizeof *l->stored);
    l->runs = calloc((size_t)runs->count, sizeof *l->runs);
    for (int i = 0; i < runs->count && l->stored && l->runs; i++) {
        struct cb_run_document document = {.tree = runs->items[i]};
        struct cb_err err;
        snprintf(document.file, sizeof document.file, "%s", runs->files[i]);
        if (cb_stored_run_make(&document, &l->layouts, &l->stored[l->n], &err) == CB_OK) {
            l->runs[l->n++] = i;
        } else {
            cb_text_print(stderr, "Warning: not in the history: %s\n", err.text);
            cb_stored_run_free(&l->stored[l->n]);
        }
    }
    return l->stored && l->runs;
}

enum cb_status cb_report_levels_find(const struct cb_runs *runs, const char *accepted,
                                     struct cb_report_levels *l, struct cb_err *err)
{
    *l = (struct cb_report_levels){.rules = {.points = cb_change_rules, .accepted = &l->accepted}};
    if (runs->count < 2)
        return CB_SKIPPED;
    if (!take_runs(runs, l))
        return cb_no_memory(err);
    if (cb_accepted_read_all(&l->accepted, accepted, l->stored, l->n, err) != CB_OK)
        return err->status;
    if (l->n < 2)
        return CB_SKIPPED;
    const enum cb_status status = cb_history_find(l->stored, l->n, &l->rules, &l->history, err);
    if (status != CB_OK)
        return status == CB_USAGE ? CB_SKIPPED : status; /* there is no series */
    cb_accepted_print_warnings(stderr, &l->accepted);
    return number_rows(l) ? CB_OK : cb_no_memory(err);
}

void cb_report_levels_free(struct cb_report_levels *l)
{
    cb_history_free(&l->history);
    cb_accepted_free(&l->accepted);
    for (int i = 0; i < l->n; i++)
        cb_stored_run_free(&l->stored[i]);
    cb_layouts_free(&l->layouts);
    free(l->stored);
    free(l->runs);
    free(l->order);
    free(l->numbers);
    *l = (struct cb_report_levels){0};
}
