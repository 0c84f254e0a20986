/* SPDX-License-Identifier: Apache-2.0
 *
 * Resizing a running app to save power (FSE'17 draft, Section 1).
 * See README.md beside this file.
 */
#include "probes/throttle/throttle.h"
#include "probes/throttle/findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/host/user.h"
#include "probes/throttle/figures.h"
#include "probes/throttle/plan.h"
#include "probes/throttle/report.h"
#include "runtime/discovery.h"
#include "runtime/host/text.h"

/* The steps of a schedule share a launch: the first case that is run goes through all steps, and
 * the others take the results of theirs. A cap has a launch of its own. */
struct launch {
    struct cb_throttle throttle;
    unsigned users; /* open cases */
    struct cb_err failure;
    uint32_t fresh; /* bits: steps that have not been told */
};

/* The steps and caps of an app. */
struct batch {
    struct cb_app_instance on;
    struct launch *schedule; /* launch of the steps that are open; NULL: none is */
};

struct open_case {
    struct batch *batch;
    struct launch *launch;
    int step; /* from 0; -1: a cap */
    struct cb_throttle_cap cap;
};

/* ---- Opening --------------------------------------------------------------------------------- */

/* A step that cannot be is left out of the launch; its row reports it. */
static void read_schedule(struct cb_throttle *t, const char *text)
{
    char list[256], *rest = list;
    struct cb_err ignored;
    snprintf(list, sizeof list, "%s", text);
    for (char *word; (word = strsep(&rest, ",")) && t->n_steps < CB_THROTTLE_MAX_STEPS;) {
        struct cb_throttle_step *step = &t->steps[t->n_steps++];
        if (cb_groups_parse(word, t->workers, &step->groups, &ignored) != CB_OK)
            step->groups = 0;
    }
}

static struct launch *open_launch(const struct cb_app_instance *on,
                                  const struct cb_throttle_case *params)
{
    struct launch *l = calloc(1, sizeof *l);
    if (l && cb_throttle_open(on, params, &l->throttle, &l->failure) == CB_OK)
        read_schedule(&l->throttle, params->schedule ? params->schedule : "");
    return l;
}

/* Opens the launch of a case, or shares that of the schedule. Leave it also after a failure. */
static enum cb_status join_launch(struct open_case *c, const struct cb_throttle_case *params,
                                  struct cb_err *err)
{
    struct launch *shared = c->step >= 0 ? c->batch->schedule : NULL;
    c->launch = shared ? shared : open_launch(&c->batch->on, params);
    if (!c->launch)
        return cb_no_memory(err);
    if (c->step >= 0)
        c->batch->schedule = c->launch;
    c->launch->users++;
    if (c->launch->failure.status != CB_OK)
        *err = c->launch->failure;
    return c->launch->failure.status;
}

static void leave_launch(struct open_case *c)
{
    if (!c->launch || --c->launch->users > 0)
        return;
    cb_throttle_close(&c->launch->throttle);
    if (c->batch->schedule == c->launch)
        c->batch->schedule = NULL;
    free(c->launch);
}

static enum cb_status throttle_open_batch(struct cb_session *session, const cJSON *params,
                                          void **batch, struct cb_err *err)
{
    struct batch *b = *batch = calloc(1, sizeof *b);
    return b ? cb_app_case_open_input(session, params, &b->on, err) : cb_no_memory(err);
}

static void throttle_close_batch(void *batch)
{
    struct batch *b = batch;
    cb_app_close_input(&b->on);
    free(b);
}

static enum cb_status throttle_open(struct cb_session *session, const cJSON *params, void *batch,
                                    void **state, struct cb_err *err)
{
    (void)session; /* the batch has it */
    struct open_case *c = calloc(1, sizeof *c);
    *state = c;
    if (!c)
        return cb_no_memory(err);
    struct cb_throttle_case p;
    cb_fields_read(params, cb_throttle_fields, &p);
    c->batch = batch;
    c->step = (int)p.step - 1;
    if (join_launch(c, &p, err) != CB_OK)
        return err->status;
    c->cap = (struct cb_throttle_cap){p.power_cap_w, p.cap_time_s * 1e9, p.interval_s * 1e9};
    if (c->step < 0 && !c->launch->throttle.power) {
        *err = c->launch->throttle.no_power;
        return cb_context(err, "a power cap");
    }
    size_t groups;
    return c->step < 0 ? CB_OK
                       : cb_groups_parse(p.groups, c->launch->throttle.workers, &groups, err);
}

static void throttle_close(void *state)
{
    struct open_case *c = state;
    leave_launch(c);
    free(c);
}

/* ---- Running --------------------------------------------------------------------------------- */

static void add_step(const struct cb_throttle *t, const struct cb_throttle_step *s,
                     struct cb_sample *sample)
{
    cb_sample_add(sample, "active", s->active);
    cb_sample_add(sample, "resize_time", s->resize_ns);
    cb_sample_add(sample, "answer_time", s->answer_ns);
    cb_sample_add(sample, "runs", s->runs);
    cb_sample_add(sample, "power", s->power_w);
    cb_throttle_add_work(t, s->progress, s->power_w, sample);
    cb_sample_check(sample, s->active == (double)s->groups,
                    "%zu workgroup%s asked for, and %.0f active", s->groups, CB_PLURAL(s->groups),
                    s->active);
    if (isnan(s->runs))
        cb_sample_note(sample,
                       "the app did not end twice in ten times --hold, so that its progress is not "
                       "known: choose a smaller --input, or a longer --hold");
}

