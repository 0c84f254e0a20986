/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomic accesses, and what the compiler calls before each plain one (-fsanitize=thread, without
 * its library).
 */
#include "access.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "explore.h"
#include "sites.h"

static bool is_ours(const volatile void *p)
{
    return weak_thread() != WEAK_NO_THREAD && weak_is_shared(p);
}

static void show(const char *what, unsigned place, uint64_t value, int order, unsigned from)
{
    static const char *const orders[] = {"relaxed", "acquire", "release",
                                         "acq_rel", [WEAK_SEQ_CST] = "seq_cst"};
    if (weak_is_shown())
        weak_show("%s %s of place %u: %" PRIx64 "%s  %s", what, orders[order], place, value,
                  from ? ", not the newest" : "", weak_site_text());
}

/* ---- Atomic ---------------------------------------------------------------------------------- */

static uint64_t trimmed(uint64_t value, unsigned width)
{
    return width == 4 ? (uint32_t)value : value;
}

static uint64_t get(const volatile void *p, unsigned width)
{
    return width == 4 ? *(const volatile uint32_t *)p : *(const volatile uint64_t *)p;
}

static void put(volatile void *p, unsigned width, uint64_t value)
{
    if (width == 4)
        *(volatile uint32_t *)p = (uint32_t)value;
    else
        *(volatile uint64_t *)p = value;
}

uint64_t weak_load(const volatile void *p, unsigned width, int order)
{
    if (!is_ours(p))
        return get(p, width);
    order = weak_order_here(order, true);
    const unsigned place = weak_place(p, width), me = weak_thread();
    weak_await_access(place, false);
    const unsigned from = weak_choose_message(weak_readable(me, place));
    const uint64_t value = weak_read(me, place, from, order);
    weak_has_read(place);
    show("load", place, value, order, from);
    return value;
}

void weak_store(volatile void *p, unsigned width, uint64_t value, int order)
{
    if (!is_ours(p)) {
        put(p, width, value);
        return;
    }
    order = weak_order_here(order, false);
    const unsigned place = weak_place(p, width), me = weak_thread();
    weak_await_access(place, true);
    const unsigned at = weak_choose_message(weak_writable(me, place));
    weak_write(me, place, at, trimmed(value, width), order);
    show("store", place, value, order, at);
}

static uint64_t result_of(enum weak_operation operation, uint64_t old, uint64_t operand)
{
    switch (operation) {
    case WEAK_ADD:
        return old + operand;
    case WEAK_OR:
        return old | operand;
    case WEAK_AND:
        return old & operand;
    case WEAK_MAX:
        return old > operand ? old : operand;
    case WEAK_MIN:
        return old < operand ? old : operand;
    default:
        return operand;
    }
}

uint64_t weak_rmw(volatile void *p, unsigned width, enum weak_operation operation, uint64_t operand,
                  int order)
{
    if (!is_ours(p)) {
        const uint64_t old = get(p, width);
        put(p, width, result_of(operation, old, operand));
        return old;
    }
    order = weak_order_here(order, false);
    const unsigned place = weak_place(p, width), me = weak_thread();
    weak_await_access(place, true);
    unsigned options[WEAK_MESSAGES], n = 0;
    for (unsigned from = 0; from < weak_readable(me, place); from++)
        if (weak_changeable(place, from))
            options[n++] = from;
    const unsigned from = options[weak_choose_message(n)];
    const uint64_t old = weak_peek(place, from);
    const uint64_t value = trimmed(result_of(operation, old, operand), width);
    weak_change(me, place, from, value, order);
    weak_has_read(place);
    show("change", place, value, order, from);
    return old;
}

