/* SPDX-License-Identifier: Apache-2.0
 *
 * Metrics for Prometheus (analysis/export/gauges.h), in base units. UUID, pci_bus_id and Hostname
 * are as those of dcgm-exporter, so that both can be joined; its modelName is model_name, since
 * promtool demands it. A case that is not ok has a state, and no value.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/export/export.h"
#include "analysis/export/gauges.h"
#include "measure/bench.h"
#include "measure/text/json.h"

/* ---- Metrics --------------------------------------------------------------------------------- */

/* Base units: what the values of a unit are multiplied by, and its name. */
static const struct unit {
    const char *unit, *base;
    double divisor;
} units[] = {{"ns", "seconds", 1e9},
             {"1", "", 1},
             {"B", "bytes", 1},
             {"B/s", "bytes_per_second", 1},
             {"1/s", "per_second", 1},
             {"J", "joules", 1},
             {"W", "watts", 1},
             {"ops/s", "ops_per_second", 1},
             {"runs/s", "runs_per_second", 1},
             {"loops/s", "loops_per_second", 1},
             {"runs/J", "runs_per_joule", 1},
             {"workgroups", "workgroups", 1}};

static struct unit unit_of(const cJSON *metric)
{
    const char *unit = cb_json_text(metric, "unit", "1");
    for (size_t i = 0; i < CB_COUNTOF(units); i++)
        if (strcmp(units[i].unit, unit) == 0)
            return units[i];
    return (struct unit){unit, "", 1}; /* one that no benchmark has */
}

/* "coopbench_discover_protocol_time_ci95_low_seconds" */
static char *family_of(const char *bench, const char *metric, const char *end, const char *unit)
{
    struct cb_gauge_text t = {0};
    if (!cb_gauge_text_open(&t))
        return NULL;
    fputs("coopbench_", t.out);
    cb_gauge_name(t.out, bench);
    fputc('_', t.out);
    cb_gauge_name(t.out, metric);
    fputs(end, t.out);
    fflush(t.out);
    const size_t n = strlen(unit);
    if (n > 0 &&
        !(t.size > n && t.text[t.size - n - 1] == '_' && strcmp(t.text + t.size - n, unit) == 0))
        fprintf(t.out, "_%s", unit);
    return cb_gauge_text_close(&t);
}

static char *help_of(const char *what, const char *bench, const char *name)
{
    struct cb_gauge_text t = {0};
    const struct cb_bench *known = cb_bench_find(bench);
    const struct cb_metric *m = known ? known->metrics : NULL;
    while (m && m->name && strcmp(m->name, name) != 0)
        m++;
    if (!cb_gauge_text_open(&t))
        return NULL;
    fprintf(t.out, "%s of ", what);
    cb_gauge_name(t.out, name);
    fputs(", ", t.out);
    cb_gauge_name(t.out, bench);
    if (m && m->name) {
        fputs(": ", t.out);
        cb_gauge_help(t.out, m->help);
    }
    fputc('.', t.out);
    return cb_gauge_text_close(&t);
}

/* The bus address as NVIDIA's tools write it: 0000:41:00.0 is 00000000:41:00.0. */
static void print_bus(FILE *out, const char *pci)
{
    unsigned domain, bus, device, function;
    char text[64];
    if (sscanf(pci, "%8x:%2x:%2x.%1x", &domain, &bus, &device, &function) != 4)
        snprintf(text, sizeof text, "%s", pci);
    else
        snprintf(text, sizeof text, "%08X:%02X:%02X.%X", domain, bus, device, function);
    cb_gauge_label(out, "pci_bus_id", text);
}

/* NVIDIA's tools write GPU- before a UUID, drivers of OpenCL do not. */
static void print_uuid(FILE *out, const cJSON *device)
{
    char text[128];
    const char *uuid = cb_json_text(device, "uuid", "");
    const bool nvidia = strstr(cb_json_text(device, "vendor", ""), "NVIDIA") != NULL;
    snprintf(text, sizeof text, "%s%s",
             nvidia && *uuid && strncmp(uuid, "GPU-", strlen("GPU-")) != 0 ? "GPU-" : "", uuid);
    cb_gauge_label(out, "UUID", text);
}

static void print_host(FILE *out, const cJSON *run)
{
    const cJSON *host = cJSON_GetObjectItemCaseSensitive(run, "host");
    cb_gauge_label(out, "Hostname", cb_json_text(host, "hostname", ""));
}

static void print_device(FILE *out, const cJSON *run, const cJSON *device)
{
    print_uuid(out, device);
    print_bus(out, cb_json_text(device, "pci", ""));
    cb_gauge_label(out, "model_name", cb_json_text(device, "name", ""));
    print_host(out, run);
}

static char *labels_of_case(const cJSON *run, const cJSON *item)
{
    struct cb_gauge_text t = {0};
    if (!cb_gauge_text_open(&t))
        return NULL;
    print_device(t.out, run, cb_export_device(run, item));
    cb_gauge_label(t.out, "case", cb_json_text(item, "id", ""));
    return cb_gauge_text_close(&t);
}

