/* SPDX-License-Identifier: Apache-2.0
 *
 * Setups of users' kernels: types, what buffers begin with, and values. tests/cli/test_user_app.sh
 * has what is refused.
 */
#include <math.h>
#include <string.h>

#include "setup_node.h"

TEST(numbers_are_read_as_their_type)
{
    static const struct {
        const char *type, *text, *printed; /* printed NULL: it is none */
    } rows[] = {
        {"u1", "255", "255"},
        {"u1", "256", NULL},
        {"u1", "-1", NULL},
        {"i1", "-128", "-128"},
        {"i1", "128", NULL},
        {"i1", "-129", NULL},
        {"u2", "0xffff", "65535"},
        {"i4", "-2147483648", "-2147483648"},
        {"i4", "2147483648", NULL},
        {"u4", "4294967295", "4294967295"},
        {"u4", "4294967296", NULL},
        {"i8", "-9223372036854775808", "-9223372036854775808"},
        {"i8", "9223372036854775808", NULL},
        {"u8", "18446744073709551615", "18446744073709551615"},
        {"u8", "18446744073709551616", NULL},
        {"f4", "0.1", "0.100000001"},
        {"f8", "1e-400", "0"},
        {"f8", "x", NULL},
        {"f2", "65504", "65504"},
        {"f2", "65505", NULL},
        {"f2", "-inf", "-inf"},
        {"f2", "0.1", "0.0999755859"},
        {"b1", "true", "1"},
        {"b1", "false", "0"},
        {"b1", "1", "1"},
        {"b1", "2", NULL},
        {"i4", "", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cb_layout layout = layout_of(rows[i].type);
        const struct cb_element e = layout.members[0].element;
        unsigned char bytes[8] = {0};
        char *end, text[CB_ELEMENT_TEXT];
        cb_layout_free(&layout);
        bool is_one = cb_element_parse(&e, rows[i].text, &end, bytes);
        if (is_one != (rows[i].printed != NULL))
            fail_msg("%s \"%s\": %d", rows[i].type, rows[i].text, is_one);
        if (!is_one)
            continue;
        cb_element_print(&e, bytes, text);
        assert_string_equal(text, rows[i].printed);
    }
}

/* Against numbers that IEEE 754 gives: the nearest, and of two the even one. */
TEST(halves_are_rounded)
{
    static const struct {
        double value;
        uint16_t bits;
        double is;
    } rows[] = {
        {0, 0, 0},
        {1, 0x3c00, 1},
        {-2, 0xc000, -2},
        {1 + 1.0 / 2048, 0x3c00, 1},                /* between two: the even one */
        {1 + 3.0 / 2048, 0x3c02, 1 + 2.0 / 1024},   /* as well */
        {1 + 1.001 / 2048, 0x3c01, 1 + 1.0 / 1024}, /* just above */
        {1.9999, 0x4000, 2},                        /* carries */
        {65504, 0x7bff, 65504},
        {65519, 0x7bff, 65504},
        {0x1p-14, 0x0400, 0x1p-14},
        {0x1p-24, 0x0001, 0x1p-24},
        {0x1p-25, 0x0000, 0},
        {0x1.8p-24, 0x0002, 0x1p-23},
        {0x1.ffep-15, 0x0400, 0x1p-14},
        {3 * 0x1p-16, 0x0300, 3 * 0x1p-16},
    };
    const struct cb_element half = {'f', 2, 1};
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        uint16_t bits = 0;
        cb_element_put(&half, (unsigned char *)&bits, rows[i].value);
        if (bits != rows[i].bits || cb_element_number(&half, (unsigned char *)&bits) != rows[i].is)
            fail_msg("%.17g: %04x, %.9g", rows[i].value, bits,
                     cb_element_number(&half, (unsigned char *)&bits));
    }
    uint16_t bits;
    cb_element_put(&half, (unsigned char *)&bits, 65520);
    assert_int_equal(bits, 0x7c00);
    cb_element_put(&half, (unsigned char *)&bits, (double)-INFINITY);
    assert_int_equal(bits, 0xfc00);
    cb_element_put(&half, (unsigned char *)&bits, (double)NAN);
    assert_true(isnan(cb_element_number(&half, (unsigned char *)&bits)));
}

/* ---- How buffers and values begin ------------------------------------------------------------ */

