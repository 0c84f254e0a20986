/* SPDX-License-Identifier: Apache-2.0
 *
 * What discover makes of a search for the occupancy bound, with launches that are only told.
 */
#include <string.h>

#include "measure/text/json.h"
#include "probes/discover/search.h"
#include "tests/unit/unit.h"

#define US 1000u

struct device {
    struct cb_session session;
    uint64_t bound, by_swapping; /* so many pass, late */
    uint64_t pass_ns, late_ns;
    unsigned site; /* where a deadlock is seen */
};

static enum cb_status meet(void *self, size_t groups, uint64_t *event_ns, cb_launch *record,
                           struct cb_err *err)
{
    const struct device *d = self;
    *event_ns = groups > d->bound ? d->late_ns : d->pass_ns;
    *record = (cb_launch){.site = d->site, .seen = (cl_uint)d->bound};
    if (groups > d->bound && groups > d->by_swapping)
        return cb_fail(err, CB_TIMEOUT, "they wait");
    return CB_OK;
}

static struct device new_device(const char *type)
{
    struct device d = {.bound = 264,
                       .by_swapping = 924,
                       .pass_ns = 20 * US,
                       .late_ns = 2500 * US,
                       .site = CB_SITE_BARRIER};
    strcpy(d.session.info.type, type);
    return d;
}

static enum cb_status search(struct device *d, uint64_t *bound, struct cb_sample *sample,
                             struct cb_err *err)
{
    const struct cb_discover_search search = {&d->session, d, meet, 1u << 20};
    *sample = (struct cb_sample){.values = cJSON_CreateObject()};
    *err = (struct cb_err){0};
    enum cb_status status = cb_discover_search_run(&search, bound, sample, err);
    cb_session_close(&d->session);
    return status;
}

/* notes: as JSON; "": there are none */
static void finds(struct device d, uint64_t bound, const char *notes)
{
    struct cb_sample sample;
    struct cb_err err;
    uint64_t found = 0;
    if (search(&d, &found, &sample, &err) != CB_OK)
        fail_msg("%s", err.text);
    char *text = sample.notes ? cJSON_PrintUnformatted(sample.notes) : strdup("");
    assert_int_equal(found, bound);
    assert_string_equal(text, notes);
    free(text);
    cb_sample_free(&sample);
}

/* Only late ones are swapped in; a CPU's threads keep their workgroups, so that these all run. */
TEST(late_ones_count_on_a_cpu_alone)
{
    finds(new_device("gpu"), 264,
          "[\"at least 264: more pass, but late\","
          "\"96 barriers passed late, as where others have the device meanwhile: more may pass "
          "then than run at once, so that does not count\"]");
    finds(new_device("cpu"), 924, "");
}

TEST(a_quiet_device_has_no_notes)
{
    struct device d = new_device("gpu");
    d.by_swapping = 0;
    finds(d, 264, "");
}

TEST(one_workgroup_takes_long)
{
    struct device d = new_device("gpu");
    d.pass_ns = 2500 * US;
    finds(d, 924,
          "[\"even one workgroup took 2.5 ms to pass a barrier: if others have the device at every "
          "look, fewer may run at once\"]");
}

TEST(waits_elsewhere_are_no_deadlocks)
{
    struct device d = new_device("gpu");
    struct cb_sample sample;
    struct cb_err err;
    d.site = CB_SITE_MUTEX;
    d.by_swapping = 0;
    assert_int_equal(search(&d, NULL, &sample, &err), CB_ERROR);
    assert_non_null(strstr(err.text, "a barrier without protocol waited elsewhere: they wait"));
    cb_sample_free(&sample);
}
