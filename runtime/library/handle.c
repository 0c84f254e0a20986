/* SPDX-License-Identifier: Apache-2.0
 *
 * A device and its memory.
 */
#include "runtime/library/handle.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/drivers.h"
#include "runtime/version.h"

#define MEMORY      (64u << 20)
#define GPU_WG_SIZE 256
#define CPU_WG_SIZE 64
#define MOST_WAIT_S 60 /* as --wait-deadline */
#define PACKETS     (LIBRARY_PACKET * COOP_IN_LINE)

_Static_assert((int)COOPBENCH_UNSUPPORTED == (int)CB_UNSUPPORTED &&
                   (int)COOPBENCH_ERROR == (int)CB_ERROR &&
                   (int)COOPBENCH_TIMEOUT == (int)CB_TIMEOUT &&
                   (int)COOPBENCH_USAGE == (int)CB_USAGE &&
                   (int)COOPBENCH_NO_DEVICE == (int)CB_NO_DEVICE,
               "statuses are the runtime's");
_Static_assert(LIBRARY_PACKET % TASK_PACKET_UNIT == 0, "packets begin at units");

bool library_has_opened;

const char *coopbench_version(void)
{
    return cb_version.version;
}

const char *coopbench_message(const coopbench *c)
{
    return c ? c->err.text
             : "the handle is NULL: coopbench_open() makes one, unless there is no memory";
}

/* ---- What a call must have ------------------------------------------------------------------- */

bool library_is_open(coopbench *c)
{
    if (c && !c->is_open)
        cb_fail(&c->err, CB_USAGE,
                "coopbench_open() has failed: coopbench_close() this handle, and open another");
    return c && c->is_open;
}

bool library_is_given(coopbench *c, const void *pointer, const char *name)
{
    if (!pointer)
        cb_fail(&c->err, CB_USAGE, "%s is NULL", name);
    return pointer;
}

enum cb_status library_check_seconds(double seconds, double most, const char *name,
                                     struct cb_err *err)
{
    return seconds >= 0 && seconds <= most
               ? CB_OK
               : cb_fail(err, CB_USAGE, "%s: %g: from 0 to %g seconds", name, seconds, most);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static size_t round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

/* Kernels get parts of the arena as their buffers, which begin where the device can have them. */
static enum cb_status find_unit(coopbench *c, struct cb_err *err)
{
    cl_uint bits = 0;
    enum cb_status status =
        CB_CL(err, clGetDeviceInfo(c->session.device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof bits,
                                   &bits, NULL));
    c->unit = bits / 8 > TASK_PACKET_UNIT ? bits / 8 : TASK_PACKET_UNIT;
    return status;
}

static enum cb_status open_memory(coopbench *c, size_t bytes, struct cb_err *err)
{
    if (find_unit(c, err) != CB_OK)
        return err->status;
    c->first = c->used = round_up(PACKETS, c->unit);
    return cb_arena_open(&c->arena, &c->session,
                         c->used + round_up(bytes ? bytes : MEMORY, c->unit), err);
}

enum coopbench_status coopbench_reserve(coopbench *c, size_t bytes, coopbench_buffer *buffer)
{
    if (!library_is_open(c) || !LIBRARY_IS_GIVEN(c, buffer))
        return COOPBENCH_USAGE;
    size_t whole = round_up(bytes, c->unit);
    if (bytes == 0 || whole < bytes || whole > c->arena.size - c->used)
        return (enum coopbench_status)cb_fail(
            &c->err, CB_USAGE, "%zu bytes: of the memory, %zu are left (coopbench_options.memory)",
            bytes, c->arena.size - c->used);
    *buffer = (coopbench_buffer){c->used, bytes};
    c->used += whole;
    return COOPBENCH_OK;
}

static enum cb_status check_copy(const coopbench *c, coopbench_buffer buffer, size_t bytes,
                                 struct cb_err *err)
{
    if (bytes == 0 || bytes > buffer.size)
        return cb_fail(err, CB_USAGE, "%zu bytes of a buffer that has %zu", bytes, buffer.size);
    return library_holds(c, buffer) ? CB_OK
                                    : cb_fail(err, CB_USAGE, "no buffer of coopbench_reserve()");
}

enum coopbench_status coopbench_write(coopbench *c, coopbench_buffer buffer, const void *from,
                                      size_t bytes)
{
    if (!library_is_open(c) || !LIBRARY_IS_GIVEN(c, from) ||
        check_copy(c, buffer, bytes, &c->err) != CB_OK)
        return COOPBENCH_USAGE;
    return (enum coopbench_status)cb_arena_write(&c->arena, buffer.at, from, bytes, &c->err);
}

enum coopbench_status coopbench_read(coopbench *c, coopbench_buffer buffer, void *to, size_t bytes)
{
    if (!library_is_open(c) || !LIBRARY_IS_GIVEN(c, to) ||
        check_copy(c, buffer, bytes, &c->err) != CB_OK)
        return COOPBENCH_USAGE;
    return (enum coopbench_status)cb_arena_read(&c->arena, buffer.at, to, bytes, &c->err);
}

/* ---- The device ------------------------------------------------------------------------------ */

static enum cb_status open_device(coopbench *c, const struct coopbench_options *o,
                                  struct cb_err *err)
{
    if (library_check_seconds(o->wait_s, MOST_WAIT_S, "wait_s", err) != CB_OK)
        return err->status;
    const struct cb_session_options session = {.wait_deadline_ns = (uint64_t)(o->wait_s * 1e9)};
    cb_drivers_set_cpu_workgroups(0);
    library_has_opened = true;
    if (cb_session_open_named(&c->session, o->device ? o->device : "", &session, err) != CB_OK)
        return err->status;
    c->has_session = true;
    c->wg_size = o->wg_size                           ? o->wg_size
                 : cb_device_is_cpu(&c->session.info) ? CPU_WG_SIZE
                                                      : GPU_WG_SIZE;
    if (c->wg_size > c->session.info.max_wg_size)
        return cb_fail(err, CB_USAGE, "wg_size: %zu, and %s has at most %llu", c->wg_size,
                       c->session.info.name, (unsigned long long)c->session.info.max_wg_size);
    c->is_open = open_memory(c, o->memory, err) == CB_OK;
    return c->is_open ? CB_OK : err->status;
}

enum coopbench_status coopbench_open(const struct coopbench_options *options, coopbench **out)
{
    const struct coopbench_options usual = {0};
    if (!out)
        return COOPBENCH_USAGE;
    coopbench *c = *out = calloc(1, sizeof *c);
    if (!c)
        return COOPBENCH_ERROR;
    return (enum coopbench_status)open_device(c, options ? options : &usual, &c->err);
}

void coopbench_close(coopbench *c)
{
    if (!c)
        return;
    cb_coop_close(c->coop);
    for (int i = 0; i < LIBRARY_ARGUMENTS; i++)
        if (c->parts[i])
            clReleaseMemObject(c->parts[i]);
    cb_arena_close(&c->arena);
    if (c->has_session)
        cb_session_close(&c->session);
    free(c->text);
    free(c);
}
