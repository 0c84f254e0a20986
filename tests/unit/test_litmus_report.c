/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of litmus, from made-up runs.
 */
#include "litmus_fixture.h"

static void test_table(void **unused)
{
    (void)unused;
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
        " | chance of a miss |\n"
        "| --------------- | ---------- | ------- | --------: | --------: | ------- | "
        "--------------"
        " | ---------------: |\n"
        "| MP: r0=1 r1=0   | workgroups | relaxed |     10000 |        10 | yes     | weak, "
        "allowed "
        " |                - |\n"
        "| MP: r0=1 r1=0   | workgroups | fences  |     10000 |         0 | no      | as promised  "
        " "
        " |          4.5e-05 |\n"
        "| MP: r0=1 r1=0   | workgroups | acqrel  |         - |         - | no      | FORBIDDEN "
        "SEEN"
        " |                - |\n"
        "| LB: r0=1 r1=1   | workgroups | relaxed |     10000 |         0 | yes     | as promised  "
        " "
        " |                - |\n"
        "| LB: r0=1 r1=1   | workgroups | acqrel  |     10000 |         0 | no      | as promised  "
        " "
        " |        not known |\n"
        "| SB: r0=0 r1=0   | workgroups | acqrel  |     10000 |        25 | yes     | weak, "
        "allowed "
        " |                - |\n"
        "| CoRR: r0=1 r1=0 | workgroups | relaxed |     10000 |         0 | no      | as promised  "
        " "
        " |                - |\n"
        "| S: r0=1 x=2     | subgroups  | acqrel  |         - |         - | no      | unsupported  "
        " "
        " |                - |\n"
        "\nMutation score: the tests can see reorderings of 1 of 2 kinds here.\n"
        "Chance of a miss: that the ordered test would not have shown what it forbids, if the "
        "device did it\nas often as in the relaxed one; not known where that has not shown it.\n");
}

/* The mutant of another scope says nothing. */
static void test_scopes(void **unused)
{
    (void)unused;
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
                                 "| no      | as promised   |          < 1e-09 |\n"));
    assert_non_null(strstr(text, "| MP: r0=1 r1=0 | workgroups | acqrel  |     10000 |         0 "
                                 "| no      | as promised   |        not known |\n"));
    free(text);
    cJSON_Delete(run);
}

static void test_nothing(void **unused)
{
    (void)unused;
    assert_report(new_run(), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_scopes),
        cmocka_unit_test(test_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
