/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/preempt/hybrid/decide.h"

#include <string.h>

#include "runtime/device.h"

#define BOUND_S     0.0002
#define BOUND_CPU_S 0.01 /* threads without a core wait for one so long */
#define NEARLY_ALL  0.95
#define HARDLY_ANY  0.05

double cb_hybrid_bound_s(const char *device_type)
{
    return cb_device_type_is_cpu(device_type) ? BOUND_CPU_S : BOUND_S;
}

enum cb_hybrid_step cb_hybrid_step(double waited_ns, double bound_ns)
{
    return waited_ns > bound_ns ? CB_HYBRID_WITHDRAW : CB_HYBRID_WAIT;
}

void cb_watchdog_ask(struct cb_watchdog *w, double now_ns, uint32_t points)
{
    if (w->waits && points == w->points)
        return;
    w->waits = true;
    w->since_ns = now_ns;
    w->points = points;
}

bool cb_watchdog_fires(struct cb_watchdog *w, double now_ns, uint32_t points)
{
    w->waits = w->waits && points == w->points;
    return w->bound_ns > 0 && w->waits && now_ns - w->since_ns > w->bound_ns;
}

enum cb_hybrid_way cb_hybrid_serves(double cooperative, double by_driver)
{
    const double share = cooperative / (cooperative + by_driver);
    return share >= NEARLY_ALL   ? CB_SERVES_COOPERATION
           : share <= HARDLY_ANY ? CB_SERVES_DRIVER
                                 : CB_SERVES_BOTH;
}
