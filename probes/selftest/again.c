/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/selftest/again.h"

#include <stdio.h>

#include "runtime/host/time.h"
#include "runtime/session.h"

#define TIMES   3   /* that a case is repeated */
#define FOR_NS  5e9 /* begins no repetition after so long */
#define CASES   3   /* cases of a session: where all fail, the first tell as much */
#define CONTEXT "failed in %u of %u runs"

/* A worker that a repetition may break, as after an error of the driver, is left as it is. */
static bool is_repeatable(const struct cb_session *s, enum cb_status status,
                          const struct cb_sample *sample)
{
    return !s->stuck && (status == CB_TIMEOUT || (status == CB_OK && sample->failure[0]));
}

static const struct cb_kept_kind repeated_kind = {sizeof(unsigned), NULL};

/* Whether this is one of the first cases; counts it. */
static bool is_early(struct cb_session *s)
{
    struct cb_err ignored;
    unsigned *repeated = cb_session_kept(s, &repeated_kind, &ignored);
    return repeated && ++*repeated <= CASES;
}

/* One run more of a case; returns whether another one makes sense. */
static bool run_again(struct cb_session *s, void *state,
                      enum cb_status (*once)(void *state, struct cb_sample *sample,
                                             struct cb_err *err),
                      struct cb_selftest_again *again)
{
    struct cb_sample sample = {.values = cJSON_CreateObject()};
    struct cb_err err = {0};
    const enum cb_status status = once(state, &sample, &err);
    const bool failed = is_repeatable(s, status, &sample), counts = failed || status == CB_OK;
    again->runs += counts;
    again->failed += failed;
    cJSON_Delete(sample.values);
    cJSON_Delete(sample.notes);
    return counts;
}

enum cb_status cb_selftest_try(struct cb_session *s, void *state,
                               enum cb_status (*once)(void *state, struct cb_sample *sample,
                                                      struct cb_err *err),
                               struct cb_sample *sample, struct cb_err *err)
{
    const enum cb_status first = once(state, sample, err);
    const double until_ns = (double)cb_now_ns() + FOR_NS;
    struct cb_selftest_again again = {1, 1};
    if (!is_repeatable(s, first, sample) || !is_early(s))
        return first;
    while (again.runs <= TIMES && (double)cb_now_ns() < until_ns)
        if (!run_again(s, state, once, &again))
            break;
    if (again.runs == 1)
        return first;
    cb_sample_context(sample, CONTEXT, again.failed, again.runs);
    return first == CB_OK ? first : cb_context(err, CONTEXT, again.failed, again.runs);
}

struct cb_selftest_again cb_selftest_again_of(const char *reason)
{
    struct cb_selftest_again again = {0, 0};
    if (sscanf(reason, CONTEXT, &again.failed, &again.runs) != 2)
        return (struct cb_selftest_again){0, 0};
    return again;
}
