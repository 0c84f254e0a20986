/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/memory/plan.h"

#include <string.h>

#include "runtime/discovery.h"

/* What a case takes on average (PoCL, H200). */
#define CPU_CASE_S 0.038
#define GPU_CASE_S 0.03

#define ACCESSES     1000u
#define CPU_ACCESSES 100000u

/* The options, whose rows say what each is. */
struct cb_memory_options {
    struct cb_texts access_kinds, operations, contentions, groups;
    struct cb_uints strides_bytes, distances_bytes;
    unsigned accesses, wg_size;
};

#define OPTION(name, member) CB_OPTION(struct cb_memory_options, name, member)

const struct cb_param cb_memory_params[] = {
    {OPTION("access", access_kinds), .default_value = "volatile,atomic,volatile_after_atomic",
     .choices = "volatile,atomic,volatile_after_atomic", .help = "Kinds of access."},
    {OPTION("operation", operations), .default_value = "read,write,chase",
     .choices = "read,write,chase",
     .help = "chase: reads whose address depends on the value before: latency."},
    {OPTION("contention", contentions),
     .default_value = "contentious,noncontentious,spaced,hostage",
     .choices = "contentious,noncontentious,spaced,hostage",
     .help =
         "One word for all workgroups; each its own in a 256-byte block; each its own, --strides "
         "apart (reads and writes, volatile and atomic, N workgroups); a chase by one workgroup "
         "while N - 1 access a word --distances before its own (volatile, atomic, or not at all)."},
    {OPTION("strides", strides_bytes), .default_value = "4,8,16,32,64,128,256,512,1024,2048,4096",
     .min = 4, .max = 1048576, .value_name = "BYTES",
     .help = "Distances of spaced words, multiples of 4."},
    {OPTION("distances", distances_bytes), .default_value = "0,4,16,32,64,128,256,4096",
     .max = 1048576, .value_name = "BYTES",
     .help = "Distances of a hostage's word from the others', multiples of 4."},
    {OPTION("groups", groups), .default_value = "1,N/8,N/4,N/2,N", .value_name = "GROUPS",
     .help = "Workgroups: a number, N (as many as run at once), a part of N (N/4, 3N/4), or all "
             "but some (N-1)."},
    {OPTION("accesses", accesses), .min = 1, .max = 1000000,
     .help = "Accesses of each workgroup. Without it: 1000 as in the paper, 100000 on CPU devices, "
             "whose threads would else not overlap."},
    {OPTION("wg-size", wg_size), .default_value = "128", .min = 1, .max = 65536,
     .help = "Work-items a workgroup; one of them makes the accesses."},
    {0},
};

#define FIELD(key, member)  CB_FIELD(struct cb_memory_case, key, member)
#define NEEDED(key, member) CB_FIELD_NEEDED(struct cb_memory_case, key, member)

const struct cb_field cb_memory_fields[] = {
    NEEDED("contention", contention),
    NEEDED("operation", operation),
    NEEDED("access", access),
    NEEDED("groups", groups),
    FIELD("distance_bytes", distance_bytes),
    FIELD("stride_bytes", stride_bytes),
    FIELD("accesses", accesses),
    FIELD("wg-size", wg_size),
    {0},
};

#define BLOCK_BYTES 256 /* between noncontentious words */

struct planner {
    struct cb_plan *plan;
    struct cb_memory_options o;
};

/* What a case accesses, and how. */
struct accesses {
    const char *contention, *operation, *access, *groups;
    uint64_t bytes; /* from one workgroup's word to the next; hostage: from the others' */
};

/* kind: the contention's name in the id; place: the rest of the id. */
static void add_case(const struct planner *p, const struct accesses *a, const char *kind,
                     const char *place)
{
    struct cb_case *c = cb_plan_add(p->plan, "%s/%s", kind, place);
    const bool cpu = cb_device_is_cpu(p->plan->device),
               hostage = strcmp(a->contention, "hostage") == 0;
    const struct cb_memory_case params = {
        .contention = a->contention,
        .operation = a->operation,
        .access = a->access,
        .groups = a->groups,
        .distance_bytes = {hostage, a->bytes},
        .stride_bytes = {!hostage, a->bytes},
        .accesses = p->o.accesses ? p->o.accesses
                    : cpu         ? CPU_ACCESSES
                                  : ACCESSES,
        .wg_size = p->o.wg_size,
    };
    cb_fields_write(c->params, cb_memory_fields, &params);
    c->expected_s = cpu ? CPU_CASE_S : GPU_CASE_S;
}

