/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/text/markup.h"

#include <stdbool.h>
#include <string.h>

#include "runtime/host/text.h"

#define REPLACEMENT "\xef\xbf\xbd"

/* What XML 1.0 can hold. */
static size_t character(const char *text)
{
    return *text == '\r' ? 1 : cb_text_character(text);
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
        size_t n = character(text);
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
        size_t n = character(text);
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
        size_t n = character(text);
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
