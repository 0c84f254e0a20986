/* SPDX-License-Identifier: Apache-2.0 */
#include "apphost/setup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/config_reader.h"
#include "measure/random.h"
#include "measure/text/json.h"
#include "runtime/host/files.h"

#define CPU_WG_SIZE 64
#define GPU_WG_SIZE 256
#define MOST_ITEMS  4096 /* of a workgroup */
#define MOST_BYTES  (1e12)

static const struct cb_file_kind setup_kind = {"a setup", 1u << 20};

/* ---- The file -------------------------------------------------------------------------------- */

static char *joined(const char *folder, size_t n, const char *name)
{
    size_t size = n + strlen(name) + 3;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s%.*s%s", *name == '/' || n > 0 ? "" : "./",
                 *name == '/' ? 0 : (int)n, folder, name);
    return path;
}

static enum cb_status read_kernel(struct cb_config_reader *r, struct cb_setup *s)
{
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(r->tree, "kernel");
    const char *slash = strrchr(r->path, '/');
    if (!cJSON_IsString(node) || !*node->valuestring)
        return cb_config_fail(r, node ? node : r->tree, "kernel",
                              "expected the file of a kernel with scheduling points, as "
                              "\"solver.cl\" or \"solver.cl:solve\"");
    s->kernel = joined(r->path, slash ? (size_t)(slash + 1 - r->path) : 0, node->valuestring);
    if (!s->kernel)
        return cb_config_no_memory(r);
    char *colon = strrchr(s->kernel, ':');
    if (colon && !strchr(colon, '/')) {
        *colon = '\0';
        s->kernel_name = colon + 1;
    }
    return CB_OK;
}

static enum cb_status read_number(struct cb_config_reader *r, const cJSON *object,
                                  const char *where, const char *key, double least, double most,
                                  bool is_whole, double *number)
{
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!node)
        return CB_OK;
    double value = cJSON_IsNumber(node) ? node->valuedouble : NAN;
    if (!(value >= least && value <= most) || (is_whole && value != floor(value)))
        return cb_config_fail(r, node, where, "%s: expected a %snumber from %.15g to %.15g", key,
                              is_whole ? "whole " : "", least, most);
    *number = value;
    return CB_OK;
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
    if (read_number(r, r->tree, "workgroup_size", "workgroup_size", 1, MOST_ITEMS, true, &size) !=
        CB_OK)
        return r->err->status;
    s->cpu_wg_size = size > 0 ? (unsigned)size : CPU_WG_SIZE;
    s->gpu_wg_size = size > 0 ? (unsigned)size : GPU_WG_SIZE;
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
    const char *schema = cb_json_text(r->tree, "schema", "coopbench-setup");
    if (strcmp(schema, "coopbench-setup") != 0 ||
        strncmp(cb_json_text(r->tree, "schema_version", "1.0"), "1.", 2) != 0)
        return cb_config_fail(r, r->tree, "schema", "expected coopbench-setup, version 1.x");
    s->summary = strdup(cb_json_text(r->tree, "summary", "A kernel of the user's"));
    if (!s->summary)
        return cb_config_no_memory(r);
    if (read_kernel(r, s) != CB_OK || read_wg_size(r, s) != CB_OK)
        return r->err->status;
    return read_number(r, r->tree, "tolerance", "tolerance", 0, 1, false, &s->tolerance);
}

static enum cb_status read_id(const char *path, struct cb_setup *s, struct cb_err *err)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t n = strlen(name);
    const size_t ending = strlen(CB_SETUP_ENDING);
    if (n > ending && strcmp(name + n - ending, CB_SETUP_ENDING) == 0)
        n -= ending;
    if (n == 0 || n >= sizeof s->id ||
        strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") < n)
        return cb_fail(err, CB_USAGE,
                       "%s: the name of a setup's file, which rows are called by, has letters, "
                       "digits, - and _, at most %d",
                       path, CB_SETUP_ID - 1);
    snprintf(s->id, sizeof s->id, "%.*s", (int)n, name);
    return CB_OK;
}

enum cb_status cb_setup_read(const char *path, struct cb_setup *s, struct cb_err *err)
{
    *s = (struct cb_setup){0};
    struct cb_config_reader r = {.path = path, .err = err};
    if (read_id(path, s, err) != CB_OK || cb_read_file(path, &setup_kind, &s->text, err) != CB_OK)
        return err->status;
    s->tree = cJSON_Parse(s->text);
    r.text = s->text;
    r.tree = s->tree;
    return s->tree ? read_head(&r, s) : cb_fail(err, CB_USAGE, "%s: this is no JSON", path);
}

