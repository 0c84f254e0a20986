/* SPDX-License-Identifier: Apache-2.0
 *
 * A Markdown table per device, padded to be read in a terminal too: a line per configuration with
 * a column per protocol, or, where that is too wide, a line per case.
 */
#include "probes/discover/report.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "runtime/error.h"

#define CELL_BYTES    96
#define DEFAULT_WIDTH 100
#define BOUND         (-1) /* in place of a protocol: the search for the bound */

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

static const char *text_of(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    return text ? text : "";
}

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
    if (!split_id(text_of(item, "id"), &protocol, &configuration))
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
        if (strcmp(text_of(item, "device"), device) == 0)
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

static double statistic(const cJSON *c, const char *metric, const char *key)
{
    const cJSON *m;
    if (strcmp(text_of(c, "status"), "ok") != 0)
        return NAN;
    cJSON_ArrayForEach (m, cJSON_GetObjectItemCaseSensitive(c, "metrics"))
        if (strcmp(text_of(m, "name"), metric) == 0)
            return cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(m, key));
    return NAN;
}

static int copy_name(char text[CELL_BYTES], const struct name *name)
{
    return snprintf(text, CELL_BYTES, "%.*s", name->length, name->text);
}

/* "ticket/delay=0" -> "ticket, delay 0"; "adaptive" says enough without "delay". */
static void format_protocol(const struct table *t, int index, char text[CELL_BYTES])
{
    const struct name *name = &t->protocols[index];
    int n = copy_name(text, name);
    for (const char *part = name->rest; *part == '/' && n < CELL_BYTES;
         part += strcspn(part, "/")) {
        part++;
        if (strncmp(part, "delay=a", 7) == 0)
            part += strlen("delay=");
        n += snprintf(text + n, (size_t)(CELL_BYTES - n), ", %.*s", (int)strcspn(part, "/"), part);
    }
    for (char *at = text; (at = strchr(at, '='));)
        *at = ' ';
}

static void format_bound(const struct table *t, int configuration, char text[CELL_BYTES])
{
    const cJSON *bound = find_case(t, configuration, BOUND);
    double groups = statistic(bound, "groups_bound", "median");
    snprintf(text, CELL_BYTES, "%.0f", groups);
    if (isnan(groups))
        snprintf(text, CELL_BYTES, "%s", bound ? text_of(bound, "status") : "not searched");
}

/* "4224" where all runs found as many, else "75.6 ± 41.2", a small deviation with its first digit;
 * the status of a case that has no number. */
static void format_found(const cJSON *c, char text[CELL_BYTES])
{
    double mean = statistic(c, "groups_found", "mean"), least = 0.05;
    double deviation = statistic(c, "groups_found", "stddev");
    int digits = 1;
    if (isnan(mean)) {
        snprintf(text, CELL_BYTES, "%s", text_of(c, "status"));
    } else if (deviation > 0) {
        for (; deviation < least && digits < 6; digits++)
            least /= 10;
        snprintf(text, CELL_BYTES, "%.*f ± %.*f", digits, mean, digits, deviation);
    } else {
        snprintf(text, CELL_BYTES, "%.*f", mean == floor(mean) ? 0 : 1, mean);
    }
}

/* Rounded down near 100 %, which is for all alone. */
static void format_recall(const cJSON *c, char text[CELL_BYTES])
{
    double percent = 100 * statistic(c, "recall", "mean");
    int digits = percent >= 0.95 ? 1 : percent >= 0.095 ? 2 : 3;
    if (percent == 100 || percent == 0)
        digits = 0;
    if (percent > 99.9 && percent < 100)
        percent = 99.9;
    snprintf(text, CELL_BYTES, "%.*f %%", digits, percent);
    if (isnan(percent))
        text[0] = '\0';
}

static void format_time(const cJSON *c, char text[CELL_BYTES])
{
    static const char *const units[] = {"ns", "µs", "ms", "s"};
    double time = statistic(c, "protocol_time", "median");
    size_t unit = 0;
    for (; time >= 999.5 && unit + 1 < CB_COUNTOF(units); unit++)
        time /= 1000;
    snprintf(text, CELL_BYTES, "%.*f %s", time < 9.995 ? 2 : time < 99.95, time, units[unit]);
    if (isnan(time))
        text[0] = '\0';
}

/* "4224, 100 %, 40.7 ms": as far as it is known. */
static void format_case(const cJSON *c, char text[CELL_BYTES])
{
    char part[CELL_BYTES];
    void (*const rest[])(const cJSON *, char *) = {format_recall, format_time};
    format_found(c, text);
    for (size_t i = 0; i < CB_COUNTOF(rest); i++) {
        size_t n = strlen(text);
        rest[i](c, part);
        if (*part)
            snprintf(text + n, CELL_BYTES - n, ", %s", part);
    }
}

/* ---- Grid of cells --------------------------------------------------------------------------- */

struct grid {
    char (*cells)[CELL_BYTES]; /* by row; the first row has the heads */
    int *widths;               /* of the columns, in characters */
    int rows, columns;
    unsigned right; /* bits: columns that are flush right */
};

static bool grid_of(int rows, int columns, unsigned right, struct grid *g)
{
    *g = (struct grid){calloc((size_t)rows * (size_t)columns, sizeof *g->cells),
                       calloc((size_t)columns, sizeof *g->widths), rows, columns, right};
    return g->cells && g->widths;
}

