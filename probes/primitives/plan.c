/* SPDX-License-Identifier: Apache-2.0
 *
 * Which cases a set of options means on one device.
 */
#include "probes/primitives/plan.h"

#include <stdlib.h>
#include <string.h>

#include "probes/primitives/best.h"
#include "probes/primitives/learnt.h"
#include "runtime/discovery.h"
#include "runtime/profile.h"

/* What a case takes on average (PoCL, H200). */
#define CPU_CASE_S 0.12
#define GPU_CASE_S 0.17

#define AND_ID_0(id)
#define AND_ID_1(id)                                 "," #id
#define AND_QUICK_ID(KIND, id, pauses, slots, quick) AND_ID_##quick(id)
#define LIST(and_ids)                                (&(and_ids)[1])
#define NONE                                         "none" /* of this kind, nothing is measured */
#define COMPARED                                     CB_NATIVE "," CB_RELAUNCH "," CB_RELAUNCH_SYNC

/* " mutex.spin_backoff,": all whose pauses get longer, or that make one for each place in line. */
#define OF_BARRIER                             "barrier."
#define OF_MUTEX                               "mutex."
#define OF_SEMAPHORE                           "semaphore."
#define OF_QUEUE                               "queue."
#define GROW_NONE(name)                        ""
#define GROW_PAUSES(name)                      " " name ","
#define GROW_PLACES(name)                      ""
#define PLACE_NONE(name)                       ""
#define PLACE_PAUSES(name)                     ""
#define PLACE_PLACES(name)                     " " name ","
#define AND_IF_IT_GROWS(KIND, id, pauses, ...) GROW_##pauses(OF_##KIND #id)
#define AND_IF_BY_PLACE(KIND, id, pauses, ...) PLACE_##pauses(OF_##KIND #id)
#define THAT_GROW                              CB_PRIMITIVES(AND_IF_IT_GROWS)
#define BY_PLACE                               CB_PRIMITIVES(AND_IF_BY_PLACE)

/* How each works, for --help. A row of kernels/primitives_abi.h without one does not compile. */
#define WHAT_BARRIER_xf                  "Xiao and Feng's flags, OOPSLA'16 Fig. 2"
#define WHAT_BARRIER_xf_rounds           "two flags for each workgroup, with round numbers"
#define WHAT_BARRIER_counter             "one word"
#define WHAT_BARRIER_two_stage           "a word for coming, one for going"
#define WHAT_BARRIER_broadcast           "a counter and a release word"
#define WHAT_BARRIER_patient             "a counter that is not polled too early"
#define WHAT_BARRIER_monitor             "a mutex and a condition variable"
#define WHAT_MUTEX_spin                  "exchange until free"
#define WHAT_MUTEX_spin_backoff          "spin, with pauses"
#define WHAT_MUTEX_spin_then_backoff     "spin, with pauses later on"
#define WHAT_MUTEX_ticket                "served in order"
#define WHAT_MUTEX_ticket_linear         "ticket, with pauses"
#define WHAT_MUTEX_ticket_backoff        "ticket, with pauses by the place in line"
#define WHAT_MUTEX_ring                  "a queue whose front all watch"
#define WHAT_MUTEX_array                 "a queue lock, each waits on a line of its own"
#define WHAT_SEMAPHORE_spin              "a spin lock that counts"
#define WHAT_SEMAPHORE_spin_backoff      "spin, with pauses in wait"
#define WHAT_SEMAPHORE_spin_backoff_post "spin, with pauses in wait and post, SO'11 Algorithm 4"
#define WHAT_SEMAPHORE_sleeping          "SO'11 Algorithm 5"
#define WHAT_SEMAPHORE_ticket            "two counters, served in order"
#define WHAT_SEMAPHORE_optimistic        "in by adding one, back out if that was too many"
#define WHAT_QUEUE_tickets               "a turn for each slot"
#define WHAT_QUEUE_monitor               "a mutex and two condition variables"
#define AND_WHAT(KIND, id, ...)          " " #id ": " WHAT_##KIND##_##id "."

/* The options, whose rows say what each is. */
struct cb_primitives_options {
    struct cb_texts barriers, mutexes, semaphores, queues, groups, backoffs_ns;
    struct cb_uints sections, initials;
    const char *ops;
    unsigned wg_size;
    bool tune;
};

#define OPTION(name, member) CB_OPTION(struct cb_primitives_options, name, member)

