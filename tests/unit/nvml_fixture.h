/* SPDX-License-Identifier: Apache-2.0
 *
 * A GPU of which the library tells that stands in for NVML (tests/CMakeLists.txt).
 */
#pragma once

#include "tests/unit/unit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/device.h"

#define MIB 1048576.0

static const struct cb_device gpu = {
    .name = "H200", .type = "gpu", .pci = "0000:41:00.0", .uuid = "5eed"};

/* A process that lives, and is not ours: init. */
#define OTHER 1u

/* "PID:MIB:PERCENT ..." of those that use it. */
static inline void set_processes(const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    setenv("FAKE_NVML_PROCESSES", text, 1);
}
