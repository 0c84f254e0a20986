/* SPDX-License-Identifier: Apache-2.0
 *
 * EGL devices (EGL_EXT_device_enumeration), and which of them is the OpenCL device.
 */
#pragma once

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "probes/graphics/gl/egl.h"

#define CB_EGL_DEVICES 16

struct cb_egl_device {
    void *handle;
    int number;      /* as enumerated */
    int rank;        /* how well it fits the wish */
    const char *why; /* it has this rank */
};

/* The best first. Returns their number; 0 also if this EGL cannot enumerate. */
int cb_egl_devices(const struct cb_egl_wish *wish, struct cb_egl_device devices[CB_EGL_DEVICES]);

/* EGL_NO_DISPLAY if this EGL has no such function. */
EGLDisplay cb_egl_platform_display(EGLenum platform, void *native);
