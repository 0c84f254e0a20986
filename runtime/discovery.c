/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/discovery.h"

#include <math.h>
#include <string.h>

#define QUIET_CPU_NS 100000 /* waking a thread on an idle virtual core takes as long */
#define QUIET_NS     1000
#define MIN_STEPS    4
#define QUIET_TURNS  64

double cb_discovery_quiet_ns(const struct cb_device *device)
{
    return strcmp(device->type, "cpu") == 0 ? QUIET_CPU_NS : QUIET_NS;
}

uint64_t cb_discovery_quiet(const struct cb_session *s, double quiet_ns)
{
    if (s->ns_per_tick <= 0)
        return QUIET_TURNS;
    return (uint64_t)(fmax(quiet_ns, MIN_STEPS * s->clock_resolution_ns) / s->ns_per_tick);
}
