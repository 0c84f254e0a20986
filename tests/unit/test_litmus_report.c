/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of litmus, from made-up runs.
 */
#include "litmus_fixture.h"
#include "probes/litmus/axioms.h"
#include "table_fixture.h"
#include "tests/unit/unit.h"

TEST(table)
{
    cJSON *run = new_run();
    add_row(run, "MP", "workgroups", "relaxed", 1, 0);
    add_row(run, "MP", "workgroups", "fences", 0, 0);
    make_failed(add_row(run, "MP", "workgroups", "acqrel", 0, 0), "verify_failed");
    add_row(run, "LB", "workgroups", "relaxed", 0, 0);
    add_row(run, "LB", "workgroups", "acqrel", 0, 0);
    add_row(run, "SB", "workgroups", "acqrel", 2.5, 0);
    add_row(run, "CoRR", "workgroups", "relaxed", 0, 0);
    make_failed(add_row(run, "S", "subgroups", "acqrel", 0, 0), "unsupported");
    char *text = report_of(run);
    static const struct {
        const char *row, *instances, *seen, *allowed, *verdict, *missed;
    } rows[] = {
        {"MP: r0=1 r1=0 | workgroups | relaxed", "10000", "10", "yes", "weak, allowed", "-"},
        {"MP: r0=1 r1=0 | workgroups | fences", "10000", "0", "no", "as promised", "1.4e-06"},
        {"MP: r0=1 r1=0 | workgroups | acqrel", "-", "-", "no", "FORBIDDEN SEEN", "-"},
        {"LB: r0=1 r1=1 | workgroups | relaxed", "10000", "0", "yes", "as promised", "-"},
        {"LB: r0=1 r1=1 | workgroups | acqrel", "10000", "0", "no", "as promised", "not known"},
        {"SB: r0=0 r1=0 | workgroups | acqrel", "10000", "25", "yes", "weak, allowed", "-"},
        {"CoRR: r0=1 r1=0 | workgroups | relaxed", "10000", "0", "no", "as promised", "no mutant"},
        {"S: r0=1 x=2 | subgroups | acqrel", "-", "-", "no", "unsupported", "-"},
    };
    assert_int_equal(count_rows(text, ""), CB_COUNTOF(rows));
    for (size_t i = 0; i < CB_COUNTOF(rows); i++)
        assert_row(text, rows[i].row, "instances", rows[i].instances, "weak seen", rows[i].seen,
                   "allowed", rows[i].allowed, "verdict", rows[i].verdict, "missed, at most",
                   rows[i].missed);
    assert_string_equal(
        after(text, "\n\nMutation score: "),
        "1 of 2 mutants showed their weak outcome here; 1 in so many of them (by sample) that as "
        "many more\nshow it again with a chance of 95 %. Mutants: tests with a weaker order, on "
        "one "
        "side or both, that\nallows what a stronger one forbids, in each scope; of coherence "
        "(tests "
        "Co..), those whose accesses are\nreversed.\nMissed, at most: the chance that no sample of "
        "the test shows what it forbids, if the device does it\nin as large a share of them as in "
        "its rarest mutant: the lower end of that share's 95 % interval.\nNot known where a mutant "
        "has not shown it.\n");
    free(text);
}

/* The mutant of another scope says nothing. */
TEST(scopes)
{
    cJSON *run = new_run();
    add_row(run, "MP", "subgroups", "relaxed", 900, 0);
    add_row(run, "MP", "workgroups", "relaxed", 0, 0);
    add_row(run, "MP", "subgroups", "acqrel", 0, 0);
    add_row(run, "MP", "workgroups", "acqrel", 0, 0);
    char *text = report_of(run);
    assert_row(text, "MP: r0=1 r1=0 | subgroups | acqrel", "weak seen", "0", "verdict",
               "as promised", "missed, at most", "1.4e-06");
    assert_row(text, "MP: r0=1 r1=0 | workgroups | acqrel", "weak seen", "0", "verdict",
               "as promised", "missed, at most", "not known");
    free(text);
}

/* Many weak instances in few samples are few. */
TEST(correlated)
{
    cJSON *run = new_run();
    add_correlated(run, "relaxed");
    add_correlated(run, "fences");
    add_launches(add_row(run, "LB", "workgroups", "relaxed", 100, 0), 100, 1);
    add_launches(add_row(run, "LB", "workgroups", "fences", 0, 0), 100, 0);
    char *text = report_of(run);
    assert_row(text, "S: r0=1 x=2 | subgroups | fences", "weak seen", "0", "verdict", "as promised",
               "missed, at most", "0.43");
    assert_row(text, "LB: r0=1 r1=1 | workgroups | fences", "weak seen", "0", "verdict",
               "as promised", "missed, at most", "0.0043");
    free(text);
}