const struct cb_param cb_primitives_params[] = {
    {OPTION("barrier", barriers), .letter = 'b',
     .default_value = LIST(CB_BARRIERS(CB_PRIMITIVE_AND_ID) "," COMPARED),
     .choices = LIST(CB_BARRIERS(CB_PRIMITIVE_AND_ID) "," COMPARED "," NONE),
     .help = "Barriers." CB_BARRIERS(
         AND_WHAT) " To compare with: native: a C barrier of as many threads (CPU devices only); "
                   "relaunch: kernels one after the other; relaunch_sync: the host waits for each.",
     .quick = LIST(CB_BARRIERS(AND_QUICK_ID) "," CB_NATIVE "," CB_RELAUNCH)},
    {OPTION("mutex", mutexes), .letter = 'm',
     .default_value = LIST(CB_MUTEXES(CB_PRIMITIVE_AND_ID)),
     .choices = LIST(CB_MUTEXES(CB_PRIMITIVE_AND_ID) "," NONE),
     .help = "Mutexes." CB_MUTEXES(AND_WHAT), .quick = LIST(CB_MUTEXES(AND_QUICK_ID))},
    {OPTION("semaphore", semaphores), .letter = 's',
     .default_value = LIST(CB_SEMAPHORES(CB_PRIMITIVE_AND_ID)),
     .choices = LIST(CB_SEMAPHORES(CB_PRIMITIVE_AND_ID) "," NONE),
     .help = "Semaphores." CB_SEMAPHORES(AND_WHAT), .quick = LIST(CB_SEMAPHORES(AND_QUICK_ID))},
    {OPTION("queue", queues), .default_value = LIST(CB_QUEUES(CB_PRIMITIVE_AND_ID)),
     .choices = LIST(CB_QUEUES(CB_PRIMITIVE_AND_ID) "," NONE),
     .help = "Bounded queues." CB_QUEUES(AND_WHAT), .quick = NONE},
    {OPTION("groups", groups), .default_value = "auto", .value_name = "GROUPS",
     .help = "Workgroups: a number, N (as many as run at once), a part of N (N/4, 3N/4), all "
             "but some (N-1), or auto (1,N/64,N/16,N/8,N/4,N/2,N; on CPU devices 1,N/4,N/2,N)."},
    {OPTION("section", sections), .default_value = "0,1", .max = 100000,
     .help = "Critical sections of the mutexes: increments of a plain counter; 0: empty."},
    {OPTION("initial", initials), .default_value = "1,2,10,120", .min = 1, .max = 10000,
     .help = "Initial values of the semaphores: workgroups that may be inside at once."},
    {OPTION("ops", ops), .default_value = "auto", .value_name = "N",
     .help = "Operations of each workgroup in one kernel; auto: 1000 as in the paper, fewer where "
             "a kernel would take more than 10 ms; on CPU devices as many as mutexes and "
             "semaphores make in 10 ms."},
    {OPTION("wg-size", wg_size), .default_value = "128", .min = 1, .max = 65536,
     .help = "Work-items a workgroup."},
    {OPTION("backoff", backoffs_ns), .default_value = "profile", .value_name = "NS",
     .help = "Pauses of the implementations that have any: MIN:MAX in ns for" THAT_GROW
             " PLACE in ns for each place in line for" BY_PLACE
             " or profile (what --tune found, else built in)."},
    {OPTION("tune", tune),
     .help = "Also tries pauses, and keeps the best of each level of contention, and the best "
             "primitives, in the device's profile: later runs use the pauses, all kernels of this "
             "program the best.",
     .full = true},
    {0},
};

#define FIELD(key, member)  CB_FIELD(struct cb_primitives_case, key, member)
#define NEEDED(key, member) CB_FIELD_NEEDED(struct cb_primitives_case, key, member)

const struct cb_field cb_primitives_fields[] = {
    NEEDED("kind", kind),      NEEDED("primitive", primitive),
    NEEDED("groups", groups),  FIELD("section", section),
    FIELD("initial", initial), FIELD("wg-size", wg_size),
    NEEDED("ops", ops),        FIELD("backoff", backoff),
    FIELD("tune", tune),       {0},
};

/* ---- Cases ----------------------------------------------------------------------------------- */

struct planner {
    struct cb_plan *plan;
    struct cb_primitives_options o;
    const cJSON *profile;
    bool cpu;
};

/* What one case is about. */
struct subject {
    enum cb_primitive_kind kind;
    const char *name, *groups;
    struct cb_given_uint variant; /* its section or initial value; barriers have none */
    const char *backoff;          /* given: part of the id; NULL: from the profile, if it has any */
    bool tune;
};

