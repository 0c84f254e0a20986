/* SPDX-License-Identifier: Apache-2.0
 *
 * What the two kinds of programs have in common: those that launch themselves (promoted.c), and
 * parents that launch children (nested.c).
 */
#pragma once

#include "probes/launch/plan.h"
#include "runtime/session.h"

/* Functions for one kind of programs, as in struct cb_bench. */
struct cb_launch_kind {
    enum cb_status (*open)(struct cb_session *session, const struct cb_launch_case *params,
                           void **state, struct cb_err *err);
    enum cb_status (*run)(void *state, struct cb_sample *sample, struct cb_err *err);
    void (*close)(void *state);
};

extern const struct cb_launch_kind cb_launch_promoted, cb_launch_nested;
