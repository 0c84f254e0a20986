/* SPDX-License-Identifier: Apache-2.0
 *
 * The tasks' matrices on the device, and how large a task has to be.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/coop/matmul.h"

#define MOST_CPU 1024u
#define MOST     6144u
_Static_assert(CB_MATMUL_ELEMENT *CB_MATMUL_ELEMENT *MOST < 1u << 24,
               "a float holds each sum exactly");
#define FIRST_SIZE   64u
#define TRIALS       10
#define CLOSE_ENOUGH 0.003 /* of the duration asked for */
#define FAR          1.6 /* times shorter or longer: the task gets other rows, not only another depth */

/* ---- Matrices -------------------------------------------------------------------------------- */

/* The last that were made, for all callers that need no larger ones: to fill them takes longer than
 * many a case. */
struct shared {
    size_t elements;
    cl_mem matrices[3]; /* NULL: there are none */
};

static void release_shared(void *kept)
{
    struct shared *shared = kept;
    for (size_t i = 0; i < CB_COUNTOF(shared->matrices); i++) {
        if (shared->matrices[i])
            clReleaseMemObject(shared->matrices[i]);
        shared->matrices[i] = NULL;
    }
    shared->elements = 0;
}

static const struct cb_kept_kind shared_kind = {sizeof(struct shared), release_shared};

static enum cb_status fill_shared(struct cb_session *s, struct shared *shared, size_t elements,
                                  struct cb_err *err)
{
    float *host[2] = {malloc(4 * elements), malloc(4 * elements)};
    enum cb_status status = host[0] && host[1] ? CB_OK : cb_fail(err, CB_ERROR, "out of memory");
    release_shared(shared);
    if (status == CB_OK)
        cb_matmul_fill(host[0], host[1], elements);
    for (int i = 0; i < 3 && status == CB_OK; i++) {
        shared->matrices[i] = cb_buffer_create(s, 4 * elements, err);
        if (!shared->matrices[i])
            status = err->status;
        else if (i < 2)
            status = cb_buffer_write(s, shared->matrices[i], host[i], 4 * elements, err);
    }
    free(host[0]);
    free(host[1]);
    if (status == CB_OK)
        shared->elements = elements;
    return status;
}

enum cb_status cb_matmul_matrices(struct cb_session *session, uint32_t most, cl_mem matrices[3],
                                  struct cb_err *err)
{
    size_t elements = most ? (size_t)most * most : 1;
    struct shared *shared = cb_session_kept(session, &shared_kind, err);
    if (!shared ||
        (shared->elements < elements && fill_shared(session, shared, elements, err) != CB_OK))
        return err->status;
    for (int i = 0; i < 3; i++) {
        clRetainMemObject(shared->matrices[i]);
        matrices[i] = shared->matrices[i];
    }
    return CB_OK;
}

/* ---- Sizes ----------------------------------------------------------------------------------- */

uint32_t cb_matmul_most(const struct cb_device *device)
{
    return strcmp(device->type, "cpu") == 0 ? MOST_CPU : MOST;
}

static uint32_t bounded(double rows, double depth, uint32_t most)
{
    double across = fmax(1, round(rows / COOP_TASK_UNIT)),
           deep = fmax(1, round(depth / COOP_TASK_UNIT));
    return COOP_TASK_SIZE((uint32_t)fmin(most, across * COOP_TASK_UNIT),
                          (uint32_t)fmin(most, deep * COOP_TASK_UNIT));
}

/* The size whose task should take `factor` times as long. */
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
