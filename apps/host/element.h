/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers of a user's buffers: their values, as texts, and as the kernel has them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "runtime/merge/layout.h"

/* The least and the largest finite number of the type, as far as a double tells them exactly. */
void cb_element_range(const struct cb_element *element, double *least, double *most);

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