/* The results of the app are checked at the end of the launch: they are those of all its steps. */
static void add_verdict(const struct cb_throttle *t, struct cb_sample *sample)
{
    const cJSON *note;
    if (t->verdict.verified)
        cb_sample_check(sample, !t->verdict.failure[0], "%s", t->verdict.failure);
    cJSON_ArrayForEach (note, t->verdict.notes)
        cb_sample_note(sample, "%s", cJSON_GetStringValue(note));
    if (!t->power)
        cb_sample_note(sample, "no power: %s", t->no_power.text);
}

static enum cb_status run_step(struct launch *l, int step, struct cb_sample *sample,
                               struct cb_err *err)
{
    struct cb_throttle *t = &l->throttle;
    uint32_t bit = 1u << step;
    if (l->failure.status == CB_OK && !(l->fresh & bit)) {
        cb_throttle_run_schedule(t, &l->failure);
        l->fresh = ~0u;
    }
    l->fresh &= ~bit;
    if (l->failure.status != CB_OK) {
        *err = l->failure;
        return err->status;
    }
    add_step(t, &t->steps[step], sample);
    return CB_OK;
}

static enum cb_status throttle_run(void *state, struct cb_sample *sample, struct cb_err *err)
{
    struct open_case *c = state;
    struct cb_throttle *t = &c->launch->throttle;
    enum cb_status status = c->step >= 0 ? run_step(c->launch, c->step, sample, err)
                                         : cb_throttle_hold_cap(t, &c->cap, sample, err);
    if (status == CB_OK)
        add_verdict(t, sample);
    return status;
}

/* ---- The table entry ------------------------------------------------------------------------- */

static const struct cb_metric metrics[] = {
    {"progress", "runs/s", CB_HIGHER, true,
     "runs of the app a second, from the end of one to the end of another"},
    {"throughput", "ops/s", CB_HIGHER, false,
     "the same in what the app counts: edges a second, for instance"},
    {"active", "workgroups", CB_NEITHER, false,
     "workgroups of the app, as the scheduler counts them; with a cap one value each --interval"},
    {"power", "W", CB_LOWER, false,
     "mean power of the device meanwhile; with a cap one value each --interval"},
    {"idle_power", "W", CB_NEITHER, false, "the same before the app was begun"},
    {"power_limit", "W", CB_NEITHER, false, "below which the device keeps by itself, if it tells"},
    {"energy_per_run", "J", CB_LOWER, false, "power over progress"},
    {"progress_per_watt", "runs/J", CB_HIGHER, false, "progress over power"},
    {"resize_time", "ns", CB_LOWER, false,
     "from when the scheduler saw the new number to when there were so many, and those that left "
     "in the pool; by the device clock"},
    {"answer_time", "ns", CB_LOWER, false, "from the host's call until it knew of that"},
    {"runs", "1", CB_NEITHER, false, "runs of the app that were counted"},
    {"workers", "workgroups", CB_NEITHER, false, "most workgroups of the app: N"},
    {"settle_time", "ns", CB_LOWER, false, "from the beginning until the cap was held"},
    {"over_cap", "1", CB_LOWER, false,
     "from then on, the share of intervals in which the power was above the cap by more than 2 %"},
    {0},
};

static const char *const built_by[] = {"app", "barrier", "channel", "wg-size", NULL};

const struct cb_bench cb_bench_throttle = {
    .id = "throttle",
    .summary = "What a running app gains and loses when it gives workgroups up to save power",
    .reproduces = "FSE'17 draft, Section 1: energy throttling, the second reason to resize",
    .details =
        "An app runs again and again as a cooperative kernel, in one launch, and the host changes\n"
        "how many workgroups it may have. Those that are too many leave at its next scheduling\n"
        "points and wait in the pool; they join again when there may be more.\n\n"
        "--schedule goes through some numbers, each for --hold seconds. Each step is a row: how\n"
        "fast the app gets on, what power the device draws, what energy a run takes, and how long\n"
        "it took to come to that number. All rows of a schedule are one launch, which is checked "
        "at\n"
        "its end: the app's last result whole, and a digest of each of up to 65535 before.\n"
        "--power-cap W instead looks at the power once in --interval and takes as many workgroups\n"
        "as stay below: one row, of how soon and how well that was held.\n\n"
        "Power is read, never set: of NVIDIA GPUs through NVML (libnvidia-ml.so.1, a part of the\n"
        "driver), of CPUs from /sys/class/powercap (root's, unless you allow it:\n"
        "chmod a+r /sys/class/powercap/*/energy_uj). It is that of the whole board, or CPU: let\n"
        "nothing else run. Where there is none, a schedule is measured without, and a cap is\n"
        "'unsupported'. A --hold of some seconds makes up for counters that move ten times a\n"
        "second. Workgroups in the pool still look for work: what is saved is the least that "
        "there\n"
        "is to save.\n\n"
        "  coopbench throttle --gpu --app color --schedule N,N/2,1,N\n"
        "  coopbench throttle --gpu --app game --power-cap 300 --trace power && coopbench plot "
        "results/latest",
    .params = cb_throttle_params,
    .fields = cb_throttle_fields,
    .metrics = metrics,
    .figures = cb_throttle_figures,
    .stop = {.rule = CB_STOP_COUNT, .warmup = 0, .min_runs = 1, .max_runs = 1},
    .run_deadline_s = 600,
    .built_by = built_by,
    .plan = cb_throttle_plan,
    .open_batch = throttle_open_batch,
    .close_batch = throttle_close_batch,
    .open = throttle_open,
    .run = throttle_run,
    .close = throttle_close,
    .is_users = cb_user_case_is,
    .report = cb_throttle_report,
    .findings = cb_throttle_findings,
};
