/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs that run a structure of kernels/ on weak memory. A file for each kind of structure has a
 * list of them.
 */
#pragma once
#include "explore.h"

/* Ends with one without a name. */
extern const weak_program deque_programs[];
extern const weak_program mutex_programs[];
extern const weak_program semaphore_programs[];
extern const weak_program barrier_programs[];
extern const weak_program queue_programs[];
extern const weak_program discovery_programs[];
