/* SPDX-License-Identifier: Apache-2.0
 *
 * Workgroups that run at once alone and beside neighbours: picture, table and sentence, from
 * made-up runs.
 */
#define BENCH "discover"
#include "findings_fixture.h"
#include "tests/unit/unit.h"

#include "analysis/documents/beside.h"

#define HEADER                                                                                     \
    "# slot\tneighbour_number\tdevice\tconfiguration\tbeside\tgroups_alone\tgroups_bound"          \
    "\tgroups_found_median\tgroups_found_min\tgroups_found_max\tgroups_safe\theadroom\n"

static cJSON *set_beside(cJSON *row, const char *beside)
{
    if (*beside)
        cJSON_AddStringToObject(row, "beside", beside);
    return row;
}

static void add_found(cJSON *row, double low, double median, double high)
{
    cJSON *metric = add_metric(row, "groups_found", median);
    set_statistic(set_statistic(metric, "min", low), "max", high);
}

/* The bound of a size, what lockfree found of it, and another protocol, whose numbers nobody asks
 * for. configuration: "wg=64", or a microbenchmark. */
static void add_size(cJSON *run, const char *device, const char *beside, const char *configuration,
                     double wg, double bound, double low, double high)
{
    char id[96], micro[48] = "";
    if (configuration[0] != 'w')
        snprintf(micro, sizeof micro, " microbenchmark=%s", configuration);
    snprintf(id, sizeof id, "bound/%s/beside=%s", configuration, beside);
    cJSON *row = add_case(run, device, id, "protocol=bound wg-size=%g local_bytes=1%s", wg, micro);
    add_metric(set_beside(row, beside), "groups_bound", bound);
    snprintf(id, sizeof id, "ticket/%s/beside=%s", configuration, beside);
    row = add_case(run, device, id, "protocol=ticket delay=adaptive wg-size=%g local_bytes=1%s", wg,
                   micro);
    add_found(set_beside(row, beside), 1, 1, 1);
    snprintf(id, sizeof id, "lockfree/%s/beside=%s", configuration, beside);
    row = add_case(run, device, id, "protocol=lockfree wg-size=%g local_bytes=1%s", wg, micro);
    add_found(set_beside(row, beside), low, high, high);
}

static void add_headroom(cJSON *run, const char *beside, double low, double high, double safe)
{
    char id[96];
    snprintf(id, sizeof id, "headroom/wg=1024/0.99/beside=%s", beside);
    cJSON *row = add_case(run, "d", id, "headroom=0.99 wg-size=1024 local_bytes=1");
    add_found(set_beside(row, beside), low, high, high);
    add_metric(row, "groups_safe", safe);
}

static cJSON *measured(void)
{
    cJSON *run = new_run();
    add_size(run, "d", "", "wg=64", 64, 4224, 4224, 4224);
    add_size(run, "d", "", "wg=1024", 1024, 264, 264, 264);
    add_size(run, "d", "grid", "wg=64", 64, 4000, 3900, 3950);
    add_size(run, "d", "grid", "wg=1024", 1024, 198, 198, 198);
    add_headroom(run, "grid", 170, 198, 190);
    add_size(run, "d", "process", "wg=64", 64, 4224, 4224, 4224);
    add_size(run, "d", "process", "wg=1024", 1024, 924, 264, 264);
    return run;
}

TEST(a_block_for_what_is_beside_and_a_row_for_a_size)
{
    cJSON *run = measured();
    add_size(run, "e", "", "wg=64", 64, 8, 8, 8); /* a device without neighbours has no row */
    assert_figure("beside", HEADER, &run, 1, 6,
                  "0\t0\t\"GPU\"\t\"64\"\t\"alone\"\t4224\t4224\t4224\t4224\t4224\tNaN\tNaN\n"
                  "1\t0\t\"GPU\"\t\"1024\"\t\"alone\"\t264\t264\t264\t264\t264\tNaN\tNaN\n"
                  "\n\n"
                  "0\t1\t\"GPU\"\t\"64\"\t\"grid\"\t4224\t4000\t3950\t3900\t3950\tNaN\tNaN\n"
                  "1\t1\t\"GPU\"\t\"1024\"\t\"grid\"\t264\t198\t198\t170\t198\t190\t0.99\n"
                  "\n\n"
                  "0\t2\t\"GPU\"\t\"64\"\t\"process\"\t4224\t4224\t4224\t4224\t4224\tNaN\tNaN\n"
                  "1\t2\t\"GPU\"\t\"1024\"\t\"process\"\t264\t924\t264\t264\t264\tNaN\tNaN\n");
}

