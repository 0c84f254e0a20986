/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts by their paths: of the program, of users, and those that the program has made.
 */
#include "runtime/source.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/host/files.h"
#include "runtime/host/hash.h"
#include "runtime/source_expansion.h"

#define PATH_MAX_BYTES CB_SOURCE_PATH_BYTES

static const struct cb_file_kind kernel = {"a kernel", 10000000};

static const char *embedded_text(const char *path)
{
    for (const struct cb_embedded *file = cb_embedded_files; file->path; file++)
        if (strcmp(file->path, path) == 0)
            return file->text;
    return NULL;
}

static bool is_users(const char *path)
{
    return *path == '/' || strncmp(path, "./", 2) == 0 || strncmp(path, "../", 3) == 0;
}

/* Texts that the program has made: a list that lasts as long as it does. */
struct kept {
    struct kept *next;
    char *path, *text;
};
static struct kept *kept_texts;

static struct kept *find_kept(const char *path)
{
    struct kept *k = kept_texts;
    while (k && strcmp(k->path, path) != 0)
        k = k->next;
    return k;
}

enum cb_status cb_source_keep(const char *path, const char *text, struct cb_err *err)
{
    struct kept *k = find_kept(path);
    if (k && strcmp(k->text, text) == 0)
        return CB_OK;
    k = malloc(sizeof *k);
    if (k)
        *k = (struct kept){kept_texts, strdup(path), strdup(text)};
    if (k && k->path && k->text) {
        kept_texts = k;
        return CB_OK;
    }
    if (k) {
        free(k->path);
        free(k->text);
    }
    free(k);
    return cb_no_memory(err);
}

enum cb_status cb_source_read(const char *path, char **text, struct cb_err *err)
{
    const struct kept *k = find_kept(path);
    if (k) {
        *text = strdup(k->text);
        return *text ? CB_OK : cb_no_memory(err);
    }
    if (is_users(path))
        return cb_read_file(path, &kernel, text, err);
    const char *root = getenv("COOPBENCH_KERNEL_DIR");
    if (root && *root) {
        char full[PATH_MAX_BYTES];
        if (snprintf(full, sizeof full, "%s/%s", root, path) >= (int)sizeof full)
            return cb_fail(err, CB_ERROR, "COOPBENCH_KERNEL_DIR: the path is too long");
        if (cb_read_file(full, &kernel, text, err) == CB_OK)
            return CB_OK;
        cb_context(err, "COOPBENCH_KERNEL_DIR");
        return err ? err->status = CB_ERROR : CB_ERROR; /* of a case, not of the command line */
    }
    const char *embedded = embedded_text(path);
    if (!embedded)
        return cb_fail(err, CB_ERROR, "no embedded file '%s'", path);
    *text = strdup(embedded);
    return *text ? CB_OK : cb_no_memory(err);
}

char *cb_source_users_path(const char *path)
{
    char *users = NULL;
    return asprintf(&users, "%s%s", is_users(path) ? "" : "./", path) < 0 ? NULL : users;
}

char *cb_source_split_name(char *path)
{
    char *colon = strrchr(path, ':');
    if (!colon || access(path, F_OK) == 0 || strchr(colon, '/'))
        return NULL;
    *colon = '\0';
    return colon + 1;
}

static bool is_for_devices(const char *path)
{
    static const char *const endings[] = {".cl", ".clh", ".h", ".vert", ".frag"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < CB_COUNTOF(endings); i++)
        if (strcmp(dot, endings[i]) == 0)
            return true;
    return false;
}

static uint64_t digest_text(uint64_t digest, const char *text)
{
    return cb_hash(digest, text, strlen(text) + 1);
}

uint64_t cb_source_digest(void)
{
    uint64_t digest = CB_HASH_START;
    for (const struct cb_embedded *file = cb_embedded_files; file->path; file++) {
        char *text = NULL;
        struct cb_err ignored;
        if (!is_for_devices(file->path) || cb_source_read(file->path, &text, &ignored) != CB_OK)
            continue;
        digest = digest_text(digest_text(digest, file->path), text);
        free(text);
    }
    for (const struct kept *k = kept_texts; k; k = k->next)
        digest ^= digest_text(digest_text(CB_HASH_START, k->path), k->text); /* in any order */
    return digest;
}
