/* SPDX-License-Identifier: Apache-2.0
 *
 * How many workgroups run at once, found safely at run time (OOPSLA'16 Sections 3, 5.1, 5.4).
 * See README.md beside this file.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/discovery_abi.h"
#include "measure/safe_groups.h"
#include "measure/text/json.h"
#include "probes/discover/beside.h"
#include "probes/discover/buffers.h"
#include "probes/discover/claims.h"
#include "probes/discover/discover_abi.h"
#include "probes/discover/evaluate.h"
#include "probes/discover/figures.h"
#include "probes/discover/findings.h"
#include "probes/discover/headroom.h"
#include "probes/discover/launch_size.h"
#include "probes/discover/learn.h"
#include "probes/discover/plan.h"
#include "probes/discover/report.h"
#include "probes/discover/search.h"
#include "probes/discover/starvation.h"
#include "probes/discover/user_kernel.h"
#include "runtime/discovery.h"
#include "runtime/host/time.h"
#include "runtime/session.h"

#define KERNEL          "discover"
#define BALLAST_ARG     7 /* index of the kernel's last argument */
#define MAX_AUTO_LAUNCH (1u << 20)
#define HEADROOM_NS     40e9 /* time of a run's launches */

struct discover {
    struct cb_session *session;
    cl_program program;
    cl_kernel kernel;
    struct cb_discover_buffers buffers;
    bool starves; /* the case is one of starvation.h, and nothing else here holds: */
    struct cb_starvation starvation;
    bool is_users; /* the case is one of user_kernel.h, and nothing else here holds: */
    struct cb_user_kernel user_kernel;
    bool search;     /* the case looks for the bound */
    double headroom; /* share of launches that it is about; NaN: another case */
    size_t wg, local_bytes;
    size_t ballast_bytes; /* of local_bytes, what the kernel is given */
    cl_uint dimensions;   /* dimensions of the launch */
    size_t launched;
    double bound; /* occupancy bound; 0: not known */
    bool native;  /* ids are to be in native order */
    cl_uint delay;
    cl_ulong quiet; /* quiet time in ticks, or in turns where there is no clock */
};

/* ---- Launching ------------------------------------------------------------------------------- */

/* The microbenchmark's local memory in bytes, less what the kernel itself declares. */
static enum cb_status ballast_bytes(struct discover *d, size_t *bytes, struct cb_err *err)
{
    cl_ulong declared = 0;
    if (CB_CL(err, clGetKernelWorkGroupInfo(d->kernel, d->session->device, CL_KERNEL_LOCAL_MEM_SIZE,
                                            sizeof declared, &declared, NULL)) != CB_OK)
        return err->status;
    declared = (declared + 63) / 64 * 64; /* compilers align what follows it */
    *bytes = d->local_bytes > declared + 1 ? d->local_bytes - declared : 1;
    return CB_OK;
}

static enum cb_status launch(struct discover *d, size_t launched, uint64_t *event_ns,
                             cb_launch *record, struct cb_err *err)
{
    if (cb_discover_buffers_reserve(&d->buffers, d->session, d->wg, launched, err) != CB_OK ||
        cb_discover_buffers_clear(&d->buffers, d->session, d->wg, launched, err) != CB_OK)
        return err->status;
    const struct cb_discover_buffers *b = &d->buffers;
    const struct cb_kernel_value args[] = {
        {sizeof b->state, &b->state}, {sizeof b->groups, &b->groups},
        {sizeof b->items, &b->items}, {sizeof b->letters, &b->letters},
        {sizeof d->delay, &d->delay}, {sizeof d->quiet, &d->quiet},
    };
    if (cb_kernel_args(d->kernel, args, CB_COUNTOF(args), err) != CB_OK)
        return err->status;
    const struct cb_range range = cb_range_of(d->dimensions, launched, d->wg);
    return cb_launch_run_range(d->session, d->kernel, &range, event_ns, record, err);
}

/* ---- The search for the bound ---------------------------------------------------------------- */

static enum cb_status meet(void *self, size_t groups, uint64_t *event_ns, cb_launch *record,
                           struct cb_err *err)
{
    return launch(self, groups, event_ns, record, err);
}

/* Limits a launch: a quarter of the device's memory holds the records. */
static uint64_t launch_limit(const struct discover *d)
{
    uint64_t bytes = sizeof(cb_discover_group) + (d->wg + 2) * sizeof(cb_u32);
    uint64_t by_memory = d->session->info.global_mem_bytes / 4 / bytes;
    uint64_t by_ids = CB_DISCOVER_MOST_ITEMS / d->wg;
    return by_memory < by_ids ? by_memory : by_ids;
}

