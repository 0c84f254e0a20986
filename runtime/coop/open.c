/* SPDX-License-Identifier: Apache-2.0
 *
 * Building a cooperative kernel, and closing it.
 */
#include "runtime/coop/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/coop/together.h"
#include "runtime/discovery.h"
#include "runtime/source.h"

#define FIRST_APP_ARG 10
/* Longest turn of a long phase that counts; in a longer one others had the device. */
#define PHASE_STEP_NS 20e3

/* ---- Building -------------------------------------------------------------------------------- */

/* NVIDIA's compiler obeys its option (cl_nv_compiler_options) only for a kernel that does not say
 * how large its workgroups are: COOP_REGISTERS keeps coop_main from saying so. */
static void limit_registers(const struct cb_coop *c, char option[80])
{
    const struct cb_coop_config *f = &c->config;
    *option = '\0';
    if (f->registers && f->mode == COOP_COOPERATIVE &&
        cb_device_nvidia_capability(c->session->device))
        snprintf(option, 80, " -DCOOP_REGISTERS=%u -cl-nv-maxrregcount=%u", f->registers,
                 f->registers);
}

/* Defines how long phases are (kernels/coop/long_phases.clh). Without a clock the kernel counts
 * turns; with one, no turn is quicker than a nanosecond. */
static void lengthen_phases(const struct cb_coop *c, char option[120])
{
    const double ns = c->config.phase_s * 1e9;
    const bool clocked = c->session->ns_per_tick > 0;
    *option = '\0';
    if (ns > 0)
        snprintf(option, 120,
                 " -DCOOP_PHASE_TICKS=%" PRIu64 "ul -DCOOP_PHASE_TURNS=%" PRIu64
                 "ul -DCOOP_PHASE_STEP=%" PRIu64,
                 cb_coop_ticks(c, ns) + 1, clocked ? (uint64_t)ns : cb_coop_ticks(c, ns) + 1,
                 cb_coop_ticks(c, PHASE_STEP_NS) + 1);
}

/* The configuration's way of discovery, completed by defaults. */
static struct cb_discovery_way way_of(const struct cb_coop_config *config)
{
    struct cb_discovery_way way = config->way;
    way.protocol = way.protocol ? way.protocol : "lockfree";
    way.delay = way.delay ? way.delay : "adaptive";
    return way;
}

static enum cb_status build_program(struct cb_coop *c, const char *defines, struct cb_err *err)
{
    const struct cb_coop_config *f = &c->config;
    const char *paths[COOP_MOST_KERNELS] = {f->path};
    const struct cb_source_parts parts = {f->common ? f->common : "kernels/coop/together.clh",
                                          paths, cb_coop_kernels(c), "kernels/coop/main.clh"};
    if (parts.n == 1)
        return cb_program_build(c->session, f->path, defines, &c->program, err);
    for (size_t k = 1; k < parts.n; k++)
        paths[k] = f->others[k - 1];
    return cb_program_build_parts(c->session, &parts, defines, &c->program, err);
}

