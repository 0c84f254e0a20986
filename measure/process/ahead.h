/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels built before the run, by as many worker processes as there are cores: one after the
 * other, between the measurements, they would take most of a first run's time. The workers open
 * the plan's cases in sessions that rehearse (runtime/session.h), which leaves the kernels in the
 * driver's cache, or in ours (runtime/cache.h), where the run finds them.
 *
 * What has been built is noted in our cache, so that a later run starts no process for it. A note
 * says that it was tried: a kernel that does not build is reported by the case that needs it. It
 * holds for the device, its driver, our program and kernels, and for the folder of the driver's
 * cache: when that is removed, everything is built again.
 */
#pragma once

#include "measure/process/supervisor.h"

/* Called once with done 0, and then after each set of kernels: so many of n are done. */
struct cb_ahead_observer {
    void *self;
    void (*told)(void *self, int done, int n);
};

/* Builds what the cases of the plan need, device after device, until it is done or the user
 * interrupts. Does nothing if no more than one set is missing, since the run builds that as fast,
 * or if nothing can be kept. */
void cb_build_ahead(const struct cb_worker_settings *settings, const struct cb_plan *plan,
                    const struct cb_devices *devices, const struct cb_ahead_observer *observer);

/* What tells the kernels of a case from those of others: its benchmark, and the parameters that
 * this is `built_by`. The caller frees it; NULL: none are built ahead, or there is no memory. */
char *cb_ahead_kernels_of(const struct cb_case *c);
