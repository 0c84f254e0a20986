/* SPDX-License-Identifier: Apache-2.0
 *
 * Tokens of an OpenCL C text that has not been preprocessed. All of them together are the text.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum cb_token_kind {
    CB_TOKEN_END,
    CB_TOKEN_BLANK, /* comments and continued ends of lines, too */
    CB_TOKEN_NEWLINE,
    CB_TOKEN_NAME,
    CB_TOKEN_DIRECTIVE, /* the word after a line's # */
    CB_TOKEN_OTHER,     /* a number, a literal, or one character; any word of an #include, #line,
                           #error or #pragma */
};

struct cb_token {
    enum cb_token_kind kind;
    const char *at;
    size_t n; /* 0: none */
};

/* Begins as {.at = text}. */
struct cb_scanner {
    const char *at;
    enum { CB_LINE_BEGINS, CB_AFTER_HASH, CB_IN_VERBATIM, CB_IN_LINE } place;
};

struct cb_token cb_token_next(struct cb_scanner *s);

bool cb_token_is(struct cb_token t, const char *word);

/* words: ends with NULL; may be NULL. */
bool cb_token_is_any_of(struct cb_token t, const char *const *words);
