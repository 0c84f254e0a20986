/* SPDX-License-Identifier: Apache-2.0
 *
 * The inputs of dmr: generators, files, and what is refused.
 */
#include "temp_folder.h"
#include "tests/unit/unit.h"

#include "apps/dmr/points.h"
#include "runtime/cl.h"

static uint32_t make(const char *spec, struct cb_dmr_point **points)
{
    uint32_t n;
    struct cb_err err;
    if (cb_dmr_points(spec, points, &n, &err) != CB_OK)
        fail_msg("%s: %s", spec, err.text);
    return n;
}

/* The points are in the square's interior, all different, and the same from the same spec. */
TEST(generators)
{
    static const char *const specs[] = {"1000",     "1000:uniform:2", "1000:clustered",
                                        "900:line", "900:line:8",     "1000:grid"};
    for (size_t s = 0; s < CB_COUNTOF(specs); s++) {
        struct cb_dmr_point *points, *again;
        uint32_t n = make(specs[s], &points);
        assert_in_range(n, 890, 1000);
        assert_int_equal(make(specs[s], &again), n);
        assert_memory_equal(points, again, n * sizeof *points);
        for (uint32_t i = 0; i < n; i++) {
            assert_in_range(points[i].x, 1, DMR_SIDE - 1);
            assert_in_range(points[i].y, 1, DMR_SIDE - 1);
            if (i > 0)
                assert_memory_not_equal(&points[i], &points[i - 1], sizeof *points);
        }
        free(points);
        free(again);
    }
}

TEST(seeds)
{
    struct cb_dmr_point *default_seed, *one, *two;
    make("100", &default_seed);
    make("100:uniform:1", &one);
    make("100:2", &two);
    assert_memory_equal(default_seed, one, 100 * sizeof *one);
    assert_memory_not_equal(one, two, 100 * sizeof *one);
    free(default_seed);
    free(one);
    free(two);
}

TEST(draw)
{
    struct cb_random random = {1};
    for (int i = 0; i < 100; i++) {
        char spec[64];
        struct cb_dmr_point *points;
        cb_dmr_draw(&random, spec, sizeof spec);
        make(spec, &points);
        free(points);
    }
}

TEST_WITH(file, make_folder, remove_folder)
{
    struct cb_dmr_point *points;
    const char *path = write_text("points", "# x y\n-1.5e0 2\n\n\t0.5 +2 \r\n-1.5 3.0\n-0.5 2.5");
    assert_int_equal(make(path, &points), 4);
    int32_t left = points[0].x, width = points[3].x - left;
    assert_int_equal(points[0].y, left);
    assert_int_equal(points[1].y, left + width / 2);
    assert_int_equal(points[2].x, left + width / 2);
    assert_int_equal(points[2].y, left + width / 4);
    assert_int_equal(points[3].y, left);
    free(points);
    assert_int_equal(make(write_text("huge", "-1.7e308 0\n1.7e308 0\n0 1.7e308\n"), &points), 3);
    free(points);
    assert_int_equal(make(write_text("tiny", "0 0\n3e-300 0\n0 3e-300\n"), &points), 3);
    free(points);
}

static void refuse(const char *spec, const char *why)
{
    struct cb_dmr_point *points = NULL;
    uint32_t n;
    struct cb_err err = {0};
    assert_int_equal(cb_dmr_points(spec, &points, &n, &err), CB_USAGE);
    if (!strstr(err.text, why) || strchr(err.text, '\n'))
        fail_msg("%s: \"%s\" instead of \"%s\"", spec, err.text, why);
    assert_null(points);
}

TEST(refused_generators)
{
    static const char *const wrong[] = {
        "",           "2",    "0:line", "5:",          "5:x",          "5:line:",  "5:line:x",
        "5:line:1:2", "5::1", "5:-1",   "5:uniformly", "5:4294967296", "16777217", "no such file"};
    for (size_t i = 0; i < CB_COUNTOF(wrong); i++)
        refuse(wrong[i], "dmr: expected POINTS[");
}

TEST_WITH(refused_files, make_folder, remove_folder)
{
    static const struct {
        const char *text, *why;
    } wrong[] = {
        {"", ": expected at least 3 points, got 0"},
        {"1 2\n3 4\n", ": expected at least 3 points, got 2"},
        {"1 2\n3 4\n1 2\n5 5\n", ": points 1 and 3 are at one place"},
        {"0 0\n3 9\n1 3\n2 6\n", ": all points are on one line"},
        {"0 0\n0 9\n0 3\n", ": all points are on one line"},
        {"0 0\nnan 9\n0 3\n", ":2: x: expected a number, got \"nan\""},
        {"0 0\n1 inf\n0 3\n", ":2: y: expected a number, got \"inf\""},
        {"0 0\n1 1e999\n0 3\n", ":2: y: expected a number"},
        {"0 0\n1 0x10\n0 3\n", ":2: y: expected a number"},
        {"0 0\n1\n0 3\n", ":2: y: expected a number, got the end of \"1\""},
        {"0 0\n1 2 3\n0 3\n", ":2: expected the end of the line after \"X Y\", got \"3\""},
        {"0 0\n1,2\n0 3\n", ":2: x: expected a number"},
        {"\x7f"
         "ELF\x02\x01",
         ":1: x: expected a number"},
    };
    for (size_t i = 0; i < CB_COUNTOF(wrong); i++)
        refuse(write_text("points", wrong[i].text), wrong[i].why);
    refuse(write_bytes("zeroes", "\0\0\0", 3), ":1: x: expected a number");
    refuse(folder, "Is a directory");
    refuse("/dev/null", "it is not a regular file");
}
