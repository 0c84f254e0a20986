/* SPDX-License-Identifier: Apache-2.0
 *
 * When the workgroups of children began and ended in a run, for --occupancy.
 */
#pragma once

#include "measure/bench.h"

#define CB_CHILD_TIMES (1u << 23) /* number of begins and ends that there is room for */

struct nested;

/* Bytes of the times, which lie after the flags. */
size_t cb_child_times_bytes(void);

/* Clears the times before a run; adds what they say to the sample after it. */
enum cb_status cb_child_times_clear(struct nested *n, struct cb_err *err);
enum cb_status cb_child_times_add(struct nested *n, struct cb_sample *sample, struct cb_err *err);
