/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/source_tokens.h"

#include <ctype.h>
#include <string.h>

bool cb_token_is(struct cb_token t, const char *word)
{
    return t.n == strlen(word) && memcmp(t.at, word, t.n) == 0;
}

bool cb_token_is_any_of(struct cb_token t, const char *const *words)
{
    while (words && *words && !cb_token_is(t, *words))
        words++;
    return words && *words;
}

static bool is_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The length of a backslash and the end of the line that it continues; 0 of anything else. */
static size_t continuation(const char *at)
{
    size_t end = at[0] == '\\' && at[1] == '\r' ? 2 : 1;
    return at[0] == '\\' && at[end] == '\n' ? end + 1 : 0;
}

static size_t comment(const char *at)
{
    const char *end = at + 2;
    if (strncmp(at, "/*", 2) == 0) {
        end = strstr(end, "*/");
        return end ? (size_t)(end - at) + 2 : strlen(at);
    }
    if (strncmp(at, "//", 2) != 0)
        return 0;
    while (*end && *end != '\n')
        end += *end == '\\' && continuation(end) ? continuation(end) : 1;
    return (size_t)(end - at);
}

static size_t blanks(const char *at)
{
    size_t n = strspn(at, " \t\r\f\v");
    if (n == 0)
        n = continuation(at);
    return n ? n : comment(at);
}

static size_t number(const char *at)
{
    const char *end = at + (*at == '.');
    if (!isdigit((unsigned char)*end))
        return 0;
    while (is_of_name(*end) || *end == '.' ||
           ((*end == '+' || *end == '-') && strchr("eEpP", end[-1])))
        end++;
    return (size_t)(end - at);
}

static size_t name(const char *at)
{
    size_t n = 0;
    while (is_of_name(at[n]))
        n++;
    return n;
}

/* A literal; one that is not closed ends with its line. */
static size_t literal(const char *at)
{
    const char *end = at + 1;
    while (*end && *end != *at && *end != '\n')
        end += *end == '\\' && end[1] ? 2 : 1;
    return (size_t)(end - at) + (*end == *at);
}

static struct cb_token read_token(const char *at)
{
    size_t n;
    if (*at == '\0')
        return (struct cb_token){CB_TOKEN_END, at, 0};
    if (*at == '\n')
        return (struct cb_token){CB_TOKEN_NEWLINE, at, 1};
    if ((n = blanks(at)))
        return (struct cb_token){CB_TOKEN_BLANK, at, n};
    if ((n = number(at)))
        return (struct cb_token){CB_TOKEN_OTHER, at, n};
    if ((n = name(at)))
        return (struct cb_token){CB_TOKEN_NAME, at, n};
    return (struct cb_token){CB_TOKEN_OTHER, at, *at == '"' || *at == '\'' ? literal(at) : 1};
}

struct cb_token cb_token_next(struct cb_scanner *s)
{
    static const char *const verbatim[] = {"include", "line", "error", "pragma", "warning", NULL};
    struct cb_token t = read_token(s->at);
    s->at += t.n;
    if (t.kind == CB_TOKEN_BLANK)
        return t;
    if (t.kind == CB_TOKEN_NEWLINE) {
        s->place = CB_LINE_BEGINS;
    } else if (s->place == CB_LINE_BEGINS && *t.at == '#') {
        s->place = CB_AFTER_HASH;
    } else if (s->place == CB_AFTER_HASH && t.kind == CB_TOKEN_NAME) {
        t.kind = CB_TOKEN_DIRECTIVE;
        s->place = cb_token_is_any_of(t, verbatim) ? CB_IN_VERBATIM : CB_IN_LINE;
    } else if (s->place == CB_IN_VERBATIM && t.kind == CB_TOKEN_NAME) {
        t.kind = CB_TOKEN_OTHER;
    } else if (s->place != CB_IN_VERBATIM) {
        s->place = CB_IN_LINE;
    }
    return t;
}
