/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of graphs, those that are right: each format, compressed and not, and how formats are told
 * apart. test_graph_broken.c has the others.
 */
#include "graph_files.h"
#include "gzip_file.h"
#include "tests/unit/unit.h"

static void has_edges(const struct cb_graph *graph, const char *expected)
{
    char text[512];
    size_t n = (size_t)snprintf(text, sizeof text, "%" PRIu32 ":", graph->vertices);
    is_sound(graph);
    for (uint32_t u = 0; u < graph->vertices; u++)
        for (uint32_t i = graph->rows[u]; i < graph->rows[u + 1]; i++)
            n += (size_t)snprintf(text + n, sizeof text - n, " %" PRIu32 ">%" PRIu32 "*%" PRIu32, u,
                                  graph->columns[i], graph->weights[i]);
    assert_string_equal(text, expected);
}

static void loads_as(const char *path, const char *expected)
{
    struct cb_graph graph = load(path);
    has_edges(&graph, expected);
    cb_graph_free(&graph);
}

/* The file, loaded under another name. */
static void named_loads_as(const char *name, const char *fixture, const char *expected)
{
    char bytes[1024];
    size_t n = read_bytes(fixture, bytes, sizeof bytes);
    loads_as(write_bytes(name, bytes, n), expected);
}

TEST(each_file)
{
    for (size_t i = 0; i < CB_COUNTOF(graph_files); i++) {
        char path[200];
        snprintf(path, sizeof path, GRAPHS "/%s", graph_files[i].name);
        struct cb_graph graph = load(path);
        has_edges(&graph, graph_files[i].graph);
        assert_string_equal(graph.name, graph_files[i].name);
        cb_graph_free(&graph);
    }
}

/* --- Formats ---------------------------------------------------------------------------------- */

TEST_WITH(formats_by_contents, make_folder, remove_folder)
{
    static const char *const contents[][2] = {
        {"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n", "2: 0>1*1"},
        {"c comment\np sp 2 1\na 1 2 7\n", "2: 0>1*7"},
        {"p sp 2 1\na 1 2 7\n", "2: 0>1*7"},
        {"# comment\n5 7\n", "2: 0>1*1"},
    };
    for (size_t i = 0; i < CB_COUNTOF(contents); i++)
        loads_as(write_bytes("graph.dat", contents[i][0], strlen(contents[i][0])), contents[i][1]);
    named_loads_as("binary", "version-1.gr", "3: 0>1*1 0>2*5 2>0*6");
    named_loads_as("matrix.txt", "real-skew.mtx", "3: 0>1*3 1>0*3 1>2*13 2>1*13");
}

TEST_WITH(formats_by_name, make_folder, remove_folder)
{
    static const char *const names[][2] = {
        {"a.el", "4: 0>3*1"},         {"A.EL", "4: 0>3*1"}, {"a.txt", "2: 0>1*1"},
        {"a.el.gz", "4: 0>3*1"},      {".txt", "2: 0>1*1"}, {"a.wel.TXT.GZ", "2: 0>1*1"},
        {"a.gr.graph.el", "4: 0>3*1"}};
    for (size_t i = 0; i < CB_COUNTOF(names); i++)
        loads_as(write_bytes(names[i][0], "0 3\n", 4), names[i][1]);
    loads_as(write_bytes("a.wel", "0 3 9\n", 6), "4: 0>3*9");
}

/* --- Windows: 256 KiB of a file are in memory at a time --------------------------------------- */

#define LARGE (1u << 20)

static char *text; /* of the test that runs */
static size_t size;

static int make_text(void **unused)
{
    text = malloc(LARGE + 256);
    size = 0;
    return text ? make_folder(unused) : -1;
}

static int free_text(void **unused)
{
    free(text);
    return remove_folder(unused);
}

static void add(const char *words)
{
    strcpy(text + size, words);
    size += strlen(words);
}

