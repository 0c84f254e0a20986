/* SPDX-License-Identifier: Apache-2.0 */
#include "apphost/setup.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/config_reader.h"
#include "measure/random.h"
#include "measure/text/json.h"
#include "runtime/host/files.h"
#include "runtime/host/hash.h"
#include "runtime/source.h"

#define CPU_WG_SIZE 64
#define GPU_WG_SIZE 256
#define MOST_ITEMS  4096 /* of a workgroup */
#define MOST_BYTES  (1e12)

static const struct cb_file_kind setup_kind = {"a setup", 1u << 20};

/* ---- The file -------------------------------------------------------------------------------- */

static enum cb_status read_kernel(struct cb_config_reader *r, struct cb_setup *s)
{
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(r->tree, "kernel");
    if (!cJSON_IsString(node) || !*node->valuestring)
        return cb_config_fail(r, node ? node : r->tree, "kernel",
                              "expected the file of a kernel with scheduling points, as "
                              "\"solver.cl\" or \"solver.cl:solve\"");
    s->kernel = cb_path_beside(r->path, node->valuestring);
    if (!s->kernel)
        return cb_config_no_memory(r);
    s->kernel_name = cb_source_split_name(s->kernel);
    return CB_OK;
}

static enum cb_status read_number_in(struct cb_config_reader *r, const cJSON *node,
                                     const char *where, double least, double most, bool is_whole,
                                     double *number)
{
    double value = cJSON_IsNumber(node) ? node->valuedouble : NAN;
    if (!(value >= least && value <= most) || (is_whole && value != floor(value)))
        return cb_config_fail(r, node, where, "expected a %snumber from %.16g to %.16g",
                              is_whole ? "whole " : "", least, most);
    *number = value;
    return CB_OK;
}

/* If it is there. */
static enum cb_status read_number(struct cb_config_reader *r, const cJSON *object,
                                  const char *where, const char *key, double least, double most,
                                  bool is_whole, double *number)
{
    char place[CB_CONFIG_WHERE];
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(object, key);
    snprintf(place, sizeof place, "%s: %s", where, key);
    return node ? read_number_in(r, node, place, least, most, is_whole, number) : CB_OK;
}

/* A key that means nothing is most likely a mistake. */
static enum cb_status check_keys(struct cb_config_reader *r, const cJSON *object, const char *where,
                                 const char *const keys[])
{
    const cJSON *child;
    cJSON_ArrayForEach (child, object) {
        int k = 0;
        while (keys[k] && strcmp(keys[k], child->string) != 0)
            k++;
        if (!keys[k])
            return cb_config_fail(r, child, where, "\"%.60s\" is not known here", child->string);
        if (cJSON_GetObjectItemCaseSensitive(object, child->string) != child)
            return cb_config_fail(r, child, where, "\"%.60s\" is there twice", child->string);
    }
    return CB_OK;
}

static enum cb_status read_wg_size(struct cb_config_reader *r, struct cb_setup *s)
{
    double size = 0;
    if (read_number(r, r->tree, "setup", "workgroup_size", 1, MOST_ITEMS, true, &size) != CB_OK)
        return r->err->status;
    s->cpu_wg_size = size > 0 ? (unsigned)size : CPU_WG_SIZE;
    s->gpu_wg_size = size > 0 ? (unsigned)size : GPU_WG_SIZE;
    return CB_OK;
}

/* A key whose value is a text; *text stays if it is not there. */
static enum cb_status read_text(struct cb_config_reader *r, const char *key, const char **text)
{
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(r->tree, key);
    if (node && !cJSON_IsString(node))
        return cb_config_fail(r, node, "setup", "%s: expected a text", key);
    *text = node ? node->valuestring : *text;
    return CB_OK;
}

