/* SPDX-License-Identifier: Apache-2.0
 *
 * The words of the tables. docs/glossary.md is their only place: the program carries it, and reads
 * terms from lines as
 *
 *   - **recall** (discover): share of the bound ...
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "runtime/host/error.h"

struct cb_term {
    const char *names;    /* "bound, occupancy bound" */
    const char *commands; /* "discover, apps"; empty: of all */
    const char *text;     /* what it means, in one line */
    const char *heading;  /* heading of its part of the page */
};

struct cb_glossary {
    char *source; /* holds the texts */
    struct cb_term *terms;
    int count;
};

enum cb_status cb_glossary_read(struct cb_glossary *glossary, struct cb_err *err);
void cb_glossary_free(struct cb_glossary *glossary);

/* Whether a comma-separated list has this item, in upper or lower case. */
bool cb_glossary_has(const char *list, const char *item);

/* The line below a command's tables: which words 'coopbench glossary' explains. Nothing, if it has
 * none. */
void cb_glossary_print_hint(FILE *out, const char *command);
