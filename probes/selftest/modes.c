/* SPDX-License-Identifier: Apache-2.0
 *
 * The app in the execution modes without a scheduler: the same kernel has to give the same result.
 */
#include <string.h>

#include "probes/selftest/case.h"

enum cb_status cb_selftest_rehearse_modes(const struct cb_selftest *t, struct cb_err *err)
{
    enum cb_status status = CB_OK;
    for (unsigned mode = 0; mode < COOP_COOPERATIVE && status == CB_OK; mode++) {
        struct cb_coop *coop;
        status = cb_selftest_build(t, mode, 0, &coop, err);
        cb_coop_close(coop);
    }
    return status;
}

enum cb_status cb_selftest_modes(struct cb_selftest *t, struct cb_sample *sample,
                                 struct cb_err *err)
{
    for (unsigned mode = 0; mode < COOP_COOPERATIVE; mode++) {
        struct cb_coop *coop;
        struct cb_coop_time time;
        size_t groups = t->mode_groups;
        bool failed = sample->failure[0];
        enum cb_status status = cb_selftest_build(t, mode, 0, &coop, err);
        if (status == CB_OK && mode == COOP_SPECIALISED) /* which does not look how many can be */
            status = cb_app_fit_groups(&t->on, coop, &groups, err);
        if (status == CB_OK)
            status = cb_app_run_alone(&t->on, coop, groups, &time, sample, err);
        cb_coop_close(coop);
        if (status != CB_OK)
            return cb_context(err, "%s", cb_app_modes[mode]);
        if (!failed && sample->failure[0])
            cb_sample_context(sample, "%s", cb_app_modes[mode]);
    }
    return CB_OK;
}
