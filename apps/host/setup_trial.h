/* SPDX-License-Identifier: Apache-2.0
 *
 * A setup tried out before anybody measures with it, on the first CPU device, in a process of its
 * own, with pages around all buffers that nobody may touch: by plain launches of a task, and in
 * multikernel mode of a cooperative kernel.
 */
#pragma once

#include "apps/host/setup.h"

enum cb_trial_kind {
    CB_TRIAL_LEARNS,       /* all accesses are allowed: which parts of buffers are used */
    CB_TRIAL_PROVES_END,   /* none after the end of a buffer is allowed, nor one far before it */
    CB_TRIAL_PROVES_BEGIN, /* none before its begin, nor one far after it; and a task does the same
                              when it is merged, with its workgroups in another order */
};

struct cb_trial {
    double launch_ns; /* of one launch */
    struct {
        int64_t first, end; /* bytes that are used, in whole pages; of what is no buffer 0 */
    } used[CB_SETUP_ARGUMENTS];
};

/* Tries a setup whose files are absolute. CB_NO_DEVICE: there is no CPU device to do so;
 * CB_TIMEOUT: a launch does not end. Else, if it fails, err says what is wrong with the setup. */
enum cb_status cb_setup_try(const cJSON *setup, enum cb_trial_kind kind, struct cb_trial *trial,
                            struct cb_err *err);

/* The process of a trial: "trial KIND SETUP ANSWER". */
int cb_setup_trial_main(int argc, char **argv);
