/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/config_reader.h"
#include "measure/text/json_locate.h"
#include "measure/text/nearest.h"
#include "runtime/host/files.h"

#define SCHEMA       "coopbench-config"
#define SCHEMA_MAJOR "1." /* any 1.x: a minor version only adds keys */
#define NAME_LETTERS "abcdefghijklmnopqrstuvwxyz0123456789_.-"
#define TOP_LEVEL    "top level"

static const struct cb_file_kind configuration = {"a configuration", 2000000};

struct hint {
    char text[128];
};

/* " (did you mean "x"?)"; empty if nothing is near. */
static struct hint did_you_mean(const char *nearest)
{
    struct hint hint = {""};
    if (nearest)
        snprintf(hint.text, sizeof hint.text, " (did you mean \"%s\"?)", nearest);
    return hint;
}

/* --- Keys ------------------------------------------------------------------------------------- */

/* What a key may be: one of a few fixed names, a row of a bench, a row of the globals. */
struct keys {
    const char *const *fixed; /* ends with NULL */
    const struct cb_param *own;
    const struct cb_param *globals;
};

static const char *known_key(const void *context, int i)
{
    const struct keys *keys = context;
    for (const char *const *name = keys->fixed; *name; name++)
        if (i-- == 0)
            return *name;
    for (const struct cb_param *param = keys->own; param && param->name; param++)
        if (i-- == 0)
            return param->name;
    for (const struct cb_param *param = keys->globals; param && param->name; param++)
        if (i-- == 0)
            return param->name;
    return NULL;
}

static bool is_known(const struct keys *keys, const char *name)
{
    const char *known;
    for (int i = 0; (known = known_key(keys, i)) != NULL; i++)
        if (strcmp(known, name) == 0)
            return true;
    return false;
}

static enum cb_status check_keys(const struct cb_config_reader *r, const cJSON *object,
                                 const char *where, const struct keys *keys)
{
    for (const cJSON *node = object->child; node; node = node->next)
        if (!is_known(keys, node->string))
            return cb_config_fail(r, node, where, "unknown key \"%.100s\"%s", node->string,
                                  did_you_mean(cb_nearest(node->string, known_key, keys)).text);
    return CB_OK;
}

/* A duplicate key would silently hide the other's value. */
static enum cb_status check_duplicates(const struct cb_config_reader *r, const cJSON *node,
                                       const char *where)
{
    int i = 0;
    for (const cJSON *child = node->child; child; child = child->next) {
        const cJSON *first = child;
        if (cJSON_IsObject(node))
            first = cJSON_GetObjectItemCaseSensitive(node, child->string);
        if (first != child)
            return cb_config_fail(r, child, *where ? where : TOP_LEVEL,
                                  "duplicate key \"%.100s\" (first in line %d)", child->string,
                                  cb_json_line(r->text, r->tree, first));
        char inner[CB_CONFIG_WHERE];
        cb_config_name_child(inner, node, where, child, i++);
        if (check_duplicates(r, child, inner) != CB_OK)
            return CB_USAGE;
    }
    return CB_OK;
}

/* --- The document ----------------------------------------------------------------------------- */

/* A member of the document that has to be a string; NULL: failed. */
static const char *required_string(const struct cb_config_reader *r, const cJSON *object,
                                   const char *where, const char *key, const char *example)
{
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(object, key);
    if (cJSON_IsString(node))
        return node->valuestring;
    if (node)
        cb_config_fail(r, node, where, "\"%s\": expected a string, got %s", key,
                       cb_config_kind(node));
    else
        cb_config_fail(r, object, where, "missing key \"%s\" (%s)", key, example);
    return NULL;
}

