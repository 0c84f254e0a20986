/* SPDX-License-Identifier: Apache-2.0
 *
 * The setup of a kernel that the command line names, among those of a file.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "apps/host/setup_reader.h"
#include "apps/host/user_merge.h"
#include "measure/text/nearest.h"
#include "runtime/source.h"

/* The name of a kernel that is the only one of its file, or the only one with scheduling points. */
static enum cb_status find_name(struct cb_setup *s, struct cb_err *err)
{
    struct cb_merge_kernel merged;
    char *text;
    enum cb_status status = cb_user_kernel_merge(&(struct cb_merge_source){.path = s->kernel}, 1,
                                                 CB_USER_EITHER, &text, &merged, err);
    s->kernel_name = s->own_name = merged.name;
    merged.name = NULL;
    cb_merge_kernel_free(&merged);
    free(text);
    return status;
}

enum cb_status cb_setup_begin(const char *path, struct cb_setup *s, struct cb_err *err)
{
    const char *kernel = cb_setup_kernel(path);
    s->file = strdup(path);
    s->kernel = kernel ? cb_source_users_path(kernel) : NULL;
    if (!s->file || (kernel && !s->kernel))
        return cb_no_memory(err);
    if (!kernel)
        return cb_setup_name(path, s->id, err);
    s->file[strlen(path) - strlen(CB_SETUP_BETWEEN) - strlen(kernel)] = '\0';
    if (cb_setup_name(s->file, s->id, err) != CB_OK)
        return err->status;
    if (strpbrk(kernel, "\n\r\""))
        return cb_fail(err, CB_USAGE, "the path of a kernel has no quotes, and is one line");
    s->kernel_name = cb_source_split_name(s->kernel);
    if (!s->kernel_name && find_name(s, err) != CB_OK)
        return err->status;
    return cb_setup_name(s->kernel_name, s->id, err);
}

static const char *name_at(const void *kernels, int i)
{
    const cJSON *entry = cJSON_GetArrayItem(kernels, i);
    return entry ? entry->string : NULL;
}

enum cb_status cb_setup_find(struct cb_config_reader *r, struct cb_setup *s)
{
    static const char *const keys[] = {"$schema", "schema",  "schema_version",
                                       "summary", "kernels", NULL};
    const cJSON *kernels = cJSON_GetObjectItemCaseSensitive(r->tree, "kernels");
    s->entry = r->tree;
    if (!kernels)
        return CB_OK;
    if (!s->kernel)
        return cb_config_fail(r, kernels, "kernels",
                              "one of several is named by its file: --kernel FILE.cl, --task "
                              "FILE.cl, with --setup %s",
                              r->path);
    if (!cJSON_IsObject(kernels))
        return cb_config_fail(r, kernels, "kernels",
                              "expected an object of setups, by the names of their kernels");
    if (cb_setup_keys(r, r->tree, "setup", keys) != CB_OK ||
        cb_setup_keys(r, kernels, "kernels", NULL) != CB_OK)
        return r->err->status;
    s->entry = cJSON_GetObjectItemCaseSensitive(kernels, s->kernel_name);
    const char *nearest = s->entry ? NULL : cb_nearest(s->kernel_name, name_at, kernels);
    if (!s->entry)
        return cb_config_fail(r, kernels, "kernels", "there is no \"%.60s\", of %s%s%s%s",
                              s->kernel_name, s->kernel, nearest ? " (did you mean \"" : "",
                              nearest ? nearest : "", nearest ? "\"?)" : "");
    return CB_OK;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat of_a, of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}

enum cb_status cb_setup_check_kernel(struct cb_config_reader *r, const struct cb_setup *s,
                                     const cJSON *node, const char *kernel, const char *name)
{
    if (is_same_file(kernel, s->kernel) && (!name || strcmp(name, s->kernel_name) == 0))
        return CB_OK;
    return cb_config_fail(r, node, "kernel", "the command line names another one, %s:%s", s->kernel,
                          s->kernel_name);
}
