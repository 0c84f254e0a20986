/* SPDX-License-Identifier: Apache-2.0
 *
 * CSV for Apache Otava (formerly Hunter): a line for each run, in the order of their times, a
 * column for each metric of which one way is better. Otava takes the lines for points of one series
 * and wants a number in every one, so that only metrics that all lines have are columns.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/export/export.h"
#include "measure/text/csv.h"
#include "measure/text/json.h"

/* The rows of a run, by name. */
struct line {
    const cJSON *run;
    const char *start;
    const struct cb_export_row **rows;
    size_t n;
    int place;
};

struct lines {
    struct line *items;
    const struct cb_export_row **rows; /* rows of all lines */
    int n;
    size_t columns, left_out;
    const char **names; /* names of the columns */
};

static bool is_wanted(const struct cb_export_row *row)
{
    return strcmp(cb_json_text(row->metric, "better", "none"), "none") != 0;
}

static int by_name(const void *a, const void *b)
{
    const struct cb_export_row *x = *(const struct cb_export_row *const *)a;
    const struct cb_export_row *y = *(const struct cb_export_row *const *)b;
    return strcmp(x->name, y->name);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int by_start(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    const int order = strcmp(x->start, y->start);
    return order ? order : x->place - y->place;
}

static const char *start_of(const cJSON *run)
{
    return cb_json_text(cJSON_GetObjectItemCaseSensitive(run, "time"), "start", "");
}

/* Takes the rows of a run from e->rows[*next] on; those of a run follow each other. */
static void make_line(const struct cb_export *e, int place, size_t *next, struct lines *lines,
                      size_t *used)
{
    struct line line = {.run = e->runs[place],
                        .start = start_of(e->runs[place]),
                        .rows = lines->rows + *used,
                        .place = place};
    for (; *next < e->n_rows && e->rows[*next].run == line.run; ++*next)
        if (is_wanted(&e->rows[*next]))
            line.rows[line.n++] = &e->rows[*next];
    if (line.n == 0) /* nothing was ok: no point of any series */
        return;
    qsort(line.rows, line.n, sizeof *line.rows, by_name);
    *used += line.n;
    lines->items[lines->n++] = line;
}

static const struct cb_export_row *find(const struct line *line, const char *name)
{
    const struct cb_export_row key = {.name = (char *)name}, *pointer = &key;
    const struct cb_export_row **found =
        bsearch(&pointer, line->rows, line->n, sizeof *line->rows, by_name);
    return found ? *found : NULL;
}

static bool all_have(const struct lines *lines, const char *name)
{
    for (int i = 0; i < lines->n; i++)
        if (!find(&lines->items[i], name))
            return false;
    return true;
}

/* All names, once each; those that a line lacks are left out. */
static void choose_columns(struct lines *lines, size_t n)
{
    for (size_t i = 0; i < n; i++)
        lines->names[i] = lines->rows[i]->name;
    if (n > 0)
        qsort(lines->names, n, sizeof *lines->names, by_text);
    for (size_t i = 0; i < n; i++) {
        const char *name = lines->names[i];
        if (i + 1 < n && strcmp(name, lines->names[i + 1]) == 0)
            continue;
        if (all_have(lines, name))
            lines->names[lines->columns++] = name;
        else
            lines->left_out++;
    }
}

static void free_lines(struct lines *lines)
{
    free(lines->items);
    free(lines->rows);
    free(lines->names);
}

static bool make_lines(const struct cb_export *e, struct lines *lines)
{
    size_t next = 0, used = 0;
    *lines = (struct lines){.items = calloc((size_t)e->n_runs + 1, sizeof *lines->items),
                            .rows = calloc(e->n_rows + 1, sizeof *lines->rows),
                            .names = calloc(e->n_rows + 1, sizeof *lines->names)};
    if (!lines->items || !lines->rows || !lines->names) {
        free_lines(lines);
        return false;
    }
    for (int i = 0; i < e->n_runs; i++)
        make_line(e, i, &next, lines, &used);
    choose_columns(lines, used);
    if (lines->n > 0)
        qsort(lines->items, (size_t)lines->n, sizeof *lines->items, by_start);
    return true;
}

/* "2026-11-20T10:00:00Z", with digits where the pattern has a 0. */
static bool is_time(const char *text)
{
    const char *pattern = "0000-00-00T00:00:00Z";
    for (; *pattern && *text; pattern++, text++)
        if (*pattern == '0' ? *text < '0' || *text > '9' : *pattern != *text)
            return false;
    return *pattern == *text;
}

enum cb_status cb_export_otava_check(struct cb_export *e, struct cb_err *err)
{
    struct lines lines;
    if (!make_lines(e, &lines))
        return cb_no_memory(err);
    enum cb_status status = CB_OK;
    for (int i = 0; i < lines.n && status == CB_OK; i++)
        if (!is_time(lines.items[i].start))
            status = cb_fail(err, CB_USAGE,
                             "run %s does not say when it began (time.start \"%s\"), so it is no "
                             "point of a series; leave it out",
                             cb_json_text(lines.items[i].run, "run_id", "without an id"),
                             lines.items[i].start);
    if (status == CB_OK && lines.n > 0 && lines.columns == 0)
        status = cb_fail(err, CB_USAGE,
                         "the %d runs have no metric in common, and Otava needs its number in each "
                         "of them; export the runs of one suite on one device",
                         lines.n);
    e->left_out = lines.left_out;
    free_lines(&lines);
    return status;
}

static void print_line(FILE *out, const struct lines *lines, const struct line *line)
{
    const cJSON *tool = cJSON_GetObjectItemCaseSensitive(line->run, "tool");
    const cJSON *host = cJSON_GetObjectItemCaseSensitive(line->run, "host");
    cb_csv_text(out, line->start);
    fputc(',', out);
    cb_csv_text(out, cb_json_text(tool, "git_sha", ""));
    fputc(',', out);
    cb_csv_text(out, cb_json_text(line->run, "run_id", ""));
    fputc(',', out);
    cb_csv_text(out, cb_json_text(host, "hostname", ""));
    for (size_t i = 0; i < lines->columns; i++)
        fprintf(out, ",%.17g", cb_json_number(find(line, lines->names[i])->metric, "median"));
    fputc('\n', out);
}

int cb_export_otava(FILE *out, const struct cb_export *e)
{
    struct lines lines;
    if (!make_lines(e, &lines))
        return 0;
    fputs("time,commit,run_id,host", out);
    for (size_t i = 0; i < lines.columns; i++) {
        fputc(',', out);
        cb_csv_text(out, lines.names[i]);
    }
    fputc('\n', out);
    for (int i = 0; i < lines.n; i++)
        print_line(out, &lines, &lines.items[i]);
    const int count = lines.columns > 0 ? lines.n : 0;
    free_lines(&lines);
    return count;
}
