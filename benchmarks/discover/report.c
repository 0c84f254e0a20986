/* SPDX-License-Identifier: Apache-2.0
 *
 * A Markdown table per device, padded to be read in a terminal too: a line per configuration with
 * a column per protocol, or, where that is too wide, a line per case.
 */
#include "benchmarks/discover/report.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "measure/text/json.h"
#include "measure/text/table.h"
#include "measure/text/units.h"
#include "runtime/device.h"
#include "runtime/host/error.h"

#define BOUND (-1) /* in place of a protocol: the search for the bound */

/* A piece of a case's id: the configuration ("11", "wg=64"), or the protocol with what follows the
 * configuration ("ticket" and "/delay=0"). */
struct name {
    const char *text;
    int length;
    const char *rest;
};

struct measured {
    const cJSON *item;
    int configuration, protocol; /* indices of names */
};

struct table {
    struct measured *cases; /* as in the document */
    struct name *configurations, *protocols;
    int n_cases, n_configurations, n_protocols;
};

/* "discover/ticket/11/delay=0" -> ticket/delay=0 and 11; false for other benches. */
static bool split_id(const char *id, struct name *protocol, struct name *configuration)
{
    static const char bench[] = "discover/";
    if (strncmp(id, bench, strlen(bench)) != 0)
        return false;
    protocol->text = id + strlen(bench);
    protocol->length = (int)strcspn(protocol->text, "/");
    if (protocol->text[protocol->length] == '\0')
        return false;
    configuration->text = protocol->text + protocol->length + 1;
    configuration->length = (int)strcspn(configuration->text, "/");
    configuration->rest = "";
    protocol->rest = configuration->text + configuration->length;
    return protocol->length > 0 && configuration->length > 0;
}

/* The index of name among distinct names, which have room for it. */
static int index_of(struct name *names, int *n, const struct name *name)
{
    for (int i = 0; i < *n; i++)
        if (names[i].length == name->length &&
            memcmp(names[i].text, name->text, (size_t)name->length) == 0 &&
            strcmp(names[i].rest, name->rest) == 0)
            return i;
    names[*n] = *name;
    return (*n)++;
}

static void add_case(struct table *t, const cJSON *item)
{
    struct name protocol, configuration;
    if (!split_id(cb_json_text(item, "id", ""), &protocol, &configuration))
        return; /* another bench's */
    bool bound = strncmp(protocol.text, "bound/", 6) == 0;
    t->cases[t->n_cases++] = (struct measured){
        item,
        index_of(t->configurations, &t->n_configurations, &configuration),
        bound ? BOUND : index_of(t->protocols, &t->n_protocols, &protocol),
    };
}

/* False: no memory. */
static bool table_of(const cJSON *run, const char *device, struct table *t)
{
    const cJSON *cases = cJSON_GetObjectItemCaseSensitive(run, "cases"), *item;
    size_t room = (size_t)cJSON_GetArraySize(cases) + 1;
    *t = (struct table){.cases = calloc(room, sizeof *t->cases),
                        .configurations = calloc(room, sizeof *t->configurations),
                        .protocols = calloc(room, sizeof *t->protocols)};
    if (!t->cases || !t->configurations || !t->protocols)
        return false;
    cJSON_ArrayForEach (item, cases)
        if (strcmp(cb_json_text(item, "device", ""), device) == 0)
            add_case(t, item);
    return true;
}

/* The case of this configuration and protocol, the first of several; NULL if there is none. */
static const cJSON *find_case(const struct table *t, int configuration, int protocol)
{
    for (int i = 0; i < t->n_cases; i++)
        if (t->cases[i].configuration == configuration && t->cases[i].protocol == protocol)
            return t->cases[i].item;
    return NULL;
}

/* ---- Text of cells --------------------------------------------------------------------------- */

/* A case that is not ok has no numbers, whatever its row holds. */
static double statistic(const cJSON *c, const char *metric, const char *key)
{
    bool ok = strcmp(cb_json_text(c, "status", ""), "ok") == 0;
    return ok ? cb_json_metric(c, metric, key) : NAN;
}

static int copy_name(char text[CB_CELL_BYTES], const struct name *name)
{
    return snprintf(text, CB_CELL_BYTES, "%.*s", name->length, name->text);
}

