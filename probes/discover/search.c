/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/discover/search.h"

#include "runtime/host/text.h"
#include "runtime/host/time.h"
#include "runtime/occupancy.h"

#define CONFIRMATIONS 3

/* Threads of a CPU device keep their workgroups when others have the cores. */
static enum cb_status try_barrier(void *self, uint64_t groups, struct cb_occupancy_meeting *meeting,
                                  struct cb_err *err)
{
    const struct cb_discover_search *s = self;
    cb_launch record;
    uint64_t event_ns = 0;
    enum cb_status status = s->meet(s->self, groups, &event_ns, &record, err);
    meeting->ns = cb_device_is_cpu(&s->session->info) ? 0 : event_ns;
    if (status != CB_TIMEOUT)
        return status;
    if (record.site != CB_SITE_BARRIER)
        return cb_fail(err, CB_ERROR, "a barrier without protocol waited elsewhere: %s", err->text);
    meeting->arrived = record.seen;
    return CB_TIMEOUT;
}

/* The notes blame nobody: a late pass may be due to others that have the device, or to a barrier
 * that takes so long by itself. */
static void note_lateness(const struct cb_occupancy *found, struct cb_sample *sample)
{
    if (found->one_ns > 0)
        cb_sample_note(sample,
                       "even one workgroup took %.3g ms to pass a barrier: if others have the "
                       "device at every look, fewer may run at once",
                       (double)found->one_ns / 1e6);
    if (found->more_pass_late)
        cb_sample_note(sample, "at least %llu: more pass, but late",
                       (unsigned long long)found->bound);
    if (found->late > 0)
        cb_sample_note(sample,
                       "%u barrier%s passed late, as where others have the device meanwhile: more "
                       "may pass then than run at once, so that does not count",
                       found->late, CB_PLURAL(found->late));
}

static const struct cb_kept_kind last_bound = {sizeof(uint64_t), NULL};

enum cb_status cb_discover_search_run(const struct cb_discover_search *search, uint64_t *bound,
                                      struct cb_sample *sample, struct cb_err *err)
{
    uint64_t *last = cb_session_kept(search->session, &last_bound, err);
    if (!last)
        return err->status;
    const struct cb_occupancy_probe probe = {(void *)search, try_barrier, *last};
    struct cb_occupancy found;
    uint64_t start = cb_now_ns();
    enum cb_status status = cb_occupancy_search(&probe, search->limit, CONFIRMATIONS, &found, err);
    if (status != CB_OK)
        return status;
    *last = found.bound;
    if (bound)
        *bound = found.bound;
    cb_sample_check(sample, true, "passes and deadlocks repeat");
    cb_sample_add(sample, "groups_bound", (double)found.bound);
    cb_sample_add(sample, "search_time", (double)(cb_now_ns() - start));
    cb_sample_add(sample, "search_probes", found.probes);
    note_lateness(&found, sample);
    return CB_OK;
}
