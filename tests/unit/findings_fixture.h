/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests of what a bench concludes from made-up runs. BENCH is its id, defined before this is
 * included.
 */
#pragma once

#include "run_fixture.h"

#include "analysis/documents/findings.h"

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
