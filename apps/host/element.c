/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/host/element.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    char kind;
    size_t size;
} scalars[] = {{"char", 'i', 1},  {"uchar", 'u', 1}, {"short", 'i', 2}, {"ushort", 'u', 2},
               {"int", 'i', 4},   {"uint", 'u', 4},  {"long", 'i', 8},  {"ulong", 'u', 8},
               {"float", 'f', 4}, {"double", 'f', 8}};

static bool is_qualifier(const char *word, size_t n)
{
    static const char *const words[] = {"const",    "global",   "__global",   "constant",
                                        "volatile", "restrict", "__constant", "__restrict",
                                        "local",    "__local"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == n && strncmp(words[i], word, n) == 0)
            return true;
    return false;
}

bool cb_element_is_local(const char *type)
{
    const char *at = strstr(type, "local ");
    return at && (at == type || at[-1] == ' ' || at[-1] == '_');
}

static bool read_word(const char *word, size_t n, struct cb_element *element)
{
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++) {
        size_t length = strlen(scalars[i].name);
        if (length > n || strncmp(word, scalars[i].name, length) != 0)
            continue;
        unsigned width = length < n ? (unsigned)strtoul(word + length, NULL, 10) : 1;
        bool is_width = width == 2 || width == 4 || width == 8 || width == 16;
        if (length < n && (!is_width || n - length > 2))
            continue;
        *element = (struct cb_element){scalars[i].kind, scalars[i].size, width};
        return true;
    }
    return false;
}

bool cb_element_read(const char *type, struct cb_element *element, bool *is_pointer)
{
    bool found = false, is_unsigned = false;
    unsigned pointers = 0;
    for (const char *t = type; *t;) {
        size_t n = strcspn(t, " *");
        if (n == strlen("unsigned") && strncmp(t, "unsigned", n) == 0) {
            is_unsigned = true;
        } else if (n > 0 && !is_qualifier(t, n)) {
            if (found || !read_word(t, n, element))
                return false;
            found = true;
        }
        t += n;
        pointers += *t == '*';
        t += *t != '\0';
    }
    *is_pointer = pointers == 1;
    if (is_unsigned && !found)
        found = read_word("uint", 4, element);
    if (is_unsigned && element->kind == 'i')
        element->kind = 'u';
    return found && pointers <= 1;
}

void cb_element_put(const struct cb_element *e, unsigned char *to, double value)
{
    if (e->kind == 'f') {
        float single = (float)value;
        memcpy(to, e->size == 4 ? (const void *)&single : (const void *)&value, e->size);
        return;
    }
    int64_t whole = e->kind == 'i' ? (int64_t)value : (int64_t)(uint64_t)value;
    memcpy(to, &whole, e->size); /* the lowest bytes */
}

/* Ten, unless it says otherwise: files have numbers with zeros in front of them. */
static int base_of(const char *text)
{
    text += *text == '-' || *text == '+';
    return text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 16 : 10;
}

bool cb_element_parse(const struct cb_element *e, const char *text, char **end, unsigned char *to)
{
    const int bits = (int)(8 * e->size);
    errno = 0;
    *end = (char *)(uintptr_t)text;
    if (isspace((unsigned char)*text) || (e->kind == 'u' && *text == '-'))
        return false;
    if (e->kind == 'f') {
        double value = strtod(text, end);
        bool is_larger = errno == ERANGE || !isinf(value);
        if (is_larger && fabs(value) > (e->size == 4 ? FLT_MAX : DBL_MAX))
            return false;
        cb_element_put(e, to, value);
    } else if (e->kind == 'u') {
        unsigned long long value = strtoull(text, end, base_of(text));
        if (errno || (bits < 64 && value >> bits))
            return false;
        memcpy(to, &value, e->size);
    } else {
        long long value = strtoll(text, end, base_of(text)),
                  most = (long long)(~0ull >> (65 - bits));
        if (errno || value > most || value < -most - 1)
            return false;
        memcpy(to, &value, e->size);
    }
    return *end != text;
}

double cb_element_number(const struct cb_element *e, const unsigned char *at)
{
    float single;
    double value;
    memcpy(e->size == 4 ? (void *)&single : (void *)&value, at, e->size);
    return e->size == 4 ? (double)single : value;
}

void cb_element_print(const struct cb_element *e, const unsigned char *at,
                      char text[CB_ELEMENT_TEXT])
{
    int64_t whole = 0;
    memcpy(&whole, at, e->kind == 'f' ? 0 : e->size);
    if (e->kind == 'f')
        snprintf(text, CB_ELEMENT_TEXT, "%.9g", cb_element_number(e, at));
    else if (e->kind == 'u')
        snprintf(text, CB_ELEMENT_TEXT, "%llu", (unsigned long long)whole);
    else
        snprintf(text, CB_ELEMENT_TEXT, "%lld",
                 (long long)((uint64_t)whole << (64 - 8 * e->size)) >> (64 - 8 * e->size));
}
