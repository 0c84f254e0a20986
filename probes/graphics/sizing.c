/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/graphics/sizing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probes/graphics/gl/renderer.h"
#include "probes/graphics/needs.h"
#include "runtime/host/time.h"

#define DOUBTFUL    0.02  /* rise of the share of late frames that is worth another look */
#define HOPELESS    0.5   /* share of missed frames from which on there is nothing to size */
#define MANY_MISSED 0.05  /* share of missed frames from which on it is worth a note */
#define PART_NS     250e6 /* part of the loop, for the intervals */

/* ---- Pairs of windows ------------------------------------------------------------------------ */

/* Its windows in an order drawn at random. */
static enum cb_status measure_pair(struct cb_sizing *s, const struct cb_load *load,
                                   unsigned windows, struct cb_pair *pair, struct cb_err *err)
{
    bool with_first = cb_random_below(&s->random, 2);
    for (int turn = 0; turn < 2; turn++) {
        bool with = (turn == 0) == with_first;
        if (cb_observer_watch(&s->observer, windows, with ? load : NULL,
                              with ? &pair->with : &pair->alone, s->sample, err) != CB_OK)
            return err->status;
    }
    return cb_frames_add(&s->undisturbed, pair->alone.times, pair->alone.n, pair->alone.slots)
               ? CB_OK
               : cb_no_memory(err);
}

/* More pairs; the caller frees the set, also after a failure. */
static enum cb_status measure_pairs(struct cb_sizing *s, const struct cb_load *load,
                                    unsigned windows, struct cb_pairs *set, struct cb_err *err)
{
    for (unsigned i = 0; i < s->pairs; i++) {
        struct cb_pair *pair = cb_pairs_grow(set);
        if (!pair)
            return cb_no_memory(err);
        if (measure_pair(s, load, windows, pair, err) != CB_OK)
            return err->status;
    }
    return CB_OK;
}

static double p99_of(const struct cb_frames *frames)
{
    return cb_frames_quantile(frames, 0.99);
}

/* looks: how often the set may be judged. */
static struct cb_impact judge(const struct cb_sizing *s, const struct cb_pairs *set, unsigned looks)
{
    struct cb_criterion criterion = s->criterion;
    criterion.looks = looks;
    return cb_impact_of(set->items, set->n, p99_of(&s->undisturbed), &criterion);
}

/* ---- The search ------------------------------------------------------------------------------ */

static void add_try(struct cb_sizing *s, double t_ns, const struct cb_pairs *set,
                    const struct cb_impact *impact)
{
    struct cb_frames with = {0};
    if (cb_pairs_gather(set, true, &with)) {
        cb_sample_add(s->sample, "tried_t", t_ns);
        cb_sample_add(s->sample, "tried_seen", impact->seen);
        cb_sample_add(s->sample, "tried_p_value", impact->p_value);
        cb_sample_add(s->sample, "tried_median", cb_frames_quantile(&with, 0.5));
        cb_sample_add(s->sample, "tried_p99", p99_of(&with));
        cb_sample_add(s->sample, "tried_limit", p99_of(&s->undisturbed) + s->criterion.margin_ns);
        cb_sample_add(s->sample, "tried_late_alone", impact->late_alone);
        cb_sample_add(s->sample, "tried_late", impact->late_with);
        cb_sample_add(s->sample, "tried_missed", impact->missed_with);
    }
    cb_frames_free(&with);
}

/* Whether one more look is worth it: more frames are late, but not yet for certain. */
static bool looks_again(const struct cb_sizing *s, const struct cb_impact *impact, unsigned looks,
                        double spent_s)
{
    return !impact->seen && impact->rise > DOUBTFUL && looks < CB_SIZING_LOOKS &&
           spent_s <= s->left_s;
}

