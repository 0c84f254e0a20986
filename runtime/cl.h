/* SPDX-License-Identifier: Apache-2.0
 *
 * Calling OpenCL: every call goes through CB_CL, which turns an error code into a cb_err that holds
 * the call, the code's name, and file and line.
 */
#pragma once

#include <CL/cl.h>

#include "runtime/host/error.h"

enum cb_status cb_cl_check(cl_int code, const char *call, const char *file, int line,
                           struct cb_err *err);

/* Status of a call that returns its error code. */
#define CB_CL(err, call) cb_cl_check((call), #call, __FILE__, __LINE__, (err))

/* Status of a call that was made before, with its code. */
#define CB_CL_CODE(err, code, what) cb_cl_check((code), (what), __FILE__, __LINE__, (err))
