/* SPDX-License-Identifier: Apache-2.0
 *
 * What --hybrid decides, by the numbers alone. Times in ns, by the host's clock.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The bound of a task's gather time where the user gives none. A task that is withdrawn has waited
 * for so long: on a GPU, less than a fifth of the shortest of our workloads' tasks. */
double cb_hybrid_bound_s(const char *device_type);

/* The next step for a task that was asked for so long ago. */
enum cb_hybrid_step {
    CB_HYBRID_WAIT,
    CB_HYBRID_WITHDRAW /* the bound has passed */
};
enum cb_hybrid_step cb_hybrid_step(double waited_ns, double bound_ns);

/* Ends a kernel that comes to no scheduling point while somebody waits for one. */
struct cb_watchdog {
    double bound_ns; /* 0: there is none */
    bool waits;      /* a task was asked for, and no point has come since */
    double since_ns;
    uint32_t points; /* points at that time */
};

/* A task is asked for; the kernel has come to so many points, modulo 2^32. */
void cb_watchdog_ask(struct cb_watchdog *watchdog, double now_ns, uint32_t points);

/* Whether to end it. */
bool cb_watchdog_fires(struct cb_watchdog *watchdog, double now_ns, uint32_t points);

/* Which way serves an app. */
enum cb_hybrid_way {
    CB_SERVES_COOPERATION, /* nearly all tasks were answered so */
    CB_SERVES_BOTH,
    CB_SERVES_DRIVER
};
enum cb_hybrid_way cb_hybrid_serves(double cooperative, double by_driver);
