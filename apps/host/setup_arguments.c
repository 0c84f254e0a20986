/* SPDX-License-Identifier: Apache-2.0
 *
 * The arguments of a setup: as the kernel's parameters want them, and their values.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/host/setup.h"
#include "apps/host/setup_reader.h"
#include "measure/random.h"
#include "measure/text/json.h"
#include "runtime/host/files.h"
#include "runtime/host/hash.h"
#include "runtime/source.h"

#define MOST_BYTES (1e12)

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
    if (cb_setup_keys(r, node, a->name, keys) != CB_OK ||
        cb_setup_number(r, node, a->name, "count", 1, floor(MOST_BYTES / each), true, &count) !=
            CB_OK ||
        cb_setup_number(r, node, a->name, "seed", 0, 9007199254740991.0, true, &seed) != CB_OK ||
        cb_setup_number(r, node, a->name, "below", 0, a->below > 1 ? a->below : 1e30,
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
    return cb_setup_number_in(r, node, a->name, is_float || is_signed ? least : 0, most, !is_float,
                              &a->value);
}

/* Room that a task's argument asks for: {"count": elements}. */
static enum cb_status read_local(struct cb_config_reader *r, const cJSON *node,
                                 struct cb_setup_argument *a)
{
    static const char *const keys[] = {"count", NULL};
    const double each = (double)(a->element.size * a->element.width);
    double count = 0;
    if (!cJSON_IsObject(node))
        return cb_config_fail(r, node, a->name,
                              "is local memory: expected {\"count\": how many elements}");
    if (cb_setup_keys(r, node, a->name, keys) != CB_OK ||
        cb_setup_number_in(r, cJSON_GetObjectItemCaseSensitive(node, "count"), a->name, 1,
                           floor(MOST_BYTES / each), true, &count) != CB_OK)
        return r->err->status;
    a->bytes = (size_t)(count * each);
    return CB_OK;
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
    a->is_local = cb_element_is_local(p->type);
    if (!cb_element_read(p->type, &a->element, &a->is_pointer) ||
        (a->is_local && s->range.dimensions == 0))
        return cb_config_fail(r, node ? node : arguments, p->name, CB_SETUP_NOT_KNOWN, p->type);
    if (!node)
        return cb_config_fail(r, arguments, "arguments", "%s (%s) is not there", p->name, p->type);
    a->bytes = a->element.size * a->element.width;
    return a->is_local     ? read_local(r, node, a)
           : a->is_pointer ? read_buffer(r, node, a)
                           : read_scalar(r, node, a);
}

static enum cb_status check_names(struct cb_config_reader *r, const struct cb_setup *s,
                                  const cJSON *arguments)
{
    const char *names[CB_SETUP_ARGUMENTS + 1] = {NULL};
    for (unsigned i = 0; i < s->n_arguments; i++)
        names[i] = s->arguments[i].name;
    return cb_setup_keys(r, arguments, "arguments of the kernel", names);
}

enum cb_status cb_setup_read_arguments(struct cb_setup *s, const struct cb_merge_kernel *kernel,
                                       struct cb_err *err)
{
    struct cb_config_reader r = {.path = s->file, .text = s->text, .tree = s->tree, .err = err};
    const cJSON *arguments = cJSON_GetObjectItemCaseSensitive(s->entry, "arguments");
    if (!cJSON_IsObject(arguments))
        return cb_config_fail(&r, arguments ? arguments : s->entry, "arguments",
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
    return s->times_ns ? cb_hash(digest, s->times_ns, s->arrivals.n_times * sizeof *s->times_ns)
                       : digest;
}

struct cb_identity cb_setup_identity(const struct cb_setup *s)
{
    struct cb_merge_source sources[1 + CB_SETUP_CHILDREN];
    struct cb_identity identity = {.hash = cb_setup_digest(s), .source = CB_HASH_START};
    const int n = cb_setup_sources(s, sources);
    for (int i = 0; i < n; i++) {
        char *text = NULL;
        if (cb_source_users_text(sources[i].path, sources[i].options, sources[i].beside, &text,
                                 &(struct cb_err){0}) == CB_OK)
            identity.source = cb_hash(identity.source, text, strlen(text) + 1);
        free(text);
    }
    return identity;
}

/* ---- Values ---------------------------------------------------------------------------------- */

static double drawn(const struct cb_setup_argument *a, struct cb_random *random)
{
    double part = ldexp((double)(cb_random_next(random) >> 11), -53) * a->below;
    return a->element.kind == 'f' ? part : floor(part);
}

void cb_setup_fill_part(const struct cb_setup_argument *a, int64_t at, void *to, size_t bytes)
{
    const int64_t each = (int64_t)a->element.size, end = at + (int64_t)bytes;
    memset(to, 0, bytes);
    for (int64_t i = at > 0 ? (at + each - 1) / each : 0;
         a->fill != CB_FILL_ZERO && (i + 1) * each <= end; i++) {
        struct cb_random random = {a->seed + (uint64_t)i};
        cb_element_put(&a->element, (unsigned char *)to + (i * each - at),
                       a->fill == CB_FILL_IOTA ? (double)i : drawn(a, &random));
    }
}

void cb_setup_fill(const struct cb_setup_argument *a, void *to)
{
    if (a->begin)
        memcpy(to, a->begin, a->bytes);
    else
        cb_setup_fill_part(a, 0, to, a->bytes);
}

size_t cb_setup_value(const struct cb_setup_argument *a, unsigned char to[128])
{
    for (unsigned i = 0; i < a->element.width; i++)
        cb_element_put(&a->element, to + i * a->element.size, a->value);
    return a->bytes;
}
