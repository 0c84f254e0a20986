/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/occupancy.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#define SEARCHES 3 /* at most, if passes and deadlocks contradict each other */
/* A pass is late that takes longer than so many passes of half as many workgroups, and a part of a
 * turn that the device gives to another program. A number of workgroups that runs at once passes in
 * time unless such a turn begins just then: so often it is tried; and more often, as long as that
 * takes no longer than a deadlock, where all else rests on it, or tries turn out to be too few. */
#define LATE_TIMES 4
#define LATE_NS    200000
#define TRIES      4
#define MORE_TRIES 64
#define MORE_NS    200000000

enum outcome { IN_TIME, LATE, DEADLOCK };

struct search {
    const struct cb_occupancy_probe *probe;
    uint64_t guess; /* guess of the probe; 0: none */
    unsigned tries;
    bool contradicts;
    struct cb_occupancy *out;
    uint64_t passes;    /* largest number seen to pass in time */
    uint64_t pass_ns;   /* the shortest pass of that number */
    uint64_t fails;     /* smallest number seen to pass late or not at all; 0: none yet */
    uint64_t deadlocks; /* smallest number seen to deadlock; 0: none yet */
    uint64_t arrived;   /* in that deadlock */
    struct cb_err *err;
};

/* What all else is compared with, passes of one workgroup, only have the absolute limit. */
static bool is_late(const struct search *s, uint64_t ns)
{
    return ns > LATE_NS + LATE_TIMES * s->pass_ns;
}

/* Until it deadlocks, or passes in time: meeting tells the shortest pass. */
static enum cb_status meet(struct search *s, uint64_t groups, struct cb_occupancy_meeting *meeting)
{
    const unsigned most = s->passes == 0 ? MORE_TRIES : s->tries;
    uint64_t shortest_ns = UINT64_MAX, all_ns = 0;
    enum cb_status status = CB_OK;
    for (unsigned i = 0; i < most && (i < TRIES || all_ns < MORE_NS); i++) {
        *meeting = (struct cb_occupancy_meeting){0};
        status = s->probe->barrier(s->probe->self, groups, meeting, s->err);
        s->out->probes++;
        all_ns += meeting->ns;
        shortest_ns = meeting->ns < shortest_ns ? meeting->ns : shortest_ns;
        if (status != CB_OK || !is_late(s, meeting->ns))
            break;
        s->out->late += s->passes > 0;
    }
    meeting->ns = shortest_ns;
    return status;
}

/* Smaller numbers that passed late only were unlucky. */
static void note_pass(struct search *s, uint64_t groups, uint64_t ns)
{
    if (groups > s->passes || (groups == s->passes && ns < s->pass_ns))
        s->pass_ns = ns;
    if (groups > s->passes)
        s->passes = groups;
    if (s->fails <= s->passes)
        s->fails = s->deadlocks;
}

static void note_failure(struct search *s, uint64_t groups, bool deadlock, uint64_t arrived)
{
    if (s->fails == 0 || groups < s->fails)
        s->fails = groups;
    if (deadlock && (s->deadlocks == 0 || groups < s->deadlocks)) {
        s->deadlocks = groups;
        s->arrived = arrived;
    }
}

/* Tries one number: CB_OK whichever way it went. One workgroup that passes late at every look is
 * believed, since some kernels take long: others may have the device all the time, though. */
static enum cb_status try_groups(struct search *s, uint64_t groups, enum outcome *outcome)
{
    struct cb_occupancy_meeting meeting;
    enum cb_status status = meet(s, groups, &meeting);
    if (status != CB_OK && status != CB_TIMEOUT)
        return cb_context(s->err, "barrier across %" PRIu64 " workgroups", groups);
    const bool late = status == CB_OK && is_late(s, meeting.ns);
    if (s->passes == 0)
        s->out->one_ns = late ? meeting.ns : 0;
    *outcome = status == CB_TIMEOUT ? DEADLOCK : late && s->passes > 0 ? LATE : IN_TIME;
    s->out->deadlocks += *outcome == DEADLOCK;
    if (*outcome == IN_TIME)
        note_pass(s, groups, meeting.ns);
    else
        note_failure(s, groups, *outcome == DEADLOCK, meeting.arrived);
    return CB_OK;
}

/* The guess is tried on the way, and then one more. */
static uint64_t next_double(const struct search *s)
{
    if (s->passes == 0 || s->passes == s->guess)
        return s->passes + 1;
    return s->passes < s->guess && s->guess < 2 * s->passes ? s->guess : 2 * s->passes;
}

