/* SPDX-License-Identifier: Apache-2.0
 *
 * Files that the buffers of setups begin with, and the check of what is in buffers in the end.
 */
#include <math.h>
#include <string.h>

#include "setup_node.h"

/* ---- Files ----------------------------------------------------------------------------------- */

static enum cb_status load(struct cb_layout layout, const char *ending, const void *bytes, size_t n,
                           unsigned char **data, size_t *size, struct cb_err *err)
{
    char path[64] = "/tmp/coopbench-data-XXXXXX";
    strcat(path, ending);
    write_data(path, bytes, n);
    const enum cb_status status = cb_setup_load(path, &layout, data, size, err);
    unlink(path);
    cb_layout_free(&layout);
    return status;
}

static enum cb_status load_npy(struct cb_layout layout, const char *descr, const char *shape,
                               const void *bytes, size_t n, unsigned char **data, size_t *size,
                               struct cb_err *err)
{
    unsigned char file[512] = "\x93NUMPY\x01";
    const int length =
        snprintf((char *)file + 10, 300, "{'descr': %s, 'fortran_order': False, 'shape': %s, }\n",
                 descr, shape);
    file[8] = (unsigned char)length;
    memcpy(file + 10 + length, bytes, n);
    return load(layout, ".npy", file, 10 + (size_t)length + n, data, size, err);
}

TEST(files_of_structures)
{
    static const char text[] = "1 -2 .5 1.5 2.5 7 8 -9\ntrue 3 0 0 0 0 0 0\n";
    struct node nodes[2] = {{.is_root = 1, .starting = -2, .at = {.5, 1.5, 2.5}},
                            {.is_root = 1, .starting = 3}};
    struct cb_err err;
    unsigned char *data;
    size_t size;
    memcpy(nodes[0].edges, ((int16_t[]){7, 8, -9}), 6);
    assert_int_equal(load(node(), ".txt", text, strlen(text), &data, &size, &err), CB_OK);
    assert_int_equal(size, sizeof nodes);
    assert_memory_equal(data, nodes, sizeof nodes);
    free(data);
    assert_int_equal(load(node(), ".txt", text, 10, &data, &size, &err), CB_USAGE);
    assert_int_equal(load(node(), ".bin", nodes, sizeof nodes, &data, &size, &err), CB_OK);
    assert_memory_equal(data, nodes, sizeof nodes);
    free(data);
    assert_int_equal(load(node(), ".bin", nodes, NODE_BYTES + 1, &data, &size, &err), CB_USAGE);
    assert_int_equal(load_npy(node(), "[('is_root', '|b1'), ('', '|V47')]", "(2,)", nodes,
                              sizeof nodes, &data, &size, &err),
                     CB_OK);
    assert_memory_equal(data, nodes, sizeof nodes);
    free(data);
    assert_int_equal(load_npy(node(), "[('is_root', '|b1'), ('', '|V31')]", "(3,)", nodes,
                              sizeof nodes, &data, &size, &err),
                     CB_USAGE);
    assert_non_null(strstr(err.text, "its structures have 32 bytes, the kernel's 48"));
}

