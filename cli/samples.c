/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/samples.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/bench.h"
#include "measure/json.h"

static bool wants_samples(const cJSON *item)
{
    const struct cb_bench *bench = cb_bench_find(cb_json_text(item, "bench", ""));
    return bench && bench->figures_of_samples;
}

static bool is_same_case(const cJSON *a, const cJSON *b)
{
    static const char *const keys[] = {"id", "device"};
    for (size_t i = 0; i < CB_COUNTOF(keys); i++)
        if (strcmp(cb_json_text(a, keys[i], ""), cb_json_text(b, keys[i], "")) != 0)
            return false;
    return true;
}

/* Moves the samples of an event to its case. */
static void attach(cJSON *run, cJSON *event)
{
    cJSON *item;
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(run, "cases"))
        if (is_same_case(item, event)) {
            cJSON_DeleteItemFromObjectCaseSensitive(item, "samples");
            cJSON_AddItemToObject(item, "samples",
                                  cJSON_DetachItemFromObjectCaseSensitive(event, "samples"));
            return;
        }
}

enum cb_status cb_samples_attach(cJSON *run, const char *folder, struct cb_err *err)
{
    char path[PATH_MAX + 16], *line = NULL;
    size_t room = 0;
    int number = 0;
    bool wanted = false;
    enum cb_status status = CB_OK;
    const cJSON *item;
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(run, "cases"))
        wanted |= wants_samples(item);
    snprintf(path, sizeof path, "%s/events.jsonl", folder);
    FILE *in = wanted ? fopen(path, "re") : NULL;
    while (in && status == CB_OK && getline(&line, &room, in) > 0) {
        cJSON *event = cJSON_Parse(line);
        number++;
        if (!event && strchr(line, '\n')) /* the last may be cut off: the run was killed */
            status = cb_fail(err, CB_USAGE, "%s:%d: not JSON, or cut off", path, number);
        else if (event && wants_samples(event))
            attach(run, event);
        cJSON_Delete(event);
    }
    free(line);
    if (in)
        fclose(in);
    return status;
}