static char *cell(const struct grid *g, int row, int column)
{
    return g->cells[(size_t)row * (size_t)g->columns + (size_t)column];
}

/* In characters: bytes of UTF-8 that do not continue one. */
static int text_width(const char *text)
{
    int width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

/* Fits the columns to their cells. Returns the width of a row. */
static int fit_columns(struct grid *g)
{
    int sum = 1;
    for (int column = 0; column < g->columns; column++) {
        for (int row = 0; row < g->rows; row++) {
            int width = text_width(cell(g, row, column));
            g->widths[column] = width > g->widths[column] ? width : g->widths[column];
        }
        sum += g->widths[column] + 3;
    }
    return sum;
}

static bool flush_right(const struct grid *g, int column)
{
    return column < 32 && g->right >> column & 1;
}

static void print_rule(FILE *out, const struct grid *g)
{
    for (int column = 0; column < g->columns; column++) {
        fputs("| ", out);
        for (int i = 1; i < g->widths[column]; i++)
            fputc('-', out);
        fputs(flush_right(g, column) ? ": " : "- ", out);
    }
    fputs("|\n", out);
}

static void print_grid(FILE *out, struct grid *g)
{
    fit_columns(g);
    for (int row = 0; row < g->rows; row++) {
        for (int column = 0; column < g->columns; column++) {
            const char *text = cell(g, row, column);
            int pad = g->widths[column] - text_width(text);
            bool right = flush_right(g, column);
            fprintf(out, "| %*s%s%*s ", right ? pad : 0, "", text, right ? 0 : pad, "");
        }
        fputs("|\n", out);
        if (row == 0)
            print_rule(out, g);
    }
}

/* ---- The two forms --------------------------------------------------------------------------- */

/* A line per configuration, a column per protocol. False: no memory, or a repeated case, for which
 * there is no cell. */
static bool fill_wide(const struct table *t, struct grid *g)
{
    if (!grid_of(1 + t->n_configurations, 2 + t->n_protocols, 1u << 1, g))
        return false;
    strcpy(cell(g, 0, 0), "configuration");
    strcpy(cell(g, 0, 1), "bound");
    for (int i = 0; i < t->n_protocols; i++)
        format_protocol(t, i, cell(g, 0, 2 + i));
    for (int i = 0; i < t->n_configurations; i++) {
        copy_name(cell(g, 1 + i, 0), &t->configurations[i]);
        format_bound(t, i, cell(g, 1 + i, 1));
    }
    for (int i = 0; i < t->n_cases; i++) {
        const struct measured *m = &t->cases[i];
        if (m->protocol == BOUND)
            continue;
        if (find_case(t, m->configuration, m->protocol) != m->item)
            return false;
        format_case(m->item, cell(g, 1 + m->configuration, 2 + m->protocol));
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
static bool fill_long(const struct table *t, struct grid *g)
{
    static const char *const heads[] = {"configuration", "bound",  "protocol",
                                        "found",         "recall", "time"};
    if (!grid_of(1 + t->n_cases, CB_COUNTOF(heads), 1u << 1 | 1u << 4 | 1u << 5, g))
        return false;
    for (size_t i = 0; i < CB_COUNTOF(heads); i++)
        strcpy(cell(g, 0, (int)i), heads[i]);
    g->rows = 1;
    for (int i = 0; i < t->n_cases; i++) {
        const struct measured *m = &t->cases[i];
        if (!has_line(t, m))
            continue;
        int row = g->rows++;
        copy_name(cell(g, row, 0), &t->configurations[m->configuration]);
        format_bound(t, m->configuration, cell(g, row, 1));
        if (m->protocol == BOUND)
            continue;
        format_protocol(t, m->protocol, cell(g, row, 2));
        format_found(m->item, cell(g, row, 3));
        format_recall(m->item, cell(g, row, 4));
        format_time(m->item, cell(g, row, 5));
    }
    return true;
}

/* Characters that a line may have. */
static int line_width(FILE *out)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size;
    int fd = fileno(out); /* a stream in memory has none */
    if (columns && atoi(columns) > 0 && isatty(fd))
        return atoi(columns);
    return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : DEFAULT_WIDTH;
}

static void print_device(FILE *out, const struct table *t, const cJSON *device)
{
    struct grid g;
    double units = cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(device, "compute_units"));
    fprintf(out, units > 0 ? "\n%s: %.0f compute units\n\n" : "\n%s\n\n", text_of(device, "name"),
            units);
    bool filled = fill_wide(t, &g);
    if (!filled || fit_columns(&g) > line_width(out)) {
        free(g.cells);
        free(g.widths);
        filled = fill_long(t, &g);
    }
    if (filled)
        print_grid(out, &g);
    else
        fputs("(no memory for the table)\n", out);
    free(g.cells);
    free(g.widths);
}

void cb_discover_report(FILE *out, const cJSON *run)
{
    const cJSON *device;
    fprintf(out, "Workgroups found (mean ± std. dev.), recall (share of the bound), "
                 "protocol time (median)\n");
    cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(run, "devices")) {
        struct table t;
        if (!table_of(run, text_of(device, "id"), &t))
            fputs("(no memory for the table)\n", out);
        else if (t.n_cases > 0)
            print_device(out, &t, device);
        free(t.cases);
        free(t.configurations);
        free(t.protocols);
    }
}
