/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "measure/text/nearest.h"
#include "runtime/host/files.h"

#define FIRST_LONG    256 /* getopt_long's code of the first long option: above every letter */
#define CODE_ARGUMENT 1   /* its code of a positional argument, with '-' first in the letters */

/* --- Parsing ---------------------------------------------------------------------------------- */

/* The two tables as one list: the command's own rows hide global ones of the same name. */
struct parser {
    const struct cb_param *globals, *own;
    int n_own, n_global;
    struct option *long_options;
    char *letters; /* "-:o:q": '-': positional arguments in place; ':': missing values tell apart */
    struct cb_arguments *out;
    struct cb_err *err;
};

static int count_params(const struct cb_param *table)
{
    int n = 0;
    while (table && table[n].name)
        n++;
    return n;
}

static const struct cb_param *param_at(const struct parser *p, int i)
{
    if (i < p->n_own)
        return &p->own[i];
    return i < p->n_own + p->n_global ? &p->globals[i - p->n_own] : NULL;
}

static const char *name_at(const void *parser, int i)
{
    const struct cb_param *param = param_at(parser, i);
    return param ? param->name : NULL;
}

/* The row of a code of getopt_long: a letter or the index of a long option; NULL: none. */
static const struct cb_param *param_of(const struct parser *p, int code)
{
    if (code >= FIRST_LONG)
        return param_at(p, code - FIRST_LONG);
    const struct cb_param *param;
    for (int i = 0; (param = param_at(p, i)) != NULL; i++)
        if (param->letter && param->letter == code)
            return param;
    return NULL;
}

static enum cb_status describe_options(struct parser *p)
{
    p->n_own = count_params(p->own);
    p->n_global = count_params(p->globals);
    size_t n = (size_t)(p->n_own + p->n_global);
    p->long_options = calloc(n + 1, sizeof *p->long_options);
    p->letters = calloc(2 * n + 3, 1);
    if (!p->long_options || !p->letters)
        return cb_no_memory(p->err);
    char *letters = stpcpy(p->letters, "-:");
    const struct cb_param *param;
    for (int i = 0; (param = param_at(p, i)) != NULL; i++) {
        bool takes_value = cb_param_has_value(param);
        p->long_options[i] = (struct option){
            param->name, takes_value ? required_argument : no_argument, NULL, FIRST_LONG + i};
        if (!param->letter || strchr(p->letters, param->letter))
            continue;
        *letters++ = param->letter;
        if (takes_value)
            *letters++ = ':';
    }
    return CB_OK;
}

/* Fails with a message that ends with the option nearest to word, if there is one. */
static enum cb_status unknown_option(const struct parser *p, const char *typed, const char *word)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    const char *nearest = cb_nearest(name, name_at, p);
    if (nearest)
        return cb_fail(p->err, CB_USAGE, "unknown option %s (did you mean --%s?)", typed, nearest);
    return cb_fail(p->err, CB_USAGE, "unknown option %s", typed);
}

/* element: of argv, with one or two dashes and perhaps a value. */
static enum cb_status unknown_word(const struct parser *p, const char *element)
{
    char typed[128];
    snprintf(typed, sizeof typed, "%.*s", (int)strcspn(element, "="), element);
    return unknown_option(p, typed, element + strspn(element, "-"));
}

/* element: of argv, with one dash; getopt_long does not know one of its letters. */
static enum cb_status unknown_letter(const struct parser *p, const char *element)
{
    char typed[128];
    if (element[2] == '\0')
        return unknown_option(p, element, element + 1);
    snprintf(typed, sizeof typed, "-%c in \"%.100s\"", optopt, element);
    return unknown_option(p, typed, element + 1); /* "-runs": perhaps just a dash is missing */
}

/* getopt_long returned '?' for an element of argv. */
static enum cb_status refuse_option(const struct parser *p, const char *element)
{
    const struct cb_param *param = param_of(p, optopt);
    if (param)
        return cb_fail(p->err, CB_USAGE, "--%s takes no value, got \"%.100s\"", param->name,
                       strchr(element, '=') + 1);
    return element[1] == '-' ? unknown_word(p, element) : unknown_letter(p, element);
}

static enum cb_status missing_value(const struct parser *p)
{
    const struct cb_param *param = param_of(p, optopt);
    return cb_fail(p->err, CB_USAGE, "--%s needs a value: --%s %s", param->name, param->name,
                   cb_param_value_name(param));
}

/* Adds the elements of a list to those that were given before. */
static enum cb_status append_values(cJSON *options, const struct cb_param *param, const char *text,
                                    struct cb_err *err)
{
    cJSON *more = cJSON_CreateObject();
    if (!more)
        return cb_no_memory(err);
    enum cb_status status = cb_options_set(more, param, text, err);
    cJSON *to = cJSON_GetObjectItemCaseSensitive(options, param->name);
    cJSON *from = cJSON_GetObjectItemCaseSensitive(more, param->name);
    while (status == CB_OK && cJSON_GetArraySize(from) > 0)
        cJSON_AddItemToArray(to, cJSON_DetachItemFromArray(from, 0));
    cJSON_Delete(more);
    return status;
}

