/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/suite/configs.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/suite/global_params.h"
#include "measure/text/json.h"
#include "measure/text/nearest.h"
#include "runtime/source.h"

#define FOLDER      "configs/"
#define ENDING      ".json"
#define MAX_CONFIGS 64

/* --- What is carried -------------------------------------------------------------------------- */

/* The name in the path of a carried file, of *n letters; NULL if it is no suite. */
static const char *name_in(const char *path, size_t *n)
{
    size_t length = strlen(path), folder = strlen(FOLDER), ending = strlen(ENDING);
    if (length <= folder + ending || strncmp(path, FOLDER, folder) != 0 ||
        strcmp(path + length - ending, ENDING) != 0)
        return NULL;
    *n = length - folder - ending;
    return path + folder;
}

const char *cb_configs_name(const void *unused, int i)
{
    static char names[MAX_CONFIGS][64]; /* candidates of cb_nearest() have to stay */
    int count = 0;
    size_t n;
    (void)unused;
    for (const struct cb_embedded *file = cb_embedded_files; file->path; file++) {
        const char *name = name_in(file->path, &n);
        if (!name || count++ < i)
            continue;
        snprintf(names[i % MAX_CONFIGS], sizeof names[0], "%.*s", (int)n, name);
        return names[i % MAX_CONFIGS];
    }
    return NULL;
}

/* The path of a carried suite; NULL: there is none of this name. */
static const char *carried(const char *name)
{
    for (const struct cb_embedded *file = cb_embedded_files; file->path; file++) {
        size_t n;
        const char *found = name_in(file->path, &n);
        if (found && strlen(name) == n && strncmp(found, name, n) == 0)
            return file->path;
    }
    return NULL;
}

char *cb_configs_description(const char *name)
{
    char *text = NULL;
    struct cb_err ignored;
    const char *path = carried(name);
    if (!path || cb_source_read(path, &text, &ignored) != CB_OK)
        return NULL;
    cJSON *tree = cJSON_Parse(text);
    char *description = strdup(cb_json_text(tree, "description", ""));
    cJSON_Delete(tree);
    free(text);
    return description;
}

size_t cb_configs_sentence(const char *description)
{
    const char *stop = strstr(description, ". ");
    size_t n = stop ? (size_t)(stop - description) : strlen(description);
    return n > 0 && description[n - 1] == '.' ? n - 1 : n;
}

/* --- Reading ---------------------------------------------------------------------------------- */

static bool is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISDIR(info.st_mode);
}

/* "smoke" in "configs/smoke.json". */
static void bare_name(const char *path, char name[64])
{
    const char *slash = strrchr(path, '/');
    snprintf(name, 64, "%s", slash ? slash + 1 : path);
    size_t n = strlen(name), ending = strlen(ENDING);
    if (n > ending && strcmp(name + n - ending, ENDING) == 0)
        name[n - ending] = '\0';
}

/* Adds to a failure which suites are carried. */
static void advise(const char *path, struct cb_err *err)
{
    char bare[64];
    const char *known;
    bare_name(path, bare);
    const char *nearest = carried(bare) ? bare : cb_nearest(bare, cb_configs_name, NULL);
    size_t n = strlen(err->text), room = sizeof err->text;
    if (nearest)
        n += (size_t)snprintf(err->text + n, room - n, " (did you mean \"run %s\"?)", nearest);
    for (int i = 0; (known = cb_configs_name(NULL, i)) != NULL && n < room; i++)
        n += (size_t)snprintf(err->text + n, room - n, "%s%s",
                              i ? ", " : "\n  Suites that need no file: ", known);
    if (n < room)
        snprintf(err->text + n, room - n, "; 'coopbench list configs' tells what they are");
}

enum cb_status cb_configs_load(const char *name, struct cb_config *config, const char **file,
                               struct cb_err *err)
{
    char *text = NULL;
    const char *path = is_file(name) ? NULL : carried(name);
    const char *slash = strrchr(path ? path : name, '/');
    *file = slash ? slash + 1 : name;
    if (!path) {
        enum cb_status status = cb_config_load(name, cb_global_params, config, err);
        if (status != CB_OK && !is_file(name))
            advise(name, err);
        return status;
    }
    enum cb_status status = cb_source_read(path, &text, err);
    if (status == CB_OK)
        status = cb_config_parse(path, text, cb_global_params, config, err);
    free(text);
    return status;
}
