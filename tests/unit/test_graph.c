/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs: compressed rows of edges, DIMACS files right and wrong.
 */
#include "graph_fixture.h"
#include "temp_folder.h"

/* --- Helpers -------------------------------------------------------------------------------- */

static char path[96]; /* of the file written last */

static void write_bytes(const char *bytes, size_t n)
{
    snprintf(path, sizeof path, "%s/test.gr", folder);
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, n, out), n);
    assert_int_equal(fclose(out), 0);
}

static struct cb_graph read_graph(const char *text)
{
    write_bytes(text, strlen(text));
    return load(path);
}

/* message: what follows the name of the file. */
static void bytes_fail(const char *bytes, size_t n, const char *message)
{
    char expected[1024];
    write_bytes(bytes, n);
    snprintf(expected, sizeof expected, "%s%s", path, message);
    load_fails(path, expected);
}

static void text_fails(const char *text, const char *message)
{
    bytes_fail(text, strlen(text), message);
}

/* --- Compressed rows ------------------------------------------------------------------------ */

static const struct cb_edge edges[] = {{3, 1, 7}, {0, 2, 5}, {0, 1, 4}, {3, 1, 2},
                                       {3, 3, 9}, {0, 3, 1}, {3, 0, 8}};

static void test_build(void **unused)
{
    (void)unused;
    struct cb_graph graph;
    struct cb_err err;
    assert_int_equal(cb_graph_build("small", 4, edges, CB_COUNTOF(edges), true, &graph, &err),
                     CB_OK);
    assert_int_equal(graph.vertices, 4);
    assert_int_equal(graph.edges, 7);
    assert_string_equal(graph.name, "small");
    same_numbers(graph.rows, (const uint32_t[]){0, 3, 3, 3, 7}, 5);
    same_numbers(graph.columns, (const uint32_t[]){1, 2, 3, 0, 1, 1, 3}, 7);
    same_numbers(graph.weights, (const uint32_t[]){4, 5, 1, 8, 7, 2, 9}, 7);
    cb_graph_free(&graph);
    assert_null(graph.rows);
    cb_graph_free(&graph);
}

static void test_build_without_weights_or_edges(void **unused)
{
    (void)unused;
    struct cb_graph graph;
    struct cb_err err;
    assert_int_equal(cb_graph_build("small", 4, edges, CB_COUNTOF(edges), false, &graph, &err),
                     CB_OK);
    assert_null(graph.weights);
    same_numbers(graph.columns, (const uint32_t[]){1, 2, 3, 0, 1, 1, 3}, 7);
    cb_graph_free(&graph);
    assert_int_equal(cb_graph_build("none", 2, NULL, 0, true, &graph, &err), CB_OK);
    same_numbers(graph.rows, (const uint32_t[]){0, 0, 0}, 3);
    assert_non_null(graph.columns);
    assert_non_null(graph.weights);
    cb_graph_free(&graph);
}

static void test_build_refuses(void **unused)
{
    (void)unused;
    struct cb_graph graph;
    struct cb_err err;
    assert_int_equal(cb_graph_build("small", 3, edges, 1, true, &graph, &err), CB_USAGE);
    assert_string_equal(err.text, "small: edge 0: expected vertices from 0 to 2, got 3 and 1");
    assert_int_equal(cb_graph_build("small", 0, edges, 0, true, &graph, &err), CB_USAGE);
    assert_string_equal(err.text, "small: expected from 1 to 4294967294 vertices, got 0");
    assert_int_equal(cb_graph_build("small", 4, edges, UINT32_MAX, true, &graph, &err), CB_USAGE);
    assert_string_equal(err.text, "small: expected at most 4294967294 edges, got 4294967295");
    assert_null(graph.rows);
}

static void test_transpose(void **unused)
{
    (void)unused;
    struct cb_graph graph, transposed;
    struct cb_err err;
    assert_int_equal(cb_graph_build("small", 4, edges, CB_COUNTOF(edges), true, &graph, &err),
                     CB_OK);
    assert_int_equal(cb_graph_transpose(&graph, &transposed, &err), CB_OK);
    assert_string_equal(transposed.name, "small");
    same_numbers(transposed.rows, (const uint32_t[]){0, 1, 4, 5, 7}, 5);
    same_numbers(transposed.columns, (const uint32_t[]){3, 0, 3, 3, 0, 0, 3}, 7);
    same_numbers(transposed.weights, (const uint32_t[]){8, 4, 7, 2, 5, 1, 9}, 7);
    cb_graph_free(&graph);
    cb_graph_free(&transposed);
}

static void test_long_names_are_cut_between_characters(void **unused)
{
    (void)unused;
    struct cb_graph graph;
    struct cb_err err;
    char name[80], expected[80];
    memset(name, 'x', sizeof name);
    strcpy(name + 62, "\xc3\xa4"); /* bytes 62 and 63: only one of them fits */
    assert_int_equal(cb_graph_build(name, 1, NULL, 0, false, &graph, &err), CB_OK);
    snprintf(expected, sizeof expected, "%.62s", name);
    assert_string_equal(graph.name, expected);
    cb_graph_free(&graph);
}