static enum cb_status check_schema(const struct cb_config_reader *r)
{
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(r->tree, "schema");
    const char *value =
        required_string(r, r->tree, TOP_LEVEL, "schema", "\"schema\": \"" SCHEMA "\"");
    if (!value)
        return CB_USAGE;
    if (strcmp(value, SCHEMA) != 0)
        return cb_config_fail(r, node, "schema", "expected \"" SCHEMA "\", got \"%.100s\"", value);
    node = cJSON_GetObjectItemCaseSensitive(r->tree, "schema_version");
    value = required_string(r, r->tree, TOP_LEVEL, "schema_version", "\"schema_version\": \"1.0\"");
    if (!value)
        return CB_USAGE;
    if (strncmp(value, SCHEMA_MAJOR, strlen(SCHEMA_MAJOR)) != 0)
        return cb_config_fail(r, node, "schema_version", "this coopbench reads 1.x, got \"%.100s\"",
                              value);
    return CB_OK;
}

static enum cb_status read_name(const struct cb_config_reader *r)
{
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(r->tree, "name");
    if (!node)
        return CB_OK;
    const char *name = cJSON_GetStringValue(node);
    size_t length = name ? strlen(name) : 0;
    /* It becomes part of file names: no "..", no hidden files, nothing like an option. */
    if (length == 0 || length >= sizeof r->config->name || name[strspn(name, NAME_LETTERS)] ||
        *name == '.' || *name == '-')
        return cb_config_fail(
            r, node, "name",
            "expected 1 to %zu letters of a-z 0-9 _ . - that do not begin with . or -",
            sizeof r->config->name - 1);
    memcpy(r->config->name, name, length + 1);
    return CB_OK;
}

static enum cb_status check_description(const struct cb_config_reader *r)
{
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(r->tree, "description");
    if (node && !cJSON_IsString(node))
        return cb_config_fail(r, node, "description", "expected a string, got %s",
                              cb_config_kind(node));
    return CB_OK;
}

static enum cb_status read_settings(const struct cb_config_reader *r)
{
    static const char *const no_names[] = {NULL};
    const struct keys keys = {no_names, NULL, r->globals};
    r->config->settings = cJSON_CreateObject();
    if (!r->config->settings)
        return cb_config_no_memory(r);
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(r->tree, "settings");
    if (!node)
        return CB_OK;
    if (!cJSON_IsObject(node))
        return cb_config_fail(r, node, "settings", "expected an object, got %s",
                              cb_config_kind(node));
    enum cb_status status = check_keys(r, node, "settings", &keys);
    if (status != CB_OK)
        return status;
    return cb_config_read_options(r, node, "settings", r->globals, NULL, r->config->settings);
}

static const char *bench_id(const void *benches, int i)
{
    const struct cb_bench *bench = ((const struct cb_bench *const *)benches)[i];
    return bench ? bench->id : NULL;
}

static enum cb_status read_bench(const struct cb_config_reader *r, const cJSON *node,
                                 const char *where, const struct cb_bench **bench)
{
    const char *id = required_string(r, node, where, "bench", "which benchmark to run");
    if (!id)
        return CB_USAGE;
    *bench = cb_bench_find(id);
    if (*bench)
        return CB_OK;
    return cb_config_fail(r, cJSON_GetObjectItemCaseSensitive(node, "bench"), where,
                          "unknown benchmark \"%.100s\"%s; 'coopbench list benchmarks' shows all",
                          id, did_you_mean(cb_nearest(id, bench_id, cb_benches)).text);
}

static enum cb_status read_entry(const struct cb_config_reader *r, const cJSON *node, int i,
                                 struct cb_config_entry *entry)
{
    static const char *const names[] = {"bench", NULL};
    char where[32];
    snprintf(where, sizeof where, "suite[%d]", i);
    if (!cJSON_IsObject(node))
        return cb_config_fail(r, node, where, "expected an object, got %s", cb_config_kind(node));
    enum cb_status status = read_bench(r, node, where, &entry->bench);
    if (status != CB_OK)
        return status;
    const struct cb_param *own = entry->bench->params;
    const struct keys keys = {names, own, r->globals};
    status = check_keys(r, node, where, &keys);
    if (status != CB_OK)
        return status;
    entry->options = cJSON_CreateObject();
    entry->globals = cJSON_CreateObject();
    if (!entry->options || !entry->globals)
        return cb_config_no_memory(r);
    status = cb_config_read_options(r, node, where, own, NULL, entry->options);
    if (status != CB_OK)
        return status;
    return cb_config_read_options(r, node, where, r->globals, own, entry->globals);
}

