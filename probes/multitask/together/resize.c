/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "probes/multitask/together/internal.h"

enum cb_status cb_together_resize(struct cb_together *t, struct cb_coop *coop,
                                  const unsigned groups[2], int times, struct cb_sample *sample,
                                  struct cb_err *err)
{
    const unsigned n = (unsigned)t->workers, few = n / 4 ? n / 4 : 1;
    for (int i = 0; i < times && t->session->ns_per_tick > 0; i++) {
        const unsigned first = i % 2 ? few : n - few, wanted[2] = {first, n - first};
        struct cb_coop_resize r[2];
        if (cb_coop_limits(coop, wanted, err) != CB_OK ||
            cb_coop_await_limits(coop, t->progress_s, r, err) != CB_OK)
            return err->status;
        if (sample)
            cb_sample_add(sample, "resize_time",
                          fmax(r[0].reached_ns, r[1].reached_ns) - r[0].seen_ns);
    }
    return cb_coop_limits(coop, groups, err);
}
