/* SPDX-License-Identifier: Apache-2.0
 *
 * Which cases a set of options means on one device.
 */
#include "probes/discover/plan.h"
#include "probes/discover/headroom.h"
#include "probes/discover/launch_size.h"
#include "probes/discover/starvation.h"
#include "probes/discover/user_kernel.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/discovery.h"

/* OOPSLA'16 Section 5.1: 20 runs per point of Fig. 8, 50 per microbenchmark */
#define SWEEP_RUNS 20

#define OPTION(name, member) CB_OPTION(struct cb_discover_options, name, member)

const struct cb_param cb_discover_params[] = {
    {OPTION("protocol", protocols), .letter = 'p', .default_value = "ticket,spin,lockfree",
     .choices = "ticket,spin,lockfree,unsafe",
     .help = "Discovery protocols. ticket, spin: with this mutex (Fig. 3); lockfree: one atomic "
             "word, no mutex; unsafe: none, a barrier across all that are launched."},
    {OPTION("microbenchmark", microbenchmarks), .letter = 'm', .default_value = "11,L1,1W,LW",
     .choices = "11,L1,1W,LW,none",
     .help = "Local memory (1 byte or the maximum, L) and workgroup size (1 or the maximum, W)."},
    {OPTION("wg-sizes", wg_sizes), .default_value = "auto", .value_name = "SIZES",
     .help = "Workgroup sizes of the sweep for Fig. 8: N, FIRST:LAST:STEP, auto (a few), none."},
    {OPTION("delay", delays), .default_value = "adaptive", .value_name = "TURNS",
     .help = "Lock-unlock turns between polling and closing (Tab. 5): N, where 0 is Fig. 3 as "
             "printed; or adaptive (until nobody has joined for a while)."},
    {OPTION("ids", ids), .default_value = "own", .choices = CB_DISCOVERY_IDS,
     .help = "The order of the participants' ids. arrival: as they come to a word, which is a "
             "protocol's own; native: by their numbers in the launch, the own one of unsafe; "
             "shuffled: native ones in a fixed order that has nothing to do with them."},
    {OPTION("quiet-time", quiet_time_ns), .max = 1e9, .value_name = "NS",
     .help = "Least time without a new participant before an adaptive poll closes [default: 100000 "
             "on CPU devices, 1000 on others]."},
    {OPTION("dimensions", dimensions), .default_value = "1", .min = 1, .max = 3,
     .help = "Dimensions of the launch: as many workgroups, and as many work-items in each, laid "
             "out as a square or a cube, as far as their divisors allow."},
    {OPTION("launch", launch), .default_value = "auto", .value_name = "GROUPS",
     .help = "Workgroups to launch: N, bound, bound+K, boundxK, auto (boundx2; without a bound, "
             "doubled until some do not participate)."},
    {OPTION("bound", bound), .default_value = "search", .choices = "search,off",
     .help = "The occupancy bound that recall refers to: search deadlocks a few kernels on "
             "purpose, each for one --wait-deadline; off: no bound, no recall."},
    {OPTION("starvation", starvation), .default_value = "none", .value_name = "GROUPS",
     .help = "Also launches so many workgroups that wait for others without a protocol, as in "
             "1024,128,2 or bound+1 (one more than run at once), and tells whether they end. "
             "Deadlocks take a --wait-deadline each."},
    {OPTION("headroom", headroom), .min = 0.5, .max = 0.9999, .value_name = "SHARE",
     .help = "Also launches " CB_HEADROOM_PROTOCOL " a thousand times, or as often as that takes, "
             "and tells how many workgroups run at once in this share of the launches, as in 0.99: "
             "a safe number, above all with --beside."},
    {OPTION("kernel", kernels), .value_name = "FILE", .instead_of = "microbenchmark",
     .help = "Instead of the microbenchmarks: kernels of yours, as lud.cl, or lud.cl:lud_internal "
             "of a file with several. How many of their workgroups run at once, of each of "
             "--wg-sizes, beside what the API says; nothing of them runs."},
    {OPTION("setup", setup), .value_name = "FILE",
     .help = "How much local memory arguments of kernels of yours have: setup.json, as "
             "{\"arguments\": {\"tile\": {\"count\": 256}}}. Without it: an element for each "
             "work-item."},
    {OPTION("build-options", build_options), .value_name = "OPTIONS",
     .help = "What the compiler is given for kernels of yours: \"-DN=4 -I include\"."},
    {0},
};

