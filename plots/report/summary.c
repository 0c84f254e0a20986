/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of the page that lists runs, devices and failures.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/text/json.h"
#include "measure/text/markup.h"
#include "plots/report/parts.h"
#include "runtime/device.h"
#include "runtime/host/text.h"

#define MOST_FAILURES 200 /* listed; the table of all cases has the others */
#define MOST_TEXTS    1   /* most texts of a cell; more unfold */

static void print_number(const struct cb_report *report, double value, const char *unit)
{
    if (isfinite(value))
        fprintf(report->out, "<td class=\"r\">%.15g%s</td>", value, unit);
    else
        fputs("<td></td>", report->out);
}

/* --- Runs ------------------------------------------------------------------------------------- */

static void print_version(const struct cb_report *report, const cJSON *tool)
{
    char sha[13];
    snprintf(sha, sizeof sha, "%s", cb_json_text(tool, "git_sha", ""));
    bool dirty = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(tool, "git_dirty"));
    fputs("<td>", report->out);
    cb_markup_text(report->out, cb_json_text(tool, "version", ""));
    fputs(" ", report->out);
    cb_markup_text(report->out, sha);
    fputs(dirty ? ", modified</td>" : "</td>", report->out);
}

static void print_command(const struct cb_report *report, const cJSON *run)
{
    const cJSON *invocation = cJSON_GetObjectItemCaseSensitive(run, "invocation"), *item;
    fputs("<td class=\"text\"><code>coopbench", report->out);
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(invocation, "argv")) {
        fputc(' ', report->out);
        cb_markup_text(report->out, cJSON_IsString(item) ? item->valuestring : "?");
    }
    fputs("</code>", report->out);
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(invocation, "labels")) {
        fputs(" <span class=\"label\">", report->out);
        cb_markup_text(report->out, item->string);
        fputc('=', report->out);
        cb_markup_text(report->out, cJSON_IsString(item) ? item->valuestring : "?");
        fputs("</span>", report->out);
    }
    fputs("</td>", report->out);
}

static void print_run(const struct cb_report *report, const cJSON *run)
{
    const cJSON *host = cJSON_GetObjectItemCaseSensitive(run, "host");
    const cJSON *time = cJSON_GetObjectItemCaseSensitive(run, "time");
    const cJSON *summary = cJSON_GetObjectItemCaseSensitive(run, "summary");
    double cases = cb_json_number(summary, "cases"), ok = cb_json_number(summary, "ok");
    bool complete = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(run, "complete"));
    fputs("<tr>", report->out);
    cb_report_element(report, "td", cb_json_text(run, "run_id", ""));
    cb_report_element(report, "td", cb_json_text(time, "start", ""));
    print_number(report, round(cb_json_number(time, "wall_s")), " s");
    print_number(report, cases, "");
    print_number(report, ok, "");
    fprintf(report->out, "<td class=\"r%s\">%.0f</td>", cases > ok ? " bad" : "",
            cases > ok ? cases - ok : 0);
    fputs(complete ? "<td>yes</td>" : "<td class=\"bad\">no</td>", report->out);
    cb_report_element(report, "td", cb_json_text(host, "hostname", ""));
    print_version(report, cJSON_GetObjectItemCaseSensitive(run, "tool"));
    print_command(report, run);
    fputs("</tr>\n", report->out);
}

static void print_runs(const struct cb_report *report)
{
    static const char *const heads[] = {"run",    "start",    "took", "cases",   "ok",
                                        "not ok", "complete", "host", "version", "command"};
    const int all = report->runs->count + report->runs->n_older;
    fprintf(report->out, "<section id=\"runs\"><h2>%d run%s</h2>\n", all, CB_PLURAL(all));
    if (report->runs->n_older > 0)
        fprintf(report->out,
                "<p>A page has no room for the cases of so many: all below is of the newest %d "
                "runs. <code>coopbench history</code> looks at all.</p>\n",
                report->runs->count);
    cb_report_begin_table(report, heads, CB_COUNTOF(heads));
    for (int i = report->runs->count - 1; i >= 0; i--)
        print_run(report, report->runs->items[i]);
    for (int i = 0; i < report->runs->n_older; i++)
        print_run(report, report->runs->older[i]);
    cb_report_end_table(report);
    fputs("</section>\n", report->out);
}

/* --- Devices ---------------------------------------------------------------------------------- */

/* What makes two entries one kind of device; it is printed in a row. */
static const char *const kind_texts[] = {"name", "type", "platform", "driver_version",
                                         "device_version"};

/* Devices of one kind in all runs. */
struct kind {
    const cJSON *device; /* one of them */
    cJSON *ids, *hosts;  /* of all */
    const cJSON *last_run;
    int runs;
};

static void print_texts(const struct cb_report *report, const cJSON *texts)
{
    const cJSON *item;
    int n = cJSON_GetArraySize(texts);
    fputs("<td>", report->out);
    if (n > MOST_TEXTS)
        fprintf(report->out, "<details><summary>%d</summary>", n);
    cJSON_ArrayForEach (item, texts) {
        fputs(item != texts->child ? "<br>" : "", report->out);
        cb_markup_text(report->out, item->valuestring);
    }
    fputs(n > MOST_TEXTS ? "</details></td>" : "</td>", report->out);
}

static void print_units(const struct cb_report *report, const cJSON *device)
{
    char text[64];
    struct cb_device d;
    cb_device_from_json(&d, device);
    cb_device_units(&d, text, sizeof text);
    if (d.host_cores > 0)
        cb_report_element(report, "td", text);
    else
        print_number(report, cb_json_number(device, "compute_units"), "");
}

