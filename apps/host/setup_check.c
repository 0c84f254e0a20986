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

/* A number of an element. */
struct place {
    size_t element, number;
    int member;
};

/* Members of a union are compared as bytes: which of them it is nobody knows. */
static bool differ(const struct cb_setup *s, const struct cb_layout_member *m,
                   const unsigned char *found, const unsigned char *expected)
{
    if (memcmp(found, expected, m->element.size) == 0)
        return false;
    if (m->element.kind != 'f' || m->is_shared)
        return true;
    const double is = cb_element_number(&m->element, found),
                 should = cb_element_number(&m->element, expected);
    if (isnan(is) && isnan(should))
        return s->nan_bits;
    return is != should && !are_close(is, should, s->tolerance); /* 0 and -0 are the same */
}

/* Whether a number differs, and the first that does. */
static bool find_difference(const struct cb_setup *s, const struct cb_setup_argument *a,
                            const unsigned char *found, const unsigned char *expected,
                            struct place *p)
{
    const struct cb_layout *l = &a->layout;
    if (memcmp(found, expected, a->bytes) == 0)
        return false;
    for (p->element = 0; p->element < a->bytes / l->bytes; p->element++)
        for (p->member = 0; p->member < l->n_members; p->member++) {
            const struct cb_layout_member *m = &l->members[p->member];
            for (p->number = 0; p->number < cb_layout_numbers(m); p->number++) {
                const size_t at = p->element * l->bytes + cb_layout_at(m, p->number);
                if (differ(s, m, found + at, expected + at))
                    return true;
            }
        }
    return false;
}

/* ", starting[3].y" */
static void name_place(const struct cb_layout_member *m, const struct place *p, char *text,
                       size_t size)
{
    const unsigned width = m->element.width, component = (unsigned)(p->number % width);
    char index[32] = "", part[8] = "";
    if (m->count > 1)
        snprintf(index, sizeof index, "[%zu]", p->number / width);
    if (width > 1)
        snprintf(part, sizeof part, width > 4 ? "%ss%x" : "%s%c", *m->name ? "." : "",
                 width > 4 ? component : (unsigned)"xyzw"[component]);
    const bool is_named = *m->name || width > 1;
    snprintf(text, size, "%s%s%s%s", is_named ? ", " : "", m->name, index, part);
}

/* " (x 3, y 2)", where an image has the element. */
static void name_pixel(const struct cb_setup_argument *a, size_t element, char *text, size_t room)
{
    static const char *const names[CB_IMAGE_SIZES] = {"x", "y", "z", "layer"};
    size_t n = 0;
    for (unsigned i = 0; i < CB_IMAGE_SIZES && n < room && cb_setup_is_image(a); i++) {
        if (cb_image_has(&a->layout.image, i))
            n += (size_t)snprintf(text + n, room - n, "%s%s %zu", n ? ", " : " (", names[i],
                                  element % a->sizes[i]);
        element /= a->sizes[i];
    }
    if (n > 0 && n < room)
        snprintf(text + n, room - n, ")");
}

static void compare(const struct cb_setup *s, unsigned i, const unsigned char *found,
                    const unsigned char *expected, const char *whose, struct cb_sample *sample)
{
    const struct cb_setup_argument *a = &s->arguments[i];
    char is[CB_ELEMENT_TEXT] = "", should[CB_ELEMENT_TEXT] = "", name[160] = "", pixel[128] = "";
    struct place p = {0};
    const bool right = !find_difference(s, a, found, expected, &p);
    if (!right) {
        const struct cb_layout_member *m = &a->layout.members[p.member];
        const size_t at = p.element * a->layout.bytes + cb_layout_at(m, p.number);
        cb_element_print(&m->element, found + at, is);
        cb_element_print(&m->element, expected + at, should);
        name_place(m, &p, name, sizeof name);
        name_pixel(a, p.element, pixel, sizeof pixel);
    }
    cb_sample_check(sample, right, "%s, element %zu%s%s: %s instead of %s, as %s has it", a->name,
                    p.element, pixel, name, is, should, whose);
}

void cb_setup_check(const struct cb_setup *s, unsigned i, const unsigned char *found,
                    const unsigned char *expected, const unsigned char *once, const char *whose,
                    struct cb_sample *sample)
{
    const struct cb_setup_argument *a = &s->arguments[i];
    cb_sample_check(
        sample, is_guarded(found + a->bytes),
        "%s: the kernel writes after its end, of %zu elements: an index of it is wrong, or "
        "\"count\" in the setup too small",
        a->name, a->bytes / a->layout.bytes);
    if (a->is_checked)
        compare(s, i, found, expected, whose, sample);
    if (a->expect) /* of one run: a kernel may go on from what the last one left */
        compare(s, i, a->is_checked ? once : found, a->expect, "its file", sample);
}
