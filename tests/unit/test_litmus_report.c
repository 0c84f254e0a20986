/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of litmus, from made-up runs.
 */
#include "litmus_fixture.h"
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
        "1 of 2 mutants showed their weak outcome here. Mutants: tests that only\nrelaxed "
        "accesses allow, in each scope. One side alone, and coherence (tests Co..), have none.\n"
        "Missed, at most: the chance that no sample of the ordered test shows what it forbids, if "
        "the device\ndoes it in as large a share of them as in the mutant: the lower end of that "
        "share's 95 % interval.\nNot known where the mutant has not shown it.\n");
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

TEST(nothing)
{
    assert_report(new_run(), "");
}
