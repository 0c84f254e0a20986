/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/export/export.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/disturbed.h"
#include "measure/text/json.h"

#define ROW(name, consumer, one_direction, unique, check)                                          \
    {#name, consumer, one_direction, unique, cb_export_##name, check},
const struct cb_export_format cb_export_formats[] = {CB_EXPORT_FORMATS(ROW){0}};
#undef ROW

const struct cb_export_format *cb_export_find(const char *name)
{
    const struct cb_export_format *format = cb_export_formats;
    while (format->name && strcmp(format->name, name) != 0)
        format++;
    return format->name ? format : NULL;
}

/* --- Names ------------------------------------------------------------------------------------ */

static void append_slug(char slug[CB_SLUG_BYTES], const char *text)
{
    size_t n = strlen(slug);
    for (; *text && n + 10 < CB_SLUG_BYTES; text++) {
        if (isalnum((unsigned char)*text))
            slug[n++] = (char)tolower((unsigned char)*text);
        else if (n > 0 && slug[n - 1] != '-')
            slug[n++] = '-';
    }
    while (n > 0 && slug[n - 1] == '-')
        n--;
    slug[n] = '\0';
}

void cb_export_slug(const cJSON *run, const cJSON *device, char slug[CB_SLUG_BYTES])
{
    const cJSON *other;
    int same = 0;
    slug[0] = '\0';
    append_slug(slug, cb_json_text(device, "name", ""));
    if (!slug[0])
        strcpy(slug, "device");
    cJSON_ArrayForEach (other, cJSON_GetObjectItemCaseSensitive(run, "devices"))
        same += strcmp(cb_json_text(other, "name", ""), cb_json_text(device, "name", "")) == 0;
    if (same < 2)
        return;
    uint32_t digest = 2166136261u; /* FNV-1a */
    for (const char *c = cb_json_text(device, "id", ""); *c; c++)
        digest = (digest ^ (unsigned char)*c) * 16777619u;
    size_t n = strlen(slug);
    snprintf(slug + n, CB_SLUG_BYTES - n, "-%08x", digest);
}

const cJSON *cb_export_device(const cJSON *run, const cJSON *item)
{
    const char *id = cb_json_text(item, "device", "");
    const cJSON *device;
    cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(run, "devices"))
        if (strcmp(id, cb_json_text(device, "id", "")) == 0)
            return device;
    return NULL;
}

/* --- Rows ------------------------------------------------------------------------------------- */

static char *make_name(const struct cb_export_row *row, const char *slug)
{
    const char *id = cb_json_text(row->item, "id", ""), *metric;
    metric = cb_json_text(row->metric, "name", "");
    size_t size = strlen(slug) + strlen(id) + strlen(metric) + 3;
    char *name = malloc(size);
    if (name)
        snprintf(name, size, "%s/%s/%s", slug, id, metric);
    return name;
}

static bool append_row(struct cb_export *e, const struct cb_export_row *row, const char *slug)
{
    if ((e->n_rows & (e->n_rows - 1)) == 0) { /* full: the room doubles */
        size_t room = e->n_rows ? 2 * e->n_rows : 1;
        struct cb_export_row *grown = realloc(e->rows, room * sizeof *grown);
        if (!grown)
            return false;
        e->rows = grown;
    }
    e->rows[e->n_rows] = *row;
    e->rows[e->n_rows].name = make_name(row, slug);
    return e->rows[e->n_rows++].name != NULL;
}

static bool append_rows(struct cb_export *e, const cJSON *run)
{
    char slug[CB_SLUG_BYTES] = "";
    struct cb_export_row row = {.run = run};
    cJSON_ArrayForEach (row.item, cJSON_GetObjectItemCaseSensitive(run, "cases")) {
        const cJSON *device = cb_export_device(run, row.item);
        if (device != row.device || !slug[0])
            cb_export_slug(run, device, slug);
        row.device = device;
        e->disturbed += cb_row_is_spoilt(row.item);
        if (strcmp(cb_json_text(row.item, "status", ""), "ok") != 0 || cb_row_is_spoilt(row.item))
            continue;
        cJSON_ArrayForEach (row.metric, cJSON_GetObjectItemCaseSensitive(row.item, "metrics"))
            if (isfinite(cb_json_number(row.metric, "median")) && !append_row(e, &row, slug))
                return false;
    }
    return true;
}

static int by_name(const void *a, const void *b)
{
    const struct cb_export_row *x = *(struct cb_export_row *const *)a;
    const struct cb_export_row *y = *(struct cb_export_row *const *)b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x > y) - (x < y);
}

/* Counts the rows of each name. */
static bool count_repetitions(struct cb_export *e)
{
    struct cb_export_row **sorted = calloc(e->n_rows + 1, sizeof *sorted);
    if (!sorted)
        return false;
    for (size_t i = 0; i < e->n_rows; i++)
        sorted[i] = &e->rows[i];
    qsort(sorted, e->n_rows, sizeof *sorted, by_name);
    for (size_t i = 0, n; i < e->n_rows; i += n) {
        for (n = 1; i + n < e->n_rows && strcmp(sorted[i]->name, sorted[i + n]->name) == 0;)
            n++;
        for (size_t k = 0; k < n; k++) {
            sorted[i + k]->repetition = (int)k;
            sorted[i + k]->repetitions = (int)n;
            sorted[i + k]->before = k > 0 ? sorted[i + k - 1] : NULL;
        }
    }
    free(sorted);
    return true;
}

enum cb_status cb_export_open(struct cb_export *e, const cJSON *const *runs, int n,
                              struct cb_err *err)
{
    *e = (struct cb_export){.runs = runs, .n_runs = n};
    for (int i = 0; i < n; i++)
        if (!append_rows(e, runs[i]))
            return cb_no_memory(err);
    return count_repetitions(e) ? CB_OK : cb_no_memory(err);
}

void cb_export_close(struct cb_export *e)
{
    for (size_t i = 0; i < e->n_rows; i++)
        free(e->rows[i].name);
    free(e->rows);
    *e = (struct cb_export){0};
}

const char *cb_export_duplicate(const struct cb_export *e)
{
    for (size_t i = 0; i < e->n_rows; i++)
        if (e->rows[i].repetitions > 1)
            return e->rows[i].name;
    return NULL;
}

/* --- For writers ------------------------------------------------------------------------------ */

bool cb_export_is_time(const cJSON *metric)
{
    return strcmp(cb_json_text(metric, "unit", ""), "ns") == 0;
}

bool cb_export_interval(const cJSON *metric, double *low, double *high)
{
    *low = cb_json_number(metric, "ci95_low");
    *high = cb_json_number(metric, "ci95_high");
    return isfinite(*low) && isfinite(*high);
}

void cb_export_number(cJSON *object, const char *key, double value)
{
    if (isfinite(value))
        cJSON_AddNumberToObject(object, key, value);
}

void cb_export_entry(FILE *out, int *count, cJSON *entry)
{
    cb_json_clean(entry); /* names may have been cut within a character */
    char *text = cJSON_PrintUnformatted(entry);
    if (text)
        fprintf(out, "%s  %s", (*count)++ ? ",\n" : "\n", text);
    free(text);
    cJSON_Delete(entry);
}
