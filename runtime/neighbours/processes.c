/* SPDX-License-Identifier: Apache-2.0
 *
 * What NVIDIA's management library tells of other processes on a GPU.
 */
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime/neighbours/internal.h"

#define LEAST_PERCENT 1
#define GOES_ON_US    10000000
#define MOST_USAGES   256 /* of all processes since the last look */

/* Adds to a list; returns how many there are now. */
static unsigned list(cb_nvml_code (*tell)(cb_nvml_device, unsigned *, struct cb_nvml_process *),
                     cb_nvml_device device, struct cb_nvml_process *processes, unsigned n)
{
    unsigned more = CB_MOST_PROCESSES - n;
    return tell && tell(device, &more, processes + n) == CB_NVML_OK ? n + more : n;
}

static bool is_listed(unsigned pid, const struct cb_nvml_process *processes, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (processes[i].pid == pid)
            return true;
    return false;
}

/* Lists each process that has the device open, for computing, for graphics or for both, once. */
static unsigned list_all(const struct cb_nvml *nvml, struct cb_nvml_process *processes)
{
    const unsigned computing = list(nvml->f.compute_processes, nvml->device, processes, 0);
    const unsigned both = list(nvml->f.graphics_processes, nvml->device, processes, computing);
    unsigned n = computing;
    for (unsigned i = computing; i < both; i++)
        if (!is_listed(processes[i].pid, processes, n))
            processes[n++] = processes[i];
    return n;
}

static uint64_t now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

enum cb_status cb_gpu_processes_open(struct cb_gpu_processes *p, const struct cb_device *device,
                                     struct cb_err *err)
{
    struct cb_nvml_process now[CB_MOST_PROCESSES];
    *p = (struct cb_gpu_processes){0};
    if (cb_nvml_open(&p->nvml, device, err) != CB_OK)
        return err->status;
    p->seen_us = now_us() - GOES_ON_US; /* a process at work before this program began counts */
    p->n_before = list_all(&p->nvml, now);
    for (unsigned i = 0; i < p->n_before; i++)
        p->before[i] = now[i].pid;
    return CB_OK;
}

static bool is_among(unsigned pid, const unsigned *pids, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (pids[i] == pid)
            return true;
    return false;
}

/* In a container NVML may have the numbers that processes have outside: then a new one may be of
 * this program, and only those count that were there before. */
static bool is_other(const struct cb_gpu_processes *p, unsigned pid, pid_t root, bool knows_us)
{
    return knows_us ? !cb_process_is_below((pid_t)pid, root)
                    : is_among(pid, p->before, p->n_before);
}

static bool knows_us(const struct cb_nvml_process *now, unsigned n, pid_t root)
{
    for (unsigned i = 0; i < n; i++)
        if (cb_process_is_below((pid_t)now[i].pid, root))
            return true;
    return n == 0;
}

/* The entry of a process that was seen to use the device, the first time, too; NULL: no room. */
static struct cb_gpu_user *user_of(struct cb_gpu_processes *p, unsigned pid)
{
    for (unsigned i = 0; i < p->n_users; i++)
        if (p->users[i].pid == pid)
            return &p->users[i];
    if (p->n_users == CB_MOST_PROCESSES)
        return NULL;
    p->users[p->n_users] = (struct cb_gpu_user){.pid = pid};
    return &p->users[p->n_users++];
}

/* Takes what is told of each process since the last time. */
static void read_usage(struct cb_gpu_processes *p)
{
    struct cb_nvml_usage usage[MOST_USAGES];
    unsigned n = MOST_USAGES;
    const uint64_t since_us = p->seen_us;
    const cb_nvml_code code =
        p->nvml.f.usage ? p->nvml.f.usage(p->nvml.device, usage, &n, since_us) : !CB_NVML_OK;
    p->tells_usage = code == CB_NVML_OK || code == CB_NVML_NOT_FOUND; /* nobody did anything */
    if (code != CB_NVML_OK)
        return;
    for (unsigned i = 0; i < n; i++) {
        struct cb_gpu_user *user = user_of(p, usage[i].pid);
        if (!user || usage[i].time_us <= since_us)
            continue;
        p->seen_us = usage[i].time_us > p->seen_us ? usage[i].time_us : p->seen_us;
        user->share += (usage[i].sm_percent / 100.0 - user->share) / ++user->told;
        if (usage[i].sm_percent >= LEAST_PERCENT)
            user->until_us = usage[i].time_us + GOES_ON_US;
    }
}

/* NVML misses short bursts, more so while this program uses the device, too: who was seen at work
 * is taken to go on for a while, as long as it is there. Those that have gone may have been of this
 * program. */
static void look_at_usage(struct cb_gpu_processes *p, const unsigned *others, unsigned n,
                          struct cb_look *look)
{
    double share = 0;
    read_usage(p);
    for (unsigned i = 0; i < p->n_users; i++)
        if (is_among(p->users[i].pid, others, n) && now_us() < p->users[i].until_us)
            share += p->users[i].share;
    if (share > 0)
        cb_look_sees(look, CB_SIGN_NVML, share);
}

static double bytes_of(const struct cb_nvml_process *process)
{
    return process->bytes == ~0ull ? 0 : (double)process->bytes;
}

void cb_gpu_processes_look(struct cb_gpu_processes *p, pid_t root, struct cb_look *look)
{
    struct cb_nvml_process now[CB_MOST_PROCESSES];
    unsigned n = list_all(&p->nvml, now), others[CB_MOST_PROCESSES], n_others = 0;
    const bool known = knows_us(now, n, root);
    look->bytes = 0;
    for (unsigned i = 0; i < n; i++)
        if (is_other(p, now[i].pid, root, known)) {
            others[n_others++] = now[i].pid;
            look->bytes += bytes_of(&now[i]);
        }
    look->processes = (int)n_others;
    look_at_usage(p, others, n_others, look);
}

/* A part of a GPU has less memory than NVML tells of the whole; a driver keeps less than that for
 * itself. */
#define LEAST_OF_TOTAL 0.75

void cb_gpu_room_read(const struct cb_gpu_processes *p, const struct cb_device *device, pid_t root,
                      struct cb_room *room)
{
    struct cb_nvml_process now[CB_MOST_PROCESSES];
    struct cb_nvml_memory memory = {.version = CB_NVML_MEMORY_VERSION};
    const unsigned n = list_all(&p->nvml, now);
    *room = (struct cb_room){NAN, NAN, knows_us(now, n, root) ? 0 : NAN, 0, 0};
    for (unsigned i = 0; i < n; i++) {
        const bool ours = cb_process_is_below((pid_t)now[i].pid, root);
        *(ours ? &room->own : &room->theirs) += bytes_of(&now[i]);
        room->others += !ours;
    }
    if (p->nvml.f.memory && p->nvml.f.memory(p->nvml.device, &memory) == CB_NVML_OK &&
        (double)device->global_mem_bytes >= LEAST_OF_TOTAL * (double)memory.total) {
        room->total = (double)memory.total;
        room->free = (double)memory.free;
    }
}
