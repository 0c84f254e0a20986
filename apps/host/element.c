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

/* ---- Numbers of two bytes, which C has not --------------------------------------------------- */

#define HALF_MAX      65504.0
#define HALF_OVER     65520.0 /* half a step beyond */
#define HALF_INFINITY 0x7c00u
#define HALF_NAN      0x7e00u
#define HALF_LEAST    (-24) /* power of two of the smallest number */
#define HALF_NORMAL   (-14) /* power of two of the smallest one with all digits */

/* The nearest, of two the even one. */
static uint16_t half_of(double value)
{
    const double size = fabs(value);
    const unsigned sign = signbit(value) ? 0x8000u : 0;
    int exponent;
    if (isnan(value))
        return (uint16_t)(sign | HALF_NAN);
    if (size >= HALF_OVER)
        return (uint16_t)(sign | HALF_INFINITY);
    if (size < ldexp(1, HALF_NORMAL))
        return (uint16_t)(sign | (unsigned)rint(ldexp(size, -HALF_LEAST)));
    const double digits = ldexp(frexp(size, &exponent), 11); /* from 1024 on */
    /* one that is rounded up to 2048 carries into the exponent, as it should */
    return (uint16_t)(sign |
                      (((unsigned)(exponent - HALF_NORMAL) << 10) + (unsigned)rint(digits) - 1024));
}

static double number_of_half(uint16_t half)
{
    const unsigned exponent = half >> 10 & 0x1fu, digits = half & 0x3ffu;
    const double size = exponent == 0      ? ldexp(digits, HALF_LEAST)
                        : exponent < 0x1fu ? ldexp(1024 + digits, (int)exponent - 1 + HALF_LEAST)
                        : digits           ? (double)NAN
                                           : (double)INFINITY;
    return half & 0x8000u ? -size : size;
}

/* ---- All numbers ----------------------------------------------------------------------------- */

#define MOST_EXACT 9007199254740992.0 /* 2^53 */

void cb_element_range(const struct cb_element *e, double *least, double *most)
{
    const int bits = (int)(8 * e->size);
    const bool is_signed = e->kind == 'i';
    *most = e->kind == 'b'   ? 1
            : e->kind == 'f' ? (bits == 16   ? HALF_MAX
                                : bits == 32 ? (double)FLT_MAX
                                             : DBL_MAX)
            : bits == 64     ? MOST_EXACT
                             : ldexp(1, bits - is_signed) - 1;
    *least = e->kind == 'f' || (is_signed && bits == 64) ? -*most : is_signed ? -*most - 1 : 0;
}

void cb_element_put(const struct cb_element *e, unsigned char *to, double value)
{
    if (e->kind == 'f') {
        const float single = (float)value;
        const uint16_t half = half_of(value);
        memcpy(to,
               e->size == 2   ? (const void *)&half
               : e->size == 4 ? (const void *)&single
                              : (const void *)&value,
               e->size);
        return;
    }
    int64_t whole = e->kind == 'i' ? (int64_t)value : (int64_t)(uint64_t)value;
    whole &= e->kind == 'b' ? 1 : -1;
    memcpy(to, &whole, e->size); /* the lowest bytes */
}

/* Ten, unless it says otherwise: files have numbers with zeros in front of them. */
static int base_of(const char *text)
{
    text += *text == '-' || *text == '+';
    return text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 16 : 10;
}

static bool parse_truth(const char *text, char **end, unsigned char *to)
{
    static const char *const words[] = {"0", "1", "false", "true"};
    for (unsigned w = 4; w-- > 0;)
        if (strncmp(text, words[w], strlen(words[w])) == 0) {
            *end += strlen(words[w]);
            *to = (unsigned char)(w % 2);
            return true;
        }
    return false;
}

bool cb_element_parse(const struct cb_element *e, const char *text, char **end, unsigned char *to)
{
    const int bits = (int)(8 * e->size);
    errno = 0;
    *end = (char *)(uintptr_t)text;
    if (isspace((unsigned char)*text) || (e->kind == 'u' && *text == '-'))
        return false;
    if (e->kind == 'b')
        return parse_truth(text, end, to);
    if (e->kind == 'f') {
        double value = strtod(text, end), least, most;
        bool is_larger = errno == ERANGE || !isinf(value);
        cb_element_range(e, &least, &most);
        if (is_larger && fabs(value) > most)
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
    uint16_t half;
    float single;
    double value;
    memcpy(e->size == 2   ? (void *)&half
           : e->size == 4 ? (void *)&single
                          : (void *)&value,
           at, e->size);
    return e->size == 2 ? number_of_half(half) : e->size == 4 ? (double)single : value;
}

void cb_element_print(const struct cb_element *e, const unsigned char *at,
                      char text[CB_ELEMENT_TEXT])
{
    int64_t whole = 0;
    memcpy(&whole, at, e->kind == 'f' ? 0 : e->size);
    if (e->kind == 'f')
        snprintf(text, CB_ELEMENT_TEXT, "%.9g", cb_element_number(e, at));
    else if (e->kind != 'i')
        snprintf(text, CB_ELEMENT_TEXT, "%llu", (unsigned long long)whole);
    else
        snprintf(text, CB_ELEMENT_TEXT, "%lld",
                 (long long)((uint64_t)whole << (64 - 8 * e->size)) >> (64 - 8 * e->size));
}
