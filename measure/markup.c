/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/markup.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd"

size_t cb_markup_character(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (c[0] < 0x80)
        return c[0] >= 0x20 ? c[0] != 0x7f : c[0] == '\t' || c[0] == '\n' || c[0] == '\r';
    size_t n = c[0] >= 0xf8 ? 0 : c[0] >= 0xf0 ? 4 : c[0] >= 0xe0 ? 3 : c[0] >= 0xc0 ? 2 : 0;
    if (n == 0)
        return 0;
    uint32_t code = c[0] & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((c[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (c[i] & 0x3fu);
    }
    return code >= least[n] && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000) &&
                   (code & ~1u) != 0xfffe && !(code >= 0x80 && code < 0xa0)
               ? n
               : 0;
}

static const char *entity(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void cb_markup_text(FILE *out, const char *text)
{
    while (*text) {
        size_t n = cb_markup_character(text);
        if (n == 0)
            fputs(REPLACEMENT, out);
        else if (n == 1 && entity(*text))
            fputs(entity(*text), out);
        else
            fwrite(text, 1, n, out);
        text += n ? n : 1;
    }
}

void cb_markup_cell(FILE *out, const char *text)
{
    while (*text) {
        size_t n = cb_markup_character(text);
        if (n == 0)
            fputs(REPLACEMENT, out);
        else if (strchr("\t\n\r", *text))
            fputc(' ', out);
        else if (strchr("&<>", *text))
            fputs(entity(*text), out);
        else if (strchr("|\\`*[]", *text))
            fprintf(out, "\\%c", *text);
        else
            fwrite(text, 1, n, out);
        text += n ? n : 1;
    }
}

void cb_markup_script(FILE *out, const char *text)
{
    fputc('"', out);
    while (*text) {
        size_t n = cb_markup_character(text);
        bool separator = n == 3 && (memcmp(text, "\xe2\x80\xa8", 3) == 0 ||
                                    memcmp(text, "\xe2\x80\xa9", 3) == 0);
        if (n == 0)
            fputs("\\ufffd", out);
        else if (separator)
            fputc(' ', out);
        else if (n == 1 && (*text < 0x20 || strchr("<>&\"'\\", *text)))
            fprintf(out, "\\u%04x", *text);
        else
            fwrite(text, 1, n, out);
        text += n ? n : 1;
    }
    fputc('"', out);
}
