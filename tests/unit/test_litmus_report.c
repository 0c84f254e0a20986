/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of litmus, from made-up runs.
 */
#include "litmus_fixture.h"
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
    assert_report(
        run,
        "\nGPU\n\n"
        "| test            | scope      | order   | instances | weak seen | allowed | verdict      "
        " "
        " | missed, at most |\n"
        "| --------------- | ---------- | ------- | --------: | --------: | ------- | "
        "--------------"
        " | --------------: |\n"
        "| MP: r0=1 r1=0   | workgroups | relaxed |     10000 |        10 | yes     | weak, "
        "allowed "
        " |               - |\n"
        "| MP: r0=1 r1=0   | workgroups | fences  |     10000 |         0 | no      | as promised  "
        " "
        " |         1.4e-06 |\n"
        "| MP: r0=1 r1=0   | workgroups | acqrel  |         - |         - | no      | FORBIDDEN "
        "SEEN"
        " |               - |\n"
        "| LB: r0=1 r1=1   | workgroups | relaxed |     10000 |         0 | yes     | as promised  "
        " "
        " |               - |\n"
        "| LB: r0=1 r1=1   | workgroups | acqrel  |     10000 |         0 | no      | as promised  "
        " "
        " |       not known |\n"
        "| SB: r0=0 r1=0   | workgroups | acqrel  |     10000 |        25 | yes     | weak, "
        "allowed "
        " |               - |\n"
        "| CoRR: r0=1 r1=0 | workgroups | relaxed |     10000 |         0 | no      | as promised  "
        " "
        " |       no mutant |\n"
        "| S: r0=1 x=2     | subgroups  | acqrel  |         - |         - | no      | unsupported  "
        " "
        " |               - |\n"
        "\nMutation score: 1 of 2 mutants showed their weak outcome here. Mutants: MP, LB and S "
        "with "
        "both\nsides relaxed, in each scope. One side alone, and coherence (tests Co..), have "
        "none.\n"
        "Missed, at most: the chance that no sample of the ordered test shows what it forbids, if "
        "the device\ndoes it in as large a share of them as in the mutant: the lower end of that "
        "share's 95 % interval.\nNot known where the mutant has not shown it.\n");
}

/* The mutant of another scope says nothing. */
TEST(scopes)
{
    char *text = NULL;
    size_t size = 0;
    cJSON *run = new_run();
    add_row(run, "MP", "subgroups", "relaxed", 900, 0);
    add_row(run, "MP", "workgroups", "relaxed", 0, 0);
    add_row(run, "MP", "subgroups", "acqrel", 0, 0);
    add_row(run, "MP", "workgroups", "acqrel", 0, 0);
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    the_bench()->report(out, run);
    fclose(out);
    assert_non_null(strstr(text, "| MP: r0=1 r1=0 | subgroups  | acqrel  |     10000 |         0 "
                                 "| no      | as promised   |         1.4e-06 |\n"));
    assert_non_null(strstr(text, "| MP: r0=1 r1=0 | workgroups | acqrel  |     10000 |         0 "
                                 "| no      | as promised   |       not known |\n"));
    free(text);
    cJSON_Delete(run);
}

/* Many weak instances in few samples are few. */
TEST(correlated)
{
    char *text = NULL;
    size_t size = 0;
    cJSON *run = new_run();
    add_correlated(run, "relaxed");
    add_correlated(run, "fences");
    add_launches(add_row(run, "LB", "workgroups", "relaxed", 100, 0), 100, 1);
    add_launches(add_row(run, "LB", "workgroups", "fences", 0, 0), 100, 0);
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    the_bench()->report(out, run);
    fclose(out);
    assert_non_null(strstr(text, "| S: r0=1 x=2   | subgroups  | fences  |     33000 |         0 | "
                                 "no      | as promised   |            0.43 |\n"));
    assert_non_null(strstr(text, "| LB: r0=1 r1=1 | workgroups | fences  |     10000 |         0 | "
                                 "no      | as promised   |          0.0043 |\n"));
    free(text);
    cJSON_Delete(run);
}

TEST(nothing)
{
    assert_report(new_run(), "");
}
