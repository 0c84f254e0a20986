/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/suite/watch_lock.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME  ".watch" /* not a run's: these begin with no dot */
#define TRIES 10

/* Whether it is still the file of that name: the one who had it deletes it in the end. */
static bool is_there(FILE *file, const char *path)
{
    struct stat opened, named;
    return fstat(fileno(file), &opened) == 0 && stat(path, &named) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

static enum cb_status is_taken(FILE *file, const char *folder, struct cb_err *err)
{
    char text[32] = "";
    rewind(file);
    const char *line = fgets(text, sizeof text, file);
    return cb_fail(err, CB_USAGE,
                   "%s is watched by process %d already; end it first, or choose another "
                   "--output-dir",
                   folder, line ? atoi(line) : 0);
}

enum cb_status cb_watch_lock(struct cb_watch_lock *lock, const char *folder, struct cb_err *err)
{
    if (snprintf(lock->path, sizeof lock->path, "%s/" NAME, folder) >= (int)sizeof lock->path)
        return cb_fail(err, CB_USAGE, "%s: the path is too long", folder);
    for (int i = 0; i < TRIES; i++) {
        FILE *file = fopen(lock->path, "a+e");
        if (!file)
            return cb_fail(err, CB_USAGE, "cannot write %s: %s", lock->path, strerror(errno));
        if (flock(fileno(file), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
            is_taken(file, folder, err);
            fclose(file);
            return err ? err->status : CB_USAGE;
        }
        if (is_there(file, lock->path)) {
            if (ftruncate(fileno(file), 0) == 0) /* of one that was killed */
                fprintf(file, "%d\n", (int)getpid());
            fflush(file); /* a full disk takes the number, not the lock */
            lock->file = file;
            return CB_OK;
        }
        fclose(file); /* it was given back meanwhile, with its name */
    }
    return cb_fail(err, CB_USAGE, "%s is taken and given back all the time", lock->path);
}

void cb_watch_unlock(struct cb_watch_lock *lock)
{
    if (!lock->file)
        return;
    unlink(lock->path);
    fclose(lock->file);
    lock->file = NULL;
}
