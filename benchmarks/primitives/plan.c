/* SPDX-License-Identifier: Apache-2.0
 *
 * Which cases a set of options means on one device.
 */
#include "benchmarks/primitives/plan.h"

#include <stdlib.h>
#include <string.h>

#include "benchmarks/primitives/learnt.h"
#include "runtime/discovery.h"
#include "runtime/profile.h"

/* What a case takes on average (PoCL, H200). */
#define CPU_CASE_S 0.12
#define GPU_CASE_S 0.17

const struct cb_param cb_primitives_params[] = {
    {"barrier", 'b', CB_PARAM_CHOICE, true, "xf,counter,broadcast,patient,native",
     "xf,counter,broadcast,patient,native,none", 0, 0, NULL,
     "Barriers. xf: Xiao and Feng's flags; counter: one word; broadcast: a counter and a release "
     "word; patient: a counter that is not polled too early; native: a C barrier of as many "
     "threads "
     "(CPU devices only), to compare with."},
    {"mutex", 'm', CB_PARAM_CHOICE, true, "spin,spin_backoff,ticket,ticket_backoff,array",
     "spin,spin_backoff,ticket,ticket_backoff,array,none", 0, 0, NULL,
     "Mutexes. spin: exchange until free; ticket: served in order; array: a queue lock, each waits "
     "on "
     "a line of its own; _backoff: with pauses."},
    {"semaphore", 's', CB_PARAM_CHOICE, true, "spin,spin_backoff,sleeping,ticket,optimistic",
     "spin,spin_backoff,sleeping,ticket,optimistic,none", 0, 0, NULL,
     "Semaphores. spin: a spin lock that counts; sleeping: SO'11 Algorithm 5; ticket: two "
     "counters, "
     "served in order; optimistic: in by adding one, back out if that was too many."},
    {"groups", 0, CB_PARAM_TEXT, true, "auto", NULL, 0, 0, "GROUPS",
     "Workgroups: a number, N (as many as run at once), a part of them (N/4, 3N/4), so many fewer "
     "(N-1), or auto (1,N/64,N/16,N/8,N/4,N/2,N; on CPU devices 1,N/4,N/2,N)."},
    {"section", 0, CB_PARAM_UINT, true, "0,1", NULL, 0, 100000, NULL,
     "Critical sections of the mutexes: increments of a plain counter; 0: empty."},
    {"initial", 0, CB_PARAM_UINT, true, "1,2,10,120", NULL, 1, 10000, NULL,
     "Initial values of the semaphores: workgroups that may be inside at once."},
    {"ops", 0, CB_PARAM_TEXT, false, "auto", NULL, 0, 0, "N",
     "Operations of each workgroup in one kernel; auto: 1000 as in the paper, fewer where a kernel "
     "would take more than 10 ms; on CPU devices as many as mutexes and semaphores make in 10 ms."},
    {"wg-size", 0, CB_PARAM_UINT, false, "128", NULL, 1, 65536, NULL, "Work-items a workgroup."},
    {"backoff", 0, CB_PARAM_TEXT, true, "profile", NULL, 0, 0, "NS",
     "Pauses of the implementations that have any: MIN:MAX in ns (spin_backoff, optimistic), PLACE "
     "in "
     "ns for each place in line (ticket_backoff, ticket semaphore), or profile (what --tune found, "
     "else built in)."},
    {"tune", 0, CB_PARAM_FLAG, false, NULL, NULL, 0, 0, NULL,
     "Also tries pauses, and keeps the best of each level of contention, and the best primitives, "
     "in "
     "the device's profile: later runs use the pauses, all kernels of this program the best.",
     .full = true},
    {0},
};

/* ---- Cases ----------------------------------------------------------------------------------- */

struct planner {
    const struct cb_bench *bench;
    const struct cb_device *device;
    const cJSON *options;
    const cJSON *profile;
    struct cb_plan *plan;
    bool cpu;
};

/* What one case is about; section and initial: -1 where there is none. */
struct subject {
    const char *kind, *name, *groups;
    long section, initial;
    const char *backoff; /* given: part of the id; NULL: from the profile, if it has any */
    bool tune;
};