static enum cb_status run_search(struct discover *d, struct cb_sample *sample, struct cb_err *err)
{
    const struct cb_discover_search search = {d->session, d, meet, launch_limit(d)};
    const struct cb_claimed claimed = {d->session, d->program, d->kernel,
                                       KERNEL,     d->wg,      d->ballast_bytes};
    if (cb_discover_search_run(&search, NULL, sample, err) != CB_OK)
        return err->status;
    cb_claims_add_kernel(&claimed, sample);
    cb_claims_add_groups(&claimed, sample);
    return CB_OK;
}

/* ---- Running a protocol ---------------------------------------------------------------------- */

static enum cb_status run_protocol(struct discover *d, size_t launched, struct cb_sample *sample,
                                   struct cb_err *err)
{
    uint64_t event_ns = 0;
    enum cb_status status = launch(d, launched, &event_ns, NULL, err);
    if (status == CB_OK)
        status = cb_discover_buffers_read(&d->buffers, d->session, d->wg, launched, err);
    if (status != CB_OK)
        return status;
    struct cb_discover_launch result = {
        .launched = launched,
        .wg_size = d->wg,
        .groups = d->buffers.host_groups,
        .items = d->buffers.host_items,
        .letters = d->buffers.host_letters,
        .ns_per_tick = d->session->ns_per_tick,
        .bound = d->bound,
        .native_order = d->native,
    };
    cb_discover_evaluate(&result, sample);
    if (d->bound > 0)
        cb_sample_add(sample, "groups_bound", d->bound);
    cb_sample_add(sample, "launch_time", (double)event_ns);
    return CB_OK;
}

/* The run has as many launches as tell it, or as its time has room for. */
static enum cb_status run_headroom(struct discover *d, struct cb_sample *sample, struct cb_err *err)
{
    const uint64_t begin_ns = cb_now_ns();
    const unsigned n = cb_headroom_launches(d->headroom);
    unsigned done = 0;
    for (; done < n && (double)(cb_now_ns() - begin_ns) < HEADROOM_NS; done++)
        if (run_protocol(d, d->launched, sample, err) != CB_OK)
            return err->status;
    if (done < n)
        cb_sample_note(sample,
                       "%u of %u launches, for want of time; the profile keeps a number of %.0f "
                       "or more, in all runs together",
                       done, n, cb_safe_groups_launches(d->headroom));
    return cb_headroom_add(sample, d->headroom, err);
}

static enum cb_status discover_run(void *state, struct cb_sample *sample, struct cb_err *err)
{
    struct discover *d = state;
    if (d->starves)
        return cb_starvation_run(&d->starvation, sample, err);
    if (d->is_users)
        return cb_user_kernel_run(&d->user_kernel, sample, err);
    if (d->search)
        return run_search(d, sample, err);
    if (!isnan(d->headroom))
        return run_headroom(d, sample, err);
    return run_protocol(d, d->launched, sample, err);
}

/* ---- Opening a case -------------------------------------------------------------------------- */

/* A search for the bound has no protocol. */
static struct cb_discovery_way way_of(const struct cb_discover_case *params)
{
    const bool bound = cb_text_is(params->protocol, "bound");
    const char *protocol = params->protocol ? params->protocol : CB_HEADROOM_PROTOCOL;
    return (struct cb_discovery_way){bound ? "unsafe" : protocol,
                                     params->delay ? params->delay : "0", params->ids};
}

/* Whether workgroups may be at the delay, which takes as long as one likes, while others wait for
 * them. */
static bool has_turns(const struct cb_discovery_way *way)
{
    return cb_discovery_has_mutex(way->protocol) && strcmp(way->delay, "adaptive") != 0 &&
           strcmp(way->delay, "0") != 0;
}

static enum cb_status build_kernel(struct discover *d, const struct cb_discover_case *params,
                                   struct cb_err *err)
{
    char defines[256];
    int n = snprintf(defines, sizeof defines, "-DCB_WG_SIZE=%zu ", d->wg);
    const struct cb_range one = cb_range_of(d->dimensions, 1, d->wg);
    if (d->dimensions > 1)
        n += snprintf(defines + n, sizeof defines - (size_t)n,
                      "-DCB_DIMENSIONS=%u -DCB_WG_SHAPE=%zu,%zu,%zu ", d->dimensions,
                      one.wg_size[0], one.wg_size[1], one.wg_size[2]);
    const struct cb_discovery_way way = way_of(params);
    if (has_turns(&way))
        n += snprintf(defines + n, sizeof defines - (size_t)n, "-DCB_CALLS_ROLL ");
    cb_discovery_defines(&way, defines + n, sizeof defines - (size_t)n);
    if (cb_program_build(d->session, "probes/discover/discover.cl", defines, &d->program, err) !=
        CB_OK)
        return err->status;
    return cb_kernel_create(d->program, KERNEL, &d->kernel, err);
}

