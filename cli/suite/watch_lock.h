/* SPDX-License-Identifier: Apache-2.0
 *
 * One watch in a results folder.
 */
#pragma once

#include <limits.h>
#include <stdio.h>

#include "runtime/host/error.h"

struct cb_watch_lock {
    FILE *file; /* NULL: there is none */
    char path[PATH_MAX];
};

/* Takes the lock, until it is given back or the program ends in whatever way. A file system without
 * locks tells of nobody else. CB_USAGE: another process has it (names it); the folder cannot be
 * written. */
enum cb_status cb_watch_lock(struct cb_watch_lock *lock, const char *folder, struct cb_err *err);
void cb_watch_unlock(struct cb_watch_lock *lock);
