/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/replay.h"

#include <stdarg.h>
#include <stdio.h>

enum replay_step cb_replay_refuse(struct replay *r, const char *rule, const coop_trace_event *e,
                                  const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    cb_trace_violation(r->verdict, false, rule, e->time, "%s", text);
    return REFUSED;
}

enum replay_step cb_replay_wait(struct replay *r, const char *rule, const coop_trace_event *e,
                                const char *format, ...)
{
    char text[256];
    if (!r->explains)
        return WAITS;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    cb_trace_violation(r->verdict, true, rule, e->time, "%s", text);
    return WAITS;
}

bool cb_replay_is_away(const struct replay *r)
{
    return r->running && r->groups == 0;
}
