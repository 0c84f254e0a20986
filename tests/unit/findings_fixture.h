/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests of what a bench concludes from made-up runs. BENCH is its id, defined before this is
 * included.
 */
#pragma once

#include "bench_fixture.h"

#include <math.h>

#include "analysis/documents/findings.h"

/* A run of one GPU without cases; the command line had --gpu. */
static inline cJSON *new_run(void)
{
    cJSON *run =
        cJSON_Parse("{\"run_id\": \"r\", \"invocation\": {\"seed\": \"7\", \"settings\": "
                    "{\"gpu\": [\"true\"]}}, \"devices\": [{\"id\": \"d\", \"index\": \"1:0\", "
                    "\"name\": \"GPU\", \"compute_units\": 4}], \"cases\": []}");
    assert_non_null(run);
    return run;
}

/* params: members of an object, such as "\"wg-size\": 64". */
static inline cJSON *add_case(cJSON *run, const char *id, const char *status, const char *params)
{
    char text[1024];
    int n = snprintf(text, sizeof text,
                     "{\"id\": \"" BENCH "/%s\", \"bench\": \"" BENCH "\", \"device\": \"d\", "
                     "\"status\": \"%s\", \"reason\": \"because\", \"params\": {%s}, "
                     "\"sampling\": {\"runs\": 10}, \"metrics\": []}",
                     id, status, params);
    assert_in_range(n, 1, sizeof text - 1);
    cJSON *item = cJSON_Parse(text);
    assert_non_null(item);
    cJSON_AddItemToArray(cJSON_GetObjectItem(run, "cases"), item);
    return item;
}

/* A metric whose median has this interval; NaN: there are too few samples for one. */
static inline cJSON *add_metric(cJSON *item, const char *name, double median, double low,
                                double high)
{
    static const char *const same[] = {"mean", "min", "median", "max"};
    cJSON *metric = cJSON_CreateObject();
    cJSON_AddStringToObject(metric, "name", name);
    for (size_t i = 0; i < CB_COUNTOF(same); i++)
        cJSON_AddNumberToObject(metric, same[i], median);
    if (!isnan(low)) {
        cJSON_AddNumberToObject(metric, "ci95_low", low);
        cJSON_AddNumberToObject(metric, "ci95_high", high);
    }
    cJSON_AddItemToArray(cJSON_GetObjectItem(item, "metrics"), metric);
    return metric;
}

/* expected: lines of "id: text". The run is deleted. */
static inline void assert_findings(cJSON *run, const char *expected)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    cJSON *findings = cb_findings_of(run, the_bench()), *finding;
    assert_non_null(out);
    cJSON_ArrayForEach (finding, findings) {
        assert_string_equal(cJSON_GetObjectItem(finding, "bench")->valuestring, BENCH);
        assert_string_equal(cJSON_GetObjectItem(finding, "device")->valuestring, "d");
        fprintf(out, "%s: %s\n", cJSON_GetObjectItem(finding, "id")->valuestring,
                cJSON_GetObjectItem(finding, "text")->valuestring);
    }
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
    cJSON_Delete(findings);
    cJSON_Delete(run);
}
