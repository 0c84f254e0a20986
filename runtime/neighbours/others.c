/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/neighbours/others.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/host/text.h"
#include "runtime/host/time.h"
#include "runtime/neighbours/internal.h"

#define CORES_NS 100e6 /* how long cores are looked at: /proc/stat has ticks of 10 ms */

/* ---- Looking --------------------------------------------------------------------------------- */

static void add_known(cJSON *object, const char *key, double value)
{
    if (isfinite(value))
        cJSON_AddNumberToObject(object, key, value);
}

static cJSON *unknown(const char *why)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "unknown", why);
    return object;
}

static void add_room(cJSON *object, const struct cb_room *room)
{
    add_known(object, "free_bytes", room->free);
    add_known(object, "total_bytes", room->total);
}

static cJSON *look_at_gpu(const struct cb_device *device, pid_t root)
{
    struct cb_err err;
    struct cb_gpu_processes processes;
    struct cb_look look = {0};
    struct cb_room room;
    if (cb_gpu_processes_open(&processes, device, &err) != CB_OK)
        return unknown(err.text);
    if (!processes.nvml.f.compute_processes) {
        cb_nvml_close(&processes.nvml);
        return unknown("the NVML of this driver is too old to list processes");
    }
    cb_gpu_processes_look(&processes, root, &look);
    cb_gpu_room_read(&processes, device, root, &room);
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "sign", CB_SIGN_NVML);
    cJSON_AddNumberToObject(object, "processes", look.processes);
    cJSON_AddNumberToObject(object, "bytes", look.bytes);
    add_known(object, "share", processes.tells_usage ? look.share : NAN);
    add_room(object, &room);
    cb_nvml_close(&processes.nvml);
    return object;
}

/* Share of the last ten seconds in which something waited for a core; NaN: not told. */
static double read_pressure(void)
{
    double percent = NAN;
    FILE *in = fopen("/proc/pressure/cpu", "re");
    if (in && fscanf(in, "some avg10=%lf", &percent) != 1)
        percent = NAN;
    if (in)
        fclose(in);
    return percent / 100;
}

static cJSON *look_at_cores(const struct cb_device *device, pid_t root,
                            const struct cb_cores_time *before)
{
    struct cb_err err;
    struct cb_cores_time now;
    struct cb_room room;
    double load;
    if (before->at_ns == 0 || !cb_cores_read(root, &now))
        return unknown("/proc/stat cannot be read");
    cb_room_read(device, root, &room, &err);
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "sign", CB_SIGN_CORES);
    cJSON_AddNumberToObject(object, "cores", (double)now.cores);
    add_known(object, "busy_cores",
              fmax(cb_cores_others_ns(before, &now), 0) / (double)(now.at_ns - before->at_ns));
    add_known(object, "load", getloadavg(&load, 1) == 1 ? load : NAN);
    add_known(object, "pressure", read_pressure());
    add_room(object, &room);
    return object;
}

cJSON *cb_others_look(const struct cb_device *devices, int n)
{
    const pid_t root = getppid();
    struct cb_cores_time before = {0};
    cJSON *list = cJSON_CreateArray();
    bool has_cpu = false;
    for (int i = 0; i < n; i++)
        has_cpu = has_cpu || cb_device_is_cpu(&devices[i]);
    if (has_cpu && cb_cores_read(root, &before))
        cb_sleep_until_ns((double)before.at_ns + CORES_NS);
    for (int i = 0; i < n; i++)
        cJSON_AddItemToArray(list, cb_device_is_cpu(&devices[i])
                                       ? look_at_cores(&devices[i], root, &before)
                                       : look_at_gpu(&devices[i], root));
    return list;
}

/* ---- Telling --------------------------------------------------------------------------------- */

static double number(const cJSON *others, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(others, key);
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

static void describe_gpu(const cJSON *others, FILE *out)
{
    char bytes[32];
    const double processes = number(others, "processes"), share = number(others, "share");
    if (processes < 1) {
        fputs("nobody", out);
        return;
    }
    cb_device_bytes((uint64_t)number(others, "bytes"), bytes, sizeof bytes);
    fprintf(out, "%.0f process%s with %s, ", processes, processes == 1 ? "" : "es", bytes);
    if (isnan(share))
        fputs("how much they do is not known", out);
    else
        fprintf(out, "at work %.0f %% of the time", 100 * share);
}

static void describe_cores(const cJSON *others, FILE *out)
{
    const double load = number(others, "load"), pressure = number(others, "pressure");
    fprintf(out, "busy on %.1f of %.0f cores", number(others, "busy_cores"),
            number(others, "cores"));
    if (isfinite(load))
        fprintf(out, ", load %.2f", load);
    if (isfinite(pressure))
        fprintf(out, ", something waits for a core %.0f %% of the time", 100 * pressure);
}

void cb_others_describe(const cJSON *others, char *text, size_t size)
{
    const double total = number(others, "total_bytes"), free = number(others, "free_bytes");
    const char *why = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(others, "unknown"));
    char bytes[2][32];
    FILE *out = fmemopen(text, size, "w");
    text[0] = '\0';
    if (!out)
        return;
    if (cJSON_HasObjectItem(others, "processes"))
        describe_gpu(others, out);
    else if (cJSON_HasObjectItem(others, "busy_cores"))
        describe_cores(others, out);
    else
        fprintf(out, "not known: %s", why ? why : "nobody has looked");
    if (isfinite(total) && isfinite(free)) {
        cb_device_bytes((uint64_t)free, bytes[0], sizeof bytes[0]);
        cb_device_bytes((uint64_t)total, bytes[1], sizeof bytes[1]);
        fprintf(out, "; %s of %s free", bytes[0], bytes[1]);
    }
    fclose(out);
}