static void add_case(const struct planner *p, const struct subject *s)
{
    char place[128];
    int n = snprintf(place, sizeof place, "groups=%.16s", s->groups);
    if (s->section >= 0)
        n += snprintf(place + n, sizeof place - (size_t)n, ",section=%ld", s->section);
    if (s->initial >= 0)
        n += snprintf(place + n, sizeof place - (size_t)n, ",initial=%ld", s->initial);
    if (s->backoff)
        snprintf(place + n, sizeof place - (size_t)n, ",backoff=%.24s%s", s->backoff,
                 s->tune ? ",tune" : "");
    int i = cb_plan_add(p->plan, p->bench, p->device, "%s/%s.%s/%s", p->bench->id, s->kind, s->name,
                        place);
    if (i < 0)
        return;
    p->plan->cases[i].expected_s = p->cpu ? CPU_CASE_S : GPU_CASE_S;
    cJSON *params = p->plan->cases[i].params;
    cJSON_AddStringToObject(params, "kind", s->kind);
    cJSON_AddStringToObject(params, "primitive", s->name);
    cJSON_AddStringToObject(params, "groups", s->groups);
    if (s->section >= 0)
        cJSON_AddNumberToObject(params, "section", (double)s->section);
    if (s->initial >= 0)
        cJSON_AddNumberToObject(params, "initial", (double)s->initial);
    cJSON_AddNumberToObject(params, "wg-size",
                            (double)cb_option_uint_or(p->options, "wg-size", 128));
    cJSON_AddStringToObject(params, "ops", cb_option_text_or(p->options, "ops", "auto"));
    char learnt[CB_BACKOFF_BYTES];
    const char *backoff = s->backoff;
    if (!backoff && cb_learnt_backoff(p->profile, s->kind, s->name, s->groups, learnt))
        backoff = learnt;
    if (backoff)
        cJSON_AddStringToObject(params, "backoff", backoff);
    if (s->tune)
        cJSON_AddTrueToObject(params, "tune");
}

/* A case for each value of --backoff that fits the primitive. */
static void add_backoffs(const struct planner *p, struct subject s)
{
    enum cb_backoff_form form = cb_backoff_form_of(s.kind, s.name);
    bool added = false;
    for (int i = 0; i < cb_options_count(p->options, "backoff") && form; i++) {
        s.backoff = cb_options_text(p->options, "backoff", i);
        if (strcmp(s.backoff, "profile") == 0)
            s.backoff = NULL;
        else if (cb_backoff_form_of_text(s.backoff) != form)
            continue;
        add_case(p, &s);
        added = true;
    }
    s.backoff = NULL;
    if (!added)
        add_case(p, &s);
}

/* For each value of a list option, or once with -1 if the kind has no such option. */
static long value_at(const struct planner *p, const char *option, int i)
{
    return option ? atol(cb_options_text(p->options, option, i)) : -1;
}

static void add_kind(const struct planner *p, const char *kind, const char *const *groups,
                     int n_groups)
{
    const char *option = strcmp(kind, "mutex") == 0       ? "section"
                         : strcmp(kind, "semaphore") == 0 ? "initial"
                                                          : NULL;
    int values = option ? cb_options_count(p->options, option) : 1;
    for (int i = 0; i < cb_options_count(p->options, kind); i++) {
        const char *name = cb_options_text(p->options, kind, i);
        bool native = strcmp(name, "native") == 0;
        if (strcmp(name, "none") == 0 || (native && !p->cpu))
            continue;
        for (int k = 0; k < values * n_groups; k++) {
            long value = value_at(p, option, k % values);
            struct subject s = {kind, name, groups[k / values], -1, -1, NULL, false};
            *(strcmp(kind, "mutex") == 0 ? &s.section : &s.initial) = value;
            add_backoffs(p, s);
        }
    }
}

/* ---- Tuning ---------------------------------------------------------------------------------- */

static const char *const tuned_pauses[] = {
    "32:256",    "32:1024",  "32:4096",   "64:512",    "64:1024",    CB_BUILT_IN_PAUSES,
    "128:1024",  "128:4096", "128:16384", "256:2048",  "256:4096",   "256:8192",
    "256:16384", "512:4096", "512:8192",  "1024:8192", "1024:16384", "2048:32768"};
static const char *const tuned_places[] = {"30",  "60",  "120", "180", CB_BUILT_IN_PLACE,
                                           "350", "500", "1000"};

