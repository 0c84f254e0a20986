/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/first_setups.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/host/options.h"
#include "apps/host/setup.h"
#include "apps/host/user_merge.h"
#include "runtime/host/files.h"
#include "runtime/host/hash.h"
#include "runtime/source.h"

struct cb_first_setups cb_first_setups_begin(const char *output, const char *options, bool several)
{
    struct cb_first_setups s = {.output = output,
                                .options = options,
                                .several = several,
                                .root = cJSON_CreateObject(),
                                .are_sure = true};
    cJSON_AddStringToObject(s.root, "schema", "coopbench-setup");
    cJSON_AddStringToObject(s.root, "schema_version", "1.4");
    if (several)
        cJSON_AddObjectToObject(s.root, "kernels");
    return s;
}

/* From the setup's folder on: its name if it is there, else where it is; the caller's to free. */
static char *kernel_from(const char *kernel, const char *output)
{
    const char *slash = strrchr(kernel, '/'), *other = output ? strrchr(output, '/') : NULL;
    size_t n = slash ? (size_t)(slash - kernel) : 0;
    bool beside = slash && other ? n == (size_t)(other - output) && strncmp(kernel, output, n) == 0
                                 : slash == other;
    return !output  ? strdup(kernel)
           : beside ? strdup(slash ? slash + 1 : kernel)
                    : realpath(kernel, NULL);
}

/* "kernel": "solver.cl:solve", of the only one. */
static enum cb_status add_path(const struct cb_first_setups *m, const char *kernel,
                               const char *name, struct cb_err *err)
{
    char *from = kernel_from(kernel, m->output), *named = NULL;
    enum cb_status status = CB_OK;
    if (!from || asprintf(&named, "%s%s%s", from, name ? ":" : "", name ? name : "") < 0)
        status = cb_no_memory(err);
    else
        cJSON_AddStringToObject(m->root, "kernel", named);
    free(from);
    free(named);
    return status;
}

/* Adds the object for one kernel of several. */
static enum cb_status add_entry(const struct cb_first_setups *m, const char *kernel, const char *id,
                                cJSON **entry, struct cb_err *err)
{
    cJSON *kernels = cJSON_GetObjectItemCaseSensitive(m->root, "kernels");
    if (cJSON_GetObjectItemCaseSensitive(kernels, id))
        return cb_fail(err, CB_USAGE, "%s: another one is called %s, too", kernel, id);
    *entry = cJSON_AddObjectToObject(kernels, id);
    return *entry ? CB_OK : cb_no_memory(err);
}

/* "build_options": "-DN=4", from the setup's folder on. */
static enum cb_status add_options(const struct cb_first_setups *m, cJSON *setup, struct cb_err *err)
{
    char *moved = NULL;
    if (m->output && strchr(m->output, '/') &&
        cb_source_options_moved(m->options, &moved, err) != CB_OK)
        return err->status;
    const char *options = moved ? moved : m->options;
    cJSON_AddStringToObject(setup, "build_options", options + strspn(options, " "));
    free(moved);
    return CB_OK;
}

static void add_to_command(struct cb_first_setups *m, const char *kernel, const char *name,
                           bool is_task)
{
    char *list = is_task ? m->tasks : m->kernels;
    size_t n = strlen(list);
    snprintf(list + n, CB_ERR_TEXT - n, "%s%s%s%s", n ? "," : "", kernel, name ? ":" : "",
             name ? name : "");
}

/* Says on standard error what is known of a setup. */
static void tell(const struct cb_first_setups *m, const struct cb_merge_kernel *kernel,
                 const struct cb_first *told)
{
    const char *file = m->output ? m->output : "the setup";
    if (*told->trouble && told->is_tried)
        fprintf(stderr, "%s: edit %s before you use it: %s\n", kernel->name, file, told->trouble);
    else if (told->launch_ns > 0)
        fprintf(stderr,
                "%s: tried on the CPU: a run takes %.3g ms, and stays within its buffers. What its "
                "values mean is guessed.\n",
                kernel->name, told->launch_ns / 1e6);
    else
        fprintf(stderr, "%s: not tried: its counts and values are guessed.\n", kernel->name);
}

