/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/process/requests.h"

#include <stdio.h>
#include <stdlib.h>

#include "runtime/profile.h"
#include "runtime/session.h"

cJSON *cb_request(const char *op)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "op", op);
    return object;
}

cJSON *cb_case_request(const char *op, const char *case_id)
{
    cJSON *m = cb_request(op);
    cJSON_AddStringToObject(m, "case", case_id);
    return m;
}

/* What the device's profile tells the compiler; nothing without a profile, or with one that cannot
 * be read. */
static void add_defines(cJSON *message, const struct cb_device *device)
{
    char *text = NULL;
    size_t size = 0;
    cJSON *profile = NULL;
    struct cb_err ignored;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    cb_profile_load(device, &profile, &ignored);
    for (const struct cb_bench *const *bench = cb_benches; *bench; bench++)
        if ((*bench)->defines)
            (*bench)->defines(out, profile);
    if (fclose(out) == 0)
        cJSON_AddStringToObject(message, "defines", text);
    free(text);
    cJSON_Delete(profile);
}

static cJSON *session_request(const char *device, const char *atomics, const char *clock,
                              uint64_t wait_deadline_ns)
{
    cJSON *m = cb_request("session");
    cJSON_AddStringToObject(m, "device", device);
    cJSON_AddStringToObject(m, "atomics", atomics);
    cJSON_AddStringToObject(m, "clock", clock);
    cJSON_AddNumberToObject(m, "wait_deadline_ns", (double)wait_deadline_ns);
    return m;
}

cJSON *cb_session_request(const struct cb_worker_settings *settings, const struct cb_device *device,
                          bool rehearsal)
{
    cJSON *m =
        session_request(device->id, settings->atomics, settings->clock, settings->wait_deadline_ns);
    cJSON_AddBoolToObject(m, "rehearsal", rehearsal);
    add_defines(m, device);
    return m;
}

cJSON *cb_same_session_request(const struct cb_session *s)
{
    cJSON *m = session_request(s->info.id, s->info.atomics, s->info.clock, s->wait_deadline_ns);
    cJSON_AddStringToObject(m, "defines", s->defines);
    return m;
}

cJSON *cb_open_request(const char *case_id, const struct cb_bench *bench, int batch,
                       const cJSON *params)
{
    cJSON *m = cb_case_request("open", case_id);
    cJSON_AddStringToObject(m, "bench", bench->id);
    cJSON_AddNumberToObject(m, "batch", batch);
    cJSON_AddItemToObject(m, "params", cJSON_Duplicate(params, true));
    return m;
}
