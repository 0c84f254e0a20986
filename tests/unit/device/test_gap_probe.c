/* SPDX-License-Identifier: Apache-2.0
 *
 * What looks for gaps in a device's clock leave behind.
 */
#include "runtime/neighbours/internal.h"
#include "tests/unit/unit.h"

extern int made_up_buffers; /* of the device (beside_fixture.h) */

/* What is measured between two looks has its buffers where it would have them if nobody looked. */
TEST(no_buffer_is_held_between_looks)
{
    struct cb_session s = {
        .info = {.type = "gpu", .platform = CB_POCL_PLATFORM, .compute_units = 4},
        .ns_per_tick = 1,
        .wait_deadline_ns = 1};
    struct cb_buffered_kernel probe;
    struct cb_look look = {0};
    struct cb_err err = {0};
    cl_int code;
    const int before = made_up_buffers;
    s.queue = clCreateCommandQueue(NULL, NULL, 0, &code);
    assert_int_equal(cb_gap_probe_open(&s, &probe, &err), CB_OK);
    assert_int_equal(made_up_buffers, before);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(cb_gap_probe_run(&s, &probe, &look, &err), CB_OK);
        assert_int_equal(made_up_buffers, before);
    }
    cb_buffered_kernel_close(&probe);
    cb_programs_free(&s);
    assert_int_equal(made_up_buffers, before);
    clReleaseCommandQueue(s.queue);
}
