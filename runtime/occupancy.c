/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/occupancy.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>

#define SEARCHES 3 /* at most, if passes and deadlocks contradict each other */
/* A number of workgroups that runs at once passes within a turn that the device gives to this
 * process, unless a turn ends just then: so often it is tried. */
#define TRIES 4

struct search {
    const struct cb_occupancy_probe *probe;
    uint64_t guess; /* guess of the probe; 0: none */
    bool contradicts;
    struct cb_occupancy *out;
    uint64_t passes;    /* largest number seen to pass */
    uint64_t deadlocks; /* smallest number seen not to; 0: none yet */
    uint64_t arrived;   /* in that deadlock */
    struct cb_err *err;
};

/* Until it deadlocks, or passes while nobody else has the device. */
static enum cb_status meet(struct search *s, uint64_t groups, struct cb_occupancy_meeting *meeting)
{
    enum cb_status status = CB_OK;
    for (unsigned i = 0; i < TRIES && status == CB_OK; i++) {
        *meeting = (struct cb_occupancy_meeting){0};
        status = s->probe->barrier(s->probe->self, groups, meeting, s->err);
        s->out->probes++;
        if (status == CB_OK && !meeting->swapped)
            break;
        s->out->swapped += status == CB_OK;
    }
    return status;
}

/* Tries one number: CB_OK whichever way it went. */
static enum cb_status try_groups(struct search *s, uint64_t groups, bool *passed)
{
    struct cb_occupancy_meeting meeting;
    enum cb_status status = meet(s, groups, &meeting);
    if (status != CB_OK && status != CB_TIMEOUT)
        return cb_context(s->err, "barrier across %" PRIu64 " workgroups", groups);
    *passed = status == CB_OK && !meeting.swapped;
    s->out->deadlocks += status == CB_TIMEOUT;
    if (*passed && groups > s->passes)
        s->passes = groups;
    if (!*passed && (s->deadlocks == 0 || groups < s->deadlocks)) {
        s->deadlocks = groups;
        s->arrived = meeting.arrived;
    }
    return CB_OK;
}

static enum cb_status double_until_deadlock(struct search *s, uint64_t limit)
{
    uint64_t guess = s->guess, next;
    for (uint64_t groups = guess ? guess : 1; s->deadlocks == 0; groups = next) {
        bool passed;
        next = groups == guess ? groups + 1 : 2 * groups;
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
                       s->out->swapped ? " while nobody else has the device" : "");
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