static void print_memory(const struct cb_report *report, const cJSON *device)
{
    char text[64] = "";
    double bytes = cb_json_number(device, "local_mem_bytes");
    if (bytes >= 0 && bytes < 1e18)
        cb_device_bytes((uint64_t)bytes, text, sizeof text);
    fputs("<td class=\"r\">", report->out);
    fprintf(report->out, "%s</td>", text);
}

static void print_kind(const struct cb_report *report, const struct kind *k)
{
    const cJSON *device = k->device;
    fputs("<tr>", report->out);
    for (size_t i = 0; i < CB_COUNTOF(kind_texts); i++)
        cb_report_element(report, "td", cb_json_text(device, kind_texts[i], ""));
    print_units(report, device);
    print_number(report, cb_json_number(device, "max_clock_mhz"), " MHz");
    print_number(report, cb_json_number(device, "max_wg_size"), "");
    print_memory(report, device);
    print_number(report, k->runs, "");
    print_texts(report, k->ids);
    print_texts(report, k->hosts);
    fputs("</tr>\n", report->out);
}

static bool same_kind(const cJSON *a, const cJSON *b)
{
    static const char *const numbers[] = {"compute_units", "max_clock_mhz", "max_wg_size",
                                          "local_mem_bytes"};
    for (size_t i = 0; i < CB_COUNTOF(kind_texts); i++)
        if (strcmp(cb_json_text(a, kind_texts[i], ""), cb_json_text(b, kind_texts[i], "")) != 0)
            return false;
    for (size_t i = 0; i < CB_COUNTOF(numbers); i++) {
        double x = cb_json_number(a, numbers[i]), y = cb_json_number(b, numbers[i]);
        if (x != y && !(isnan(x) && isnan(y)))
            return false;
    }
    return true;
}

static void join_kind(struct kind *k, const cJSON *run, const cJSON *device)
{
    const cJSON *host = cJSON_GetObjectItemCaseSensitive(run, "host");
    char text[1024];
    snprintf(text, sizeof text, "%.300s, %.300s, %.300s", cb_json_text(host, "hostname", ""),
             cb_json_text(host, "os", ""), cb_json_text(host, "cpu", ""));
    cb_json_add_once(&k->ids, cb_json_text(device, "id", ""));
    cb_json_add_once(&k->hosts, text);
    k->runs += k->last_run != run;
    k->last_run = run;
}

/* Finds the kinds of all devices; the number of them. */
static int find_kinds(const struct cb_report *report, struct kind *kinds, int room)
{
    const cJSON *device;
    int n = 0;
    for (int i = report->runs->count - 1; i >= 0; i--) {
        const cJSON *run = report->runs->items[i];
        cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(run, "devices")) {
            int k = 0;
            while (k < n && !same_kind(kinds[k].device, device))
                k++;
            if (k == n && n < room)
                kinds[n++].device = device;
            if (k < n)
                join_kind(&kinds[k], run, device);
        }
    }
    return n;
}

static int count_devices(const struct cb_report *report)
{
    int n = 0;
    for (int i = 0; i < report->runs->count; i++)
        n +=
            cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(report->runs->items[i], "devices"));
    return n;
}

static void print_devices(const struct cb_report *report)
{
    static const char *const heads[] = {
        "device", "type",          "platform",     "driver", "OpenCL", "compute units",
        "clock",  "max workgroup", "local memory", "runs",   "ids",    "hosts"};
    int room = count_devices(report);
    struct kind *kinds = calloc((size_t)room + 1, sizeof *kinds);
    int n = kinds ? find_kinds(report, kinds, room) : 0;
    fputs("<section id=\"devices\"><h2>Devices</h2>\n", report->out);
    cb_report_begin_table(report, heads, CB_COUNTOF(heads));
    for (int i = 0; i < n; i++) {
        print_kind(report, &kinds[i]);
        cJSON_Delete(kinds[i].ids);
        cJSON_Delete(kinds[i].hosts);
    }
    cb_report_end_table(report);
    fputs("</section>\n", report->out);
    free(kinds);
}

/* --- Failures --------------------------------------------------------------------------------- */

static void print_failure(const struct cb_report *report, const cJSON *run, const cJSON *item)
{
    fputs("<tr>", report->out);
    cb_report_element(report, "td", cb_json_text(run, "run_id", ""));
    cb_report_element(report, "td", cb_json_text(cb_export_device(run, item), "name", ""));
    cb_report_element(report, "td", cb_json_text(item, "id", ""));
    cb_report_element(report, "td", cb_json_text(item, "status", ""));
    fputs("<td class=\"text\">", report->out);
    cb_markup_text(report->out, cb_json_text(item, "reason", ""));
    fputs("</td></tr>\n", report->out);
}

static void print_failures(const struct cb_report *report)
{
    static const char *const heads[] = {"run", "device", "case", "status", "reason"};
    const cJSON *item;
    int n = 0;
    fputs("<section id=\"failures\"><h2>Cases that are not ok</h2>\n", report->out);
    for (int i = report->runs->count - 1; i >= 0; i--)
        cJSON_ArrayForEach (item,
                            cJSON_GetObjectItemCaseSensitive(report->runs->items[i], "cases")) {
            if (strcmp(cb_json_text(item, "status", ""), "ok") == 0)
                continue;
            if (n == 0)
                cb_report_begin_table(report, heads, CB_COUNTOF(heads));
            if (n++ < MOST_FAILURES)
                print_failure(report, report->runs->items[i], item);
        }
    if (n > 0)
        cb_report_end_table(report);
    if (n > MOST_FAILURES)
        fprintf(report->out, "<p>These are %d of %d; all are below.</p>\n", MOST_FAILURES, n);
    fputs(n == 0 ? "<p>None.</p></section>\n" : "</section>\n", report->out);
}

void cb_report_summary(const struct cb_report *report)
{
    print_runs(report);
    print_devices(report);
    print_failures(report);
}
