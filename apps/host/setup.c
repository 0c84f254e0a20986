/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/host/setup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/host/setup_reader.h"
#include "measure/text/json.h"
#include "runtime/host/files.h"
#include "runtime/source.h"

#define CPU_WG_SIZE 64
#define GPU_WG_SIZE 256
#define MOST_ITEMS  4096 /* most work-items of a workgroup */

static const struct cb_file_kind setup_kind = {"a setup", 1u << 20};

/* ---- The file -------------------------------------------------------------------------------- */

/* Reads the kernel; a setup may name the command line's kernel, too. */
static enum cb_status read_kernel(struct cb_config_reader *r, struct cb_setup *s)
{
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(s->entry, "kernel");
    if (!node && s->kernel)
        return CB_OK;
    if (!cJSON_IsString(node) || !*node->valuestring)
        return cb_config_fail(r, node ? node : s->entry, "kernel",
                              "expected the file of a kernel with scheduling points, as "
                              "\"solver.cl\" or \"solver.cl:solve\"");
    char *kernel = cb_path_beside(r->path, node->valuestring);
    if (!kernel)
        return cb_config_no_memory(r);
    char *name = cb_source_split_name(kernel);
    if (s->kernel) {
        enum cb_status status = cb_setup_check_kernel(r, s, node, kernel, name);
        free(kernel);
        return status;
    }
    s->kernel = kernel;
    s->kernel_name = name;
    return CB_OK;
}

/* Files of tasks that the kernel submits. */
static enum cb_status read_children(struct cb_config_reader *r, struct cb_setup *s)
{
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(s->entry, "children"), *file;
    if (node && (!cJSON_IsArray(node) || cJSON_GetArraySize(node) > CB_SETUP_CHILDREN))
        return cb_config_fail(r, node, "children",
                              "expected at most %d files of tasks that the kernel submits, as "
                              "[\"fill.cl\", \"sort.cl:merge\"]",
                              CB_SETUP_CHILDREN);
    cJSON_ArrayForEach (file, node) {
        if (!cJSON_IsString(file) || !*file->valuestring)
            return cb_config_fail(r, file, "children", "expected the file of a task");
        struct cb_setup_child *child = &s->children[s->n_children];
        child->path = cb_path_beside(r->path, file->valuestring);
        if (!child->path)
            return cb_config_no_memory(r);
        child->name = cb_source_split_name(child->path);
        s->n_children++;
    }
    return CB_OK;
}

int cb_setup_sources(const struct cb_setup *s,
                     struct cb_merge_source sources[1 + CB_SETUP_CHILDREN])
{
    int n = 0;
    sources[n++] = (struct cb_merge_source){s->kernel, s->kernel_name, s->options, s->file};
    for (unsigned i = 0; i < s->n_children; i++)
        sources[n++] =
            (struct cb_merge_source){s->children[i].path, s->children[i].name, s->options, s->file};
    return n;
}

static enum cb_status read_wg_size(struct cb_config_reader *r, struct cb_setup *s)
{
    double size = 0;
    if (cb_setup_number(r, s->entry, "setup", "workgroup_size", 1, MOST_ITEMS, true, &size) !=
        CB_OK)
        return r->err->status;
    s->cpu_wg_size = size > 0 ? (unsigned)size : CPU_WG_SIZE;
    s->gpu_wg_size = size > 0 ? (unsigned)size : GPU_WG_SIZE;
    return CB_OK;
}

/* ---- The NDRange of a task ------------------------------------------------------------------- */

/* A number, or a list of one to three. Returns how many there are; 0: an error. least: of each. */
static unsigned read_sizes(struct cb_config_reader *r, const struct cb_setup *s, const char *key,
                           double least, size_t sizes[3])
{
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(s->entry, key);
    const cJSON *first = cJSON_IsArray(node) ? node->child : node, *next = first;
    unsigned n = 0;
    for (; next && n < 3; n++, next = cJSON_IsArray(node) ? next->next : NULL) {
        double size = 0;
        if (cb_setup_number_in(r, next, key, least, 4294967295.0, true, &size) != CB_OK)
            return 0;
        sizes[n] = (size_t)size;
    }
    if (n > 0 && !next)
        return n;
    cb_config_fail(r, node ? node : s->entry, key,
                   "expected one to three numbers of work-items, as [1024, 768]");
    return 0;
}

