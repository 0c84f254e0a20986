/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/discover/user_text.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/text/nearest.h"
#include "runtime/host/text.h"
#include "runtime/source.h"
#include "runtime/source_kernels.h"
#include "runtime/source_names.h"

/* ---- The kernel ------------------------------------------------------------------------------ */

static const char *name_at(const void *kernels, int i)
{
    const cJSON *item = cJSON_GetArrayItem(kernels, i);
    return item ? item->valuestring : NULL;
}

static enum cb_status refuse(const struct cb_user_text *t, const cJSON *kernels, struct cb_err *err)
{
    char names[CB_ERR_TEXT / 2] = "";
    const cJSON *kernel;
    cJSON_ArrayForEach (kernel, kernels)
        cb_text_join(names, sizeof names, "%s", kernel->valuestring);
    const char *nearest = t->name ? cb_nearest(t->name, name_at, kernels) : NULL;
    if (!*names)
        return cb_fail(err, CB_USAGE,
                       "%s: there is no kernel in it%s%s%s (one whose name only a macro makes is "
                       "not seen: preprocess the file first, as clang -E -x cl does)",
                       t->file, t->name ? " called \"" : "", t->name ? t->name : "",
                       t->name ? "\"" : "");
    if (!t->name)
        return cb_fail(err, CB_USAGE, "%s: several kernels in it: give one as %s:NAME; there is %s",
                       t->file, t->file, names);
    return cb_fail(err, CB_USAGE, "%s: there is no kernel \"%.100s\" in it%s%s%s; there is %s",
                   t->file, t->name, nearest ? " (did you mean \"" : "", nearest ? nearest : "",
                   nearest ? "\"?)" : "", names);
}

static enum cb_status find_kernel(struct cb_user_text *t, struct cb_err *err)
{
    cJSON *kernels = cb_source_kernels(t->text);
    if (!kernels)
        return cb_no_memory(err);
    enum cb_status status = CB_OK;
    if (t->name ? !cb_source_defines(t->text, t->name) : cJSON_GetArraySize(kernels) != 1)
        status = refuse(t, kernels, err);
    else if (!t->name && !(t->name = strdup(kernels->child->valuestring)))
        status = cb_no_memory(err);
    cJSON_Delete(kernels);
    return status;
}

enum cb_status cb_user_text_read(const char *kernel, const char *options, struct cb_user_text *t,
                                 struct cb_err *err)
{
    struct cb_source_options given;
    *t = (struct cb_user_text){.file = cb_source_users_path(kernel)};
    if (!t->file)
        return cb_no_memory(err);
    const char *name = cb_source_split_name(t->file);
    if (name && !(t->name = strdup(name)))
        return cb_no_memory(err);
    if (cb_source_options_read(options, NULL, &given, err) != CB_OK)
        return err->status;
    enum cb_status status = cb_source_expand_users(t->file, &given, &t->text, err);
    if (status == CB_OK)
        status = find_kernel(t, err);
    t->version = given.version;
    given.version = NULL;
    cb_source_options_free(&given);
    return status;
}

void cb_user_text_free(struct cb_user_text *t)
{
    free(t->file);
    free(t->name);
    free(t->text);
    free(t->version);
    *t = (struct cb_user_text){0};
}

bool cb_user_text_requires_size(const struct cb_user_text *t)
{
    return cb_source_requires_size(t->text, t->name);
}

/* ---- With the barrier ------------------------------------------------------------------------ */

#define OURS "_coopbench" /* the end of all names in the text before the user's */

/* The text before the user's. */
static enum cb_status expand_ours(char **text, struct cb_err *err)
{
    static const char *const words[] = {"global", "local", "constant", "private", "kernel", NULL};
    char *expanded = NULL;
    enum cb_status status = cb_source_expand("probes/discover/user_kernel.cl", &expanded, err);
    if (status == CB_OK)
        status = cb_source_suffix_names(expanded, OURS, words, text, err);
    free(expanded);
    return status;
}

/* Elements are measured by a pointer, because void has no size, but is stepped over. */
static void write_statement(FILE *out, const char *const *locals, unsigned n_locals)
{
    fputs("if (cb_user_meets" OURS "(coopbench_launch, coopbench_words)) {", out);
    for (unsigned i = 0; i < n_locals; i++)
        fprintf(out,
                " coopbench_words->sizes[%u] = (uint)((__local char *)(%s + 1) - "
                "(__local char *)%s);",
                i, locals[i], locals[i]);
    fputs(" return; }", out);
}

static enum cb_status begin_with_barrier(const struct cb_user_text *t, const char *const *locals,
                                         unsigned n_locals, char **text, struct cb_err *err)
{
    char *statement = NULL;
    size_t size;
    FILE *out = open_memstream(&statement, &size);
    if (!out)
        return cb_no_memory(err);
    write_statement(out, locals, n_locals);
    if (fclose(out) != 0)
        return free(statement), cb_no_memory(err);
    const struct cb_source_prologue prologue = {
        .parameters = "__global cb_launch" OURS " *coopbench_launch, "
                      "volatile __global cb_user_words" OURS " *coopbench_words",
        .statement = statement,
        .arguments = "0, 0",
    };
    enum cb_status status = cb_source_begin_with(t->text, t->name, &prologue, text, err);
    free(statement);
    return status;
}

enum cb_status cb_user_text_with_barrier(const struct cb_user_text *t, const char *const *locals,
                                         unsigned n_locals, char **text, struct cb_err *err)
{
    char *ours = NULL, *users = NULL;
    *text = NULL;
    enum cb_status status = expand_ours(&ours, err);
    if (status == CB_OK)
        status = begin_with_barrier(t, locals, n_locals, &users, err);
    if (status == CB_OK && asprintf(text, "%s\n%s", ours, users) < 0) {
        *text = NULL;
        status = cb_no_memory(err);
    }
    free(ours);
    free(users);
    return status;
}
