/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "runtime/host/files.h"
#include "runtime/host/hash.h"

#define PATH_BYTES   640
#define FOLDER_BYTES 512
#define MAGIC        "coopbench cache 1\n"
#define ENDING       ".entry"
#define TEMPORARY    ".tmp"
#define ABANDONED_S  3600 /* a temporary file of this age has lost its writer */
/* Share of the limit where trimming stops, so that not every entry trims. */
#define LOW_MARK      0.9
#define SECOND_STREAM 0x9e3779b97f4a7c15u

/* In front of an entry's content. */
struct header {
    char magic[sizeof MAGIC];
    uint64_t size, hash; /* size and hash of the content */
};

/* ---- Keys ------------------------------------------------------------------------------------ */

struct cb_cache_key cb_cache_key_start(void)
{
    return (struct cb_cache_key){CB_HASH_START, CB_HASH_START ^ SECOND_STREAM};
}

void cb_cache_key_add(struct cb_cache_key *key, const char *text)
{
    size_t n = strlen(text) + 1; /* with the zero at the end, which keeps texts apart */
    key->high = cb_hash(key->high, text, n);
    key->low = cb_hash(key->low, text, n);
    key->low ^= key->low >> 29; /* from here on, the two do not collide together */
}

/* ---- Where ----------------------------------------------------------------------------------- */

static enum cb_status find_folder(char folder[FOLDER_BYTES], struct cb_err *err)
{
    static const struct cb_folder_place places[] = {{"COOPBENCH_CACHE_DIR", ""},
                                                    {"XDG_CACHE_HOME", "/coopbench"},
                                                    {"HOME", "/.cache/coopbench"}};
    if (cb_find_folder(places, CB_COUNTOF(places), folder, FOLDER_BYTES, err) != CB_OK)
        return cb_context(err, "no folder for built kernels");
    return CB_OK;
}

enum cb_status cb_cache_open(struct cb_err *err)
{
    char folder[FOLDER_BYTES];
    if (find_folder(folder, err) != CB_OK || cb_make_folders(folder, err) != CB_OK)
        return err->status;
    return access(folder, R_OK | W_OK | X_OK) == 0
               ? CB_OK
               : cb_fail(err, CB_ERROR, "cannot write into %s: %s", folder, strerror(errno));
}

