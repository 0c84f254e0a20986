/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/neighbours/room.h"

#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "runtime/host/text.h"
#include "runtime/neighbours/internal.h"

#define CONTEXT_BYTES ((uint64_t)512 << 20) /* a context of a GPU's driver may take so much */

/* ---- Looking --------------------------------------------------------------------------------- */

/* What this process may still have by 'ulimit -v', less than which makes PoCL abort; NaN: there is
 * no such limit. */
static double left_of_limit(void)
{
    struct rlimit limit;
    unsigned long long pages = 0;
    FILE *in = fopen("/proc/self/statm", "re");
    if (in && fscanf(in, "%llu", &pages) != 1)
        pages = 0;
    if (in)
        fclose(in);
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return NAN;
    return fmax((double)limit.rlim_cur - (double)pages * (double)sysconf(_SC_PAGESIZE), 0);
}

/* What the system could give without swapping, of all that it has. */
static enum cb_status read_host(struct cb_room *room, struct cb_err *err)
{
    char line[256];
    double total = NAN, free = NAN;
    FILE *in = fopen("/proc/meminfo", "re");
    while (in && fgets(line, sizeof line, in))
        if (sscanf(line, "MemTotal: %lf kB", &total) != 1)
            sscanf(line, "MemAvailable: %lf kB", &free);
    if (in)
        fclose(in);
    if (isnan(total))
        return cb_fail(err, CB_UNSUPPORTED, "/proc/meminfo cannot be read");
    *room = (struct cb_room){total * 1024, fmin(free * 1024, left_of_limit()), 0, -1, NAN};
    return CB_OK;
}

enum cb_status cb_room_read(const struct cb_device *device, pid_t root, struct cb_room *room,
                            struct cb_err *err)
{
    struct cb_gpu_processes processes;
    *room = (struct cb_room){NAN, NAN, NAN, -1, NAN};
    if (cb_device_is_cpu(device))
        return read_host(room, err);
    if (cb_gpu_processes_open(&processes, device, err) != CB_OK)
        return err->status;
    cb_gpu_room_read(&processes, device, root, room);
    cb_nvml_close(&processes.nvml);
    return CB_OK;
}

/* ---- Telling --------------------------------------------------------------------------------- */

/* A number of bytes for people. */
struct amount {
    char text[32];
};

static struct amount amount_of(double bytes)
{
    struct amount amount;
    cb_device_bytes((uint64_t)fmax(bytes, 0), amount.text, sizeof amount.text);
    return amount;
}

/* ": 1.1 GiB of 140 GiB are free, 2 GiB are missing" */
static void tell_free(FILE *out, uint64_t bytes, const struct cb_room *room)
{
    if (isnan(room->free)) {
        fputs(": how much is free is not known", out);
        return;
    }
    fprintf(out, ": %s of %s are free", amount_of(room->free).text, amount_of(room->total).text);
    if ((double)bytes > room->free)
        fprintf(out, ", %s are missing", amount_of((double)bytes - room->free).text);
}

static void tell_who(FILE *out, const struct cb_room *room)
{
    if (room->others > 0 && isnan(room->own)) /* a container: which is this one is not known */
        fprintf(out, "; %d process%s, this one among them: %s (nvidia-smi)", room->others,
                room->others == 1 ? "" : "es", amount_of(room->theirs).text);
    else if (room->others > 0)
        fprintf(out, "; %d other process%s %s (nvidia-smi)", room->others,
                room->others == 1 ? " has" : "es have", amount_of(room->theirs).text);
    else if (room->others == 0)
        fputs("; no other process has any", out);
}

/* What the shell allows may be less than what is free. */
static void tell_limit(FILE *out)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        fprintf(out, "; this shell allows a process %s in all (ulimit -v)",
                amount_of((double)limit.rlim_cur).text);
}

static bool fits_ever(const struct cb_device *device, uint64_t bytes)
{
    return device->global_mem_bytes == 0 || bytes <= device->global_mem_bytes;
}

/* Sets err; `words`: those of the driver, NULL: it was not asked. */
static enum cb_status fail(const struct cb_device *device, uint64_t bytes,
                           const struct cb_room *room, const char *words, struct cb_err *err)
{
    const bool ever = fits_ever(device, bytes);
    char text[512] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    if (!out)
        return cb_no_memory(err);
    if (ever) {
        tell_free(out, bytes, room);
        tell_who(out, room);
    } else {
        fprintf(out, ", which has %s in all", amount_of((double)device->global_mem_bytes).text);
    }
    tell_limit(out);
    fputs(". Take a smaller input (--scale, --input)", out);
    if (ever && room->others > 0)
        fputs(", or wait until the others have ended", out);
    fclose(out);
    return cb_fail(err, ever ? CB_ERROR : CB_UNSUPPORTED, "no room for %s%smore on %s%s%s%s%s",
                   bytes > 0 ? amount_of((double)bytes).text : "", bytes > 0 ? " " : "",
                   device->name, text, words ? " (" : "", words ? words : "", words ? ")" : "");
}

enum cb_status cb_room_check(const struct cb_device *device, uint64_t bytes, struct cb_err *err)
{
    struct cb_room room;
    struct cb_err ignored;
    cb_room_read(device, getpid(), &room, &ignored);
    /* What this program has may be what it has given back, and the driver keeps for it. */
    const bool is_short = (double)bytes > room.free + room.own;
    return fits_ever(device, bytes) && !is_short ? CB_OK : fail(device, bytes, &room, NULL, err);
}

static bool is_of_memory(cl_int code)
{
    return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY ||
           code == CL_OUT_OF_RESOURCES;
}

enum cb_status cb_room_explain(const struct cb_device *device, uint64_t bytes, cl_int code,
                               struct cb_err *err)
{
    static const struct cb_device host = {.name = "the host", .type = "cpu"};
    struct cb_room room;
    struct cb_err ignored;
    if (!is_of_memory(code))
        return err->status;
    const struct cb_err words = *err;
    if (code == CL_OUT_OF_HOST_MEMORY && !cb_device_is_cpu(device))
        device = &host;
    cb_room_read(device, getpid(), &room, &ignored);
    /* Drivers say so of a kernel that has failed, too, and of much else. */
    if (code == CL_OUT_OF_RESOURCES && !((double)(bytes ? bytes : CONTEXT_BYTES) > room.free) &&
        !(bytes > 0 && isnan(room.free)))
        return err->status;
    return fail(device, bytes, &room, words.text, err);
}
