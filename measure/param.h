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

#include "runtime/host/error.h"

enum cb_param_type {
    CB_PARAM_FLAG,   /* no value: "true" */
    CB_PARAM_UINT,   /* decimal integer in [min, max] */
    CB_PARAM_REAL,   /* decimal number in [min, max] */
    CB_PARAM_CHOICE, /* one of `choices` */
    CB_PARAM_TEXT,   /* anything that is not empty; its user checks it */
};

/* How the command line gives several values. false and true are the first two. */
enum cb_list {
    CB_LIST_NONE,   /* not at all */
    CB_LIST_COMMAS, /* "a,b", and by giving the option again */
    CB_LIST_REPEAT, /* by giving the option again only: a comma is part of a value */
};

struct cb_param {
    const char *name; /* "max-time": --max-time, "max-time" in JSON */
    char letter;      /* 'o': -o; 0 for none */
    enum cb_param_type type;
    enum cb_list list;         /* several values? In JSON they are an array */
    const char *default_value; /* as on the command line; NULL: no default */
    const char *choices;       /* "ticket,spin" */
    double min, max;           /* max 0: no upper limit */
    const char *value_name;    /* "N" in "--runs N"; NULL: by type */
    const char *help;          /* one sentence; \n starts a new line */
    const char *quick;         /* default without --full; NULL: default_value */
    bool full;                 /* given, it means --full, too */
    const char *instead_of;    /* given, the row of this name has no default; NULL: none */
};

/* Rows that several tables have. */
#define CB_HELP_PARAM                                                                              \
    {                                                                                              \
        .name = "help", .letter = 'h', .type = CB_PARAM_FLAG, .help = "Show this help."            \
    }
#define CB_OUTPUT_PARAM(form, what)                                                                \
    {                                                                                              \
        .name = form, .type = CB_PARAM_TEXT, .value_name = "FILE",                                 \
        .help = "Write " what " to this file as well; - is standard output."                       \
    }
#define CB_MARKDOWN_PARAM                                                                          \
    {                                                                                              \
        .name = "markdown", .type = CB_PARAM_TEXT, .value_name = "FILE",                           \
        .help = "Append Markdown to this file as well, as to $GITHUB_STEP_SUMMARY; - is standard " \
                "output."                                                                          \
    }

/* In an options object: a flag, whether the run is quick (measure/quick.h). No parameter. */
#define CB_QUICK "quick"

/* Whether the command line gives several values separated by commas. */
static inline bool cb_param_splits(const struct cb_param *param)
{
    return param->list == CB_LIST_COMMAS;
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

/* The values of an option; NULL and 0 if it is not there. */
int cb_options_count(const cJSON *options, const char *name);
const char *cb_options_text(const cJSON *options, const char *name, int i);

/* The first value of an option that has one: a row with a default, or one that is known to be
 * given. What is not there is a mistake of the programmer: NULL, 0. */
const char *cb_option_text(const cJSON *options, const char *name);
uint64_t cb_option_uint(const cJSON *options, const char *name);
double cb_option_real(const cJSON *options, const char *name);

/* The first value of an option that need not be given, or fallback. */
const char *cb_option_text_or(const cJSON *options, const char *name, const char *fallback);
uint64_t cb_option_uint_or(const cJSON *options, const char *name, uint64_t fallback);
double cb_option_real_or(const cJSON *options, const char *name, double fallback);
bool cb_options_flag(const cJSON *options, const char *name);
