/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/graphics/gl/egl.h"

#include <stdio.h>
#include <string.h>

#include "probes/graphics/gl/egl_device.h"

#ifndef EGL_PLATFORM_SURFACELESS_MESA
#define EGL_PLATFORM_SURFACELESS_MESA 0x31DD
#endif

static const char *egl_error(void)
{
    static const char *const names[] = {
        "EGL_SUCCESS",       "EGL_NOT_INITIALIZED",     "EGL_BAD_ACCESS",
        "EGL_BAD_ALLOC",     "EGL_BAD_ATTRIBUTE",       "EGL_BAD_CONFIG",
        "EGL_BAD_CONTEXT",   "EGL_BAD_CURRENT_SURFACE", "EGL_BAD_DISPLAY",
        "EGL_BAD_MATCH",     "EGL_BAD_NATIVE_PIXMAP",   "EGL_BAD_NATIVE_WINDOW",
        "EGL_BAD_PARAMETER", "EGL_BAD_SURFACE",         "EGL_CONTEXT_LOST",
    };
    EGLint code = eglGetError();
    size_t i = (size_t)(code - EGL_SUCCESS);
    return code >= EGL_SUCCESS && i < CB_COUNTOF(names) ? names[i] : "unknown EGL error";
}

static bool has_extension(EGLDisplay display, const char *name)
{
    const char *all = eglQueryString(display, EGL_EXTENSIONS);
    return all && strstr(all, name);
}

/* ---- A context on a display ------------------------------------------------------------------ */

/* ES 3 where there is, else ES 2: the shaders are content with either. */
static enum cb_status make_context(struct cb_egl *egl, EGLConfig *config, struct cb_err *err)
{
    static const struct {
        EGLint version, bit;
    } versions[] = {{3, EGL_OPENGL_ES3_BIT}, {2, EGL_OPENGL_ES2_BIT}};
    for (size_t i = 0; i < CB_COUNTOF(versions); i++) {
        const EGLint wanted[] = {EGL_SURFACE_TYPE,
                                 EGL_PBUFFER_BIT,
                                 EGL_RENDERABLE_TYPE,
                                 versions[i].bit,
                                 EGL_RED_SIZE,
                                 8,
                                 EGL_GREEN_SIZE,
                                 8,
                                 EGL_BLUE_SIZE,
                                 8,
                                 EGL_NONE};
        const EGLint attributes[] = {EGL_CONTEXT_CLIENT_VERSION, versions[i].version, EGL_NONE};
        EGLint n = 0;
        if (!eglChooseConfig(egl->display, wanted, config, 1, &n) || n == 0)
            continue;
        egl->context = eglCreateContext(egl->display, *config, EGL_NO_CONTEXT, attributes);
        if (egl->context != EGL_NO_CONTEXT)
            return CB_OK;
    }
    return cb_fail(err, CB_UNSUPPORTED, "no context for OpenGL ES 3 or 2 (%s)", egl_error());
}

/* Frames are drawn into an object of their own: the surface is only there because some drivers want
 * one. */
