/* SPDX-License-Identifier: Apache-2.0
 *
 * The data files of the discover benchmark's pictures, from a made-up run of two devices: a GPU
 * whose bound varies and a CPU whose bound is 8.
 */
#define BENCH "discover"
#include "bench_fixture.h"
#include "tests/unit/unit.h"

#include "analysis/documents/document.h"
#include "runtime/host/files.h"

static cJSON *fixture(void)
{
    char *text = NULL;
    struct cb_err err;
    if (cb_read_file(COOPBENCH_TEST_DIR "/fixtures/run_two_devices.json", &cb_run_file, &text,
                     &err) != CB_OK)
        fail_msg("%s", err.text);
    cJSON *run = cJSON_Parse(text);
    free(text);
    assert_non_null(run);
    return run;
}

static void assert_has(const char *data, const char *text)
{
    if (!strstr(data, text))
        fail_msg("missing:\n%s\nin:\n%s", text, data);
}

static void assert_lacks(const char *data, const char *text)
{
    if (strstr(data, text))
        fail_msg("unexpected:\n%s\nin:\n%s", text, data);
}

static int count(const char *data, const char *text)
{
    int n = 0;
    for (const char *at = data; (at = strstr(at, text)); at += strlen(text))
        n++;
    return n;
}

TEST(fig7_has_a_row_per_microbenchmark_and_a_block_per_device)
{
    cJSON *run = fixture();
    int points = 0;
    char *data = data_of("fig7", &run, 1, &points);
    assert_int_equal(points, 2 * 4 * 3);
    assert_int_equal(count(data, "\n\n\n"), 1);
    assert_has(data, "# slot\tdevice\tmicrobenchmark\tcompute_units\tgroups_bound\t"
                     "compute_units_percent\tspin_percent\tspin_stddev\tticket_percent\t"
                     "ticket_stddev\tlockfree_percent\tlockfree_stddev\tlock_delays\n");
    assert_has(data, "\n0\t\"NVIDIA H200 (fixture)\"\t\"11\"\t132\t4224\t3.125\t1.94981\t0.506691\t"
                     "100\t0\t100\t0\t\"delay 0\"\n");
    assert_has(data, "\n5\t\"cpu-fixture-Intel Xeon Processor\"\t\"11\"\t8\t8\t100\t");
    free(data);
    cJSON_Delete(run);
}

TEST(fig8_has_a_point_per_bound)
{
    cJSON *run = fixture();
    int points = 0;
    char *data = data_of("fig8", &run, 1, &points);
    /* the GPU's sizes have 9 bounds; the CPU's 5 have one, and one of them has no time for the spin
     * lock */
    assert_int_equal(points, 3 * 9 + 3 * 5 - 1);
    assert_int_equal(count(data, "\n\n\n"), 5);
    assert_has(data, "\n0\t1\t\"NVIDIA H200 (fixture)\"\t\"ticket\"\t640\t396\t396\t8.93725e+06\t"
                     "8.8561e+06\t9.0164e+06\t\"delay 0\"\n"
                     "0\t1\t\"NVIDIA H200 (fixture)\"\t\"ticket\"\t448\t528\t528\t9.74514e+06\t");
    assert_lacks(data, "\"spin\"\t64\t8\t");
    assert_lacks(data, "\t8192\t"); /* was unsupported */
    free(data);
    cJSON_Delete(run);
}

TEST(fig8_draws_the_median_of_the_sizes_that_share_a_bound)
{
    cJSON *run = fixture();
    int points = 0;
    char *data = data_of("fig8", &run, 1, &points);
    /* of three sizes, 32's time is between those of 8 and 64; of two, 448's is the lower */
    assert_has(data, "\"ticket\"\t32\t4224\t");
    assert_lacks(data, "\"ticket\"\t8\t4224\t");
    assert_lacks(data, "\"ticket\"\t64\t4224\t");
    assert_has(data, "\"ticket\"\t448\t528\t");
    assert_lacks(data, "\"ticket\"\t512\t528\t");
    assert_has(data, "\"spin\"\t64\t4224\t"); /* a choice of each protocol */
    free(data);
    cJSON_Delete(run);
}

