/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/compare/load.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/run_table.h"
#include "analysis/documents/folder.h"
#include "measure/stats.h"
#include "measure/text/csv.h"
#include "measure/text/json.h"
#include "measure/text/lines.h"

/* Adds a sample, as long as there are fewer than the document says. */
static void add_sample(struct cb_measurement *m, double value)
{
    if (!m)
        return;
    if (!m->samples)
        m->samples = malloc(m->side.n * sizeof *m->samples);
    if (m->samples && m->n_samples < m->side.n)
        m->samples[m->n_samples] = value;
    m->n_samples++; /* beyond the room: then they do not agree */
}

/* ---- samples.csv ----------------------------------------------------------------------------- */

/* lines of one case follow each other: the last case is tried first */
static bool is_case(const struct cb_run_case *c, const char *id, const char *device)
{
    return c && strcmp(c->id, id) == 0 && strcmp(c->device, device) == 0;
}

struct csv_reader {
    struct cb_run_table *table;
    struct cb_run_case *last;
};

static void take_sample(void *self, const struct cb_csv_sample *sample)
{
    struct csv_reader *r = self;
    if (!is_case(r->last, sample->id, sample->device))
        r->last = cb_run_table_find(r->table, sample->id, sample->device);
    if (r->last)
        add_sample(cb_run_case_metric(r->last, sample->metric), sample->value);
}

static enum cb_status read_csv(struct cb_run_table *t, const char *path, struct cb_err *err)
{
    struct csv_reader r = {t, NULL};
    return cb_csv_read_samples(path, take_sample, &r, err);
}

/* ---- events.jsonl ---------------------------------------------------------------------------- */

static void read_event(struct cb_run_table *t, const cJSON *row)
{
    const cJSON *series, *value, *samples = cJSON_GetObjectItemCaseSensitive(row, "samples");
    struct cb_run_case *c =
        cb_run_table_find(t, cb_json_text(row, "id", ""), cb_json_text(row, "device", ""));
    if (!c || !cJSON_IsObject(samples)) /* those of a list have no names */
        return;
    cJSON_ArrayForEach (series, samples) {
        struct cb_measurement *m = cb_run_case_metric(c, series->string);
        if (m)
            m->n_samples = 0; /* the last row of a case counts */
        cJSON_ArrayForEach (value, series)
            add_sample(m, value->valuedouble);
    }
}

static enum cb_status read_events(struct cb_run_table *t, const char *path, struct cb_err *err)
{
    struct cb_lines lines;
    enum cb_status status = cb_lines_open(&lines, path, err);
    while (status == CB_OK && cb_lines_next(&lines)) {
        cJSON *row = lines.whole ? cJSON_Parse(lines.text) : NULL;
        read_event(t, row);
        cJSON_Delete(row);
    }
    enum cb_status closed = cb_lines_close(&lines);
    return status == CB_OK ? closed : status;
}

/* ---- Both ------------------------------------------------------------------------------------ */

/* Whether the samples are those that the document's summary was made of. */
static bool agrees(const struct cb_measurement *m)
{
    if (!m->samples || m->n_samples != m->side.n)
        return false;
    for (size_t i = 0; i < m->n_samples; i++)
        if (!isfinite(m->samples[i]))
            return false;
    struct cb_stats stats = cb_stats_of(m->samples, m->n_samples);
    return fabs(stats.median - m->side.median) <= 1e-9 * fabs(m->side.median);
}

static void check_samples(struct cb_run_table *t)
{
    t->n_with = t->n_without = 0;
    for (int i = 0; i < t->count; i++)
        for (int k = 0; k < t->cases[i].n_metrics; k++) {
            struct cb_measurement *m = &t->cases[i].metrics[k];
            bool ok = agrees(m);
            if (!ok) {
                free(m->samples);
                m->samples = NULL;
            }
            m->side.samples = m->samples;
            m->n_samples = ok ? m->side.n : 0;
            t->n_with += ok;
            t->n_without += !ok;
        }
}

static enum cb_status read_samples(struct cb_run_table *t, struct cb_err *err)
{
    static const struct {
        const char *name;
        enum cb_status (*read)(struct cb_run_table *t, const char *path, struct cb_err *err);
    } parts[] = {{"samples.csv", read_csv}, {"events.jsonl", read_events}};
    char path[PATH_MAX + 32];
    bool whole = cb_run_is_document(t->document.file);
    check_samples(t);
    for (size_t i = 0; i < CB_COUNTOF(parts) && whole && t->n_with == 0; i++) {
        snprintf(path, sizeof path, "%s/%s", t->document.folder, parts[i].name);
        enum cb_status status = parts[i].read(t, path, err);
        if (status == CB_SKIPPED)
            continue;
        if (status != CB_OK)
            return status;
        check_samples(t);
        if (t->n_with > 0)
            t->samples_from = parts[i].name;
    }
    return CB_OK;
}

enum cb_status cb_run_table_fill(struct cb_run_table *t, const char *path, struct cb_err *err)
{
    enum cb_status status = cb_run_table_index(t, path, err);
    if (status == CB_OK)
        status = read_samples(t, err);
    if (status != CB_OK)
        cb_run_table_clear(t);
    return status;
}

enum cb_status cb_run_table_load(const char *path, const char *output_dir, struct cb_run_table *t,
                                 struct cb_err *err)
{
    *t = (struct cb_run_table){0};
    enum cb_status status = cb_run_document_load(path, output_dir, &t->document, err);
    if (status == CB_OK)
        status = cb_run_table_fill(t, path, err);
    if (status != CB_OK)
        cb_run_table_free(t);
    return status;
}
