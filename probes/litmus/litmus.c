/* SPDX-License-Identifier: Apache-2.0
 *
 * Litmus tests of a device's memory model.
 * See README.md beside this file.
 */
#include <stdlib.h>
#include <string.h>

#include "probes/litmus/findings.h"
#include "probes/litmus/launch.h"
#include "probes/litmus/plan.h"
#include "probes/litmus/report.h"

static enum cb_status litmus_open(struct cb_session *session, const cJSON *params, void *batch,
                                  void **state, struct cb_err *err)
{
    (void)batch;
    struct cb_litmus *l = calloc(1, sizeof *l);
    *state = l;
    if (!l)
        return cb_no_memory(err);
    struct cb_litmus_case p;
    cb_fields_read(params, cb_litmus_fields, &p);
    l->session = session;
    l->test = cb_litmus_test_named(p.test);
    l->order = cb_litmus_order_named(p.ordering);
    if (!l->test || l->order < 0)
        return cb_fail(err, CB_ERROR, "no such litmus test");
    l->subgroups = cb_text_is(p.scope, "subgroups");
    l->iterations = p.iterations;
    l->stress_percent = p.stress_percent;
    l->wg_size = p.wg_size;
    l->random.state = cb_random_mix(p.seed);
    enum cb_status status = cb_litmus_prepare(l, err);
    return status == CB_OK && session->rehearsal ? cb_litmus_iterate(l, err) : status;
}

static void litmus_close(void *state)
{
    struct cb_litmus *l = state;
    cb_litmus_release(l);
    free(l);
}

static void add_counts(const struct cb_litmus *l, const cb_u32 counts[CB_LITMUS_COUNTS],
                       unsigned weak_launches, struct cb_sample *sample)
{
    double instances = (double)l->launch.instances * l->iterations, weak = counts[CB_LITMUS_WEAK];
    cb_sample_add(sample, "instances", instances);
    cb_sample_add(sample, "weak", weak);
    cb_sample_add(sample, "weak_per_million", weak / instances * 1e6);
    cb_sample_add(sample, "launches", l->iterations);
    cb_sample_add(sample, "weak_launches", weak_launches);
    cb_sample_add(sample, "alone",
                  counts[CB_LITMUS_ALONE] / (instances * cb_litmus_threads(l->test)));
    cb_sample_check(sample, counts[CB_LITMUS_COUNTED] == l->launch.instances * l->iterations,
                    "%s: %u of %.0f instances were looked at", l->test->name,
                    counts[CB_LITMUS_COUNTED], instances);
    cb_sample_check(sample, counts[CB_LITMUS_BROKEN] == 0,
                    "%s: %u of %.0f instances have values that no thread has stored", l->test->name,
                    counts[CB_LITMUS_BROKEN], instances);
    cb_sample_check(sample, weak == 0 || cb_litmus_allows(l->test, l->order),
                    "%s: %s, which the memory model forbids with %s, was seen in %.0f of %.0f "
                    "instances",
                    l->test->name, l->test->outcome, cb_litmus_order_text(l->order), weak,
                    instances);
}

static enum cb_status litmus_run(void *state, struct cb_sample *sample, struct cb_err *err)
{
    struct cb_litmus *l = state;
    cb_u32 counts[CB_LITMUS_COUNTS] = {0};
    unsigned weak_launches = 0;
    if (cb_buffer_clear(l->session, l->counts, sizeof counts, err) != CB_OK)
        return err->status;
    for (unsigned i = 0; i < l->iterations; i++) {
        const cb_u32 before = counts[CB_LITMUS_WEAK];
        if (cb_litmus_iterate(l, err) != CB_OK ||
            cb_buffer_read(l->session, l->counts, counts, sizeof counts, err) != CB_OK)
            return err->status;
        weak_launches += counts[CB_LITMUS_WEAK] != before;
    }
    add_counts(l, counts, weak_launches, sample);
    return CB_OK;
}

/* ---- The table entry ------------------------------------------------------------------------- */

static const struct cb_derived derived[] = {{"weak_per_million", "weak"}, {0}};

static const struct cb_metric metrics[] = {
    {"weak", "1", CB_NEITHER, true, "instances of a sample that had the weak outcome"},
    {"weak_per_million", "1", CB_NEITHER, false, "the same of a million instances"},
    {"instances", "1", CB_NEITHER, false, "instances of the test in a sample"},
    {"launches", "1", CB_NEITHER, false, "launches of a sample, each with many instances"},
    {"weak_launches", "1", CB_NEITHER, false, "those of them that had the weak outcome"},
    {"alone", "1", CB_NEITHER, false,
     "share of the threads that had waited in vain for the others of their instance"},
    {0},
};

static const char *const built_by[] = {"ordering", NULL};

const struct cb_bench cb_bench_litmus = {
    .id = "litmus",
    .summary = "Which accesses to memory a device reorders, and whether it keeps what it promises",
    .reproduces = "the method of MC Mutants (ASPLOS'23) and GPU Harbor (ISSTA'23)",
    .details =
        "Small programs of two to four threads whose outcome tells in which order their accesses\n"
        "were made; those named Co.. are of coherence. A launch plays very many instances of one\n"
        "at a time; work-items take parts in different ones, whose words are spread anew each\n"
        "time. In some launches more workgroups keep the memory busy.\n\n"
        "The weak outcome of a test is one that no taking of turns leads to. C11's model allows "
        "it\n"
        "or forbids it, by the order: relaxed, fences, acqrel. A row that has seen a forbidden "
        "one\n"
        "is verify_failed. A relaxed test whose weak outcome shows tells how often the same "
        "machine\n"
        "would have shown it in the ordered one, were it not kept in order.\n\n"
        "  coopbench litmus --gpu --atomics ptx\n"
        "  coopbench litmus --test MP,CoRR --iterations 200",
    .params = cb_litmus_params,
    .fields = cb_litmus_fields,
    .metrics = metrics,
    .derived = derived,
    .stop = {.rule = CB_STOP_COUNT, .warmup = 0, .min_runs = 40, .max_runs = 40},
    .run_deadline_s = 120,
    .built_by = built_by,
    .quick_gpu_s = 15,
    .quick_cpu_s = 12,
    .plan = cb_litmus_plan,
    .open = litmus_open,
    .run = litmus_run,
    .close = litmus_close,
    .report = cb_litmus_report,
    .holds_beside = true,
    .findings = cb_litmus_findings,
};
