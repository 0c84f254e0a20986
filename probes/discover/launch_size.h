/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdint.h>

#include "runtime/host/error.h"

/* The number of workgroups to launch. */
struct cb_launch_size {
    enum { CB_LAUNCH_AUTO, CB_LAUNCH_COUNT, CB_LAUNCH_BOUND_PLUS, CB_LAUNCH_BOUND_TIMES } kind;
    uint64_t n;
};

/* Parses "auto", "N", "bound", "bound+K" or "boundxK". */
enum cb_status cb_launch_size_parse(const char *text, struct cb_launch_size *size,
                                    struct cb_err *err);