static enum cb_status read_suite(const struct cb_config_reader *r)
{
    const cJSON *suite = cJSON_GetObjectItemCaseSensitive(r->tree, "suite");
    if (!suite)
        return cb_config_fail(r, r->tree, TOP_LEVEL,
                              "missing key \"suite\" (an array of benchmarks)");
    if (!cJSON_IsArray(suite))
        return cb_config_fail(r, suite, "suite", "expected an array, got %s",
                              cb_config_kind(suite));
    int n = cJSON_GetArraySize(suite);
    if (n == 0)
        return cb_config_fail(r, suite, "suite",
                              "expected at least one benchmark, got an empty array");
    r->config->entries = calloc((size_t)n, sizeof *r->config->entries);
    if (!r->config->entries)
        return cb_config_no_memory(r);
    r->config->count = n; /* cb_config_free() may meet entries that are still empty */
    enum cb_status status = CB_OK;
    int i = 0;
    for (const cJSON *node = suite->child; node && status == CB_OK; node = node->next, i++)
        status = read_entry(r, node, i, &r->config->entries[i]);
    return status;
}

static enum cb_status read_document(const struct cb_config_reader *r)
{
    static const char *const names[] = {"schema",   "schema_version", "name", "description",
                                        "settings", "suite",          NULL};
    const struct keys keys = {names, NULL, NULL};
    if (!cJSON_IsObject(r->tree))
        return cb_config_fail(r, r->tree, TOP_LEVEL, "expected an object, got %s",
                              cb_config_kind(r->tree));
    enum cb_status status = check_duplicates(r, r->tree, "");
    if (status == CB_OK)
        status = check_schema(r); /* first: another version may have other keys */
    if (status == CB_OK)
        status = check_keys(r, r->tree, TOP_LEVEL, &keys);
    if (status == CB_OK)
        status = read_name(r);
    if (status == CB_OK)
        status = check_description(r);
    if (status == CB_OK)
        status = read_settings(r);
    return status == CB_OK ? read_suite(r) : status;
}

enum cb_status cb_config_parse(const char *path, const char *text, const struct cb_param *globals,
                               struct cb_config *config, struct cb_err *err)
{
    struct cb_err unwanted;
    struct cb_config_reader r = {.path = path, .text = text, .globals = globals, .config = config};
    r.err = err ? err : &unwanted;
    *config = (struct cb_config){0};
    cJSON *tree = NULL;
    enum cb_status status = cb_json_parse(path, text, &tree, r.err);
    r.tree = tree;
    if (status == CB_OK)
        status = read_document(&r);
    cJSON_Delete(tree);
    if (status != CB_OK)
        cb_config_free(config);
    return status;
}

enum cb_status cb_config_load(const char *path, const struct cb_param *globals,
                              struct cb_config *config, struct cb_err *err)
{
    char *text = NULL;
    *config = (struct cb_config){0};
    if (cb_read_file(path, &configuration, &text, err) != CB_OK)
        return CB_USAGE;
    enum cb_status status = cb_config_parse(path, text, globals, config, err);
    free(text);
    return status;
}

void cb_config_free(struct cb_config *config)
{
    for (int i = 0; i < config->count; i++) {
        cJSON_Delete(config->entries[i].options);
        cJSON_Delete(config->entries[i].globals);
    }
    free(config->entries);
    cJSON_Delete(config->settings);
    *config = (struct cb_config){0};
}
