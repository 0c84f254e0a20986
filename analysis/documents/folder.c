/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/documents/folder.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/documents/environment.h"
#include "measure/text/json.h"
#include "runtime/host/files.h"
#include "runtime/host/time.h"

#define FOLDER_VARIABLE "COOPBENCH_RUN_FOLDER"

static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

void cb_run_id_make(char *text, size_t size)
{
    char now[32];
    cb_utc_now(now);
    char *to = now; /* 2026-11-20T07:10:33Z -> 20261120T071033Z */
    for (const char *from = now; *from; from++)
        if (*from != '-' && *from != ':')
            *to++ = *from;
    *to = '\0';
    cJSON *host = cb_environment_host();
    const char *name = cb_json_text(host, "hostname", "host");
    uint64_t unique = cb_now_ns() * 0x9e3779b97f4a7c15u ^ ((uint64_t)getpid() << 32);
    int n = snprintf(text, size, "%s-%.40s-%08x", now, name, (unsigned)(unique >> 32));
    for (int i = 0; i < n && text[i]; i++)
        if (!strchr(allowed, text[i]))
            text[i] = '-';
    cJSON_Delete(host);
}

/* Names that lead elsewhere in the results' folder: a link to the last run, and files that a run's
 * folder would be taken for. */
static bool is_reserved(const char *id)
{
    static const char *const names[] = {"latest", "run.json", "run.json.gz", "report.html"};
    for (size_t i = 0; i < CB_COUNTOF(names); i++)
        if (strcmp(names[i], id) == 0)
            return true;
    return false;
}

/* A name that stays in the folder and needs no quotes anywhere. */
enum cb_status cb_run_id_check(const char *id, struct cb_err *err)
{
    if (is_reserved(id))
        return cb_fail(err, CB_USAGE, "--run-id: coopbench uses the name \"%s\": choose another",
                       id);
    if (id[0] && id[0] != '.' && id[0] != '-' && strspn(id, allowed) == strlen(id) &&
        strlen(id) < CB_RUN_ID_BYTES)
        return CB_OK;
    return cb_fail(err, CB_USAGE,
                   "--run-id: expected at most %d letters, digits, '.', '_' and '-', starting with "
                   "a letter or digit, got \"%s\"",
                   CB_RUN_ID_BYTES - 1, id);
}

/* Points <output_dir>/latest at the run; a convenience, so failing is not an error. */
void cb_run_link_latest(const char *output_dir, const char *run_id)
{
    char link[PATH_MAX + 8], temporary[PATH_MAX + 32];
    snprintf(link, sizeof link, "%s/latest", output_dir);
    snprintf(temporary, sizeof temporary, "%s/.latest-%d", output_dir, (int)getpid());
    unlink(temporary); /* a leftover of a killed process that had this one's number */
    if (symlink(run_id, temporary) == 0 && rename(temporary, link) != 0)
        unlink(temporary);
}

static const char *const documents[] = {"run.json", "run.json.gz"};

bool cb_run_document_in(const char *folder, char file[PATH_MAX])
{
    for (size_t i = 0; i < CB_COUNTOF(documents); i++)
        if (snprintf(file, PATH_MAX, "%s/%s", folder, documents[i]) < PATH_MAX &&
            access(file, F_OK) == 0)
            return true;
    snprintf(file, PATH_MAX, "%.*s/%s", PATH_MAX - 16, folder, documents[0]);
    return false;
}

bool cb_run_has_document(const char *folder)
{
    char file[PATH_MAX];
    return cb_run_document_in(folder, file);
}

bool cb_run_is_document(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    for (size_t i = 0; i < CB_COUNTOF(documents); i++)
        if (strcmp(name, documents[i]) == 0)
            return true;
    return false;
}

enum cb_status cb_run_lock(FILE *rows, const char *path, const char *folder, struct cb_err *err)
{
    struct stat locked, there;
    bool taken = flock(fileno(rows), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    bool same = fstat(fileno(rows), &locked) == 0 && stat(path, &there) == 0 &&
                locked.st_dev == there.st_dev && locked.st_ino == there.st_ino;
    if (same && !taken)
        return CB_OK;
    return cb_fail(err, CB_USAGE, "%s is being measured by another process", folder);
}

void cb_run_sweep(const char *folder)
{
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        size_t length = strlen(entry->d_name);
        if (length > 4 && strcmp(entry->d_name + length - 4, ".tmp") == 0)
            unlinkat(dirfd(dir), entry->d_name, 0);
    }
    if (dir)
        closedir(dir);
}

/* Where "latest" leads: a name in the same folder. */
static void follow(char path[PATH_MAX])
{
    char name[256];
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        path[--length] = '\0';
    ssize_t n = readlink(path, name, sizeof name - 1);
    if (n <= 0 || memchr(name, '/', (size_t)n))
        return;
    char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    snprintf(path + folder, PATH_MAX - folder, "%.*s", (int)n, name);
}

enum cb_status cb_run_find(const char *output_dir, const char *run, char **folder,
                           struct cb_err *err)
{
    char path[PATH_MAX], inside[PATH_MAX];
    snprintf(path, sizeof path, "%s", run);
    snprintf(inside, sizeof inside, "%s/%s", output_dir, run);
    if (!cb_run_has_document(path) && !cb_run_has_document(inside))
        return cb_fail(err, CB_USAGE,
                       "--resume: there is no run %s: neither %s/run.json nor %s/run.json", run,
                       path, inside);
    char *found = cb_run_has_document(path) ? path : inside;
    follow(found);
    *folder = strdup(found);
    return *folder ? CB_OK : cb_no_memory(err);
}

void cb_run_folder_announce(const char *folder)
{
    setenv(FOLDER_VARIABLE, folder, 1);
}

const char *cb_run_folder(void)
{
    return getenv(FOLDER_VARIABLE);
}

/* ---- Files elsewhere ------------------------------------------------------------------------- */

#define SIGNATURE "# of the run "

void cb_run_sign(FILE *out)
{
    if (cb_run_folder())
        fprintf(out, SIGNATURE "%s\n", cb_run_folder());
}

/* Whether one of the names in the path is the run's: of rounds, those below it, too. */
static bool is_signed_by(char *folder, const char *run_id)
{
    bool found = false;
    for (char *name; (name = strsep(&folder, "/")) != NULL;)
        found = found || strcmp(name, run_id) == 0;
    return found;
}

FILE *cb_run_open_signed(const char *path, const cJSON *run)
{
    static const struct cb_file_kind trace = {"a trace", 1000000000};
    char line[PATH_MAX + sizeof SIGNATURE];
    FILE *in = cb_open_stream(path, &trace, NULL);
    if (!in)
        return NULL;
    if (!fgets(line, sizeof line, in) || strncmp(line, SIGNATURE, strlen(SIGNATURE)) != 0) {
        rewind(in);
        return in;
    }
    line[strcspn(line, "\n")] = '\0';
    if (is_signed_by(line + strlen(SIGNATURE), cb_json_text(run, "run_id", "")))
        return in;
    fclose(in);
    return NULL;
}
