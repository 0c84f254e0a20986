/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/litmus/table.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define NEVER   0u
#define RELAXED (1u << CB_LITMUS_RELAXED)
#define ALWAYS  (RELAXED | 1u << CB_LITMUS_FENCES | 1u << CB_LITMUS_ACQREL)

#define ROW(id, name, threads, weak, allowed, reorders)                                            \
    {name, CB_LITMUS_##id, threads, weak, allowed, reorders},
const struct cb_litmus_test cb_litmus_tests[] = {CB_LITMUS_LIST(ROW){0}};

unsigned cb_litmus_parts(const struct cb_litmus_test *test)
{
    return cb_litmus_threads(test) > 2 ? 4 : 2;
}

unsigned cb_litmus_threads(const struct cb_litmus_test *test)
{
    unsigned n = 1;
    for (const char *c = test->threads; *c; c++)
        n += *c == '|';
    return n;
}

const struct cb_litmus_test *cb_litmus_test_named(const char *name)
{
    for (const struct cb_litmus_test *t = cb_litmus_tests; t->name; t++)
        if (strcmp(t->name, name) == 0)
            return t;
    return NULL;
}

static const struct {
    const char *name, *text;
} orders[CB_LITMUS_N_ORDERS] = {
    [CB_LITMUS_RELAXED] = {"relaxed", "relaxed accesses"},
    [CB_LITMUS_FENCES] = {"fences", "fences between the accesses"},
    [CB_LITMUS_ACQREL] = {"acqrel", "release stores and acquire loads"},
    [CB_LITMUS_RELEASING] = {"release", "release stores and relaxed loads"},
    [CB_LITMUS_ACQUIRING] = {"acquire", "relaxed stores and acquire loads"},
    [CB_LITMUS_REVERSED] = {"reversed", "relaxed accesses in reverse order"},
    [CB_LITMUS_RMW] = {"rmw", "changes that acquire and release"},
    [CB_LITMUS_WG_FENCES] = {"wg-fences", "fences of the workgroup's scope"},
    [CB_LITMUS_FENCE_ST] = {"fence-stores", "fences after stores alone"},
    [CB_LITMUS_FENCE_LD] = {"fence-loads", "fences after loads alone"},
};

int cb_litmus_order_named(const char *name)
{
    for (int i = 0; i < CB_LITMUS_N_ORDERS; i++)
        if (strcmp(orders[i].name, name) == 0)
            return i;
    return -1;
}

const char *cb_litmus_order_name(int order)
{
    return orders[order].name;
}

const char *cb_litmus_order_text(int order)
{
    return orders[order].text;
}

int cb_litmus_scope_named(const char *name)
{
    static const char *const scopes[] = {"workgroups", "subgroups", "subgroup"};
    for (int i = 0; i < (int)(sizeof scopes / sizeof *scopes); i++)
        if (strcmp(scopes[i], name) == 0)
            return i;
    return -1;
}

/* The digit of a register, "r0": its thread is the one that reads into it. */
static unsigned digit_of_read(const char *threads, const char *name)
{
    const char *at = strstr(threads, name);
    unsigned thread = 0, read = 0;
    for (const char *c = threads; c < at; c++) {
        if (*c == '|') {
            thread++;
            read = 0;
        }
        read += *c == 'r';
    }
    return CB_LITMUS_READS * thread + read;
}

void cb_litmus_weak_digits(const struct cb_litmus_test *test, uint64_t *mask, uint64_t *weak)
{
    *mask = *weak = 0;
    for (const char *c = test->outcome; c; c = strchr(c, ' ')) {
        c += *c == ' ';
        const char name[3] = {c[0], c[0] == 'r' ? c[1] : '\0', '\0'};
        const unsigned digit =
            c[0] == 'r' ? digit_of_read(test->threads, name) : CB_LITMUS_X + (unsigned)(c[0] - 'x');
        *mask |= (uint64_t)CB_LITMUS_NOTHING << 4 * digit;
        *weak |= (uint64_t)(strchr(c, '=')[1] - '0') << 4 * digit;
    }
}

void cb_litmus_outcome_text(const struct cb_litmus_test *test, uint64_t digits,
                            char text[CB_LITMUS_OUTCOME_BYTES])
{
    size_t length = 0;
    text[0] = '\0';
    for (char r = '0'; r < '4'; r++) {
        const char name[3] = {'r', r, '\0'};
        if (strstr(test->threads, name))
            length += (size_t)snprintf(
                text + length, CB_LITMUS_OUTCOME_BYTES - length, "%s%s=%u", length > 0 ? " " : "",
                name,
                (unsigned)(digits >> 4 * digit_of_read(test->threads, name)) & CB_LITMUS_NOTHING);
    }
    for (unsigned l = 0; l < CB_LITMUS_LOCATIONS; l++) {
        const char store[3] = {(char)('x' + l), '=', '\0'};
        const char *first = strstr(test->threads, store);
        if (first && strstr(first + 1, store))
            length += (size_t)snprintf(
                text + length, CB_LITMUS_OUTCOME_BYTES - length, "%s%c=%u", length > 0 ? " " : "",
                store[0], (unsigned)(digits >> 4 * (CB_LITMUS_X + l)) & CB_LITMUS_NOTHING);
    }
}
