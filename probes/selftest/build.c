/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/selftest/case.h"

struct cb_coop_config cb_selftest_config(const struct cb_selftest *t, unsigned mode,
                                         unsigned trace_events)
{
    return (struct cb_coop_config){.wg_size = t->wg_size,
                                   .mode = mode,
                                   .resizing = t->resizing,
                                   .semantics = t->semantics,
                                   .trace_events = trace_events,
                                   .arena = t->ours ? cb_tasks_arena(t->ours) : NULL};
}

enum cb_status cb_selftest_build(const struct cb_selftest *t, unsigned mode, unsigned trace_events,
                                 struct cb_coop **coop, struct cb_err *err)
{
    const struct cb_coop_config config = cb_selftest_config(t, mode, trace_events);
    return cb_app_open_mode(&t->on, &config, coop, err);
}