static void name_place(const struct subject *s, char *place, size_t size)
{
    size_t n = (size_t)snprintf(place, size, "groups=%.16s", s->groups);
    if (s->variant.given)
        n += (size_t)snprintf(place + n, size - n, ",%s=%llu", cb_variant_params[s->kind],
                              (unsigned long long)s->variant.value);
    if (s->backoff)
        snprintf(place + n, size - n, ",backoff=%.24s%s", s->backoff, s->tune ? ",tune" : "");
}

static void add_case(const struct planner *p, const struct subject *s)
{
    char place[128], learnt[CB_BACKOFF_BYTES];
    const char *kind = cb_kind_names[s->kind], *backoff = s->backoff;
    name_place(s, place, sizeof place);
    struct cb_case *c = cb_plan_add(p->plan, "%s.%s/%s", kind, s->name, place);
    if (!backoff && cb_learnt_backoff(p->profile, kind, s->name, s->groups, learnt))
        backoff = learnt;
    struct cb_primitives_case params = {
        .kind = kind,
        .primitive = s->name,
        .groups = s->groups,
        .wg_size = p->o.wg_size,
        .ops = p->o.ops,
        .backoff = backoff,
        .tune = s->tune,
    };
    *(s->kind == CB_KIND_MUTEX ? &params.section : &params.initial) = s->variant;
    cb_fields_write(c->params, cb_primitives_fields, &params);
    c->expected_s = p->cpu ? CPU_CASE_S : GPU_CASE_S;
}

/* A case for each value of --backoff that fits the primitive. */
static void add_backoffs(const struct planner *p, struct subject s)
{
    enum cb_backoff pauses = cb_backoff_of(cb_kind_names[s.kind], s.name);
    bool added = false;
    for (int i = 0; i < p->o.backoffs_ns.n && pauses; i++) {
        s.backoff = cb_texts_at(p->o.backoffs_ns, i);
        if (strcmp(s.backoff, "profile") == 0)
            s.backoff = NULL;
        else if (cb_backoff_of_text(s.backoff) != pauses)
            continue;
        add_case(p, &s);
        added = true;
    }
    s.backoff = NULL;
    if (!added)
        add_case(p, &s);
}

static void add_primitive(const struct planner *p, enum cb_primitive_kind kind, const char *name,
                          const char *const *groups, int n_groups)
{
    const struct cb_uints values = kind == CB_KIND_MUTEX       ? p->o.sections
                                   : kind == CB_KIND_SEMAPHORE ? p->o.initials
                                                               : (struct cb_uints){0};
    const bool any = values.texts.n > 0;
    const int variants = any ? values.texts.n : 1;
    for (int k = 0; k < variants * n_groups; k++) {
        struct subject s = {.kind = kind, .name = name, .groups = groups[k / variants]};
        s.variant = (struct cb_given_uint){any, cb_uints_at(values, k % variants)};
        add_backoffs(p, s);
    }
}

/* The primitives of a kind that options name. */
static struct cb_texts named(const struct planner *p, enum cb_primitive_kind kind)
{
    const struct cb_texts all[CB_KINDS] = {[CB_KIND_BARRIER] = p->o.barriers,
                                           [CB_KIND_MUTEX] = p->o.mutexes,
                                           [CB_KIND_SEMAPHORE] = p->o.semaphores,
                                           [CB_KIND_QUEUE] = p->o.queues};
    return all[kind];
}

static void add_kind(const struct planner *p, enum cb_primitive_kind kind,
                     const char *const *groups, int n_groups)
{
    const struct cb_texts names = named(p, kind);
    for (int i = 0; i < names.n; i++) {
        const char *name = cb_texts_at(names, i);
        bool native = strcmp(name, CB_NATIVE) == 0;
        if (strcmp(name, NONE) != 0 && (!native || p->cpu))
            add_primitive(p, kind, name, groups, n_groups);
    }
}

/* ---- Tuning ---------------------------------------------------------------------------------- */

/* What is tried: pauses, variants of a kind, levels of contention. A list ends with NULL, or 0. */
static const char *const tried[][20] = {
    [CB_BACKOFF_PAUSES] = {"32:256", "32:1024", "32:4096", "64:512", "64:1024", CB_BUILT_IN_PAUSES,
                           "128:1024", "128:4096", "128:16384", "256:2048", "256:4096", "256:8192",
                           "256:16384", "512:4096", "512:8192", "1024:8192", "1024:16384",
                           "2048:32768"},
    [CB_BACKOFF_PLACES] = {"30", "60", "120", "180", CB_BUILT_IN_PLACE, "350", "500", "1000"}};
