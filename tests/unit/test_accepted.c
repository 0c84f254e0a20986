/* SPDX-License-Identifier: Apache-2.0
 *
 * Accepted changes: which steps they are of, and the file when several write to it.
 */
#include "random_fixture.h"
#include "temp_folder.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <sys/wait.h>

#include "analysis/history/accept.h"
#include "analysis/history/steps.h"

#define N       80
#define WRITERS 6
#define LINES   20

/* ---- Which steps ----------------------------------------------------------------------------- */

static struct cb_step steps[N];
static struct cb_acceptance acceptance;

/* Values around 100, by up to `spread`, and around 100 + height from N / 2 on. */
static void make_step(double values[N], double spread, double height)
{
    for (int i = 0; i < N; i++)
        values[i] = 100 + spread * ((i * 7 % 11) / 5.0 - 1) + (i >= N / 2 ? height : 0);
}

/* Finds steps for the worse if `change` was accepted at value `at`; returns how many there are. */
static long accept_at(const double values[N], size_t at, double change)
{
    struct cb_claim claim = {&acceptance, at};
    struct cb_claims claims = {&claim, 1};
    acceptance = (struct cb_acceptance){.change = change, .grown_to = NAN};
    return cb_steps_find(values, N, true, &cb_change_rules, &claims, steps);
}

TEST(a_step_that_moved_a_little_stays_accepted)
{
    double values[N];
    make_step(values, 1, 10);
    for (size_t at = N / 2 - 7; at <= N / 2 + 7; at++) {
        const bool near = at + 5 >= N / 2 && at <= N / 2 + 5;
        assert_int_equal(accept_at(values, at, NAN), 1);
        assert_int_equal(steps[0].at, N / 2);
        assert_true(steps[0].worse);
        assert_ptr_equal(steps[0].accepted, near ? &acceptance : NULL);
        assert_int_equal(acceptance.changes, near);
    }
}

TEST(a_step_whose_place_is_vague_may_move_further)
{
    double values[N];
    make_step(values, 1, 0.9);
    assert_int_equal(accept_at(values, N / 2 + 7, NAN), 1);
    assert_ptr_equal(steps[0].accepted, &acceptance);
    assert_int_equal(accept_at(values, N - 3, NAN), 1);
    assert_null(steps[0].accepted);
}

TEST(a_step_for_the_better_is_never_accepted)
{
    double values[N];
    make_step(values, 1, -10);
    assert_int_equal(accept_at(values, N / 2, NAN), 1);
    assert_false(steps[0].worse);
    assert_null(steps[0].accepted);
}

TEST(a_step_that_has_grown_is_accepted_no_more)
{
    double values[N];
    make_step(values, 1, 10);
    assert_int_equal(accept_at(values, N / 2, 0.08), 1);
    assert_ptr_equal(steps[0].accepted, &acceptance);
    assert_true(isnan(acceptance.grown_to));
    assert_int_equal(accept_at(values, N / 2, 0.05), 1);
    assert_null(steps[0].accepted);
    assert_true(fabs(acceptance.grown_to - 0.1) < 0.01);
}

/* Two steps, of which one is accepted: the nearer one; the level between is as long as it is. */
TEST(the_nearest_step_is_meant)
{
    double values[N];
    make_step(values, 1, 10);
    for (int i = N / 2 + 5; i < N; i++)
        values[i] += 10;
    for (size_t at = N / 2 - 1; at <= N / 2 + 6; at++) {
        assert_int_equal(accept_at(values, at, NAN), 2);
        assert_int_equal(steps[0].at, N / 2);
        assert_int_equal(steps[1].at, N / 2 + 5);
        assert_int_equal(steps[0].after, 5);
        assert_int_equal(steps[1].before, 5);
        assert_int_equal(steps[0].accepted != NULL, at <= N / 2 + 2);
        assert_int_equal(steps[1].accepted != NULL, at >= N / 2 + 3);
    }
}

/* Accepted as soon as it is found, when the new level has few values, a step in noise stays so as
 * values arrive. Returns how often it counted again. */
static int watch(double height, int *looks)
{
    double values[N];
    size_t at = 0;
    double change = NAN;
    int again = 0;
    for (int i = 0; i < N; i++)
        values[i] = 100 + random_normal(&dice) + (i >= N / 2 ? height : 0);
    for (size_t n = N / 2 + 3; n <= N; n++) {
        struct cb_claim claim = {&acceptance, at};
        struct cb_claims claims = {&claim, at > 0};
        acceptance = (struct cb_acceptance){.change = change, .grown_to = NAN};
        const long found = cb_steps_find(values, n, true, &cb_change_rules, &claims, steps);
        *looks += at > 0;
        for (long i = 0; i < found; i++) {
            if (!steps[i].worse || steps[i].accepted)
                continue;
            again += at > 0;
            at = steps[i].at; /* accepted anew */
            change = steps[i].change.estimate;
        }
    }
    return again;
}

TEST(a_step_stays_accepted_as_runs_arrive)
{
    static const double heights[] = {1.5, 2, 3, 5, 10};
    int looks = 0, again = 0;
    seed_dice(1);
    for (size_t i = 0; i < CB_COUNTOF(heights); i++)
        for (int k = 0; k < 30; k++)
            again += watch(heights[i], &looks);
    print_message("%d of %d looks\n", again, looks);
    assert_true(looks > 3000);
    assert_true(again * 100 < looks);
}

/* ---- The file -------------------------------------------------------------------------------- */

static void write_many(const char *path, int writer)
{
    struct cb_err err;
    for (int i = 0; i < LINES; i++) {
        char line[64];
        snprintf(line, sizeof line, "case-%d-%02d@run time +1.0%% why", writer, i);
        if (cb_accepted_add(path, line, &err) != CB_OK)
            _exit(1);
    }
    _exit(0);
}

TEST_WITH(several_writers_lose_no_line, make_folder, remove_folder)
{
    char path[128];
    pid_t children[WRITERS];
    struct cb_err err;
    struct cb_accepted accepted = {0};
    snprintf(path, sizeof path, "%s/accepted.txt", folder);
    for (int i = 0; i < WRITERS; i++)
        if ((children[i] = fork()) == 0) {
            alarm(30);
            write_many(path, i);
        }
    for (int i = 0; i < WRITERS; i++) {
        int status = -1;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    assert_int_equal(cb_accepted_read(&accepted, path, &err), CB_OK);
    assert_int_equal(accepted.n, WRITERS * LINES);
    assert_null(accepted.warnings);
    for (int i = 0; i < accepted.n; i++) {
        assert_string_equal(accepted.items[i].why, "why");
        assert_true(fabs(accepted.items[i].change - 0.01) < 1e-9);
    }
    cb_accepted_free(&accepted);
}

TEST(it_lies_beside_the_runs)
{
    static const struct {
        const char *document, *path;
    } examples[] = {{"results/run/run.json", "results/accepted.txt"},
                    {"run/run.json.gz", "accepted.txt"},
                    {"run.json", "../accepted.txt"},
                    {"../run.json", "../../accepted.txt"},
                    {"/run/run.json", "/accepted.txt"},
                    {"./results/run/run.json", "./results/accepted.txt"}};
    char found[CB_ACCEPTED_PATH];
    for (size_t i = 0; i < CB_COUNTOF(examples); i++) {
        cb_accepted_beside(examples[i].document, found);
        assert_string_equal(found, examples[i].path);
    }
}
