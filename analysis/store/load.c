/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/store/load.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/documents/runs.h"
#include "analysis/store/index.h"
#include "measure/text/json.h"
#include "runtime/host/parallel.h"
#include "runtime/host/signals.h"

#define BATCH 16

/* Where a run is. */
struct source {
    char *file;         /* the document */
    const char *folder; /* folder of runs in which it was found; NULL: it was named itself */
    struct cb_index_key key;
};

struct work {
    struct cb_stored_runs *runs; /* one for each source */
    struct source *sources;
    int n, room;
};

/* ---- Sources --------------------------------------------------------------------------------- */

static enum cb_status add_source(void *self, const char *path, const char *folder,
                                 struct cb_err *err)
{
    struct work *w = self;
    struct cb_run_document found;
    if (w->n == w->room) {
        const int room = w->room ? 2 * w->room : 64;
        struct source *sources = realloc(w->sources, (size_t)room * sizeof *sources);
        if (!sources)
            return cb_no_memory(err);
        w->sources = sources;
        w->room = room;
    }
    if (cb_run_document_find(path, CB_RUNS_FOLDER, &found, err) != CB_OK)
        return err->status;
    struct source *source = &w->sources[w->n];
    *source = (struct source){.file = strdup(found.file), .folder = folder};
    if (!source->file)
        return cb_no_memory(err);
    w->n++;
    return CB_OK;
}

/* ---- Runs ------------------------------------------------------------------------------------ */

/* Runs that are read side by side: few, since documents are large. */
struct batch {
    struct work *work;
    int sources[BATCH], n;
    char *layouts[BATCH]; /* their texts */
    struct cb_err errs[BATCH];
};

static void read_run(void *context, unsigned k)
{
    struct batch *b = context;
    struct cb_run_document document;
    const int i = b->sources[k];
    struct cb_err *err = &b->errs[k];
    if (cb_run_document_load(b->work->sources[i].file, NULL, &document, err) == CB_OK)
        cb_stored_run_begin(&document, &b->work->runs->items[i], &b->layouts[k], err);
    cb_run_document_free(&document);
}

/* Takes a run that was read. One that nobody named is left out if it is no good: its slot is empty
 * then. */
static enum cb_status take_run(struct batch *b, int k, struct cb_err *err)
{
    struct cb_stored_run *run = &b->work->runs->items[b->sources[k]];
    struct cb_err *why = &b->errs[k];
    if (why->status == CB_OK)
        cb_layouts_take(&b->work->runs->layouts, b->layouts[k], run->file, &run->layout, why);
    if (why->status == CB_OK)
        return CB_OK;
    cb_stored_run_free(run);
    *err = *why;
    return cb_run_left_out(why, !b->work->sources[b->sources[k]].folder) ? CB_OK : why->status;
}

/* Layouts are taken in the order of the sources, so that they get the same numbers each time. */
static enum cb_status read_batch(struct batch *b, struct cb_err *err)
{
    enum cb_status status = CB_OK;
    cb_parallel_for((unsigned)b->n, read_run, b);
    for (int k = 0; k < b->n; k++) {
        if (status == CB_OK)
            status = take_run(b, k, err);
        else
            cJSON_free(b->layouts[k]);
    }
    return status;
}

/* Reads the documents of those from begin on that are not kept. */
static enum cb_status read_runs(struct work *w, const bool *kept, int begin, int end,
                                struct cb_err *err)
{
    enum cb_status status = CB_OK;
    for (int i = begin; i < end && status == CB_OK;) {
        struct batch batch = {.work = w};
        for (; i < end && batch.n < BATCH; i++)
            if (!kept[i - begin])
                batch.sources[batch.n++] = i;
        status = read_batch(&batch, err);
    }
    return status;
}

/* Those from begin on that are there now, and were not before or have to be put anyhow. */
static void keep(struct work *w, struct cb_index *index, const bool *kept, int begin, int end)
{
    const struct cb_index_key **keys = calloc((size_t)(end - begin) + 1, sizeof *keys);
    const struct cb_stored_run **runs = calloc((size_t)(end - begin) + 1, sizeof *runs);
    int n = 0;
    for (int i = begin; i < end && keys && runs; i++)
        if (!kept[i - begin] && w->runs->items[i].layout && *w->sources[i].key.stamp) {
            keys[n] = &w->sources[i].key;
            runs[n++] = &w->runs->items[i];
        }
    if (n > 0)
        cb_index_put(index, keys, runs, n);
    free(keys);
    free(runs);
}

