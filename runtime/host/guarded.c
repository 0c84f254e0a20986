/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/host/guarded.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct guarded {
    unsigned char *region; /* CB_GUARDED_REACH, the memory's pages, CB_GUARDED_REACH; NULL: free */
    size_t region_bytes;
    unsigned char *memory;
    cb_guarded_end *end;
    atomic_llong touched, touched_end; /* pages, by their distance from `memory` */
};

static struct guarded all[CB_GUARDED_MOST];
static void (*page_fill)(int which, int64_t at, void *to, size_t bytes);
static atomic_size_t pages_left;

static size_t page_size(void)
{
    static size_t size;
    if (size == 0)
        size = (size_t)sysconf(_SC_PAGESIZE);
    return size;
}

/* ---- The signal ------------------------------------------------------------------------------ */

/* -1: none of ours. */
static int which_has(const unsigned char *at)
{
    for (int i = 0; i < CB_GUARDED_MOST; i++)
        if (all[i].region && at >= all[i].region && at < all[i].region + all[i].region_bytes)
            return i;
    return -1;
}

static void note_lower(atomic_llong *least, long long value)
{
    long long seen = atomic_load(least);
    while (value < seen && !atomic_compare_exchange_weak(least, &seen, value))
        ;
}

static void note_higher(atomic_llong *most, long long value)
{
    long long seen = atomic_load(most);
    while (value > seen && !atomic_compare_exchange_weak(most, &seen, value))
        ;
}

/* Lets the page be there; false: there have been too many. Two threads may come at the same time:
 * the page is filled twice then. */
static bool allow(int which, unsigned char *at)
{
    struct guarded *g = &all[which];
    unsigned char *page = (unsigned char *)((uintptr_t)at & ~(uintptr_t)(page_size() - 1));
    const int64_t from = page - g->memory;
    if (atomic_fetch_sub(&pages_left, 1) == 0) {
        atomic_fetch_add(&pages_left, 1);
        return false;
    }
    if (mprotect(page, page_size(), PROT_READ | PROT_WRITE) != 0)
        return false;
    page_fill(which, from, page, page_size());
    note_lower(&g->touched, from);
    note_higher(&g->touched_end, from + (int64_t)page_size());
    return true;
}

static void on_fault(int number, siginfo_t *info, void *context)
{
    (void)context;
    const int which = which_has(info->si_addr);
    if (which >= 0 && page_fill && allow(which, info->si_addr))
        return;
    if (which >= 0)
        all[which].end(which, (unsigned char *)info->si_addr - all[which].memory);
    signal(number, SIG_DFL); /* the access comes again */
}

static void take_signals(void)
{
    static bool are_taken;
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_NODEFER};
    action.sa_sigaction = on_fault;
    sigemptyset(&action.sa_mask);
    if (are_taken)
        return;
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    are_taken = true;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

int cb_guarded_reserve(size_t bytes, size_t alignment, cb_guarded_end *end)
{
    const size_t page = page_size(), pages = (bytes + page - 1) / page * page;
    int which = 0;
    while (which < CB_GUARDED_MOST && all[which].region)
        which++;
    if (which == CB_GUARDED_MOST)
        return -1;
    struct guarded *g = &all[which];
    const size_t region_bytes = 2 * CB_GUARDED_REACH + pages;
    unsigned char *region =
        mmap(NULL, region_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (region == MAP_FAILED)
        return -1;
    unsigned char *first = region + CB_GUARDED_REACH;
    if (pages > 0 && mprotect(first, pages, PROT_READ | PROT_WRITE) != 0) {
        munmap(region, region_bytes);
        return -1;
    }
    g->region = region;
    g->region_bytes = region_bytes;
    g->memory = first + (pages - bytes) / alignment * alignment;
    g->end = end;
    atomic_init(&g->touched, 0);
    atomic_init(&g->touched_end, 0);
    take_signals();
    return which;
}

void *cb_guarded_memory(int which)
{
    return all[which].memory;
}

void cb_guarded_release(int which)
{
    munmap(all[which].region, all[which].region_bytes);
    all[which].region = NULL;
}

void cb_guarded_learn(void (*fill)(int which, int64_t at, void *to, size_t bytes), size_t most)
{
    atomic_store(&pages_left, most);
    page_fill = fill;
}

void cb_guarded_touched(int which, int64_t *first, int64_t *end)
{
    *first = atomic_load(&all[which].touched);
    *end = atomic_load(&all[which].touched_end);
}
