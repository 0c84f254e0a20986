/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "runtime/text.h"

enum cb_status cb_fail(struct cb_err *err, enum cb_status status, const char *format, ...)
{
    if (err) {
        char text[CB_ERR_TEXT];
        va_list args;
        va_start(args, format);
        vsnprintf(text, sizeof text, format, args);
        va_end(args);
        cb_text_clean(err->text, sizeof err->text, text, strlen(text), CB_TEXT_SHOWN);
        err->status = status;
    }
    return status;
}

enum cb_status cb_context(struct cb_err *err, const char *format, ...)
{
    if (!err)
        return CB_ERROR;
    char context[CB_ERR_TEXT / 4], shown[CB_ERR_TEXT / 4], text[CB_ERR_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(context, sizeof context, format, args);
    va_end(args);
    memcpy(text, err->text, sizeof text);
    cb_text_clean(shown, sizeof shown, context, strlen(context), CB_TEXT_SHOWN);
    /* a message that is too long loses its end */
    int room = (int)(sizeof text - strlen(shown) - sizeof ": ");
    snprintf(err->text, sizeof err->text, "%s: %.*s", shown, room, text);
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