/* All runs of a folder, or without one, the sources from begin on. */
static enum cb_status load_folder(struct work *w, int begin, int end, struct cb_err *err)
{
    const char *folder = w->sources[begin].folder;
    bool *kept = calloc((size_t)(end - begin), sizeof *kept), anew;
    struct cb_index *index = kept && folder ? cb_index_open(folder, end - begin) : NULL;
    enum cb_status status = kept ? CB_OK : cb_no_memory(err);
    for (int i = begin; i < end && index; i++) {
        struct cb_index_key *key = &w->sources[i].key;
        key->name = w->sources[i].file + strlen(folder) + 1;
        cb_index_stamp(key, w->sources[i].file);
        kept[i - begin] = cb_index_get(index, key, &w->runs->layouts, &w->runs->items[i]);
    }
    cb_index_read(index, &anew);
    if (status == CB_OK)
        status = read_runs(w, kept, begin, end, err);
    if (anew)
        memset(kept, 0, (size_t)(end - begin) * sizeof *kept);
    if (index)
        keep(w, index, kept, begin, end);
    cb_index_close(index);
    free(kept);
    return status;
}

static void drop_empty(struct cb_stored_runs *runs)
{
    int kept = 0;
    for (int i = 0; i < runs->n; i++)
        if (runs->items[i].layout)
            runs->items[kept++] = runs->items[i];
        else
            cb_stored_run_free(&runs->items[i]);
    runs->n = kept;
}

static enum cb_status load_all(struct work *w, struct cb_err *err)
{
    enum cb_status status = CB_OK;
    w->runs->items = calloc((size_t)w->n + 1, sizeof *w->runs->items);
    if (!w->runs->items)
        return cb_no_memory(err);
    w->runs->n = w->n;
    for (int begin = 0, end; begin < w->n && status == CB_OK; begin = end) {
        end = begin + 1;
        while (end < w->n && w->sources[end].folder == w->sources[begin].folder)
            end++;
        status = load_folder(w, begin, end, err);
    }
    drop_empty(w->runs);
    if (status == CB_OK && w->runs->n == 0)
        return err->status; /* the error is that of the last run that was left out */
    *err = status == CB_OK ? (struct cb_err){0} : *err;
    if (status == CB_OK && cb_caught_signal())
        status = cb_fail(err, CB_INTERRUPTED, "interrupted");
    return status;
}

/* ---- Order ----------------------------------------------------------------------------------- */

struct sorted {
    struct cb_stored_run run;
    const char *start;
    int source;
};

static int by_start(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;
    const int order = strcmp(x->start, y->start);
    return order != 0 ? order : (x->source > y->source) - (x->source < y->source);
}

static enum cb_status sort(struct cb_stored_runs *runs, struct cb_err *err)
{
    struct sorted *sorted = malloc(((size_t)runs->n + 1) * sizeof *sorted);
    if (!sorted)
        return cb_no_memory(err);
    for (int i = 0; i < runs->n; i++)
        sorted[i] = (struct sorted){runs->items[i], cb_stored_run_start(&runs->items[i]), i};
    qsort(sorted, (size_t)runs->n, sizeof *sorted, by_start);
    for (int i = 0; i < runs->n; i++)
        runs->items[i] = sorted[i].run;
    free(sorted);
    return CB_OK;
}

/* ---- All ------------------------------------------------------------------------------------- */

enum cb_status cb_stored_runs_load(char *const *paths, int n, struct cb_stored_runs *runs,
                                   struct cb_err *err)
{
    struct work w = {.runs = runs};
    *runs = (struct cb_stored_runs){0};
    enum cb_status status = cb_runs_visit(paths, n, add_source, &w, err);
    if (status == CB_OK && w.n == 0)
        status = cb_fail(err, CB_USAGE, CB_NO_RUNS);
    if (status == CB_OK)
        status = load_all(&w, err);
    if (status == CB_OK)
        status = sort(runs, err);
    for (int i = 0; i < w.n; i++)
        free(w.sources[i].file);
    free(w.sources);
    return status;
}

void cb_stored_runs_free(struct cb_stored_runs *runs)
{
    for (int i = 0; i < runs->n; i++)
        cb_stored_run_free(&runs->items[i]);
    free(runs->items);
    cb_layouts_free(&runs->layouts);
    *runs = (struct cb_stored_runs){0};
}
