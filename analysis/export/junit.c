/* SPDX-License-Identifier: Apache-2.0
 *
 * JUnit XML: a test suite for each run, a test case for each case.
 */
#include <math.h>
#include <string.h>

#include "analysis/export/export.h"
#include "measure/text/json.h"
#include "measure/text/markup.h"

/* What a status is to a test framework: a wrong answer or a hang is a failure of the device under
 * test, a crash or an OpenCL error an error of the test. NULL: passed. */
static const char *outcome(const char *status)
{
    static const struct {
        const char *status, *element;
    } outcomes[] = {{"ok", NULL},           {"verify_failed", "failure"},
                    {"timeout", "failure"}, {"unsupported", "skipped"},
                    {"skipped", "skipped"}, {"interrupted", "skipped"}};
    for (size_t i = 0; i < CB_COUNTOF(outcomes); i++)
        if (strcmp(outcomes[i].status, status) == 0)
            return outcomes[i].element;
    return "error";
}

static int count_outcome(const cJSON *cases, const char *element)
{
    const cJSON *item;
    int n = 0;
    cJSON_ArrayForEach (item, cases) {
        const char *o = outcome(cb_json_text(item, "status", "error"));
        n += o && strcmp(o, element) == 0;
    }
    return n;
}

static void print_attribute(FILE *out, const char *key, const char *text)
{
    fprintf(out, " %s=\"", key);
    cb_markup_text(out, text);
    fputc('"', out);
}

static void print_time(FILE *out, double seconds)
{
    if (isfinite(seconds))
        fprintf(out, " time=\"%.6f\"", seconds);
}

static void print_case(FILE *out, const cJSON *run, const cJSON *item)
{
    char slug[CB_SLUG_BYTES];
    const char *status = cb_json_text(item, "status", "error"), *element = outcome(status);
    cb_export_slug(run, cb_export_device(run, item), slug);
    fputs("    <testcase classname=\"", out);
    cb_markup_text(out, cb_json_text(item, "bench", ""));
    fprintf(out, ".%s\"", slug);
    print_attribute(out, "name", cb_json_text(item, "id", ""));
    print_time(out, cb_json_number(item, "duration_s"));
    if (element) {
        fprintf(out, ">\n      <%s", element);
        if (strcmp(element, "skipped") != 0)
            print_attribute(out, "type", status);
        print_attribute(out, "message", cb_json_text(item, "reason", status));
        fputs("/>\n    </testcase>\n", out);
    } else {
        fputs("/>\n", out);
    }
}

static int print_run(FILE *out, const cJSON *run)
{
    const cJSON *cases = cJSON_GetObjectItemCaseSensitive(run, "cases"), *item;
    const cJSON *time = cJSON_GetObjectItemCaseSensitive(run, "time");
    const cJSON *host = cJSON_GetObjectItemCaseSensitive(run, "host");
    char start[32];
    /* the format has local times, without a zone */
    snprintf(start, sizeof start, "%.19s", cb_json_text(time, "start", ""));
    fputs("  <testsuite", out);
    print_attribute(out, "name", cb_json_text(run, "run_id", "run"));
    print_attribute(out, "timestamp", start);
    print_attribute(out, "hostname", cb_json_text(host, "hostname", "unknown"));
    fprintf(out, " tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\"",
            cJSON_GetArraySize(cases), count_outcome(cases, "failure"),
            count_outcome(cases, "error"), count_outcome(cases, "skipped"));
    print_time(out, cb_json_number(time, "wall_s"));
    fputs(">\n", out);
    cJSON_ArrayForEach (item, cases)
        print_case(out, run, item);
    fputs("  </testsuite>\n", out);
    return cJSON_GetArraySize(cases);
}

int cb_export_junit(FILE *out, const struct cb_export *e)
{
    int count = 0;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"coopbench\">\n", out);
    for (int i = 0; i < e->n_runs; i++)
        count += print_run(out, e->runs[i]);
    fputs("</testsuites>\n", out);
    return count;
}
