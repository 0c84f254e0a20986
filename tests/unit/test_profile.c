/* SPDX-License-Identifier: Apache-2.0
 *
 * Profiles: where they are, what is kept, what is refused.
 */
#include "temp_folder.h"
#include "tests/unit/unit.h"

#include <dirent.h>

#include "runtime/host/files.h"
#include "runtime/profile.h"

static struct cb_device device;

static int setup(void **state)
{
    if (make_folder(state) != 0)
        return -1;
    device = (struct cb_device){.id = "name:a/b c", .name = "A", .driver_version = "1.0"};
    device.compute_units = 8;
    unsetenv("XDG_CONFIG_HOME");
    return setenv("COOPBENCH_PROFILE_DIR", folder, 1);
}

static cJSON *load(void)
{
    cJSON *profile;
    struct cb_err err;
    if (cb_profile_load(&device, &profile, &err) != CB_OK)
        fail_msg("%s", err.text);
    assert_string_equal(cJSON_GetObjectItem(profile, "schema")->valuestring, "coopbench-profile");
    assert_string_equal(cJSON_GetObjectItem(profile, "schema_version")->valuestring, "1.3");
    const cJSON *about = cJSON_GetObjectItem(profile, "device");
    assert_string_equal(cJSON_GetObjectItem(about, "id")->valuestring, device.id);
    assert_string_equal(cJSON_GetObjectItem(about, "driver_version")->valuestring,
                        device.driver_version);
    return profile;
}

/* Saves a profile with one section; where is its path in the folder. */
static void save(const char *section, char where[512])
{
    struct cb_err err;
    cJSON *profile = load();
    cJSON_AddNumberToObject(cJSON_AddObjectToObject(profile, section), "x", 1);
    if (cb_profile_save(&device, profile, where, &err) != CB_OK)
        fail_msg("%s", err.text);
    cJSON_Delete(profile);
}

static bool has(const char *section)
{
    cJSON *profile = load();
    bool there = cJSON_HasObjectItem(profile, section);
    cJSON_Delete(profile);
    return there;
}

static int files(const char *path)
{
    int n = 0;
    DIR *dir = opendir(path);
    assert_non_null(dir);
    while (readdir(dir))
        n++;
    closedir(dir);
    return n - 2; /* . and .. */
}

TEST_WITH(sections_are_kept, setup, remove_folder)
{
    char path[512], expected[512];
    assert_false(has("memory"));
    save("memory", path);
    snprintf(expected, sizeof expected, "%s/name-a-b-c-8cu.json", folder);
    assert_string_equal(path, expected);
    save("primitives", path);
    assert_true(has("memory"));
    assert_true(has("primitives"));
    assert_int_equal(files(folder), 1); /* nothing temporary is left */
}

TEST_WITH(another_driver_or_device_begins_anew, setup, remove_folder)
{
    char path[512];
    save("memory", path);
    strcpy(device.driver_version, "2.0");
    assert_false(has("memory"));
    strcpy(device.driver_version, "1.0");
    assert_true(has("memory"));
    strcpy(device.id, "name:a b/c"); /* the same file name */
    assert_false(has("memory"));
    strcpy(device.id, "name:a/b c");
    device.compute_units = 2;
    assert_false(has("memory"));
    save("memory", path);
    assert_int_equal(files(folder), 2);
}

TEST_WITH(folders, setup, remove_folder)
{
    char path[512], expected[512];
    struct cb_err err;
    cJSON *profile;
    unsetenv("COOPBENCH_PROFILE_DIR");
    assert_int_equal(setenv("XDG_CONFIG_HOME", folder, 1), 0);
    save("memory", path);
    snprintf(expected, sizeof expected, "%s/coopbench/profiles/name-a-b-c-8cu.json", folder);
    assert_string_equal(path, expected);
    assert_int_equal(setenv("XDG_CONFIG_HOME", "", 1), 0); /* as if it were not set */
    assert_int_equal(setenv("HOME", folder, 1), 0);
    save("memory", path);
    snprintf(expected, sizeof expected, "%s/.config/coopbench/profiles/name-a-b-c-8cu.json",
             folder);
    assert_string_equal(path, expected);
    unsetenv("HOME");
    assert_int_equal(cb_profile_load(&device, &profile, &err), CB_OK); /* nothing is known */
    assert_null(cJSON_GetObjectItem(profile, "memory"));
    assert_int_equal(cb_profile_save(&device, profile, path, &err), CB_ERROR);
    assert_non_null(strstr(err.text, "COOPBENCH_PROFILE_DIR"));
    cJSON_Delete(profile);
}

TEST_WITH(not_a_profile, setup, remove_folder)
{
    static const struct {
        const char *text, *words;
    } texts[] = {
        {"", "delete it"},
        {"{\"schema\": \"coopbench-prof", "delete it"},
        {"[]", "delete it"},
        {"{}", "delete it"},
        {"7e999", "delete it"},
        {"\x1b[31m", "delete it"},
        {"{\"schema\": \"coopbench-run\", \"schema_version\": \"1.0\"}", "delete it"},
        {"{\"schema\": \"coopbench-profile\", \"schema_version\": 1}", "delete it"},
        {"{\"schema\": \"coopbench-profile\", \"schema_version\": \"x\"}", "delete it"},
        {"{\"schema\": \"coopbench-profile\", \"schema_version\": \"2.0\"}",
         "made by a newer coopbench: its schema_version is \"2.0\", this one reads 1.x"},
        {"{\"schema\": \"coopbench-profile\", \"schema_version\": \"10.3\"}",
         "made by a newer coopbench"},
    };
    char path[512];
    save("memory", path);
    for (size_t i = 0; i < CB_COUNTOF(texts); i++) {
        struct cb_err err;
        cJSON *profile;
        FILE *out = fopen(path, "w");
        assert_non_null(out);
        fputs(texts[i].text, out);
        fclose(out);
        assert_int_equal(cb_profile_load(&device, &profile, &err), CB_ERROR);
        assert_null(profile);
        assert_non_null(strstr(err.text, path));
        assert_non_null(strstr(err.text, texts[i].words));
    }
}

TEST_WITH(cannot_be_written, setup, remove_folder)
{
    char path[512], blocked[256];
    struct cb_err err;
    cJSON *profile = load();
    snprintf(blocked, sizeof blocked, "%s/file", folder);
    FILE *out = fopen(blocked, "w");
    assert_non_null(out);
    fclose(out);
    assert_int_equal(setenv("COOPBENCH_PROFILE_DIR", blocked, 1), 0);
    assert_int_equal(cb_profile_save(&device, profile, path, &err), CB_ERROR);
    assert_non_null(strstr(err.text, blocked));
    cJSON_Delete(profile);
}
