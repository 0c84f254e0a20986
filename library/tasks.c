/* SPDX-License-Identifier: Apache-2.0
 *
 * Tasks: their launch packets, and what becomes of them.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library/handle.h"

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
                                struct cb_err *err)
{
    char names[512] = "";
    const char *name;
    size_t length;
    for (const char *list = c->tasks; (list = next_task(list, number, &name, &length)) != NULL;) {
        if (!wanted || (strlen(wanted) == length && strncmp(wanted, name, length) == 0))
            return CB_OK;
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%.*s", used ? ", " : "", (int)length, name);
    }
    return cb_fail(err, CB_USAGE, "there is no task %s, but %s", wanted ? wanted : "", names);
}

/* ---- Packets --------------------------------------------------------------------------------- */

static enum cb_status add_argument(struct cb_packet *packet, const struct coopbench_argument *a,
                                   struct cb_err *err)
{
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
    if (find_task(c, task->kernel, &number, err) != CB_OK ||
        cb_packet_begin(&packet, number, task->dimensions, NULL, task->global, task->local,
                        c->wg_size, err) != CB_OK)
        return err->status;
    for (unsigned i = 0; i < task->n_arguments; i++)
        if (add_argument(&packet, &task->arguments[i], err) != CB_OK)
            return cb_context(err, "argument %u", i);
    return library_copy(c, (coopbench_buffer){at, packet.size}, packet.u.bytes, packet.size, false,
                        err);
}

/* ---- Tasks ----------------------------------------------------------------------------------- */

static enum cb_status need_tasks(coopbench *c, struct cb_err *err)
{
    if (!c->runs)
        return cb_fail(err, CB_USAGE, "the kernel does not run: coopbench_start() first");
    return c->tasks ? CB_OK
                    : cb_fail(err, CB_USAGE, "the program has no tasks: merge them with it");
}

/* For a packet. Tasks may end in any order, so that places do not become free in turn. */
static enum cb_status find_place(coopbench *c, unsigned *place, struct cb_err *err)
{
    for (unsigned i = 0; i < COOP_IN_LINE; i++) {
        *place = c->next_place++ % COOP_IN_LINE;
        if (!c->in_use[*place])
            return CB_OK;
    }
    return cb_fail(err, CB_USAGE, "%u tasks are in line, and none has been waited for",
                   COOP_IN_LINE);
}

static enum cb_status submit(coopbench *c, const struct coopbench_task *task, unsigned *number,
                             struct cb_err *err)
{
    unsigned place;
    if (need_tasks(c, err) != CB_OK || find_place(c, &place, err) != CB_OK)
        return err->status;
    const struct cb_coop_order order = {.groups = task->workers,
                                        .packet = place * LIBRARY_PACKET,
                                        .priority = task->priority,
                                        .deadline_s = task->deadline_s};
    if (write_packet(c, task, order.packet, err) != CB_OK ||
        cb_coop_submit(c->coop, &order, number, err) != CB_OK)
        return err->status;
    c->in_use[place] = true;
    c->place_of[*number % COOP_IN_LINE] = place;
    return CB_OK;
}

enum coopbench_status coopbench_submit(coopbench *c, const struct coopbench_task *task,
                                       unsigned *number)
{
    return (enum coopbench_status)submit(c, task, number, &c->err);
}

enum coopbench_status coopbench_cancel(coopbench *c, unsigned number, int *cancelled)
{
    bool out = false;
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
    enum cb_status status = need_tasks(c, &c->err);
    if (status == CB_OK)
        status = cb_coop_await(c->coop, number, &t, &c->err);
    if (status == CB_OK)
        c->in_use[c->place_of[number % COOP_IN_LINE]] = false;
    if (report)
        *report = (struct coopbench_report){t.line_ns / 1e9,   t.gather_ns / 1e9, t.exec_ns / 1e9,
                                            t.answer_ns / 1e9, t.active,          t.cancelled};
    return (enum coopbench_status)status;
}
