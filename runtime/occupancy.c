/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/occupancy.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>

#define SEARCHES 3 /* at most, if passes and deadlocks contradict each other */
/* A number of workgroups that runs at once passes within a turn that the device gives to this
 * process, unless the turn ends just then: so often it is tried. A pass is late that takes longer
 * than so many passes of half as many workgroups, and a part of a turn of another program. */
#define TRIES      4
#define LATE_TIMES 4
#define LATE_NS    200000

struct search {
    const struct cb_occupancy_probe *probe;
    uint64_t guess; /* guess of the probe; 0: none */
    bool contradicts;
    struct cb_occupancy *out;
    uint64_t passes;    /* largest number seen to pass in time */
    uint64_t pass_ns;   /* the shortest pass of that number */
    uint64_t deadlocks; /* smallest number seen not to; 0: none yet */
    uint64_t arrived;   /* in that deadlock */
    struct cb_err *err;
};

static bool is_late(const struct search *s, uint64_t ns)
{
    return s->passes > 0 && ns > LATE_NS + LATE_TIMES * s->pass_ns;
}

/* Until it deadlocks, or passes in time. */
static enum cb_status meet(struct search *s, uint64_t groups, struct cb_occupancy_meeting *meeting)
{
    enum cb_status status = CB_OK;
    for (unsigned i = 0; i < TRIES && status == CB_OK; i++) {
        *meeting = (struct cb_occupancy_meeting){0};
        status = s->probe->barrier(s->probe->self, groups, meeting, s->err);
        s->out->probes++;
        if (status == CB_OK && !is_late(s, meeting->ns))
            break;
        s->out->swapped += status == CB_OK;
    }
    return status;
}

static void note_pass(struct search *s, uint64_t groups, uint64_t ns)
{
    if (groups > s->passes || (groups == s->passes && ns < s->pass_ns))
        s->pass_ns = ns;
    if (groups > s->passes)
        s->passes = groups;
}

/* Tries one number: CB_OK whichever way it went. */
static enum cb_status try_groups(struct search *s, uint64_t groups, bool *passed)
{
    struct cb_occupancy_meeting meeting;
    enum cb_status status = meet(s, groups, &meeting);
    if (status != CB_OK && status != CB_TIMEOUT)
        return cb_context(s->err, "barrier across %" PRIu64 " workgroups", groups);
    *passed = status == CB_OK && !is_late(s, meeting.ns);
    s->out->deadlocks += status == CB_TIMEOUT;
    if (*passed)
        note_pass(s, groups, meeting.ns);
    if (!*passed && (s->deadlocks == 0 || groups < s->deadlocks)) {
        s->deadlocks = groups;
        s->arrived = meeting.arrived;
    }
    return CB_OK;
}

/* The guess is tried on the way, and then one more. */
static uint64_t next_double(const struct search *s, uint64_t groups)
{
    if (groups == s->guess)
        return groups + 1;
    return groups < s->guess && s->guess < 2 * groups ? s->guess : 2 * groups;
}

static enum cb_status double_until_deadlock(struct search *s, uint64_t limit)
{
    for (uint64_t groups = 1; s->deadlocks == 0; groups = next_double(s, groups)) {
        bool passed;
        if (groups > limit)
            groups = limit;
        if (try_groups(s, groups, &passed) != CB_OK)
            return s->err->status;
        if (passed && groups == limit)
            return cb_fail(s->err, CB_UNSUPPORTED,
                           "no occupancy bound: even %" PRIu64 " workgroup%s a barrier", limit,
                           limit == 1 ? " passes" : "s pass");
    }
    return CB_OK;
}

/* In a deadlock all workgroups that fit are there and wait: try first that many, then one more. */
static uint64_t next_guess(const struct search *s)
{
    if (s->arrived > s->passes && s->arrived < s->deadlocks)
        return s->arrived;
    if (s->arrived == s->passes && s->passes + 1 < s->deadlocks)
        return s->passes + 1;
    return s->passes + (s->deadlocks - s->passes) / 2;
}

static enum cb_status bisect(struct search *s)
{
    while (s->passes + 1 < s->deadlocks) {
        bool passed;
        if (try_groups(s, next_guess(s), &passed) != CB_OK)
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
                   "%" PRIu64 " workgroups %s: another process uses the device, or the deadline is "
                   "too short for it; raise --wait-deadline",
                   groups, what);
}

static enum cb_status confirm(struct search *s, unsigned confirmations)
{
    bool passed;
    for (unsigned i = 0; i < confirmations; i++) {
        if (try_groups(s, s->passes, &passed) != CB_OK)
            return s->err->status;
        if (!passed)
            return contradict(s, s->passes, "passed a barrier and then deadlocked");
    }
    uint64_t next = s->passes + 1;
    if (is_as_guessed(s))
        return CB_OK;
    if (try_groups(s, next, &passed) != CB_OK)
        return s->err->status;
    return passed ? contradict(s, next, "deadlocked and then passed a barrier") : CB_OK;
}

static enum cb_status search(struct search *s, uint64_t limit, unsigned confirmations)
{
    if (double_until_deadlock(s, limit) != CB_OK || bisect(s) != CB_OK)
        return s->err->status;
    if (s->passes == 0)
        return cb_fail(s->err, CB_ERROR, "not even one workgroup passes a barrier%s",
                       s->out->swapped ? " in time: others use the device" : "");
    return confirm(s, confirmations);
}

enum cb_status cb_occupancy_search(const struct cb_occupancy_probe *probe, uint64_t limit,
                                   unsigned confirmations, struct cb_occupancy *out,
                                   struct cb_err *err)
{
    struct search s = {.contradicts = true};
    enum cb_status status = CB_OK;
    *out = (struct cb_occupancy){0};
    for (unsigned i = 0; i < SEARCHES && s.contradicts; i++) {
        s = (struct search){
            .probe = probe, .guess = i == 0 ? probe->guess : 0, .out = out, .err = err};
        status = search(&s, limit, confirmations);
    }
    if (status == CB_OK)
        out->bound = s.passes;
    return status;
}