static const unsigned tuned_variants[CB_KINDS][3] = {
    [CB_KIND_MUTEX] = {1}, [CB_KIND_SEMAPHORE] = {1, 10}};
static const char *const gpu_levels[] = {"N/16", "N/4", "N", NULL};
static const char *const cpu_levels[] = {"N/2", "N", NULL};

static void tune(const struct planner *p, const struct cb_primitive *primitive)
{
    struct subject s = {.kind = primitive->kind, .name = primitive->id, .tune = true};
    const char *const *levels = p->cpu ? cpu_levels : gpu_levels;
    for (const unsigned *variant = tuned_variants[s.kind]; *variant; variant++)
        for (const char *const *level = levels; *level; level++)
            for (const char *const *backoff = tried[primitive->backoff]; *backoff; backoff++) {
                s.variant = (struct cb_given_uint){true, *variant};
                s.groups = *level;
                s.backoff = *backoff;
                add_case(p, &s);
            }
}

static void add_tuning(const struct planner *p)
{
    for (int i = 0; i < CB_PRIMITIVE_COUNT; i++)
        if (cb_primitive_table[i].backoff &&
            cb_texts_have(named(p, cb_primitive_table[i].kind), cb_primitive_table[i].id))
            tune(p, &cb_primitive_table[i]);
}

/* ---- Options --------------------------------------------------------------------------------- */

static enum cb_status check_options(const struct planner *p, struct cb_err *err)
{
    if (cb_plan_check_wg_size(p->plan->device, p->o.wg_size, err) != CB_OK ||
        cb_plan_check_groups(p->o.groups, "auto", err) != CB_OK)
        return err->status;
    for (int i = 0; i < p->o.backoffs_ns.n; i++) {
        const char *text = cb_texts_at(p->o.backoffs_ns, i);
        if (strcmp(text, "profile") != 0 && cb_backoff_of_text(text) == CB_BACKOFF_NONE)
            return cb_fail(err, CB_USAGE,
                           "backoff: expected MIN:MAX or PLACE in ns (MIN from 1 to MAX, at most "
                           "1000000), or profile, got \"%s\"",
                           text);
    }
    const char *ops = p->o.ops;
    size_t digits = strspn(ops, "0123456789");
    if (strcmp(ops, "auto") != 0 && (ops[digits] || digits == 0 || digits > 7 || atol(ops) == 0))
        return cb_fail(err, CB_USAGE,
                       "ops: expected a number from 1 to 9999999 or auto, got \"%s\"", ops);
    return CB_OK;
}

/* The values of --groups, or what auto stands for; returns how many there are, also beyond room. */
static int group_list(const struct planner *p, const char **groups, int room)
{
    static const char *const gpu[] = {"1", "N/64", "N/16", "N/8", "N/4", "N/2", "N"};
    static const char *const cpu[] = {"1", "N/4", "N/2", "N"};
    int n = 0;
    for (int i = 0; i < p->o.groups.n; i++) {
        const char *text = cb_texts_at(p->o.groups, i);
        bool automatic = strcmp(text, "auto") == 0;
        const char *const *list = !automatic ? &text : p->cpu ? cpu : gpu;
        int length = !automatic ? 1 : p->cpu ? (int)CB_COUNTOF(cpu) : (int)CB_COUNTOF(gpu);
        for (int k = 0; k < length; k++, n++)
            if (n < room)
                groups[n] = list[k];
    }
    return n;
}

#define MAX_GROUPS 64

enum cb_status cb_primitives_plan(struct cb_plan *plan, const cJSON *options, struct cb_err *err)
{
    struct planner p = {.plan = plan, .cpu = cb_device_is_cpu(plan->device)};
    const char *groups[MAX_GROUPS];
    cJSON *profile = NULL;
    struct cb_err ignored; /* a damaged profile has no sections: cli/suite/suite.c warns of it */
    cb_options_read(options, plan->bench->params, &p.o);
    if (check_options(&p, err) != CB_OK)
        return err->status;
    cb_profile_load(plan->device, &profile, &ignored);
    p.profile = profile;
    int n = group_list(&p, groups, MAX_GROUPS);
    if (n > MAX_GROUPS) {
        cJSON_Delete(profile);
        return cb_fail(err, CB_USAGE, "groups: at most %d values", MAX_GROUPS);
    }
    for (int kind = 0; kind < CB_KINDS; kind++)
        add_kind(&p, (enum cb_primitive_kind)kind, groups, n);
    if (p.o.tune)
        add_tuning(&p);
    cJSON_Delete(profile);
    return CB_OK;
}
