/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON written as it comes, without a tree, which of a large run takes longer than all else:
 *
 *     struct cb_json_writer w = {out};
 *     cb_json_write(&w, "{name:%s,rows:[", name);
 *     for (int i = 0; i < n; i++)
 *         cb_json_write(&w, "\n{case:%s,ok:%i,n:%d,median:%g}", ...);
 *     cb_json_write(&w, "\n]}\n");
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

struct cb_json_writer {
    FILE *out;
    bool follows; /* the next member comes after another one */
};

/* Writes a piece of JSON, whose keys have no quotes here, nor its pieces commas between them: %s is
 * a text, or a key, as "%s:" ("": none); %d an integer; %i true or false; %g a number, with as many
 * digits as a measured one has; %f one with three decimals. A member that is NULL or no number is
 * left out. */
void cb_json_write(struct cb_json_writer *writer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints text as a string of JSON, with its quotes. */
void cb_json_print_text(FILE *out, const char *text);