static enum cb_status read_head(struct cb_config_reader *r, struct cb_setup *s)
{
    static const char *const keys[] = {"$schema",   "schema",    "schema_version",
                                       "kernel",    "summary",   "workgroup_size",
                                       "tolerance", "arguments", NULL};
    if (!cJSON_IsObject(r->tree))
        return cb_config_fail(r, r->tree, "setup", "expected an object, as {\"kernel\": ...}");
    if (check_keys(r, r->tree, "setup", keys) != CB_OK)
        return r->err->status;
    const char *schema = "coopbench-setup", *version = "1.0", *summary = "A kernel of the user's",
               *any = NULL;
    if (read_text(r, "schema", &schema) != CB_OK ||
        read_text(r, "schema_version", &version) != CB_OK ||
        read_text(r, "summary", &summary) != CB_OK || read_text(r, "$schema", &any) != CB_OK)
        return r->err->status;
    if (strcmp(schema, "coopbench-setup") != 0 || strncmp(version, "1.", 2) != 0)
        return cb_config_fail(r, r->tree, "schema", "expected coopbench-setup, version 1.x");
    s->summary = strdup(summary);
    if (!s->summary)
        return cb_config_no_memory(r);
    if (read_kernel(r, s) != CB_OK || read_wg_size(r, s) != CB_OK)
        return r->err->status;
    return read_number(r, r->tree, "setup", "tolerance", 0, 1, false, &s->tolerance);
}

bool cb_setup_is(const char *path)
{
    size_t n = strlen(path), ending = strlen(CB_SETUP_ENDING);
    return n > ending && strcmp(path + n - ending, CB_SETUP_ENDING) == 0;
}

enum cb_status cb_setup_name(const char *path, char id[CB_SETUP_ID], struct cb_err *err)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t n = strlen(name) - (cb_setup_is(name) ? strlen(CB_SETUP_ENDING) : 0);
    if (strpbrk(path, "\n\r\""))
        return cb_fail(err, CB_USAGE, "the path of a setup has no quotes, and is one line");
    if (n == 0 || n >= CB_SETUP_ID ||
        strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") < n)
        return cb_fail(err, CB_USAGE,
                       "%s: the name of a setup's file, which rows are called by, has letters, "
                       "digits, - and _, at most %d",
                       path, CB_SETUP_ID - 1);
    snprintf(id, CB_SETUP_ID, "%.*s", (int)n, name);
    return CB_OK;
}

enum cb_status cb_setup_read(const char *path, struct cb_setup *s, struct cb_err *err)
{
    *s = (struct cb_setup){0};
    struct cb_config_reader r = {.path = path, .err = err};
    if (cb_setup_name(path, s->id, err) != CB_OK ||
        cb_read_file(path, &setup_kind, &s->text, err) != CB_OK)
        return err->status;
    s->tree = cJSON_ParseWithOpts(s->text, NULL, true); /* with nothing after it */
    r.text = s->text;
    r.tree = s->tree;
    return s->tree ? read_head(&r, s) : cb_fail(err, CB_USAGE, "%s: this is no JSON", path);
}

void cb_setup_free(struct cb_setup *s)
{
    for (unsigned i = 0; i < s->n_arguments; i++) {
        free(s->arguments[i].name);
        free(s->arguments[i].begin);
        free(s->arguments[i].expect);
    }
    free(s->summary);
    free(s->kernel);
    free(s->text);
    cJSON_Delete(s->tree);
    *s = (struct cb_setup){0};
}

/* ---- Arguments ------------------------------------------------------------------------------- */

static enum cb_status read_fill(struct cb_config_reader *r, const cJSON *node,
                                struct cb_setup_argument *a)
{
    static const char *const fills[] = {
        [CB_FILL_ZERO] = "zero", [CB_FILL_IOTA] = "iota", [CB_FILL_RANDOM] = "random"};
    const cJSON *given = cJSON_GetObjectItemCaseSensitive(node, "fill");
    const char *word = cb_json_text(node, "fill", given ? "" : "zero");
    unsigned f = 0;
    while (f < sizeof fills / sizeof *fills && strcmp(fills[f], word) != 0)
        f++;
    if (f == sizeof fills / sizeof *fills)
        return cb_config_fail(r, given, a->name, "fill: expected \"zero\", \"iota\" or \"random\"");
    a->fill = (enum cb_setup_fill)f;
    return CB_OK;
}

