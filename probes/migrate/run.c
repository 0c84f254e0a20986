/* SPDX-License-Identifier: Apache-2.0
 *
 * A sample of migrate. Times are the host's; those of a device are brought to its clock.
 */
#include "probes/migrate/migrate.h"

#include <math.h>
#include <stdlib.h>

#include "apps/host/move.h"
#include "runtime/host/time.h"

#define LIFETIME_S 100 /* beyond the time on a device */
#define GATHER_S   1

/* A move; ticks are of the clock of the device that it led from, and to. */
struct move {
    double wish_ns, copied_ns; /* host clock */
    uint64_t gone_ticks;
    uint64_t begun_ticks; /* 0: the next wish came before */
    size_t bytes;
    bool in_run; /* in the midst of a run, and not between two */
};

struct course {
    struct cb_migrate *m;
    struct cb_clock_link links[2];
    unsigned here;            /* index of the device that the app is on */
    struct cb_coop_left left; /* what it goes on from there */
    struct move *moves;
    unsigned moved;
    unsigned runs, killed;
};

static double now_ns(void)
{
    return (double)cb_now_ns();
}

static enum cb_status begin(struct course *c, struct cb_err *err)
{
    const struct cb_migrate *m = c->m;
    const struct cb_coop_start how = {
        .repeat = true,
        .lifetime_s = LIFETIME_S + m->stay_ns * 1e-9,
        .gather_s = GATHER_S,
        .from = c->moved > 0 ? &c->left : NULL,
        .most = (unsigned)(m->workers[0] > m->workers[1] ? m->workers[0] : m->workers[1]),
    };
    return cb_coop_start(m->coop[c->here], m->workers[c->here], &how, err);
}

/* Until the wish to move on; a kernel that has given up ends it. */
static enum cb_status stay(struct course *c, struct cb_err *err)
{
    struct cb_coop *coop = c->m->coop[c->here];
    const double until_ns = now_ns() + c->m->stay_ns;
    unsigned runs;
    do {
        cb_sleep_until_ns(fmin(until_ns, now_ns() + 1e6));
        if (cb_coop_runs(coop, &runs, err) != CB_OK)
            return err->status;
    } while (now_ns() < until_ns && !cb_coop_has_ended(coop));
    return cb_coop_has_ended(coop) ? cb_coop_gave_up(coop, "it was to move", err) : CB_OK;
}

/* Takes from a launch that has ended when the move that led to it was over. */
static void note_launch(struct course *c, struct cb_coop_result *r)
{
    if (c->moved > 0)
        c->moves[c->moved - 1].begun_ticks = r->entered_ticks;
    c->killed += r->kills;
    c->runs = r->runs;
    free(r->run_ns);
    free(r->start_ns);
}

static enum cb_status move_on(struct course *c, struct cb_err *err)
{
    const struct cb_migrate_devices *d = c->m->devices;
    struct cb_coop_result r = {0};
    struct move move = {.wish_ns = now_ns()};
    enum cb_status status = cb_coop_kill(c->m->coop[c->here], &r, &c->left, err);
    move.gone_ticks = r.gone_ticks;
    move.in_run = c->left.in_run;
    note_launch(c, &r);
    if (status == CB_OK)
        status = cb_app_copy_buffers(&d->on[c->here], &d->on[1 - c->here], d->through.words,
                                     &move.bytes, err);
    move.copied_ns = now_ns();
    c->moves[c->moved++] = move;
    c->here = 1 - c->here;
    return status;
}

static enum cb_status run(struct course *c, struct cb_err *err)
{
    struct cb_coop_result r = {0};
    for (;;) {
        if (begin(c, err) != CB_OK || stay(c, err) != CB_OK)
            return err->status;
        if (c->moved == c->m->moves)
            break;
        if (move_on(c, err) != CB_OK)
            return err->status;
    }
    enum cb_status status = cb_coop_stop(c->m->coop[c->here], &r, err);
    note_launch(c, &r);
    return status;
}

/* When a device's clock showed so many ticks, by the host's, and that was not before. */
static double host_ns(struct cb_clock_link *link, uint64_t ticks, double before_ns)
{
    cb_clock_link_not_before(link, ticks, before_ns);
    return cb_clock_link_host_ns(link, ticks);
}

static void add_move(struct course *c, const struct move *move, unsigned from,
                     struct cb_sample *sample)
{
    struct cb_clock_link *here = &c->links[from], *there = &c->links[1 - from];
    if (from == 0 && move->in_run)
        cb_sample_add(sample, "gone_time",
                      host_ns(here, move->gone_ticks, move->wish_ns) - move->wish_ns);
    if (from == 0)
        cb_sample_add(sample, "copied_time", move->copied_ns - move->wish_ns);
    if (move->begun_ticks)
        cb_sample_add(sample, from == 0 ? "move_time" : "back_time",
                      host_ns(there, move->begun_ticks, move->copied_ns) - move->wish_ns);
    cb_sample_add(sample, "copied", (double)move->bytes);
}

static void add_values(struct course *c, struct cb_sample *sample)
{
    double in_run = 0;
    for (unsigned i = 0; i < c->moved; i++) {
        add_move(c, &c->moves[i], i % 2, sample);
        in_run += c->moves[i].in_run;
    }
    cb_sample_note(sample, "to %s (%s)", c->m->devices->other.info.name,
                   c->m->devices->other.info.index);
    cb_sample_add(sample, "moves", c->moved);
    cb_sample_add(sample, "in_run", in_run / c->moved);
    cb_sample_add(sample, "kills", c->killed);
    cb_sample_add(sample, "app_runs", c->runs);
    cb_sample_add(sample, "workers", (double)c->m->workers[0]);
    cb_sample_add(sample, "workers_there", (double)c->m->workers[1]);
}

enum cb_status cb_migrate_sample(struct cb_migrate *m, struct cb_sample *sample, struct cb_err *err)
{
    const struct cb_app_instance *on = m->devices->on;
    struct course c = {.m = m, .moves = calloc(m->moves, sizeof *c.moves)};
    enum cb_status status = c.moves ? CB_OK : cb_no_memory(err);
    for (int d = 0; d < 2 && status == CB_OK; d++) {
        status = on[d].app->clear(on[d].state, err);
        if (status == CB_OK)
            status = cb_clock_link_open(on[d].session, &c.links[d], err);
    }
    if (status == CB_OK)
        status = run(&c, err);
    for (int d = 0; d < 2 && status == CB_OK; d++)
        status = cb_clock_link_correct(on[d].session, &c.links[d], err);
    if (status == CB_OK)
        status = cb_app_check(&on[c.here], m->coop[c.here], c.runs, sample, err);
    if (status == CB_OK)
        add_values(&c, sample);
    free(c.moves);
    return status;
}
