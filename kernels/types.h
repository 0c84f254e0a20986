/* SPDX-License-Identifier: Apache-2.0
 *
 * Types of the structures that host and kernels share. Such a structure holds only these: no bool,
 * size_t, pointer or vector, whose size differs between the two sides.
 */
#pragma once

#ifdef __OPENCL_VERSION__
typedef uint cb_u32;
typedef ulong cb_u64;
#else
#include <stdint.h>
typedef uint32_t cb_u32;
typedef uint64_t cb_u64;
#endif
