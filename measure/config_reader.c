/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/config_reader.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/text/json_locate.h"

#define MAX_EXACT 9007199254740992.0 /* 2^53: beyond, the double of cJSON loses digits */

/* --- Errors ----------------------------------------------------------------------------------- */

/* "FILE:LINE: where: " in front of the message there is. */
static enum cb_status at(const struct cb_config_reader *r, const cJSON *node, const char *where)
{
    return cb_context(r->err, "%s:%d: %s", r->path, cb_json_line(r->text, r->tree, node), where);
}

enum cb_status cb_config_fail(const struct cb_config_reader *r, const cJSON *node,
                              const char *where, const char *format, ...)
{
    char what[CB_ERR_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    cb_fail(r->err, CB_USAGE, "%s", what);
    return at(r, node, where);
}

enum cb_status cb_config_no_memory(const struct cb_config_reader *r)
{
    return cb_fail(r->err, CB_ERROR, "%s: out of memory", r->path);
}

void cb_config_name_child(char name[CB_CONFIG_WHERE], const cJSON *node, const char *where,
                          const cJSON *child, int i)
{
    int n;
    if (cJSON_IsArray(node))
        n = snprintf(name, CB_CONFIG_WHERE, "%s[%d]", where, i);
    else
        n = snprintf(name, CB_CONFIG_WHERE, "%s%s%s", where, *where ? "." : "", child->string);
    if (n >= CB_CONFIG_WHERE)
        memcpy(name + CB_CONFIG_WHERE - sizeof "...", "...", sizeof "...");
}

/* --- Values ----------------------------------------------------------------------------------- */

const char *cb_config_kind(const cJSON *node)
{
    if (cJSON_IsNull(node))
        return "null";
    if (cJSON_IsBool(node))
        return cJSON_IsTrue(node) ? "true" : "false";
    if (cJSON_IsNumber(node))
        return "a number";
    if (cJSON_IsString(node))
        return "a string";
    return cJSON_IsArray(node) ? "an array" : "an object";
}

/* A number as on the command line: the fewest digits that give it back. */
static void spell_number(double number, char *text, size_t size)
{
    if (number == floor(number)) {
        snprintf(text, size, "%.0f", number);
        return;
    }
    snprintf(text, size, "%.15g", number);
    if (strtod(text, NULL) != number)
        snprintf(text, size, "%.17g", number);
}

/* The value of a node as on the command line; a number is spelled in `number`. NULL: failed. */
static const char *spell(const struct cb_config_reader *r, const cJSON *node, const char *where,
                         const struct cb_param *param, char number[64])
{
    const char *expected =
        cb_param_is_list(param) ? "a string, a number or an array of them" : "a string or a number";
    if (!cb_param_has_value(param)) {
        if (cJSON_IsBool(node))
            return cJSON_IsTrue(node) ? "true" : "false";
        expected = "true or false";
    } else if (cJSON_IsString(node)) {
        return node->valuestring;
    } else if (cJSON_IsNumber(node) && fabs(node->valuedouble) <= MAX_EXACT) {
        spell_number(node->valuedouble, number, 64);
        return number;
    } else if (cJSON_IsNumber(node)) {
        cb_config_fail(r, node, where,
                       "a number this large is not exact in JSON: write it as a string");
        return NULL;
    }
    cb_config_fail(r, node, where, "expected %s, got %s", expected, cb_config_kind(node));
    return NULL;
}

static enum cb_status read_value(const struct cb_config_reader *r, const cJSON *node,
                                 const char *where, const struct cb_param *param, cJSON *values)
{
    char number[64];
    const char *value = spell(r, node, where, param, number);
    if (!value)
        return CB_USAGE;
    if (cb_param_check(param, value, r->err) == CB_OK)
        return cJSON_AddItemToArray(values, cJSON_CreateString(value)) ? CB_OK
                                                                       : cb_config_no_memory(r);
    if (cb_param_is_list(param) && strchr(value, ',')) {
        size_t n = strlen(r->err->text);
        snprintf(r->err->text + n, sizeof r->err->text - n,
                 "; several values are an array: [\"a\", \"b\"]");
    }
    return at(r, node, where);
}

static enum cb_status read_option(const struct cb_config_reader *r, const cJSON *node,
                                  const char *where, const struct cb_param *param, cJSON *options)
{
    cJSON *values = cJSON_AddArrayToObject(options, param->name);
    if (!values)
        return cb_config_no_memory(r);
    if (!cJSON_IsArray(node))
        return read_value(r, node, where, param, values);
    if (!cb_param_is_list(param))
        return cb_config_fail(r, node, where, "expected one value, got an array");
    if (!node->child)
        return cb_config_fail(r, node, where, "expected at least one value, got an empty array");
    enum cb_status status = CB_OK;
    int i = 0;
    for (const cJSON *child = node->child; child && status == CB_OK; child = child->next) {
        char inner[CB_CONFIG_WHERE];
        cb_config_name_child(inner, node, where, child, i++);
        status = read_value(r, child, inner, param, values);
    }
    return status;
}

enum cb_status cb_config_read_options(const struct cb_config_reader *r, const cJSON *object,
                                      const char *where, const struct cb_param *table,
                                      const struct cb_param *except, cJSON *options)
{
    enum cb_status status = CB_OK;
    for (const cJSON *node = object->child; node && status == CB_OK; node = node->next) {
        const struct cb_param *param = cb_param_find(table, node->string);
        char inner[CB_CONFIG_WHERE];
        cb_config_name_child(inner, object, where, node, 0);
        if (param && !cb_param_find(except, node->string))
            status = read_option(r, node, inner, param, options);
    }
    return status;
}