static enum cb_status set_ballast(struct discover *d, struct cb_err *err)
{
    if (ballast_bytes(d, &d->ballast_bytes, err) != CB_OK)
        return err->status;
    return cb_kernel_arg(d->kernel, BALLAST_ARG, d->ballast_bytes, NULL, err);
}

/* Finds a launch size without a bound: doubles it until some workgroups do not participate, so that
 * all that fit could. */
static enum cb_status find_launch_size(struct discover *d, struct cb_err *err)
{
    for (d->launched = 2 * d->session->info.compute_units;; d->launched *= 2) {
        struct cb_sample sample = {.values = cJSON_CreateObject()};
        enum cb_status status = run_protocol(d, d->launched, &sample, err);
        const cJSON *found = cJSON_GetObjectItemCaseSensitive(sample.values, "groups_found");
        double groups = cJSON_GetNumberValue(cJSON_GetArrayItem(found, 0));
        cJSON_Delete(sample.values);
        if (status != CB_OK)
            return status;
        if (groups < (double)d->launched || d->launched >= MAX_AUTO_LAUNCH)
            return CB_OK;
    }
}

static enum cb_status choose_launch_size(struct discover *d, const char *launch, struct cb_err *err)
{
    struct cb_launch_size size;
    if (cb_launch_size_parse(launch ? launch : "", &size, err) != CB_OK)
        return err->status;
    size_t bound = (size_t)d->bound;
    switch (size.kind) {
    case CB_LAUNCH_COUNT:
        d->launched = size.n;
        return CB_OK;
    case CB_LAUNCH_BOUND_PLUS:
        d->launched = bound + size.n;
        return CB_OK;
    case CB_LAUNCH_BOUND_TIMES:
        d->launched = bound * size.n;
        return CB_OK;
    case CB_LAUNCH_AUTO:
        break;
    }
    d->launched = 2 * bound;
    return bound ? CB_OK : find_launch_size(d, err);
}

static void discover_close(void *state)
{
    struct discover *d = state;
    cb_starvation_close(&d->starvation);
    cb_user_kernel_close(&d->user_kernel);
    cb_discover_buffers_free(&d->buffers);
    if (d->kernel)
        clReleaseKernel(d->kernel);
    if (d->program)
        clReleaseProgram(d->program);
    free(d);
}

static enum cb_status discover_open(struct cb_session *session, const cJSON *params, void *batch,
                                    void **state, struct cb_err *err)
{
    (void)batch;
    struct discover *d = calloc(1, sizeof *d);
    *state = d;
    if (!d)
        return cb_no_memory(err);
    struct cb_discover_case p;
    cb_fields_read(params, cb_discover_fields, &p);
    d->starves = p.starvation;
    d->bound =
        fmax(0, cb_json_number(cJSON_GetObjectItemCaseSensitive(params, "needed"), "groups_bound"));
    if (d->starves)
        return cb_starvation_open(&d->starvation, session, &p, d->bound, err);
    d->is_users = p.kernel;
    if (d->is_users)
        return cb_user_kernel_open(&d->user_kernel, session, &p, err);
    if (!p.protocol && isnan(p.headroom))
        return cb_fail(err, CB_ERROR, "neither a protocol nor a kernel");
    const double quiet_ns = (double)p.quiet_time_ns.value;
    d->session = session;
    d->search = cb_text_is(p.protocol, "bound");
    d->headroom = p.headroom;
    d->wg = p.wg_size;
    d->local_bytes = p.local_bytes.value;
    d->dimensions = p.dimensions ? p.dimensions : 1;
    d->quiet = cb_discovery_quiet(session, quiet_ns);
    const struct cb_discovery_way way = way_of(&p);
    d->native = strcmp(cb_discovery_order(way.protocol, way.ids), "native") == 0;
    enum cb_status status = cb_discovery_check_quiet(session, quiet_ns, err);
    if (status == CB_OK)
        status = cb_discovery_delay(way.delay, &d->delay, err);
    if (status == CB_OK)
        status = build_kernel(d, &p, err);
    if (status == CB_OK)
        status = set_ballast(d, err);
    if (status == CB_OK && session->rehearsal)
        return launch(d, 1, NULL, NULL, err);
    if (status == CB_OK && !d->search)
        status = choose_launch_size(d, p.launch, err);
    return status;
}

/* ---- The table entry ------------------------------------------------------------------------- */

