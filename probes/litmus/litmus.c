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
    if (p.conformance && cb_text_is(session->info.atomics, "cl12"))
        return cb_fail(err, CB_UNSUPPORTED,
                       "OpenCL 1.2, section 3.3.1, promises none of this: without --conformance, "
                       "litmus tells what its fences do");
    l->session = session;
    l->test = cb_litmus_test_named(p.test);
    l->order = cb_litmus_order_named(p.ordering);
    const int scope = cb_litmus_scope_named(p.scope);
    l->scope = (enum cb_litmus_scope)scope;
    if (!l->test || l->order < 0 || scope < 0)
        return cb_fail(err, CB_ERROR, "no such litmus test");
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

static cb_u32 count_weak(const struct cb_litmus *l, const cb_u32 counts[CB_LITMUS_COUNTS])
{
    uint64_t mask, weak;
    cb_u32 n = 0;
    cb_litmus_weak_digits(l->test, &mask, &weak);
    for (unsigned i = 0; i < l->launch.outcomes; i++)
        if ((l->outcomes[i].digits & mask) == weak)
            n += counts[CB_LITMUS_OUTCOME + i];
    return n;
}

/* Checks that all instances were played as they should be, and so have some outcome. */
static void check_played(const struct cb_litmus *l, const cb_u32 counts[CB_LITMUS_COUNTS],
                         struct cb_sample *sample)
{
    const double instances = (double)l->launch.instances * l->iterations;
    cb_sample_check(sample, counts[CB_LITMUS_COUNTED] == l->launch.instances * l->iterations,
                    "%s: %u of %.0f instances were looked at", l->test->name,
                    counts[CB_LITMUS_COUNTED], instances);
    cb_sample_check(sample, counts[CB_LITMUS_BROKEN] == 0,
                    "%s: %u of %.0f instances have an outcome that no execution has: a thread was "
                    "not played, has other words, or shares them with another instance",
                    l->test->name, counts[CB_LITMUS_BROKEN], instances);
    cb_sample_check(sample, counts[CB_LITMUS_EARLY] == 0,
                    "%s: %u threads of %.0f instances did not wait for the others of theirs",
                    l->test->name, counts[CB_LITMUS_EARLY], instances);
}

static void check_promise(const struct cb_litmus *l, const cb_u32 counts[CB_LITMUS_COUNTS],
                          struct cb_sample *sample)
{
    for (unsigned i = 0; i < l->launch.outcomes; i++) {
        char text[CB_LITMUS_OUTCOME_BYTES];
        cb_litmus_outcome_text(l->test, l->outcomes[i].digits, text);
        cb_sample_check(sample, counts[CB_LITMUS_OUTCOME + i] == 0 || l->outcomes[i].allowed,
                        "%s: %s, which the memory model forbids with %s, was seen in %u of %.0f "
                        "instances",
                        l->test->name, text, cb_litmus_order_text(l->order),
                        counts[CB_LITMUS_OUTCOME + i], (double)l->launch.instances * l->iterations);
    }
}

static void add_counts(struct cb_litmus *l, const cb_u32 counts[CB_LITMUS_COUNTS],
                       unsigned weak_launches, struct cb_sample *sample)
{
    double instances = (double)l->launch.instances * l->iterations, weak = count_weak(l, counts);
    for (unsigned i = 0; i < l->launch.outcomes; i++)
        l->seen |= counts[CB_LITMUS_OUTCOME + i] > 0 ? 1u << i : 0;
    cb_sample_add(sample, "instances", instances);
    cb_sample_add(sample, "weak", weak);
    cb_sample_add(sample, "weak_per_million", weak / instances * 1e6);
    cb_sample_add(sample, "launches", l->iterations);
    cb_sample_add(sample, "weak_launches", weak_launches);
    cb_sample_add(sample, "outcomes", l->seen);
    cb_sample_add(sample, "alone",
                  counts[CB_LITMUS_ALONE] / (instances * cb_litmus_parts(l->test)));
    check_played(l, counts, sample);
    check_promise(l, counts, sample);
}

static enum cb_status litmus_run(void *state, struct cb_sample *sample, struct cb_err *err)
{
    struct cb_litmus *l = state;
    cb_u32 counts[CB_LITMUS_COUNTS] = {0};
    unsigned weak_launches = 0;
    if (cb_buffer_clear(l->session, l->counts, sizeof counts, err) != CB_OK)
        return err->status;
    for (unsigned i = 0; i < l->iterations; i++) {
        const cb_u32 before = count_weak(l, counts);
        if (cb_litmus_iterate(l, err) != CB_OK ||
            cb_buffer_read(l->session, l->counts, counts, sizeof counts, err) != CB_OK)
            return err->status;
        weak_launches += count_weak(l, counts) != before;
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
    {"outcomes", "1", CB_NEITHER, false,
     "outcomes that came in this sample or before it: bits, in the order of cb_litmus_outcomes()"},
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
        "The weak outcome of a test is one that no taking of turns leads to. C11's axioms allow "
        "it\n"
        "or forbid it, by the order. A row that has seen a forbidden outcome is verify_failed, "
        "one\n"
        "whose turns did not all come is no proof. A test whose order is weaker, a mutant, tells\n"
        "how often the same machine would have shown what the stronger one forbids.\n\n"
        "  coopbench litmus --gpu --atomics ptx\n"
        "  coopbench litmus --test MP,CoRR --iterations 200\n"
        "  coopbench litmus --cpu --conformance --atomics c11   for driver writers: 0 if kept, 3 "
        "if "
        "broken",
    .params = cb_litmus_params,
    .fields = cb_litmus_fields,
    .metrics = metrics,
    .derived = derived,
    .stop = {.rule = CB_STOP_COUNT, .warmup = 0, .min_runs = 40, .max_runs = 40},
    .run_deadline_s = 120,
    .built_by = built_by,
    .quick_gpu_s = 45,
    .quick_cpu_s = 26,
    .plan = cb_litmus_plan,
    .open = litmus_open,
    .run = litmus_run,
    .close = litmus_close,
    .report = cb_litmus_report,
    .holds_beside = true,
    .findings = cb_litmus_findings,
};