/* Of two devices the second has a gap before it; without sizes, microbenchmarks are drawn. */
TEST(microbenchmarks_and_two_devices)
{
    cJSON *run = new_run();
    add_size(run, "d", "", "11", 1, 4224, 4224, 4224);
    add_size(run, "d", "copy", "11", 1, 4224, 4000, 4224);
    add_size(run, "e", "", "LW", 4096, 8, 8, 8);
    add_size(run, "e", "copy", "LW", 4096, 8, 7, 8);
    assert_figure("beside", HEADER, &run, 1, 4,
                  "0\t0\t\"GPU\"\t\"11\"\t\"alone\"\t4224\t4224\t4224\t4224\t4224\tNaN\tNaN\n"
                  "2\t0\t\"CPU\"\t\"LW\"\t\"alone\"\t8\t8\t8\t8\t8\tNaN\tNaN\n"
                  "\n\n"
                  "0\t1\t\"GPU\"\t\"11\"\t\"copy\"\t4224\t4224\t4224\t4000\t4224\tNaN\tNaN\n"
                  "2\t1\t\"CPU\"\t\"LW\"\t\"copy\"\t8\t8\t8\t7\t8\tNaN\tNaN\n");
}

TEST(no_picture_of_one_kind)
{
    cJSON *alone = new_run(), *beside = new_run();
    add_size(alone, "d", "", "wg=64", 64, 8, 8, 8);
    add_size(beside, "d", "grid", "wg=64", 64, 8, 8, 8);
    assert_figure("beside", HEADER, &alone, 1, 0, "");
    assert_figure("beside", HEADER, &beside, 1, 0, "");
}

/* ---- The table ------------------------------------------------------------------------------- */

static void assert_told(const cJSON *run, const char *expected)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    the_bench()->report_besides(out, run);
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
}

TEST(the_table_has_a_column_for_what_is_beside)
{
    cJSON *run = measured();
    assert_told(run,
                "\nWorkgroups that run at once, alone and beside (GPU):\n\n"
                "| configuration | alone |                             grid |         process |\n"
                "| ------------- | ----: | -------------------------------: | --------------: |\n"
                "| 64 items      |  4224 |        4000 (found 3900 to 3950) |            4224 |\n"
                "| 1024 items    |   264 | 198 (found 170 to 198, safe 190) | 924 (found 264) |\n");
    cJSON_Delete(run);
    run = new_run();
    add_size(run, "d", "grid", "wg=64", 64, 8, 8, 8);
    assert_told(run, ""); /* there is nothing next to it */
    cJSON_Delete(run);
}

/* ---- The sentence ---------------------------------------------------------------------------- */

/* The findings that compare, as lines. */
static void assert_compared(cJSON *run, const char *expected)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    cJSON *findings = cb_findings_of(run, the_bench()), *finding;
    assert_non_null(out);
    cJSON_ArrayForEach (finding, findings)
        if (strcmp(cb_json_text(finding, "id", ""), "beside") == 0)
            fprintf(out, "%s\n", cb_json_text(finding, "text", ""));
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
    cJSON_Delete(findings);
    cJSON_Delete(run);
}

TEST(what_is_lost_most_of_is_told)
{
    assert_compared(measured(),
                    "Beside grid: 66 workgroups fewer of 1024 work-items run at once (198 of "
                    "264).\n"
                    "Beside process: 924 workgroups of 1024 work-items seem to run at once, where "
                    "264 do alone: the device swaps them out and in, and nobody can count on more "
                    "than 264.\n");
}

TEST(as_many_as_alone)
{
    cJSON *run = new_run();
    add_size(run, "d", "", "wg=64", 64, 8, 8, 8);
    add_size(run, "d", "copy", "wg=64", 64, 8, 2, 8); /* fewer are found: that is recall */
    assert_compared(run, "Beside copy: As many workgroups run at once as alone (1 "
                         "configuration).\n");
}

/* Without bounds, what was found tells if no launch alone found so few. */
TEST(without_bounds)
{
    static const struct {
        double low, high;
        const char *text;
    } rows[] = {
        {4, 5, "Beside copy: 3 workgroups fewer of 1 work-item run at once (5 of 8).\n"},
        {4, 6, "Beside copy: As many workgroups run at once as alone (1 configuration).\n"}};
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        cJSON *run = new_run();
        add_found(add_case(run, "d", "lockfree/11", "protocol=lockfree wg-size=1 local_bytes=1"), 6,
                  8, 8);
        add_found(set_beside(add_case(run, "d", "lockfree/11/beside=copy",
                                      "protocol=lockfree wg-size=1 local_bytes=1"),
                             "copy"),
                  rows[i].low, rows[i].high, rows[i].high);
        assert_compared(run, rows[i].text);
    }
}

TEST(nothing_alone_is_no_comparison)
{
    cJSON *run = new_run();
    add_size(run, "d", "grid", "wg=64", 64, 5, 5, 5);
    assert_compared(run, "");
    run = measured(); /* what others disturbed is none, either */
    cJSON *row;
    cJSON_ArrayForEach (row, cJSON_GetObjectItem(run, "cases"))
        if (!cJSON_HasObjectItem(row, "beside"))
            cJSON_AddNumberToObject(cJSON_AddObjectToObject(row, "disturbed"), "share", 0.5);
    assert_compared(run, "");
}
