/* SPDX-License-Identifier: Apache-2.0
 *
 * The cooperative kernel.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/host/text.h"
#include "runtime/library/handle.h"
#include "runtime/source.h"

#define TASKS_BEGIN "#define TASK_KERNELS("
#define LIFETIME_S  60
#define GATHER_S    5

/* c: an open handle. */
static enum cb_status need(coopbench *c, bool running, struct cb_err *err)
{
    if (!c->coop)
        return cb_fail(err, CB_USAGE, "no program is loaded: coopbench_load() first");
    if (c->runs != running)
        return cb_fail(err, CB_USAGE,
                       running ? "the kernel does not run: coopbench_start() first"
                               : "the kernel runs: coopbench_stop() first");
    return CB_OK;
}

/* ---- Its program ----------------------------------------------------------------------------- */

/* The first task that has images, "#define NAME_images , image2d_t ...", and how long its name is;
 * NULL: there is none. */
static const char *task_with_images(const char *text, size_t *length)
{
    static const char begin[] = "#define ", end[] = "_images ,";
    for (const char *at = text; (at = strstr(at, begin)); at += strlen(begin)) {
        const char *name = at + strlen(begin), *images = strstr(name, end);
        *length = strcspn(name, " (\n");
        if (!images)
            return NULL;
        if (name + *length == strchr(images, ' ')) {
            *length -= strlen("_images");
            return name;
        }
    }
    return NULL;
}

/* A kernel that 'coopbench merge' has made has images as further arguments, which no host of the
 * library gives. */
static enum cb_status check_images(const coopbench *c, const char *path, struct cb_err *err)
{
    size_t length;
    const char *name = task_with_images(c->text, &length);
    return !name ? CB_OK
                 : cb_fail(err, CB_USAGE,
                           "%s: the task %.*s has images or samplers, which no launch packet "
                           "brings: give it a buffer",
                           path, (int)length, name);
}

/* Tasks as the program lists them: "APART(0, blur) TOGETHER(1, sum)". */
static enum cb_status read_tasks(coopbench *c, const char *path, struct cb_err *err)
{
    free(c->text);
    c->text = NULL;
    c->tasks = NULL;
    if (cb_source_read(path, &c->text, err) != CB_OK)
        return err->status;
    const char *at = strstr(c->text, TASKS_BEGIN);
    const char *list = at ? strchr(at, ')') : NULL;
    c->tasks = list ? list + 1 : NULL;
    if (check_images(c, path, err) != CB_OK)
        return err->status;
    if (strstr(c->text, "coop_kernel("))
        return CB_OK;
    return cb_fail(err, CB_USAGE,
                   "%s: no kernel with scheduling points (resizing_global_barrier() and its like) "
                   "that 'coopbench merge' has made one of",
                   path);
}

static enum cb_status load(coopbench *c, const char *path, struct cb_err *err)
{
    if (c->runs)
        return need(c, false, err);
    cb_coop_close(c->coop);
    c->coop = NULL;
    c->workers = 0;
    c->has_arguments = false;
    cb_programs_free(&c->session); /* the file may have changed since */
    if (read_tasks(c, path, err) != CB_OK)
        return err->status;
    const struct cb_coop_config config = {
        .path = path,
        .wg_size = c->wg_size,
        .mode = COOP_COOPERATIVE,
        .resizing = COOP_ATOMIC,
        .program_tasks = c->tasks != NULL,
        .arena = c->arena.buffer,
        .submits = strstr(c->text, "#define COOP_SUBMITS\n") != NULL,
    };
    return cb_coop_open(&c->session, &config, &c->coop, err);
}

enum coopbench_status coopbench_load(coopbench *c, const char *path)
{
    if (!library_is_open(c) || !LIBRARY_IS_GIVEN(c, path))
        return COOPBENCH_USAGE;
    char *users = cb_source_users_path(path);
    enum cb_status status = users ? load(c, users, &c->err) : cb_no_memory(&c->err);
    free(users);
    return (enum coopbench_status)status;
}

