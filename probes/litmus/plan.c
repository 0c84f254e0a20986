/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/litmus/plan.h"

#include <string.h>

#include "kernels/paste.h"
#include "probes/litmus/axioms.h"

/* What a case takes on average (PoCL). */
#define CASE_S 0.8

#define ITERATIONS     16
#define CPU_ITERATIONS 2
#define WG_SIZE        256
#define CPU_WG_SIZE    1
#define QUICK_ORDERS   "relaxed,fences,acqrel,release,acquire,reversed"

/* The options, whose rows say what each is. */
struct cb_litmus_options {
    struct cb_texts tests, scopes, orderings;
    unsigned iterations, stress_percent, wg_size;
    bool conformance;
};

#define OPTION(name, member) CB_OPTION(struct cb_litmus_options, name, member)

const struct cb_param cb_litmus_params[] = {
    {OPTION("test", tests), .default_value = CB_LITMUS_TESTS, .choices = CB_LITMUS_TESTS,
     .help = "Litmus tests."},
    {OPTION("scope", scopes), .choices = CB_LITMUS_SCOPES,
     .help =
         "Whether the threads of a test are in different workgroups, in different subgroups of "
         "one, or in one subgroup. Without it: all, but on CPU devices, where the work-items of "
         "a workgroup run one after the other, workgroups."},
    {OPTION("ordering", orderings), .default_value = CB_LITMUS_ORDERS, .choices = CB_LITMUS_ORDERS,
     .help =
         "What orders the accesses: nothing; fences between them; release stores and acquire "
         "loads; read-modify-writes. Where they are mutants, also: only the release stores, "
         "only the acquire loads, only the fences after stores, or after loads, reversed program "
         "order, fences of the workgroup's scope.",
     .quick = QUICK_ORDERS},
    {OPTION("conformance", conformance), .full = true,
     .help = "Test only what OpenCL's memory model promises, a line for each promise."},
    {OPTION("iterations", iterations), .min = 1, .max = 100000,
     .help = "Launches in a sample, each of many instances of the test. Without it: " CB_QUOTE(
         ITERATIONS) ", on CPU devices " CB_QUOTE(CPU_ITERATIONS) "."},
    {OPTION("stress", stress_percent), .default_value = "50", .max = 100, .value_name = "PERCENT",
     .help = "In how many of the launches other workgroups keep the memory busy."},
    {OPTION("wg-size", wg_size), .min = 1, .max = 65536,
     .help = "Work-items a workgroup, a power of two. Without it: " CB_QUOTE(
         WG_SIZE) ", on CPU devices " CB_QUOTE(CPU_WG_SIZE) "."},
    {0},
};

#define FIELD(key, member)  CB_FIELD(struct cb_litmus_case, key, member)
#define NEEDED(key, member) CB_FIELD_NEEDED(struct cb_litmus_case, key, member)

const struct cb_field cb_litmus_fields[] = {
    NEEDED("test", test),
    NEEDED("scope", scope),
    NEEDED("ordering", ordering),
    FIELD("iterations", iterations),
    CB_FIELD_ALWAYS(struct cb_litmus_case, "stress", stress_percent),
    FIELD("wg-size", wg_size),
    FIELD("conformance", conformance),
    CB_FIELD_ALWAYS(struct cb_litmus_case, "seed", seed),
    {0},
};

struct planner {
    struct cb_plan *plan;
    struct cb_litmus_options o;
};

static void add_case(const struct planner *p, const char *test, const char *scope,
                     const char *order)
{
    struct cb_case *c = cb_plan_add(p->plan, "%s/%s/%s", test, scope, order);
    const bool cpu = cb_device_is_cpu(p->plan->device);
    const struct cb_litmus_case params = {
        .test = test,
        .scope = scope,
        .ordering = order,
        .iterations = p->o.iterations ? p->o.iterations
                      : cpu           ? CPU_ITERATIONS
                                      : ITERATIONS,
        .stress_percent = p->o.stress_percent,
        .wg_size = p->o.wg_size ? p->o.wg_size
                   : cpu        ? CPU_WG_SIZE
                                : WG_SIZE,
        .conformance = p->o.conformance,
        .seed = (unsigned)(p->plan->seed % 1000000007),
    };
    cb_fields_write(c->params, cb_litmus_fields, &params);
    c->expected_s = CASE_S;
}

/* What is forbidden, by no more than is needed. */
static bool is_promise(const struct cb_litmus_test *t, int order, enum cb_litmus_scope scope)
{
    return !cb_litmus_allows(t, order, scope) &&
           (!cb_litmus_is_coherence(t) || order == CB_LITMUS_RELAXED || order == CB_LITMUS_RMW);
}

/* Orders that nobody would use are there for what they allow and a stronger one forbids. */
static bool is_of_use(const struct planner *p, const char *test, const char *scope,
                      const char *order)
{
    const int o = cb_litmus_order_named(order);
    const struct cb_litmus_test *t = cb_litmus_test_named(test);
    const enum cb_litmus_scope s = (enum cb_litmus_scope)cb_litmus_scope_named(scope);
    if (p->o.conformance)
        return is_promise(t, o, s);
    if (o == CB_LITMUS_WG_FENCES)
        return !cb_litmus_is_coherence(t);
    if (o == CB_LITMUS_RELEASING || o == CB_LITMUS_ACQUIRING || o == CB_LITMUS_REVERSED ||
        o == CB_LITMUS_FENCE_ST || o == CB_LITMUS_FENCE_LD)
        return cb_litmus_is_mutant(t, o, s);
    return true;
}

static void add_scope(const struct planner *p, const char *scope)
{
    for (int t = 0; t < p->o.tests.n; t++)
        for (int o = 0; o < p->o.orderings.n; o++) {
            const char *test = cb_texts_at(p->o.tests, t), *order = cb_texts_at(p->o.orderings, o);
            if (is_of_use(p, test, scope, order))
                add_case(p, test, scope, order);
        }
}

static enum cb_status check_wg_size(const struct planner *p, struct cb_err *err)
{
    const unsigned size = p->o.wg_size;
    if ((size & (size - 1)) != 0)
        return cb_fail(err, CB_USAGE, "wg-size: expected a power of two, got %u", size);
    return cb_plan_check_wg_size(p->plan->device, size, err);
}

enum cb_status cb_litmus_plan(struct cb_plan *plan, const cJSON *options, struct cb_err *err)
{
    struct planner p = {.plan = plan};
    cb_options_read(options, plan->bench->params, &p.o);
    if (check_wg_size(&p, err) != CB_OK)
        return err->status;
    for (int i = 0; i < p.o.scopes.n; i++)
        add_scope(&p, cb_texts_at(p.o.scopes, i));
    if (p.o.scopes.n == 0) {
        add_scope(&p, "workgroups");
        if (!cb_device_is_cpu(plan->device)) {
            add_scope(&p, "subgroups");
            add_scope(&p, "subgroup");
        }
    }
    if (plan->count == 0)
        return cb_fail(err, CB_USAGE,
                       "nothing is left of these tests and orderings: all of them "
                       "are allowed their weak outcome, or mutants of none");
    return CB_OK;
}
