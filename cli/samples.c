/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/samples.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/bench.h"
#include "measure/csv.h"
#include "measure/json.h"

static bool wants_samples(const cJSON *item)
{
    const struct cb_bench *bench = cb_bench_find(cb_json_text(item, "bench", ""));
    return bench && bench->figures_of_samples;
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

static bool read_csv(cJSON *run, const char *folder)
{
    char path[PATH_MAX + 16];
    struct csv_reader r = {run, 0};
    snprintf(path, sizeof path, "%s/samples.csv", folder);
    FILE *in = fopen(path, "re");
    if (!in)
        return false;
    cb_csv_read_samples(in, take_sample, &r);
    fclose(in);
    return r.samples > 0;
}

/* ---- events.jsonl ---------------------------------------------------------------------------- */

/* Moves the samples of an event to its case. */
static void attach(cJSON *run, cJSON *event)
{
    cJSON *item = find(run, cb_json_text(event, "id", ""), cb_json_text(event, "device", ""));
    if (!item)
        return;
    cJSON_DeleteItemFromObjectCaseSensitive(item, "samples");
    cJSON_AddItemToObject(item, "samples",
                          cJSON_DetachItemFromObjectCaseSensitive(event, "samples"));
}

static enum cb_status read_events(cJSON *run, const char *folder, struct cb_err *err)
{
    char path[PATH_MAX + 16], *line = NULL;
    size_t room = 0;
    int number = 0;
    enum cb_status status = CB_OK;
    snprintf(path, sizeof path, "%s/events.jsonl", folder);
    FILE *in = fopen(path, "re");
    while (in && status == CB_OK && getline(&line, &room, in) > 0) {
        cJSON *event = cJSON_Parse(line);
        number++;
        if (!event && strchr(line, '\n')) /* the last may be cut off: the run was killed */
            status = cb_fail(err, CB_USAGE, "%s:%d: not JSON, or cut off", path, number);
        else if (event)
            attach(run, event);
        cJSON_Delete(event);
    }
    free(line);
    if (in)
        fclose(in);
    return status;
}

enum cb_status cb_samples_attach(cJSON *run, const char *folder, struct cb_err *err)
{
    bool wanted = false;
    const cJSON *item;
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(run, "cases"))
        wanted |= wants_samples(item);
    return !wanted || read_csv(run, folder) ? CB_OK : read_events(run, folder, err);
}