/* typedef union { uint word; ushort halves[2]; } either; */
static const struct cb_layout_member either_members[] = {
    {.name = "word", .element = {'u', 4, 1}, .count = 1, .is_shared = true},
    {.name = "halves", .element = {'u', 2, 1}, .count = 2, .is_shared = true, .is_again = true},
};

static struct cb_layout either(void)
{
    return record_of(4, either_members, CB_COUNTOF(either_members));
}

static struct cb_setup filled(const char *type, const char *value, void *to)
{
    struct cb_setup setup = setup_of(layout_of(type), CB_GLOBAL, value);
    cb_setup_fill(&setup.arguments[0], to);
    return setup;
}

TEST(buffers_begin_as_they_are_told)
{
    uint16_t shorts[4];
    float floats[1000], again[1000];
    int8_t chars[1000];
    struct cb_setup s = filled("u2x2", "{\"count\": 2, \"fill\": \"iota\"}", shorts);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(shorts[i], i);
    cb_setup_free(&s);
    s = filled("u2x2", "{\"count\": 2}", shorts);
    assert_int_equal(shorts[3], 0);
    cb_setup_free(&s);

    s = filled("f4", "{\"count\": 1000, \"fill\": \"random\", \"seed\": 3, \"below\": 10}", floats);
    cb_setup_fill(&s.arguments[0], again);
    cb_setup_free(&s);
    assert_memory_equal(floats, again, sizeof floats);
    double sum = 0;
    for (unsigned i = 0; i < 1000; i++) {
        assert_true(floats[i] >= 0 && floats[i] < 10);
        sum += floats[i];
    }
    assert_true(sum > 4500 && sum < 5500); /* of this seed, on every machine */
    s = filled("f4", "{\"count\": 1000, \"fill\": \"random\", \"seed\": 4, \"below\": 10}", again);
    cb_setup_free(&s);
    assert_true(memcmp(floats, again, sizeof floats) != 0);

    s = filled("i1", "{\"count\": 1000, \"fill\": \"random\", \"below\": 10}", chars);
    cb_setup_free(&s);
    unsigned seen = 0;
    for (unsigned i = 0; i < 1000; i++) {
        assert_true(chars[i] >= 0 && chars[i] < 10);
        seen |= 1u << chars[i];
    }
    assert_int_equal(seen, 0x3ff);
}

/* Never what they have to be below, though it is the nearest of most numbers close to it. */
TEST(random_halves_and_truths_are_in_range)
{
    static uint16_t halves[20000];
    uint8_t truths[64];
    const struct cb_element half = {'f', 2, 1};
    double most = 0;
    struct cb_setup s = filled("f2", "{\"count\": 20000, \"fill\": \"random\"}", halves);
    cb_setup_free(&s);
    for (size_t i = 0; i < CB_COUNTOF(halves); i++)
        most = fmax(most, cb_element_number(&half, (unsigned char *)&halves[i]));
    assert_true(most > 0.99 && most < 1);
    s = filled("b1", "{\"count\": 64, \"fill\": \"random\"}", truths);
    cb_setup_free(&s);
    unsigned seen = 0;
    for (size_t i = 0; i < sizeof truths; i++)
        seen |= 1u << truths[i];
    assert_int_equal(seen, 3);
}

TEST(structures_begin_as_their_members)
{
    struct node nodes[3];
    struct cb_setup s = setup_of(
        node(), CB_GLOBAL,
        "{\"count\": 3, \"fill\": \"iota\", \"members\": {\"is_root\": true, \"starting\": "
        "{\"fill\": \"iota\"}, \"edges\": [-1, 2, -3]}}");
    memset(nodes, 0xff, sizeof nodes);
    cb_setup_fill(&s.arguments[0], nodes);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(nodes[i].is_root, 1);
        assert_int_equal(nodes[i].starting, i);
        for (int c = 0; c < 3; c++) /* the structure has eight numbers, these after two others */
            assert_true(nodes[i].at[c] == (float)(8 * i + 2 + c));
        assert_int_equal(nodes[i].edges[0], -1);
        assert_int_equal(nodes[i].edges[1], 2);
        assert_int_equal(nodes[i].edges[2], -3);
        assert_int_equal(nodes[i].pad1[1], 0);
        assert_true(nodes[i].at[3] == 0);
    }
    cb_setup_free(&s);
    s = setup_of(node(), CB_GLOBAL,
                 "{\"count\": 3, \"members\": {\"starting\": {\"fill\": \"random\", \"below\": 5, "
                 "\"seed\": 9}, \"edges\": 7}}");
    cb_setup_fill(&s.arguments[0], nodes);
    assert_true(nodes[0].starting >= 0 && nodes[0].starting < 5);
    assert_int_equal(nodes[2].edges[2], 7);
    assert_int_equal(nodes[2].is_root, 0);
    cb_setup_free(&s);
}

