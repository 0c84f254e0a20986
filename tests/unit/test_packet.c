/* SPDX-License-Identifier: Apache-2.0
 *
 * Launch packets: arguments lie where a structure has them; what does not fit is refused.
 */
#include <string.h>

#include "runtime/coop/packet.h"
#include "tests/unit/unit.h"

static const size_t one[3] = {1, 1, 1};

static struct cb_packet begun(void)
{
    struct cb_packet packet;
    struct cb_err err;
    assert_int_equal(cb_packet_begin(&packet, 7, 1, NULL, one, one, 1, &err), CB_OK);
    return packet;
}

TEST(arguments_lie_as_in_a_structure)
{
    struct arguments {
        uint8_t a;
        uint64_t b;
        float c;
        double d __attribute__((aligned(16)));
        uint16_t e;
        uint64_t f;
    } got;
    struct cb_packet p = begun();
    struct cb_err err;
    const uint8_t a = 1;
    const float c = 3;
    const double d = 4;
    const uint16_t e = 5;
    assert_int_equal(cb_packet_value(&p, &a, sizeof a, 1, &err), CB_OK);
    assert_int_equal(cb_packet_buffer(&p, 2, &err), CB_OK);
    assert_int_equal(cb_packet_value(&p, &c, sizeof c, 4, &err), CB_OK);
    assert_int_equal(cb_packet_value(&p, &d, sizeof d, 16, &err), CB_OK);
    assert_int_equal(cb_packet_value(&p, &e, sizeof e, 2, &err), CB_OK);
    assert_int_equal(cb_packet_local(&p, 100, &err), CB_OK);
    memcpy(&got, p.u.bytes + sizeof p.u.head, sizeof got);
    assert_int_equal(got.a, 1);
    assert_int_equal(got.b, 2);
    assert_true(got.c == 3 && got.d == 4);
    assert_int_equal(got.e, 5);
    assert_int_equal(got.f, 0);
    assert_int_equal(p.size, sizeof p.u.head + offsetof(struct arguments, f) + 8);
}

TEST(local_memory_is_shared_out)
{
    uint64_t at[2];
    struct cb_packet p = begun();
    struct cb_err err;
    assert_int_equal(cb_packet_local(&p, 4, &err), CB_OK);
    assert_int_equal(cb_packet_local(&p, 200, &err), CB_OK);
    memcpy(at, p.u.bytes + sizeof p.u.head, sizeof at);
    assert_int_equal(at[0], 0);
    assert_int_equal(at[1], 128);
    assert_int_equal(p.local_size, 384);
    assert_int_equal(cb_packet_local(&p, TASK_LOCAL_BYTES - 384, &err), CB_OK);
    assert_int_equal(cb_packet_local(&p, 1, &err), CB_USAGE);
    assert_non_null(strstr(err.text, "16384 bytes"));
    p = begun();
    assert_int_equal(cb_packet_local(&p, SIZE_MAX, &err), CB_USAGE);
}

TEST(arguments_end)
{
    static const unsigned char zeros[TASK_ARGUMENT_END];
    struct cb_packet p = begun();
    struct cb_err err;
    assert_int_equal(cb_packet_value(&p, zeros, sizeof zeros, 1, &err), CB_OK);
    assert_int_equal(cb_packet_value(&p, zeros, 1, 1, &err), CB_USAGE);
    assert_int_equal(p.size, sizeof p.u.bytes);
    p = begun();
    assert_int_equal(cb_packet_value(&p, zeros, sizeof zeros - 7, 1, &err), CB_OK);
    assert_int_equal(cb_packet_value(&p, zeros, 1, 128, &err), CB_USAGE);
}

TEST(ranges_are_checked)
{
    static const struct {
        unsigned dimensions;
        size_t global[3], local[3], most;
        const char *text; /* NULL: right */
    } rows[] = {
        {3, {6, 4, 10}, {3, 2, 5}, 30, NULL},
        {0, {1}, {1}, 1, "one to three dimensions, not 0"},
        {4, {1}, {1}, 1, "not 4"},
        {1, {10}, {3}, 64, "10 work-items are no workgroups of 3"},
        {1, {0}, {1}, 64, "dimension 0"},
        {2, {4, 4}, {4, 0}, 64, "dimension 1"},
        {3, {6, 4, 10}, {3, 2, 5}, 29, "30 work-items, more than the 29"},
        {2, {(size_t)1 << 17, (size_t)1 << 15}, {1, 1}, 64, "4294967296 workgroups"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cb_packet p;
        struct cb_err err;
        enum cb_status status = cb_packet_begin(&p, 0, rows[i].dimensions, NULL, rows[i].global,
                                                rows[i].local, rows[i].most, &err);
        assert_int_equal(status, rows[i].text ? CB_USAGE : CB_OK);
        if (rows[i].text && !strstr(err.text, rows[i].text))
            fail_msg("row %zu: %s", i, err.text);
    }
}

TEST(a_range_is_told)
{
    static const size_t offset[] = {5, 6}, global[] = {12, 20}, local[] = {3, 5};
    struct cb_packet p;
    struct cb_err err;
    assert_int_equal(cb_packet_begin(&p, 9, 2, offset, global, local, 64, &err), CB_OK);
    const task_packet expected = {
        .number = 9, .dimensions = 2, .groups = {4, 4, 1}, .items = {3, 5, 1}, .offset = {5, 6, 0}};
    assert_memory_equal(&p.u.head, &expected, sizeof expected);
}