static enum cb_status try_kernel(void *self, double t_ns, bool *seen, struct cb_err *err)
{
    struct cb_sizing *s = self;
    struct cb_pairs set = {0};
    struct cb_impact impact = {0};
    const struct cb_load load = {&s->loop, t_ns, NULL};
    enum cb_status status;
    double spent_s = 0;
    unsigned looks = 0;
    do {
        uint64_t start_ns = cb_now_ns();
        s->left_s -= looks > 0 ? spent_s : 0;
        status = measure_pairs(s, &load, 1, &set, err);
        if (status == CB_OK)
            impact = judge(s, &set, CB_SIZING_LOOKS);
        spent_s = (double)(cb_now_ns() - start_ns) / 1e9;
        looks++;
    } while (status == CB_OK && looks_again(s, &impact, looks, spent_s));
    if (status == CB_OK)
        add_try(s, t_ns, &set, &impact);
    *seen = impact.seen;
    cb_pairs_free(&set);
    return status;
}

/* Measures the scene undisturbed, in as many windows as a try has. */
static enum cb_status look_at_scene(struct cb_sizing *s, struct cb_err *err)
{
    const double fps = 1e9 / s->criterion.period_ns;
    struct cb_frames *f = &s->undisturbed;
    cb_frames_free(f);
    if (cb_observer_watch(&s->observer, s->pairs, NULL, f, s->sample, err) != CB_OK)
        return err->status;
    double late = cb_frames_late(f, s->criterion.period_ns) / f->slots;
    if (late > HOPELESS)
        return cb_fail(err, CB_UNSUPPORTED,
                       "the scene does not reach %.3g frames a second even when nothing disturbs "
                       "it: %.0f %% of them are late; give it fewer pixels (--size) or frames "
                       "(--fps)",
                       fps, 100 * late);
    if (late > MANY_MISSED)
        cb_sample_note(s->sample, "%.0f %% of the frames are late even when nothing disturbs them",
                       100 * late);
    return CB_OK;
}

/* Notes the limits of the t that was found. */
static void note_search(const struct cb_sizing *s, const struct cb_search_result *found)
{
    if (found->unseen == 0)
        cb_sample_note(s->sample,
                       "even the shortest kernels, of %.3g ms, are seen: there is no t, and no "
                       "workload; the frames are those beside these kernels",
                       found->seen / 1e6);
    else if (found->seen == 0)
        cb_sample_note(s->sample,
                       "not even the longest kernels, of %.3g ms, are seen: they are stopped for "
                       "the frames, or do not share the renderer's hardware; t is a lower bound%s",
                       found->unseen / 1e6,
                       found->unseen > s->criterion.period_ns
                           ? ", P a frame's period, and E what a frame takes from the kernels"
                           : "");
    if (cb_device_is_cpu(&s->loop.session->info))
        cb_sample_note(s->sample,
                       "kernels and renderer share the CPU: t is what its time slices leave, and "
                       "differs from call to call with whatever else runs there (--runs 5 tells)");
}

static enum cb_status find_t(struct cb_sizing *s, struct cb_search_result *found,
                             struct cb_err *err)
{
    *found = (struct cb_search_result){.unseen = s->given_ns};
    if (s->given_ns > 0)
        return CB_OK;
    s->search.self = s;
    s->search.try = try_kernel;
    if (cb_search(&s->search, found, err) != CB_OK)
        return err->status;
    note_search(s, found);
    return CB_OK;
}

/* ---- With t ---------------------------------------------------------------------------------- */

static enum cb_status add_frames(const struct cb_sizing *s, const struct cb_pairs *set, bool with,
                                 struct cb_err *err)
{
    struct cb_frames all = {0};
    if (!cb_pairs_gather(set, with, &all))
        return cb_no_memory(err);
    for (size_t i = 0; i < all.n; i++)
        cb_sample_add(s->sample, with ? "frame_time_with" : "frame_time_alone", all.times[i]);
    cb_sample_add(s->sample, with ? "missed_with" : "missed_alone",
                  cb_frames_late(&all, s->criterion.period_ns) / all.slots);
    cb_frames_free(&all);
    return CB_OK;
}

/* Windows in a row, so that the loop goes on for its time in all pairs together; of each pair the
 * last kernel is not logged. */
