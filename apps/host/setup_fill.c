/* SPDX-License-Identifier: Apache-2.0
 *
 * What the arguments of a setup begin with.
 */
#include <math.h>
#include <string.h>

#include "apps/host/setup.h"
#include "measure/random.h"

/* A half has few digits: with more, a number may be rounded up to what it has to be below. */
static double drawn(const struct cb_setup_rule *rule, const struct cb_element *e,
                    struct cb_random *random)
{
    const int bits = e->kind == 'f' && e->size == 2 ? 10 : 53;
    double part = ldexp((double)(cb_random_next(random) >> (64 - bits)), -bits) * rule->below;
    return e->kind == 'f' ? part : floor(part);
}

/* Number `number` of a member, in an element of a buffer. */
static void put(const struct cb_setup_argument *a, int m, size_t element, size_t number,
                struct cb_random *random, unsigned char *to)
{
    const struct cb_setup_rule *rule = &a->rules[m];
    const struct cb_element *e = &a->layout.members[m].element;
    const double value =
        rule->fill == CB_FILL_RANDOM   ? drawn(rule, e, random)
        : rule->fill == CB_FILL_IOTA   ? (double)(rule->first + element * rule->step + number)
        : rule->fill == CB_FILL_VALUES ? rule->values[rule->n_values > 1 ? number : 0]
                                       : 0;
    cb_element_put(e, to, value);
}

static bool is_written(const struct cb_setup_rule *rule)
{
    return rule->fill != CB_FILL_ZERO && !rule->is_left;
}

/* ---- Parts ----------------------------------------------------------------------------------- */

/* A part of a buffer: so many bytes from `at` on. */
struct part {
    int64_t at, bytes;
    unsigned char *to;
};

/* Copies what lies in the part of a number at this place. */
static void copy(const struct part *p, int64_t at, const unsigned char *number, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (at + (int64_t)i >= p->at && at + (int64_t)i < p->at + p->bytes)
            p->to[at + (int64_t)i - p->at] = number[i];
}

static void fill_member_part(const struct cb_setup_argument *a, int m, size_t element,
                             const struct part *p)
{
    const struct cb_layout_member *member = &a->layout.members[m];
    const size_t numbers = cb_layout_numbers(member);
    for (size_t n = 0; n < numbers; n++) {
        const int64_t at = (int64_t)(element * a->layout.bytes) + (int64_t)cb_layout_at(member, n);
        struct cb_random random = {a->rules[m].seed + element * numbers + n};
        const int64_t size = (int64_t)member->element.size;
        unsigned char number[8];
        if (at >= p->at && at + size <= p->at + p->bytes) {
            put(a, m, element, n, &random, p->to + (at - p->at));
        } else if (at + size > p->at && at < p->at + p->bytes) {
            put(a, m, element, n, &random, number);
            copy(p, at, number, member->element.size);
        }
    }
}

void cb_setup_fill_part(const struct cb_setup_argument *a, int64_t at, void *to, size_t bytes)
{
    const struct part p = {at, (int64_t)bytes, to};
    const int64_t each = (int64_t)a->layout.bytes;
    memset(to, 0, bytes);
    for (int64_t i = at > 0 ? at / each : 0; i * each < at + p.bytes; i++)
        for (int m = 0; m < a->layout.n_members; m++)
            if (is_written(&a->rules[m]))
                fill_member_part(a, m, (size_t)i, &p);
}

void cb_setup_fill(const struct cb_setup_argument *a, void *to)
{
    if (a->begin)
        memcpy(to, a->begin, a->bytes);
    else
        cb_setup_fill_part(a, 0, to, a->bytes);
}
