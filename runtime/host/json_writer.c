/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/host/json_writer.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "runtime/host/text.h"

void cb_json_print_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (size_t n; *text; text += n ? n : 1) {
        n = cb_text_character(text);
        if (n == 1 && strchr("\"\\", *text))
            fprintf(out, "\\%c", *text);
        else if (*text == '\n')
            fputs("\\n", out);
        else if (n > 0 && *text != '\t')
            fwrite(text, 1, n, out);
        else if ((unsigned char)*text < 0x80)
            fprintf(out, "\\u%04x", *text);
        else
            fputs("\\ufffd", out);
    }
    fputc('"', out);
}

/* Begins a member: with a comma if others are before it, and its key, which ends at a colon. */
static void begin_member(struct cb_json_writer *w, const char *key)
{
    if (w->follows)
        fputc(',', w->out);
    w->follows = true;
    if (key && *key)
        fprintf(w->out, "\"%.*s\":", (int)strcspn(key, ":"), key);
}

static void write_value(struct cb_json_writer *w, const char *key, char kind, va_list *values)
{
    const char *text = kind == 's' ? va_arg(*values, const char *) : "";
    const int integer = kind == 'd' || kind == 'i' ? va_arg(*values, int) : 0;
    const double number = kind == 'g' || kind == 'f' ? va_arg(*values, double) : 0;
    if (!text || !isfinite(number))
        return;
    begin_member(w, key);
    if (kind == 's')
        cb_json_print_text(w->out, text);
    else if (kind == 'd')
        fprintf(w->out, "%d", integer);
    else if (kind == 'i')
        fputs(integer ? "true" : "false", w->out);
    else /* no measured number has more digits, and each takes time */
        fprintf(w->out, kind == 'f' ? "%.3f" : "%.9g", number);
}

/* Writes a word that is a value, such as null; returns its last letter. */
static const char *write_word(struct cb_json_writer *w, const char *key, const char *word, size_t n)
{
    begin_member(w, key);
    fwrite(word, 1, n, w->out);
    return word + n - 1;
}

/* Writes a bracket or the end of a line. */
static void write_mark(struct cb_json_writer *w, const char *key, const char *mark)
{
    if (strchr("{[", *mark))
        begin_member(w, key);
    else if (*mark == '\n' && w->follows && !strchr("}]", mark[1]))
        fputc(',', w->out);
    fputc(*mark, w->out);
    w->follows = strchr("}]", *mark) != NULL;
}

void cb_json_write(struct cb_json_writer *w, const char *format, ...)
{
    va_list values;
    const char *key = NULL;
    va_start(values, format);
    for (const char *at = format; *at; at++) {
        const size_t word = strcspn(at, "{}[]:,%\n");
        if (word > 0 && at[word] == ':') {
            key = at;
            at += word;
        } else if (strncmp(at, "%s:", 3) == 0) {
            key = va_arg(values, const char *);
            at += 2;
        } else if (*at != ',') {
            if (word > 0)
                at = write_word(w, key, at, word);
            else if (*at == '%')
                write_value(w, key, *++at, &values);
            else
                write_mark(w, key, at);
            key = NULL;
        }
    }
    va_end(values);
}
