/* SPDX-License-Identifier: Apache-2.0
 *
 * Clauses of launch's survey propagation: files, those that are wrong with their messages; surveys
 * and decimation of known formulas.
 */
#include "temp_folder.h"
#include "tests/unit/unit.h"

#include "apps/nested/programs/clauses.h"
#include "apps/nested/programs/programs.h"
#include "apps/nested/programs/sid_abi.h"
#include "apps/nested/programs/sid_reference.h"
#include "apps/nested/programs/sp_reference.h"

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

/* ---- Decimation ------------------------------------------------------------------------------ */

/* What decimation begins with; NULL: an input of this size. */
static void take_clauses(const char *text, enum cb_launch_size size, struct cb_nest_data *d)
{
    struct cb_err err;
    const char *path = text ? write_file(text) : NULL;
    if (cb_nest_make(cb_nest_program_of("sid"), size, path, d, &err) != CB_OK)
        fail_msg("%s", err.text);
}

/* A run on the host, to be freed. */
static uint32_t *run_on_host(const struct cb_nest_data *d)
{
    uint32_t *words = malloc(d->n_words * sizeof *words);
    assert_true(words && cb_sid_run(d, words));
    return words;
}

static void has_end(const char *text, const char *end)
{
    struct cb_nest_data d;
    char why[CB_NEST_WHY] = "";
    take_clauses(text, CB_LAUNCH_SMALL, &d);
    uint32_t *words = run_on_host(&d);
    assert_true(cb_sid_check(&d, words, CB_SURVEYS_TOLERANCE, why));
    assert_string_equal(why, end);
    free(words);
    cb_nest_free(&d);
}

TEST_WITH(ends, make_folder, remove_folder)
{
    has_end("p cnf 3 3\n1 0\n-1 -2 0\n2 3 0\n",
            "decimations: 1; fixed: 3 of 3 variables; left: 0 of 3 clauses; all are satisfied");
    /* A tree that warns nobody. */
    has_end("p cnf 3 2\n1 2 0\n-2 3 0\n",
            "decimations: 0; fixed: 0 of 3 variables; left: 2 of 2 clauses; no variable is biased");
    has_end("p cnf 2 3\n1 0\n-1 0\n1 2 0\n",
            "decimations: 1; fixed: 1 of 2 variables; left: 1 of 3 clauses; a contradiction");
    has_end("p cnf 2 0\n",
            "decimations: 0; fixed: 0 of 2 variables; left: 0 of 0 clauses; all are satisfied");
    /* Two that warn each other in turn. */
    has_end("p cnf 5 19\n-4 -2 3 0 -1 3 -4 0 -3 -1 4 0 5 3 -4 0 -5 4 2 0 2 3 1 0 1 -2 -3 0\n"
            "-3 1 4 0 -2 -3 -4 0 -1 5 2 0 3 -2 5 0 -1 5 -2 0 4 3 -5 0 -3 1 -5 0 2 -3 -5 0\n"
            "5 -4 2 0 1 5 -4 0 -3 -1 -2 0 2 -4 3 0\n",
            "decimations: 0; fixed: 0 of 5 variables; left: 19 of 19 clauses; surveys do not rest");
}

TEST_WITH(biases, make_folder, remove_folder)
{
    static const double expected[] = {1, -1, 1};
    struct cb_nest_data d;
    struct cb_surveys s;
    double weight;
    take_clauses("p cnf 3 3\n1 0\n-1 -2 0\n2 3 0\n", CB_LAUNCH_SMALL, &d);
    assert_true(cb_surveys_begin(&s, &d, d.words));
    assert_true(cb_surveys_follow(&s, SP_CRITERION, SP_MOST_LAPS));
    for (uint32_t v = 0; v < 3; v++) {
        assert_float_equal(cb_surveys_bias(&s, v, &weight), expected[v], 1e-9);
        assert_float_equal(weight, 1, 1e-9);
    }
    /* The wrong way round: the first clause has no literal, and the second one needs nobody. */
    cb_surveys_fix(&s, 0, true);
    assert_true(cb_surveys_follow(&s, SP_CRITERION, s.laps + 10));
    assert_float_equal(cb_surveys_bias(&s, 1, &weight), 0, 1e-9);
    /* 2 is false: only 3 is left to the third. */
    cb_surveys_fix(&s, 1, true);
    assert_true(cb_surveys_follow(&s, SP_CRITERION, s.laps + 10));
    assert_float_equal(cb_surveys_bias(&s, 2, &weight), 1, 1e-9);
    cb_surveys_end(&s);
    cb_nest_free(&d);
}

