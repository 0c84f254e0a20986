/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/param.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/text/json.h"
#include "measure/text/nearest.h"

/* --- Values ----------------------------------------------------------------------------------- */

static enum cb_status unexpected(struct cb_err *err, const char *expected, const char *value)
{
    return cb_fail(err, CB_USAGE, "expected %s, got \"%.100s\"", expected, value);
}

static bool parse_uint(const char *text, uint64_t *value)
{
    if (!*text || text[strspn(text, "0123456789")] != '\0')
        return false;
    errno = 0;
    *value = strtoull(text, NULL, 10);
    return errno == 0;
}

/* The characters are checked first: strtod also takes blanks, hexadecimal, "inf" and "nan". */
static bool parse_real(const char *text, double *value)
{
    if (!*text || *text == '+' || text[strspn(text, "0123456789.eE+-")] != '\0')
        return false;
    char *end = NULL;
    *value = strtod(text, &end);
    return *end == '\0' && isfinite(*value);
}

static uint64_t uint_limit(double limit)
{
    return limit <= 0 || limit >= (double)UINT64_MAX ? UINT64_MAX : (uint64_t)limit;
}

static enum cb_status check_uint(const struct cb_param *param, const char *text, struct cb_err *err)
{
    uint64_t value = 0, min = (uint64_t)param->min, max = uint_limit(param->max);
    if (parse_uint(text, &value) && value >= min && value <= max)
        return CB_OK;
    char expected[80];
    snprintf(expected, sizeof expected, "an integer from %" PRIu64 " to %" PRIu64, min, max);
    return unexpected(err, expected, text);
}

static enum cb_status check_real(const struct cb_param *param, const char *text, struct cb_err *err)
{
    double value = 0, max = param->max > 0 ? param->max : INFINITY;
    if (parse_real(text, &value) && value >= param->min && value <= max)
        return CB_OK;
    char expected[80];
    if (param->max > 0)
        snprintf(expected, sizeof expected, "a number from %g to %g", param->min, max);
    else
        snprintf(expected, sizeof expected, "a number of at least %g", param->min);
    return unexpected(err, expected, text);
}

/* --- Choices ---------------------------------------------------------------------------------- */

static bool is_choice(const char *choices, const char *value)
{
    size_t length = strlen(value);
    for (const char *choice = choices; choice; choice = strchr(choice, ',')) {
        choice += *choice == ',';
        if (length && strcspn(choice, ",") == length && strncmp(choice, value, length) == 0)
            return true;
    }
    return false;
}

/* "a,b" as "a, b". */
static void spell_choices(const char *choices, char *buffer, size_t size)
{
    size_t n = 0;
    for (const char *c = choices; *c && n + 2 < size; c++) {
        buffer[n++] = *c;
        if (*c == ',')
            buffer[n++] = ' ';
    }
    buffer[n] = '\0';
}

static enum cb_status check_choice(const struct cb_param *param, const char *value,
                                   struct cb_err *err)
{
    if (is_choice(param->choices, value))
        return CB_OK;
    char expected[1024] = "one of ", nearest[64];
    spell_choices(param->choices, expected + strlen(expected), sizeof expected - strlen(expected));
    unexpected(err, expected, value);
    if (err && cb_nearest_choice(value, param->choices, nearest, sizeof nearest)) {
        size_t n = strlen(err->text);
        snprintf(err->text + n, sizeof err->text - n, " (did you mean \"%s\"?)", nearest);
    }
    return CB_USAGE;
}

enum cb_status cb_param_check(const struct cb_param *param, const char *value, struct cb_err *err)
{
    switch (param->into.kind) {
    case CB_FIELD_FLAG:
        if (strcmp(value, "true") == 0 || strcmp(value, "false") == 0)
            return CB_OK;
        return unexpected(err, "true or false", value);
    case CB_FIELD_UINT:
    case CB_FIELD_GIVEN_UINT:
    case CB_FIELD_UINTS:
        return check_uint(param, value, err);
    case CB_FIELD_REAL:
    case CB_FIELD_REALS:
        return check_real(param, value, err);
    case CB_FIELD_TEXT:
    case CB_FIELD_TEXTS:
        if (param->choices)
            return check_choice(param, value, err);
        return *value ? CB_OK : unexpected(err, "a text that is not empty", value);
    default: /* no option has it */
        break;
    }
    return CB_ERROR;
}

const struct cb_param *cb_param_find(const struct cb_param *table, const char *name)
{
    for (const struct cb_param *param = table; param && param->name; param++)
        if (strcmp(param->name, name) == 0)
            return param;
    return NULL;
}

