/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/host/workload.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure/text/json.h"
#include "measure/text/nearest.h"
#include "runtime/discovery.h"
#include "runtime/host/files.h"

#define MS      1e6
#define LONGEST 3600e3 /* ms */
#define FILE_HINT                                                                                  \
    "{\"schema\": \"coopbench-workload\", \"name\": \"mine\", \"period_ms\": 40, "                 \
    "\"duration_ms\": 10}"

static const struct cb_file_kind file = {"a workload", 100000};

static const struct cb_workload known[] = {
    {"light", 70 * MS, 3 * MS},
    {"medium", 40 * MS, 3 * MS},
    {"heavy", 40 * MS, 10 * MS},
};

static enum cb_status read_number(const char *path, const cJSON *tree, const char *key,
                                  double *value, struct cb_err *err)
{
    double ms = cb_json_number(tree, key);
    if (!(ms > 0 && ms <= LONGEST))
        return cb_fail(err, CB_USAGE, "%s: %s: expected milliseconds, more than 0 and at most %.0f",
                       path, key, LONGEST);
    *value = ms * MS;
    return CB_OK;
}

/* The name goes into the ids of cases. */
static enum cb_status read_name(const char *path, const cJSON *tree, struct cb_workload *w,
                                struct cb_err *err)
{
    const char *name = cb_json_text(tree, "name", "");
    size_t n = strlen(name);
    bool good = n > 0 && n < sizeof w->name;
    for (size_t i = 0; i < n; i++)
        good = good && (islower((unsigned char)name[i]) || isdigit((unsigned char)name[i]) ||
                        name[i] == '_' || name[i] == '-');
    if (!good)
        return cb_fail(err, CB_USAGE,
                       "%s: name: expected 1 to %zu small letters, digits, - or _, got \"%s\"",
                       path, sizeof w->name - 1, name);
    strcpy(w->name, name);
    return CB_OK;
}

static bool is_key(const char *name)
{
    static const char *const keys[] = {"schema", "name", "period_ms", "duration_ms"};
    for (size_t i = 0; i < CB_COUNTOF(keys); i++)
        if (strcmp(keys[i], name) == 0)
            return true;
    return false;
}

static enum cb_status read_tree(const char *path, const cJSON *tree, struct cb_workload *w,
                                struct cb_err *err)
{
    const cJSON *item;
    if (strcmp(cb_json_text(tree, "schema", ""), "coopbench-workload") != 0)
        return cb_fail(err, CB_USAGE, "%s: is no workload; expected %s", path, FILE_HINT);
    cJSON_ArrayForEach (item, tree)
        if (!is_key(item->string))
            return cb_fail(err, CB_USAGE, "%s: unknown key \"%s\"; expected %s", path, item->string,
                           FILE_HINT);
    if (read_name(path, tree, w, err) != CB_OK ||
        read_number(path, tree, "period_ms", &w->period_ns, err) != CB_OK)
        return err->status;
    if (read_number(path, tree, "duration_ms", &w->duration_ns, err) != CB_OK)
        return err->status;
    if (w->duration_ns >= w->period_ns)
        return cb_fail(err, CB_USAGE,
                       "%s: duration_ms: a task of %g ms every %g ms leaves the app nothing; "
                       "expected less than period_ms",
                       path, w->duration_ns / 1e6, w->period_ns / 1e6);
    return CB_OK;
}

static int line_of(const char *text, const char *place)
{
    int line = 1;
    for (; text < place; text++)
        line += *text == '\n';
    return line;
}

enum cb_status cb_workload_find(const char *text, struct cb_workload *w, struct cb_err *err)
{
    for (size_t i = 0; i < CB_COUNTOF(known); i++)
        if (strcmp(known[i].name, text) == 0) {
            *w = known[i];
            return CB_OK;
        }
    char *content = NULL, buffer[16];
    struct cb_err reading = {0};
    if (cb_read_file(text, &file, &content, &reading) != CB_OK) {
        const char *near = access(text, F_OK) == 0 ? NULL
                                                   : cb_nearest_choice(text, "light,medium,heavy",
                                                                       buffer, sizeof buffer);
        return cb_fail(
            err, CB_USAGE, "workload: expected light, medium, heavy or a file, got \"%s\" (%s%s%s)",
            text, near ? "did you mean " : reading.text, near ? near : "", near ? "?" : "");
    }
    const char *end = NULL;
    cJSON *tree = cJSON_ParseWithOpts(content, &end, true);
    enum cb_status status = tree ? read_tree(text, tree, w, err)
                                 : cb_fail(err, CB_USAGE, "%s:%d: is no JSON; expected %s", text,
                                           line_of(content, end ? end : content), FILE_HINT);
    cJSON_Delete(tree);
    free(content);
    return status;
}

enum cb_status cb_workloads_of(struct cb_texts texts, struct cb_workload list[CB_MAX_WORKLOADS],
                               int *n, struct cb_err *err)
{
    *n = 0;
    for (int i = 0; i < texts.n; i++) {
        const char *text = cb_texts_at(texts, i);
        if (strcmp(text, "none") == 0)
            continue;
        if (*n == CB_MAX_WORKLOADS)
            return cb_fail(err, CB_USAGE, "workload: at most %d", CB_MAX_WORKLOADS);
        if (cb_workload_find(text, &list[(*n)++], err) != CB_OK)
            return err->status;
    }
    return CB_OK;
}

/* Guesses that as many workgroups run as there are compute units, which is good enough. */
double cb_workload_expected_s(const struct cb_workload *w, const struct cb_device *device,
                              const char *groups)
{
    size_t n = 1;
    struct cb_err ignored;
    if (cb_groups_parse(groups, device->compute_units, &n, &ignored) != CB_OK)
        n = device->compute_units;
    return w->duration_ns / 1e9 * (double)device->compute_units / (double)n;
}
