/* SPDX-License-Identifier: Apache-2.0
 *
 * Clauses of launch's survey propagation: files, those that are wrong with their messages, and
 * surveys of known formulas.
 */
#include "temp_folder.h"
#include "tests/unit/unit.h"

#include "apps/nested/programs/clauses.h"
#include "apps/nested/programs/programs.h"
#include "apps/nested/programs/sp_abi.h"

static const char *write_file(const char *text)
{
    return write_text("formula.cnf", text);
}

/* Clauses as in a file, without the p line. */
static void reads(const char *text, uint32_t variables, const char *expected)
{
    struct cb_clauses c;
    struct cb_err err;
    char found[1000] = "";
    if (cb_clauses_load(write_file(text), &c, &err) != CB_OK)
        fail_msg("%s", err.text);
    assert_int_equal(c.variables, variables);
    for (uint32_t k = 0; k < c.n; k++) {
        for (uint32_t i = c.begins[k]; i < c.begins[k + 1]; i++)
            sprintf(found + strlen(found), "%s%u ", c.literals[i] & 1 ? "-" : "",
                    (c.literals[i] >> 1) + 1);
        strcat(found, "0\n");
    }
    assert_string_equal(found, expected);
    cb_clauses_free(&c);
}

TEST_WITH(files, make_folder, remove_folder)
{
    reads("p cnf 3 2\n1 -2 3 0\n-1 2 0\n", 3, "1 -2 3 0\n-1 2 0\n");
    reads("c c\n\nc p cnf 1 1\np  cnf\t9 3\r\n1\n  -2\nc between\n3 0 4 0 -5\r\n\n0", 9,
          "1 -2 3 0\n4 0\n-5 0\n");
    reads("p cnf 3 4\n1 2 1 0 1 2 -1 0 -3 -3 0 3 -3 0\n", 3, "1 2 0\n-3 0\n"); /* twice, opposite */
    reads("p cnf 2 1\n1 2 0\n%\n0\n\n", 2, "1 2 0\n");                         /* SATLIB's end */
    reads("p cnf 2 0\n", 2, "");
}

static void refuses(const char *text, const char *message)
{
    struct cb_clauses c;
    struct cb_err err;
    const char *path = write_file(text);
    assert_int_equal(cb_clauses_load(path, &c, &err), CB_USAGE);
    assert_int_equal(strncmp(err.text, path, strlen(path)), 0);
    assert_string_equal(err.text + strlen(path), message);
    cb_clauses_free(&c);
}

TEST_WITH(wrong_files, make_folder, remove_folder)
{
    refuses("", ":1: no p line: expected \"p cnf VARIABLES CLAUSES\", got the end of the file");
    refuses("1 2 0\n", ":1: expected \"p cnf VARIABLES CLAUSES\" first, got \"1 2 0\"");
    refuses("p sp 3 1\n", ":1: no clauses: expected \"p cnf VARIABLES CLAUSES\", got \"p sp 3 1\"");
    refuses("p cnf 3 1\n1 0\np cnf 3 1\n",
            ":3: second p line: expected only the one on line 1, got \"p cnf 3 1\"");
    refuses("p cnf 0 1\n", ":1: variables: expected an integer from 1 to 16777216, got \"0\"");
    refuses("p cnf 3 -1\n", ":1: clauses: expected an integer from 0 to 16777216, got \"-1\"");
    refuses("p cnf 3\n", ":1: clauses: expected an integer from 0 to 16777216, got the end of "
                         "\"p cnf 3\"");
    refuses("p cnf 3 1\n1 4 0\n", ":2: variable or 0: expected an integer from 0 to 3, got \"4\"");
    refuses("p cnf 3 1\n1 -4 0\n",
            ":2: negated variable: expected an integer from 1 to 3, got \"4\"");
    refuses("p cnf 3 1\n1 -0 0\n",
            ":2: negated variable: expected an integer from 1 to 3, got \"0\"");
    refuses("p cnf 3 1\n1 - 2 0\n",
            ":2: variable or 0: expected an integer from 0 to 3, got \"-\"");
    refuses("p cnf 3 1\n1 2x 0\n",
            ":2: variable or 0: expected an integer from 0 to 3, got \"2x\"");
    refuses("p cnf 3 2\n1 0\n0\n", ":3: a clause without literals, which nothing satisfies");
    refuses("p cnf 3 2\n1 0\n2 3\nc\n", ":4: the clause that begins on line 3 does not end: "
                                        "expected 0");
    refuses("p cnf 3 2\n1 0\n%\n2 0\n", ":3: too few clauses: expected 2 as line 1 says, got the "
                                        "end of the file after 1");
    refuses("p cnf 3 1\n1 0\n2 0\n",
            ":3: too many clauses: expected 1 as line 1 says, got \"2 0\"");
}

