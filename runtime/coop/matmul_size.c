/* SPDX-License-Identifier: Apache-2.0
 *
 * How large a task has to be.
 */
#include <math.h>
#include <string.h>

#include "runtime/coop/matmul.h"

#define MOST_CPU 1024u
#define MOST     6144u
_Static_assert(CB_MATMUL_ELEMENT *CB_MATMUL_ELEMENT *MOST < 1u << 24,
               "a float holds each sum exactly");
#define FIRST_SIZE   64u
#define TRIALS       10
#define CLOSE_ENOUGH 0.003 /* relative distance from the duration asked for */
/* Factor beyond which the task gets other rows, not just another depth. */
#define FAR 1.6

uint32_t cb_matmul_most(const struct cb_device *device)
{
    return cb_device_is_cpu(device) ? MOST_CPU : MOST;
}

static uint32_t bounded(double rows, double depth, uint32_t most)
{
    double across = fmax(1, round(rows / COOP_TASK_UNIT)),
           deep = fmax(1, round(depth / COOP_TASK_UNIT));
    return COOP_TASK_SIZE((uint32_t)fmin(most, across * COOP_TASK_UNIT),
                          (uint32_t)fmin(most, deep * COOP_TASK_UNIT));
}

/* Returns the size whose task should take `factor` times as long. */
static uint32_t scaled(uint32_t size, double factor, uint32_t most)
{
    double rows = COOP_TASK_ROWS(size), depth = COOP_TASK_DEPTH(size) * factor;
    if (factor <= FAR && factor >= 1 / FAR)
        return bounded(rows * sqrt(fmax(1, depth / most)), depth, most);
    double side = COOP_TASK_ROWS(bounded(cbrt(rows * rows * depth), 1, most));
    return bounded(side, side, most);
}

enum cb_status cb_matmul_find_size(double duration_ns, uint32_t most,
                                   enum cb_status (*time)(void *self, uint32_t size, double *ns,
                                                          struct cb_err *err),
                                   void *self, uint32_t *size, struct cb_err *err)
{
    double ns, closest = INFINITY;
    uint32_t next = bounded(FIRST_SIZE, FIRST_SIZE, most), tried = 0;
    for (int i = 0; i < TRIALS && next != tried && closest > CLOSE_ENOUGH; i++) {
        tried = next;
        if (time(self, tried, &ns, err) != CB_OK)
            return err->status;
        if (fabs(ns / duration_ns - 1) <= closest) {
            closest = fabs(ns / duration_ns - 1);
            *size = tried;
        }
        next = scaled(tried, fmin(64, duration_ns / fmax(ns, 1)), most);
    }
    return CB_OK;
}