static enum cb_status take_option(const struct parser *p, const struct cb_param *param,
                                  const char *value)
{
    bool own = p->own && param >= p->own && param < p->own + p->n_own;
    cJSON *options = own ? p->out->options : p->out->globals;
    enum cb_status status;
    if (cb_param_is_list(param) && cb_options_count(options, param->name) > 0)
        status = append_values(options, param, value, p->err);
    else
        status = cb_options_set(options, param, value, p->err);
    return status == CB_OK ? CB_OK : cb_context(p->err, "--%s", param->name);
}

/* Whether element spells the long option `code` only in part. getopt_long would take "--out" for
 * "--output-dir", until a later version has another --out...; a script has to keep its meaning. */
static bool is_abbreviated(const struct parser *p, int code, const char *element)
{
    const struct cb_param *param = code >= FIRST_LONG ? param_of(p, code) : NULL;
    return param && strcspn(element + 2, "=") != strlen(param->name);
}

/* Whether element is a long option with one dash: "-device" would quietly mean --device evice. */
static bool lacks_dash(const struct parser *p, const char *element)
{
    const char *name;
    size_t length = strcspn(element + 1, "=");
    for (int i = 0; (name = name_at(p, i)) != NULL; i++)
        if (strlen(name) == length && strncmp(element + 1, name, length) == 0)
            return length > 1;
    return false;
}

/* Takes what getopt_long returned for an element of argv. */
static enum cb_status take_code(const struct parser *p, int code, char *element)
{
    if (code == CODE_ARGUMENT) {
        p->out->positional[p->out->n_positional++] = optarg;
        return CB_OK;
    }
    bool failed = code == '?' || code == ':';
    if (is_abbreviated(p, failed ? optopt : code, element) || lacks_dash(p, element))
        return unknown_word(p, element);
    if (code == '?')
        return refuse_option(p, element);
    if (code == ':')
        return missing_value(p);
    return take_option(p, param_of(p, code), optarg ? optarg : "true");
}

static enum cb_status parse_all(const struct parser *p, int argc, char **argv)
{
    optind = 0; /* glibc: start anew, also within a cluster of letters */
    opterr = 0;
    for (;;) {
        int at = optind > 0 ? optind : 1; /* with '-' in letters, argv is read in order */
        int code = getopt_long(argc, argv, p->letters, p->long_options, NULL);
        if (code == -1)
            break;
        enum cb_status status = take_code(p, code, argv[at]);
        if (status != CB_OK)
            return status;
    }
    while (optind < argc)
        p->out->positional[p->out->n_positional++] = argv[optind++];
    return CB_OK;
}

enum cb_status cb_arguments_parse(int argc, char **argv, const struct cb_param *globals,
                                  const struct cb_param *own, struct cb_arguments *out,
                                  struct cb_err *err)
{
    struct cb_err unwanted;
    struct parser p = {.globals = globals, .own = own, .out = out};
    p.err = err ? err : &unwanted;
    *out = (struct cb_arguments){
        .globals = cJSON_CreateObject(),
        .options = cJSON_CreateObject(),
        .positional = calloc((size_t)argc + 1, sizeof *out->positional),
    };
    enum cb_status status = CB_OK;
    if (!out->globals || !out->options || !out->positional)
        status = cb_no_memory(p.err);
    if (status == CB_OK)
        status = describe_options(&p);
    if (status == CB_OK)
        status = parse_all(&p, argc, argv);
    out->help = cJSON_HasObjectItem(out->globals, "help");
    free(p.long_options);
    free(p.letters);
    if (status != CB_OK)
        cb_arguments_free(out);
    return status;
}

void cb_arguments_free(struct cb_arguments *arguments)
{
    cJSON_Delete(arguments->globals);
    cJSON_Delete(arguments->options);
    free(arguments->positional);
    *arguments = (struct cb_arguments){0};
}

enum cb_status cb_write_output(const char *path, const char *text, size_t size, struct cb_err *err)
{
    if (!path || strcmp(path, "-") == 0) {
        fwrite(text, 1, size, stdout); /* main() looks after what fails */
        return CB_OK;
    }
    struct stat there;
    if (stat(path, &there) != 0 || S_ISREG(there.st_mode)) /* readers see no half of it */
        return cb_replace_text(path, text, size, err) == CB_OK ? CB_OK : cb_context(err, "-o");
    FILE *out = fopen(path, "we");
    bool failed = !out || fwrite(text, 1, size, out) != size;
    int number = errno;
    if (out && fclose(out) != 0 && !failed) {
        number = errno;
        failed = true;
    }
    return failed ? cb_fail(err, CB_ERROR, "-o: cannot write %s: %s", path, strerror(number))
                  : CB_OK;
}
