/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of graphs, those that are wrong: a corpus with the message of each, and files damaged at
 * random, which may load or not, but with a message. Meant to be run with sanitizers.
 */
#include "graph_files.h"
#include "random_fixture.h"
#include "tests/unit/unit.h"

#include <dirent.h>

#define BROKEN   GRAPHS "/broken"
#define MESSAGES "messages.txt"
#define ROUNDS   300 /* of each valid file */

#ifdef COOPBENCH_ZLIB
static const bool has_zlib = true;
#else
static const bool has_zlib = false;
#endif

/* --- The corpus ------------------------------------------------------------------------------- */

/* '*' in the pattern stands for any text. */
static bool matches(const char *message, const char *pattern)
{
    for (; *pattern != '*'; message++, pattern++)
        if (*message != *pattern || *pattern == '\0')
            return *message == *pattern;
    for (; !matches(message, pattern + 1); message++)
        if (*message == '\0')
            return false;
    return true;
}

static bool is_gzip(const char *name)
{
    size_t n = strlen(name);
    return n > 3 && strcmp(name + n - 3, ".gz") == 0;
}

static void has_message(const char *name, const char *pattern)
{
    char path[200];
    struct cb_graph graph;
    struct cb_err err = {0};
    snprintf(path, sizeof path, BROKEN "/%s", name);
    assert_int_equal(cb_graph_load(path, &graph, &err), CB_USAGE);
    assert_int_equal(strncmp(err.text, path, strlen(path)), 0);
    assert_null(graph.rows);
    if (!has_zlib && is_gzip(name))
        pattern = " is gzip-compressed, *";
    if (!matches(err.text + strlen(path), pattern))
        fail_msg("%s\nexpected \"%s\"\n     got \"%s\"", path, pattern, err.text + strlen(path));
}

static int count_files(void)
{
    int count = 0;
    DIR *files = opendir(BROKEN);
    assert_non_null(files);
    for (struct dirent *file; (file = readdir(files));)
        count += file->d_name[0] != '.' && strcmp(file->d_name, MESSAGES) != 0;
    closedir(files);
    return count;
}

TEST(corpus)
{
    char *line = NULL;
    size_t room = 0;
    int count = 0;
    FILE *messages = fopen(BROKEN "/" MESSAGES, "r");
    assert_non_null(messages);
    while (getline(&line, &room, messages) > 0) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#')
            continue;
        char *blank = strchr(line, ' ');
        assert_non_null(blank);
        *blank = '\0';
        has_message(line, blank + 1);
        count++;
    }
    free(line);
    fclose(messages);
    assert_int_equal(count, count_files());
    assert_true(count >= 40);
}

/* --- Files that cannot be read ---------------------------------------------------------------- */

TEST_WITH(files_that_cannot_be_read, make_folder, remove_folder)
{
    char message[256], path[200];
    snprintf(message, sizeof message, "cannot read %s: Is a directory", folder);
    load_fails(folder, message);
    snprintf(path, sizeof path, "%s/pipe", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    snprintf(message, sizeof message, "cannot read %s: it is not a regular file", path);
    load_fails(path, message);
    strcpy(path, write_bytes("secret.gr", "", 0));
    assert_int_equal(chmod(path, 0), 0);
    if (access(path, R_OK) != 0) { /* root may read everything */
        snprintf(message, sizeof message, "cannot read %s: Permission denied", path);
        load_fails(path, message);
    }
}

/* --- Damage at random ------------------------------------------------------------------------- */

static int seed_and_make_folder(void **unused)
{
    seed_random(unused);
    return make_folder(unused);
}

static size_t below(size_t n)
{
    return n ? cb_random_below(&dice, (unsigned)n) : 0;
}

/* Cuts the file, or changes some bytes: to any, or to one that is at home in it. */
static size_t damage(char *bytes, size_t n)
{
    static const char common[] = "0123456789 \n\t-.ap%#";
    if (below(4) == 0)
        return below(n);
    for (size_t i = 1 + below(4); i > 0; i--)
        bytes[below(n)] = below(2) ? (char)below(256) : common[below(sizeof common - 1)];
    return n;
}

static void loads_or_says_why(const char *path)
{
    struct cb_graph graph;
    struct cb_err err = {0};
    enum cb_status status = cb_graph_load(path, &graph, &err);
    if (status == CB_OK) {
        is_sound(&graph);
        cb_graph_free(&graph);
        return;
    }
    assert_int_equal(status, CB_USAGE);
    assert_non_null(strstr(err.text, path));
    assert_true(strlen(err.text) > strlen(path) + 10);
    assert_null(graph.rows);
}

static void damaged_ones_load_or_say_why(const char *name, const char *original, size_t n)
{
    char bytes[1024];
    for (int round = 0; round < ROUNDS; round++) {
        memcpy(bytes, original, n);
        loads_or_says_why(write_bytes(name, bytes, damage(bytes, n)));
    }
}

TEST_WITH(damage, seed_and_make_folder, remove_folder)
{
    char original[1024];
    for (size_t i = 0; i < CB_COUNTOF(graph_files); i++) {
        size_t n = read_bytes(graph_files[i].name, original, sizeof original);
        damaged_ones_load_or_say_why(graph_files[i].name, original, n);
    }
    size_t n = read_bytes("broken/gzip-broken.gr.gz", original, sizeof original);
    damaged_ones_load_or_say_why("damaged.gr.gz", original, n);
}

/* Every beginning of every valid file. */
TEST_WITH(truncation, make_folder, remove_folder)
{
    char original[1024];
    for (size_t i = 0; i < CB_COUNTOF(graph_files); i++) {
        size_t n = read_bytes(graph_files[i].name, original, sizeof original);
        for (size_t m = 0; m < n; m++)
            loads_or_says_why(write_bytes(graph_files[i].name, original, m));
    }
}
