/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/documents/samples.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/bench.h"
#include "measure/text/csv.h"
#include "measure/text/json.h"
#include "measure/text/lines.h"

static bool wants_samples(const cJSON *item)
{
    const struct cb_bench *bench = cb_bench_find(cb_json_text(item, "bench", ""));
    const char *param = bench ? bench->figures_of_samples : NULL;
    return param && (!*param ||
                     cJSON_HasObjectItem(cJSON_GetObjectItemCaseSensitive(item, "params"), param));
}

/* The case of a run that wants its samples; NULL: none does. */
static cJSON *find(const cJSON *run, const char *id, const char *device)
{
    cJSON *item;
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(run, "cases"))
        if (strcmp(cb_json_text(item, "id", ""), id) == 0 &&
            strcmp(cb_json_text(item, "device", ""), device) == 0)
            return wants_samples(item) ? item : NULL;
    return NULL;
}

/* ---- samples.csv ----------------------------------------------------------------------------- */

struct csv_reader {
    cJSON *run;
    int samples; /* found so far */
};

static void take_sample(void *self, const struct cb_csv_sample *sample)
{
    struct csv_reader *r = self;
    cJSON *item = find(r->run, sample->id, sample->device);
    if (!item)
        return;
    cJSON *all = cJSON_GetObjectItemCaseSensitive(item, "samples");
    all = all ? all : cJSON_AddObjectToObject(item, "samples");
    cJSON *series = cJSON_GetObjectItemCaseSensitive(all, sample->metric);
    series = series ? series : cJSON_AddArrayToObject(all, sample->metric);
    cJSON_AddItemToArray(series, cJSON_CreateNumber(sample->value));
    r->samples++;
}

/* *found: whether the file has samples of cases that want them. */
static enum cb_status read_csv(cJSON *run, const char *folder, bool *found, struct cb_err *err)
{
    char path[PATH_MAX + 16];
    struct csv_reader r = {run, 0};
    snprintf(path, sizeof path, "%s/samples.csv", folder);
    enum cb_status status = cb_csv_read_samples(path, take_sample, &r, err);
    *found = r.samples > 0;
    return status == CB_SKIPPED ? CB_OK : status;
}

/* ---- events.jsonl ---------------------------------------------------------------------------- */

/* Moves the samples of an event to its case. */
static void attach(cJSON *run, cJSON *event)
{
    cJSON *item = find(run, cb_json_text(event, "id", ""), cb_json_text(event, "device", ""));
    if (!item)
        return;
    cb_json_put(item, "samples", cJSON_DetachItemFromObjectCaseSensitive(event, "samples"));
}

static enum cb_status read_events(cJSON *run, const char *folder, struct cb_err *err)
{
    char path[PATH_MAX + 16];
    struct cb_lines lines;
    snprintf(path, sizeof path, "%s/events.jsonl", folder);
    enum cb_status status = cb_lines_open(&lines, path, err);
    while (status == CB_OK && cb_lines_next(&lines)) {
        cJSON *event = cJSON_Parse(lines.text);
        if (!event && lines.whole) /* the last may be cut off: the run was killed */
            status = cb_fail(err, CB_USAGE, "%s:%d: not JSON, or cut off", path, lines.number);
        else if (event)
            attach(run, event);
        cJSON_Delete(event);
    }
    enum cb_status closed = cb_lines_close(&lines);
    return status == CB_OK || status == CB_SKIPPED ? closed : status;
}

enum cb_status cb_samples_attach(cJSON *run, const char *folder, struct cb_err *err)
{
    bool wanted = false, found = false;
    const cJSON *item;
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(run, "cases"))
        wanted |= wants_samples(item);
    enum cb_status status = wanted ? read_csv(run, folder, &found, err) : CB_OK;
    return status == CB_OK && wanted && !found ? read_events(run, folder, err) : status;
}
