/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether the structures of a NumPy file are the kernel's. Its header says what they are of, as
 * [('a', '<f4'), ('', '|V4'), ('b', [('x', '<i4'), ('y', '<i4')], (2,))]: names, types, and how
 * many of each, one after the other. '|V4' is four bytes of whatever.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "apps/host/setup_reader.h"

#define MOST_DEPTH 16

struct record {
    const char *path, *at; /* at: what is read next */
    const struct cb_layout *layout;
    size_t offset; /* of the next number in a structure */
    unsigned depth;
    struct cb_err *err;
};

static enum cb_status read_fields(struct record *r);

static enum cb_status fail(const struct record *r)
{
    return cb_fail(r->err, CB_USAGE, "%s: its header has no list of fields at \"%.20s\"", r->path,
                   r->at);
}

/* Skips blanks and then a character, if it comes there. */
static bool skip(struct record *r, char c)
{
    r->at += strspn(r->at, " ");
    const bool is_there = *r->at == c;
    r->at += is_there;
    return is_there;
}

/* A name, or a title and a name. */
static bool skip_name(struct record *r)
{
    const bool has_title = skip(r, '(');
    for (int i = 0; i < 1 + has_title; i++) {
        if ((i > 0 && !skip(r, ',')) || !skip(r, '\''))
            return false;
        const char *end = strchr(r->at, '\'');
        if (!end)
            return false;
        r->at = end + 1;
    }
    return !has_title || skip(r, ')');
}

/* How many of a type there are, "(2, 3)": at a place after it. */
static size_t count_at(const char *at, const char **end)
{
    size_t count = 1;
    for (at += strspn(at, "(, "); isdigit((unsigned char)*at); at += strspn(at, ", ")) {
        char *after;
        const size_t n = strtoull(at, &after, 10);
        count = n > 0 && count > SIZE_MAX / 2 / n ? SIZE_MAX / 2 : count * n;
        at = after;
    }
    *end = *at == ')' ? at + 1 : at;
    return count;
}

/* The member that has a byte of these, and whether one has just this number. */
static const struct cb_layout_member *member_at(const struct record *r, const char *descr,
                                                size_t size, bool *is_same)
{
    const struct cb_layout_member *found = NULL;
    *is_same = false;
    for (int i = 0; i < r->layout->n_members; i++) {
        const struct cb_layout_member *m = &r->layout->members[i];
        const size_t each = cb_element_bytes(&m->element);
        if (r->offset + size <= m->offset || m->offset + m->count * each <= r->offset)
            continue;
        const size_t at = r->offset < m->offset ? 1 : (r->offset - m->offset) % each;
        if (at >= m->element.size * m->element.width && at + size <= each)
            continue; /* between vectors of three */
        found = found ? found : m;
        *is_same |= r->offset >= m->offset && at % m->element.size == 0 &&
                    size == m->element.size && descr[1] == m->element.kind && descr[0] != '>';
    }
    return found;
}

static enum cb_status check_number(struct record *r, const char *descr, size_t size)
{
    bool is_same;
    const struct cb_layout_member *m = member_at(r, descr, size, &is_same);
    if (!m || is_same || descr[1] == 'V')
        return CB_OK;
    return cb_fail(r->err, CB_USAGE,
                   "%s: byte %zu of its structures begins a %s, where the kernel's %s is %s%c%zu "
                   "(NumPy's names)",
                   r->path, r->offset, descr, m->name, m->element.size == 1 ? "|" : "<",
                   m->element.kind, m->element.size);
}

/* '<f4', and how many. */
static enum cb_status read_numbers(struct record *r)
{
    char descr[16] = "", *after;
    const char *end = strchr(r->at, '\'');
    if (!end || end - r->at < 3 || end - r->at >= (int)sizeof descr)
        return fail(r);
    memcpy(descr, r->at, (size_t)(end - r->at));
    const size_t size = strtoull(descr + 2, &after, 10);
    if (*after || size == 0)
        return fail(r);
    r->at = end + 1;
    const size_t count = skip(r, ',') ? count_at(r->at, &r->at) : 1;
    for (size_t i = 0; i < count && r->offset < r->layout->bytes; i++, r->offset += size)
        if (check_number(r, descr, size) != CB_OK)
            return r->err->status;
    return CB_OK;
}

/* Fields of fields, and how many. */
static enum cb_status read_nested(struct record *r)
{
    const char *begin = r->at;
    if (read_fields(r) != CB_OK)
        return r->err->status;
    size_t count = skip(r, ',') ? count_at(r->at, &r->at) : 1;
    const char *end = r->at;
    for (; count > 1 && r->offset < r->layout->bytes; count--) {
        const size_t before = r->offset;
        r->at = begin;
        if (read_fields(r) != CB_OK)
            return r->err->status;
        if (r->offset == before)
            break;
    }
    r->at = end;
    return CB_OK;
}

static enum cb_status read_fields(struct record *r)
{
    if (++r->depth > MOST_DEPTH || !skip(r, '['))
        return fail(r);
    while (skip(r, '(')) {
        if (!skip_name(r) || !skip(r, ','))
            return fail(r);
        const bool is_number = skip(r, '\'');
        if ((is_number ? read_numbers(r) : read_nested(r)) != CB_OK)
            return r->err->status;
        if (!skip(r, ')'))
            return fail(r);
        skip(r, ',');
    }
    r->depth--;
    return skip(r, ']') ? CB_OK : fail(r);
}

enum cb_status cb_setup_check_record(const char *path, const char *header,
                                     const struct cb_layout *layout, struct cb_err *err)
{
    const char *at = strstr(header, "'descr':");
    struct record r = {.path = path, .layout = layout, .err = err};
    r.at = at ? at + strlen("'descr':") : header;
    r.at += strspn(r.at, " ");
    if (strncmp(r.at, "'|V", 3) == 0) /* bytes of whatever */
        return CB_OK;
    return read_fields(&r);
}