/* The fields of NumPy's structures are the kernel's members, whatever they are called. */
TEST(fields_of_structures)
{
    static const struct {
        const char *descr, *wrong; /* wrong: NULL: it is right */
    } rows[] = {
        {"[('r', '|b1'), ('', '|V3'), ('s', '<i4'), ('', '|V8'), ('at', '<f4', (3,)), ('', '|V4'), "
         "('e', '<i2', (3, 1)), ('', '|V10')]",
         NULL},
        {"[(('a root', 'r'), '|b1'), ('', '|V3'), ('s', '<i4'), ('', '|V8'), ('at', [('x', '<f4'), "
         "('yz', '<f4', (2,)), ('w', '<f4')]), ('e', [('e', '<i2')], (3,)), ('', '|V10')]",
         NULL},
        {"'|V48'", NULL},
        {"[('r', '|b1'), ('', '|V3'), ('s', '<f4'), ('', '|V40')]",
         "byte 4 of its structures begins a <f4, where the kernel's starting is <i4"},
        {"[('r', '|b1'), ('', '|V3'), ('s', '>i4'), ('', '|V40')]", "begins a >i4"},
        {"[('r', '|b1'), ('', '|V3'), ('s', '<i2', (2,)), ('', '|V40')]", "begins a <i2"},
        {"[('r', '|u1'), ('', '|V47')]", "byte 0 of its structures begins a |u1"},
        {"[('', '|V16'), ('at', [('x', '<f4'), ('y', '<i4')], (2,)), ('', '|V16')]",
         "byte 20 of its structures begins a <i4, where the kernel's at is <f4"},
        {"[('', '|V30'), ('e', '<i4'), ('', '|V14')]", "byte 30 of its structures begins a <i4"},
        {"[('r', '|b1'), ('', ", "its header has no list of fields at"},
        {"[('r', '|b1'), ('', '|Vx')]", "its header has no list of fields at"},
        {"[('r', [('r', [('r', [('r', [('r', [('r', [('r', [('r', [('r', [('r', [('r', [('r', "
         "[('r', "
         "[('r', [('r', [('r', [('r', [('r', [('r', '|b1')",
         "its header has no list of fields at"},
        {"'<f4'", "its header has no list of fields at"},
    };
    static const unsigned char nodes[2 * NODE_BYTES];
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        struct cb_err err = {0};
        unsigned char *data = NULL;
        size_t size;
        const enum cb_status status =
            load_npy(node(), rows[i].descr, "(2,)", nodes, sizeof nodes, &data, &size, &err);
        if (status != (rows[i].wrong ? CB_USAGE : CB_OK) ||
            (rows[i].wrong && !strstr(err.text, rows[i].wrong)))
            fail_msg("%s: %s", rows[i].descr, err.text);
        free(data);
    }
}

TEST(files_of_vectors)
{
    static const float packed[] = {1, 2, 3, 4, 5, 6};
    static const float wide[] = {1, 2, 3, 0, 4, 5, 6, 0};
    struct cb_err err;
    unsigned char *data;
    size_t size;
    assert_int_equal(
        load_npy(layout_of("f4x3"), "'<f4'", "(2, 3)", packed, sizeof packed, &data, &size, &err),
        CB_OK);
    assert_int_equal(size, sizeof wide);
    assert_memory_equal(data, wide, sizeof wide);
    free(data);
    assert_int_equal(load(layout_of("f4x3"), ".csv", "1,2,3,4,5,6", 11, &data, &size, &err), CB_OK);
    assert_int_equal(size, sizeof wide);
    assert_memory_equal(data, wide, sizeof wide);
    free(data);
    assert_int_equal(
        load_npy(layout_of("f4x3"), "'<f4'", "(3, 2)", packed, sizeof packed, &data, &size, &err),
        CB_USAGE);
    assert_non_null(strstr(err.text, "its shape is (3, 2) of <f4, and the kernel's elements are "
                                     "vectors of 3: save it in the shape (elements, 3)"));
    assert_int_equal(
        load_npy(layout_of("f4x4"), "'<f4'", "(6,)", packed, sizeof packed, &data, &size, &err),
        CB_USAGE);
    assert_non_null(strstr(err.text, "its shape is (6,) of <f4, and the kernel's elements are "
                                     "vectors of 4: save it in the shape (elements, 4)"));
    assert_int_equal(load_npy(layout_of("f2"), "'<f2'", "(2,)", "\0<\0@", 4, &data, &size, &err),
                     CB_OK);
    assert_int_equal(size, 4);
    free(data);
    assert_int_equal(load_npy(layout_of("b1"), "'|b1'", "(2,)", "\1", 2, &data, &size, &err),
                     CB_OK);
    free(data);
}

/* What a shape says that the file has not. */
TEST(shapes)
{
    static const struct {
        const char *shape, *wrong;
    } rows[] = {
        {"(6,)", NULL},
        {"(1, 1, 1, 1, 1, 1, 2, 3)", NULL},
        {"(1, 1, 1, 1, 1, 1, 1, 2, 3)", "its shape has more than 8 dimensions: save it with fewer"},
        {"(7,)", "it has 6 numbers, and its shape says 7: (7,) of <f4: save it anew"},
        {"(1000000, 1000000)", "it has 6 numbers, and its shape says 1000000000000: (1000000, "},
        {"(4294967296, 4294967296)",
         "its shape is of more than memory can have: (4294967296, 4294967296)"},
        {"(99999999999999999999,)", "its shape is of more than memory can have: (9999"},
        {"(-1,)", "its shape is of more than memory can have: (-1,)"},
        {"6", "its header has no 'shape'"},
        {"(x,)", "its header has no 'shape'"},
    };
    static const float six[6];
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        struct cb_err err = {0};
        unsigned char *data = NULL;
        size_t size;
        const enum cb_status status =
            load_npy(layout_of("f4"), "'<f4'", rows[i].shape, six, sizeof six, &data, &size, &err);
        if (status != (rows[i].wrong ? CB_USAGE : CB_OK) ||
            (rows[i].wrong && !strstr(err.text, rows[i].wrong)))
            fail_msg("%s: %s", rows[i].shape, err.text);
        free(data);
    }
}

