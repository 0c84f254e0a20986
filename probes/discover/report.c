/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/discover/report.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/error.h"

#define MAX_NAMES  256
#define NAME_BYTES 96

/* Distinct names in the order of their first appearance. */
struct names {
    char items[MAX_NAMES][NAME_BYTES];
    int count;
};

/* A table: one line per kernel configuration, one column per protocol. */
struct table {
    const cJSON *run;
    const char *device;
    struct names configurations; /* "11", "wg=64" */
    struct names protocols;      /* "ticket/delay=0", "lockfree" */
};

static void add_name(struct names *names, const char *name)
{
    for (int i = 0; i < names->count; i++)
        if (strcmp(names->items[i], name) == 0)
            return;
    if (names->count < MAX_NAMES)
        snprintf(names->items[names->count++], NAME_BYTES, "%s", name);
}

static const char *text_of(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    return text ? text : "";
}

/* "discover/ticket/11/delay=0" -> "ticket/delay=0" and "11"; false for other benches. */
static bool split_id(const char *id, char protocol[NAME_BYTES], char configuration[NAME_BYTES])
{
    char name[NAME_BYTES], rest[NAME_BYTES] = "";
    if (sscanf(id, "discover/%40[^/]/%40[^/]%50s", name, configuration, rest) < 2)
        return false;
    snprintf(protocol, NAME_BYTES, "%.40s%.50s", name, rest);
    return true;
}

static const cJSON *find_case(const struct table *t, const char *protocol,
                              const char *configuration)
{
    const cJSON *c;
    char p[NAME_BYTES], k[NAME_BYTES];
    cJSON_ArrayForEach (c, cJSON_GetObjectItemCaseSensitive(t->run, "cases"))
        if (strcmp(text_of(c, "device"), t->device) == 0 && split_id(text_of(c, "id"), p, k) &&
            strcmp(p, protocol) == 0 && strcmp(k, configuration) == 0)
            return c;
    return NULL;
}

static double statistic(const cJSON *c, const char *metric, const char *key)
{
    const cJSON *m;
    cJSON_ArrayForEach (m, cJSON_GetObjectItemCaseSensitive(c, "metrics"))
        if (strcmp(text_of(m, "name"), metric) == 0)
            return cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(m, key));
    return NAN;
}

static void format_time(double ns, char *text, size_t size)
{
    static const char *const units[] = {"ns", "µs", "ms", "s"};
    size_t unit = 0;
    for (; ns >= 1000 && unit + 1 < CB_COUNTOF(units); unit++)
        ns /= 1000;
    snprintf(text, size, "%.3g %s", ns, units[unit]);
}

/* "4224.0 ± 0.0, 100 %, 36.1 ms": as far as it is known; the status of a case that is not ok. */
static void format_cell(const cJSON *c, char *text, size_t size)
{
    double found = statistic(c, "groups_found", "mean"),
           sd = statistic(c, "groups_found", "stddev");
    double recall = statistic(c, "recall", "mean");
    double time = statistic(c, "protocol_time", "median");
    char duration[32];
    if (isnan(found)) {
        snprintf(text, size, "%s", c ? text_of(c, "status") : "");
        return;
    }
    int n = snprintf(text, size, "%.1f", found);
    if (!isnan(sd))
        n += snprintf(text + n, size - (size_t)n, " ± %.1f", sd);
    if (!isnan(recall))
        n += snprintf(text + n, size - (size_t)n, ", %.3g %%", 100 * recall);
    if (!isnan(time)) {
        format_time(time, duration, sizeof duration);
        snprintf(text + n, size - (size_t)n, ", %s", duration);
    }
}

static void print_line(FILE *out, const struct table *t, const char *configuration)
{
    char cell[128];
    const cJSON *bound = find_case(t, "bound", configuration);
    double groups = statistic(bound, "groups_bound", "median");
    if (isnan(groups))
        snprintf(cell, sizeof cell, "%s", bound ? text_of(bound, "status") : "not searched");
    else
        snprintf(cell, sizeof cell, "%.0f", groups);
    fprintf(out, "| %s | %s |", configuration, cell);
    for (int i = 0; i < t->protocols.count; i++) {
        if (strcmp(t->protocols.items[i], "bound") == 0)
            continue;
        format_cell(find_case(t, t->protocols.items[i], configuration), cell, sizeof cell);
        fprintf(out, " %s |", cell);
    }
    fputc('\n', out);
}

static void collect_names(struct table *t)
{
    const cJSON *c;
    char protocol[NAME_BYTES], configuration[NAME_BYTES];
    cJSON_ArrayForEach (c, cJSON_GetObjectItemCaseSensitive(t->run, "cases")) {
        if (strcmp(text_of(c, "device"), t->device) != 0 ||
            !split_id(text_of(c, "id"), protocol, configuration))
            continue;
        add_name(&t->protocols, protocol);
        add_name(&t->configurations, configuration);
    }
}

static void print_table(FILE *out, const cJSON *run, const cJSON *device)
{
    struct table *t = calloc(1, sizeof *t);
    if (!t)
        return;
    t->run = run;
    t->device = text_of(device, "id");
    collect_names(t);
    fprintf(out, "\n%s: %.0f compute units\n\n", text_of(device, "name"),
            cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(device, "compute_units")));
    fprintf(out, "| local memory, size | bound |");
    for (int i = 0; i < t->protocols.count; i++)
        if (strcmp(t->protocols.items[i], "bound") != 0)
            fprintf(out, " %s |", t->protocols.items[i]);
    fprintf(out, "\n|---|---|");
    for (int i = 0; i < t->protocols.count; i++)
        if (strcmp(t->protocols.items[i], "bound") != 0)
            fprintf(out, "---|");
    fputc('\n', out);
    for (int i = 0; i < t->configurations.count; i++)
        print_line(out, t, t->configurations.items[i]);
    free(t);
}

void cb_discover_report(FILE *out, const cJSON *run)
{
    const cJSON *device;
    fprintf(out, "Workgroups found (mean ± standard deviation), recall, protocol time (median)\n");
    cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(run, "devices"))
        print_table(out, run, device);
}
