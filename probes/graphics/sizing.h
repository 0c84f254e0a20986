/* SPDX-License-Identifier: Apache-2.0
 *
 * FSE'17 Section 5.2 by itself: how long may a kernel be without an observable impact on the
 * frames, and how often, and for how long, is the device then needed for them?
 */
#pragma once

#include "measure/random.h"
#include "probes/graphics/analysis/search.h"
#include "probes/graphics/observer.h"

#define CB_SIZING_LOOKS 3 /* at one kernel at most */

struct cb_sizing {
    struct cb_loop loop;
    struct cb_observer observer;
    struct cb_criterion criterion; /* its looks are ours */
    struct cb_search search;       /* its try() and self are ours */
    unsigned pairs;                /* pairs of windows, for each look at a kernel */
    double confirm_s;              /* with the kernel, once t is known */
    double budget_s;               /* time of a run: t may have a second try by then */
    double spare_s;                /* for further looks at kernels that may be seen */
    double given_ns;               /* t, which then is not searched for; 0: it is not given */
    struct cb_random random;
    struct cb_frames undisturbed; /* frames without kernels, so far in this run */
    struct cb_sample *sample;     /* sample of the run */
    uint64_t start_ns;            /* when it began */
    double left_s;                /* what is left of the time that it has to spare */
};

/* One sizing. CB_UNSUPPORTED: the scene cannot keep its rate even when nothing disturbs it. */
enum cb_status cb_sizing_run(struct cb_sizing *sizing, struct cb_sample *sample,
                             struct cb_err *err);