/* --- Options objects -------------------------------------------------------------------------- */

static enum cb_status add_value(cJSON *values, const struct cb_param *param, const char *value,
                                struct cb_err *err)
{
    enum cb_status status = cb_param_check(param, value, err);
    if (status != CB_OK)
        return status;
    return cJSON_AddItemToArray(values, cJSON_CreateString(value)) ? CB_OK : cb_no_memory(err);
}

static enum cb_status add_list(cJSON *values, const struct cb_param *param, const char *text,
                               struct cb_err *err)
{
    for (const char *element = text;; element++) {
        size_t length = strcspn(element, ",");
        if (length == 0)
            return unexpected(err, "values separated by commas, none of them empty", text);
        char *value = strndup(element, length);
        if (!value)
            return cb_no_memory(err);
        enum cb_status status = add_value(values, param, value, err);
        free(value);
        if (status != CB_OK)
            return status;
        element += length;
        if (*element == '\0')
            return CB_OK;
    }
}

enum cb_status cb_options_set(cJSON *options, const struct cb_param *param, const char *text,
                              struct cb_err *err)
{
    cJSON *values = cJSON_CreateArray();
    if (!values)
        return cb_no_memory(err);
    enum cb_status status = cb_param_splits(param) ? add_list(values, param, text, err)
                                                   : add_value(values, param, text, err);
    if (status == CB_OK && !cb_json_put(options, param->name, values))
        status = cb_no_memory(err);
    if (status != CB_OK)
        cJSON_Delete(values);
    return status;
}

bool cb_options_lack(const cJSON *options, const struct cb_param *table,
                     const struct cb_param *param)
{
    for (const struct cb_param *p = table; p->name; p++)
        if (p->instead_of && strcmp(p->instead_of, param->name) == 0 &&
            cb_options_count(options, p->name) > 0)
            return false;
    return cb_options_count(options, param->name) == 0;
}

void cb_options_complete(cJSON *options, const struct cb_param *table)
{
    bool quick = cb_options_flag(options, CB_QUICK);
    for (const struct cb_param *param = table; param && param->name; param++) {
        const char *value = quick && param->quick ? param->quick : param->default_value;
        if (value && cb_options_lack(options, table, param))
            cb_options_set(options, param, value, NULL);
    }
}

static struct cb_texts texts_of(const cJSON *options, const char *name)
{
    const cJSON *values = cJSON_GetObjectItemCaseSensitive(options, name);
    return (struct cb_texts){values, cJSON_GetArraySize(values)};
}

/* Gives the member the values of its option, of which there is one at least. */
static void read_values(const struct cb_member *member, struct cb_texts values, void *into)
{
    char *at = (char *)into + member->at;
    const char *text = cb_texts_at(values, 0);
    switch (member->kind) {
    case CB_FIELD_FLAG:
        *(bool *)at = strcmp(text, "true") == 0;
        break;
    case CB_FIELD_UINT:
    case CB_FIELD_GIVEN_UINT:
        cb_member_set_uint(member, into, strtoull(text, NULL, 10));
        break;
    case CB_FIELD_REAL:
        *(double *)at = strtod(text, NULL);
        break;
    case CB_FIELD_TEXT:
        *(const char **)at = text;
        break;
    case CB_FIELD_TEXTS:
    case CB_FIELD_UINTS:
    case CB_FIELD_REALS: /* lists of numbers are the texts, too */
        *(struct cb_texts *)at = values;
        break;
    default:
        break;
    }
}

void cb_options_read_sized(const cJSON *options, const struct cb_param *table, void *into,
                           size_t size)
{
    for (const struct cb_param *param = table; param->name; param++) {
        const struct cb_texts values = texts_of(options, param->name);
        if (!param->into.name)
            continue;
        cb_member_fit(&param->into, size);
        cb_member_clear(&param->into, into);
        if (values.n > 0)
            read_values(&param->into, values, into);
    }
}

int cb_options_count(const cJSON *options, const char *name)
{
    return cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(options, name));
}

const char *cb_options_text(const cJSON *options, const char *name, int i)
{
    const cJSON *values = cJSON_GetObjectItemCaseSensitive(options, name);
    return cJSON_GetStringValue(cJSON_GetArrayItem(values, i));
}

bool cb_options_flag(const cJSON *options, const char *name)
{
    return cb_text_is(cb_options_text(options, name, 0), "true");
}
