/* SPDX-License-Identifier: Apache-2.0
 *
 * One case of the selftest, in a worker process.
 */
#pragma once

#include "apps/host/case.h"
#include "probes/multitask/policies/policy.h"
#include "runtime/coop/tasks.h"

struct cb_selftest {
    struct cb_app_instance on;
    struct cb_app_instance beside; /* in the same megakernel; app NULL: none is */
    struct cb_coop *coop;          /* the megakernel, with room for a trace */
    struct cb_tasks *ours;         /* NULL in a rehearsal */
    size_t workers;
    unsigned resizing;  /* COOP_REGULAR, ... */
    unsigned semantics; /* COOP_HIGHEST, ... */
    size_t wg_size;
    unsigned trace_events; /* room of a ring; 0: no trace */
    unsigned first_groups;
    unsigned tasks;
    uint64_t tasks_seed;
    bool limits;                    /* limits its workgroups, at any time */
    const struct cb_policy *policy; /* says those of both kernels at once; NULL: they are drawn */
    struct cb_policy_view view;
    struct cb_policy_memory memory;
    bool repeats; /* the second kernel is begun again whenever it has ended */
    bool all_modes;
    size_t mode_groups; /* workgroups for the modes without a scheduler */
};

#define CB_SELFTEST_MAX_SIZE 160u /* rows and depth of a task, at most */

/* What it is built with. */
struct cb_coop_config cb_selftest_config(const struct cb_selftest *t, unsigned mode,
                                         unsigned trace_events);

/* Opens the app's kernel in an execution mode, with its arguments. After a failure, too, close it:
 * it may be NULL. */
enum cb_status cb_selftest_build(const struct cb_selftest *t, unsigned mode, unsigned trace_events,
                                 struct cb_coop **coop, struct cb_err *err);

/* The megakernel with tasks beside it, and all checks of it. */
enum cb_status cb_selftest_stress(struct cb_selftest *t, struct cb_sample *sample,
                                  struct cb_err *err);

/* The same app and input in the modes without a scheduler. The second: only their kernels. */
enum cb_status cb_selftest_modes(struct cb_selftest *t, struct cb_sample *sample,
                                 struct cb_err *err);
enum cb_status cb_selftest_rehearse_modes(const struct cb_selftest *t, struct cb_err *err);