/* --- DIMACS files --------------------------------------------------------------------------- */

static void test_dimacs(void **unused)
{
    (void)unused;
    struct cb_graph graph = read_graph("c a comment\nc\ncomment\np sp 4 5\nc\na 4 1 4294967295\n"
                                       "a 1 3 2\n\na 1 2 1\na 2 2 6\n \t\na \t1  3\t9 \n");
    assert_int_equal(graph.vertices, 4);
    assert_int_equal(graph.edges, 5);
    assert_string_equal(graph.name, "test.gr");
    same_numbers(graph.rows, (const uint32_t[]){0, 3, 4, 4, 5}, 5);
    same_numbers(graph.columns, (const uint32_t[]){1, 2, 2, 1, 0}, 5);
    same_numbers(graph.weights, (const uint32_t[]){1, 2, 9, 6, UINT32_MAX}, 5);
    cb_graph_free(&graph);
}

static void test_dimacs_line_ends(void **unused)
{
    (void)unused;
    static const char *const texts[] = {"p sp 2 1\na 1 2 3\n", "p sp 2 1\na 1 2 3",
                                        "c\r\np sp 2 1\r\n\r\na 1 2 3\r\n", "p sp 2 1\r\na 1 2 3\r",
                                        "p sp 2 1 \r\na 1 2 3 \r\n"};
    for (size_t i = 0; i < CB_COUNTOF(texts); i++) {
        struct cb_graph graph = read_graph(texts[i]);
        assert_int_equal(graph.vertices, 2);
        assert_int_equal(graph.edges, 1);
        assert_int_equal(graph.columns[0], 1);
        assert_int_equal(graph.weights[0], 3);
        cb_graph_free(&graph);
    }
}

static void test_dimacs_without_arcs(void **unused)
{
    (void)unused;
    struct cb_graph graph = read_graph("p sp 3 0\n");
    assert_int_equal(graph.vertices, 3);
    assert_int_equal(graph.edges, 0);
    cb_graph_free(&graph);
}

static void test_dimacs_p_lines(void **unused)
{
    (void)unused;
    text_fails("", ":1: empty file: expected \"p sp VERTICES ARCS\", got \"\"");
    text_fails("c one\nc two\n",
               ":2: no p line: expected \"p sp VERTICES ARCS\", got the end of the file");
    text_fails("c\na 1 2 3\np sp 2 1\n", ":2: arc before the p line: expected \"p sp VERTICES "
                                         "ARCS\" first, got \"a 1 2 3\"");
    text_fails("p sp 2 1\na 1 2 3\np sp 3 1\n",
               ":3: second p line: expected only the one on line 1, got \"p sp 3 1\"");
    static const char *const others[] = {"p max 2 1", "p", "p spx 2 1", "p s 2 1", "p 2 1"};
    for (size_t i = 0; i < CB_COUNTOF(others); i++) {
        char message[160];
        snprintf(message, sizeof message,
                 ":1: not a shortest-path problem: expected \"p sp VERTICES ARCS\", got \"%s\"",
                 others[i]);
        text_fails(others[i], message);
    }
    text_fails("p sp 2 0 x y\n",
               ":1: expected the end of the line after \"p sp VERTICES ARCS\", got \"x y\"");
    text_fails("p sp 2\n", ":1: arcs missing: expected \"p sp VERTICES ARCS\", got \"p sp 2\"");
}

/* Sizes that no file of this length has: refused before any memory is taken. */
static void test_dimacs_sizes_that_lie(void **unused)
{
    (void)unused;
    text_fails("p sp 0 0\n", ":1: vertices: expected an integer from 1 to 67108873 in a file of 9 "
                             "bytes, got \"0\"");
    text_fails("p sp 67108882 0\n", ":1: vertices: expected an integer from 1 to 67108880 in a "
                                    "file of 16 bytes, got \"67108882\"");
    text_fails("p sp 2147483649 0\n", ":1: vertices: expected an integer from 1 to 67108882 in a "
                                      "file of 18 bytes, got \"2147483649\"");
    text_fails("p sp 99999999999999999999999999 0\n",
               ":1: vertices: expected an integer from 1 to 67108898 in a file of 34 bytes, got "
               "\"99999999999999999999999999\"");
    text_fails("p sp -1 0\n", ":1: vertices: expected an integer from 1 to 67108874 in a file of "
                              "10 bytes, got \"-1\"");
    text_fails("p sp 2 4\na 1 2 3\na 1 2 3\n",
               ":1: arcs: expected an integer from 0 to 3 in a file of 25 bytes, got \"4\"");
    text_fails("p sp 2 18446744073709551617\n", ":1: arcs: expected an integer from 0 to 3 in a "
                                                "file of 28 bytes, got \"18446744073709551617\"");
}

