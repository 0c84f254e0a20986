/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/param.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_WORD   63 /* a misspelt longer one has no nearest: nobody would type it */
#define MIN_PREFIX 3

/* --- Values --------------------------------------------------------------------------------- */

static enum cb_status no_memory(struct cb_err *err)
{
    return cb_fail(err, CB_ERROR, "out of memory");
}

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

/* --- Choices -------------------------------------------------------------------------------- */

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
    switch (param->type) {
    case CB_PARAM_FLAG:
        if (strcmp(value, "true") == 0 || strcmp(value, "false") == 0)
            return CB_OK;
        return unexpected(err, "true or false", value);
    case CB_PARAM_UINT:
        return check_uint(param, value, err);
    case CB_PARAM_REAL:
        return check_real(param, value, err);
    case CB_PARAM_CHOICE:
        return check_choice(param, value, err);
    case CB_PARAM_TEXT:
        return *value ? CB_OK : unexpected(err, "a text that is not empty", value);
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

/* --- Options objects ------------------------------------------------------------------------ */

static enum cb_status add_value(cJSON *values, const struct cb_param *param, const char *value,
                                struct cb_err *err)
{
    enum cb_status status = cb_param_check(param, value, err);
    if (status != CB_OK)
        return status;
    return cJSON_AddItemToArray(values, cJSON_CreateString(value)) ? CB_OK : no_memory(err);
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
            return no_memory(err);
        enum cb_status status = add_value(values, param, value, err);
        free(value);
        if (status != CB_OK)
            return status;
        element += length;
        if (*element == '\0')
            return CB_OK;
    }
}

static bool replace_member(cJSON *object, const char *name, cJSON *item)
{
    cJSON_DeleteItemFromObjectCaseSensitive(object, name);
    return cJSON_AddItemToObject(object, name, item);
}

enum cb_status cb_options_set(cJSON *options, const struct cb_param *param, const char *text,
                              struct cb_err *err)
{
    cJSON *values = cJSON_CreateArray();
    if (!values)
        return no_memory(err);
    enum cb_status status = cb_param_splits(param) ? add_list(values, param, text, err)
                                                   : add_value(values, param, text, err);
    if (status == CB_OK && !replace_member(options, param->name, values))
        status = no_memory(err);
    if (status != CB_OK)
        cJSON_Delete(values);
    return status;
}

void cb_options_complete(cJSON *options, const struct cb_param *table)
{
    bool quick = cb_options_flag(options, CB_QUICK);
    for (const struct cb_param *param = table; param && param->name; param++) {
        const char *value = quick && param->quick ? param->quick : param->default_value;
        if (value && cb_options_count(options, param->name) == 0)
            cb_options_set(options, param, value, NULL);
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

const char *cb_options_first(const cJSON *options, const char *name, const char *fallback)
{
    const char *value = cb_options_text(options, name, 0);
    return value ? value : fallback;
}

uint64_t cb_options_uint(const cJSON *options, const char *name, uint64_t fallback)
{
    const char *text = cb_options_text(options, name, 0);
    uint64_t value = 0;
    return text && parse_uint(text, &value) ? value : fallback;
}

double cb_options_real(const cJSON *options, const char *name, double fallback)
{
    const char *text = cb_options_text(options, name, 0);
    double value = 0;
    return text && parse_real(text, &value) ? value : fallback;
}

bool cb_options_flag(const cJSON *options, const char *name)
{
    return strcmp(cb_options_first(options, name, "false"), "true") == 0;
}

/* --- The nearest word ("did you mean") -------------------------------------------------------- */

static size_t min_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Damerau-Levenshtein distance in its optimal-string-alignment form: inserted, deleted and replaced
 * letters and swapped neighbours cost 1 each. Both words have at most MAX_WORD letters. */
static size_t distance(const char *a, const char *b)
{
    size_t row[3][MAX_WORD + 1]; /* of the alignment matrix: this one and the two before */
    size_t length_a = strlen(a), length_b = strlen(b);
    for (size_t j = 0; j <= length_b; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= length_a; i++) {
        size_t *now = row[i % 3];
        const size_t *last = row[(i + 2) % 3], *last_but_one = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= length_b; j++) {
            now[j] =
                min_of(min_of(last[j], now[j - 1]) + 1, last[j - 1] + !same(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                now[j] = min_of(now[j], last_but_one[j - 2] + 1);
        }
    }
    return row[length_a % 3][length_b];
}

/* Whether word can stand for a candidate at this distance. A word that shares no letter with the
 * candidate never does, however short both are. */
static bool is_near(const char *word, const char *candidate, size_t d)
{
    size_t length = strlen(word);
    if (length >= MIN_PREFIX && strncasecmp(word, candidate, length) == 0)
        return true;
    size_t longer = length > strlen(candidate) ? length : strlen(candidate);
    return d <= (length / 3 > 1 ? length / 3 : 1) && d < longer;
}

const char *cb_nearest(const char *word, const char *(*next)(const void *context, int i),
                       const void *context)
{
    const char *best = NULL, *candidate;
    size_t best_distance = 0;
    if (strlen(word) > MAX_WORD)
        return NULL;
    for (int i = 0; (candidate = next(context, i)) != NULL; i++) {
        if (strlen(candidate) > MAX_WORD)
            continue;
        size_t d = distance(word, candidate);
        if (is_near(word, candidate, d) && (!best || d < best_distance)) {
            best = candidate;
            best_distance = d;
        }
    }
    return best;
}

/* Word i of words that end with a null each, and with an empty word. */
static const char *packed_word(const void *words, int i)
{
    const char *word = words;
    for (; i > 0 && *word; i--)
        word += strlen(word) + 1;
    return *word ? word : NULL;
}

const char *cb_nearest_choice(const char *word, const char *choices, char *buffer, size_t size)
{
    char *words = calloc(strlen(choices) + 2, 1);
    if (!words)
        return NULL;
    for (size_t i = 0; choices[i]; i++)
        words[i] = choices[i];
    for (char *comma = words; (comma = strchr(comma, ',')) != NULL;)
        *comma++ = '\0';
    const char *nearest = cb_nearest(word, packed_word, words);
    bool fits = nearest && strlen(nearest) < size;
    if (fits)
        memcpy(buffer, nearest, strlen(nearest) + 1);
    free(words);
    return fits ? buffer : NULL;
}