TEST(fig8_has_the_sizes_of_a_constant_bound_in_order)
{
    cJSON *run = fixture();
    int points = 0;
    char *data = data_of("fig8", &run, 1, &points);
    assert_has(data, "\n1\t0\t\"cpu-fixture-Intel Xeon Processor\"\t\"spin\"\t8\t8\t4.95\t245652\t"
                     "236068\t285309\t\"adaptive\"\n"
                     "1\t0\t\"cpu-fixture-Intel Xeon Processor\"\t\"spin\"\t256\t8\t");
    free(data);
    cJSON_Delete(run);
}

TEST(tab5_has_the_ticket_lock_by_delay)
{
    cJSON *run = fixture();
    int points = 0;
    char *data = data_of("tab5", &run, 1, &points);
    assert_int_equal(points, 2 * 4 * 5);
    assert_has(data,
               "\n1\t0\t\"cpu-fixture-Intel Xeon Processor\"\t\"11\"\t\"0\"\t8\t1.38\t0.490314\t"
               "22086\t18288.8\t28552\n"
               "1\t1\t\"cpu-fixture-Intel Xeon Processor\"\t\"11\"\t\"10\"\t8\t");
    assert_has(data,
               "\n1\t4\t\"cpu-fixture-Intel Xeon Processor\"\t\"11\"\t\"adaptive\"\t8\t8\t0\t");
    free(data);
    cJSON_Delete(run);
}

/* Removes every case whose id and device contain these texts. */
static void remove_cases(cJSON *run, const char *id, const char *device)
{
    cJSON *cases = cJSON_GetObjectItem(run, "cases");
    for (int i = cJSON_GetArraySize(cases); i-- > 0;) {
        cJSON *item = cJSON_GetArrayItem(cases, i);
        if (strstr(cJSON_GetObjectItem(item, "id")->valuestring, id) &&
            strstr(cJSON_GetObjectItem(item, "device")->valuestring, device))
            cJSON_DeleteItemFromArray(cases, i);
    }
}

TEST(one_delay_is_drawn)
{
    cJSON *run = fixture();
    int points = 0;
    /* no delay on the GPU, the adaptive one elsewhere: ticket 11 on the CPU is 8 of 8, not 1.38 */
    char *data = data_of("fig7", &run, 1, &points);
    assert_has(data,
               "\n5\t\"cpu-fixture-Intel Xeon Processor\"\t\"11\"\t8\t8\t100\t51.75\t18.7304\t"
               "100\t0\t89\t10.6066\t\"adaptive\"\n");
    free(data);
    /* without that, the first */
    remove_cases(run, "/delay=adaptive", "pocl");
    data = data_of("fig7", &run, 1, &points);
    assert_has(data, "\t15.75\t5.53859\t17.25\t6.12893\t89\t10.6066\t\"delay 0\"\n");
    assert_int_equal(points, 4 * 3 + 4 * 3 - 1); /* the spin lock failed in LW with delay 0 */
    assert_has(data, "\"LW\"\t8\t8\t100\tnan\tnan\t17.5\t");
    free(data);
    cJSON_Delete(run);
}

TEST(fig8_leaves_out_a_device_with_one_size)
{
    static const char *const sizes[] = {"wg=64", "wg=256", "wg=1024", "wg=4096"}; /* all but 8 */
    cJSON *run = fixture();
    int points = 0;
    for (size_t i = 0; i < CB_COUNTOF(sizes); i++)
        remove_cases(run, sizes[i], "pocl");
    char *data = data_of("fig8", &run, 1, &points);
    assert_int_equal(points, 3 * 9);
    assert_lacks(data, "cpu-fixture");
    free(data);
    cJSON_Delete(run);
}