static void test_dimacs_number_of_arcs(void **unused)
{
    (void)unused;
    text_fails("p sp 2 3\na 1 2 3\na 1 2 3\n", ":3: too few arcs: expected 3 as line 1 says, got "
                                               "the end of the file after 2");
    text_fails("c\np sp 2 1\na 1 2 3\na 2 1 3\n",
               ":4: too many arcs: expected 1 as line 2 says, got \"a 2 1 3\"");
}

static void test_dimacs_numbers(void **unused)
{
    (void)unused;
    static const struct {
        const char *line, *message;
    } cases[] = {
        {"a 0 1 1", "first vertex: expected an integer from 1 to 2, got \"0\""},
        {"a 3 1 1", "first vertex: expected an integer from 1 to 2, got \"3\""},
        {"a 1 3 1", "second vertex: expected an integer from 1 to 2, got \"3\""},
        {"a -1 1 1", "first vertex: expected an integer from 1 to 2, got \"-1\""},
        {"a 1 4294967297 1", "second vertex: expected an integer from 1 to 2, got \"4294967297\""},
        {"a 1 18446744073709551617 1",
         "second vertex: expected an integer from 1 to 2, got \"18446744073709551617\""},
        {"a 1 2 0", "weight: expected an integer from 1 to 4294967295, got \"0\""},
        {"a 1 2 -5", "weight: expected an integer from 1 to 4294967295, got \"-5\""},
        {"a 1 2 +5", "weight: expected an integer from 1 to 4294967295, got \"+5\""},
        {"a 1 2 1.5", "weight: expected an integer from 1 to 4294967295, got \"1.5\""},
        {"a 1 2 4294967296",
         "weight: expected an integer from 1 to 4294967295, got \"4294967296\""},
        {"a 1 2 five", "weight: expected an integer from 1 to 4294967295, got \"five\""},
        {"a one 2 1", "first vertex: expected an integer from 1 to 2, got \"one\""},
        {"a 1 2", "weight missing: expected \"a FROM TO WEIGHT\", got \"a 1 2\""},
        {"a 1", "second vertex missing: expected \"a FROM TO WEIGHT\", got \"a 1\""},
        {"a", "first vertex missing: expected \"a FROM TO WEIGHT\", got \"a\""},
        {"a 1 2 3 junk", "expected the end of the line after \"a FROM TO WEIGHT\", got \"junk\""},
        {"a 1 2 3 4", "expected the end of the line after \"a FROM TO WEIGHT\", got \"4\""},
    };
    for (size_t i = 0; i < CB_COUNTOF(cases); i++) {
        static const char *const ends[] = {"", "\n", "\r\n", "\na 1 2 3\n"};
        for (size_t j = 0; j < CB_COUNTOF(ends); j++) {
            char text[160], message[160];
            snprintf(text, sizeof text, "p sp 2 2\na 2 2 3\n%s%s", cases[i].line, ends[j]);
            snprintf(message, sizeof message, ":3: %s", cases[i].message);
            text_fails(text, message);
        }
    }
}

static void test_dimacs_unknown_lines(void **unused)
{
    (void)unused;
#define UNKNOWN "unknown line: expected one that begins with c, p or a and a blank, got "
    text_fails("x 1 2\n", ":1: " UNKNOWN "\"x 1 2\"");
    text_fails("p sp 2 1\na1 2 3\n", ":2: " UNKNOWN "\"a1 2 3\"");
    text_fails("p sp 2 1\n  1 2 3\n", ":2: " UNKNOWN "\"  1 2 3\"");
    text_fails("\x1f\x8b\x08 \xc3\xa4\n", ":1: " UNKNOWN "\"\\x1f\\x8b\\x08 \\xc3\\xa4\"");
    bytes_fail("p sp 1 0\n\0\n", 11, ":2: " UNKNOWN "\"\\x00\"");
    char text[201], message[300];
    memset(text, 'z', 200);
    text[200] = '\0';
    snprintf(message, sizeof message, ":1: " UNKNOWN "\"%.60s...\"", text);
    text_fails(text, message);
}

static void test_files_that_cannot_be_read(void **unused)
{
    (void)unused;
    char message[256];
    snprintf(message, sizeof message, "cannot read %s: Is a directory", folder);
    load_fails(folder, message);
    snprintf(path, sizeof path, "%s/pipe", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    snprintf(message, sizeof message, "cannot read %s: it is not a regular file", path);
    load_fails(path, message);
    write_bytes("", 0);
    assert_int_equal(chmod(path, 0), 0);
    if (access(path, R_OK) != 0) { /* root may read everything */
        snprintf(message, sizeof message, "cannot read %s: Permission denied", path);
        load_fails(path, message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_build),
        cmocka_unit_test(test_build_without_weights_or_edges),
        cmocka_unit_test(test_build_refuses),
        cmocka_unit_test(test_transpose),
        cmocka_unit_test(test_long_names_are_cut_between_characters),
        cmocka_unit_test_setup_teardown(test_dimacs, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_dimacs_line_ends, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_dimacs_without_arcs, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_dimacs_p_lines, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_dimacs_sizes_that_lie, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_dimacs_number_of_arcs, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_dimacs_numbers, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_dimacs_unknown_lines, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_files_that_cannot_be_read, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