static const struct cb_metric metrics[] = {
    {"groups_found", "workgroups", CB_HIGHER, false, "participants that the protocol found"},
    {"groups_bound", "workgroups", CB_NEITHER, false,
     "occupancy bound: one more at a barrier deadlocks"},
    {"recall", "1", CB_HIGHER, false, "groups_found over groups_bound"},
    {"protocol_time", "ns", CB_LOWER, true, "first start to last end, by the device clock"},
    {"launch_time", "ns", CB_LOWER, false, "whole kernel (protocol, checks, a barrier)"},
    {"neighbours_together", "1", CB_NEITHER, false,
     "share of the participants whose next one by id is on the same compute unit"},
    {"units_of_first", "1", CB_NEITHER, false,
     "compute units that the first eight participants by id are on"},
    {"groups_safe", "workgroups", CB_HIGHER, false,
     "so many were found in a share of the launches (--headroom)"},
    {"search_time", "ns", CB_LOWER, false, "host time of the search for the bound"},
    {"search_probes", "1", CB_LOWER, false, "barriers that the search tried"},
    {"groups_launched", "workgroups", CB_NEITHER, false,
     "workgroups that wait without a protocol, where as many are asked for as run at once and "
     "more"},
    {"completes", "1", CB_NEITHER, false,
     "workgroups that wait without a protocol: 1: they end, 0: a deadlock"},
    {"wg_size", "1", CB_NEITHER, false, "work-items in a workgroup of a user's kernel"},
    {"groups_per_unit", "1", CB_NEITHER, false, "groups_bound over the device's compute units"},
    {"api_wg_size", "1", CB_NEITHER, false, "of the kernel, as it is: CL_KERNEL_WORK_GROUP_SIZE"},
    {"api_wg_multiple", "1", CB_NEITHER, false, "CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE"},
    {"api_local_bytes", "B", CB_NEITHER, false, "CL_KERNEL_LOCAL_MEM_SIZE, arguments included"},
    {"api_private_bytes", "B", CB_NEITHER, false, "CL_KERNEL_PRIVATE_MEM_SIZE"},
    {"api_groups", "workgroups", CB_NEITHER, false,
     "compute units x workgroups that fit into CL_DEVICE_LOCAL_MEM_SIZE: a guess, not a promise"},
    {"api_groups_items", "workgroups", CB_NEITHER, false,
     "compute units x workgroups that fit into CL_KERNEL_WORK_GROUP_SIZE: a guess, too"},
    {"api_sub_groups", "1", CB_NEITHER, false,
     "sub-groups of a workgroup: CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE"},
    {"cuda_groups", "workgroups", CB_NEITHER, false,
     "CUDA's cuOccupancyMaxActiveBlocksPerMultiprocessor x its multiprocessors"},
    {0},
};

static const char *const built_by[] = {"protocol",      "delay",  "ids",     "starvation", "kernel",
                                       "build-options", "claims", "wg-size", "dimensions", NULL};

static bool is_users(const cJSON *params)
{
    struct cb_discover_case p;
    cb_fields_read(params, cb_discover_fields, &p);
    return p.kernel;
}

static const char *const chosen[] = {"protocol", "delay", "ids", NULL};
static const struct cb_choice choices[] = {{"protocol", chosen}, {0}};

const struct cb_bench cb_bench_discover = {
    .id = "discover",
    .summary = "How many workgroups run at once, found safely at run time",
    .reproduces = "OOPSLA'16 Tabs. 3 and 5, Figs. 7 and 8",
    .details = "A kernel that starts with a discovery protocol learns which of its workgroups\n"
               "are resident together; those may wait for each other, the others leave. For each\n"
               "microbenchmark, this finds the true occupancy bound (by kernels that deadlock on\n"
               "purpose, bounded), runs the protocols, and reports recall (share of the bound\n"
               "that was found) and what the protocol cost. Every run is checked: ids contiguous\n"
               "and unique, the count agreed by all, all participants past one barrier together.",
    .params = cb_discover_params,
    .fields = cb_discover_fields,
    .metrics = metrics,
    .choices = choices,
    .figures = cb_discover_figures,
    .stop = {.rule = CB_STOP_COUNT, .warmup = 3, .min_runs = 50, .max_runs = 50},
    .run_deadline_s = 60,
    .quick_gpu_s = 40,
    .quick_cpu_s = 40,
    .built_by = built_by,
    .plan = cb_discover_plan,
    .open = discover_open,
    .run = discover_run,
    .close = discover_close,
    .is_users = is_users,
    .report = cb_discover_report,
    .report_besides = cb_discover_beside_report,
    .findings = cb_discover_findings,
    .learn = cb_discover_learn,
    .learns_each = true,
};
