/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/graphics/gl/egl_device.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef EGL_CUDA_DEVICE_NV
#define EGL_CUDA_DEVICE_NV 0x323A
#endif
#ifndef EGL_DEVICE_UUID_EXT
#define EGL_DEVICE_UUID_EXT 0x335C
#endif
#define UUID_BYTES 16

typedef EGLBoolean query_binary(EGLDeviceEXT device, EGLint name, EGLint room, void *value,
                                EGLint *size);

/* The functions of extensions; eglGetProcAddress gives them with another type. */
static struct {
    PFNEGLQUERYDEVICESEXTPROC devices;
    PFNEGLQUERYDEVICESTRINGEXTPROC text;
    PFNEGLQUERYDEVICEATTRIBEXTPROC attribute;
    PFNEGLGETPLATFORMDISPLAYEXTPROC display;
    query_binary *binary;
} call;

static void find_functions(void)
{
    call.devices = (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
    call.text = (PFNEGLQUERYDEVICESTRINGEXTPROC)eglGetProcAddress("eglQueryDeviceStringEXT");
    call.attribute = (PFNEGLQUERYDEVICEATTRIBEXTPROC)eglGetProcAddress("eglQueryDeviceAttribEXT");
    call.display = (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    call.binary = (query_binary *)eglGetProcAddress("eglQueryDeviceBinaryEXT");
}

EGLDisplay cb_egl_platform_display(EGLenum platform, void *native)
{
    static const EGLint nothing[] = {EGL_NONE};
    find_functions();
    return call.display ? call.display(platform, native, nothing) : EGL_NO_DISPLAY;
}

/* ---- Which is it? ---------------------------------------------------------------------------- */

static bool has(EGLDeviceEXT device, const char *extension)
{
    const char *all = call.text ? call.text(device, EGL_EXTENSIONS) : NULL;
    return all && strstr(all, extension);
}

/* 1: the device has this UUID, 0: another, -1: it does not tell. */
static int has_uuid(EGLDeviceEXT device, const char *uuid)
{
    unsigned char bytes[UUID_BYTES];
    EGLint size = 0;
    if (!*uuid || !call.binary || !has(device, "EGL_EXT_device_persistent_id") ||
        !call.binary(device, EGL_DEVICE_UUID_EXT, sizeof bytes, bytes, &size) || size != UUID_BYTES)
        return -1;
    char text[2 * UUID_BYTES + 1], *out = text;
    for (int i = 0; i < UUID_BYTES; i++)
        out += sprintf(out, "%02x", bytes[i]);
    for (out = text; *uuid; uuid++)
        if (*uuid != '-' && tolower((unsigned char)*uuid) != *out++)
            return 0;
    return 1;
}

/* Whether it has this index among CUDA's GPUs. */
static bool has_cuda_index(EGLDeviceEXT device, int index)
{
    EGLAttrib ordinal = -1;
    return call.attribute && has(device, "EGL_NV_device_cuda") &&
           call.attribute(device, EGL_CUDA_DEVICE_NV, &ordinal) && ordinal == index;
}

/* gpus: how many came before that are no software. */
static void rank(struct cb_egl_device *d, const struct cb_egl_wish *wish, int gpus, bool software)
{
    int same = has_uuid(d->handle, wish->uuid);
    static const char *const reasons[] = {"software", "another GPU", "a GPU at the same place",
                                          "the same CUDA device", "the same UUID"};
    if (wish->software)
        d->rank = software;
    else if (software || same == 0)
        d->rank = !software;
    else
        d->rank = same == 1                                ? 4
                  : has_cuda_index(d->handle, wish->index) ? 3
                  : gpus == wish->index                    ? 2
                                                           : 1;
    d->why = wish->software ? (software ? reasons[0] : "a GPU") : reasons[d->rank];
}

static int by_rank(const void *a, const void *b)
{
    const struct cb_egl_device *x = a, *y = b;
    return x->rank != y->rank ? y->rank - x->rank : x->number - y->number;
}

int cb_egl_devices(const struct cb_egl_wish *wish, struct cb_egl_device devices[CB_EGL_DEVICES])
{
    EGLDeviceEXT handles[CB_EGL_DEVICES];
    EGLint n = 0;
    find_functions();
    if (!call.devices || !call.devices(CB_EGL_DEVICES, handles, &n))
        return 0;
    for (int i = 0, gpus = 0; i < n; i++) {
        bool software = has(handles[i], "EGL_MESA_device_software");
        devices[i] = (struct cb_egl_device){.handle = handles[i], .number = i};
        rank(&devices[i], wish, gpus, software);
        gpus += !software;
    }
    qsort(devices, (size_t)n, sizeof *devices, by_rank);
    return n;
}