void cb_setup_free(struct cb_setup *s)
{
    for (unsigned i = 0; i < s->n_arguments; i++) {
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
    const char *word = cb_json_text(node, "fill", given ? "something else" : "zero");
    unsigned f = 0;
    while (f < sizeof fills / sizeof *fills && strcmp(fills[f], word) != 0)
        f++;
    if (f == sizeof fills / sizeof *fills)
        return cb_config_fail(r, node, a->name,
                              "fill: expected zero, iota or random, got \"%.40s\"", word);
    a->fill = (enum cb_setup_fill)f;
    return CB_OK;
}

/* A file of the buffer's elements, if the setup names one: as many as the buffer has, which has
 * else as many as the file. */
static enum cb_status read_data(struct cb_config_reader *r, const cJSON *node, const char *key,
                                struct cb_setup_argument *a, unsigned char **data)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(node, key);
    const char *slash = strrchr(r->path, '/');
    size_t size;
    if (!name)
        return CB_OK;
    if (!cJSON_IsString(name) || !*name->valuestring)
        return cb_config_fail(r, name, a->name, "%s: expected a file", key);
    char *path = joined(r->path, slash ? (size_t)(slash + 1 - r->path) : 0, name->valuestring);
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

static enum cb_status read_scalar(struct cb_config_reader *r, const cJSON *node,
                                  struct cb_setup_argument *a)
{
    const bool is_float = a->element.kind == 'f';
    const int bits = (int)(8 * a->element.size);
    const double most = is_float                 ? INFINITY
                        : a->element.kind == 'u' ? ldexp(1, bits)
                                                 : ldexp(1, bits - 1);
    if (!cJSON_IsNumber(node))
        return cb_config_fail(r, node, a->name, "is a value: expected a number");
    a->value = node->valuedouble;
    if (!is_float && (a->value != floor(a->value) || a->value >= most ||
                      a->value < (a->element.kind == 'u' ? 0 : -most)))
        return cb_config_fail(r, node, a->name, "%.15g is none of its type's values", a->value);
    a->bytes = a->element.size * a->element.width;
    return CB_OK;
}

/* The next of the kernel's parameters, in the text of its COOP_ARGS. */
static bool next_parameter(const char **text, char type[128], char name[64])
{
    for (const char *x = *text; (x = strstr(x, "X(")) != NULL; x += 2)
        if (sscanf(x, "X(%127[^,], arg_%63[A-Za-z0-9_])", type, name) == 2) {
            *text = x + 2;
            return true;
        }
    return false;
}

/* A parameter of the kernel: "X(const global uint *restrict, arg_input)". */
static enum cb_status read_argument(struct cb_config_reader *r, struct cb_setup *s,
                                    const cJSON *arguments, const char *type, const char *name)
{
    struct cb_setup_argument *a = &s->arguments[s->n_arguments];
    *a = (struct cb_setup_argument){.is_checked = true};
    snprintf(a->name, sizeof a->name, "%s", name);
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(arguments, name);
    if (!cb_element_read(type, &a->element, &a->is_pointer))
        return cb_config_fail(r, node ? node : arguments, name,
                              "the kernel says \"%s\", and a setup knows scalars, vectors and "
                              "global buffers of these",
                              type);
    if (!node)
        return cb_config_fail(r, arguments, "arguments", "%s (%s) is not there", name, type);
    s->n_arguments++;
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

enum cb_status cb_setup_read_arguments(const char *path, struct cb_setup *s, const char *parameters,
                                       struct cb_err *err)
{
    struct cb_config_reader r = {.path = path, .text = s->text, .tree = s->tree, .err = err};
    const cJSON *arguments = cJSON_GetObjectItemCaseSensitive(s->tree, "arguments");
    if (!cJSON_IsObject(arguments))
        return cb_config_fail(&r, arguments ? arguments : s->tree, "arguments",
                              "expected an object with the kernel's parameters");
    char type[128], name[64];
    while (next_parameter(&parameters, type, name)) {
        if (s->n_arguments == CB_SETUP_ARGUMENTS)
            return cb_config_fail(&r, arguments, "arguments", "at most %d", CB_SETUP_ARGUMENTS);
        if (read_argument(&r, s, arguments, type, name) != CB_OK)
            return err->status;
    }
    return check_names(&r, s, arguments);
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

/* ---- A first setup --------------------------------------------------------------------------- */

/* Most values are sizes of buffers, or of parts: with these, few kernels write beyond one. */
#define FIRST_COUNT 1024
#define FIRST_VALUE 64

static void add_first(cJSON *arguments, const char *name, const struct cb_element *e,
                      bool is_pointer)
{
    if (!is_pointer) {
        cJSON_AddNumberToObject(arguments, name, e->kind == 'f' ? 1 : FIRST_VALUE);
        return;
    }
    cJSON *buffer = cJSON_AddObjectToObject(arguments, name);
    cJSON_AddNumberToObject(buffer, "count", FIRST_COUNT);
    cJSON_AddStringToObject(buffer, "fill", "random");
    cJSON_AddNumberToObject(buffer, "below", e->kind == 'f' ? 1 : 100);
}

enum cb_status cb_setup_write_first(const char *kernel, const char *parameters, FILE *out,
                                    struct cb_err *err)
{
    char type[128], name[64];
    cJSON *tree = cJSON_CreateObject();
    cJSON_AddStringToObject(tree, "schema", "coopbench-setup");
    cJSON_AddStringToObject(tree, "schema_version", "1.0");
    cJSON_AddStringToObject(tree, "kernel", kernel);
    cJSON *arguments = cJSON_AddObjectToObject(tree, "arguments");
    enum cb_status status = arguments ? CB_OK : cb_fail(err, CB_ERROR, "out of memory");
    while (status == CB_OK && next_parameter(&parameters, type, name)) {
        struct cb_element element;
        bool is_pointer;
        if (cb_element_read(type, &element, &is_pointer))
            add_first(arguments, name, &element, is_pointer);
        else
            status = cb_fail(err, CB_USAGE,
                             "%s: the kernel says \"%s\", and a setup knows scalars, vectors and "
                             "global buffers of these",
                             name, type);
    }
    char *text = status == CB_OK ? cJSON_Print(tree) : NULL;
    if (status == CB_OK && !text)
        status = cb_fail(err, CB_ERROR, "out of memory");
    if (text)
        fprintf(out, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(tree);
    return status;
}
