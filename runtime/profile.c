/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/profile.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/host/files.h"

#define PATH_BYTES 512
#define SCHEMA     "coopbench-profile"
#define VERSION    "1.3"

static const struct cb_file_kind kind = {"a profile", 2000000};

/* ---- Where ----------------------------------------------------------------------------------- */

static enum cb_status find_folder(char *path, size_t size, struct cb_err *err)
{
    static const struct cb_folder_place places[] = {{"COOPBENCH_PROFILE_DIR", ""},
                                                    {"XDG_CONFIG_HOME", "/coopbench/profiles"},
                                                    {"HOME", "/.config/coopbench/profiles"}};
    if (cb_find_folder(places, CB_COUNTOF(places), path, size, err) != CB_OK)
        return cb_context(err, "no folder for profiles");
    return CB_OK;
}

enum cb_status cb_profile_path(const struct cb_device *device, char path[PATH_BYTES],
                               struct cb_err *err)
{
    char folder[PATH_BYTES - 192], name[sizeof device->id];
    if (find_folder(folder, sizeof folder, err) != CB_OK)
        return err->status;
    snprintf(name, sizeof name, "%s", device->id);
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("._", *c))
            *c = '-';
    snprintf(path, PATH_BYTES, "%s/%s-%llucu.json", folder, name,
             (unsigned long long)device->compute_units);
    return CB_OK;
}

/* ---- What ------------------------------------------------------------------------------------ */

static cJSON *device_to_json(const struct cb_device *device)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", device->name);
    cJSON_AddStringToObject(object, "id", device->id);
    cJSON_AddStringToObject(object, "driver_version", device->driver_version);
    cJSON_AddNumberToObject(object, "compute_units", (double)device->compute_units);
    return object;
}

static cJSON *new_profile(const struct cb_device *device)
{
    cJSON *profile = cJSON_CreateObject();
    cJSON_AddStringToObject(profile, "schema", SCHEMA);
    cJSON_AddStringToObject(profile, "schema_version", VERSION);
    cJSON_AddItemToObject(profile, "device", device_to_json(device));
    return profile;
}

static enum cb_status check_schema(const char *path, const cJSON *profile, struct cb_err *err)
{
    const char *schema = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(profile, "schema"));
    const char *version =
        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(profile, "schema_version"));
    bool known = schema && strcmp(schema, SCHEMA) == 0 && version;
    if (known && strncmp(version, "1.", 2) == 0)
        return CB_OK;
    if (known && atof(version) >= 2)
        return cb_fail(err, CB_ERROR,
                       "%s was made by a newer coopbench: its schema_version is \"%s\", this one "
                       "reads 1.x",
                       path, version);
    return cb_fail(err, CB_ERROR, "%s is damaged, or no profile of coopbench: delete it", path);
}

/* Two ids may give one file name, and a driver may have changed. */
static bool still_holds(const cJSON *profile, const struct cb_device *device)
{
    cJSON *now = device_to_json(device);
    bool same = cJSON_Compare(cJSON_GetObjectItemCaseSensitive(profile, "device"), now, true);
    cJSON_Delete(now);
    return same;
}

enum cb_status cb_profile_load(const struct cb_device *device, cJSON **profile, struct cb_err *err)
{
    char path[PATH_BYTES], *text;
    *profile = NULL;
    bool nowhere = getenv("COOPBENCH_NO_PROFILE") || cb_profile_path(device, path, err) != CB_OK;
    if (nowhere || access(path, F_OK) != 0) {
        *profile = new_profile(device);
        return CB_OK;
    }
    if (cb_read_file(path, &kind, &text, err) != CB_OK)
        return err->status;
    cJSON *found = cJSON_Parse(text);
    free(text);
    if (check_schema(path, found, err) != CB_OK) {
        cJSON_Delete(found);
        return CB_ERROR;
    }
    if (!still_holds(found, device)) {
        cJSON_Delete(found);
        found = new_profile(device);
    }
    cJSON_ReplaceItemInObjectCaseSensitive(found, "schema_version", cJSON_CreateString(VERSION));
    *profile = found;
    return CB_OK;
}

static void print(FILE *out, const cJSON *profile)
{
    char *text = cJSON_Print(profile);
    if (text)
        fprintf(out, "%s\n", text);
    free(text);
}

enum cb_status cb_profile_save(const struct cb_device *device, const cJSON *profile,
                               char path[PATH_BYTES], struct cb_err *err)
{
    char folder[PATH_BYTES];
    if (find_folder(folder, sizeof folder, err) != CB_OK ||
        cb_profile_path(device, path, err) != CB_OK || cb_make_folders(folder, err) != CB_OK)
        return err->status;
    return cb_replace_file(path, print, profile, err);
}
