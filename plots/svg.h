/* SPDX-License-Identifier: Apache-2.0
 *
 * Gnuplot's pictures as browsers are to show them.
 */
#pragma once

#include <stdio.h>

/* Prints SVG of gnuplot's, in which a point that has a text (plots/tips.gp) becomes an element of
 * class "point" with the text as its title, which browsers show; gnuplot's calls of a script that
 * is not there go, and its titles, which are its commands. */
void cb_svg_print(FILE *out, const char *svg);
