/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/neighbours/room.h"

#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "runtime/neighbours/internal.h"

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
