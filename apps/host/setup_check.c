/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a buffer of a user's kernel is as it must be.
 */
#include <math.h>
#include <string.h>

#include "apps/host/setup.h"

#define GUARD_BYTE 0xa5

void cb_setup_guard(const struct cb_setup_argument *a, void *to)
{
    memset((unsigned char *)to + a->bytes, GUARD_BYTE, CB_SETUP_GUARD_BYTES);
}

static bool is_guarded(const unsigned char *guard)
{
    for (size_t i = 0; i < CB_SETUP_GUARD_BYTES; i++)
        if (guard[i] != GUARD_BYTE)
            return false;
    return true;
}

/* Numbers that are not finite are the same, or nothing like each other. */
static bool are_close(double is, double should, double tolerance)
{
    return isfinite(is) && isfinite(should) &&
           fabs(is - should) <= tolerance * fmax(fabs(is), fabs(should));
}

/* The first element that differs; the end: none does. */
static size_t differs_at(const struct cb_setup_argument *a, double tolerance,
                         const unsigned char *found, const unsigned char *expected)
{
    const struct cb_element *e = &a->element;
    if (memcmp(found, expected, a->bytes) == 0)
        return a->bytes / e->size;
    for (size_t i = 0; i < a->bytes / e->size; i++) {
        const unsigned char *f = found + i * e->size, *x = expected + i * e->size;
        if (memcmp(f, x, e->size) == 0)
            continue;
        if (e->kind != 'f')
            return i;
        double is = cb_element_number(e, f), should = cb_element_number(e, x);
        if (is != should && !are_close(is, should, tolerance)) /* 0 and -0 are the same */
            return i;
    }
    return a->bytes / e->size;
}

static void compare(const struct cb_setup *s, unsigned i, const unsigned char *found,
                    const unsigned char *expected, const char *whose, struct cb_sample *sample)
{
    const struct cb_setup_argument *a = &s->arguments[i];
    size_t at = differs_at(a, s->tolerance, found, expected), size = a->element.size;
    char is[CB_ELEMENT_TEXT] = "", should[CB_ELEMENT_TEXT] = "";
    bool right = at == a->bytes / size;
    if (!right) {
        cb_element_print(&a->element, found + at * size, is);
        cb_element_print(&a->element, expected + at * size, should);
    }
    cb_sample_check(sample, right, "%s, element %zu: %s instead of %s, as %s has it", a->name, at,
                    is, should, whose);
}

void cb_setup_check(const struct cb_setup *s, unsigned i, const unsigned char *found,
                    const unsigned char *expected, const char *whose, struct cb_sample *sample)
{
    const struct cb_setup_argument *a = &s->arguments[i];
    cb_sample_check(
        sample, is_guarded(found + a->bytes),
        "%s: the kernel writes after its end, of %zu elements: an index of it is wrong, or "
        "\"count\" in the setup too small",
        a->name, a->bytes / a->element.size / a->element.width);
    if (a->is_checked)
        compare(s, i, found, expected, whose, sample);
    if (a->expect)
        compare(s, i, found, a->expect, "its file", sample);
}
