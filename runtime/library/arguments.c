/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether arguments are what a kernel asks for. What its parameters are, the text of the program
 * says, as the merge tool has written it.
 */
#include <ctype.h>
#include <string.h>

#include "runtime/library/handle.h"

#define PARAMETERS "#define COOP_ARGS(X)"

/* ---- Parameters ------------------------------------------------------------------------------ */

/* The last comma of an X(type, name), whose closing bracket *end becomes; NULL: it has none. */
static const char *comma_of(const char *inside, const char **end)
{
    const char *comma = NULL;
    int depth = 0;
    for (*end = inside; **end && (depth > 0 || **end != ')'); (*end)++) {
        depth += (**end == '(') - (**end == ')');
        if (**end == ',' && depth == 0)
            comma = *end;
    }
    return **end ? comma : NULL;
}

static struct library_text word(const char *begin, const char *end)
{
    while (begin < end && isspace((unsigned char)*begin))
        begin++;
    while (begin < end && isspace((unsigned char)end[-1]))
        end--;
    return (struct library_text){begin, (int)(end - begin)};
}

/* The name as the author wrote it: merge puts "arg_" before it. */
static struct library_text name_of(struct library_text text)
{
    static const char before[] = "arg_";
    const int n = sizeof before - 1;
    return text.length > n && strncmp(text.at, before, sizeof before - 1) == 0
               ? (struct library_text){text.at + n, text.length - n}
               : text;
}

unsigned library_kernel_parameters(const char *text, struct library_parameter *found, unsigned most)
{
    unsigned n = 0;
    const char *at = strstr(text, PARAMETERS), *end, *line_end;
    for (at = at ? at + strlen(PARAMETERS) : ""; n < most; at = end + 1) {
        line_end = at;
        while (*line_end && (*line_end != '\n' || line_end[-1] == '\\'))
            line_end++;
        at = strstr(at, "X(");
        const char *comma = at && at < line_end ? comma_of(at + 2, &end) : NULL;
        if (!comma)
            break;
        struct library_text type = word(at + 2, comma);
        found[n++] = (struct library_parameter){
            .type = type,
            .name = name_of(word(comma + 1, end)),
            .is_pointer = memchr(type.at, '*', (size_t)type.length) != NULL,
        };
    }
    return n;
}

/* Bytes of a type that OpenCL C defines, "uint" or "float4"; 0: it is another one. */
static size_t bytes_of(struct library_text type)
{
    static const struct {
        const char *name;
        size_t bytes;
    } scalars[] = {{"char", 1}, {"uchar", 1}, {"short", 2}, {"ushort", 2}, {"half", 2},  {"int", 4},
                   {"uint", 4}, {"float", 4}, {"long", 8},  {"ulong", 8},  {"double", 8}};
    for (size_t i = 0; i < CB_COUNTOF(scalars); i++) {
        const int length = (int)strlen(scalars[i].name);
        if (type.length < length || strncmp(type.at, scalars[i].name, (size_t)length) != 0)
            continue;
        size_t lanes = 0;
        int digits = length;
        while (digits < type.length && isdigit((unsigned char)type.at[digits]))
            lanes = 10 * lanes + (size_t)(type.at[digits++] - '0');
        if (digits == type.length)
            return scalars[i].bytes * (length == type.length ? 1 : lanes == 3 ? 4 : lanes);
    }
    return 0;
}

/* ---- Arguments ------------------------------------------------------------------------------- */

bool library_holds(const coopbench *c, coopbench_buffer buffer)
{
    return buffer.size > 0 && buffer.at >= c->first && buffer.at < c->used &&
           buffer.size <= c->used - buffer.at;
}

static enum cb_status check_value(const struct coopbench_argument *a, unsigned i,
                                  const struct library_parameter *p, struct cb_err *err)
{
    const size_t bytes = p && !p->is_pointer ? bytes_of(p->type) : 0;
    if (a->size == 0)
        return cb_fail(err, CB_USAGE, "argument %u: a value of 0 bytes", i);
    if (bytes != 0 && a->size != bytes)
        return cb_fail(err, CB_USAGE, "argument %u: %.*s is a %.*s of %zu bytes, and this has %zu",
                       i, p->name.length, p->name.at, p->type.length, p->type.at, bytes, a->size);
    return p && p->is_pointer
               ? cb_fail(err, CB_USAGE, "argument %u: %.*s is a pointer, and this a value", i,
                         p->name.length, p->name.at)
               : CB_OK;
}

enum cb_status library_check_argument(const coopbench *c, const struct coopbench_argument *a,
                                      unsigned i, const struct library_parameter *p,
                                      struct cb_err *err)
{
    if (a->value)
        return check_value(a, i, p, err);
    if (p && !p->is_pointer)
        return cb_fail(err, CB_USAGE, "argument %u: %.*s is a value, and this is none", i,
                       p->name.length, p->name.at);
    if (a->buffer.size == 0 && a->size == 0)
        return cb_fail(err, CB_USAGE, "argument %u: neither a value nor memory", i);
    return a->buffer.size == 0 || library_holds(c, a->buffer)
               ? CB_OK
               : cb_fail(err, CB_USAGE, "argument %u: no buffer of coopbench_reserve()", i);
}