bool weak_swap(volatile void *p, unsigned width, uint64_t *expected, uint64_t desired, int success,
               int failure)
{
    if (!is_ours(p)) {
        const uint64_t old = get(p, width);
        const bool swapped = old == *expected;
        if (swapped)
            put(p, width, desired);
        *expected = old;
        return swapped;
    }
    int order = weak_order_here(success, false);
    const unsigned place = weak_place(p, width), me = weak_thread();
    weak_await_access(place, true);
    unsigned options[WEAK_MESSAGES], n = 0; /* swaps, and messages that let it fail */
    for (unsigned from = 0; from < weak_readable(me, place); from++)
        if (weak_peek(place, from) != *expected || weak_changeable(place, from))
            options[n++] = from;
    const unsigned from = options[weak_choose_message(n)];
    const bool swapped = weak_peek(place, from) == *expected;
    if (swapped)
        weak_change(me, place, from, desired, order);
    else
        *expected = weak_read(me, place, from, order &= failure);
    weak_has_read(place);
    show(swapped ? "swap" : "failed swap", place, swapped ? desired : *expected, order, from);
    return swapped;
}

/* Sequentially consistent ones come one after the other, as accesses of one place do. */
void weak_fence(int order)
{
    if (weak_thread() == WEAK_NO_THREAD)
        return;
    order = weak_order_here(order, false);
    if (order == WEAK_SEQ_CST)
        weak_await_access(WEAK_PLACES, true);
    weak_fence_of(weak_thread(), order);
    show("fence", 0, 0, order, 0);
}

/* ---- Plain ----------------------------------------------------------------------------------- */

#define PLAIN(name, bytes, access)                                                                 \
    void name(void *p);                                                                            \
    void name(void *p)                                                                             \
    {                                                                                              \
        if (is_ours(p))                                                                            \
            access(weak_thread(), p, bytes);                                                       \
    }
PLAIN(__tsan_read1, 1, weak_plain_read)
PLAIN(__tsan_read2, 2, weak_plain_read)
PLAIN(__tsan_read4, 4, weak_plain_read)
PLAIN(__tsan_read8, 8, weak_plain_read)
PLAIN(__tsan_read16, 16, weak_plain_read)
PLAIN(__tsan_unaligned_read4, 4, weak_plain_read)
PLAIN(__tsan_unaligned_read8, 8, weak_plain_read)
PLAIN(__tsan_unaligned_read16, 16, weak_plain_read)
PLAIN(__tsan_write1, 1, weak_plain_write)
PLAIN(__tsan_write2, 2, weak_plain_write)
PLAIN(__tsan_write4, 4, weak_plain_write)
PLAIN(__tsan_write8, 8, weak_plain_write)
PLAIN(__tsan_write16, 16, weak_plain_write)
PLAIN(__tsan_unaligned_write4, 4, weak_plain_write)
PLAIN(__tsan_unaligned_write8, 8, weak_plain_write)
PLAIN(__tsan_unaligned_write16, 16, weak_plain_write)

#define PLAIN_RANGE(name, access)                                                                  \
    void name(void *p, unsigned long bytes);                                                       \
    void name(void *p, unsigned long bytes)                                                        \
    {                                                                                              \
        if (is_ours(p))                                                                            \
            access(weak_thread(), p, bytes);                                                       \
    }
PLAIN_RANGE(__tsan_read_range, weak_plain_read)
PLAIN_RANGE(__tsan_write_range, weak_plain_write)

/* Clang's, in the place of the functions of the same names. */
void *__tsan_memcpy(void *to, const void *from, unsigned long bytes);
void *__tsan_memcpy(void *to, const void *from, unsigned long bytes)
{
    __tsan_read_range((void *)(uintptr_t)from, bytes);
    __tsan_write_range(to, bytes);
    return memmove(to, from, bytes);
}
void *__tsan_memmove(void *to, const void *from, unsigned long bytes);
void *__tsan_memmove(void *to, const void *from, unsigned long bytes)
{
    return __tsan_memcpy(to, from, bytes);
}
void *__tsan_memset(void *to, int value, unsigned long bytes);
void *__tsan_memset(void *to, int value, unsigned long bytes)
{
    __tsan_write_range(to, bytes);
    return memset(to, value, bytes);
}

void __tsan_init(void);
void __tsan_init(void) {}
void __tsan_func_entry(void *caller);
void __tsan_func_entry(void *caller)
{
    (void)caller;
}
void __tsan_func_exit(void);
void __tsan_func_exit(void) {}