TEST(values_have_all_components)
{
    struct cb_setup s = setup_of(layout_of("i4x4"), CB_BY_VALUE, "-7");
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(((int32_t *)(void *)s.arguments[0].begin)[i], -7);
    cb_setup_free(&s);
    s = setup_of(layout_of("i4x3"), CB_BY_VALUE, "[1, -2, 3]");
    assert_int_equal(s.arguments[0].bytes, 16);
    assert_memory_equal(s.arguments[0].begin, ((int32_t[]){1, -2, 3, 0}), 16);
    cb_setup_free(&s);
    s = setup_of(layout_of("f8"), CB_BY_VALUE, "0.1");
    assert_memory_equal(s.arguments[0].begin, &(double){0.1}, 8);
    cb_setup_free(&s);
    s = setup_of(node(), CB_BY_VALUE, "{\"members\": {\"starting\": -5, \"at\": [1, 2, 3]}}");
    assert_int_equal(s.arguments[0].bytes, NODE_BYTES);
    assert_memory_equal(s.arguments[0].begin, (&(struct node){.starting = -5, .at = {1, 2, 3}}),
                        NODE_BYTES);
    cb_setup_free(&s);
}

TEST(members_of_a_union)
{
    uint32_t words[2];
    struct cb_setup s =
        setup_of(either(), CB_GLOBAL, "{\"count\": 2, \"fill\": \"iota\"}"); /* its first */
    cb_setup_fill(&s.arguments[0], words);
    assert_int_equal(words[1], 1);
    cb_setup_free(&s);
    s = setup_of(either(), CB_GLOBAL,
                 "{\"count\": 2, \"fill\": \"iota\", \"members\": {\"halves\": [1, 2]}}");
    cb_setup_fill(&s.arguments[0], words);
    assert_int_equal(words[0], 0x20001);
    assert_int_equal(words[1], 0x20001);
    cb_setup_free(&s);
    static const struct cb_layout_member low[] = {
        {.name = "word", .element = {'u', 4, 1}, .count = 1, .is_shared = true},
        {.name = "low", .element = {'u', 2, 1}, .count = 1, .is_shared = true, .is_again = true},
    };
    s = setup_of(record_of(4, low, CB_COUNTOF(low)), CB_GLOBAL,
                 "{\"count\": 2, \"fill\": \"random\", \"members\": {\"low\": 1}}");
    cb_setup_fill(&s.arguments[0], words); /* nothing of the one that is not given */
    assert_int_equal(words[1], 1);
    cb_setup_free(&s);
    refuses(either(), CB_BY_VALUE, "{\"members\": {\"halves\": 1, \"word\": 1}}",
            "word and halves lie at the same place");
}

/* Whatever a part begins and ends with: structures lie across pages. */
TEST(parts_of_buffers)
{
    unsigned char whole[6 * NODE_BYTES], part[6 * NODE_BYTES];
    struct cb_setup s = setup_of(node(), CB_GLOBAL,
                                 "{\"count\": 4, \"fill\": \"random\", \"members\": {\"starting\": "
                                 "{\"fill\": \"iota\"}, \"edges\": [1, 2, 3]}}");
    cb_setup_fill_part(&s.arguments[0], 0, whole, sizeof whole);
    assert_memory_equal(whole + 4, ((int32_t[]){0}), 4);
    assert_memory_equal(whole + 5 * NODE_BYTES + 4, ((int32_t[]){5}), 4);
    assert_memory_equal(whole + 5 * NODE_BYTES + 32, ((int16_t[]){1, 2, 3}), 6);
    assert_memory_not_equal(whole + 16, whole + NODE_BYTES + 16, 4); /* random ones */
    for (size_t cut = 0; cut <= sizeof whole; cut++) {
        cb_setup_fill_part(&s.arguments[0], 0, part, cut);
        cb_setup_fill_part(&s.arguments[0], (int64_t)cut, part + cut, sizeof part - cut);
        if (memcmp(part, whole, sizeof whole) != 0)
            fail_msg("cut at byte %zu", cut);
    }
    cb_setup_fill_part(&s.arguments[0], -10, part, 20);
    assert_memory_equal(part, ((unsigned char[10]){0}), 10);
    assert_memory_equal(part + 10, whole, 10);
    cb_setup_free(&s);
}

