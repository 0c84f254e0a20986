/* SPDX-License-Identifier: Apache-2.0
 *
 * From a file of OpenCL C to a program: which language version and which of the kernel library's
 * back ends a device gets is decided here alone.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/local_memory.h"
#include "runtime/compiler.h"
#include "runtime/host/hash.h"
#include "runtime/program_cache.h"
#include "runtime/source.h"

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

static void print_back_end(FILE *out, const char *name)
{
    for (size_t i = 0; i < CB_COUNTOF(back_end_options); i++)
        if (strcmp(back_end_options[i].name, name) == 0)
            fputs(back_end_options[i].options, out);
}

/* fence.acquire came with PTX ISA 8.6, which driver 565 was the first to take, for GPUs from 9.0
 * on. */
static void print_nvidia_features(FILE *out, const struct cb_session *s)
{
    unsigned capability = cb_device_nvidia_capability(s->device);
    if (strcmp(s->info.atomics, "ptx") == 0 && capability >= 9 &&
        atoi(s->info.driver_version) >= 565)
        fputs(" -DCB_PTX_FENCE_ACQUIRE", out);
    if (strcmp(s->info.atomics, "cl12") == 0 && capability > 0)
        fputs(" -DCB_CL12_MEMBAR", out);
}

/* A device with less local memory than kernels are written for is told to them: some take less
 * then. Of all others, options stay as they are (kernels/local_memory.h). */
static void print_local_memory(FILE *out, const struct cb_device *d)
{
    if (CB_LOCAL_IS_LITTLE(d->local_mem_bytes))
        fprintf(out, " -DCB_LOCAL_BYTES=%" PRIu64 "u", d->local_mem_bytes);
}

