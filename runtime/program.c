/* SPDX-License-Identifier: Apache-2.0
 *
 * From a file of OpenCL C to a program: which language version and which of the kernel library's
 * back ends a device gets is decided here alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/session.h"
#include "runtime/source.h"

#define OPTIONS_BYTES 512

static const struct {
    const char *name, *options;
} back_end_options[] = {
    {"c11", " -DCB_ATOMICS_C11"},
    {"ptx", " -DCB_ATOMICS_PTX"},
    {"cl12", " -DCB_ATOMICS_CL12"},
    {"globaltimer", " -DCB_CLOCK_GLOBALTIMER"},
    {"tsc", " -DCB_CLOCK_TSC"},
    {"cntvct", " -DCB_CLOCK_CNTVCT"},
    {"khr", " -DCB_CLOCK_KHR"},
#ifdef __aarch64__
    {"sched_yield", " -DCB_RELAX_SYSCALL_AARCH64"},
#else
    {"sched_yield", " -DCB_RELAX_SYSCALL_X86_64"},
#endif
};

static void append_back_end(char *options, const char *name)
{
    for (size_t i = 0; i < CB_COUNTOF(back_end_options); i++)
        if (strcmp(back_end_options[i].name, name) == 0)
            strncat(options, back_end_options[i].options, OPTIONS_BYTES - strlen(options) - 1);
}

/* fence.acquire came with PTX ISA 8.6, which driver 565 was the first to take, for GPUs from 9.0
 * on. */
static void append_ptx_features(const struct cb_session *s, char *options)
{
    if (strcmp(s->info.atomics, "ptx") == 0 && cb_device_nvidia_capability(s->device) >= 9 &&
        atoi(s->info.driver_version) >= 565)
        strncat(options, " -DCB_PTX_FENCE_ACQUIRE", OPTIONS_BYTES - strlen(options) - 1);
}

/* What the device's profile knows, where the user of the library does not say it. */
static void append_learnt(const struct cb_session *s, const char *defines, char *options)
{
    for (size_t i = 0; i < CB_COUNTOF(s->learnt); i++) {
        const char *option = s->learnt[i];
        size_t macro = strcspn(option, "=");
        if (*option && !(defines && memmem(defines, strlen(defines), option, macro + 1)))
            snprintf(options + strlen(options), OPTIONS_BYTES - strlen(options), " %s", option);
    }
}

/* C11 atomics and the kernel clock need the language of OpenCL 2.0 or 3.0. */
static const char *language(const struct cb_device *d)
{
    bool c11 = strcmp(d->atomics, "c11") == 0 || strcmp(d->clock, "khr") == 0;
    if (!c11)
        return "-cl-std=CL1.2";
    return strncmp(d->device_version, "OpenCL 2.", 9) == 0 ? "-cl-std=CL2.0" : "-cl-std=CL3.0";
}

static void build_options(const struct cb_session *s, const char *defines,
                          char options[OPTIONS_BYTES])
{
    snprintf(options, OPTIONS_BYTES, "%s", language(&s->info));
    append_back_end(options, s->info.atomics);
    append_back_end(options, s->info.clock);
    append_back_end(options, s->info.relax);
    append_ptx_features(s, options);
    append_learnt(s, defines, options);
    if (defines && *defines) {
        strncat(options, " ", OPTIONS_BYTES - strlen(options) - 1);
        strncat(options, defines, OPTIONS_BYTES - strlen(options) - 1);
    }
}

static enum cb_status build_failed(struct cb_session *s, cl_program program, const char *path,
                                   const char *text, const char *options, struct cb_err *err)
{
    size_t size = 0;
    clGetProgramBuildInfo(program, s->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    char *log = calloc(1, size + 1);
    if (log)
        clGetProgramBuildInfo(program, s->device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
    char *mapped = log && *log ? cb_source_map_log(text, log) : NULL;
    cb_fail(err, CB_ERROR, "%s does not build for %s (%s):\n%s", path, s->info.name, options,
            mapped ? mapped : "(the compiler gave no log)");
    free(mapped);
    free(log);
    return CB_ERROR;
}

static enum cb_status build(struct cb_session *s, cl_program program, const char *path,
                            const char *text, const char *defines, struct cb_err *err)
{
    char options[OPTIONS_BYTES];
    build_options(s, defines, options);
    cl_int code = clBuildProgram(program, 1, &s->device, options, NULL, NULL);
    if (code == CL_SUCCESS)
        return CB_OK;
    if (code == CL_COMPILER_NOT_AVAILABLE)
        return cb_fail(err, CB_UNSUPPORTED, "%s has no OpenCL C compiler", s->info.name);
    return build_failed(s, program, path, text, options, err);
}

static enum cb_status build_path(struct cb_session *s, const char *path, const char *defines,
                                 cl_program *program, struct cb_err *err)
{
    char *text = NULL;
    if (cb_source_expand(path, &text, err) != CB_OK)
        return err->status;
    cl_int code;
    const char *strings[] = {text};
    cl_program created = clCreateProgramWithSource(s->context, 1, strings, NULL, &code);
    enum cb_status status = CB_CL_CODE(err, code, "clCreateProgramWithSource");
    if (status == CB_OK)
        status = build(s, created, path, text, defines, err);
    free(text);
    if (status == CB_OK)
        *program = created;
    else if (created)
        clReleaseProgram(created);
    return status;
}

/* ---- Programs built before: cases in random order ask for the same ones again and again ---- */

struct cb_built_program {
    struct cb_built_program *next;
    cl_program program;
    char key[]; /* path and defines */
};

static struct cb_built_program *find_built(const struct cb_session *s, const char *key)
{
    for (struct cb_built_program *b = s->built; b; b = b->next)
        if (strcmp(b->key, key) == 0)
            return b;
    return NULL;
}

static void remember(struct cb_session *s, const char *key, cl_program program)
{
    struct cb_built_program *b = malloc(sizeof *b + strlen(key) + 1);
    if (!b)
        return;
    strcpy(b->key, key);
    clRetainProgram(program);
    b->program = program;
    b->next = s->built;
    s->built = b;
}

void cb_programs_free(struct cb_session *s)
{
    while (s->built) {
        struct cb_built_program *b = s->built;
        s->built = b->next;
        clReleaseProgram(b->program);
        free(b);
    }
}

enum cb_status cb_program_build(struct cb_session *s, const char *path, const char *defines,
                                cl_program *program, struct cb_err *err)
{
    char key[2 * OPTIONS_BYTES];
    *program = NULL;
    snprintf(key, sizeof key, "%s %s", path, defines ? defines : "");
    const struct cb_built_program *known = find_built(s, key);
    if (known) {
        *program = known->program;
        clRetainProgram(*program);
        return CB_OK;
    }
    if (build_path(s, path, defines, program, err) != CB_OK)
        return err->status;
    remember(s, key, *program);
    return CB_OK;
}
