/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/host/time.h"

#include <math.h>
#include <time.h>

uint64_t cb_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void cb_sleep_until_ns(double then_ns)
{
    double left = then_ns - (double)cb_now_ns();
    if (!(left > 0))
        return;
    const struct timespec t = {(time_t)(left / 1e9), (long)fmod(left, 1e9)};
    nanosleep(&t, NULL);
}
