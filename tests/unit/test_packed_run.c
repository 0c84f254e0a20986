/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs that are kept gzip-compressed.
 */
#include "gzip_file.h"
#include "tests/unit/unit.h"

#include "analysis/documents/document.h"
#include "analysis/documents/folder.h"
#include "analysis/documents/runs.h"
#include "measure/text/json.h"
#include "runtime/host/files.h"

#define RUN(id)                                                                                    \
    "{\"schema\": \"coopbench-run\", \"schema_version\": \"2.0\", \"run_id\": \"" id               \
    "\", \"cases\": []}"

static void make_run(const char *id)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, id);
    assert_int_equal(mkdir(path, 0700), 0);
}

/* ---- Finding --------------------------------------------------------------------------------- */

static void is_found_as(const char *name)
{
    char file[PATH_MAX];
    assert_true(cb_run_document_in(path_of("r"), file));
    assert_string_equal(file, path_of(name));
    assert_true(cb_run_is_document(file));
}

/* --resume writes a run.json beside the packed one: it is the newer of the two. */
TEST_WITH(which_document_is_the_runs, make_folder, remove_folder)
{
    char file[PATH_MAX];
    make_run("r");
    assert_false(cb_run_has_document(path_of("r")));
    assert_false(cb_run_document_in(path_of("r"), file));
    assert_string_equal(file, path_of("r/run.json"));
    write_text("r/run.json.gz", "");
    is_found_as("r/run.json.gz");
    write_text("r/run.json", "");
    is_found_as("r/run.json");
    assert_false(cb_run_is_document("r/base.json.gz"));
    assert_true(cb_run_is_document("run.json.gz"));
}

TEST_WITH(names, make_folder, remove_folder)
{
    char **names;
    const char *const expected[] = {"latest", "packed", "plain"};
    make_run("plain");
    make_run("packed");
    make_run("empty");
    write_text("plain/run.json", "");
    write_text("packed/run.json.gz", "");
    assert_int_equal(symlink("packed", path_of("latest")), 0);
    int n = cb_runs_names(folder, &names);
    assert_int_equal(n, 3);
    for (int i = 0; i < n; i++) {
        assert_string_equal(names[i], expected[i]);
        free(names[i]);
    }
    free(names);
}

TEST_WITH(its_name_is_no_name_of_a_run, make_folder, remove_folder)
{
    struct cb_err err;
    assert_int_equal(cb_run_id_check("run.json.gz", &err), CB_USAGE);
}

/* ---- Reading --------------------------------------------------------------------------------- */

static void loads_as(const char *path, const char *id)
{
    struct cb_run_document run;
    struct cb_err err;
    if (cb_run_document_load(path, NULL, &run, &err) != CB_OK)
        fail_msg("%s", err.text);
    assert_string_equal(cb_json_text(run.tree, "run_id", ""), id);
    cb_run_document_free(&run);
}

static void is_refused(const char *path, const char *why)
{
    struct cb_run_document run;
    struct cb_err err;
    assert_int_equal(cb_run_document_load(path, NULL, &run, &err), CB_USAGE);
    if (!strstr(err.text, why))
        fail_msg("\"%s\" is not in \"%s\"", why, err.text);
}

#ifdef COOPBENCH_ZLIB

TEST_WITH(is_read, make_folder, remove_folder)
{
    make_run("r");
    const char *file = write_gzip("r/run.json.gz", "wb", RUN("packed"), strlen(RUN("packed")));
    loads_as(file, "packed");
    loads_as(path_of("r"), "packed");
    write_text("r/run.json", RUN("plain"));
    loads_as(path_of("r"), "plain");
    loads_as(path_of("r/run.json.gz"), "packed");
}

/* The content of a file decides, not its name. */
TEST_WITH(under_another_name, make_folder, remove_folder)
{
    loads_as(write_gzip("a.json", "wb", RUN("packed"), strlen(RUN("packed"))), "packed");
    loads_as(write_text("a.json.gz", RUN("plain")), "plain");
}

