/* SPDX-License-Identifier: Apache-2.0
 *
 * An OpenGL ES context without a screen: on an EGL device, else without any surface, else on the
 * default display. One at a time in a process.
 */
#pragma once

#include <EGL/egl.h>
#include <stdbool.h>

#include "runtime/host/error.h"

struct cb_egl_wish {
    const char *platform; /* "device", "surfaceless", "default", or "auto": the first that works */
    bool software;        /* rather a software rasteriser: the OpenCL device is the CPU */
    const char *uuid;     /* UUID of the OpenCL device, "" if it is not known */
    int index;            /* its index on its OpenCL platform: find the GPU that it is */
};

struct cb_egl {
    EGLDisplay display;
    EGLContext context;
    EGLSurface surface; /* EGL_NO_SURFACE where contexts need none */
    char how[192];      /* "device platform, EGL device 1 of 2 (same UUID)" */
};

/* Makes the context current. CB_UNSUPPORTED: with no platform there is one; err has the reason of
 * each. */
enum cb_status cb_egl_open(const struct cb_egl_wish *wish, struct cb_egl *egl, struct cb_err *err);
void cb_egl_close(struct cb_egl *egl);
