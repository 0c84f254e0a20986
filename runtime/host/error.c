/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/host/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/host/text.h"

#define GAP  " ... "
#define TAIL 500 /* bytes of a long message's end, where the reason is */

static bool is_inside(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80; /* a byte of a character of UTF-8, after its first */
}

/* Copies a clean text; one that is too long loses its middle. */
static void set_text(struct cb_err *err, const char *text)
{
    size_t n = strlen(text), head = sizeof err->text - sizeof GAP - TAIL;
    if (n < sizeof err->text) {
        memcpy(err->text, text, n + 1);
        return;
    }
    const char *end = text + n - TAIL;
    while (head > 0 && is_inside(text[head]))
        head--;
    while (is_inside(*end))
        end++;
    snprintf(err->text, sizeof err->text, "%.*s" GAP "%s", (int)head, text, end);
}

/* The formatted text, clean; the caller's to free. NULL: out of memory. */
static char *format_clean(const char *format, va_list args)
{
    char *text = NULL;
    int n = vasprintf(&text, format, args);
    char *clean = n >= 0 ? malloc(CB_TEXT_ROOM((size_t)n)) : NULL;
    if (clean)
        cb_text_clean(clean, CB_TEXT_ROOM((size_t)n), text, (size_t)n, CB_TEXT_SHOWN);
    if (n >= 0)
        free(text);
    return clean;
}

enum cb_status cb_fail(struct cb_err *err, enum cb_status status, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        char *text = format_clean(format, args);
        va_end(args);
        set_text(err, text ? text : "out of memory");
        err->status = status;
        free(text);
    }
    return status;
}

enum cb_status cb_no_memory(struct cb_err *err)
{
    return cb_fail(err, CB_ERROR, "out of memory");
}

enum cb_status cb_succeed(struct cb_err *err)
{
    err->status = CB_OK;
    err->text[0] = '\0';
    return CB_OK;
}

enum cb_status cb_context(struct cb_err *err, const char *format, ...)
{
    if (!err)
        return CB_ERROR;
    va_list args;
    va_start(args, format);
    char *context = format_clean(format, args), *text = NULL;
    va_end(args);
    if (context && asprintf(&text, "%s: %s", context, err->text) >= 0) {
        set_text(err, text);
        free(text);
    }
    free(context);
    return err->status;
}

static const char *const status_names[] = {
    [CB_OK] = "ok",
    [CB_UNSUPPORTED] = "unsupported",
    [CB_SKIPPED] = "skipped",
    [CB_ERROR] = "error",
    [CB_CRASHED] = "crashed",
    [CB_TIMEOUT] = "timeout",
    [CB_VERIFY_FAILED] = "verify_failed",
    [CB_INTERRUPTED] = "interrupted",
    [CB_USAGE] = "usage",
    [CB_NO_DEVICE] = "no_device",
};

const char *cb_status_name(enum cb_status status)
{
    return status_names[status];
}

enum cb_status cb_status_from_name(const char *name)
{
    for (size_t i = 0; i < CB_COUNTOF(status_names); i++)
        if (name && strcmp(name, status_names[i]) == 0)
            return (enum cb_status)i;
    return CB_ERROR;
}
