/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "probes/primitives/primitives.h"

/* Launches a kernel of relaunch.cl once for each of its operations, one after the other. time_ns:
 * of the host, from the first call to the end of the last kernel. The arguments must be set. */
enum cb_status cb_relaunch_run(struct cb_primitives *p, int kernel, size_t groups, double *time_ns,
                               struct cb_err *err);

/* Releases what it keeps in the case. */
void cb_relaunch_release(struct cb_primitives *p);