/* The session's options of which the user of the library does not say the same macro. */
static void print_defaults(FILE *out, const char *options, const char *defines)
{
    while (*options) {
        size_t space = strspn(options, " "), length = space + strcspn(options + space, " ");
        size_t macro = strcspn(options + space, "=") + 1;
        if (!memmem(defines, strlen(defines), options + space, macro))
            fprintf(out, "%.*s", (int)length, options);
        options += length;
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

/* A program in another version of OpenCL C gets the atomics that all versions have. */
static const char *atomics(const struct cb_device *d, const char *defines)
{
    const bool is_other = strstr(defines, "-cl-std=") && !strstr(defines, language(d));
    return is_other && strcmp(d->atomics, "c11") == 0 ? "cl12" : d->atomics;
}

/* NULL: out of memory. */
static char *build_options(const struct cb_session *s, const char *defines)
{
    char *options = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&options, &size);
    if (!out)
        return NULL;
    if (!strstr(defines, "-cl-std="))
        fputs(language(&s->info), out);
    print_back_end(out, atomics(&s->info, defines));
    print_back_end(out, s->info.clock);
    print_back_end(out, s->info.relax);
    print_nvidia_features(out, s);
    print_local_memory(out, &s->info);
    print_defaults(out, s->defines, defines);
    fprintf(out, "%s%s", *defines ? " " : "", defines);
    if (fclose(out) == 0)
        return options;
    free(options);
    return NULL;
}

#define MOST_LOG   16000000 /* bytes; some compilers are talkative */
#define MOST_ERROR 400      /* bytes of a line of it */

/* NULL: there is none, or it cannot be had. */
static char *build_log(const struct cb_session *s, cl_program program)
{
    size_t size = 0;
    if (clGetProgramBuildInfo(program, s->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) !=
            CL_SUCCESS ||
        size > MOST_LOG)
        return NULL;
    char *log = calloc(1, size + 1);
    if (log)
        clGetProgramBuildInfo(program, s->device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
    return log;
}

/* NVIDIA's compiler knows before a launch what does not fit. */
static bool needs_too_much(const char *log, unsigned long long *needed, unsigned long long *most)
{
    const char *said = log ? strstr(log, "too much shared data") : NULL;
    return said &&
           sscanf(said, "too much shared data (0x%llx bytes, 0x%llx max)", needed, most) == 2;
}

/* The line of a log that says what is wrong first, and its length, at most what a line of a report
 * has room for. */
static const char *first_error(const char *log, int *length)
{
    const char *error = strstr(log, "error:");
    error = error ? error : strstr(log, "error");
    while (error && error > log && error[-1] != '\n')
        error--;
    error = error ? error : log + strspn(log, "\n");
    const size_t n = strcspn(error, "\n");
    *length = (int)(n < MOST_ERROR ? n : MOST_ERROR);
    return error;
}

/* What is wrong comes first: reports cite the beginning of a reason. */
static void tell_log(const struct cb_session *s, const char *path, const char *options,
                     const char *log, struct cb_err *err)
{
    int length;
    const char *error = first_error(log, &length);
    cb_fail(err, CB_ERROR, "%s does not build: %.*s\nFor %s (%s):\n%s", path, length, error,
            s->info.name, options + strspn(options, " "), log);
}

/* With its places as they were written; NULL: there is none. */
static char *written_log(const struct cb_session *s, cl_program program, const char *text)
{
    char *log = build_log(s, program);
    char *mapped = log && *log ? cb_source_map_log(text, log) : NULL;
    free(log);
    return mapped;
}

static void tell_warnings(const struct cb_session *s, cl_program program, const char *text)
{
    char *log = cb_compiler_tells_anybody() ? written_log(s, program, text) : NULL;
    if (log)
        cb_compiler_tell(log);
    free(log);
}

static enum cb_status build_failed(struct cb_session *s, cl_program program, const char *path,
                                   const char *text, const char *options, struct cb_err *err)
{
    char *log = written_log(s, program, text);
    unsigned long long needed, most;
    if (needs_too_much(log, &needed, &most)) {
        cb_fail_local("a workgroup", needed, most, options, err);
        cb_context(err, "%s", path);
    } else {
        tell_log(s, path, options, log ? log : "the compiler gave no log", err);
    }
    free(log);
    return err->status;
}

static enum cb_status compile(struct cb_session *s, const char *path, const char *text,
                              const char *options, cl_program *program, struct cb_err *err)
{
    cl_int code;
    cl_program created = clCreateProgramWithSource(s->context, 1, &text, NULL, &code);
    if (CB_CL_CODE(err, code, "clCreateProgramWithSource") != CB_OK)
        return err->status;
    code = cb_compiler_build(created, s->device, options);
    if (code == CL_SUCCESS) {
        tell_warnings(s, created, text);
        *program = created;
        return CB_OK;
    }
    if (code == CL_COMPILER_NOT_AVAILABLE)
        cb_fail(err, CB_UNSUPPORTED, "%s has no OpenCL C compiler", s->info.name);
    else
        build_failed(s, created, path, text, options, err);
    clReleaseProgram(created);
    return err->status;
}

/* The program of an earlier run, where the driver keeps none itself; else it is compiled. */
static enum cb_status build(struct cb_session *s, const char *path, const char *text,
                            const char *options, cl_program *program, struct cb_err *err)
{
    if (cb_driver_keeps_programs(&s->info))
        return compile(s, path, text, options, program, err);
    struct cb_cache_key key = cb_program_key(&s->info, text, options);
    *program = cb_program_load(s, key, options);
    if (*program)
        return CB_OK;
    if (compile(s, path, text, options, program, err) != CB_OK)
        return err->status;
    cb_program_keep(key, *program);
    return CB_OK;
}

/* What is built, and how messages call it. */
struct source {
    const char *name;
    const struct cb_source_parts *parts; /* NULL: the text; else all of them */
    const char *text;                    /* expanded; NULL: the file that is called so */
};

static enum cb_status expand(const struct source *source, char **text, struct cb_err *err)
{
    if (source->parts)
        return cb_source_expand_parts(source->parts, text, err);
    if (!source->text)
        return cb_source_expand(source->name, text, err);
    *text = strdup(source->text);
    return *text ? CB_OK : cb_no_memory(err);
}

/* In the language that its authors build a text in: a program that has one for all of its texts may
 * not take it. */
static enum cb_status build_as_users_do(struct cb_session *s, const char *path, const char *text,
                                        const char *defines, cl_program *program)
{
    struct cb_err err;
    char *version = cb_source_version_of(text), *all = NULL, *options = NULL;
    if (version && asprintf(&all, "%s%s", defines, version) >= 0)
        options = build_options(s, all);
    enum cb_status status =
        options ? build(s, path, text, options, program, &err) : cb_no_memory(&err);
    free(version);
    free(all);
    free(options);
    return status;
}

static enum cb_status build_source(struct cb_session *s, const struct source *source,
                                   const char *defines, cl_program *program, struct cb_err *err)
{
    char *text = NULL;
    if (expand(source, &text, err) != CB_OK)
        return err->status;
    char *own = cb_source_options_of(text), *all = NULL, *options = NULL;
    if (own && asprintf(&all, "%s%s", defines, own) >= 0)
        options = build_options(s, all);
    enum cb_status status =
        options ? build(s, source->name, text, options, program, err) : cb_no_memory(err);
    if (status == CB_ERROR && !strstr(all, "-cl-std=") &&
        build_as_users_do(s, source->name, text, all, program) == CB_OK)
        status = cb_succeed(err);
    free(own);
    free(all);
    free(options);
    free(text);
    return status;
}

/* ---- Programs built before: cases in random order ask for the same ones again and again ------ */

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

const char *cb_program_options(const struct cb_session *s, cl_program program)
{
    for (const struct cb_built_program *b = s->built; b; b = b->next)
        if (b->program == program)
            return b->key;
    return "";
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

static enum cb_status build_once(struct cb_session *s, const struct source *source,
                                 const char *defines, const char *key, cl_program *program,
                                 struct cb_err *err)
{
    const struct cb_built_program *known = find_built(s, key);
    if (known) {
        *program = known->program;
        clRetainProgram(*program);
        return CB_OK;
    }
    if (build_source(s, source, defines, program, err) != CB_OK)
        return err->status;
    remember(s, key, *program);
    return CB_OK;
}

/* What tells a program from others of the session. NULL: out of memory. */
static char *key_of(const struct source *source, const char *defines)
{
    const char *text = source->text ? source->text : "";
    char *key = NULL;
    int n = asprintf(&key, "%s %s %016" PRIx64 " %s", source->name,
                     source->parts ? source->parts->common : "",
                     cb_hash(CB_HASH_START, text, strlen(text)), defines);
    return n < 0 ? NULL : key;
}

static enum cb_status build_named(struct cb_session *s, const struct source *source,
                                  const char *defines, cl_program *program, struct cb_err *err)
{
    *program = NULL;
    defines = defines ? defines : "";
    char *key = key_of(source, defines);
    if (!key)
        return cb_no_memory(err);
    enum cb_status status = build_once(s, source, defines, key, program, err);
    free(key);
    return status;
}

enum cb_status cb_program_build(struct cb_session *s, const char *path, const char *defines,
                                cl_program *program, struct cb_err *err)
{
    return build_named(s, &(struct source){.name = path}, defines, program, err);
}

enum cb_status cb_program_build_text(struct cb_session *s, const char *name, const char *text,
                                     const char *defines, cl_program *program, struct cb_err *err)
{
    return build_named(s, &(struct source){.name = name, .text = text}, defines, program, err);
}

enum cb_status cb_program_build_parts(struct cb_session *s, const struct cb_source_parts *parts,
                                      const char *defines, cl_program *program, struct cb_err *err)
{
    char *names = strdup(parts->paths[0]);
    for (size_t i = 1; i < parts->n && names; i++) {
        char *longer = NULL;
        if (asprintf(&longer, "%s with %s", names, parts->paths[i]) < 0)
            longer = NULL;
        free(names);
        names = longer;
    }
    enum cb_status status = names ? build_named(s, &(struct source){.name = names, .parts = parts},
                                                defines, program, err)
                                  : cb_no_memory(err);
    free(names);
    return status;
}