/* A clause may have 256 literals, over many lines, and none more. */
TEST_WITH(long_clauses, make_folder, remove_folder)
{
    for (int n = 256; n <= 257; n++) {
        char text[3000] = "p cnf 300 1\n";
        struct cb_clauses c;
        struct cb_err err;
        for (int i = 1; i <= n; i++)
            sprintf(text + strlen(text), "-%d\n", i);
        if (n > 256) {
            refuses(text, ":258: the clause that begins on line 2 has more than 256 literals");
            continue;
        }
        assert_int_equal(cb_clauses_load(write_file(strcat(text, "0\n")), &c, &err), CB_OK);
        assert_int_equal(c.begins[1], 256);
        cb_clauses_free(&c);
    }
}

TEST(random)
{
    struct cb_clauses c;
    struct cb_err err;
    uint32_t negated = 0;
    assert_int_equal(cb_clauses_draw(4, 1000, 1, &c, &err), CB_OK);
    assert_int_equal(c.begins[c.n], 3000);
    for (const uint32_t *l = c.literals; l < c.literals + 3000; l += 3) {
        assert_true(l[0] >> 1 != l[1] >> 1 && l[1] >> 1 != l[2] >> 1 && l[0] >> 1 != l[2] >> 1);
        assert_true(l[0] < 8 && l[1] < 8 && l[2] < 8);
        negated += (l[0] & 1) + (l[1] & 1) + (l[2] & 1);
    }
    assert_in_range(negated, 1350, 1650);
    cb_clauses_free(&c);
}

/* ---- Surveys --------------------------------------------------------------------------------- */

/* Checks the survey of each occurrence, variable after variable. */
static void has_surveys(const char *text, const double *expected, uint32_t n)
{
    struct cb_nest_data d = {0};
    struct cb_err err;
    if (cb_nest_program_of("sp")->make(NULL, write_file(text), &d, &err) != CB_OK)
        fail_msg("%s", err.text);
    assert_int_equal(d.begins[d.parents], n);
    for (uint32_t i = 0; i < n; i++)
        assert_float_equal(cb_nest_float(d.expected[i]), expected[i], 0.02);
    cb_nest_free(&d);
}

TEST_WITH(surveys, make_folder, remove_folder)
{
    /* A tree without clauses of one literal warns nobody. */
    has_surveys("p cnf 3 2\n1 2 0\n-2 3 0\n", (double[]){0, 0, 0, 0}, 4);
    /* 1 is warned, and cannot satisfy the next clause, so that 2 is, and 3. */
    has_surveys("p cnf 3 3\n1 0\n-1 2 0\n-2 3 0\n", (double[]){1, 0, 1, 0, 1}, 5);
    /* Of the same sign: 2 is not needed. */
    has_surveys("p cnf 2 2\n1 0\n1 2 0\n", (double[]){1, 0, 0}, 3);
    /* A contradiction leaves nothing to the third clause. */
    has_surveys("p cnf 2 3\n1 0\n-1 0\n1 2 0\n", (double[]){1, 1, 0, 0}, 4);
}

TEST_WITH(no_rest, make_folder, remove_folder)
{
    struct cb_nest_data d = {0};
    struct cb_err err;
    const char *path =
        write_file("p cnf 5 19\n-4 -2 3 0 -1 3 -4 0 -3 -1 4 0 5 3 -4 0 -5 4 2 0 2 3 1 0 1 -2 -3 0\n"
                   "-3 1 4 0 -2 -3 -4 0 -1 5 2 0 3 -2 5 0 -1 5 -2 0 4 3 -5 0 -3 1 -5 0 2 -3 -5 0\n"
                   "5 -4 2 0 1 5 -4 0 -3 -1 -2 0 2 -4 3 0\n");
    assert_int_equal(cb_nest_program_of("sp")->make(NULL, path, &d, &err), CB_USAGE);
    assert_non_null(strstr(err.text, "formula.cnf: survey propagation on these clauses does not"));
    cb_nest_free(&d);
}

/* The inputs of all sizes but the large one come to rest, and not at nothing. */
TEST(inputs)
{
    for (enum cb_launch_size size = CB_LAUNCH_SMALL; size < CB_LAUNCH_LARGE; size++) {
        struct cb_nest_data d;
        struct cb_err err;
        uint32_t warnings = 0;
        assert_int_equal(cb_nest_make(cb_nest_program_of("sp"), size, NULL, &d, &err), CB_OK);
        const uint32_t all = d.begins[d.parents];
        for (uint32_t i = 0; i < all; i++)
            warnings += cb_nest_float(d.expected[i]) > 0.1;
        assert_true(warnings > all / 4);
        assert_in_range(d.expected[all], 10, SP_MOST_LAPS / 2);
        cb_nest_free(&d);
    }
}
