/* SPDX-License-Identifier: Apache-2.0
 *
 * The search for how many workgroups run at once, with launches that are only told.
 */
#include <string.h>

#include "runtime/discovery.h"
#include "runtime/host/time.h"
#include "tests/unit/unit.h"

#define MS 1000000u

struct device {
    struct cb_session session;
    size_t runs_at_once, least; /* least: until `busy_until_ns` */
    uint64_t busy_until_ns;
    int launches;
};

static void begin(struct device *d, const char *type, unsigned units, size_t runs_at_once)
{
    *d = (struct device){.runs_at_once = runs_at_once};
    strcpy(d->session.info.type, type);
    d->session.info.compute_units = units;
}

static enum cb_status launch(void *self, size_t groups, size_t *participants, struct cb_err *err)
{
    (void)err;
    struct device *d = self;
    size_t most = cb_now_ns() < d->busy_until_ns ? d->least : d->runs_at_once;
    *participants = groups < most ? groups : most;
    d->launches++;
    return CB_OK;
}

static size_t search(struct device *d)
{
    size_t found = 0;
    struct cb_err err;
    assert_int_equal(cb_discovery_search(&d->session, launch, d, &found, &err), CB_OK);
    return found;
}

TEST(more_and_more_are_launched)
{
    struct device d;
    begin(&d, "gpu", 4, 100);
    assert_int_equal(search(&d), 100);
    assert_int_equal(d.launches, 5); /* 8, 16, 32, 64, 128 */
}

TEST(a_cpu_has_one_for_each_unit)
{
    struct device d;
    begin(&d, "cpu", 8, 8);
    assert_int_equal(search(&d), 8);
    assert_int_equal(d.launches, 1);
}

/* Somebody else has cores for 60 ms, as hosts of virtual machines take them: all launches at once
 * would miss them. */
TEST(a_cpu_of_which_others_have_cores)
{
    struct device d;
    begin(&d, "cpu", 8, 8);
    d.least = 5;
    d.busy_until_ns = cb_now_ns() + 60 * MS;
    assert_int_equal(search(&d), 8);
    assert_in_range(d.launches, 2, 50);
}

/* The search finds as many as there are, in less than the time that a user would notice as a hang.
 */
TEST(a_cpu_with_fewer)
{
    struct device d;
    begin(&d, "cpu", 8, 5);
    uint64_t before = cb_now_ns();
    assert_int_equal(search(&d), 5);
    assert_in_range(cb_now_ns() - before, 0, 3000 * MS);
}

/* A driver that loses kernels, or what they write. */
TEST(nobody_comes)
{
    struct device d;
    struct cb_err err;
    size_t found = 7;
    begin(&d, "gpu", 4, 0);
    assert_int_equal(cb_discovery_search(&d.session, launch, &d, &found, &err), CB_ERROR);
    assert_non_null(strstr(err.text, "no workgroup came"));
}

TEST(compiler_options)
{
    static const struct {
        struct cb_discovery_way way;
        const char *defines;
    } ways[] = {
        {{"ticket", "0", NULL}, "-DCB_PROTOCOL=mutex -DCB_MUTEX=ticket -DCB_IDS=own"},
        {{"spin", "adaptive", "own"}, "-DCB_PROTOCOL=mutex_adaptive -DCB_MUTEX=spin -DCB_IDS=own"},
        {{"lockfree", "0", "arrival"}, "-DCB_PROTOCOL=lockfree -DCB_MUTEX=ticket -DCB_IDS=own"},
        {{"lockfree", "0", "shuffled"},
         "-DCB_PROTOCOL=lockfree -DCB_MUTEX=ticket -DCB_IDS=native -DCB_IDS_SHUFFLED"},
        {{"unsafe", "0", "native"}, "-DCB_PROTOCOL=unsafe -DCB_MUTEX=ticket -DCB_IDS=own"},
        {{"unsafe", "0", "arrival"}, "-DCB_PROTOCOL=unsafe -DCB_MUTEX=ticket -DCB_IDS=arrival"},
        {{"unsafe", "0", "shuffled"},
         "-DCB_PROTOCOL=unsafe -DCB_MUTEX=ticket -DCB_IDS=own -DCB_IDS_SHUFFLED"},
    };
    for (size_t i = 0; i < CB_COUNTOF(ways); i++) {
        char text[120];
        cb_discovery_defines(&ways[i].way, text, sizeof text);
        assert_string_equal(text, ways[i].defines);
    }
    assert_string_equal(cb_discovery_order("unsafe", NULL), "native");
    assert_string_equal(cb_discovery_order("spin", "own"), "arrival");
    assert_null(cb_discovery_other_order("ticket", "arrival"));
    assert_string_equal(cb_discovery_other_order("unsafe", "arrival"), "arrival");
}
