/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/neighbours/neighbours.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/host/time.h"
#include "runtime/neighbours/internal.h"

#define COST_SHARE 100 /* a look is due after so many times what the last one took */

struct cb_neighbours {
    pid_t root; /* of this program's processes: the worker's parent */
    bool is_cpu;
    struct cb_cores_time cores; /* at the last look; of none: not told */
    struct cb_gpu_processes processes;
    bool shares;                /* with a neighbour of our own */
    struct cb_session *session; /* NULL: there is none, or gaps are not looked for */
    struct cb_buffered_kernel probe;
    uint64_t last_ns, cost_ns; /* the end of the last look, or of opening; what it took */
};

enum cb_status cb_neighbours_open(const struct cb_device *device, struct cb_neighbours **out,
                                  struct cb_err *err)
{
    struct cb_err ignored;
    struct cb_neighbours *n = *out = calloc(1, sizeof *n);
    if (!n)
        return cb_no_memory(err);
    n->root = getppid();
    n->is_cpu = cb_device_is_cpu(device);
    if (n->is_cpu)
        cb_cores_read(n->root, &n->cores);
    else
        cb_gpu_processes_open(&n->processes, device, &ignored); /* other ways remain */
    n->last_ns = cb_now_ns();
    return CB_OK;
}

void cb_neighbours_close(struct cb_neighbours *n)
{
    if (!n)
        return;
    cb_buffered_kernel_close(&n->probe);
    cb_nvml_close(&n->processes.nvml);
    free(n);
}

void cb_neighbours_attach(struct cb_neighbours *n, struct cb_session *session)
{
    struct cb_err ignored;
    if (!n->is_cpu && session->ns_per_tick > 0 &&
        cb_gap_probe_open(session, &n->probe, &ignored) == CB_OK)
        n->session = session;
}

void cb_neighbours_share(struct cb_neighbours *n, bool shares)
{
    if (n->session && n->shares && !shares)
        n->session->gap_ticks = 0; /* that waits have seen beside it */
    n->shares = shares;
}

bool cb_neighbours_is_due(const struct cb_neighbours *n, double least_s)
{
    const uint64_t since_ns = cb_now_ns() - n->last_ns;
    return (double)since_ns >= least_s * 1e9 && since_ns >= COST_SHARE * n->cost_ns;
}

enum cb_status cb_neighbours_look(struct cb_neighbours *n, struct cb_look *look, struct cb_err *err)
{
    const uint64_t begin_ns = cb_now_ns();
    struct cb_cores_time cores;
    enum cb_status status = CB_OK;
    *look = (struct cb_look){.begin_ns = n->last_ns, .processes = -1, .bytes = NAN};
    if (n->is_cpu && cb_cores_read(n->root, &cores)) {
        if (n->cores.at_ns > 0)
            cb_cores_look(&n->cores, &cores, look);
        n->cores = cores;
    }
    if (n->processes.nvml.device)
        cb_gpu_processes_look(&n->processes, n->root, look);
    if (n->session && !n->shares) {
        status = cb_gap_probe_run(n->session, &n->probe, look, err);
        cb_gaps_in_waits((double)n->session->gap_ticks * n->session->ns_per_tick, look);
        n->session->gap_ticks = 0;
    }
    look->end_ns = n->last_ns = cb_now_ns();
    n->cost_ns = n->last_ns - begin_ns;
    return status;
}