enum cb_status cb_first_setups_add(struct cb_first_setups *m, char *kernel, struct cb_err *err)
{
    struct cb_merge_kernel merged;
    char *text, *name = cb_source_split_name(kernel);
    cJSON *setup = m->root;
    struct cb_first told;
    const struct cb_merge_source source = {kernel, name, m->options, NULL};
    enum cb_status status = cb_user_kernel_merge(&source, 1, CB_USER_EITHER, &text, &merged, err);
    if (status == CB_OK)
        status = m->several ? add_entry(m, kernel, merged.name, &setup, err)
                            : add_path(m, kernel, name, err);
    if (status == CB_OK && *m->options)
        status = add_options(m, setup, err);
    if (status == CB_OK)
        status = cb_setup_first(&source, &merged, setup, &told, err);
    if (status == CB_OK) {
        cb_merge_print_warnings(&merged);
        tell(m, &merged, &told);
        m->are_sure = m->are_sure && told.launch_ns > 0;
    }
    add_to_command(m, kernel, name, merged.is_task);
    cb_merge_kernel_free(&merged);
    free(text);
    return status;
}

char *cb_first_setups_text(const struct cb_first_setups *s)
{
    char *printed = cJSON_Print(s->root), *text = NULL;
    if (printed && asprintf(&text, "%s\n", printed) < 0)
        text = NULL;
    cJSON_free(printed);
    return text;
}

/* ---- In the place of --setup ----------------------------------------------------------------- */

static struct cb_texts texts_of(const cJSON *options, const char *name)
{
    return (struct cb_texts){cJSON_GetObjectItemCaseSensitive(options, name),
                             cb_options_count(options, name)};
}

static cJSON *kernels_of(const cJSON *options)
{
    return cb_app_list_kernels(&(struct cb_app_options){.kernels = texts_of(options, "kernel"),
                                                        .tasks = texts_of(options, "task")});
}

/* A file for these kernels as they are now, whose folders are made. */
static enum cb_status name_file(const char *results, const cJSON *kernels, char path[PATH_MAX],
                                struct cb_err *err)
{
    uint64_t digest = CB_HASH_START;
    const cJSON *kernel;
    cJSON_ArrayForEach (kernel, kernels) {
        char *text = NULL, *file = strdup(kernel->valuestring);
        if (!file)
            return cb_no_memory(err);
        cb_source_split_name(file);
        enum cb_status status = cb_source_users_text(file, "", NULL, &text, err);
        digest = cb_hash(digest, kernel->valuestring, strlen(kernel->valuestring) + 1);
        digest = text ? cb_hash(digest, text, strlen(text) + 1) : digest;
        free(text);
        free(file);
        if (status != CB_OK)
            return status;
    }
    if (snprintf(path, PATH_MAX, "%s/setups", results) >= PATH_MAX - 32)
        return cb_fail(err, CB_USAGE, "output-dir: the path is too long");
    if (cb_make_folders(path, err) != CB_OK)
        return err->status;
    const size_t n = strlen(path);
    snprintf(path + n, PATH_MAX - n, "/setup-%08" PRIx64 ".json", digest & 0xffffffff);
    return CB_OK;
}

static enum cb_status write_file(const struct cb_first_setups *s, struct cb_err *err)
{
    if (!s->are_sure)
        return cb_fail(
            err, CB_USAGE,
            "what the arguments of these kernels are cannot be guessed for sure: "
            "'coopbench init KERNEL.cl -o setup.json' writes a first file, to be edited, "
            "for --setup setup.json");
    char *text = cb_first_setups_text(s);
    enum cb_status status =
        text ? cb_replace_text(s->output, text, strlen(text), err) : cb_no_memory(err);
    free(text);
    return status;
}

static enum cb_status make_file(const char *path, const cJSON *kernels, struct cb_err *err)
{
    struct cb_first_setups s = cb_first_setups_begin(path, "", true);
    enum cb_status status = CB_OK;
    const cJSON *kernel;
    cJSON_ArrayForEach (kernel, kernels)
        if (status == CB_OK)
            status = cb_first_setups_add(&s, kernel->valuestring, err);
    if (status == CB_OK)
        status = write_file(&s, err);
    cJSON_Delete(s.root);
    return status;
}

enum cb_status cb_first_setups_choose(const struct cb_bench *bench, cJSON *options,
                                      const char *results, struct cb_err *err)
{
    const struct cb_param *setup = cb_param_find(bench->params, "setup");
    char path[PATH_MAX];
    cJSON *kernels =
        setup && cb_param_find(bench->params, "app") && cb_options_count(options, "setup") == 0
            ? kernels_of(options)
            : NULL;
    if (!kernels)
        return CB_OK;
    enum cb_status status = name_file(results, kernels, path, err);
    const bool is_there = status == CB_OK && access(path, F_OK) == 0;
    if (status == CB_OK && !is_there)
        status = make_file(path, kernels, err);
    if (status == CB_OK)
        status = cb_options_set(options, setup, path, err);
    if (status == CB_OK)
        fprintf(stderr, "Setup: %s%s\n", path,
                is_there ? ", of an earlier run" : ": look at its values, and edit them there");
    cJSON_Delete(kernels);
    return status;
}