/* A file of the buffer's elements, if the setup names one: as many as the buffer has, which has
 * else as many as the file. */
static enum cb_status read_data(struct cb_config_reader *r, const cJSON *node, const char *key,
                                struct cb_setup_argument *a, unsigned char **data)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(node, key);
    size_t size;
    if (!name)
        return CB_OK;
    if (!cJSON_IsString(name) || !*name->valuestring)
        return cb_config_fail(r, name, a->name, "%s: expected a file", key);
    char *path = cb_path_beside(r->path, name->valuestring);
    if (!path)
        return cb_config_no_memory(r);
    enum cb_status status = cb_setup_load(path, &a->element, data, &size, r->err);
    free(path);
    if (status != CB_OK)
        return cb_context(r->err, "%s: %s", r->path, a->name), status;
    if (a->bytes > 0 && a->bytes != size)
        return cb_config_fail(r, name, a->name, "%s: it has %zu elements, not %zu", key,
                              size / a->element.size / a->element.width,
                              a->bytes / a->element.size / a->element.width);
    a->bytes = size;
    return CB_OK;
}

static enum cb_status read_buffer(struct cb_config_reader *r, const cJSON *node,
                                  struct cb_setup_argument *a)
{
    static const char *const keys[] = {"count", "fill",  "seed",   "below",
                                       "file",  "check", "expect", NULL};
    const double each = (double)(a->element.size * a->element.width);
    double count = 0, seed = 1;
    if (!cJSON_IsObject(node) || !(cJSON_GetObjectItemCaseSensitive(node, "count") ||
                                   cJSON_GetObjectItemCaseSensitive(node, "file")))
        return cb_config_fail(r, node, a->name,
                              "is a buffer: expected {\"count\": how many elements, ...} or "
                              "{\"file\": ...}");
    a->below = a->element.kind == 'f'
                   ? 1
                   : ldexp(1, (int)(8 * a->element.size) - (a->element.kind == 'i'));
    if (check_keys(r, node, a->name, keys) != CB_OK ||
        read_number(r, node, a->name, "count", 1, floor(MOST_BYTES / each), true, &count) !=
            CB_OK ||
        read_number(r, node, a->name, "seed", 0, 9007199254740991.0, true, &seed) != CB_OK ||
        read_number(r, node, a->name, "below", 0, a->below > 1 ? a->below : 1e30,
                    a->element.kind != 'f', &a->below) != CB_OK)
        return r->err->status;
    a->bytes = (size_t)(count * each);
    a->seed = (uint64_t)seed;
    if (read_data(r, node, "file", a, &a->begin) != CB_OK ||
        read_data(r, node, "expect", a, &a->expect) != CB_OK)
        return r->err->status;
    const cJSON *check = cJSON_GetObjectItemCaseSensitive(node, "check");
    if (check && !cJSON_IsBool(check))
        return cb_config_fail(r, check, a->name, "check: expected true or false");
    a->is_checked = !cJSON_IsFalse(check);
    return read_fill(r, node, a);
}

/* Numbers of JSON are exact up to 2^53. */
#define MOST_EXACT 9007199254740992.0

static enum cb_status read_scalar(struct cb_config_reader *r, const cJSON *node,
                                  struct cb_setup_argument *a)
{
    const int bits = (int)(8 * a->element.size);
    const bool is_float = a->element.kind == 'f', is_signed = a->element.kind == 'i';
    const double most = is_float     ? (bits == 32 ? FLT_MAX : DBL_MAX)
                        : bits == 64 ? MOST_EXACT
                                     : ldexp(1, bits - is_signed) - 1;
    const double least = is_float || bits == 64 ? -most : -most - 1;
    if (!cJSON_IsNumber(node))
        return cb_config_fail(r, node, a->name, "is a value: expected a number");
    return read_number_in(r, node, a->name, is_float || is_signed ? least : 0, most, !is_float,
                          &a->value);
}

