/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* What kernels that fill local memory are written for, as NVIDIA's GPUs have it. OpenCL promises
 * 32768. */
#define CB_USUAL_LOCAL_BYTES 49152u

/* Whether a device has less; 0: it has not said. */
#define CB_LOCAL_IS_LITTLE(bytes) ((bytes) > 0 && (bytes) < CB_USUAL_LOCAL_BYTES)

/* What a device has of it, as the host says of one that has less (-DCB_LOCAL_BYTES=32768u). */
#ifndef CB_LOCAL_BYTES
#define CB_LOCAL_BYTES CB_USUAL_LOCAL_BYTES
#endif