/* ---- Its arguments --------------------------------------------------------------------------- */

static enum cb_status make_part(coopbench *c, unsigned i, coopbench_buffer buffer,
                                struct cb_err *err)
{
    if (buffer.size == 0)
        return cb_fail(err, CB_USAGE, "argument %u: local memory is for parameters of tasks", i);
    if (buffer.at % c->unit != 0)
        return cb_fail(err, CB_USAGE,
                       "argument %u: a part of a buffer has to begin at a multiple of %zu bytes", i,
                       c->unit);
    const cl_buffer_region region = {buffer.at, buffer.size};
    cl_int code;
    c->parts[i] =
        clCreateSubBuffer(c->arena.buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    return CB_CL_CODE(err, code, "clCreateSubBuffer");
}

static void release_parts(coopbench *c)
{
    for (int i = 0; i < LIBRARY_ARGUMENTS; i++)
        if (c->parts[i])
            clReleaseMemObject(c->parts[i]);
    memset(c->parts, 0, sizeof c->parts);
}

static enum cb_status check_count(coopbench *c, unsigned n, struct cb_err *err)
{
    size_t parameters = 0;
    if (cb_coop_count_args(c->coop, &parameters, err) != CB_OK)
        return err->status;
    if (parameters > LIBRARY_ARGUMENTS)
        return cb_fail(err, CB_USAGE, "the kernel has %zu parameters: at most %d", parameters,
                       LIBRARY_ARGUMENTS);
    return n == parameters ? CB_OK
                           : cb_fail(err, CB_USAGE,
                                     "the kernel has %zu parameter%s, and this call %u argument%s",
                                     parameters, CB_PLURAL(parameters), n, CB_PLURAL(n));
}

static enum cb_status set_arguments(coopbench *c, const struct coopbench_argument *arguments,
                                    unsigned n, struct cb_err *err)
{
    struct cb_kernel_value values[LIBRARY_ARGUMENTS];
    struct library_parameter parameters[LIBRARY_ARGUMENTS];
    if (need(c, false, err) != CB_OK || check_count(c, n, err) != CB_OK)
        return err->status;
    /* As they are in the text, unless its preprocessor makes others of them. */
    const bool are_known = library_kernel_parameters(c->text, parameters, LIBRARY_ARGUMENTS) == n;
    c->has_arguments = false;
    c->workers = 0;
    release_parts(c);
    for (unsigned i = 0; i < n; i++) {
        const struct coopbench_argument *a = &arguments[i];
        if (library_check_argument(c, a, i, are_known ? &parameters[i] : NULL, err) != CB_OK ||
            (!a->value && make_part(c, i, a->buffer, err) != CB_OK))
            return err->status;
        values[i] = a->value ? (struct cb_kernel_value){a->size, a->value}
                             : (struct cb_kernel_value){sizeof c->parts[i], &c->parts[i]};
    }
    c->has_arguments = cb_coop_args(c->coop, values, n, err) == CB_OK;
    return c->has_arguments ? CB_OK : err->status;
}

enum coopbench_status coopbench_arguments(coopbench *c, const struct coopbench_argument *arguments,
                                          unsigned n)
{
    if (!library_is_open(c) || (n > 0 && !LIBRARY_IS_GIVEN(c, arguments)))
        return COOPBENCH_USAGE;
    return (enum coopbench_status)set_arguments(c, arguments, n, &c->err);
}

/* ---- Its run --------------------------------------------------------------------------------- */

static enum cb_status find_workers(coopbench *c, struct cb_err *err)
{
    if (c->workers > 0)
        return CB_OK;
    if (!c->has_arguments && check_count(c, 0, err) != CB_OK)
        return cb_context(err, "coopbench_arguments() first");
    return cb_coop_find_workers(c->coop, &c->workers, err);
}

enum coopbench_status coopbench_workers(coopbench *c, unsigned *workers)
{
    if (!library_is_open(c) || !LIBRARY_IS_GIVEN(c, workers))
        return COOPBENCH_USAGE;
    enum cb_status status = need(c, c->runs, &c->err);
    if (status == CB_OK)
        status = find_workers(c, &c->err);
    *workers = (unsigned)c->workers;
    return (enum coopbench_status)status;
}

static enum cb_status start(coopbench *c, const struct coopbench_start *how, struct cb_err *err)
{
    if (need(c, false, err) != CB_OK ||
        library_check_seconds(how->lifetime_s, LIBRARY_MOST_S, "lifetime_s", err) != CB_OK ||
        library_check_seconds(how->gather_s, LIBRARY_MOST_S, "gather_s", err) != CB_OK ||
        find_workers(c, err) != CB_OK)
        return err->status;
    if (how->workers > c->workers)
        return cb_fail(err, CB_USAGE, "%u workgroup%s: %zu run at once", how->workers,
                       CB_PLURAL(how->workers), c->workers);
    c->started = how->workers ? how->workers : c->workers;
    if (how->first > c->started)
        return cb_fail(err, CB_USAGE, "first: %u workgroups of %zu", how->first, c->started);
    const struct cb_coop_start as = {
        .first_groups = how->first,
        .repeat = how->repeat,
        .lifetime_s = how->lifetime_s > 0 ? how->lifetime_s : LIFETIME_S,
        .gather_s = how->gather_s > 0 ? how->gather_s : GATHER_S,
    };
    memset(c->in_use, 0, sizeof c->in_use);
    enum cb_status status = cb_coop_start(c->coop, c->started, &as, err);
    c->runs = status == CB_OK;
    return status;
}

enum coopbench_status coopbench_start(coopbench *c, const struct coopbench_start *how)
{
    const struct coopbench_start usual = {0};
    if (!library_is_open(c))
        return COOPBENCH_USAGE;
    return (enum coopbench_status)start(c, how ? how : &usual, &c->err);
}

static enum cb_status check_resize(coopbench *c, unsigned workgroups, double seconds,
                                   struct cb_err *err)
{
    if (need(c, true, err) != CB_OK ||
        library_check_seconds(seconds, LIBRARY_MOST_S, "seconds", err) != CB_OK)
        return err->status;
    return workgroups <= c->started ? CB_OK
                                    : cb_fail(err, CB_USAGE, "%u workgroups: it has %zu at most",
                                              workgroups, c->started);
}

enum coopbench_status coopbench_resize(coopbench *c, unsigned workgroups, double seconds,
                                       unsigned *active)
{
    struct cb_coop_resize resize = {0};
    if (!library_is_open(c))
        return COOPBENCH_USAGE;
    enum cb_status status = check_resize(c, workgroups, seconds, &c->err);
    if (status == CB_OK)
        status = cb_coop_limit(c->coop, workgroups, &c->err);
    if (status == CB_OK)
        status = cb_coop_await_limit(c->coop, seconds, &resize, &c->err);
    if (active)
        *active = resize.active;
    return (enum coopbench_status)status;
}

enum coopbench_status coopbench_runs(coopbench *c, unsigned *runs)
{
    if (!library_is_open(c) || !LIBRARY_IS_GIVEN(c, runs))
        return COOPBENCH_USAGE;
    enum cb_status status = need(c, true, &c->err);
    if (status == CB_OK)
        status = cb_coop_runs(c->coop, runs, &c->err);
    return (enum coopbench_status)status;
}

enum coopbench_status coopbench_stop(coopbench *c, struct coopbench_result *result)
{
    struct cb_coop_result r = {0};
    if (!library_is_open(c))
        return COOPBENCH_USAGE;
    enum cb_status status = need(c, true, &c->err);
    if (status == CB_OK) {
        status = cb_coop_stop(c->coop, &r, &c->err);
        c->runs = false;
    }
    if (result)
        *result = (struct coopbench_result){r.runs, r.kills, r.forks, r.kernel_ns / 1e9};
    free(r.run_ns);
    free(r.start_ns);
    return (enum coopbench_status)status;
}
