/* SPDX-License-Identifier: Apache-2.0
 *
 * Which runs a page has the cases of. A folder may have thousands of runs, and a page no room for
 * all that is in them.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/store/load.h"
#include "measure/param.h"
#include "plots/report/report.h"

#define MOST_CASES 100000 /* most cases of all runs: some 30 MB */
#define MANY_RUNS  100    /* fewer are read without a look at how many cases they have */

static enum cb_status count(void *n, const char *path, const char *folder, struct cb_err *err)
{
    (void)path, (void)folder, (void)err;
    ++*(int *)n;
    return CB_OK;
}

/* The documents that are read, in the order of their texts. */
struct files {
    const char **items;
    int n;
};

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_among(const void *context, const char *file)
{
    const struct files *files = context;
    return bsearch(&file, files->items, (size_t)files->n, sizeof *files->items, by_text) != NULL;
}

/* From the newest on as many as have room, and baselines; moves the heads of the others to the
 * runs. false: no memory. */
static bool choose(struct cb_stored_runs *all, struct cb_texts baselines, struct files *files,
                   cJSON **older, int *n_older)
{
    int cases = 0;
    files->items = calloc((size_t)all->n, sizeof *files->items);
    for (int i = all->n - 1; i >= 0 && files->items; i--) {
        struct cb_stored_run *run = &all->items[i];
        cases += run->layout->table.count;
        if (cases <= MOST_CASES || i == all->n - 1 || cb_texts_have(baselines, run->id)) {
            files->items[files->n++] = run->file;
        } else {
            older[(*n_older)++] = run->head;
            run->head = NULL;
        }
    }
    if (files->items)
        qsort(files->items, (size_t)files->n, sizeof *files->items, by_text);
    return files->items != NULL;
}

static enum cb_status load_newest(char *const *paths, int n, struct cb_stored_runs *all,
                                  struct cb_texts baselines, struct cb_runs *runs,
                                  struct cb_err *err)
{
    struct files files = {0};
    cJSON **older = calloc((size_t)all->n + 1, sizeof *older);
    int n_older = 0;
    enum cb_status status = older && choose(all, baselines, &files, older, &n_older)
                                ? cb_runs_load_wanted(paths, n, is_among, &files, runs, err)
                                : cb_no_memory(err);
    runs->older = older;
    runs->n_older = n_older;
    free(files.items);
    return status;
}

enum cb_status cb_report_load(char *const *paths, int n, struct cb_texts baselines,
                              struct cb_runs *runs, struct cb_err *err)
{
    struct cb_stored_runs all;
    int n_runs = 0;
    *runs = (struct cb_runs){0};
    if (n != 1 || cb_runs_visit(paths, n, count, &n_runs, err) != CB_OK || n_runs < MANY_RUNS)
        return cb_runs_load(paths, n, runs, err);
    enum cb_status status = cb_stored_runs_load(paths, n, &all, err);
    if (status == CB_OK)
        status = load_newest(paths, n, &all, baselines, runs, err);
    else if (status ==
             CB_USAGE) /* a run is no good for a history, or for nothing: this says which */
        status = cb_runs_load(paths, n, runs, err);
    cb_stored_runs_free(&all);
    return status;
}
