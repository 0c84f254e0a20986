/* SPDX-License-Identifier: Apache-2.0
 *
 * Tasks: their launch packets, and what becomes of them.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/host/text.h"
#include "runtime/library/handle.h"

/* ---- Names ----------------------------------------------------------------------------------- */

/* The next "(0, blur)" of the program's list; returns what follows, NULL: there is none. */
static const char *next_task(const char *list, unsigned *number, const char **name, size_t *length)
{
    const char *at = strchr(list, '(');
    char *end;
    if (!at || !isdigit((unsigned char)at[1]))
        return NULL;
    *number = (unsigned)strtoul(at + 1, &end, 10);
    *name = end + strspn(end, ", ");
    *length = strcspn(*name, ")");
    return *name + *length;
}

static enum cb_status find_task(const coopbench *c, const char *wanted, unsigned *number,
                                const char **name, size_t *length, struct cb_err *err)
{
    char names[512] = "";
    for (const char *list = c->tasks; (list = next_task(list, number, name, length)) != NULL;) {
        if (!wanted || (strlen(wanted) == *length && strncmp(wanted, *name, *length) == 0))
            return CB_OK;
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%.*s", used ? ", " : "", (int)*length,
                 *name);
    }
    return cb_fail(err, CB_USAGE, "there is no task %s, but %s", wanted ? wanted : "", names);
}

/* The fields of a task's packet, "ulong arg_out;\n    uint arg_first;", which its parameters are;
 * pointers are ulong. end: after them. */
static const char *parameters_of(const coopbench *c, const char *name, size_t length,
                                 const char **end)
{
    char last[160];
    snprintf(last, sizeof last, "} %.*s_packet;", (int)length, name);
    *end = strstr(c->text, last);
    const char *begin = *end;
    while (begin && begin > c->text && *begin != '{')
        begin--;
    return begin;
}

/* Whether this many arguments, and these where buffers are, fit into a task's packet. */
static enum cb_status check_arguments(const coopbench *c, const struct coopbench_task *task,
                                      const char *name, size_t length, struct cb_err *err)
{
    unsigned n = 0;
    const char *end, *field = parameters_of(c, name, length, &end);
    for (; field && (field = strstr(field, " arg_")) && field < end; field++, n++) {
        const char *type = field;
        while (type[-1] != ' ' && type[-1] != '\n')
            type--;
        if (n >= task->n_arguments)
            continue;
        const struct coopbench_argument *a = &task->arguments[n];
        const struct library_parameter p = {
            .type = {type, (int)(field - type)},
            .name = {field + 5, (int)strcspn(field + 5, ";")},
            .is_pointer = strncmp(type, "ulong ", 6) == 0 && !(a->value && a->size == 8),
        };
        if (library_check_argument(c, a, n, &p, err) != CB_OK)
            return cb_context(err, "%.*s", (int)length, name);
    }
    return n == task->n_arguments
               ? CB_OK
               : cb_fail(err, CB_USAGE, "%.*s has %u parameter%s, and this task %u argument%s",
                         (int)length, name, n, CB_PLURAL(n), task->n_arguments,
                         CB_PLURAL(task->n_arguments));
}

/* ---- Packets --------------------------------------------------------------------------------- */

static enum cb_status add_argument(struct cb_packet *packet, const struct coopbench_argument *a,
                                   struct cb_err *err)
{
    if (a->value && (a->alignment == 0 || a->alignment & (a->alignment - 1)))
        return cb_fail(err, CB_USAGE, "an alignment of %zu bytes", a->alignment);
    if (a->value)
        return cb_packet_value(packet, a->value, a->size, a->alignment, err);
    if (a->buffer.size > 0)
        return cb_packet_buffer(packet, a->buffer.at, err);
    return cb_packet_local(packet, a->size, err);
}

