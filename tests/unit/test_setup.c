/* SPDX-License-Identifier: Apache-2.0
 *
 * Setups of users' kernels: types, what buffers begin with, and values. tests/cli/test_user_app.sh
 * has what is refused.
 */
#include <string.h>

#include "apps/host/setup.h"
#include "tests/unit/unit.h"

TEST(types_are_understood)
{
    static const struct {
        const char *type;
        char kind; /* 0: not understood */
        size_t size;
        unsigned width;
        bool is_pointer;
    } rows[] = {
        {"uint", 'u', 4, 1, false},
        {"const global uint4 *restrict", 'u', 4, 4, true},
        {"volatile __global uchar*", 'u', 1, 1, true},
        {"global const double16 *", 'f', 8, 16, true},
        {"float const", 'f', 4, 1, false},
        {"long", 'i', 8, 1, false},
        {"ushort2", 'u', 2, 2, false},
        {"global unsigned int *", 'u', 4, 1, true},
        {"unsigned", 'u', 4, 1, false},
        {"unsigned long", 'u', 8, 1, false},
        {"float3", 0, 0, 0, false},
        {"uint5", 0, 0, 0, false},
        {"uint16x", 0, 0, 0, false},
        {"uint *global *", 0, 0, 0, false},
        {"local float *", 'f', 4, 1, true},
        {"struct s", 0, 0, 0, false},
        {"uint float", 0, 0, 0, false},
        {"bool", 0, 0, 0, false},
        {"global", 0, 0, 0, false},
        {"", 0, 0, 0, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cb_element e = {0};
        bool is_pointer = false;
        bool understood = cb_element_read(rows[i].type, &e, &is_pointer);
        if (understood != (rows[i].kind != 0))
            fail_msg("\"%s\": %d", rows[i].type, understood);
        if (understood && (e.kind != rows[i].kind || e.size != rows[i].size ||
                           e.width != rows[i].width || is_pointer != rows[i].is_pointer))
            fail_msg("\"%s\": %c of %zu bytes, %u wide", rows[i].type, e.kind, e.size, e.width);
    }
}

TEST(local_memory_is_known)
{
    assert_true(cb_element_is_local("local float *"));
    assert_true(cb_element_is_local("__local uint4 *"));
    assert_true(cb_element_is_local("volatile local uint *"));
    assert_false(cb_element_is_local("global float *"));
    assert_false(cb_element_is_local("global nonlocal *"));
}

TEST(numbers_are_read_as_their_type)
{
    static const struct {
        const char *type, *text, *printed; /* printed NULL: it is none */
    } rows[] = {
        {"uchar", "255", "255"},
        {"uchar", "256", NULL},
        {"uchar", "-1", NULL},
        {"char", "-128", "-128"},
        {"char", "128", NULL},
        {"char", "-129", NULL},
        {"ushort", "0xffff", "65535"},
        {"int", "-2147483648", "-2147483648"},
        {"int", "2147483648", NULL},
        {"uint", "4294967295", "4294967295"},
        {"uint", "4294967296", NULL},
        {"long", "-9223372036854775808", "-9223372036854775808"},
        {"long", "9223372036854775808", NULL},
        {"ulong", "18446744073709551615", "18446744073709551615"},
        {"ulong", "18446744073709551616", NULL},
        {"float", "0.1", "0.100000001"},
        {"double", "1e-400", "0"},
        {"double", "x", NULL},
        {"int", "", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cb_element e;
        bool is_pointer;
        unsigned char bytes[8] = {0};
        char *end, text[CB_ELEMENT_TEXT];
        assert_true(cb_element_read(rows[i].type, &e, &is_pointer));
        bool is_one = cb_element_parse(&e, rows[i].text, &end, bytes);
        if (is_one != (rows[i].printed != NULL))
            fail_msg("%s \"%s\": %d", rows[i].type, rows[i].text, is_one);
        if (!is_one)
            continue;
        cb_element_print(&e, bytes, text);
        assert_string_equal(text, rows[i].printed);
    }
}

static struct cb_setup_argument buffer_of(const char *type, size_t bytes, enum cb_setup_fill fill)
{
    struct cb_setup_argument a = {.bytes = bytes, .fill = fill, .seed = 3, .below = 10};
    assert_true(cb_element_read(type, &a.element, &a.is_pointer));
    return a;
}

TEST(buffers_begin_as_they_are_told)
{
    uint16_t shorts[4];
    float floats[1000], again[1000];
    int8_t chars[1000];
    struct cb_setup_argument a = buffer_of("global ushort2 *", sizeof shorts, CB_FILL_IOTA);
    cb_setup_fill(&a, shorts);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(shorts[i], i);
    a.fill = CB_FILL_ZERO;
    cb_setup_fill(&a, shorts);
    assert_int_equal(shorts[3], 0);

    a = buffer_of("global float *", sizeof floats, CB_FILL_RANDOM);
    cb_setup_fill(&a, floats);
    cb_setup_fill(&a, again);
    assert_memory_equal(floats, again, sizeof floats);
    double sum = 0;
    for (unsigned i = 0; i < 1000; i++) {
        assert_true(floats[i] >= 0 && floats[i] < 10);
        sum += floats[i];
    }
    assert_true(sum > 4500 && sum < 5500); /* of this seed, on every machine */
    a.seed = 4;
    cb_setup_fill(&a, again);
    assert_true(memcmp(floats, again, sizeof floats) != 0);

    a = buffer_of("global char *", sizeof chars, CB_FILL_RANDOM);
    cb_setup_fill(&a, chars);
    unsigned seen = 0;
    for (unsigned i = 0; i < 1000; i++) {
        assert_true(chars[i] >= 0 && chars[i] < 10);
        seen |= 1u << chars[i];
    }
    assert_int_equal(seen, 0x3ff);
}

TEST(values_have_all_components)
{
    unsigned char to[128];
    struct cb_setup_argument a = buffer_of("int4", 16, CB_FILL_ZERO);
    a.value = -7;
    assert_int_equal(cb_setup_value(&a, to), 16);
    for (unsigned i = 0; i < 4; i++) {
        int32_t component;
        memcpy(&component, to + 4 * i, sizeof component);
        assert_int_equal(component, -7);
    }
    double number;
    a = buffer_of("double", 8, CB_FILL_ZERO);
    a.value = 0.1;
    assert_int_equal(cb_setup_value(&a, to), 8);
    memcpy(&number, to, sizeof number);
    assert_true(number == 0.1);
    uint64_t large;
    a = buffer_of("ulong", 8, CB_FILL_ZERO);
    a.value = 1e19;
    cb_setup_value(&a, to);
    memcpy(&large, to, sizeof large);
    assert_true(large == 10000000000000000000u);
}

/* Of a kernel that nobody can try: what it compares ids with, and names, tell of sizes. */
TEST(first_values)
{
    static struct cb_merge_parameter parameters[] = {
        {"global float *", "in", -1}, {"float", "factor", -1}, {"uint", "limit", 1},
        {"int", "imageWidth", -1},    {"int", "nRows", -1},    {"int", "n", -1},
        {"ulong", "radius", -1}};
    static const double values[] = {0, 1, 64, 64, 64, 64, 16};
    struct cb_err err;
    struct cb_first told;
    const struct cb_merge_source source = {.path = "k.cl"};
    const struct cb_merge_kernel kernel = {.parameters = parameters,
                                           .n_parameters = CB_COUNTOF(parameters),
                                           .dimensions = 2,
                                           .submits = true};
    cJSON *setup = cJSON_CreateObject(), *arguments;
    assert_int_equal(cb_setup_first(&source, &kernel, setup, &told, &err), CB_OK);
    assert_false(told.is_tried);
    arguments = cJSON_GetObjectItem(setup, "arguments");
    for (size_t i = 1; i < CB_COUNTOF(parameters); i++)
        assert_true(cJSON_GetObjectItem(arguments, parameters[i].name)->valuedouble == values[i]);
    assert_true(cJSON_GetObjectItem(cJSON_GetObjectItem(arguments, "in"), "count")->valuedouble ==
                4096);
    cJSON_Delete(setup);
}
