/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/graphs/scan.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "runtime/host/text.h"

#define MAX_WORD  64 /* no number has more characters; so many are in the window with a word */
#define KEPT_LINE 4096
#define TOO_LARGE (UINT64_MAX / 16) /* a number that stays there has too many digits */

/* --- Characters ------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_line_end(const char *c)
{
    return *c == '\n' || (*c == '\r' && c[1] == '\n');
}

static bool is_word_end(const char *c)
{
    return is_blank(*c) || is_line_end(c);
}

/* Both ends are in the window at the latest: a '\n' stands there. */
static const char *word_end(const char *c)
{
    while (!is_word_end(c))
        c++;
    return c;
}

static const char *line_end(const char *c)
{
    while (!is_line_end(c))
        c++;
    return c;
}

/* Makes sure that the next word is in the window, and the beginning of the line too if it is near,
 * for messages. */
static void need_word(struct cb_scan *scan)
{
    struct cb_graph_input *input = scan->input;
    if (input->end - input->at > MAX_WORD || input->ended)
        return;
    if (input->at - scan->line > KEPT_LINE)
        scan->line = input->at;
    scan->line -= cb_graph_input_more(input, scan->line);
}

static void skip_blanks(struct cb_scan *scan)
{
    struct cb_graph_input *input = scan->input;
    do {
        need_word(scan);
        while (is_blank(*input->at))
            input->at++;
    } while (input->end - input->at <= MAX_WORD && !input->ended);
}

/* --- Lines and words -------------------------------------------------------------------------- */

static void skip_line(struct cb_graph_input *input)
{
    const char *newline;
    while (!(newline = memchr(input->at, '\n', (size_t)(input->end - input->at)))) {
        input->at = input->end;
        if (input->ended)
            return;
        cb_graph_input_more(input, input->at);
    }
    input->at = newline + 1;
}

bool cb_scan_next_line(struct cb_scan *scan)
{
    struct cb_graph_input *input = scan->input;
    if (scan->line_number > 0)
        skip_line(input);
    scan->line = input->at;
    need_word(scan);
    if (input->at == input->end)
        return false;
    scan->line_number++;
    return true;
}

char cb_scan_peek(struct cb_scan *scan)
{
    skip_blanks(scan);
    return is_line_end(scan->input->at) ? '\n' : *scan->input->at;
}

bool cb_scan_skip_word(struct cb_scan *scan, const char *word)
{
    skip_blanks(scan);
    size_t n = strlen(word);
    if ((size_t)(word_end(scan->input->at) - scan->input->at) != n ||
        strncasecmp(scan->input->at, word, n) != 0)
        return false;
    scan->input->at += n;
    return true;
}

enum cb_status cb_scan_end(struct cb_scan *scan, const char *form)
{
    char quoted[CB_SCAN_QUOTED];
    if (cb_scan_peek(scan) == '\n')
        return CB_OK;
    const char *at = scan->input->at;
    return cb_scan_wrong(scan, "expected the end of the line after \"%s\", got %s", form,
                         cb_scan_quote(at, line_end(at), quoted));
}

/* --- Numbers ---------------------------------------------------------------------------------- */

static enum cb_status wrong_number(struct cb_scan *scan, const struct cb_scan_range *range)
{
    return cb_scan_wrong_word(scan, "%s: expected an integer from %" PRIu64 " to %" PRIu64,
                              range->name, range->min, range->max);
}

/* The digits at *at, which it moves past them. */
static uint64_t read_digits(const char **at)
{
    uint64_t value = 0;
    for (; is_digit(**at); ++*at)
        value = value < TOO_LARGE ? 10 * value + (uint64_t)(**at - '0') : TOO_LARGE;
    return value;
}

enum cb_status cb_scan_number(struct cb_scan *scan, const struct cb_scan_range *range,
                              uint64_t *value)
{
    skip_blanks(scan);
    const char *at = scan->input->at;
    *value = read_digits(&at);
    ptrdiff_t n = at - scan->input->at;
    if (n == 0 || n > MAX_WORD || !is_word_end(at) || *value < range->min || *value > range->max)
        return wrong_number(scan, range);
    scan->input->at = at;
    return CB_OK;
}

enum cb_status cb_scan_line(struct cb_scan *scan, const char *form,
                            const struct cb_scan_range *ranges, size_t count, uint64_t *values)
{
    enum cb_status status = CB_OK;
    for (size_t i = 0; i < count && status == CB_OK; i++)
        status = cb_scan_number(scan, &ranges[i], &values[i]);
    return status == CB_OK ? cb_scan_end(scan, form) : status;
}

