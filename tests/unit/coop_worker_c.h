/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests that compile parts of the megakernel as C: all that a worker knows. COOP_RESIZING, and
 * what else the parts ask for, as COOP_CHILDREN, are defined before. Warnings about OpenCL C are
 * off from here on, until the test says `#pragma GCC diagnostic pop` after the parts.
 */
#pragma once
#include "tests/unit/opencl_c.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include "kernels/coop_abi.h"
#include "kernels/wait.clh"
#ifdef COOP_CHILDREN
#undef CB_ATOMICS_CL12 /* which has no children */
#include "kernels/coop/children.clh"
#endif
typedef struct {
    uint coop_point;
} coop_transmit;
#include "kernels/coop/worker.clh"