/* "LW" -> "widest, most local (LW)", "wg=64" -> "64 items": ids say little
 * alone. */
static void format_configuration(const struct name *name, char text[CB_CELL_BYTES])
{
    static const struct {
        const char *id, *meaning;
    } known[] = {{"11", "1 item"},
                 {"L1", "1 item, most local"},
                 {"1W", "widest"},
                 {"LW", "widest, most local"}};
    char id[CB_CELL_BYTES];
    copy_name(id, name);
    snprintf(text, CB_CELL_BYTES, "%s", id);
    if (strncmp(id, "wg=", 3) == 0)
        snprintf(text, CB_CELL_BYTES, "%.40s items", id + 3);
    for (size_t i = 0; i < CB_COUNTOF(known); i++)
        if (strcmp(known[i].id, id) == 0)
            snprintf(text, CB_CELL_BYTES, "%s (%s)", known[i].meaning, known[i].id);
}

/* "ticket/delay=0" -> "ticket, delay 0"; "adaptive" says enough without "delay". */
static void format_protocol(const struct table *t, int index, char text[CB_CELL_BYTES])
{
    const struct name *name = &t->protocols[index];
    int n = copy_name(text, name);
    for (const char *part = name->rest; *part == '/' && n < CB_CELL_BYTES;
         part += strcspn(part, "/")) {
        part++;
        if (strncmp(part, "delay=a", 7) == 0)
            part += strlen("delay=");
        n += snprintf(text + n, (size_t)(CB_CELL_BYTES - n), ", %.*s", (int)strcspn(part, "/"),
                      part);
    }
    for (char *at = text; (at = strchr(at, '='));)
        *at = ' ';
}

static void format_bound(const struct table *t, int configuration, char text[CB_CELL_BYTES])
{
    const cJSON *bound = find_case(t, configuration, BOUND);
    double groups = statistic(bound, "groups_bound", "median");
    snprintf(text, CB_CELL_BYTES, "%.0f", groups);
    if (isnan(groups))
        snprintf(text, CB_CELL_BYTES, "%s",
                 bound ? cb_json_text(bound, "status", "") : "not searched");
}

/* "4224" where all runs found as many, else "75.6 ± 41.2", a small deviation with its first digit;
 * the status of a case that has no number. */
static void format_found(const cJSON *c, char text[CB_CELL_BYTES])
{
    double mean = statistic(c, "groups_found", "mean"), least = 0.05;
    double deviation = statistic(c, "groups_found", "stddev");
    int digits = 1;
    if (isnan(mean)) {
        snprintf(text, CB_CELL_BYTES, "%s", cb_json_text(c, "status", ""));
    } else if (deviation > 0) {
        for (; deviation < least && digits < 6; digits++)
            least /= 10;
        snprintf(text, CB_CELL_BYTES, "%.*f ± %.*f", digits, mean, digits, deviation);
    } else {
        snprintf(text, CB_CELL_BYTES, "%.*f", mean == floor(mean) ? 0 : 1, mean);
    }
}

/* Rounded down near 100 %, which is for all alone. */
static void format_recall(const cJSON *c, char text[CB_CELL_BYTES])
{
    double percent = 100 * statistic(c, "recall", "mean");
    int digits = percent >= 0.95 ? 1 : percent >= 0.095 ? 2 : 3;
    if (percent == 100 || percent == 0)
        digits = 0;
    if (percent > 99.9 && percent < 100)
        percent = 99.9;
    snprintf(text, CB_CELL_BYTES, "%.*f %%", digits, percent);
    if (isnan(percent))
        text[0] = '\0';
}

static void format_time(const cJSON *c, char text[CB_CELL_BYTES])
{
    cb_format_time(text, CB_CELL_BYTES, statistic(c, "protocol_time", "median"));
}

/* "4224, 100 %, 40.7 ms": as far as it is known. */
static void format_case(const cJSON *c, char text[CB_CELL_BYTES])
{
    char part[CB_CELL_BYTES];
    void (*const rest[])(const cJSON *, char *) = {format_recall, format_time};
    format_found(c, text);
    for (size_t i = 0; i < CB_COUNTOF(rest); i++) {
        size_t n = strlen(text);
        rest[i](c, part);
        if (*part)
            snprintf(text + n, CB_CELL_BYTES - n, ", %s", part);
    }
}