static void add_metric(struct cb_gauges *s, const struct cb_export_row *row)
{
    static const struct {
        const char *key, *end, *what;
    } values[] = {{"median", "", "Median"},
                  {"ci95_low", "_ci95_low", "Lower end of the 95 % interval of the median"},
                  {"ci95_high", "_ci95_high", "Upper end of the 95 % interval of the median"}};
    const char *bench = cb_json_text(row->item, "bench", "");
    const char *name = cb_json_text(row->metric, "name", "");
    const struct unit unit = unit_of(row->metric);
    double low, high;
    const size_t n = cb_export_interval(row->metric, &low, &high) ? CB_COUNTOF(values) : 1;
    for (size_t i = 0; i < n; i++)
        cb_gauges_add(s, (struct cb_gauge){
                             .family = family_of(bench, name, values[i].end, unit.base),
                             .labels = labels_of_case(row->run, row->item),
                             .help = help_of(values[i].what, bench, name),
                             .unit = unit.base,
                             .value = cb_json_number(row->metric, values[i].key) / unit.divisor});
}

/* ---- States, devices, runs ------------------------------------------------------------------- */

static void add_states(struct cb_gauges *s, const cJSON *run)
{
    const cJSON *item;
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(run, "cases"))
        cb_gauges_add(
            s, (struct cb_gauge){.family = strdup("coopbench_case_state"),
                                 .labels = labels_of_case(run, item),
                                 .help = strdup("What became of a case: 1, with its status as the "
                                                "label state."),
                                 .unit = "",
                                 .state = cb_json_text(item, "status", "error"),
                                 .value = 1});
}

static void add_devices(struct cb_gauges *s, const cJSON *run)
{
    const cJSON *device;
    cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(run, "devices")) {
        struct cb_gauge_text t = {0};
        if (cb_gauge_text_open(&t)) {
            print_device(t.out, run, device);
            cb_gauge_label(t.out, "driver_version", cb_json_text(device, "driver_version", ""));
        }
        cb_gauges_add(s, (struct cb_gauge){.family = strdup("coopbench_device_info"),
                                           .labels = cb_gauge_text_close(&t),
                                           .help = strdup("A device that was measured: 1."),
                                           .unit = "",
                                           .value = 1});
    }
}

static char *labels_of_run(const cJSON *run, bool more)
{
    const cJSON *tool = cJSON_GetObjectItemCaseSensitive(run, "tool");
    const cJSON *invocation = cJSON_GetObjectItemCaseSensitive(run, "invocation");
    struct cb_gauge_text t = {0};
    if (!cb_gauge_text_open(&t))
        return NULL;
    print_host(t.out, run);
    cb_gauge_label(t.out, "run_id", cb_json_text(run, "run_id", ""));
    if (more) {
        cb_gauge_label(t.out, "suite", cb_json_text(invocation, "config", ""));
        cb_gauge_label(t.out, "version", cb_json_text(tool, "version", ""));
        cb_gauge_label(t.out, "commit", cb_json_text(tool, "git_sha", ""));
    }
    return cb_gauge_text_close(&t);
}

/* Seconds since 1970; NaN: the run has no time. */
static double start_of(const cJSON *run)
{
    const cJSON *time = cJSON_GetObjectItemCaseSensitive(run, "time");
    struct tm start = {0};
    const char *end = strptime(cb_json_text(time, "start", ""), "%Y-%m-%dT%H:%M:%SZ", &start);
    return end && !*end ? (double)timegm(&start) : NAN;
}

static void add_run(struct cb_gauges *s, const cJSON *run)
{
    const bool complete = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(run, "complete"));
    cb_gauges_add(s, (struct cb_gauge){.family = strdup("coopbench_run_info"),
                                       .labels = labels_of_run(run, true),
                                       .help = strdup("The run that the values are of: 1."),
                                       .unit = "",
                                       .value = 1});
    cb_gauges_add(
        s, (struct cb_gauge){.family = strdup("coopbench_run_complete"),
                             .labels = labels_of_run(run, false),
                             .help = strdup("Whether every planned case has ended by itself."),
                             .unit = "",
                             .value = complete});
    if (isfinite(start_of(run)))
        cb_gauges_add(s,
                      (struct cb_gauge){.family = strdup("coopbench_run_start_timestamp_seconds"),
                                        .labels = labels_of_run(run, false),
                                        .help = strdup("When the run began, since 1970."),
                                        .unit = "seconds",
                                        .value = start_of(run)});
}

/* ---- Output ---------------------------------------------------------------------------------- */

/* All gauges, those of a family together. */
static struct cb_gauges make_gauges(const struct cb_export *e)
{
    struct cb_gauges s = {0};
    for (int i = 0; i < e->n_runs; i++) {
        add_run(&s, e->runs[i]);
        add_devices(&s, e->runs[i]);
        add_states(&s, e->runs[i]);
    }
    for (size_t i = 0; i < e->n_rows; i++)
        add_metric(&s, &e->rows[i]);
    cb_gauges_sort(&s);
    return s;
}

/* Runs may share a device, but no case: its states and values would contradict each other. */
enum cb_status cb_export_openmetrics_check(struct cb_export *e, struct cb_err *err)
{
    struct cb_gauges s = make_gauges(e);
    enum cb_status status = s.no_memory ? cb_no_memory(err) : CB_OK;
    for (size_t i = 0; i < s.n && status == CB_OK; i++)
        if (cb_gauges_repeats(&s, i) && strcmp(s.items[i].family, "coopbench_device_info") != 0)
            status = cb_fail(err, CB_USAGE,
                             "openmetrics has one value for each case of a device and host, but "
                             "there are two of %s{%s}; export runs with the same cases one by one",
                             s.items[i].family, s.items[i].labels);
    cb_gauges_free(&s);
    return status;
}

int cb_export_openmetrics(FILE *out, const struct cb_export *e)
{
    struct cb_gauges s = make_gauges(e);
    const int count = cb_gauges_print(out, &s);
    cb_gauges_free(&s);
    return count;
}