#define FIELD(key, member) CB_FIELD(struct cb_discover_case, key, member)

const struct cb_field cb_discover_fields[] = {
    FIELD("starvation", starvation),
    FIELD("groups", groups),
    FIELD("headroom", headroom),
    FIELD("kernel", kernel),
    FIELD("setup", setup),
    FIELD("build-options", build_options),
    FIELD("claims", claims),
    FIELD("protocol", protocol),
    FIELD("microbenchmark", microbenchmark),
    FIELD("wg-size", wg_size),
    FIELD("local_bytes", local_bytes),
    FIELD("dimensions", dimensions),
    FIELD("delay", delay),
    FIELD("ids", ids),
    FIELD("launch", launch),
    FIELD("quiet-time", quiet_time_ns),
    {0},
};

/* ---- Workgroup sizes of the sweep ------------------------------------------------------------ */

struct sizes {
    uint64_t *items;
    int count;
};

static bool add_size(struct sizes *sizes, uint64_t size)
{
    uint64_t *grown = realloc(sizes->items, sizeof *grown * (size_t)(sizes->count + 1));
    if (!grown)
        return false;
    sizes->items = grown;
    sizes->items[sizes->count++] = size;
    return true;
}

/* GPUs: powers of two from 32. Others: powers of four from 8. Both are even on a log axis. */
static void add_auto_sizes(struct sizes *sizes, const struct cb_device *device)
{
    uint64_t first = strcmp(device->type, "gpu") == 0 ? 32 : 8, factor = first == 32 ? 2 : 4;
    for (uint64_t size = first; size <= device->max_wg_size; size *= factor)
        add_size(sizes, size);
}

static enum cb_status add_sizes(struct sizes *sizes, const char *text,
                                const struct cb_device *device, struct cb_err *err)
{
    uint64_t first, last, step;
    char rest;
    if (strcmp(text, "none") == 0)
        return CB_OK;
    if (strcmp(text, "auto") == 0) {
        add_auto_sizes(sizes, device);
        return CB_OK;
    }
    int n = sscanf(text, "%" SCNu64 ":%" SCNu64 ":%" SCNu64 "%c", &first, &last, &step, &rest);
    if (n == 1 && strspn(text, "0123456789") == strlen(text))
        last = first, step = 1;
    else if (n != 3 || strchr(text, '-'))
        return cb_fail(err, CB_USAGE,
                       "wg-sizes: expected a size, FIRST:LAST:STEP, auto or none, got \"%s\"",
                       text);
    if (first == 0 || step == 0 || first > last)
        return cb_fail(err, CB_USAGE, "wg-sizes: \"%s\" is no rising range of sizes from 1", text);
    last = last < device->max_wg_size ? last : device->max_wg_size;
    for (uint64_t size = first; size <= last; size += step) {
        add_size(sizes, size);
        if (last - size < step) /* stops here, since the sum could wrap around */
            break;
    }
    if (first > device->max_wg_size)
        return cb_fail(err, CB_USAGE, "wg-sizes: %" PRIu64 " is over the %" PRIu64 " that %s takes",
                       first, device->max_wg_size, device->name);
    return CB_OK;
}

/* ---- Cases ----------------------------------------------------------------------------------- */

struct planner {
    struct cb_plan *plan;
    struct cb_discover_options o;
    struct cb_err *err;
    struct cb_launch_size launch;
    int n_configurations; /* planned so far */
};

/* One kernel configuration: a microbenchmark, or a point of the sweep. */
struct configuration {
    char name[32];              /* "11" or "wg=64": part of the ids */
    const char *microbenchmark; /* "11"; NULL in the sweep */
    uint64_t wg, local_bytes;
    unsigned dimensions; /* dimensions of the launch */
    int bound;           /* index of the case that finds its occupancy bound; -1: none */
};

/* params: of the protocol; those of the configuration are added. */
static struct cb_case *add_case(struct planner *p, const struct configuration *k,
                                struct cb_discover_case params, const char *suffix)
{
    const char *what = params.protocol ? params.protocol : "headroom";
    char dimensions[32] = "";
    const bool flat = k->dimensions == 1;
    if (!flat)
        snprintf(dimensions, sizeof dimensions, "%cdimensions=%u", *suffix ? ',' : '/',
                 k->dimensions);
    struct cb_case *c = cb_plan_add(p->plan, "%s/%s%s%s", what, k->name, suffix, dimensions);
    if (!k->microbenchmark)
        c->stop.min_runs = SWEEP_RUNS;
    params.microbenchmark = k->microbenchmark;
    params.wg_size = (unsigned)k->wg;
    params.local_bytes = (struct cb_given_uint){true, k->local_bytes};
    params.dimensions = flat ? 0 : k->dimensions;
    cb_fields_write(c->params, cb_discover_fields, &params);
    return c;
}