static const struct {
    const char *kind, *name;
    long section, initial;
} tuned[] = {
    {"mutex", "spin_backoff", 1, -1},     {"mutex", "ticket_backoff", 1, -1},
    {"semaphore", "spin_backoff", -1, 1}, {"semaphore", "spin_backoff", -1, 10},
    {"semaphore", "ticket", -1, 1},       {"semaphore", "ticket", -1, 10},
    {"semaphore", "optimistic", -1, 1},   {"semaphore", "optimistic", -1, 10},
};

static bool is_asked_for(const struct planner *p, const char *kind, const char *name)
{
    for (int i = 0; i < cb_options_count(p->options, kind); i++)
        if (strcmp(cb_options_text(p->options, kind, i), name) == 0)
            return true;
    return false;
}

static void add_tuning(const struct planner *p)
{
    static const char *const gpu_levels[] = {"N/16", "N/4", "N"}, *const cpu_levels[] = {"N/2",
                                                                                         "N"};
    const char *const *levels = p->cpu ? cpu_levels : gpu_levels;
    size_t n_levels = p->cpu ? CB_COUNTOF(cpu_levels) : CB_COUNTOF(gpu_levels);
    for (size_t t = 0; t < CB_COUNTOF(tuned); t++) {
        bool places = cb_backoff_form_of(tuned[t].kind, tuned[t].name) == CB_BACKOFF_PLACES;
        const char *const *texts = places ? tuned_places : tuned_pauses;
        size_t n = places ? CB_COUNTOF(tuned_places) : CB_COUNTOF(tuned_pauses);
        for (size_t i = 0; i < n * n_levels && is_asked_for(p, tuned[t].kind, tuned[t].name); i++) {
            struct subject s = {tuned[t].kind,    tuned[t].name, levels[i / n], tuned[t].section,
                                tuned[t].initial, texts[i % n],  true};
            add_case(p, &s);
        }
    }
}

/* ---- Options --------------------------------------------------------------------------------- */

static enum cb_status check_options(const struct planner *p, struct cb_err *err)
{
    if (cb_option_uint_or(p->options, "wg-size", 128) > p->device->max_wg_size)
        return cb_fail(err, CB_USAGE, "wg-size: %s takes at most %llu work-items a workgroup",
                       p->device->name, (unsigned long long)p->device->max_wg_size);
    for (int i = 0; i < cb_options_count(p->options, "groups"); i++) {
        const char *text = cb_options_text(p->options, "groups", i);
        if (strcmp(text, "auto") != 0 && cb_groups_parse(text, 0, NULL, err) != CB_OK)
            return err->status;
    }
    for (int i = 0; i < cb_options_count(p->options, "backoff"); i++) {
        const char *text = cb_options_text(p->options, "backoff", i);
        if (strcmp(text, "profile") != 0 && cb_backoff_form_of_text(text) == CB_BACKOFF_NO_FORM)
            return cb_fail(err, CB_USAGE,
                           "backoff: expected MIN:MAX or PLACE in ns (MIN from 1 to MAX, at most "
                           "1000000), or profile, got \"%s\"",
                           text);
    }
    const char *ops = cb_option_text_or(p->options, "ops", "auto");
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
    for (int i = 0; i < cb_options_count(p->options, "groups"); i++) {
        const char *text = cb_options_text(p->options, "groups", i);
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

enum cb_status cb_primitives_plan(const struct cb_bench *bench, const struct cb_device *device,
                                  const cJSON *options, struct cb_plan *plan, struct cb_err *err)
{
    struct planner p = {bench, device, options, NULL, plan, strcmp(device->type, "cpu") == 0};
    const char *groups[MAX_GROUPS];
    cJSON *profile = NULL;
    struct cb_err
        ignored; /* a damaged profile is one without sections: suite/suite.c warns of it */
    if (check_options(&p, err) != CB_OK)
        return err->status;
    cb_profile_load(device, &profile, &ignored);
    p.profile = profile;
    int n = group_list(&p, groups, MAX_GROUPS);
    if (n > MAX_GROUPS) {
        cJSON_Delete(profile);
        return cb_fail(err, CB_USAGE, "groups: at most %d values", MAX_GROUPS);
    }
    add_kind(&p, "barrier", groups, n);
    add_kind(&p, "mutex", groups, n);
    add_kind(&p, "semaphore", groups, n);
    if (cb_options_flag(options, "tune"))
        add_tuning(&p);
    cJSON_Delete(profile);
    return CB_OK;
}