/* Lines of all lengths, so that a window may end anywhere in one. */
TEST_WITH(words_across_windows, make_text, free_text)
{
    char line[160];
    uint64_t sum = 0;
    uint32_t edges = 0;
    for (uint64_t random = 1; size < LARGE; edges++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        uint32_t weight = (uint32_t)(random >> 32) | 1;
        snprintf(line, sizeof line, "%*s\t%" PRIu32 "%*s %" PRIu32 "%s\n", (int)(random >> 59), "0",
                 edges, (int)(random >> 56) % 32, "", weight, random >> 63 ? "\r" : "");
        add(line);
        sum += weight;
    }
    struct cb_graph graph = load(write_bytes("a.wel", text, size));
    assert_int_equal(graph.edges, edges);
    for (uint32_t i = 0; i < edges; i++) {
        assert_int_equal(graph.columns[i], i);
        sum -= graph.weights[i];
    }
    assert_int_equal(sum, 0);
    cb_graph_free(&graph);
}

/* A star: the line of its centre is longer than a window. */
TEST_WITH(long_line, make_text, free_text)
{
    char word[16];
    const uint32_t leaves = 60000;
    snprintf(word, sizeof word, "%" PRIu32 " %" PRIu32 "\n", leaves + 1, leaves);
    add(word);
    for (uint32_t i = 0; i < leaves; i++) {
        snprintf(word, sizeof word, " %" PRIu32, i + 2);
        add(word);
    }
    for (uint32_t i = 0; i < leaves; i++)
        add("\n1");
    struct cb_graph graph = load(write_bytes("a.graph", text, size));
    is_sound(&graph);
    assert_int_equal(graph.edges, 2 * leaves);
    assert_int_equal(graph.rows[1], leaves);
    cb_graph_free(&graph);
}

TEST_WITH(long_blanks_and_comments, make_text, free_text)
{
    add("0");
    memset(text + size, ' ', LARGE / 2);
    size += LARGE / 2;
    add("1\n#");
    memset(text + size, '7', LARGE / 2 - 100);
    size += LARGE / 2 - 100;
    add("\n1 2 x\n");
    char message[400];
    const char *path = write_bytes("a.el", text, size);
    snprintf(message, sizeof message,
             "%s:3: expected the end of the line after \"FROM TO\", got \"x\"", path);
    load_fails(path, message);
    memcpy(text + size - 2, "\n", 2);
    loads_as(write_bytes("a.el", text, size - 1), "3: 0>1*1 1>2*1");
}

/* --- gzip ------------------------------------------------------------------------------------- */

#ifdef COOPBENCH_ZLIB

/* The content of a file tells whether it is compressed, not its name. */
TEST_WITH(each_file_compressed, make_folder, remove_folder)
{
    for (size_t i = 0; i < CB_COUNTOF(graph_files); i++) {
        char bytes[1024], name[64];
        const struct graph_file *file = &graph_files[i];
        size_t n = read_bytes(file->name, bytes, sizeof bytes);
        snprintf(name, sizeof name, "%s.gz", file->name);
        loads_as(write_gzip(name, "wb", bytes, n), file->graph);
        loads_as(write_gzip(file->name, "wb", bytes, n), file->graph);
        loads_as(write_bytes(name, bytes, n), file->graph);
    }
}

/* Parallel compressors, and "cat a.gz b.gz", make files of several members. */
TEST_WITH(several_members, make_folder, remove_folder)
{
    write_gzip("a.el.gz", "wb", "0 1\n1 ", 6);
    loads_as(write_gzip("a.el.gz", "ab", "2\n", 2), "3: 0>1*1 1>2*1");
}

/* 64 MiB of blanks in 64 KiB, which go through a window. */
TEST_WITH(unpacks_to_much, make_text, free_text)
{
    memset(text, ' ', LARGE);
    write_gzip("a.el.gz", "wb", "0 ", 2);
    for (int i = 0; i < 64; i++)
        write_gzip("a.el.gz", "ab", text, LARGE);
    loads_as(write_gzip("a.el.gz", "ab", "1\n", 2), "2: 0>1*1");
}

#else

TEST_WITH(refused_without_zlib, make_folder, remove_folder)
{
    char message[400];
    const char *path = write_bytes("a.el", "\x1f\x8b\x08", 3);
    snprintf(message, sizeof message,
             "%s is gzip-compressed, and this coopbench was built without zlib (Debian: "
             "zlib1g-dev): unpack it first",
             path);
    load_fails(path, message);
}

#endif
