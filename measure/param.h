/* SPDX-License-Identifier: Apache-2.0
 *
 * Parameters: one row describes a command-line option, a key of a configuration, a line of --help
 * and a column of the CSV. Options come as strings or JSON and are kept in one form, an options
 * object: {"name": ["value", ...], ...}, every given value as a string, valid by its row.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

#include "measure/field.h"
#include "runtime/host/error.h"

/* How the command line gives the values of an option whose member is a list. */
enum cb_list {
    CB_LIST_COMMAS, /* "a,b", and by giving the option again */
    CB_LIST_REPEAT, /* by giving the option again only: a comma is part of a value */
    CB_LIST_NONE,   /* a single one */
};

/* The kind of the member says what a value is: a flag has none ("true"); an integer and a number
 * are decimal, in [min, max]; a text is one of `choices`, or, without, anything that is not empty
 * and that its user checks. */
struct cb_param {
    const char *name;      /* "max-time": --max-time, "max-time" in JSON */
    struct cb_member into; /* member of the struct that cb_options_read() fills */
    char letter;           /* 'o': -o; 0 for none */
    enum cb_list list;
    const char *default_value; /* as on the command line; NULL: no default */
    const char *choices;       /* "ticket,spin" */
    double min, max;           /* max 0: no upper limit */
    const char *value_name;    /* "N" in "--runs N"; NULL: by kind */
    const char *help;          /* one sentence; \n starts a new line */
    const char *quick;         /* default without --full; NULL: default_value */
    bool full;                 /* given, it means --full, too */
    const char *instead_of;    /* given, the row of this name has no default; NULL: none */
};

/* What a row begins with: its name, and the member of a struct that gets the value. */
#define CB_OPTION(STRUCT, NAME, MEMBER) .name = (NAME), .into = CB_MEMBER(STRUCT, MEMBER)

/* Rows that several tables have. Of --help the command line itself takes note (cli/options.h). */
#define CB_HELP_PARAM                                                                              \
    {                                                                                              \
        .name = "help", .into = {.kind = CB_FIELD_FLAG}, .letter = 'h', .help = "Show this help."  \
    }
#define CB_OUTPUT_PARAM(STRUCT, MEMBER, what)                                                      \
    {                                                                                              \
        CB_OPTION(STRUCT, #MEMBER, MEMBER),                                                        \
            .value_name = "FILE",                                                                  \
            .help = "Write " what " to this file as well; - is standard output."                   \
    }
#define CB_MARKDOWN_PARAM(STRUCT)                                                                  \
    {                                                                                              \
        CB_OPTION(STRUCT, "markdown", markdown),                                                   \
            .value_name = "FILE",                                                                  \
            .help =                                                                                \
                "Append Markdown to this file as well, as to $GITHUB_STEP_SUMMARY; - is standard " \
                "output."                                                                          \
    }

/* In an options object: a flag, whether the run is quick (measure/quick.h). No parameter. */
#define CB_QUICK "quick"

/* Whether the option has a value: all but flags do. */
static inline bool cb_param_has_value(const struct cb_param *param)
{
    return param->into.kind != CB_FIELD_FLAG;
}

/* Whether the option may have several values, and whether the command line has them between commas.
 */
static inline bool cb_param_is_list(const struct cb_param *param)
{
    return cb_member_is_list(&param->into) && param->list != CB_LIST_NONE;
}

static inline bool cb_param_splits(const struct cb_param *param)
{
    return cb_param_is_list(param) && param->list == CB_LIST_COMMAS;
}

/* Checks one value. CB_USAGE says what was expected, with the nearest choice. */
enum cb_status cb_param_check(const struct cb_param *param, const char *value, struct cb_err *err);

/* The row called name in a table that ends with a row without name; NULL if there is none. */
const struct cb_param *cb_param_find(const struct cb_param *table, const char *name);

/* Adds a value as given on the command line (splits lists) to options, replacing what was there. */
enum cb_status cb_options_set(cJSON *options, const struct cb_param *param, const char *text,
                              struct cb_err *err);

/* Adds the default of every row that options does not have, nor another in its place; the quick one
 * if options say so. */
void cb_options_complete(cJSON *options, const struct cb_param *table);

/* Whether options lack a row of the table, and have none in its place. */
bool cb_options_lack(const cJSON *options, const struct cb_param *table,
                     const struct cb_param *param);

/* Fills the struct of a table with the options: what is not there becomes false, 0, NaN, NULL or an
 * empty list. Texts belong to the options. A row without a member fills none. */
#define cb_options_read(options, table, into)                                                      \
    cb_options_read_sized(options, table, into, sizeof *(into))
void cb_options_read_sized(const cJSON *options, const struct cb_param *table, void *into,
                           size_t size);

/* The values of an option; NULL and 0 if it is not there. */
int cb_options_count(const cJSON *options, const char *name);
const char *cb_options_text(const cJSON *options, const char *name, int i);

/* Whether the flag of this name is given. */
bool cb_options_flag(const cJSON *options, const char *name);