static void append_suffix(char suffix[96], const char *name, const char *value)
{
    size_t n = strlen(suffix);
    snprintf(suffix + n, 96 - n, "%c%s=%.24s", n ? ',' : '/', name, value);
}

/* Whether a quiet time ends the poll; a delay in turns, or no poll, has none. */
static bool polls_adaptively(const char *protocol, const char *delay)
{
    return strcmp(protocol, "unsafe") != 0 && (!delay || strcmp(delay, "adaptive") == 0);
}

/* Adds a case. delay NULL: the protocol has none; ids NULL: the protocol's own. */
static void add_protocol_case(struct planner *p, const struct configuration *k,
                              const char *protocol, const char *delay, const char *ids)
{
    char suffix[96] = "";
    if (delay)
        append_suffix(suffix, "delay", delay);
    if (ids)
        append_suffix(suffix, "ids", ids);
    if (strcmp(p->o.launch, "auto") != 0)
        append_suffix(suffix, "launch", p->o.launch);
    struct cb_given_uint quiet = p->o.quiet_time_ns;
    if (!quiet.given || !polls_adaptively(protocol, delay))
        quiet = (struct cb_given_uint){true, (uint64_t)cb_discovery_quiet_ns(p->plan->device)};
    const struct cb_discover_case params = {.headroom = NAN,
                                            .protocol = protocol,
                                            .delay = delay,
                                            .ids = ids,
                                            .launch = p->o.launch,
                                            .quiet_time_ns = quiet};
    add_case(p, k, params, suffix)->needs = k->bound;
}

static void add_orders(struct planner *p, const struct configuration *k, const char *protocol,
                       const char *delay)
{
    for (int i = 0; i < p->o.ids.n; i++)
        add_protocol_case(p, k, protocol, delay,
                          cb_discovery_other_order(protocol, cb_texts_at(p->o.ids, i)));
}

static enum cb_status add_protocol(struct planner *p, const struct configuration *k,
                                   const char *protocol)
{
    bool unsafe = strcmp(protocol, "unsafe") == 0;
    if (unsafe && p->launch.kind == CB_LAUNCH_AUTO)
        return cb_fail(p->err, CB_USAGE,
                       "protocol unsafe: say how many workgroups to launch (launch: N, bound, "
                       "bound+K); above the bound they deadlock, which is then reported");
    if (!cb_discovery_has_mutex(protocol)) {
        add_orders(p, k, protocol, NULL);
        return CB_OK;
    }
    for (int i = 0; i < p->o.delays.n; i++)
        add_orders(p, k, protocol, cb_texts_at(p->o.delays, i));
    return CB_OK;
}

static void add_headroom(struct planner *p, const struct configuration *k)
{
    char suffix[32];
    snprintf(suffix, sizeof suffix, "/%g", p->o.headroom);
    const struct cb_discover_case params = {
        .headroom = p->o.headroom,
        .launch = "auto",
        .quiet_time_ns = {true, (uint64_t)cb_discovery_quiet_ns(p->plan->device)}};
    struct cb_case *c = add_case(p, k, params, suffix);
    c->needs = k->bound;
    c->stop = (struct cb_stop){.rule = CB_STOP_COUNT, .min_runs = 1};
    c->own_stop = true; /* a run has all launches */
}

/* Adds the case that searches for the bound of a configuration; returns its index. */
static int add_bound(struct planner *p, const struct configuration *k)
{
    struct cb_case *c =
        add_case(p, k, (struct cb_discover_case){.headroom = NAN, .protocol = "bound"}, "");
    c->stop = (struct cb_stop){.rule = CB_STOP_COUNT, .min_runs = 1};
    c->own_stop = true; /* the search repeats its decisive barriers itself */
    return p->plan->count - 1;
}