static enum cb_status read_offset(struct cb_config_reader *r, struct cb_setup *s)
{
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(s->entry, "offset");
    const unsigned n = node ? read_sizes(r, s, "offset", 0, s->range.offset) : 0;
    if (node && n > 0 && n != s->range.dimensions)
        return cb_config_fail(r, node, "offset", "expected as many numbers as \"global\" has");
    return node && n == 0 ? r->err->status : CB_OK;
}

static enum cb_status read_range(struct cb_config_reader *r, struct cb_setup *s)
{
    const cJSON *global = cJSON_GetObjectItemCaseSensitive(s->entry, "global");
    struct cb_setup_range *range = &s->range;
    double items = 1;
    if (!global)
        return CB_OK;
    range->dimensions = read_sizes(r, s, "global", 1, range->global);
    unsigned local = range->dimensions ? read_sizes(r, s, "local", 1, range->local) : 0;
    if (local == 0)
        return r->err->status;
    if (local != range->dimensions)
        return cb_config_fail(r, global, "local", "expected as many numbers as \"global\" has");
    for (unsigned d = 0; d < local; d++) {
        items *= (double)range->local[d];
        if (range->global[d] % range->local[d] != 0)
            return cb_config_fail(r, global, "global", "%zu work-items are no workgroups of %zu",
                                  range->global[d], range->local[d]);
    }
    if (items > MOST_ITEMS)
        return cb_config_fail(r, global, "local",
                              "%.0f work-items are too many for a workgroup: "
                              "at most %d",
                              items, MOST_ITEMS);
    return read_offset(r, s) == CB_OK ? cb_setup_read_arrivals(r, s) : r->err->status;
}

/* What only an app's setup has, or only a task's. */
static enum cb_status check_kind(struct cb_config_reader *r, const struct cb_setup *s)
{
    static const char *const of_task[] = {"local",       "offset",   "period_ms",
                                          "deadline_ms", "arrivals", "fresh"};
    const cJSON *size = cJSON_GetObjectItemCaseSensitive(s->entry, "workgroup_size");
    if (s->range.dimensions > 0 && size)
        return cb_config_fail(r, size, "workgroup_size",
                              "a task's workgroups are as large as \"local\" says");
    for (size_t i = 0; i < sizeof of_task / sizeof *of_task; i++) {
        const cJSON *node = cJSON_GetObjectItemCaseSensitive(s->entry, of_task[i]);
        if (node && s->range.dimensions == 0)
            return cb_config_fail(r, node, of_task[i], "is a task's, which has \"global\", too");
    }
    return CB_OK;
}

/* A key whose value is a text; *text stays if it is not there. */
static enum cb_status read_text(struct cb_config_reader *r, const cJSON *object, const char *key,
                                const char **text)
{
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(object, key);
    if (node && !cJSON_IsString(node))
        return cb_config_fail(r, node, "setup", "%s: expected a text", key);
    *text = node ? node->valuestring : *text;
    return CB_OK;
}

static enum cb_status read_fresh(struct cb_config_reader *r, struct cb_setup *s)
{
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(s->entry, "fresh");
    if (node && !cJSON_IsBool(node))
        return cb_config_fail(r, node, "fresh", "expected true or false");
    s->is_fresh = cJSON_IsTrue(node);
    return CB_OK;
}