static enum cb_status build(struct cb_coop *c, struct cb_err *err)
{
    const struct cb_coop_config *f = &c->config;
    const struct cb_discovery_way way = way_of(f);
    char defines[500], registers[80], phases[120], protocol[120], kernels[40] = "",
                                                                  semantics[40] = "";
    const bool is_alone = f->mode == COOP_SPECIALISED || f->mode == COOP_PORTABLE;
    limit_registers(c, registers);
    lengthen_phases(c, phases);
    if (cb_coop_kernels(c) > 1)
        snprintf(kernels, sizeof kernels, " -DCOOP_KERNELS=%u", cb_coop_kernels(c));
    if (f->mode == COOP_COOPERATIVE && f->semantics != COOP_HIGHEST)
        snprintf(semantics, sizeof semantics, " -DCOOP_SEMANTICS=%u", f->semantics);
    cb_discovery_defines(&way, protocol, sizeof protocol);
    int n = snprintf(defines, sizeof defines,
                     "-DCOOP_WG_SIZE=%zu -DCOOP_MODE=%u -DCOOP_RESIZING=%u %s "
                     "-DCB_BARRIER=%s%s%s%s%s%s%s%s%s%s%s",
                     f->wg_size, f->mode, f->semantics == COOP_ANY ? COOP_QUERY : f->resizing,
                     protocol, f->barrier ? f->barrier : "patient", registers,
                     f->trace_events ? " -DCOOP_TRACE" : "", f->repeats ? " -DCOOP_REPEATS" : "",
                     f->program_tasks ? " -DCOOP_PROGRAM_TASKS" : "",
                     f->submits ? " -DCOOP_CHILDREN" : "", kernels, semantics, phases,
                     f->watched ? " -DCOOP_WATCHED" : "", is_alone ? " -DCB_CALLS_ROLL" : "");
    if (n < 0 || (size_t)n >= sizeof defines)
        return cb_fail(err, CB_ERROR, "%s: too many compiler options", f->path);
    if (build_program(c, defines, err) != CB_OK)
        return err->status;
    return cb_kernel_create(c->program, "coop_main", &c->kernel, err);
}

static enum cb_status check_device(struct cb_session *s, const struct cb_coop_config *config,
                                   struct cb_err *err)
{
    /* Our own tasks come after coop/args.clh, which makes all of their accesses volatile. */
    if (config->program_tasks && strcmp(s->info.atomics, "cl12") == 0)
        return cb_fail(err, CB_UNSUPPORTED,
                       "tasks that are kernels read with plain accesses what others wrote, which "
                       "the atomics of OpenCL 1.2 do not order: with c11 or ptx they can");
    if (cb_device_has_extension(s->device, "cl_khr_int64_base_atomics"))
        return CB_OK;
    return cb_fail(err, CB_UNSUPPORTED,
                   "%s has no 64-bit atomics (cl_khr_int64_base_atomics), in which the runtime "
                   "keeps the membership",
                   s->info.name);
}

/* Fails before anything is built if it is known that too few workgroups run at once. */
static enum cb_status check_groups(const struct cb_coop *c, struct cb_err *err)
{
    const uint64_t known = cb_device_known_groups(&c->session->info);
    if (c->config.mode != COOP_COOPERATIVE || known == 0)
        return CB_OK;
    return cb_coop_check_found(c, known, err);
}

/* Combinations fail that have no protocol (models/), or no source that brings their parts
 * together. */
static enum cb_status check_features(const struct cb_coop_config *config, struct cb_err *err)
{
    const bool is_whole = config->semantics == COOP_WHOLE, several = config->others[0] != NULL;
    if (config->mode != COOP_COOPERATIVE || (!is_whole && !several))
        return CB_OK;
    if (config->submits)
        return cb_fail(err, CB_UNSUPPORTED,
                       "%s: tasks that a kernel or a task submits itself cannot be %s",
                       config->path,
                       several ? "in a megakernel of several cooperative kernels"
                               : "where the whole kernel may leave (semantics 'whole')");
    if (several && (is_whole || config->semantics == COOP_ANY))
        return cb_fail(err, CB_UNSUPPORTED,
                       "%s: the semantics 'any' and 'whole' need a megakernel of one cooperative "
                       "kernel",
                       config->path);
    return CB_OK;
}

/* The last arguments of coop_main. */
static enum cb_status set_images(struct cb_coop *c, struct cb_err *err)
{
    const struct cb_coop_config *f = &c->config;
    cl_uint all = 0;
    if (!f->program_tasks || f->n_images == 0)
        return CB_OK;
    if (CB_CL(err, clGetKernelInfo(c->kernel, CL_KERNEL_NUM_ARGS, sizeof all, &all, NULL)) != CB_OK)
        return err->status;
    for (size_t i = 0; i < f->n_images; i++)
        if (CB_CL(err, clSetKernelArg(c->kernel, (cl_uint)(all - f->n_images + i),
                                      f->images[i].size, f->images[i].value)) != CB_OK)
            return cb_context(err, "image or sampler %zu of the tasks", i);
    return CB_OK;
}

