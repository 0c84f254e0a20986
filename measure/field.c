/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/field.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Members --------------------------------------------------------------------------------- */

/* The address of the member in a struct. */
static void *in(const struct cb_member *member, const void *whole)
{
    return (char *)(uintptr_t)whole + member->at;
}

void cb_member_fit(const struct cb_member *member, size_t size)
{
    if (member->whole != size)
        abort();
}

void cb_member_clear(const struct cb_member *member, void *into)
{
    memset(in(member, into), 0, member->size);
    if (member->kind == CB_FIELD_REAL)
        *(double *)in(member, into) = NAN;
}

void cb_member_set_uint(const struct cb_member *member, void *into, uint64_t value)
{
    if (member->kind == CB_FIELD_GIVEN_UINT)
        *(struct cb_given_uint *)in(member, into) = (struct cb_given_uint){true, value};
    else if (member->size == sizeof(uint64_t))
        *(uint64_t *)in(member, into) = value;
    else
        *(unsigned *)in(member, into) = value < UINT_MAX ? (unsigned)value : UINT_MAX;
}

static uint64_t uint_of(const struct cb_member *member, const void *from)
{
    return member->size == sizeof(uint64_t) ? *(const uint64_t *)in(member, from)
                                            : *(const unsigned *)in(member, from);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void read_number(const struct cb_member *member, void *into, double value)
{
    if (member->kind == CB_FIELD_REAL)
        *(double *)in(member, into) = value;
    else if (value >= 0)
        cb_member_set_uint(member, into, value < (double)UINT64_MAX ? (uint64_t)value : UINT64_MAX);
}

static void read_item(const struct cb_member *member, void *into, const cJSON *item)
{
    switch (member->kind) {
    case CB_FIELD_FLAG:
        *(bool *)in(member, into) = cJSON_IsTrue(item);
        break;
    case CB_FIELD_GIVEN_FLAG:
        *(struct cb_given_flag *)in(member, into) =
            (struct cb_given_flag){cJSON_IsBool(item), cJSON_IsTrue(item)};
        break;
    case CB_FIELD_UINT:
    case CB_FIELD_GIVEN_UINT:
    case CB_FIELD_REAL:
        if (cJSON_IsNumber(item))
            read_number(member, into, item->valuedouble);
        break;
    case CB_FIELD_TEXT:
        *(const char **)in(member, into) = cJSON_GetStringValue(item);
        break;
    default: /* lists are of options only */
        break;
    }
}

void cb_fields_clear_sized(const struct cb_field *fields, void *into, size_t size)
{
    memset(into, 0, size);
    for (const struct cb_field *f = fields; f->key; f++) {
        cb_member_fit(&f->member, size);
        cb_member_clear(&f->member, into);
    }
}

void cb_fields_read_sized(const cJSON *object, const struct cb_field *fields, void *into,
                          size_t size)
{
    cb_fields_clear_sized(fields, into, size);
    for (const struct cb_field *f = fields; f->key; f++)
        read_item(&f->member, into, cJSON_GetObjectItemCaseSensitive(object, f->key));
}

enum cb_status cb_fields_check(const cJSON *object, const struct cb_field *fields,
                               struct cb_err *err)
{
    for (const struct cb_field *f = fields; f && f->key; f++)
        if (f->needed && !cJSON_IsString(cJSON_GetObjectItemCaseSensitive(object, f->key)))
            return cb_fail(err, CB_ERROR, "the parameter \"%s\" is missing, or no text", f->key);
    return CB_OK;
}

static void write_number(cJSON *object, const struct cb_field *f, double value)
{
    if (value != 0 || f->always)
        cJSON_AddNumberToObject(object, f->key, value);
}

static void write_field(cJSON *object, const struct cb_field *f, const void *from)
{
    const void *member = in(&f->member, from);
    const struct cb_given_uint *given = member;
    switch (f->member.kind) {
    case CB_FIELD_FLAG:
        if (*(const bool *)member || f->always)
            cJSON_AddBoolToObject(object, f->key, *(const bool *)member);
        break;
    case CB_FIELD_UINT:
        write_number(object, f, (double)uint_of(&f->member, from));
        break;
    case CB_FIELD_GIVEN_UINT:
        if (given->given)
            cJSON_AddNumberToObject(object, f->key, (double)given->value);
        break;
    case CB_FIELD_GIVEN_FLAG:
        if (((const struct cb_given_flag *)member)->given)
            cJSON_AddBoolToObject(object, f->key, ((const struct cb_given_flag *)member)->value);
        break;
    case CB_FIELD_REAL:
        if (!isnan(*(const double *)member))
            cJSON_AddNumberToObject(object, f->key, *(const double *)member);
        break;
    case CB_FIELD_TEXT:
        if (*(const char *const *)member)
            cJSON_AddStringToObject(object, f->key, *(const char *const *)member);
        break;
    default:
        break;
    }
}

void cb_fields_write_sized(cJSON *object, const struct cb_field *fields, const void *from,
                           size_t size)
{
    for (const struct cb_field *f = fields; f->key; f++) {
        cb_member_fit(&f->member, size);
        write_field(object, f, from);
    }
}

/* ---- Lists ----------------------------------------------------------------------------------- */

const char *cb_texts_at(struct cb_texts list, int i)
{
    return cJSON_GetStringValue(cJSON_GetArrayItem(list.values, i));
}

uint64_t cb_uints_at(struct cb_uints list, int i)
{
    const char *text = cb_texts_at(list.texts, i);
    return text ? strtoull(text, NULL, 10) : 0;
}

double cb_reals_at(struct cb_reals list, int i)
{
    const char *text = cb_texts_at(list.texts, i);
    return text ? strtod(text, NULL) : (double)NAN;
}

bool cb_texts_have(struct cb_texts list, const char *text)
{
    for (int i = 0; i < list.n; i++)
        if (strcmp(cb_texts_at(list, i), text) == 0)
            return true;
    return false;
}
