/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the code under test spells an order of memory, and one of them weaker than it is.
 *
 * A site is a line and the name of what is called there (opencl.h makes the calls pass here). A
 * wait for a word, which has its acquire in kernels/wait.clh, is a site of its caller.
 */
#pragma once
#include <stdbool.h>

#define WEAK_MOST_SITES 256u

typedef struct {
    const char *file, *function, *name;
    int line;
    int orders; /* enum weak_order, that an access there had, if it was not weaker */
} weak_site;

unsigned weak_site_count(void);
const weak_site *weak_site_at(unsigned i);

/* From now on, site i has no longer these orders; 0: all are right. */
void weak_drop(unsigned i, int orders);
/* From now on, loads that poll acquire by themselves and the fence after them is none: the back end
 * of PTX without fence.acquire. */
void weak_let_polls_acquire(bool yes);
bool weak_polls_acquire(void);
/* Returns whether a site has been executed since the last call, and whether a load has polled. */
bool weak_site_was_used(unsigned i);
bool weak_has_polled(void);

/* All threads begin anew. */
void weak_sites_begin(void);

/* ---- In a thread ----------------------------------------------------------------------------- */

/* The next access that has an order is at this site. */
void weak_at(const char *file, int line, const char *function, const char *name);
/* The next load polls. */
void weak_poll_at(const char *file, int line, const char *function, const char *name);
/* All accesses until weak_leave() are at this site. */
void weak_enter(const char *file, int line, const char *function, const char *name);
bool weak_leave(bool result);

/* The order of an access of this one, at this site. */
int weak_order_here(int order, bool loads);
/* Of the last access of the thread. */
const char *weak_site_text(void);