static enum cb_status no_bound(struct search *s)
{
    char but[96] = "";
    if (s->out->one_ns > 0)
        snprintf(but, sizeof but,
                 ", but one takes %.3g ms: others may have the device all the time",
                 (double)s->out->one_ns / 1e6);
    return cb_fail(s->err, CB_UNSUPPORTED,
                   "no occupancy bound: even %" PRIu64 " workgroup%s a barrier%s", s->passes,
                   s->passes == 1 ? " passes" : "s pass", but);
}

static enum cb_status double_until_failure(struct search *s, uint64_t limit)
{
    while (s->fails == 0) {
        enum outcome outcome;
        if (s->passes == limit)
            return no_bound(s);
        const uint64_t next = next_double(s);
        if (try_groups(s, next < limit ? next : limit, &outcome) != CB_OK)
            return s->err->status;
    }
    return CB_OK;
}

/* In a deadlock all workgroups that fit are there and wait: try first that many, then one more. */
static uint64_t next_guess(const struct search *s)
{
    if (s->arrived > s->passes && s->arrived < s->fails)
        return s->arrived;
    if (s->arrived == s->passes && s->passes + 1 < s->fails)
        return s->passes + 1;
    return s->passes + (s->fails - s->passes) / 2;
}

static enum cb_status bisect(struct search *s)
{
    while (s->passes + 1 < s->fails) {
        enum outcome outcome;
        if (try_groups(s, next_guess(s), &outcome) != CB_OK)
            return s->err->status;
    }
    return CB_OK;
}

static bool is_as_guessed(const struct search *s)
{
    return s->passes == s->guess;
}

static enum cb_status contradict(struct search *s, uint64_t groups, const char *what)
{
    s->contradicts = true;
    return cb_fail(s->err, CB_ERROR,
                   "%" PRIu64 " workgroups %s: somebody else uses the device, or the deadline is "
                   "too short for it; raise --wait-deadline",
                   groups, what);
}

static enum cb_status contradict_by_lateness(struct search *s)
{
    s->contradicts = true;
    return cb_fail(s->err, CB_ERROR,
                   "%" PRIu64 " workgroups passed a barrier in time and then only late: somebody "
                   "else may use the device",
                   s->passes);
}

static enum cb_status confirm(struct search *s, unsigned confirmations)
{
    enum outcome outcome;
    for (unsigned i = 0; i < confirmations; i++) {
        if (try_groups(s, s->passes, &outcome) != CB_OK)
            return s->err->status;
        if (outcome == LATE)
            return contradict_by_lateness(s);
        if (outcome == DEADLOCK)
            return contradict(s, s->passes, "passed a barrier and then deadlocked");
    }
    const uint64_t next = s->passes + 1;
    const bool deadlocked = s->deadlocks == next;
    if (deadlocked && is_as_guessed(s))
        return CB_OK;
    if (try_groups(s, next, &outcome) != CB_OK)
        return s->err->status;
    if (deadlocked && outcome == IN_TIME)
        return contradict(s, next, "deadlocked and then passed a barrier");
    return CB_OK;
}

/* What passes in time when it is tried more often has misled the search: it goes on from there. */
static enum cb_status search(struct search *s, uint64_t limit, unsigned confirmations)
{
    do {
        if (double_until_failure(s, limit) != CB_OK || bisect(s) != CB_OK)
            return s->err->status;
        if (s->passes == 0)
            return cb_fail(s->err, CB_ERROR, "not even one workgroup passes a barrier");
        s->tries = MORE_TRIES;
        if (confirm(s, confirmations) != CB_OK)
            return s->err->status;
    } while (s->fails != s->passes + 1);
    s->out->more_pass_late = s->deadlocks != s->fails;
    return CB_OK;
}

enum cb_status cb_occupancy_search(const struct cb_occupancy_probe *probe, uint64_t limit,
                                   unsigned confirmations, struct cb_occupancy *out,
                                   struct cb_err *err)
{
    struct search s = {.contradicts = true};
    enum cb_status status = CB_OK;
    *out = (struct cb_occupancy){0};
    for (unsigned i = 0; i < SEARCHES && s.contradicts; i++) {
        s = (struct search){.probe = probe,
                            .guess = i == 0 ? probe->guess : 0,
                            .tries = TRIES,
                            .out = out,
                            .err = err};
        status = search(&s, limit, confirmations);
    }
    if (status == CB_OK)
        out->bound = s.passes;
    return status;
}
