/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory between pages that nobody may touch, for kernels on the host's cores: an access outside of
 * it is seen at once, wherever it goes within CB_GUARDED_REACH. Process-wide: it takes SIGSEGV and
 * SIGBUS, and gives back those that are no memory's of its own.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CB_GUARDED_REACH ((size_t)1 << 36) /* bytes before and after each */
#define CB_GUARDED_MOST  256               /* at a time */

/* Called in a signal's handler, by the thread that made an access outside: `at` is how far that is
 * from the begin. The process ends after it. */
typedef void cb_guarded_end(int which, int64_t at);

/* Reserves memory of so many bytes, its end as near to the page after it as the alignment (a power
 * of two, up to a page) allows. An access outside calls end(). Returns its number; -1: there is no
 * room. */
int cb_guarded_reserve(size_t bytes, size_t alignment, cb_guarded_end *end);
void *cb_guarded_memory(int which);
void cb_guarded_release(int which);

/* From now on an access to any page is allowed, and noted. fill(): what a page (`bytes` from `at`
 * on, which may be below 0) then begins with; called in a signal's handler. After `most` pages of
 * all memory, end() is called as before. fill NULL: no access is allowed any more. */
void cb_guarded_learn(void (*fill)(int which, int64_t at, void *to, size_t bytes), size_t most);

/* From the first page that was touched so to the end of the last, by the distance from the begin;
 * both 0: none was. */
void cb_guarded_touched(int which, int64_t *first, int64_t *end);
