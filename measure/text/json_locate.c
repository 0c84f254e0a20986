/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/text/json_locate.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define MAX_DEPTH   100 /* far from the end of the stack, and from cJSON's own limit of 1000 */
#define MAX_NUMBER  60  /* cJSON's buffer for one has 64 */
#define MAX_EXCERPT 24

/* One pass over the text, by recursive descent. It counts values in the order in which they begin,
 * which is the order of the nodes in cJSON's tree. */
struct scan {
    const char *at;
    const char *expected; /* at the place of the first error */
    int depth;
    int to_pass;       /* values that begin before the wanted one */
    const char *found; /* where the wanted value, or its key, begins */
};

static bool scan_value(struct scan *s, const char *start);

static bool fail(struct scan *s, const char *expected)
{
    s->expected = expected;
    return false;
}

static void skip_space(struct scan *s)
{
    s->at += strspn(s->at, " \t\r\n");
}

static size_t skip_digits(struct scan *s)
{
    size_t n = strspn(s->at, "0123456789");
    s->at += n;
    return n;
}

/* After the backslash. */
static bool scan_escape(struct scan *s)
{
    if (*s->at && strchr("\"\\/bfnrt", *s->at))
        return true;
    if (*s->at != 'u' || strspn(s->at + 1, "0123456789abcdefABCDEF") < 4 ||
        strncmp(s->at, "u0000", 5) == 0)
        return fail(s, "one of \" \\ / b f n r t uXXXX after the backslash");
    s->at += 4;
    return true;
}

static bool scan_string(struct scan *s)
{
    const char *start = s->at;
    for (s->at++; *s->at != '"'; s->at++) {
        if (*s->at == '\0' || *s->at == '\n') {
            s->at = start;
            return fail(s, "a string that ends in the same line");
        }
        if ((unsigned char)*s->at < ' ')
            return fail(s, "\\t or \\uXXXX instead of a control character");
        if (*s->at == '\\') {
            s->at++;
            if (!scan_escape(s))
                return false;
        }
    }
    s->at++;
    return true;
}

static bool scan_number(struct scan *s)
{
    const char *start = s->at;
    s->at += *s->at == '-';
    if (*s->at == '0')
        s->at++;
    else if (skip_digits(s) == 0)
        return fail(s, "a digit");
    if (*s->at == '.') {
        s->at++;
        if (skip_digits(s) == 0)
            return fail(s, "a digit after the point");
    }
    if (*s->at == 'e' || *s->at == 'E') {
        s->at++;
        s->at += *s->at == '+' || *s->at == '-';
        if (skip_digits(s) == 0)
            return fail(s, "a digit of the exponent");
    }
    if (s->at - start <= MAX_NUMBER)
        return true;
    s->at = start;
    return fail(s, "a shorter number");
}

static bool scan_literal(struct scan *s)
{
    static const char *const literals[] = {"true", "false", "null"};
    for (int i = 0; i < 3; i++) {
        size_t length = strlen(literals[i]);
        if (strncmp(s->at, literals[i], length) == 0) {
            s->at += length;
            return true;
        }
    }
    return fail(s, "a value");
}

/* An element of an array, or a member of an object. */
static bool scan_element(struct scan *s, bool member)
{
    const char *start = s->at;
    if (member) {
        if (*s->at != '"')
            return fail(s, "a key in double quotes");
        if (!scan_string(s))
            return false;
        skip_space(s);
        if (*s->at != ':')
            return fail(s, "':' after the key");
        s->at++;
        skip_space(s);
    }
    if (!scan_value(s, member ? start : s->at))
        return false;
    skip_space(s);
    return true;
}

static bool scan_nested(struct scan *s, bool object)
{
    char end = object ? '}' : ']';
    if (++s->depth > MAX_DEPTH)
        return fail(s, "at most 100 levels of nesting");
    s->at++;
    skip_space(s);
    for (bool first = true; *s->at != end || !first; first = false) {
        if (!scan_element(s, object))
            return false;
        if (*s->at == end)
            break;
        if (*s->at != ',')
            return fail(s, object ? "',' or '}'" : "',' or ']'");
        s->at++;
        skip_space(s);
    }
    s->at++;
    s->depth--;
    return true;
}

/* start: where the value, or its key, begins. */
static bool scan_value(struct scan *s, const char *start)
{
    if (s->to_pass-- == 0)
        s->found = start;
    if (*s->at == '{' || *s->at == '[')
        return scan_nested(s, *s->at == '{');
    if (*s->at == '"')
        return scan_string(s);
    if (*s->at == '-' || strspn(s->at, "0123456789"))
        return scan_number(s);
    return scan_literal(s);
}

static bool scan_document(struct scan *s)
{
    if (strncmp(s->at, "\xEF\xBB\xBF", 3) == 0) /* byte order mark: editors on Windows write it */
        s->at += 3;
    skip_space(s);
    if (!scan_value(s, s->at))
        return false;
    skip_space(s);
    return *s->at == '\0' || fail(s, "nothing after the end of the document");
}

static int line_of(const char *text, const char *at)
{
    int line = 1;
    for (const char *c = text; c < at; c++)
        line += *c == '\n';
    return line;
}

/* Length of what is at `text`, cut at the end of the line and between characters of UTF-8. */
static int excerpt_length(const char *text)
{
    size_t n = strcspn(text, "\r\n");
    if (n <= MAX_EXCERPT)
        return (int)n;
    for (n = MAX_EXCERPT; n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80;)
        n--;
    return (int)n;
}

static enum cb_status fail_syntax(const struct scan *s, const char *path, const char *text,
                                  struct cb_err *err)
{
    char got[64];
    int n = excerpt_length(s->at);
    if (n > 0)
        snprintf(got, sizeof got, "got: %.*s", n, s->at);
    else
        snprintf(got, sizeof got, "got the end of the %s", *s->at ? "line" : "file");
    const char *line_start = s->at;
    while (line_start > text && line_start[-1] != '\n')
        line_start--;
    return cb_fail(err, CB_USAGE, "%s:%d:%d: not valid JSON: expected %s, %s", path,
                   line_of(text, s->at), (int)(s->at - line_start) + 1, s->expected, got);
}

enum cb_status cb_json_parse(const char *path, const char *text, cJSON **tree, struct cb_err *err)
{
    *tree = NULL;
    struct scan s = {.at = text, .to_pass = -1};
    if (!scan_document(&s))
        return fail_syntax(&s, path, text, err);
    *tree = cJSON_ParseWithLengthOpts(text, strlen(text) + 1, NULL, true);
    if (*tree)
        return CB_OK;
    /* The text is JSON: what is left is half of a surrogate pair, or no memory. */
    return cb_fail(err, CB_USAGE, "%s: cannot be read: check its \\uXXXX escapes", path);
}

/* The number of nodes before node in the order of the text; counted in *index. */
static bool find_index(const cJSON *tree, const cJSON *node, int *index)
{
    if (tree == node)
        return true;
    ++*index;
    for (const cJSON *child = tree->child; child; child = child->next)
        if (find_index(child, node, index))
            return true;
    return false;
}

int cb_json_line(const char *text, const cJSON *tree, const cJSON *node)
{
    int index = 0;
    if (!find_index(tree, node, &index))
        return 0;
    struct scan s = {.at = text, .to_pass = index};
    scan_document(&s);
    return s.found ? line_of(text, s.found) : 0;
}
