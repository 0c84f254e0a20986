/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole numbers that the text writes as expressions of digits and of its macros: libclang tells
 * nothing of those in an attribute.
 */
#include "runtime/merge/unit.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LEVELS 16 /* macros and parentheses in each other */

struct reader {
    const struct cb_merge_unit *u;
    const char *at;
    bool is_known; /* all so far is a number */
    int level;
};

static int64_t read_sum(struct reader *r);

static char next_of(struct reader *r)
{
    r->at += strspn(r->at, " \t\\\r");
    return *r->at;
}

/* What a macro of the text stands for; NULL: there is none of this name, or it takes arguments. */
static const char *value_of_macro(const struct cb_merge_unit *u, const char *name, size_t n)
{
    for (uint32_t at = 0, size; cb_merge_next_macro(u, &at, &size); at += size)
        if (size == n && strncmp(u->code + at, name, n) == 0 && u->code[at + size] != '(')
            return u->code + at + size;
    return NULL;
}

static int64_t read_macro(struct reader *r)
{
    const size_t n = strspn(r->at, CB_MERGE_LETTERS);
    struct reader inside = {r->u, value_of_macro(r->u, r->at, n), true, r->level + 1};
    r->is_known = r->is_known && n > 0 && inside.at && inside.level < MOST_LEVELS;
    if (!r->is_known)
        return 0;
    const int64_t value = read_sum(&inside);
    r->at += n;
    r->is_known = inside.is_known;
    return value;
}

static int64_t read_number(struct reader *r)
{
    int64_t value;
    if (next_of(r) == '(' && r->level < MOST_LEVELS) {
        r->at++;
        r->level++;
        value = read_sum(r);
        r->level--;
        r->is_known = r->is_known && next_of(r) == ')';
        r->at += r->is_known;
        return value;
    }
    if (!isdigit((unsigned char)*r->at))
        return read_macro(r);
    char *end;
    value = (int64_t)strtoul(r->at, &end, 0) & INT32_MAX;
    r->at = end + strspn(end, "uUlL");
    return value;
}

static int64_t read_product(struct reader *r)
{
    int64_t value = read_number(r);
    for (char op = next_of(r); r->is_known && op && strchr("*/%", op); op = next_of(r)) {
        r->at++;
        const int64_t by = read_number(r);
        r->is_known = r->is_known && (op == '*' || by != 0) && value <= INT32_MAX;
        if (r->is_known)
            value = op == '*' ? value * by : op == '/' ? value / by : value % by;
    }
    return value;
}

static int64_t read_sum(struct reader *r)
{
    int64_t value = read_product(r);
    for (char op = next_of(r); r->is_known && (op == '+' || op == '-'); op = next_of(r)) {
        r->at++;
        const int64_t next = read_product(r);
        value += op == '+' ? next : -next;
    }
    return value;
}

static size_t known(const struct reader *r, int64_t value)
{
    return r->is_known && value > 0 && value <= INT32_MAX ? (size_t)value : 0;
}

size_t cb_merge_constant(const struct cb_merge_unit *u, const char *at)
{
    struct reader r = {u, at, true, 0};
    const int64_t value = read_sum(&r);
    return known(&r, value);
}

size_t cb_merge_first_product(const struct cb_merge_unit *u, const char *at)
{
    struct reader r = {u, at, true, 0};
    const int64_t value = read_product(&r);
    return known(&r, value);
}
