/* SPDX-License-Identifier: Apache-2.0 */
#include "sites.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore.h"
#include "memory.h"

#define NO_SITE (~0u)

static weak_site sites[WEAK_MOST_SITES];
static bool used[WEAK_MOST_SITES];
static unsigned site_count, dropped = NO_SITE;
static int dropped_orders;
static bool polls_acquire, polled;

/* Of each thread: the site of the next access, of the call that it is in, and of the last access.
 */
static struct {
    unsigned next, outer, last;
    bool entered, named, polls;
} at[WEAK_THREADS];

unsigned weak_site_count(void)
{
    return site_count;
}

const weak_site *weak_site_at(unsigned i)
{
    return &sites[i];
}

void weak_sites_begin(void)
{
    memset(at, 0, sizeof at);
}

void weak_drop(unsigned i, int orders)
{
    dropped = i;
    dropped_orders = orders;
}

void weak_let_polls_acquire(bool yes)
{
    polls_acquire = yes;
}

bool weak_polls_acquire(void)
{
    return polls_acquire;
}

bool weak_site_was_used(unsigned i)
{
    const bool was = used[i];
    used[i] = false;
    return was;
}

bool weak_has_polled(void)
{
    const bool has = polled;
    polled = false;
    return has;
}

/* A file's name from the root of the sources on. NULL: a program's own. */
static const char *name_of(const char *file)
{
    static const char *const rooms[] = {"kernels/", "apps/", "probes/", "examples/"};
    const char *name = NULL;
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms && !name; i++)
        name = strstr(file, rooms[i]);
    return name;
}

static unsigned find_site(const char *file, int line, const char *function, const char *name)
{
    file = name_of(file);
    if (!file)
        return NO_SITE;
    for (unsigned i = 0; i < site_count; i++)
        if (sites[i].line == line && !strcmp(sites[i].file, file) && !strcmp(sites[i].name, name))
            return i;
    if (site_count == WEAK_MOST_SITES) {
        fprintf(stderr, "there are more sites: raise WEAK_MOST_SITES\n");
        abort();
    }
    sites[site_count] = (weak_site){file, function, name, line, 0};
    return site_count++;
}

void weak_at(const char *file, int line, const char *function, const char *name)
{
    if (weak_thread() == WEAK_NO_THREAD)
        return;
    at[weak_thread()].next = find_site(file, line, function, name);
    at[weak_thread()].named = true;
}

void weak_poll_at(const char *file, int line, const char *function, const char *name)
{
    polled = true;
    if (weak_thread() == WEAK_NO_THREAD || !polls_acquire)
        return;
    weak_at(file, line, function, name);
    at[weak_thread()].polls = true;
}

void weak_enter(const char *file, int line, const char *function, const char *name)
{
    if (weak_thread() == WEAK_NO_THREAD)
        return;
    at[weak_thread()].outer = find_site(file, line, function, name);
    at[weak_thread()].entered = true;
}

bool weak_leave(bool result)
{
    if (weak_thread() != WEAK_NO_THREAD)
        at[weak_thread()].entered = false;
    return result;
}

int weak_order_here(int order, bool loads)
{
    const unsigned me = weak_thread();
    if (loads && at[me].polls)
        order |= WEAK_ACQUIRE;
    at[me].last = NO_SITE;
    if (order == WEAK_RELAXED || !(at[me].named || at[me].entered))
        return order;
    const unsigned site = at[me].entered ? at[me].outer : at[me].next;
    at[me].named = at[me].polls = false;
    at[me].last = site;
    if (site == NO_SITE)
        return order;
    used[site] = true;
    sites[site].orders |= order;
    return site == dropped ? order & ~dropped_orders : order;
}

const char *weak_site_text(void)
{
    static char text[256];
    const unsigned last = at[weak_thread()].last;
    if (last == NO_SITE)
        return "";
    snprintf(text, sizeof text, "%s:%d %s", sites[last].file, sites[last].line, sites[last].name);
    return text;
}