static enum cb_status read_head(struct cb_config_reader *r, struct cb_setup *s)
{
    enum { OF_FILE = 3 }; /* the first keys */
    static const char *const keys[] = {
        "$schema",   "schema",    "schema_version", "kernel", "summary",   "workgroup_size",
        "tolerance", "arguments", "global",         "local",  "period_ms", "deadline_ms",
        "arrivals",  "children",  "build_options",  "nan",    "fresh",     "offset",
        NULL};
    if (!cJSON_IsObject(r->tree))
        return cb_config_fail(r, r->tree, "setup", "expected an object, as {\"kernel\": ...}");
    if (cb_setup_find(r, s) != CB_OK)
        return r->err->status;
    if (!cJSON_IsObject(s->entry))
        return cb_config_fail(r, s->entry, "kernels", "%s: expected an object", s->kernel_name);
    if (cb_setup_keys(r, s->entry, "setup", s->entry == r->tree ? keys : keys + OF_FILE) != CB_OK)
        return r->err->status;
    const char *schema = "coopbench-setup", *version = "1.0", *summary = "A kernel of the user's",
               *any = NULL;
    if (read_text(r, r->tree, "schema", &schema) != CB_OK ||
        read_text(r, r->tree, "schema_version", &version) != CB_OK ||
        read_text(r, r->tree, "$schema", &any) != CB_OK ||
        read_text(r, r->tree, "summary", &any) != CB_OK ||
        read_text(r, s->entry, "summary", &summary) != CB_OK)
        return r->err->status;
    if (strcmp(schema, "coopbench-setup") != 0 || strncmp(version, "1.", 2) != 0)
        return cb_config_fail(r, r->tree, "schema", "expected coopbench-setup, version 1.x");
    const char *options = "", *nan = "any";
    if (read_text(r, s->entry, "build_options", &options) != CB_OK ||
        read_text(r, s->entry, "nan", &nan) != CB_OK)
        return r->err->status;
    s->nan_bits = strcmp(nan, "bits") == 0;
    if (!s->nan_bits && strcmp(nan, "any") != 0)
        return cb_config_fail(r, s->entry, "nan", "expected \"any\" or \"bits\"");
    s->summary = strdup(summary);
    s->options = strdup(options);
    if (!s->summary || !s->options)
        return cb_config_no_memory(r);
    if (read_kernel(r, s) != CB_OK || read_children(r, s) != CB_OK || read_wg_size(r, s) != CB_OK ||
        read_range(r, s) != CB_OK || check_kind(r, s) != CB_OK || read_fresh(r, s) != CB_OK)
        return r->err->status;
    return cb_setup_number(r, s->entry, "setup", "tolerance", 0, 1, false, &s->tolerance);
}

enum cb_status cb_setup_read(const char *path, struct cb_setup *s, struct cb_err *err)
{
    *s = (struct cb_setup){0};
    if (cb_setup_begin(path, s, err) != CB_OK ||
        cb_read_file(s->file, &setup_kind, &s->text, err) != CB_OK)
        return err->status;
    s->tree = cJSON_ParseWithOpts(s->text, NULL, true); /* the text ends after the object */
    struct cb_config_reader r = {.path = s->file, .text = s->text, .tree = s->tree, .err = err};
    return s->tree ? read_head(&r, s) : cb_fail(err, CB_USAGE, "%s: this is no JSON", s->file);
}

void cb_setup_free(struct cb_setup *s)
{
    for (unsigned i = 0; i < s->n_arguments; i++) {
        struct cb_setup_argument *a = &s->arguments[i];
        for (int m = 0; a->rules && m < a->layout.n_members; m++)
            free(a->rules[m].values);
        free(a->rules);
        cb_layout_free(&a->layout);
        free(a->name);
        free(a->begin);
        free(a->expect);
    }
    for (unsigned i = 0; i < s->n_children; i++)
        free(s->children[i].path);
    free(s->times_ns);
    free(s->summary);
    free(s->kernel);
    free(s->own_name);
    free(s->options);
    free(s->file);
    free(s->text);
    cJSON_Delete(s->tree);
    *s = (struct cb_setup){0};
}