static enum cb_status make_current(struct cb_egl *egl, EGLConfig config, struct cb_err *err)
{
    static const EGLint tiny[] = {EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
    if (!has_extension(egl->display, "EGL_KHR_surfaceless_context")) {
        egl->surface = eglCreatePbufferSurface(egl->display, config, tiny);
        if (egl->surface == EGL_NO_SURFACE)
            return cb_fail(err, CB_UNSUPPORTED, "no pbuffer (%s)", egl_error());
    }
    if (!eglMakeCurrent(egl->display, egl->surface, egl->surface, egl->context))
        return cb_fail(err, CB_UNSUPPORTED, "the context cannot be made current (%s)", egl_error());
    return CB_OK;
}

void cb_egl_close(struct cb_egl *egl)
{
    if (egl->display == EGL_NO_DISPLAY)
        return;
    eglMakeCurrent(egl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (egl->surface != EGL_NO_SURFACE)
        eglDestroySurface(egl->display, egl->surface);
    if (egl->context != EGL_NO_CONTEXT)
        eglDestroyContext(egl->display, egl->context);
    eglTerminate(egl->display);
    *egl = (struct cb_egl){.display = EGL_NO_DISPLAY};
}

static enum cb_status open_display(struct cb_egl *egl, EGLDisplay display, struct cb_err *err)
{
    EGLConfig config;
    EGLint major, minor;
    *egl = (struct cb_egl){.context = EGL_NO_CONTEXT, .surface = EGL_NO_SURFACE};
    if (display == EGL_NO_DISPLAY)
        return cb_fail(err, CB_UNSUPPORTED, "no display (%s)", egl_error());
    if (!eglInitialize(display, &major, &minor))
        return cb_fail(err, CB_UNSUPPORTED, "not initialised (%s)", egl_error());
    egl->display = display;
    if (!eglBindAPI(EGL_OPENGL_ES_API))
        cb_fail(err, CB_UNSUPPORTED, "no OpenGL ES (%s)", egl_error());
    else if (make_context(egl, &config, err) == CB_OK && make_current(egl, config, err) == CB_OK)
        return CB_OK;
    cb_egl_close(egl);
    return err->status;
}

/* ---- Platforms ------------------------------------------------------------------------------- */

/* The devices, the one that is wished for first. */
static enum cb_status try_devices(const struct cb_egl_wish *wish, struct cb_egl *egl,
                                  struct cb_err *err)
{
    struct cb_egl_device devices[CB_EGL_DEVICES];
    int n = cb_egl_devices(wish, devices);
    if (n == 0)
        return cb_fail(err, CB_UNSUPPORTED, "EGL knows no device");
    for (int i = 0; i < n; i++) {
        EGLDisplay display = cb_egl_platform_display(EGL_PLATFORM_DEVICE_EXT, devices[i].handle);
        if (open_display(egl, display, err) != CB_OK)
            continue;
        snprintf(egl->how, sizeof egl->how, "EGL device %d of %d (%s)", devices[i].number + 1, n,
                 devices[i].why);
        return CB_OK;
    }
    return cb_context(err, "of %d device(s), the last said", n);
}

static enum cb_status try_surfaceless(const struct cb_egl_wish *wish, struct cb_egl *egl,
                                      struct cb_err *err)
{
    (void)wish;
    if (!has_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless"))
        return cb_fail(err, CB_UNSUPPORTED, "the driver has no such platform");
    return open_display(egl, cb_egl_platform_display(EGL_PLATFORM_SURFACELESS_MESA, NULL), err);
}

static enum cb_status try_default(const struct cb_egl_wish *wish, struct cb_egl *egl,
                                  struct cb_err *err)
{
    (void)wish;
    return open_display(egl, eglGetDisplay(EGL_DEFAULT_DISPLAY), err);
}

static const struct platform {
    const char *name, *how;
    enum cb_status (*open)(const struct cb_egl_wish *wish, struct cb_egl *egl, struct cb_err *err);
} platforms[] = {
    {"device", NULL, try_devices},
    {"surfaceless", "surfaceless platform", try_surfaceless},
    {"default", "default display", try_default},
};

enum cb_status cb_egl_open(const struct cb_egl_wish *wish, struct cb_egl *egl, struct cb_err *err)
{
    char said[512] = "";
    size_t used = 0;
    for (size_t i = 0; i < CB_COUNTOF(platforms) && used < sizeof said; i++) {
        const struct platform *p = &platforms[i];
        struct cb_err why = {0};
        if (strcmp(wish->platform, "auto") != 0 && strcmp(wish->platform, p->name) != 0)
            continue;
        if (p->open(wish, egl, &why) == CB_OK) {
            if (p->how)
                snprintf(egl->how, sizeof egl->how, "%s", p->how);
            return CB_OK;
        }
        used += (size_t)snprintf(said + used, sizeof said - used, "%s%s: %.120s", used ? "; " : "",
                                 p->name, why.text);
    }
    return cb_fail(err, CB_UNSUPPORTED,
                   "no OpenGL ES context without a screen (%s); a driver for EGL is needed, on a "
                   "CPU Mesa's (Debian: libegl-mesa0 libgl1-mesa-dri)",
                   said);
}
