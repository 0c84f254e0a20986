/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/launch/aggregation/child_times.h"

#include <inttypes.h>
#include <stdlib.h>

#include "probes/launch/aggregation/nested.h"
#include "probes/launch/occupancy.h"
#include "runtime/cl.h"

#define AFTER_FLAGS (NEST_FLAGS * sizeof(cl_uint))

size_t cb_child_times_bytes(void)
{
    return (NEST_TIMES_FIRST + CB_CHILD_TIMES) * sizeof(cl_ulong);
}

static enum cb_status transfer(struct nested *n, bool writes, size_t at, cl_ulong *words,
                               size_t count, struct cb_err *err)
{
    const size_t offset = AFTER_FLAGS + at * sizeof *words, bytes = count * sizeof *words;
    return writes ? CB_CL(err, clEnqueueWriteBuffer(n->session->queue, n->buffers[FLAG], CL_TRUE,
                                                    offset, bytes, words, 0, NULL, NULL))
                  : CB_CL(err, clEnqueueReadBuffer(n->session->queue, n->buffers[FLAG], CL_TRUE,
                                                   offset, bytes, words, 0, NULL, NULL));
}

enum cb_status cb_child_times_clear(struct nested *n, struct cb_err *err)
{
    cl_ulong head[NEST_TIMES_FIRST] = {[NEST_TIMES_ROOM] = CB_CHILD_TIMES};
    return transfer(n, true, 0, head, NEST_TIMES_FIRST, err);
}

/* Sorts begins to the front and ends to the back; half are of each kind. */
static size_t sort_out(const cl_ulong *times, size_t n, uint64_t *sorted)
{
    size_t begins = 0, ends = 0;
    for (size_t i = 0; i < n; i++)
        if (NEST_TIME_ENDS(times[i]))
            sorted[n - ++ends] = NEST_TIME_TICKS(times[i]);
        else
            sorted[begins++] = NEST_TIME_TICKS(times[i]);
    return begins;
}

static enum cb_status read_times(struct nested *n, cl_ulong *times, size_t count,
                                 struct cb_sample *sample, struct cb_err *err)
{
    uint64_t *sorted = malloc(count * sizeof *sorted);
    if (!sorted)
        return cb_no_memory(err);
    enum cb_status status = transfer(n, false, NEST_TIMES_FIRST, times, count, err);
    const size_t begins = status == CB_OK ? sort_out(times, count, sorted) : 0;
    if (status == CB_OK && cb_sample_check(sample, 2 * begins == count,
                                           "%zu workgroups of children began, and %zu ended",
                                           begins, count - begins)) {
        const struct cb_occupancy o = cb_occupancy_of(sorted, sorted + begins, begins);
        cb_occupancy_add(&o, sample);
    }
    free(sorted);
    return status;
}

enum cb_status cb_child_times_add(struct nested *n, struct cb_sample *sample, struct cb_err *err)
{
    cl_ulong count = 0;
    if (transfer(n, false, NEST_TIMES_COUNT, &count, 1, err) != CB_OK)
        return err->status;
    if (count == 0)
        return cb_fail(err, CB_UNSUPPORTED, "occupancy: no child was launched");
    if (count > CB_CHILD_TIMES)
        return cb_fail(err, CB_UNSUPPORTED,
                       "occupancy: the children had %" PRIu64 " workgroups, and there is room for "
                       "the times of %u: take a smaller input",
                       (uint64_t)count / 2, CB_CHILD_TIMES / 2);
    cl_ulong *times = malloc(count * sizeof *times);
    if (!times)
        return cb_no_memory(err);
    enum cb_status status = read_times(n, times, count, sample, err);
    free(times);
    return status;
}
