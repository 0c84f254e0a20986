/* SPDX-License-Identifier: Apache-2.0
 *
 * Fields: members of a struct that are filled from JSON or from options, and written as JSON. The
 * kind of a field is the type of its member, and its name is the member's: a wrong one does not
 * compile. A member's name ends in its unit: hold_s, deadline_ns, cap_w.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "runtime/host/error.h"

/* Values of an option that takes several: a view of the options object, which has to stay. */
struct cb_texts {
    const cJSON *values; /* strings */
    int n;
};
struct cb_uints {
    struct cb_texts texts; /* as given */
};
struct cb_reals {
    struct cb_texts texts;
};

/* A number that may be 0, and may be missing. */
struct cb_given_uint {
    bool given;
    uint64_t value;
};

/* A flag that may be false, and may be missing. */
struct cb_given_flag {
    bool given, value;
};

/* What a member holds if it is missing: false, 0, not given, NaN, NULL, no values. */
enum cb_field_kind {
    CB_FIELD_NONE, /* no member */
    CB_FIELD_FLAG,
    CB_FIELD_UINT, /* unsigned, or of 64 bits */
    CB_FIELD_GIVEN_UINT,
    CB_FIELD_GIVEN_FLAG, /* in JSON only */
    CB_FIELD_REAL,
    CB_FIELD_TEXT, /* belongs to the JSON that was read */
    CB_FIELD_TEXTS,
    CB_FIELD_UINTS,
    CB_FIELD_REALS,
};

struct cb_member {
    const char *name; /* "hold_s" */
    enum cb_field_kind kind;
    size_t at, size;
    size_t whole; /* size of the struct */
};

/* clang-format off */
#define CB_KIND_OF_MEMBER(value)                                                                   \
    _Generic((value),                                                                              \
        bool: CB_FIELD_FLAG,                                                                       \
        unsigned: CB_FIELD_UINT,                                                                   \
        unsigned long: CB_FIELD_UINT,                                                              \
        unsigned long long: CB_FIELD_UINT,                                                         \
        struct cb_given_uint: CB_FIELD_GIVEN_UINT,                                                 \
        struct cb_given_flag: CB_FIELD_GIVEN_FLAG,                                                 \
        double: CB_FIELD_REAL,                                                                     \
        const char *: CB_FIELD_TEXT,                                                               \
        struct cb_texts: CB_FIELD_TEXTS,                                                           \
        struct cb_uints: CB_FIELD_UINTS,                                                           \
        struct cb_reals: CB_FIELD_REALS)
/* clang-format on */

/* The member of a struct, which may be one of a struct in it: CB_MEMBER(struct a, b.c). */
#define CB_MEMBER(STRUCT, MEMBER)                                                                  \
    {                                                                                              \
        .name = #MEMBER, .kind = CB_KIND_OF_MEMBER(((STRUCT *)0)->MEMBER),                         \
        .at = offsetof(STRUCT, MEMBER), .size = sizeof(((STRUCT *)0)->MEMBER),                     \
        .whole = sizeof(STRUCT)                                                                    \
    }

/* A key of a JSON object, and the member that has its value. */
struct cb_field {
    const char *key;
    struct cb_member member;
    bool always; /* written also when it is false or 0 */
    bool needed; /* a text without which there is no case (cb_fields_check()) */
};

#define CB_FIELD(STRUCT, KEY, MEMBER)                                                              \
    {                                                                                              \
        .key = KEY, .member = CB_MEMBER(STRUCT, MEMBER)                                            \
    }
#define CB_FIELD_ALWAYS(STRUCT, KEY, MEMBER)                                                       \
    {                                                                                              \
        .key = KEY, .member = CB_MEMBER(STRUCT, MEMBER), .always = true                            \
    }
#define CB_FIELD_NEEDED(STRUCT, KEY, MEMBER)                                                       \
    {                                                                                              \
        .key = KEY, .member = CB_MEMBER(STRUCT, MEMBER), .needed = true                            \
    }

/* Fills a struct from the object, by a table that ends with a field without key. A key that is
 * missing, or has a value of another type, leaves the member as if it were not given; a member
 * without a field becomes 0. As all that takes a table and a struct, it aborts if these do not fit
 * (cb_member_fit()). */
#define cb_fields_read(object, fields, into)                                                       \
    cb_fields_read_sized(object, fields, into, sizeof *(into))
void cb_fields_read_sized(const cJSON *object, const struct cb_field *fields, void *into,
                          size_t size);

/* Whether the object has all texts that its table needs, so that who reads it may compare them.
 * fields may be NULL: nothing is needed. CB_ERROR: it lacks one, which err names. */
enum cb_status cb_fields_check(const cJSON *object, const struct cb_field *fields,
                               struct cb_err *err);

/* Makes all fields of a struct missing, and 0 what has none. */
#define cb_fields_clear(fields, into) cb_fields_clear_sized(fields, into, sizeof *(into))
void cb_fields_clear_sized(const struct cb_field *fields, void *into, size_t size);

/* Adds the fields to the object, in the order of the table, but for what is missing. */
#define cb_fields_write(object, fields, from)                                                      \
    cb_fields_write_sized(object, fields, from, sizeof *(from))
void cb_fields_write_sized(cJSON *object, const struct cb_field *fields, const void *from,
                           size_t size);

/* Aborts if the member is of a struct of another size than this: a table of one struct with another
 * would read and write beside it, and is a bug that no input makes. */
void cb_member_fit(const struct cb_member *member, size_t size);

/* Sets a member to what is missing. */
void cb_member_clear(const struct cb_member *member, void *into);

/* Sets a member of kind CB_FIELD_UINT or CB_FIELD_GIVEN_UINT; one that is too large becomes the
 * largest. */
void cb_member_set_uint(const struct cb_member *member, void *into, uint64_t value);

/* Whether the member takes several values. */
static inline bool cb_member_is_list(const struct cb_member *member)
{
    return member->kind >= CB_FIELD_TEXTS;
}

/* Value i of a list; NULL, 0, NaN: there is none. */
const char *cb_texts_at(struct cb_texts list, int i);
uint64_t cb_uints_at(struct cb_uints list, int i);
double cb_reals_at(struct cb_reals list, int i);

/* Whether the text is among the values. */
bool cb_texts_have(struct cb_texts list, const char *text);

/* Whether a text that may be missing is this one. */
static inline bool cb_text_is(const char *text, const char *value)
{
    return text && strcmp(text, value) == 0;
}