/* The check finds what is wrong with one word. */
static void finds(const struct cb_nest_data *d, uint32_t *words, uint32_t at, uint32_t wrong,
                  const char *message)
{
    const uint32_t right = words[at];
    char why[CB_NEST_WHY] = "";
    words[at] = wrong;
    if (cb_sid_check(d, words, CB_SURVEYS_TOLERANCE, why) || !strstr(why, message))
        fail_msg("\"%s\" instead of \"%s\"", why, message);
    words[at] = right;
    assert_true(cb_sid_check(d, words, CB_SURVEYS_TOLERANCE, why));
}

TEST(wrong_decimation)
{
    struct cb_nest_data d;
    take_clauses(NULL, CB_LAUNCH_SMALL, &d);
    uint32_t *words = run_on_host(&d);
    const uint32_t all = d.begins[d.parents], laps = words[sid_laps(all)],
                   log = sid_log(all, d.n, d.parents), fixed = sid_fixed(all, d.n);
    uint32_t decimating = 1, variable = 0, rest = 0, warning;
    while (words[log + decimating - 1] != SID_AT_REST)
        decimating++;
    while (SID_LAP(words[fixed + variable]) != decimating)
        variable++;
    while (words[fixed + rest] != SID_FREE)
        rest++;
    for (warning = d.begins[rest]; words[warning] == 0; warning++)
        ;
    finds(&d, words, sid_laps(all), laps - 1, "too early");
    finds(&d, words, sid_laps(all), laps + 1, "follows the end");
    finds(&d, words, sid_laps(all), UINT32_MAX, "there are 4294967295 laps");
    finds(&d, words, log, SID_AT_REST, "lap 0 is at rest after a largest change of");
    finds(&d, words, log, 7, "lap 0 propagates, but 7 is its log");
    finds(&d, words, log + decimating - 1, SID_CHANGES, "is not at rest after a largest change of");
    finds(&d, words, log + decimating, cb_nest_bits(0.98f), "the largest bias is 0.98 instead of");
    finds(&d, words, log + laps - 1, cb_nest_bits(0.2f), "the largest bias is 0.2 instead of");
    finds(&d, words, fixed + variable, words[fixed + variable] ^ 1, "is fixed against its sign");
    finds(&d, words, fixed + variable, SID_FREE, "is not fixed");
    finds(&d, words, fixed + rest, SID_FIXED(decimating, 0), "is fixed, with a bias of");
    finds(&d, words, fixed + rest, SID_FIXED(decimating - 1, 0), "but 29 by decimation");
    finds(&d, words, sid_left(all) + 5, 4, "clause 5 has 4 literals left");
    finds(&d, words, sid_contradictions(all), 2, "2 clauses have no literal left instead of 0");
    finds(&d, words, warning, cb_nest_bits(0.5f), "is 0.5 instead of");
    free(words);
    cb_nest_free(&d);
}

/* Too many clauses for their variables. */
TEST_WITH(roundings, make_folder, remove_folder)
{
    struct cb_clauses c;
    struct cb_nest_data d;
    struct cb_err err;
    char text[5000] = "p cnf 50 250\n";
    assert_int_equal(cb_clauses_draw(50, 250, 1, &c, &err), CB_OK);
    for (uint32_t i = 0; i < c.begins[c.n]; i++)
        sprintf(text + strlen(text), "%s%u%s", c.literals[i] & 1 ? "-" : "",
                (c.literals[i] >> 1) + 1, i % 3 == 2 ? " 0\n" : " ");
    cb_clauses_free(&c);
    assert_int_equal(
        cb_nest_make(cb_nest_program_of("sid"), CB_LAUNCH_SMALL, write_file(text), &d, &err),
        CB_USAGE);
    assert_non_null(strstr(err.text, "formula.cnf: roundings decide what decimation makes of"));
    cb_nest_free(&d);
}

/* The inputs of all sizes but the large one end where no variable is biased, with some fixed. */
TEST(decimated_inputs)
{
    for (enum cb_launch_size size = CB_LAUNCH_SMALL; size < CB_LAUNCH_LARGE; size++) {
        struct cb_nest_data d;
        char why[CB_NEST_WHY] = "";
        uint32_t decimations, variables;
        take_clauses(NULL, size, &d);
        uint32_t *words = run_on_host(&d);
        assert_true(cb_sid_check(&d, words, CB_SURVEYS_TOLERANCE / 10, why));
        assert_non_null(strstr(why, "no variable is biased"));
        assert_int_equal(sscanf(why, "decimations: %u; fixed: %u", &decimations, &variables), 2);
        assert_in_range(decimations, 5, 100);
        assert_in_range(variables, d.parents / 10, d.parents / 2);
        free(words);
        cb_nest_free(&d);
    }
}
