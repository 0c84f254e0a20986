/* SPDX-License-Identifier: Apache-2.0
 *
 * What a setup says of the contents of a buffer or an image, beside its size.
 */
#include <stdlib.h>

#include "apps/host/setup_reader.h"
#include "runtime/host/files.h"

static enum cb_status load(struct cb_setup_argument *a, const char *path, unsigned char **data,
                           size_t *size, struct cb_err *err)
{
    return cb_setup_is_image(a) ? cb_setup_load_image(path, &a->layout, a->sizes, data, size, err)
                                : cb_setup_load(path, &a->layout, data, size, err);
}

enum cb_status cb_setup_read_data(struct cb_config_reader *r, const cJSON *node, const char *key,
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
    enum cb_status status = load(a, path, data, &size, r->err);
    free(path);
    if (status != CB_OK)
        return cb_context(r->err, "%s: %s", r->path, a->name), status;
    if (a->bytes > 0 && a->bytes != size)
        return cb_config_fail(r, name, a->name, "%s: it has %zu elements, not %zu", key,
                              size / a->layout.bytes, a->bytes / a->layout.bytes);
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
