/* SPDX-License-Identifier: Apache-2.0
 *
 * Data files of the pictures. All are tables of tab-separated columns under a comment line that
 * names them: gnuplot reads them with `set datafile separator tab`, spreadsheets as they are.
 * Blocks, parted by two empty lines, are what the scripts loop over. Unknown numbers are nan.
 */
#include "probes/discover/figures.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const protocols[] = {"spin", "ticket", "lockfree"};
static const char *const microbenchmarks[] = {"11", "L1", "1W", "LW"};

/* A device as one run saw it: the same device in two runs is two of these. */
struct place {
    const cJSON *run, *device;
    char label[256];
    bool is_gpu;
};

/* An ok case of the probe. */
struct point {
    int place;
    const char *protocol;
    const char *microbenchmark; /* NULL: belongs to the sweep over workgroup sizes */
    double wg;
    const char *delay; /* "": the protocol has none */
    const cJSON *metrics;
};

struct points {
    struct place *places;
    int n_places;
    struct point *points; /* ordered by place */
    int n;
};

static const char *text_of(const cJSON *object, const char *key)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
}

static double number_of(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static const cJSON *first_in(const cJSON *array)
{
    return array ? array->child : NULL;
}

/* A statistic of a metric: NaN if the case does not have it. */
static double stat_of(const struct point *p, const char *metric, const char *statistic)
{
    for (const cJSON *item = first_in(p->metrics); item; item = item->next)
        if (same_text(text_of(item, "name"), metric))
            return number_of(item, statistic);
    return NAN;
}

/* Appends name without trademark signs, and without what would end a field of the table. */
static void append_clean(char *label, size_t size, const char *name)
{
    static const char *const signs[] = {"(R)", "(r)", "(TM)", "(tm)"};
    size_t n = strlen(label);
    while (*name && n + 1 < size) {
        size_t skip = 0;
        for (size_t i = 0; i < CB_COUNTOF(signs); i++)
            if (strncmp(name, signs[i], strlen(signs[i])) == 0)
                skip = strlen(signs[i]);
        if (skip) {
            name += skip;
            continue;
        }
        char c = *name++;
        if (c == '"' || c == '\\' || iscntrl((unsigned char)c))
            c = ' ';
        if (c != ' ' || (n > 0 && label[n - 1] != ' '))
            label[n++] = c;
    }
    while (n > 0 && label[n - 1] == ' ')
        n--;
    label[n] = '\0';
}

/* Names a place so that no two have the same label: the device's name; its number if the run has
 * several devices of that name; the run if several runs have one. */
static void label_place(const struct points *set, int index)
{
    struct place *place = &set->places[index];
    const char *name = text_of(place->device, "name");
    int before = 0, same_run = 0, other_runs = 0;
    for (int i = 0; i < set->n_places; i++) {
        if (!same_text(text_of(set->places[i].device, "name"), name))
            continue;
        same_run += set->places[i].run == place->run;
        before += set->places[i].run == place->run && i < index;
        other_runs += set->places[i].run != place->run;
    }
    append_clean(place->label, sizeof place->label, name ? name : "unnamed device");
    size_t n = strlen(place->label);
    if (same_run > 1)
        snprintf(place->label + n, sizeof place->label - n, " #%d", before + 1);
    const char *run_id = text_of(place->run, "run_id");
    if (other_runs && run_id) {
        n = strlen(place->label);
        snprintf(place->label + n, sizeof place->label - n, " (");
        append_clean(place->label, sizeof place->label - 1, run_id);
        strcat(place->label, ")");
    }
}

static void add_point(struct points *set, const cJSON *item, int place)
{
    const cJSON *params = cJSON_GetObjectItemCaseSensitive(item, "params");
    const char *protocol = text_of(params, "protocol");
    if (!protocol)
        return;
    const char *delay = text_of(params, "delay");
    set->points[set->n++] = (struct point){
        .place = place,
        .protocol = protocol,
        .microbenchmark = text_of(params, "microbenchmark"),
        .wg = number_of(params, "wg"),
        .delay = delay ? delay : "",
        .metrics = cJSON_GetObjectItemCaseSensitive(item, "metrics"),
    };
}

/* Adds the ok cases of one device of one run; a device without any does not become a place. */
static void add_place(struct points *set, const cJSON *run, const cJSON *device)
{
    const char *type = text_of(device, "type");
    set->places[set->n_places] =
        (struct place){.run = run, .device = device, .is_gpu = same_text(type, "gpu")};
    int before = set->n;
    const cJSON *cases = cJSON_GetObjectItemCaseSensitive(run, "cases");
    for (const cJSON *item = first_in(cases); item; item = item->next)
        if (same_text(text_of(item, "bench"), "discover") &&
            same_text(text_of(item, "status"), "ok") &&
            same_text(text_of(item, "device"), text_of(device, "id")))
            add_point(set, item, set->n_places);
    set->n_places += set->n > before;
}

static void points_free(struct points *set)
{
    free(set->places);
    free(set->points);
}

/* All ok cases of the runs. Empty if there is no memory. */
static struct points points_of(cJSON *const *runs, int n)
{
    size_t n_places = 1, n_points = 1;
    for (int i = 0; i < n; i++) {
        const cJSON *devices = cJSON_GetObjectItemCaseSensitive(runs[i], "devices");
        const cJSON *cases = cJSON_GetObjectItemCaseSensitive(runs[i], "cases");
        n_places += (size_t)cJSON_GetArraySize(devices);
        n_points += (size_t)cJSON_GetArraySize(cases);
    }
    struct points set = {.places = calloc(n_places, sizeof *set.places),
                         .points = calloc(n_points, sizeof *set.points)};
    if (!set.places || !set.points)
        return set;
    for (int i = 0; i < n; i++) {
        const cJSON *devices = cJSON_GetObjectItemCaseSensitive(runs[i], "devices");
        for (const cJSON *device = first_in(devices); device; device = device->next)
            add_place(&set, runs[i], device);
    }
    for (int i = 0; i < set.n_places; i++)
        label_place(&set, i);
    return set;
}

/* Whether two points differ in nothing but their delay. */
static bool same_but_delay(const struct point *a, const struct point *b)
{
    return a->place == b->place && strcmp(a->protocol, b->protocol) == 0 &&
           same_text(a->microbenchmark, b->microbenchmark) && (a->microbenchmark || a->wg == b->wg);
}

/* Figs. 7 and 8 draw one delay per protocol: none on a GPU, as the paper; on other devices, whose
 * workgroups come so slowly that the poll closes before them, the adaptive one. The first measured
 * stands in for either. */
static bool is_drawn(const struct points *set, int index)
{
    const struct point *self = &set->points[index];
    const char *preferred = set->places[self->place].is_gpu ? "0" : "adaptive";
    int drawn = -1;
    for (int i = 0; i < set->n; i++) {
        const struct point *p = &set->points[i];
        if (!same_but_delay(p, self))
            continue;
        if (drawn < 0)
            drawn = i;
        if (strcmp(p->delay, preferred) == 0) {
            drawn = i;
            break;
        }
    }
    return drawn == index;
}

static const struct point *find_drawn(const struct points *set, int place, const char *protocol,
                                      const char *microbenchmark)
{
    for (int i = 0; i < set->n; i++) {
        const struct point *p = &set->points[i];
        if (p->place == place && strcmp(p->protocol, protocol) == 0 &&
            same_text(p->microbenchmark, microbenchmark) && is_drawn(set, i))
            return p;
    }
    return NULL;
}

/* What parts a block from the points before it. */
static const char *block_separator(int points_before)
{
    return points_before > 0 ? "\n\n" : "";
}

/* A row of Fig. 7 after a separator: the bars of one microbenchmark. Returns their number; 0:
 * nothing written. */
static int write_recall_row(FILE *out, const char *separator, const struct points *set, int place,
                            const char *microbenchmark, int slot)
{
    const struct point *found[CB_COUNTOF(protocols)];
    double bound = NAN;
    int bars = 0;
    for (size_t i = 0; i < CB_COUNTOF(protocols); i++) {
        found[i] = find_drawn(set, place, protocols[i], microbenchmark);
        if (!found[i] || isnan(stat_of(found[i], "recall", "mean")))
            continue;
        bars++;
        if (isnan(bound))
            bound = stat_of(found[i], "groups_bound", "median");
    }
    if (bars == 0)
        return 0;
    double units = number_of(set->places[place].device, "compute_units");
    if (!(units > 0) || !(bound > 0))
        units = NAN;
    fprintf(out, "%s%d\t\"%s\"\t\"%s\"\t%.6g\t%.6g\t%.6g", separator, slot,
            set->places[place].label, microbenchmark, units, bound, 100 * units / bound);
    for (size_t i = 0; i < CB_COUNTOF(protocols); i++) {
        double mean = found[i] ? stat_of(found[i], "recall", "mean") : NAN;
        double stddev = found[i] ? stat_of(found[i], "recall", "stddev") : NAN;
        fprintf(out, "\t%.6g\t%.6g", 100 * mean, 100 * stddev);
    }
    fputc('\n', out);
    return bars;
}

static int write_fig7(FILE *out, cJSON *const *runs, int n)
{
    struct points set = points_of(runs, n);
    int bars = 0, slot = 0;
    fputs("# slot\tdevice\tmicrobenchmark\tcompute_units\tgroups_bound\tcompute_units_percent",
          out);
    for (size_t i = 0; i < CB_COUNTOF(protocols); i++)
        fprintf(out, "\t%s_percent\t%s_stddev", protocols[i], protocols[i]);
    fputc('\n', out);
    for (int place = 0; place < set.n_places; place++) {
        int before = bars;
        for (size_t i = 0; i < CB_COUNTOF(microbenchmarks); i++) {
            const char *separator = bars == before ? block_separator(before) : "";
            int written = write_recall_row(out, separator, &set, place, microbenchmarks[i], slot);
            bars += written;
            slot += written > 0;
        }
        slot += bars > before; /* a gap between devices */
    }
    points_free(&set);
    return bars;
}

/* A point of Fig. 8. */
struct timing {
    double wg, bound, found, median, q1, q3;
};

static int by_bound(const void *a, const void *b)
{
    const struct timing *x = a, *y = b;
    if (x->bound != y->bound)
        return (x->bound > y->bound) - (x->bound < y->bound);
    return (x->wg < y->wg) - (x->wg > y->wg); /* larger workgroups lower the bound: they go first */
}

/* The sweep of one protocol on one device, as a block after a separator. */
static int write_timings(FILE *out, const char *separator, const struct points *set, int place,
                         int protocol, struct timing *rows)
{
    int n = 0;
    for (int i = 0; i < set->n; i++) {
        const struct point *p = &set->points[i];
        if (p->place != place || p->microbenchmark || strcmp(p->protocol, protocols[protocol]) ||
            !is_drawn(set, i))
            continue;
        struct timing t = {p->wg,
                           stat_of(p, "groups_bound", "median"),
                           stat_of(p, "groups_found", "mean"),
                           stat_of(p, "protocol_time", "median"),
                           stat_of(p, "protocol_time", "q1"),
                           stat_of(p, "protocol_time", "q3")};
        if (!isnan(t.bound) && t.median > 0) /* the axis is logarithmic */
            rows[n++] = t;
    }
    qsort(rows, (size_t)n, sizeof *rows, by_bound);
    fputs(n > 0 ? separator : "", out);
    for (int i = 0; i < n; i++)
        fprintf(out, "%d\t%d\t\"%s\"\t\"%s\"\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\n", place,
                protocol, set->places[place].label, protocols[protocol], rows[i].wg, rows[i].bound,
                rows[i].found, rows[i].median, rows[i].q1, rows[i].q3);
    return n;
}

static int write_fig8(FILE *out, cJSON *const *runs, int n)
{
    struct points set = points_of(runs, n);
    struct timing *rows = calloc((size_t)set.n + 1, sizeof *rows);
    int points = 0;
    fputs("# device_number\tprotocol_number\tdevice\tprotocol\twg\tgroups_bound\tgroups_found_mean"
          "\tprotocol_time_median_ns\tprotocol_time_q1_ns\tprotocol_time_q3_ns\n",
          out);
    for (int place = 0; rows && place < set.n_places; place++)
        for (size_t i = 0; i < CB_COUNTOF(protocols); i++)
            points += write_timings(out, block_separator(points), &set, place, (int)i, rows);
    free(rows);
    points_free(&set);
    return points;
}

/* Numbers by value, then words ("adaptive"). */
static int by_delay(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    bool x_number = isdigit((unsigned char)*x), y_number = isdigit((unsigned char)*y);
    if (x_number != y_number)
        return y_number - x_number;
    double difference = x_number ? atof(x) - atof(y) : strcmp(x, y);
    return (difference > 0) - (difference < 0);
}

/* The ticket lock's point of a microbenchmark with this delay. */
static const struct point *find_delayed(const struct points *set, int place,
                                        const char *microbenchmark, const char *delay)
{
    for (int i = 0; i < set->n; i++) {
        const struct point *p = &set->points[i];
        if (p->place == place && strcmp(p->protocol, "ticket") == 0 &&
            same_text(p->microbenchmark, microbenchmark) && strcmp(p->delay, delay) == 0 &&
            !isnan(stat_of(p, "groups_found", "mean")))
            return p;
    }
    return NULL;
}

/* The distinct delays of the microbenchmarks, in the order of the axis; delays has room for set->n.
 */
static int list_delays(const struct points *set, const char **delays)
{
    int n = 0;
    for (int i = 0; i < set->n; i++) {
        const struct point *p = &set->points[i];
        bool listed = !p->microbenchmark || strcmp(p->protocol, "ticket") != 0 || !*p->delay;
        for (int d = 0; d < n && !listed; d++)
            listed = strcmp(delays[d], p->delay) == 0;
        if (!listed)
            delays[n++] = p->delay;
    }
    qsort(delays, (size_t)n, sizeof *delays, by_delay);
    return n;
}

/* One device and microbenchmark as a block after a separator. One delay alone says nothing of what
 * delay does. */
static int write_delays(FILE *out, const char *separator, const struct points *set, int place,
                        const char *microbenchmark, const char *const *delays, int n_delays)
{
    int points = 0;
    for (int d = 0; d < n_delays; d++)
        points += find_delayed(set, place, microbenchmark, delays[d]) != NULL;
    if (points < 2)
        return 0;
    fputs(separator, out);
    for (int d = 0; d < n_delays; d++) {
        const struct point *p = find_delayed(set, place, microbenchmark, delays[d]);
        if (p)
            fprintf(out, "%d\t%d\t\"%s\"\t\"%s\"\t\"%s\"\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\n",
                    place, d, set->places[place].label, microbenchmark, delays[d],
                    stat_of(p, "groups_bound", "median"), stat_of(p, "groups_found", "mean"),
                    stat_of(p, "groups_found", "stddev"), stat_of(p, "protocol_time", "median"),
                    stat_of(p, "protocol_time", "q1"), stat_of(p, "protocol_time", "q3"));
    }
    return points;
}

static int write_tab5(FILE *out, cJSON *const *runs, int n)
{
    struct points set = points_of(runs, n);
    const char **delays = calloc((size_t)set.n + 1, sizeof *delays);
    int n_delays = delays ? list_delays(&set, delays) : 0, points = 0;
    fputs("# device_number\tdelay_number\tdevice\tmicrobenchmark\tdelay\tgroups_bound"
          "\tgroups_found_mean\tgroups_found_stddev"
          "\tprotocol_time_median_ns\tprotocol_time_q1_ns\tprotocol_time_q3_ns\n",
          out);
    for (int place = 0; place < set.n_places; place++)
        for (size_t i = 0; i < CB_COUNTOF(microbenchmarks); i++)
            points += write_delays(out, block_separator(points), &set, place, microbenchmarks[i],
                                   delays, n_delays);
    free(delays);
    points_free(&set);
    return points;
}

const struct cb_figure cb_discover_figures[] = {
    {"fig7", "plots/discover_fig7.gp",
     "Discovered occupancy and compute units compared to the occupancy bound", write_fig7},
    {"fig8", "plots/discover_fig8.gp",
     "Time of the discovery protocol (numbers: discovered occupancy)", write_fig8},
    {"tab5", "plots/discover_tab5.gp", "Ticket lock with a delay between polling and closing",
     write_tab5},
    {0},
};
