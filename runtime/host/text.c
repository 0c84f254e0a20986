/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/host/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd"

/* The number of bytes of the character at text, and its code; 0: it is no UTF-8. */
static size_t decode(const char *text, uint32_t *code)
{
    const unsigned char *c = (const unsigned char *)text;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    *code = c[0];
    if (c[0] < 0x80)
        return 1;
    size_t n = c[0] >= 0xf8 ? 0 : c[0] >= 0xf0 ? 4 : c[0] >= 0xe0 ? 3 : c[0] >= 0xc0 ? 2 : 0;
    if (n == 0)
        return 0;
    *code = c[0] & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((c[i] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | (c[i] & 0x3fu);
    }
    bool sound = *code >= least[n] && *code <= 0x10ffff && !(*code >= 0xd800 && *code < 0xe000);
    return sound ? n : 0;
}

/* A control character, one that turns the order of what follows around, or no character. */
static bool is_hidden(uint32_t code)
{
    return (code < 0x20 && code != '\t' && code != '\n') || (code >= 0x7f && code < 0xa0) ||
           (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
           (code & 0xfffe) == 0xfffe;
}

size_t cb_text_character(const char *text)
{
    uint32_t code;
    size_t n = decode(text, &code);
    return is_hidden(code) ? 0 : n;
}

size_t cb_text_clean(char *to, size_t room, const char *text, size_t n_text, enum cb_text_use use)
{
    size_t length = 0;
    for (const char *end = text + n_text; text < end;) {
        char shown[CB_TEXT_ROOM(4)];
        uint32_t code;
        size_t n = decode(text, &code), bytes = n ? n : 1, size = 0;
        if (n == 0 && use == CB_TEXT_STORED)
            size = (size_t)sprintf(shown, "%s", REPLACEMENT);
        else if (n == 0 || is_hidden(code) || (use == CB_TEXT_QUOTED && code < 0x20))
            for (size_t i = 0; i < bytes; i++)
                size += (size_t)sprintf(shown + size, "\\x%02x", (unsigned char)text[i]);
        else
            size = (size_t)sprintf(shown, "%.*s", (int)n, text);
        if (length + size >= room)
            break;
        memcpy(to + length, shown, size);
        length += size;
        text += bytes;
    }
    if (room > 0)
        to[length] = '\0';
    return length;
}

void cb_text_print(FILE *out, const char *format, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, format);
    int n = vasprintf(&text, format, args);
    va_end(args);
    char *clean = n >= 0 ? malloc(CB_TEXT_ROOM((size_t)n)) : NULL;
    if (clean) {
        cb_text_clean(clean, CB_TEXT_ROOM((size_t)n), text, (size_t)n, CB_TEXT_SHOWN);
        fputs(clean, out);
    }
    free(clean);
    if (n >= 0)
        free(text);
}

void cb_text_join(char *list, size_t size, const char *format, ...)
{
    va_list args;
    size_t n = strlen(list);
    if (n > 0)
        n += (size_t)snprintf(list + n, size - n, ", ");
    if (n >= size)
        return;
    va_start(args, format);
    vsnprintf(list + n, size - n, format, args);
    va_end(args);
}