/* ---- The check ------------------------------------------------------------------------------- */

#define NODES 4

/* Compares nodes; what the sample says then, "" if it is well. */
static const char *check(const struct cb_setup *s, const struct node is[NODES],
                         const struct node should[NODES])
{
    static struct cb_sample sample;
    static unsigned char found[NODES * NODE_BYTES + CB_SETUP_GUARD_BYTES];
    sample = (struct cb_sample){0};
    memcpy(found, is, NODES * NODE_BYTES);
    cb_setup_guard(&s->arguments[0], found);
    cb_setup_check(s, 0, found, (const unsigned char *)should, found, "another", &sample);
    return sample.failure;
}

/* A kernel that goes on from what the last run left is as its file has it after one. */
TEST(a_file_is_of_one_run)
{
    struct cb_setup s = setup_of(layout_of("i4"), CB_GLOBAL, "{\"count\": 1}");
    struct cb_setup_argument *a = &s.arguments[0];
    int after_three = 13, after_one = 5, file = 5;
    unsigned char found[sizeof after_three + CB_SETUP_GUARD_BYTES];
    struct cb_sample sample = {0};
    memcpy(found, &after_three, sizeof after_three);
    cb_setup_guard(a, found);
    a->expect = (unsigned char *)&file;
#define CHECK(once)                                                                                \
    cb_setup_check(&s, 0, found, (unsigned char *)&after_three, (unsigned char *)&(once), "it",    \
                   &sample)
    CHECK(after_one);
    assert_string_equal(sample.failure, "");
    file = 6;
    CHECK(after_one);
    assert_non_null(strstr(sample.failure, "5 instead of 6, as its file has it"));
    sample = (struct cb_sample){0};
    a->is_checked = false; /* nothing else is compared: then it is what was found */
    file = 13;
    CHECK(after_one);
    assert_string_equal(sample.failure, "");
    a->expect = NULL;
    cb_setup_free(&s);
}

TEST(members_are_compared)
{
    struct node is[NODES] = {0}, should[NODES] = {0};
    struct cb_setup s = setup_of(node(), CB_GLOBAL, "{\"count\": 4}");
    is[3].pad1[2] = is[2].pad2[5] = is[1].pad3[9] = 1; /* nobody wrote there */
    is[0].at[3] = 7;
    assert_string_equal(check(&s, is, should), "");
    is[3].starting = 5;
    should[3].starting = 7;
    assert_string_equal(check(&s, is, should),
                        "p, element 3, starting: 5 instead of 7, as another has it");
    is[3].starting = should[3].starting = -1;
    is[2].edges[1] = -4;
    assert_string_equal(check(&s, is, should),
                        "p, element 2, edges[1]: -4 instead of 0, as another has it");
    is[2].edges[1] = 0;
    is[1].at[2] = 2;
    assert_string_equal(check(&s, is, should),
                        "p, element 1, at.z: 2 instead of 0, as another has it");
    s.tolerance = 0.1;
    should[1].at[2] = 1.9f;
    assert_string_equal(check(&s, is, should), "");
    cb_setup_free(&s);
}

TEST(no_number_is_like_another)
{
    struct node is[NODES] = {0}, should[NODES] = {0};
    struct cb_setup s = setup_of(node(), CB_GLOBAL, "{\"count\": 4}"), bits;
    struct cb_err err;
    is[0].at[0] = NAN;
    should[0].at[0] = -NAN;
    assert_string_equal(check(&s, is, should), "");
    assert_int_equal(
        read_setup(node(), CB_GLOBAL, "{\"count\": 4}", ", \"nan\": \"bits\"", &bits, &err), CB_OK);
    assert_non_null(strstr(check(&bits, is, should), "element 0, at.x"));
    should[0].at[0] = 1;
    assert_non_null(strstr(check(&s, is, should), "element 0, at.x: nan instead of 1"));
    cb_setup_free(&s);
    cb_setup_free(&bits);
    assert_int_equal(
        read_setup(node(), CB_GLOBAL, "{\"count\": 4}", ", \"nan\": \"same\"", &bits, &err),
        CB_USAGE);
    cb_setup_free(&bits);
}
