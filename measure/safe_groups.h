/* SPDX-License-Identifier: Apache-2.0
 *
 * What a device's profile keeps of `discover --headroom`: how many workgroups ran at once in a
 * share of many launches, alone or beside something of ours.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#include "runtime/device.h"

/* One such measurement. What comes before groups_safe names it: a newer one takes its place. */
struct cb_safe_groups {
    double share;       /* share of the launches: 0.99 */
    const char *beside; /* "grid:groups=4"; "": nothing of ours */
    double wg_size, local_bytes;
    double groups_safe; /* workgroups found in this share of the launches, at least */
    double groups_most; /* the most found in any of them */
    double launches;
};

/* What a share holds for is known from launches in which it does not: so many are to be seen. */
#define CB_SAFE_GROUPS_BEYOND 10

/* How many launches that takes. */
double cb_safe_groups_launches(double share);

/* Whether it says anything: it has finite numbers, of enough launches for its share. Others are not
 * to be kept, and where a profile has them they are as good as not there. */
bool cb_safe_groups_tells(const struct cb_safe_groups *measured);

/* Puts measurements into a profile's section, in place of older ones of the same names. Of several
 * with one name, that with the fewest workgroups is kept. */
void cb_safe_groups_keep(cJSON *profile, const struct cb_safe_groups *list, int n);

/* CB_USAGE: the profile of the device has none of this share; the error says how to measure it. */
enum cb_status cb_safe_groups_check(const cJSON *profile, const struct cb_device *device,
                                    double share, struct cb_err *err);

/* How many workgroups of a kernel are safe whatever they were measured beside: the least number for
 * its size of workgroup, or the next larger one that was measured. `now` run at once of the kernel
 * itself: if these are fewer than the most that were measured, as many fewer are safe. *of: which
 * measurement says so; its texts are the profile's. CB_ERROR: beside something, no such size was
 * measured; CB_UNSUPPORTED: none is safe. */
enum cb_status cb_safe_groups_of(const cJSON *profile, const struct cb_device *device, double share,
                                 size_t wg_size, size_t now, size_t *groups,
                                 struct cb_safe_groups *of, struct cb_err *err);
