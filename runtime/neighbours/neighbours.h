/* SPDX-License-Identifier: Apache-2.0
 *
 * Neighbours: other programs that use the same device, or its display; on a CPU device, whatever
 * else has its cores. A watch on a device is opened before its session, and looks now and then,
 * for less than a hundredth of the time:
 *
 *     CPU devices   the time that cores were busy, less that of this program: exact, of all the
 *                   time since the look before
 *     NVIDIA GPUs   the shares of the time that NVML tells of other processes
 *     any other     a kernel of some milliseconds reads the device's clock again and again, on each
 *     device, too   compute unit, and sees gaps where others were given the device
 *
 * A device that is shared by parts, not in turns (MPS, MIG), shows no gaps.
 */
#pragma once

#include <cjson/cJSON.h>

#include "runtime/session.h"

struct cb_neighbours;

/* What tells of neighbours. */
#define CB_SIGN_CORES "cores"
#define CB_SIGN_NVML  "nvml"
#define CB_SIGN_GAPS  "gaps"

/* What a look has seen. */
struct cb_look {
    uint64_t begin_ns, end_ns; /* host's clock: the time of which it tells */
    const char *sign;          /* that others used the device; NULL: none, it was quiet */
    double share;              /* of the time that they had, as far as it is known; 0 to 1 */
    double longest_ns;         /* longest gap; 0: not looked for, or none was seen */
    int processes;             /* of others that have the device open; -1: not known */
    double bytes;              /* of its memory that others have; NaN: not known */
};

/* Begins to watch a device of which this process has nothing open yet: who is there is another. */
enum cb_status cb_neighbours_open(const struct cb_device *device, struct cb_neighbours **out,
                                  struct cb_err *err);
void cb_neighbours_close(struct cb_neighbours *neighbours); /* NULL is fine */

/* From now on there is a session, with a measured clock, to look for gaps in. A device that has
 * other ways, or no clock, needs none; one that does not take the kernel goes without. */
void cb_neighbours_attach(struct cb_neighbours *neighbours, struct cb_session *session);

/* Says whether a neighbour of our own is there from now on: then nobody looks for gaps, which may
 * be its own. */
void cb_neighbours_share(struct cb_neighbours *neighbours, bool shares);

/* Whether a look is due: the last one is at least so long ago, and a hundred times what it took. */
bool cb_neighbours_is_due(const struct cb_neighbours *neighbours, double least_s);

/* Looks. The session's queue has nothing to do. */
enum cb_status cb_neighbours_look(struct cb_neighbours *neighbours, struct cb_look *look,
                                  struct cb_err *err);

/* {"begin_ns", "end_ns", "sign", "share", "longest_ns", "processes", "bytes"}; what is not known is
 * absent. */
cJSON *cb_look_to_json(const struct cb_look *look);