/* The path of an entry; false: nothing is kept. */
static bool find_entry(struct cb_cache_key key, char path[PATH_BYTES])
{
    char folder[FOLDER_BYTES];
    struct cb_err ignored;
    if (getenv("COOPBENCH_NO_CACHE") || find_folder(folder, &ignored) != CB_OK)
        return false;
    snprintf(path, PATH_BYTES, "%s/%016" PRIx64 "%016" PRIx64 ENDING, folder, key.high, key.low);
    return true;
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* The content of an entry, checked; NULL: it is damaged, or there is no memory. */
static void *read_content(FILE *in, size_t *size)
{
    struct header h;
    struct stat info;
    bool sound = fread(&h, sizeof h, 1, in) == 1 && memcmp(h.magic, MAGIC, sizeof MAGIC) == 0 &&
                 fstat(fileno(in), &info) == 0 && S_ISREG(info.st_mode) &&
                 h.size <= CB_CACHE_BYTES && (uint64_t)info.st_size == sizeof h + h.size;
    void *content = sound ? malloc(h.size + 1) : NULL;
    if (!content)
        return NULL;
    *size = h.size;
    if (fread(content, 1, h.size, in) == h.size &&
        cb_hash(CB_HASH_START, content, h.size) == h.hash)
        return content;
    free(content);
    return NULL;
}

bool cb_cache_get(struct cb_cache_key key, void **data, size_t *size)
{
    char path[PATH_BYTES];
    *data = NULL;
    *size = 0;
    if (!find_entry(key, path))
        return false;
    /* O_NONBLOCK: whatever lies there under this name, nobody waits for it */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    FILE *in = file >= 0 ? fdopen(file, "rb") : NULL;
    if (!in)
        return false;
    *data = read_content(in, size);
    if (*data)
        futimens(file, NULL); /* used now */
    else
        unlink(path);
    fclose(in);
    return *data != NULL;
}

/* ---- Writing --------------------------------------------------------------------------------- */

static bool write_entry(const char *path, const void *data, size_t size)
{
    struct header h = {.magic = MAGIC, .size = size, .hash = cb_hash(CB_HASH_START, data, size)};
    FILE *out = fopen(path, "wbxe");
    if (!out)
        return false;
    bool ok = fwrite(&h, sizeof h, 1, out) == 1 && fwrite(data, 1, size, out) == size;
    return fclose(out) == 0 && ok;
}

void cb_cache_put(struct cb_cache_key key, const void *data, size_t size)
{
    char path[PATH_BYTES], temporary[PATH_BYTES + 32];
    struct cb_err ignored;
    if (size > CB_CACHE_BYTES || !find_entry(key, path) || cb_cache_open(&ignored) != CB_OK)
        return;
    snprintf(temporary, sizeof temporary, "%s.%d" TEMPORARY, path, (int)getpid());
    if (!write_entry(temporary, data, size) || rename(temporary, path) != 0)
        unlink(temporary);
    cb_cache_trim(CB_CACHE_BYTES);
}

void cb_cache_remove(struct cb_cache_key key)
{
    char path[PATH_BYTES];
    if (find_entry(key, path))
        unlink(path);
}

/* ---- Trimming -------------------------------------------------------------------------------- */

struct entry {
    char *name;
    uint64_t bytes;
    struct timespec used;
};

struct listing {
    struct entry *entries;
    size_t n, room;
    uint64_t bytes;
};

static bool ends_with(const char *name, const char *ending)
{
    size_t n = strlen(name), m = strlen(ending);
    return n >= m && strcmp(name + n - m, ending) == 0;
}

static bool list_entry(struct listing *l, const char *name, const struct stat *info)
{
    if (l->n == l->room) {
        size_t room = l->room ? 2 * l->room : 256;
        struct entry *grown = realloc(l->entries, room * sizeof *grown);
        if (!grown)
            return false;
        l->entries = grown;
        l->room = room;
    }
    char *copy = strdup(name);
    if (!copy)
        return false;
    l->entries[l->n++] = (struct entry){copy, (uint64_t)info->st_size, info->st_mtim};
    l->bytes += (uint64_t)info->st_size;
    return true;
}

/* Lists the entries and removes what writers that died have left. */
static void list_folder(struct listing *l, DIR *dir)
{
    const struct dirent *d;
    time_t now = time(NULL);
    while ((d = readdir(dir))) {
        struct stat info;
        if (fstatat(dirfd(dir), d->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(info.st_mode))
            continue;
        if (ends_with(d->d_name, TEMPORARY) && now - info.st_mtim.tv_sec > ABANDONED_S)
            unlinkat(dirfd(dir), d->d_name, 0);
        else if (ends_with(d->d_name, ENDING) && !list_entry(l, d->d_name, &info))
            return;
    }
}

static int by_use(const void *a, const void *b)
{
    const struct timespec *x = &((const struct entry *)a)->used,
                          *y = &((const struct entry *)b)->used;
    if (x->tv_sec != y->tv_sec)
        return x->tv_sec < y->tv_sec ? -1 : 1;
    return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

void cb_cache_trim(uint64_t bytes)
{
    char folder[FOLDER_BYTES];
    struct cb_err ignored;
    DIR *dir = find_folder(folder, &ignored) == CB_OK ? opendir(folder) : NULL;
    struct listing l = {0};
    if (!dir)
        return;
    list_folder(&l, dir);
    if (l.bytes > bytes) {
        qsort(l.entries, l.n, sizeof *l.entries, by_use);
        for (size_t i = 0; i < l.n && (double)l.bytes > LOW_MARK * (double)bytes; i++) {
            unlinkat(dirfd(dir), l.entries[i].name, 0);
            l.bytes -= l.entries[i].bytes;
        }
    }
    for (size_t i = 0; i < l.n; i++)
        free(l.entries[i].name);
    free(l.entries);
    closedir(dir);
}