TEST(delays_that_differ_are_all_named)
{
    cJSON *run = fixture();
    int points = 0;
    remove_cases(run, "ticket/11/delay=adaptive", "pocl");
    remove_cases(run, "spin/", "pocl");
    char *data = data_of("fig7", &run, 1, &points);
    assert_has(data, "\"LW\"\t8\t8\t100\tnan\tnan\t100\t0\t88\t10.7024\t"
                     "\"delay 0, adaptive\"\n");
    free(data);
    remove_cases(run, "ticket/", "pocl"); /* the lock-free protocol has none */
    data = data_of("fig8", &run, 1, &points);
    assert_has(data, "\"lockfree\"\t8\t8\t");
    assert_has(data, "\t\"\"\n");
    free(data);
    cJSON_Delete(run);
}

TEST(cases_that_failed_are_skipped)
{
    cJSON *run = fixture();
    for (cJSON *item = cJSON_GetObjectItem(run, "cases")->child; item; item = item->next)
        if (strstr(cJSON_GetObjectItem(item, "id")->valuestring, "/LW"))
            cJSON_SetValuestring(cJSON_GetObjectItem(item, "status"), "no");
    int points = 0;
    char *data = data_of("fig7", &run, 1, &points);
    assert_int_equal(points, 2 * 3 * 3);
    assert_lacks(data, "\"LW\"");
    assert_has(data, "\n4\t\"cpu-fixture-Intel Xeon Processor\"\t\"11\"\t"); /* the gap closes */
    free(data);
    cJSON_Delete(run);
}

TEST(one_delay_is_no_tab5)
{
    cJSON *run = fixture();
    static const char *const others[] = {"=0", "=10", "=100", "=1000"};
    for (size_t i = 0; i < CB_COUNTOF(others); i++)
        remove_cases(run, others[i], "");
    int points = -1;
    free(data_of("tab5", &run, 1, &points));
    assert_int_equal(points, 0);
    cJSON_Delete(run);
}

TEST(the_same_device_in_two_runs_is_told_apart)
{
    cJSON *runs[] = {fixture(), fixture()};
    cJSON_SetValuestring(cJSON_GetObjectItem(runs[1], "run_id"), "second");
    int points = 0;
    char *data = data_of("fig7", runs, 2, &points);
    assert_int_equal(points, 2 * 24);
    assert_has(data, "\n0\t\"NVIDIA H200 (fixture), run fixture-two-devices\"\t\"11\"\t");
    assert_has(data, "\n10\t\"NVIDIA H200 (fixture), run second\"\t\"11\"\t");
    free(data);
    cJSON_Delete(runs[0]);
    cJSON_Delete(runs[1]);
}

TEST(two_devices_of_one_name_are_numbered)
{
    cJSON *run = fixture();
    for (cJSON *device = cJSON_GetObjectItem(run, "devices")->child; device; device = device->next)
        cJSON_ReplaceItemInObject(device, "name", cJSON_CreateString("Tab\there \"(R)\""));
    int points = 0;
    char *data = data_of("fig7", &run, 1, &points);
    assert_has(data, "\n0\t\"Tab here #1\"\t");
    assert_has(data, "\n5\t\"Tab here #2\"\t");
    free(data);
    cJSON_Delete(run);
}

TEST(runs_without_cases_have_no_figures)
{
    static const char *const texts[] = {
        "{}",
        "{\"devices\": [], \"cases\": []}",
        "{\"devices\": [{\"id\": \"a\"}], \"cases\": [{\"bench\": \"discover\", \"device\": \"a\","
        " \"status\": \"timeout\", \"params\": {\"protocol\": \"spin\"}, \"metrics\": []}]}",
        "{\"devices\": [{\"id\": \"a\"}], \"cases\": [{\"bench\": \"other\", \"device\": \"a\","
        " \"status\": \"ok\", \"params\": {\"protocol\": \"spin\"}, \"metrics\": []}]}",
        "{\"devices\": [{}], \"cases\": [{\"bench\": \"discover\", \"status\": \"ok\"}]}",
    };
    for (size_t i = 0; i < CB_COUNTOF(texts); i++)
        for (const struct cb_figure *figure = the_bench()->figures; figure->id; figure++) {
            cJSON *run = cJSON_Parse(texts[i]);
            assert_non_null(run);
            int points = -1;
            free(data_of(figure->id, &run, 1, &points));
            assert_int_equal(points, 0);
            cJSON_Delete(run);
        }
}
