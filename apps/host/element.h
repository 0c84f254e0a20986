/* SPDX-License-Identifier: Apache-2.0
 *
 * Elements of a user's buffers: their types, as the kernel has them, and their values.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A scalar type of OpenCL C, or a vector of one: "uint4". */
struct cb_element {
    char kind; /* 'i': an integer, 'u': one without a sign, 'f': a floating-point number */
    size_t size;
    unsigned width; /* elements of the vector; 1: a scalar */
};

/* "const global uint4 *restrict" and the like, as far as it is understood: whether it is. */
bool cb_element_read(const char *type, struct cb_element *element, bool *is_pointer);

/* Whether a pointer is one to local memory. */
bool cb_element_is_local(const char *type);

/* A number in the type's decimal form, or "0x...", to its bytes; false: it is none. */
bool cb_element_parse(const struct cb_element *element, const char *text, char **end,
                      unsigned char *to);

/* A value, as the type has it. */
void cb_element_put(const struct cb_element *element, unsigned char *to, double value);

/* That of a floating-point number. */
double cb_element_number(const struct cb_element *element, const unsigned char *at);

#define CB_ELEMENT_TEXT 40

/* A number of any type, for people. */
void cb_element_print(const struct cb_element *element, const unsigned char *at,
                      char text[CB_ELEMENT_TEXT]);