static enum cb_status write_packet(coopbench *c, const struct coopbench_task *task, size_t at,
                                   struct cb_err *err)
{
    struct cb_packet packet;
    unsigned number = 0;
    const char *name = NULL;
    size_t length = 0;
    if (find_task(c, task->kernel, &number, &name, &length, err) != CB_OK ||
        check_arguments(c, task, name, length, err) != CB_OK ||
        cb_packet_begin(&packet, number, task->dimensions, NULL, task->global, task->local,
                        c->wg_size, err) != CB_OK)
        return err->status;
    for (unsigned i = 0; i < task->n_arguments; i++)
        if (add_argument(&packet, &task->arguments[i], err) != CB_OK)
            return cb_context(err, "argument %u", i);
    return cb_arena_write(&c->arena, at, packet.u.bytes, packet.size, err);
}

/* ---- Tasks ----------------------------------------------------------------------------------- */

static enum cb_status need_tasks(coopbench *c, struct cb_err *err)
{
    if (!c->runs)
        return cb_fail(err, CB_USAGE, "the kernel does not run: coopbench_start() first");
    return c->tasks ? CB_OK
                    : cb_fail(err, CB_USAGE, "the program has no tasks: merge them with it");
}

/* Finds a free packet slot. Tasks may end in any order, so slots do not become free in turn. */
static enum cb_status find_slot(coopbench *c, unsigned *slot, struct cb_err *err)
{
    for (unsigned i = 0; i < COOP_IN_LINE; i++) {
        *slot = c->next_slot++ % COOP_IN_LINE;
        if (!c->in_use[*slot])
            return CB_OK;
    }
    return cb_fail(err, CB_USAGE, "%u tasks are in line, and none has been waited for",
                   COOP_IN_LINE);
}

static enum cb_status submit(coopbench *c, const struct coopbench_task *task, unsigned *number,
                             struct cb_err *err)
{
    unsigned slot;
    if (need_tasks(c, err) != CB_OK ||
        library_check_seconds(task->deadline_s, LIBRARY_MOST_S, "deadline_s", err) != CB_OK)
        return err->status;
    if (task->n_arguments > 0 && !task->arguments)
        return cb_fail(err, CB_USAGE, "%u argument%s, and the pointer to arguments is NULL",
                       task->n_arguments, CB_PLURAL(task->n_arguments));
    if (find_slot(c, &slot, err) != CB_OK)
        return err->status;
    const struct cb_coop_order order = {.groups = task->workers,
                                        .packet = slot * LIBRARY_PACKET,
                                        .priority = task->priority,
                                        .deadline_s = task->deadline_s};
    if (write_packet(c, task, order.packet, err) != CB_OK ||
        cb_coop_submit(c->coop, &order, number, err) != CB_OK)
        return err->status;
    c->in_use[slot] = true;
    c->slot_of[*number % COOP_IN_LINE] = slot;
    return CB_OK;
}

enum coopbench_status coopbench_submit(coopbench *c, const struct coopbench_task *task,
                                       unsigned *number)
{
    if (!library_is_open(c) || !LIBRARY_IS_GIVEN(c, task) || !LIBRARY_IS_GIVEN(c, number))
        return COOPBENCH_USAGE;
    return (enum coopbench_status)submit(c, task, number, &c->err);
}

enum coopbench_status coopbench_cancel(coopbench *c, unsigned number, int *cancelled)
{
    bool out = false;
    if (!library_is_open(c) || !LIBRARY_IS_GIVEN(c, cancelled))
        return COOPBENCH_USAGE;
    enum cb_status status = need_tasks(c, &c->err);
    if (status == CB_OK)
        status = cb_coop_cancel(c->coop, number, &out, &c->err);
    *cancelled = out;
    return (enum coopbench_status)status;
}

enum coopbench_status coopbench_await(coopbench *c, unsigned number,
                                      struct coopbench_report *report)
{
    struct cb_coop_task t = {0};
    if (!library_is_open(c))
        return COOPBENCH_USAGE;
    enum cb_status status = need_tasks(c, &c->err);
    if (status == CB_OK)
        status = cb_coop_await(c->coop, number, &t, &c->err);
    if (status == CB_OK)
        c->in_use[c->slot_of[number % COOP_IN_LINE]] = false;
    if (report)
        *report = (struct coopbench_report){t.line_ns / 1e9,   t.gather_ns / 1e9, t.exec_ns / 1e9,
                                            t.answer_ns / 1e9, t.active,          t.cancelled};
    return (enum coopbench_status)status;
}
