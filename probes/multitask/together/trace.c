/* SPDX-License-Identifier: Apache-2.0
 *
 * --together with --trace: once more with what the policy has settled on, and workgroups go from
 * one app to the other and back, so that the picture shows it.
 */
#include "probes/multitask/trace.h"
#include "probes/multitask/together/internal.h"

#define TRACED_RESIZES 6

static enum cb_status run(struct cb_together *t, const unsigned groups[2], struct cb_err *err)
{
    const struct cb_coop_start how = {
        .repeat = true, .lifetime_s = CB_TOGETHER_LIFETIME_S, .gather_s = CB_TOGETHER_GATHER_S};
    cb_coop_move(t->traced, t->word);
    if (cb_app_clear_all(&t->on[0], err) != CB_OK ||
        cb_coop_start(t->traced, t->workers, &how, err) != CB_OK)
        return err->status;
    return cb_together_resize(t, t->traced, groups, TRACED_RESIZES, NULL, err);
}

enum cb_status cb_together_trace(struct cb_together *t, const unsigned groups[2],
                                 struct cb_sample *sample, struct cb_err *err)
{
    const struct cb_traced traced = {t->session,   t->traced,       t->workers, 2,
                                     COOP_HIGHEST, t->trace_events, t->trace};
    unsigned runs;
    if (!t->traced)
        return CB_OK;
    if (run(t, groups, err) != CB_OK || cb_coop_stop(t->traced, NULL, err) != CB_OK ||
        cb_traced_check(&traced, sample, err) != CB_OK)
        return err->status;
    for (unsigned k = 0; k < 2; k++)
        if (cb_app_check_kernel(&t->on[k], t->traced, k, &runs, sample, err) != CB_OK)
            return err->status;
    return CB_OK;
}