/* strtod() reads more than decimal numbers, and says what it read; false if it is none of them. */
static bool read_decimal(const char *word, const char *end, double *value)
{
    char *stop;
    if (word == end || end - word > MAX_WORD ||
        strspn(word, "+-.0123456789eE") < (size_t)(end - word))
        return false;
    *value = strtod(word, &stop);
    return stop == end;
}

static bool read_real(const char *word, const char *end, uint64_t max, uint64_t *value)
{
    double real;
    if (!read_decimal(word, end, &real))
        return false;
    *value = fabs(real) < (double)max ? (uint64_t)llround(fabs(real)) : max;
    return true;
}

static bool read_integer(const char *word, const char *end, uint64_t max, uint64_t *value)
{
    if (word == end || end - word > MAX_WORD)
        return false;
    word += *word == '-' || *word == '+';
    *value = is_digit(*word) ? read_digits(&word) : 0;
    if (*value > max)
        *value = max;
    return word == end && is_digit(end[-1]);
}

enum cb_status cb_scan_magnitude(struct cb_scan *scan, const struct cb_scan_range *range,
                                 bool integer, uint64_t *value)
{
    skip_blanks(scan);
    const char *at = scan->input->at, *end = word_end(at);
    if (!(integer ? read_integer : read_real)(at, end, range->max, value))
        return cb_scan_wrong_word(scan, "%s: expected %s", range->name,
                                  integer ? "an integer" : "a number");
    scan->input->at = end;
    return CB_OK;
}

enum cb_status cb_scan_decimal(struct cb_scan *scan, const char *name, double *value)
{
    skip_blanks(scan);
    const char *at = scan->input->at, *end = word_end(at);
    if (!read_decimal(at, end, value) || !isfinite(*value))
        return cb_scan_wrong_word(scan, "%s: expected a number", name);
    scan->input->at = end;
    return CB_OK;
}

/* --- Errors ----------------------------------------------------------------------------------- */

const char *cb_scan_quote(const char *from, const char *to, char quoted[CB_SCAN_QUOTED])
{
    char excerpt[CB_SCAN_SHOWN + 1];
    size_t n = to - from > CB_SCAN_SHOWN ? CB_SCAN_SHOWN : (size_t)(to - from);
    memcpy(excerpt, from, n);
    excerpt[n] = '\0';
    quoted[0] = '"';
    size_t length = cb_text_clean(quoted + 1, CB_SCAN_QUOTED - 1, excerpt, n, CB_TEXT_QUOTED);
    strcpy(quoted + 1 + length, from + n < to ? "...\"" : "\"");
    return quoted;
}

/* A file that could not be read to its end is wrong for that reason. */
static enum cb_status fail(const struct cb_scan *scan, const char *format, va_list args,
                           const char *got, const char *quoted)
{
    char what[1024];
    struct cb_graph_input *input = scan->input;
    if (input->status != CB_OK)
        return input->status;
    vsnprintf(what, sizeof what, format, args);
    return cb_fail(input->err, CB_USAGE, "%s:%" PRIu64 ": %s%s%s", input->path,
                   scan->line_number ? scan->line_number : 1, what, got, quoted);
}

enum cb_status cb_scan_wrong(const struct cb_scan *scan, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    enum cb_status status = fail(scan, format, args, "", "");
    va_end(args);
    return status;
}

enum cb_status cb_scan_wrong_line(const struct cb_scan *scan, const char *format, ...)
{
    char quoted[CB_SCAN_QUOTED];
    va_list args;
    va_start(args, format);
    enum cb_status status =
        fail(scan, format, args, ", got ", cb_scan_quote(scan->line, line_end(scan->line), quoted));
    va_end(args);
    return status;
}

enum cb_status cb_scan_wrong_word(struct cb_scan *scan, const char *format, ...)
{
    char quoted[CB_SCAN_QUOTED];
    bool missing = cb_scan_peek(scan) == '\n';
    const char *from = missing ? scan->line : scan->input->at;
    cb_scan_quote(from, missing ? line_end(from) : word_end(from), quoted);
    va_list args;
    va_start(args, format);
    enum cb_status status =
        fail(scan, format, args, missing ? ", got the end of " : ", got ", quoted);
    va_end(args);
    return status;
}
