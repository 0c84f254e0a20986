/* SPDX-License-Identifier: Apache-2.0
 *
 * A device and its memory.
 */
#include "library/handle.h"

#include <stdlib.h>
#include <string.h>

#include "measure/version.h"
#include "runtime/drivers.h"

#define MEMORY      (64u << 20)
#define GPU_WG_SIZE 256
#define CPU_WG_SIZE 64
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
    return c ? c->err.text : "out of memory";
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
    c->used = round_up(PACKETS, c->unit);
    return cb_arena_open(&c->arena, &c->session,
                         c->used + round_up(bytes ? bytes : MEMORY, c->unit), err);
}

enum coopbench_status coopbench_reserve(coopbench *c, size_t bytes, coopbench_buffer *buffer)
{
    size_t whole = round_up(bytes, c->unit);
    if (bytes == 0 || whole < bytes || whole > c->arena.size - c->used)
        return (enum coopbench_status)cb_fail(
            &c->err, CB_USAGE, "%zu bytes: of the memory, %zu are left (coopbench_options.memory)",
            bytes, c->arena.size - c->used);
    *buffer = (coopbench_buffer){c->used, bytes};
    c->used += whole;
    return COOPBENCH_OK;
}

enum cb_status library_copy(coopbench *c, coopbench_buffer buffer, void *host, size_t bytes,
                            bool back, struct cb_err *err)
{
    if (bytes > buffer.size || buffer.at > c->arena.size || buffer.size > c->arena.size - buffer.at)
        return cb_fail(err, CB_USAGE, "%zu bytes of a buffer that has %zu", bytes, buffer.size);
    return back ? cb_arena_read(&c->arena, buffer.at, host, bytes, err)
                : cb_arena_write(&c->arena, buffer.at, host, bytes, err);
}

enum coopbench_status coopbench_write(coopbench *c, coopbench_buffer buffer, const void *from,
                                      size_t bytes)
{
    return (enum coopbench_status)library_copy(c, buffer, (void *)(uintptr_t)from, bytes, false,
                                               &c->err);
}

enum coopbench_status coopbench_read(coopbench *c, coopbench_buffer buffer, void *to, size_t bytes)
{
    return (enum coopbench_status)library_copy(c, buffer, to, bytes, true, &c->err);
}

/* ---- The device ------------------------------------------------------------------------------ */

static enum cb_status open_device(coopbench *c, const struct coopbench_options *o,
                                  struct cb_err *err)
{
    const struct cb_session_options session = {.wait_deadline_ns = (uint64_t)(o->wait_s * 1e9)};
    if (!(o->wait_s >= 0 && o->wait_s < 1e6))
        return cb_fail(err, CB_USAGE, "wait_s: %g: from 0 to 1e6", o->wait_s);
    cb_drivers_set_cpu_workgroups(0);
    library_has_opened = true;
    if (cb_session_open_named(&c->session, o->device ? o->device : "", &session, err) != CB_OK)
        return err->status;
    c->is_open = true;
    c->wg_size = o->wg_size                                 ? o->wg_size
                 : strcmp(c->session.info.type, "cpu") == 0 ? CPU_WG_SIZE
                                                            : GPU_WG_SIZE;
    if (c->wg_size > c->session.info.max_wg_size)
        return cb_fail(err, CB_USAGE, "wg_size: %zu, and %s has at most %llu", c->wg_size,
                       c->session.info.name, (unsigned long long)c->session.info.max_wg_size);
    return open_memory(c, o->memory, err);
}

enum coopbench_status coopbench_open(const struct coopbench_options *options, coopbench **out)
{
    const struct coopbench_options usual = {0};
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
    if (c->is_open)
        cb_session_close(&c->session);
    free(c->text);
    free(c);
}
