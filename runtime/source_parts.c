/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "runtime/source.h"
#include "runtime/source_expansion.h"
#include "runtime/source_names.h"

/* Puts a part, which it frees, after those before it. */
static enum cb_status append(char **whole, char *part, struct cb_err *err)
{
    char *longer = NULL;
    int n = asprintf(&longer, "%s%s\n", *whole ? *whole : "", part);
    free(part);
    if (n < 0)
        return cb_no_memory(err);
    free(*whole);
    *whole = longer;
    return CB_OK;
}

/* Words of the language that a macro may qualify (kernels/coop/accesses.clh), for all that follows.
 */
static const char *const words[] = {"global", "local", "constant", "private", "kernel", NULL};

/* Copy k, with names of its own. */
static enum cb_status expand_copy(const struct cb_expansion *common,
                                  const struct cb_source_parts *parts, size_t k, char **text,
                                  struct cb_err *err)
{
    struct cb_expansion x = *common;
    char *expanded = NULL, *named = NULL, suffix[32];
    cb_expansion_mark(&x, parts->last);
    enum cb_status status = cb_expansion_file(&x, parts->paths[k], &expanded, err);
    if (status != CB_OK)
        return status;
    const int n = snprintf(suffix, sizeof suffix, "_k%zu", k);
    status = cb_source_suffix_names(expanded, suffix, words, &named, err);
    free(expanded);
    if (status == CB_OK && asprintf(text, CB_SOURCE_COPY "%s", n, suffix, named) < 0)
        status = cb_no_memory(err);
    free(named);
    return status;
}

static enum cb_status append_all(const struct cb_source_parts *parts, char **text,
                                 struct cb_err *err)
{
    struct cb_expansion common = {.users_only = false};
    char *part = NULL;
    enum cb_status status = cb_expansion_file(&common, parts->common, &part, err);
    if (status == CB_OK)
        status = append(text, part, err);
    for (size_t k = 0; k < parts->n && status == CB_OK; k++) {
        status = expand_copy(&common, parts, k, &part, err);
        if (status == CB_OK)
            status = append(text, part, err);
    }
    if (status == CB_OK)
        status = cb_expansion_file(&common, parts->last, &part, err);
    return status == CB_OK ? append(text, part, err) : status;
}

enum cb_status cb_source_expand_parts(const struct cb_source_parts *parts, char **text,
                                      struct cb_err *err)
{
    *text = NULL;
    enum cb_status status = append_all(parts, text, err);
    if (status != CB_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}
