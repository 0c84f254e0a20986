/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenCL drivers as the loader finds them, and why they may have no device.
 */
#pragma once

#include <stdbool.h>

/* What is wrong with the drivers, a sentence a line with what to do; the caller's to free. NULL:
 * nothing that can be told. Drivers that do not load are always told, other causes only without a
 * device. Loads the drivers: in a worker only. */
char *cb_drivers_trouble(bool has_devices);

/* Resource limits that are lower than drivers may need, in the same form. */
char *cb_drivers_limits(void);

/* Lets processes that this one starts, and their threads, have a stack in which drivers can compile
 * kernels, if the shell allows less and it can be changed. */
void cb_drivers_raise_stack(void);

/* Before drivers are loaded: how many threads PoCL has, so many workgroups run at once. n 0: eight,
 * unless the user's environment says. */
void cb_drivers_set_cpu_workgroups(unsigned n);