static unsigned windows_of(const struct cb_sizing *s, double t_ns)
{
    double window_ns = s->observer.window_s * 1e9 + CB_RENDERER_SETTLE * s->criterion.period_ns;
    double loop_ns = s->confirm_s * 1e9 / s->pairs + t_ns;
    return (unsigned)fmax(1, ceil(loop_ns / window_ns - 1e-9));
}

/* The frames beside kernels of a time, and the loop's parts. */
struct proof {
    double t_ns;
    struct cb_pairs set;
    struct cb_loop_log log;
    struct cb_impact impact;
};

static void free_proof(struct proof *p)
{
    free(p->log.parts);
    cb_pairs_free(&p->set);
    *p = (struct proof){0};
}

/* Frees the proof before. */
static enum cb_status prove(struct cb_sizing *s, double t_ns, struct proof *p, struct cb_err *err)
{
    free_proof(p);
    p->t_ns = t_ns;
    p->log.part_ns = PART_NS;
    const struct cb_load load = {&s->loop, t_ns, &p->log};
    if (measure_pairs(s, &load, windows_of(s, t_ns), &p->set, err) != CB_OK)
        return err->status;
    p->impact = judge(s, &p->set, 1);
    return CB_OK;
}

/* If many frames show a kernel that few did not, tries the next shorter one, if there is time. */
static enum cb_status prove_found(struct cb_sizing *s, const struct cb_search_result *found,
                                  struct proof *p, struct cb_err *err)
{
    uint64_t start_ns = cb_now_ns();
    if (prove(s, found->unseen > 0 ? found->unseen : found->seen, p, err) != CB_OK)
        return err->status;
    uint64_t end_ns = cb_now_ns();
    double then_s = (double)(end_ns - s->start_ns + end_ns - start_ns) / 1e9;
    if (p->impact.seen && found->before > 0 && then_s <= s->budget_s)
        return prove(s, found->before, p, err);
    return CB_OK;
}

static void note_proof(const struct cb_sizing *s, const struct proof *p)
{
    if (s->given_ns > 0)
        cb_sample_note(s->sample, "t was given; kernels of it are %sseen (p = %.2g)",
                       p->impact.seen ? "" : "not ", p->impact.p_value);
    else if (p->impact.seen)
        cb_sample_note(s->sample,
                       "over %.3g s of frames kernels of t are seen (p = %.2g): the machine was "
                       "busy, or their impact grows so slowly that the search overlooked it",
                       s->confirm_s, p->impact.p_value);
}

/* Nothing, if there is no t to keep. */
static enum cb_status add_needs(struct cb_sizing *s, const struct cb_search_result *found,
                                const struct proof *p, struct cb_err *err)
{
    double period_ns = s->criterion.period_ns;
    bool stopped = s->given_ns == 0 && found->seen == 0 && p->t_ns > period_ns;
    if (found->unseen == 0)
        return CB_OK;
    note_proof(s, p);
    cb_sample_add(s->sample, "t", p->t_ns);
    if (cb_needs_add(s->sample, &p->log, stopped ? period_ns : 0, cb_random_next(&s->random),
                     err) != CB_OK)
        return err->status;
    return cb_needs_add_idle(s->sample, &s->loop, p->t_ns, err);
}

static enum cb_status add_proof(struct cb_sizing *s, const struct cb_search_result *found,
                                const struct proof *p, struct cb_err *err)
{
    cb_sample_add(s->sample, "p_value", p->impact.p_value);
    if (add_frames(s, &p->set, false, err) != CB_OK || add_frames(s, &p->set, true, err) != CB_OK)
        return err->status;
    return add_needs(s, found, p, err);
}

enum cb_status cb_sizing_run(struct cb_sizing *s, struct cb_sample *sample, struct cb_err *err)
{
    struct cb_search_result found;
    struct proof proof = {0};
    s->sample = sample;
    s->start_ns = cb_now_ns();
    s->left_s = s->spare_s;
    if (look_at_scene(s, err) != CB_OK || find_t(s, &found, err) != CB_OK)
        return err->status;
    enum cb_status status = prove_found(s, &found, &proof, err);
    if (status == CB_OK)
        status = add_proof(s, &found, &proof, err);
    free_proof(&proof);
    return status;
}
