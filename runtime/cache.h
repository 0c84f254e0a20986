/* SPDX-License-Identifier: Apache-2.0
 *
 * A folder of things that take long to make and can be made again: built programs, and notes of
 * which programs a driver has built. Any number of processes may use it at once. Entries appear by
 * rename and are checked when they are read; the ones that were not used for longest go when there
 * is no room.
 *
 * The folder is $COOPBENCH_CACHE_DIR, else $XDG_CACHE_HOME/coopbench, else $HOME/.cache/coopbench.
 * With COOPBENCH_NO_CACHE set, as --no-cache does for this program and its workers, nothing is
 * found and nothing is kept.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/host/error.h"

#define CB_CACHE_BYTES 536870912u /* that the entries may take */

/* What an entry was made of, as a hash. */
struct cb_cache_key {
    uint64_t high, low;
};

/* An empty key, and one that has taken in a text as well. Texts do not run into each other: "ab"
 * and "c" give another key than "a" and "bc". */
struct cb_cache_key cb_cache_key_start(void);
void cb_cache_key_add(struct cb_cache_key *key, const char *text);

/* Creates the folder. CB_ERROR: nothing can be kept, and why. */
enum cb_status cb_cache_open(struct cb_err *err);

/* Reads an entry, the caller's to free; false: there is none. A damaged one is removed. */
bool cb_cache_get(struct cb_cache_key key, void **data, size_t *size);

/* Keeps an entry, if that can be. */
void cb_cache_put(struct cb_cache_key key, const void *data, size_t size);

/* For an entry whose content turned out to be of no use. */
void cb_cache_remove(struct cb_cache_key key);

/* Removes the entries that were not used for longest until the others take at most so many bytes.
 * cb_cache_put() does so by itself. */
void cb_cache_trim(uint64_t bytes);