enum cb_status cb_coop_open(struct cb_session *session, const struct cb_coop_config *config,
                            struct cb_coop **coop, struct cb_err *err)
{
    struct cb_coop *c = calloc(1, sizeof *c);
    *coop = c;
    if (!c)
        return cb_no_memory(err);
    c->session = session;
    c->config = *config;
    const struct cb_discovery_way way = way_of(config);
    c->discovers = config->mode == COOP_PORTABLE && strcmp(way.protocol, "unsafe") != 0;
    c->control = calloc(1, sizeof *c->control);
    enum cb_status status = c->control ? check_features(config, err) : cb_no_memory(err);
    if (status == CB_OK)
        status = check_device(session, config, err);
    if (status == CB_OK)
        status = cb_discovery_delay(way.delay, &c->delay, err);
    if (status == CB_OK)
        status = cb_coop_channel_open(&c->channel, session, config->channel, err);
    if (status == CB_OK)
        status = check_groups(c, err);
    if (status == CB_OK)
        status = build(c, err);
    if (status == CB_OK)
        status = cb_kernel_check_before(session, c->kernel, config->wg_size, err);
    if (status == CB_OK)
        status = set_images(c, err);
    if (status == CB_OK && config->arena)
        status = CB_CL(err, clRetainMemObject(config->arena));
    if (status == CB_OK)
        c->buffers[ARENA] = config->arena;
    if (status != CB_OK) {
        cb_coop_close(c);
        *coop = NULL;
    }
    return status;
}

size_t cb_coop_wg_size(const struct cb_coop *c)
{
    return c->config.wg_size;
}

struct cb_kernel_needs cb_coop_needs(const struct cb_coop *c)
{
    return cb_kernel_needs(c->session, c->kernel);
}

/* Ends a launch that nobody has waited for. */
static void end_launch(struct cb_coop *c)
{
    struct cb_err ignored;
    if (c->config.repeats) {
        cb_launch_end(c->session, c->event, c->workers, NULL, NULL, &ignored);
        return;
    }
    cb_coop_abandon(c);
    cb_coop_stop(c, NULL, &ignored);
}

void cb_coop_close(struct cb_coop *c)
{
    if (!c)
        return;
    if (c->event)
        end_launch(c);
    cb_coop_release_buffers(c, 0, BUFFERS);
    cb_coop_channel_close(&c->channel);
    if (c->kernel)
        clReleaseKernel(c->kernel);
    if (c->program)
        clReleaseProgram(c->program);
    free(c->control);
    free(c);
}

enum cb_status cb_coop_args_after(struct cb_coop *c, size_t before,
                                  const struct cb_kernel_value *values, size_t n,
                                  struct cb_err *err)
{
    for (size_t i = 0; i < n; i++)
        if (CB_CL(err, clSetKernelArg(c->kernel, (cl_uint)(FIRST_APP_ARG + before + i),
                                      values[i].size, values[i].value)) != CB_OK)
            return cb_context(err, "argument %zu of the cooperative kernel", i);
    return CB_OK;
}

enum cb_status cb_coop_count_args(const struct cb_coop *c, size_t *n, struct cb_err *err)
{
    cl_uint all = 0;
    if (CB_CL(err, clGetKernelInfo(c->kernel, CL_KERNEL_NUM_ARGS, sizeof all, &all, NULL)) != CB_OK)
        return err->status;
    const size_t others = FIRST_APP_ARG + (c->config.program_tasks ? c->config.n_images : 0);
    *n = all > others ? all - others : 0;
    return CB_OK;
}

enum cb_status cb_coop_args(struct cb_coop *c, const struct cb_kernel_value *values, size_t n,
                            struct cb_err *err)
{
    return cb_coop_args_after(c, 0, values, n, err);
}

void cb_coop_move(struct cb_coop *c, unsigned number)
{
    c->offset = number % COOP_OFFSETS * COOP_OFFSET_WORDS;
}