static enum cb_status read_argument(struct cb_config_reader *r, struct cb_setup *s,
                                    const cJSON *arguments, const struct cb_merge_parameter *p)
{
    struct cb_setup_argument *a = &s->arguments[s->n_arguments];
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(arguments, p->name);
    *a = (struct cb_setup_argument){.is_checked = true, .name = strdup(p->name)};
    if (!a->name)
        return cb_config_no_memory(r);
    s->n_arguments++;
    if (!cb_element_read(p->type, &a->element, &a->is_pointer))
        return cb_config_fail(r, node ? node : arguments, p->name, CB_SETUP_NOT_KNOWN, p->type);
    if (!node)
        return cb_config_fail(r, arguments, "arguments", "%s (%s) is not there", p->name, p->type);
    a->bytes = a->element.size * a->element.width;
    return a->is_pointer ? read_buffer(r, node, a) : read_scalar(r, node, a);
}

static enum cb_status check_names(struct cb_config_reader *r, const struct cb_setup *s,
                                  const cJSON *arguments)
{
    const char *names[CB_SETUP_ARGUMENTS + 1] = {NULL};
    for (unsigned i = 0; i < s->n_arguments; i++)
        names[i] = s->arguments[i].name;
    return check_keys(r, arguments, "arguments of the kernel", names);
}

enum cb_status cb_setup_read_arguments(const char *path, struct cb_setup *s,
                                       const struct cb_merge_kernel *kernel, struct cb_err *err)
{
    struct cb_config_reader r = {.path = path, .text = s->text, .tree = s->tree, .err = err};
    const cJSON *arguments = cJSON_GetObjectItemCaseSensitive(s->tree, "arguments");
    if (!cJSON_IsObject(arguments))
        return cb_config_fail(&r, arguments ? arguments : s->tree, "arguments",
                              "expected an object with the kernel's parameters");
    if (kernel->n_parameters > CB_SETUP_ARGUMENTS)
        return cb_config_fail(&r, arguments, "arguments", CB_SETUP_TOO_MANY, kernel->n_parameters,
                              CB_SETUP_ARGUMENTS);
    for (int i = 0; i < kernel->n_parameters; i++)
        if (read_argument(&r, s, arguments, &kernel->parameters[i]) != CB_OK)
            return err->status;
    return check_names(&r, s, arguments);
}

uint64_t cb_setup_digest(const struct cb_setup *s)
{
    uint64_t digest = cb_hash(CB_HASH_START, s->text, strlen(s->text));
    for (unsigned i = 0; i < s->n_arguments; i++) {
        const struct cb_setup_argument *a = &s->arguments[i];
        if (a->begin)
            digest = cb_hash(digest, a->begin, a->bytes);
        if (a->expect)
            digest = cb_hash(digest, a->expect, a->bytes);
    }
    return digest;
}

/* ---- Values ---------------------------------------------------------------------------------- */

static double drawn(const struct cb_setup_argument *a, struct cb_random *random)
{
    double part = ldexp((double)(cb_random_next(random) >> 11), -53) * a->below;
    return a->element.kind == 'f' ? part : floor(part);
}

void cb_setup_fill(const struct cb_setup_argument *a, void *to)
{
    struct cb_random random = {a->seed};
    if (a->begin) {
        memcpy(to, a->begin, a->bytes);
        return;
    }
    memset(to, 0, a->bytes);
    for (size_t i = 0; a->fill != CB_FILL_ZERO && i < a->bytes / a->element.size; i++)
        cb_element_put(&a->element, (unsigned char *)to + i * a->element.size,
                       a->fill == CB_FILL_IOTA ? (double)i : drawn(a, &random));
}

size_t cb_setup_value(const struct cb_setup_argument *a, unsigned char to[128])
{
    for (unsigned i = 0; i < a->element.width; i++)
        cb_element_put(&a->element, to + i * a->element.size, a->value);
    return a->bytes;
}