static enum cb_status add_in_dimensions(struct planner *p, struct configuration k)
{
    k.bound = -1;
    if (strcmp(p->o.bound, "search") == 0) {
        k.bound = add_bound(p, &k);
    } else if (p->launch.kind == CB_LAUNCH_BOUND_PLUS || p->launch.kind == CB_LAUNCH_BOUND_TIMES) {
        return cb_fail(p->err, CB_USAGE, "launch: \"bound\" is not known with bound off");
    }
    for (int i = 0; i < p->o.protocols.n; i++)
        if (add_protocol(p, &k, cb_texts_at(p->o.protocols, i)) != CB_OK)
            return p->err->status;
    if (!isnan(p->o.headroom))
        add_headroom(p, &k);
    return CB_OK;
}

static enum cb_status add_configuration(struct planner *p, struct configuration k)
{
    p->n_configurations++;
    for (int i = 0; i < p->o.dimensions.texts.n; i++) {
        k.dimensions = (unsigned)cb_uints_at(p->o.dimensions, i);
        if (add_in_dimensions(p, k) != CB_OK)
            return p->err->status;
    }
    return CB_OK;
}

static enum cb_status add_microbenchmark(struct planner *p, const char *name)
{
    if (strcmp(name, "none") == 0)
        return CB_OK;
    struct configuration k = {
        .microbenchmark = name,
        .local_bytes = name[0] == 'L' ? p->plan->device->local_mem_bytes : 1,
        .wg = name[1] == 'W' ? p->plan->device->max_wg_size : 1,
    };
    snprintf(k.name, sizeof k.name, "%s", name);
    return add_configuration(p, k);
}

/* A point of the sweep. */
static struct configuration of_size(uint64_t wg)
{
    struct configuration k = {.wg = wg, .local_bytes = 1, .dimensions = 1};
    snprintf(k.name, sizeof k.name, "wg=%" PRIu64, wg);
    return k;
}

static enum cb_status add_sweep(struct planner *p)
{
    struct sizes sizes = {0};
    enum cb_status status = CB_OK;
    for (int i = 0; status == CB_OK && i < p->o.wg_sizes.n; i++)
        status = add_sizes(&sizes, cb_texts_at(p->o.wg_sizes, i), p->plan->device, p->err);
    if (status == CB_OK && p->o.kernels.n > 0)
        status = cb_user_kernels_plan(p->plan, &p->o, sizes.items, sizes.count, p->err);
    for (int i = 0; p->o.kernels.n == 0 && status == CB_OK && i < sizes.count; i++) {
        status = add_configuration(p, of_size(sizes.items[i]));
    }
    free(sizes.items);
    return status;
}

/* The bound that workgroups that starve are counted by may have been planned for the sweep. */
static enum cb_status add_starvation(struct planner *p)
{
    const struct configuration k = of_size(cb_starvation_wg_size(p->plan->device));
    char id[64];
    int bound = -1;
    if (cb_starvation_asks_bound(p->o.starvation)) {
        if (strcmp(p->o.bound, "search") != 0)
            return cb_fail(p->err, CB_USAGE, "starvation: \"bound\" is not known with bound off");
        snprintf(id, sizeof id, "discover/bound/%s", k.name);
        for (int i = 0; i < p->plan->count; i++)
            if (strcmp(p->plan->cases[i].id, id) == 0)
                bound = i;
        bound = bound < 0 ? add_bound(p, &k) : bound;
    }
    return cb_starvation_plan(p->plan, p->o.starvation, bound, p->err);
}

enum cb_status cb_discover_plan(struct cb_plan *plan, const cJSON *options, struct cb_err *err)
{
    struct planner p = {.plan = plan, .err = err};
    cb_options_read(options, plan->bench->params, &p.o);
    if (cb_launch_size_parse(p.o.launch, &p.launch, err) != CB_OK)
        return err->status;
    for (int i = 0; i < p.o.delays.n; i++)
        if (cb_discovery_delay(cb_texts_at(p.o.delays, i), &(uint32_t){0}, err) != CB_OK)
            return err->status;
    for (int i = 0; i < p.o.microbenchmarks.n; i++)
        if (add_microbenchmark(&p, cb_texts_at(p.o.microbenchmarks, i)) != CB_OK)
            return err->status;
    if (add_sweep(&p) != CB_OK)
        return err->status;
    if (!isnan(p.o.headroom) && p.o.kernels.n == 0 && p.n_configurations == 0)
        return cb_fail(
            err, CB_USAGE,
            "headroom: there is nothing to launch: give a --microbenchmark or --wg-sizes, "
            "both of which are none");
    return add_starvation(&p);
}
