/* SPDX-License-Identifier: Apache-2.0
 *
 * What a setup says of the contents of a buffer or an image, beside its size.
 */
#include <stdlib.h>
#include <string.h>

#include "apps/host/setup_reader.h"
#include "runtime/host/files.h"

/* An image's sizes are compared there; shape: of any other argument's file. */
static enum cb_status load(struct cb_setup_argument *a, const char *path, struct cb_shape *shape,
                           unsigned char **data, size_t *size, struct cb_err *err)
{
    *shape = (struct cb_shape){0};
    return cb_setup_is_image(a) ? cb_setup_load_image(path, &a->layout, a->sizes, data, size, err)
                                : cb_setup_load_shaped(path, &a->layout, shape, data, size, err);
}

static enum cb_status fail_size(struct cb_config_reader *r, const cJSON *name, const char *key,
                                const struct cb_setup_argument *a, const struct cb_shape *shape,
                                size_t size)
{
    char is[CB_SHAPE_TEXT] = "";
    if (shape->n > 0)
        cb_setup_put_shape(shape, is);
    return cb_config_fail(r, name, a->name, "%s: it has %zu elements%s%s%s, not %zu%s", key,
                          size / a->layout.bytes, *is ? " (shape " : "", is, *is ? ")" : "",
                          a->bytes / a->layout.bytes,
                          !a->is_pointer             ? ": a value is one"
                          : strcmp(key, "file") == 0 ? ": edit \"count\", or leave it out"
                                                     : ": edit \"count\", or take another file");
}

enum cb_status cb_setup_read_data(struct cb_config_reader *r, const cJSON *node, const char *key,
                                  struct cb_setup_argument *a, unsigned char **data)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(node, key);
    struct cb_shape shape;
    size_t size;
    if (!name)
        return CB_OK;
    if (!cJSON_IsString(name) || !*name->valuestring)
        return cb_config_fail(r, name, a->name, "%s: expected a file", key);
    char *path = cb_path_beside(r->path, name->valuestring);
    if (!path)
        return cb_config_no_memory(r);
    enum cb_status status = load(a, path, &shape, data, &size, r->err);
    free(path);
    if (status != CB_OK)
        return cb_context(r->err, "%s: %s", r->path, a->name), status;
    if (a->bytes > 0 && a->bytes != size)
        return fail_size(r, name, key, a, &shape, size);
    a->bytes = size;
    return CB_OK;
}

enum cb_status cb_setup_read_contents(struct cb_config_reader *r, const cJSON *node,
                                      struct cb_setup_argument *a)
{
    if (cb_setup_read_data(r, node, "expect", a, &a->expect) != CB_OK)
        return r->err->status;
    const cJSON *check = cJSON_GetObjectItemCaseSensitive(node, "check");
    if (check && !cJSON_IsBool(check))
        return cb_config_fail(r, check, a->name, "check: expected true or false");
    a->is_checked = !cJSON_IsFalse(check);
    return cb_setup_read_rules(r, node, a);
}
