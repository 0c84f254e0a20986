/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/process/others.h"

#include <stdlib.h>

#include "measure/process/requests.h"
#include "measure/process/worker_process.h"
#include "runtime/neighbours/others.h"

static const struct cb_worker_limit limit = {10, "looking for who else uses the devices"};

void cb_others_answer(const cJSON *request, cJSON *answer)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(request, "devices"), *item;
    const int n = cJSON_GetArraySize(list);
    struct cb_device *devices = calloc((size_t)n + 1, sizeof *devices);
    int read = 0;
    cJSON_ArrayForEach (item, list)
        if (devices)
            cb_device_from_json(&devices[read++], item);
    cJSON_AddItemToObject(answer, "others", cb_others_look(devices, read));
    free(devices);
}

static cJSON *ask(const struct cb_devices *devices, struct cb_err *err)
{
    struct cb_worker_process worker = {.channel = {.in = -1, .out = -1}};
    cJSON *m = cb_request("others"), *list = cJSON_AddArrayToObject(m, "devices"), *answer;
    for (int i = 0; i < devices->count; i++)
        cJSON_AddItemToArray(list, cb_device_to_json(&devices->items[i]));
    if (cb_worker_spawn(&worker, err) != CB_OK) {
        cJSON_Delete(m);
        return NULL;
    }
    cb_worker_request(&worker, m, &limit, &answer, err);
    list = cJSON_DetachItemFromObjectCaseSensitive(answer, "others");
    cJSON_Delete(answer);
    if (worker.pid)
        cb_worker_end(&worker, CB_WORKER_TERM_GRACE_NS);
    return list;
}

cJSON *cb_others_ask(const struct cb_devices *devices)
{
    struct cb_err err = {0};
    cJSON *list = devices->count > 0 ? ask(devices, &err) : NULL;
    if (!list)
        list = cJSON_CreateArray();
    while (cJSON_GetArraySize(list) < devices->count) {
        cJSON *object = cJSON_CreateObject();
        cJSON_AddStringToObject(object, "unknown", err.text);
        if (!cJSON_AddItemToArray(list, object))
            break;
    }
    return list;
}