static void name_kind(const struct accesses *a, char *kind, size_t size)
{
    snprintf(kind, size, "%s.%s.%s", a->contention, a->operation, a->access);
}

static void add_sweep(const struct planner *p, struct accesses a)
{
    char kind[64], place[32];
    name_kind(&a, kind, sizeof kind);
    a.bytes = strcmp(a.contention, "contentious") == 0 ? 0 : BLOCK_BYTES;
    for (int i = 0; i < p->o.groups.n; i++) {
        a.groups = cb_texts_at(p->o.groups, i);
        snprintf(place, sizeof place, "groups=%.16s", a.groups);
        add_case(p, &a, kind, place);
    }
}

/* A case for each number of bytes. */
static void add_bytes(const struct planner *p, struct accesses a, struct cb_uints bytes,
                      const char *kind, const char *key)
{
    for (int i = 0; i < bytes.texts.n; i++) {
        char place[32];
        snprintf(place, sizeof place, "%s=%.16s", key, cb_texts_at(bytes.texts, i));
        a.bytes = cb_uints_at(bytes, i);
        add_case(p, &a, kind, place);
    }
}

static void add_strides(const struct planner *p, struct accesses a)
{
    char kind[64];
    if (strcmp(a.operation, "chase") == 0 || strcmp(a.access, "volatile_after_atomic") == 0)
        return; /* they would show the same distances once more */
    name_kind(&a, kind, sizeof kind);
    add_bytes(p, a, p->o.strides_bytes, kind, "stride");
}

/* A reader that chases, disturbed by each kind of access and, to compare with, not at all. */
static void add_hostages(const struct planner *p)
{
    static const char *const disturbances[] = {"atomic", "volatile"};
    bool any = false;
    if (!cb_texts_have(p->o.operations, "chase"))
        return;
    for (size_t i = 0; i < CB_COUNTOF(disturbances); i++) {
        char kind[64];
        struct accesses a = {"hostage", "chase", disturbances[i], "N", 0};
        if (!cb_texts_have(p->o.access_kinds, a.access))
            continue;
        snprintf(kind, sizeof kind, "hostage.%s", a.access);
        add_bytes(p, a, p->o.distances_bytes, kind, "distance");
        any = true;
    }
    struct accesses idle = {"hostage", "chase", "idle", "N", 0};
    if (any)
        add_bytes(p, idle, p->o.distances_bytes, "hostage.idle", "distance");
}

static enum cb_status check_words(const char *option, struct cb_uints bytes, struct cb_err *err)
{
    for (int i = 0; i < bytes.texts.n; i++)
        if (cb_uints_at(bytes, i) % 4 != 0)
            return cb_fail(err, CB_USAGE, "%s: expected multiples of 4 bytes, got %s", option,
                           cb_texts_at(bytes.texts, i));
    return CB_OK;
}

static enum cb_status check_options(const struct planner *p, struct cb_err *err)
{
    if (cb_plan_check_wg_size(p->plan->device, p->o.wg_size, err) != CB_OK ||
        cb_plan_check_groups(p->o.groups, NULL, err) != CB_OK ||
        check_words("strides", p->o.strides_bytes, err) != CB_OK)
        return err->status;
    return check_words("distances", p->o.distances_bytes, err);
}

/* Words of each contention but the hostage's. */
static void add_accesses(const struct planner *p, const char *contention)
{
    for (int o = 0; o < p->o.operations.n; o++)
        for (int a = 0; a < p->o.access_kinds.n; a++) {
            struct accesses accesses = {contention, cb_texts_at(p->o.operations, o),
                                        cb_texts_at(p->o.access_kinds, a), "N", 0};
            if (strcmp(contention, "spaced") == 0)
                add_strides(p, accesses);
            else
                add_sweep(p, accesses);
        }
}

enum cb_status cb_memory_plan(struct cb_plan *plan, const cJSON *options, struct cb_err *err)
{
    struct planner p = {.plan = plan};
    cb_options_read(options, plan->bench->params, &p.o);
    if (check_options(&p, err) != CB_OK)
        return err->status;
    for (int i = 0; i < p.o.contentions.n; i++) {
        const char *contention = cb_texts_at(p.o.contentions, i);
        if (strcmp(contention, "hostage") == 0)
            add_hostages(&p);
        else
            add_accesses(&p, contention);
    }
    return CB_OK;
}