/* A row without all turns is no proof, and says which did not come and why. */
TEST(turns)
{
    cJSON *run = new_run();
    struct cb_litmus_outcome outcomes[CB_LITMUS_OUTCOMES];
    unsigned all = (1u << cb_litmus_outcomes(CB_LITMUS_C11, cb_litmus_test_named("MP"),
                                             CB_LITMUS_FENCES, CB_LITMUS_WORKGROUPS, outcomes)) -
                   1,
             reader_first = 0, between = 0;
    for (unsigned i = 0; all >> i; i++) {
        reader_first |= outcomes[i].first == 2 ? 1u << i : 0;
        between |= outcomes[i].sequential && outcomes[i].first == 0 ? 1u << i : 0;
    }
    cJSON *mutant = add_row(run, "MP", "workgroups", "relaxed", 10, 0);
    add_launches(mutant, 10, 10);
    static const char *const forms[][2] = {
        {"workgroups", "fences"}, {"workgroups", "acqrel"}, {"subgroups", "acqrel"}};
    const unsigned came[] = {all, all & ~reader_first, all & ~between};
    for (size_t i = 0; i < CB_COUNTOF(forms); i++) {
        cJSON *row = add_row(run, "MP", forms[i][0], forms[i][1], 0, 0);
        add_launches(row, 10, 0);
        add_outcomes(row, came[i]);
    }
    char *text = report_of(run);
    assert_row(text, "MP: r0=1 r1=0 | workgroups | relaxed", "turns", "-", "verdict",
               "weak, allowed");
    assert_row(text, "MP: r0=1 r1=0 | workgroups | fences", "turns", "3 of 3", "verdict",
               "as promised", "missed, at most", "< 1e-09");
    assert_row(text, "MP: r0=1 r1=0 | workgroups | acqrel", "turns", "2 of 3", "verdict",
               "NO PROOF", "missed, at most", "not known");
    assert_row(text, "MP: r0=1 r1=0 | subgroups | acqrel", "turns", "2 of 3", "verdict", "NO PROOF",
               "missed, at most", "no mutant");
    assert_non_null(strstr(text, "- MP, workgroups, acqrel: r0=0 r1=0 never came in 100 launches, "
                                 "so that at most 3 % have it: thread 2 never came first.\n"));
    assert_non_null(strstr(text,
                           "- MP, subgroups, acqrel: r0=0 r1=1 never came in 100 launches, so "
                           "that at most 3 % have it: no thread came between the accesses of "
                           "another.\n"));
    free(text);
}

/* The mutant that shows least decides: one side alone may go unseen. */
TEST(one_side)
{
    cJSON *run = new_run();
    add_launches(add_row(run, "MP", "workgroups", "relaxed", 10, 0), 100, 100);
    add_launches(add_row(run, "MP", "workgroups", "release", 10, 0), 100, 0.1);
    add_launches(add_row(run, "MP", "workgroups", "acqrel", 0, 0), 100, 0);
    add_launches(add_row(run, "MP", "workgroups", "fences", 0, 0), 100, 0);
    add_launches(add_row(run, "CoRR", "workgroups", "reversed", 10, 0), 100, 100);
    add_launches(add_row(run, "CoRR", "workgroups", "relaxed", 0, 0), 100, 0);
    add_launches(add_row(run, "S", "workgroups", "acquire", 0, 0), 100, 0);
    add_launches(add_row(run, "S", "workgroups", "acqrel", 0, 0), 100, 0);
    char *text = report_of(run);
    assert_row(text, "MP: r0=1 r1=0 | workgroups | acqrel", "missed, at most", "0.95");
    assert_row(text, "MP: r0=1 r1=0 | workgroups | fences", "missed, at most", "< 1e-09");
    assert_row(text, "CoRR: r0=1 r1=0 | workgroups | relaxed", "missed, at most", "< 1e-09");
    assert_row(text, "S: r0=1 x=2 | workgroups | acqrel", "missed, at most", "not known");
    assert_non_null(strstr(text, "Mutation score: 3 of 4 mutants showed their weak outcome here; 2 "
                                 "in so many of them (by launch)"));
    free(text);
}

TEST(nothing)
{
    assert_report(new_run(), "");
}