TEST(what_is_refused)
{
    refuses(layout_of("i4x3"), CB_BY_VALUE, "[1, 2]", "expected a list of 3 numbers");
    refuses(layout_of("i4"), CB_BY_VALUE, "[1]", "is a value: expected a number");
    refuses(layout_of("i1"), CB_BY_VALUE, "200", "from -128 to 127");
    refuses(layout_of("u4"), CB_GLOBAL, "{\"count\": 1, \"members\": {}}", "it is no structure");
    refuses(node(), CB_BY_VALUE, "5", "is a structure");
    refuses(node(), CB_BY_VALUE, "{\"members\": {\"start\": 1}}", "\"start\" is not known here");
    refuses(node(), CB_BY_VALUE, "{\"members\": {\"is_root\": 2}}", "from 0 to 1");
    refuses(node(), CB_BY_VALUE, "{\"members\": {\"edges\": [1, 2]}}", "a list of 3");
    refuses(node(), CB_BY_VALUE, "{\"members\": {\"edges\": 40000}}",
            "p: edges: expected a whole number from -32768 to 32767");
    refuses(node(), CB_GLOBAL, "{\"count\": 1, \"members\": {\"at\": {\"fil\": 1}}}", "\"fil\"");
    refuses((struct cb_layout){.trouble = strdup("its member next is a pointer")}, CB_GLOBAL,
            "{\"count\": 1}", "the kernel says \"T\": its member next is a pointer");
    /* a task's launch packet */
    refuses(layout_of("f4"), CB_LOCAL, "{\"count\": 4097}",
            "p: the local memory that a task's arguments ask for is more than 16384 bytes");
    refuses(
        record_of(5000,
                  (struct cb_layout_member[]){{.name = "a", .element = {'u', 1, 1}, .count = 5000}},
                  1),
        CB_BY_VALUE, "{\"members\": {\"a\": 1}}", "at most 4096 bytes");
    struct cb_setup s = setup_of(layout_of("f4"), CB_LOCAL, "{\"count\": 4096}");
    cb_setup_free(&s);
}

/* ---- A first setup --------------------------------------------------------------------------- */

/* Of a kernel that nobody can try: what it compares ids with, and names, tell of sizes. */
TEST(first_values)
{
    struct cb_merge_parameter parameters[] = {
        {"global float *", "in", -1, CB_GLOBAL, layout_of("f4")},
        {"float", "factor", -1, CB_BY_VALUE, layout_of("f4")},
        {"uint", "limit", 1, CB_BY_VALUE, layout_of("u4")},
        {"int", "imageWidth", -1, CB_BY_VALUE, layout_of("i4")},
        {"int", "nRows", -1, CB_BY_VALUE, layout_of("i4")},
        {"int", "n", -1, CB_BY_VALUE, layout_of("i4")},
        {"ulong", "radius", -1, CB_BY_VALUE, layout_of("u8")},
        {"global node *", "nodes", -1, CB_GLOBAL, node()},
        {"node", "size", -1, CB_BY_VALUE, node()}};
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
    for (size_t i = 1; i < CB_COUNTOF(values); i++)
        assert_true(cJSON_GetObjectItem(arguments, parameters[i].name)->valuedouble == values[i]);
    assert_true(cJSON_GetObjectItem(cJSON_GetObjectItem(arguments, "in"), "count")->valuedouble ==
                4096);
    const cJSON *members = cJSON_GetObjectItem(cJSON_GetObjectItem(arguments, "nodes"), "members");
    assert_int_equal(cJSON_GetArraySize(members), CB_COUNTOF(node_members));
    assert_non_null(cJSON_GetObjectItem(cJSON_GetObjectItem(members, "edges"), "fill"));
    members = cJSON_GetObjectItem(cJSON_GetObjectItem(arguments, "size"), "members");
    assert_true(cJSON_GetObjectItem(members, "is_root")->valuedouble == 1);
    cJSON_Delete(setup);
    for (size_t i = 0; i < CB_COUNTOF(parameters); i++)
        cb_layout_free(&parameters[i].layout);
}
