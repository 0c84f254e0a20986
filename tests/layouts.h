/* SPDX-License-Identifier: Apache-2.0
 *
 * Layouts of types, as the merge tool makes them, without libclang.
 */
#pragma once

#include <stdio.h>
#include <string.h>

#include "runtime/merge/layout.h"

/* A number or a vector, "u4" or "f4x3"; false: the text tells of none. */
static inline bool layout_read(const char *text, struct cb_layout *l)
{
    struct cb_layout_member m = {.element = {.width = 1}, .count = 1};
    const int n = sscanf(text, "%c%1zux%2u", &m.element.kind, &m.element.size, &m.element.width);
    const size_t size = m.element.size;
    const unsigned width = m.element.width;
    if (n < 2 || !strchr("iufb", m.element.kind) || (size & (size - 1)) != 0 || size < 1 ||
        size > 8 || (m.element.kind == 'f' && size == 1) || (m.element.kind == 'b' && size > 1) ||
        width < 1 || width > 16 || (width != 3 && (width & (width - 1)) != 0))
        return false;
    m.name = strdup("");
    *l = (struct cb_layout){.bytes = cb_element_bytes(&m.element), .n_members = 1};
    l->alignment = l->bytes;
    l->members = malloc(sizeof *l->members);
    if (!m.name || !l->members)
        abort();
    l->members[0] = m;
    return true;
}

static inline struct cb_layout layout_of(const char *text)
{
    struct cb_layout l;
    if (!layout_read(text, &l))
        abort();
    return l;
}

/* A structure; the members' names are copied. */
static inline struct cb_layout record_of(size_t bytes, const struct cb_layout_member *members,
                                         int n)
{
    struct cb_layout l = {.bytes = bytes, .alignment = 4, .n_members = n, .is_record = true};
    l.members = malloc((size_t)n * sizeof *l.members);
    for (int m = 0; m < n; m++) {
        if (!l.members)
            abort();
        l.members[m] = members[m];
        l.members[m].name = strdup(members[m].name);
    }
    return l;
}
