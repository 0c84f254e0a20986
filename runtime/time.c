/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/time.h"

#include <time.h>

uint64_t cb_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