/* ---- The two forms --------------------------------------------------------------------------- */

/* A line per configuration, a column per protocol. False: no memory, or a repeated case, for which
 * there is no cell. */
static bool fill_wide(const struct table *t, struct cb_table *g)
{
    if (!cb_table_open(1 + t->n_configurations, 2 + t->n_protocols, 1u << 1, g))
        return false;
    strcpy(cb_table_cell(g, 0, 0), "configuration");
    strcpy(cb_table_cell(g, 0, 1), "bound");
    for (int i = 0; i < t->n_protocols; i++)
        format_protocol(t, i, cb_table_cell(g, 0, 2 + i));
    for (int i = 0; i < t->n_configurations; i++) {
        format_configuration(&t->configurations[i], cb_table_cell(g, 1 + i, 0));
        format_bound(t, i, cb_table_cell(g, 1 + i, 1));
    }
    for (int i = 0; i < t->n_cases; i++) {
        const struct measured *m = &t->cases[i];
        if (m->protocol == BOUND)
            continue;
        if (find_case(t, m->configuration, m->protocol) != m->item)
            return false;
        format_case(m->item, cb_table_cell(g, 1 + m->configuration, 2 + m->protocol));
    }
    return true;
}

/* A search has no line of its own, unless it is all there is of its configuration. */
static bool has_line(const struct table *t, const struct measured *m)
{
    bool more = false;
    for (int i = 0; i < t->n_cases && m->protocol == BOUND && !more; i++)
        more = t->cases[i].configuration == m->configuration && t->cases[i].protocol != BOUND;
    return !more;
}

/* A line per case. False: no memory. */
static bool fill_long(const struct table *t, struct cb_table *g)
{
    static const char *const heads[] = {"configuration", "bound",  "protocol",
                                        "found",         "recall", "time"};
    if (!cb_table_open(1 + t->n_cases, CB_COUNTOF(heads), 1u << 1 | 1u << 4 | 1u << 5, g))
        return false;
    for (size_t i = 0; i < CB_COUNTOF(heads); i++)
        strcpy(cb_table_cell(g, 0, (int)i), heads[i]);
    g->rows = 1;
    for (int i = 0; i < t->n_cases; i++) {
        const struct measured *m = &t->cases[i];
        if (!has_line(t, m))
            continue;
        int row = g->rows++;
        format_configuration(&t->configurations[m->configuration], cb_table_cell(g, row, 0));
        format_bound(t, m->configuration, cb_table_cell(g, row, 1));
        if (m->protocol == BOUND)
            continue;
        format_protocol(t, m->protocol, cb_table_cell(g, row, 2));
        format_found(m->item, cb_table_cell(g, row, 3));
        format_recall(m->item, cb_table_cell(g, row, 4));
        format_time(m->item, cb_table_cell(g, row, 5));
    }
    return true;
}

static void print_device(FILE *out, const struct table *t, const cJSON *device)
{
    struct cb_table g;
    struct cb_device d;
    char units[64];
    cb_device_from_json(&d, device);
    cb_device_units(&d, units, sizeof units);
    fprintf(out, "\n%s%s%s\n\n", cb_json_text(device, "name", ""), *units ? ": " : "", units);
    bool filled = fill_wide(t, &g);
    if (!filled || cb_table_fit(&g) > cb_line_width(out)) {
        cb_table_free(&g);
        filled = fill_long(t, &g);
    }
    if (filled)
        cb_table_print(out, &g);
    else
        fputs("(no memory for the table)\n", out);
    cb_table_free(&g);
}

void cb_discover_report(FILE *out, const cJSON *run)
{
    const cJSON *device;
    fprintf(out, "\nWorkgroups found (mean ± std. dev.), recall (share of the bound), "
                 "protocol time (median)\n");
    cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(run, "devices")) {
        struct table t;
        if (!table_of(run, cb_json_text(device, "id", ""), &t))
            fputs("(no memory for the table)\n", out);
        else if (t.n_cases > 0)
            print_device(out, &t, device);
        free(t.cases);
        free(t.configurations);
        free(t.protocols);
    }
}