TEST_WITH(several_runs, make_folder, remove_folder)
{
    struct cb_runs runs;
    struct cb_err err;
    make_run("a");
    make_run("b");
    write_gzip("a/run.json.gz", "wb", RUN("a"), strlen(RUN("a")));
    write_text("b/run.json", RUN("b"));
    char *const paths[] = {folder};
    assert_int_equal(cb_runs_load(paths, 1, &runs, &err), CB_OK);
    assert_int_equal(runs.count, 2);
    assert_string_equal(cb_json_text(runs.items[0], "run_id", ""), "a");
    assert_string_equal(runs.files[0], path_of("a/run.json.gz"));
    cb_runs_free(&runs);
}

/* The packed file: its bytes, cut or changed. */
static size_t packed_bytes(char *bytes, size_t room)
{
    FILE *in = fopen(write_gzip("a.gz", "wb", RUN("packed"), strlen(RUN("packed"))), "rb");
    assert_non_null(in);
    size_t n = fread(bytes, 1, room, in);
    fclose(in);
    assert_true(n < room);
    return n;
}

TEST_WITH(cut_off_anywhere, make_folder, remove_folder)
{
    char bytes[512];
    size_t n = packed_bytes(bytes, sizeof bytes);
    for (size_t left = 2; left < n; left++)
        is_refused(write_bytes("a.gz", bytes, left), "damaged gzip data: ");
}

TEST_WITH(damaged, make_folder, remove_folder)
{
    char bytes[512];
    size_t n = packed_bytes(bytes, sizeof bytes);
    bytes[n - 6] ^= 1; /* of its checksum */
    is_refused(write_bytes("a.gz", bytes, n), "damaged gzip data: incorrect data check");
}

/* Gzip leaves garbage out, too, and says so: the run is whole, by its checksum. */
TEST_WITH(garbage_after_its_end_is_left_out, make_folder, remove_folder)
{
    char bytes[512];
    size_t n = packed_bytes(bytes, sizeof bytes);
    memcpy(bytes + n, "garbage", 7);
    loads_as(write_bytes("a.gz", bytes, n + 7), "packed");
}

TEST_WITH(another_member_is_more_text, make_folder, remove_folder)
{
    write_gzip("a.gz", "wb", RUN("packed"), strlen(RUN("packed")));
    is_refused(write_gzip("a.gz", "ab", RUN("again"), strlen(RUN("again"))), "not valid JSON");
}

TEST_WITH(unpacks_to_no_text, make_folder, remove_folder)
{
    is_refused(write_gzip("a.gz", "wb", "{\n\0}", 4), ":2: a NUL byte");
}

/* 1.6 MB of blanks: as a run as large as one may be, and a byte more. */
static void unpacks_to(size_t n, struct cb_err *err, enum cb_status expected)
{
    const struct cb_file_kind small = {"a small run", 1600000};
    char *blanks = malloc(n), *text;
    assert_non_null(blanks);
    memset(blanks, ' ', n);
    enum cb_status status = cb_read_file(write_gzip("a.gz", "wb", blanks, n), &small, &text, err);
    assert_int_equal(status, expected);
    if (status == CB_OK)
        assert_int_equal(strlen(text), n);
    free(text);
    free(blanks);
}

TEST_WITH(limit_is_of_the_unpacked_text, make_folder, remove_folder)
{
    struct cb_err err;
    char expected[400];
    unpacks_to(1600000, &err, CB_OK);
    unpacks_to(1600001, &err, CB_USAGE);
    unpacks_to(100000000, &err, CB_USAGE);
    snprintf(expected, sizeof expected,
             "cannot read %s: unpacked, it has more than the 1.6 MB that a small run has",
             path_of("a.gz"));
    assert_string_equal(err.text, expected);
}

#else

TEST_WITH(refused_without_zlib, make_folder, remove_folder)
{
    make_run("r");
    write_bytes("r/run.json.gz", "\x1f\x8b\x08", 3);
    is_refused(path_of("r"), "without zlib (Debian: zlib1g-dev): unpack it first");
    write_text("r/run.json", RUN("plain"));
    loads_as(path_of("r"), "plain");
}

#endif
