/* SPDX-License-Identifier: Apache-2.0
 *
 * Data files of the pictures. All are tables of tab-separated columns under a comment line that
 * names them: gnuplot reads them with `set datafile separator tab`, spreadsheets as they are.
 * Blocks, parted by two empty lines, are what the scripts loop over. Unknown numbers are nan.
 */
#include "benchmarks/discover/figures.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/discover/points.h"

#define DELAYS_BYTES 96

static const char *const protocols[] = {"spin", "ticket", "lockfree"};
static const char *const microbenchmarks[] = {"11", "L1", "1W", "LW"};

/* Whether two points differ in nothing but their delay. */
static bool same_but_delay(const struct cb_point *a, const struct cb_point *b)
{
    return cb_point_is(a, b->place, b->protocol, b->microbenchmark) &&
           (a->microbenchmark || a->wg == b->wg);
}

/* Figs. 7 and 8 draw one delay per protocol: none on a GPU, as the paper; on other devices, whose
 * workgroups come so slowly that the poll closes before them, the adaptive one. The first measured
 * stands in for either. */
static bool is_drawn(const struct cb_points *set, int index)
{
    const struct cb_point *self = &set->points[index];
    const char *preferred = set->places[self->place].is_gpu ? "0" : "adaptive";
    int drawn = -1;
    for (int i = 0; i < set->n; i++) {
        const struct cb_point *p = &set->points[i];
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

/* Which delays the locks are drawn with, on a place's microbenchmarks or its sweep: "delay 0",
 * "adaptive"; rarely, where the first measured stands in, "adaptive, delay 10". */
static void name_drawn_delays(const struct cb_points *set, int place, bool sweep, char *text,
                              size_t size)
{
    const char *seen[3];
    size_t n = 0, length = 0;
    text[0] = '\0';
    for (int i = 0; i < set->n; i++) {
        const struct cb_point *p = &set->points[i];
        bool named = p->place != place || !p->microbenchmark != sweep || !*p->delay;
        for (size_t k = 0; k < n && !named; k++)
            named = strcmp(seen[k], p->delay) == 0;
        if (named || !is_drawn(set, i))
            continue;
        if (n == CB_COUNTOF(seen)) {
            snprintf(text, size, "several delays");
            return;
        }
        seen[n++] = p->delay;
        snprintf(text + length, size - length, "%s%s%.20s", length ? ", " : "",
                 isdigit((unsigned char)*p->delay) ? "delay " : "", p->delay);
        length = strlen(text);
    }
}

static const struct cb_point *find_drawn(const struct cb_points *set, int place,
                                         const char *protocol, const char *microbenchmark)
{
    for (int i = 0; i < set->n; i++)
        if (cb_point_is(&set->points[i], place, protocol, microbenchmark) && is_drawn(set, i))
            return &set->points[i];
    return NULL;
}

/* What parts a block from the points before it. */
static const char *block_separator(int points_before)
{
    return points_before > 0 ? "\n\n" : "";
}

/* A row of Fig. 7 after a separator: the bars of one microbenchmark. Returns their number; 0:
 * nothing written. */
static int write_recall_row(FILE *out, const char *separator, const struct cb_points *set,
                            int place, const char *microbenchmark, int slot, const char *delays)
{
    const struct cb_point *found[CB_COUNTOF(protocols)];
    double bound = NAN;
    int bars = 0;
    for (size_t i = 0; i < CB_COUNTOF(protocols); i++) {
        found[i] = find_drawn(set, place, protocols[i], microbenchmark);
        if (!found[i] || isnan(cb_point_stat(found[i], "recall", "mean")))
            continue;
        bars++;
        if (isnan(bound))
            bound = cb_point_stat(found[i], "groups_bound", "median");
    }
    if (bars == 0)
        return 0;
    double units = set->places[place].compute_units;
    if (!(units > 0) || !(bound > 0))
        units = NAN;
    fprintf(out, "%s%d\t\"%s\"\t\"%s\"\t%.6g\t%.6g\t%.6g", separator, slot,
            set->places[place].label, microbenchmark, units, bound, 100 * units / bound);
    for (size_t i = 0; i < CB_COUNTOF(protocols); i++) {
        double mean = found[i] ? cb_point_stat(found[i], "recall", "mean") : NAN;
        double stddev = found[i] ? cb_point_stat(found[i], "recall", "stddev") : NAN;
        fprintf(out, "\t%.6g\t%.6g", 100 * mean, 100 * stddev);
    }
    fprintf(out, "\t\"%s\"\n", delays);
    return bars;
}

static int write_fig7(FILE *out, cJSON *const *runs, int n)
{
    struct cb_points set = cb_points_of(runs, n);
    int bars = 0, slot = 0;
    fputs("# slot\tdevice\tmicrobenchmark\tcompute_units\tgroups_bound\tcompute_units_percent",
          out);
    for (size_t i = 0; i < CB_COUNTOF(protocols); i++)
        fprintf(out, "\t%s_percent\t%s_stddev", protocols[i], protocols[i]);
    fputs("\tlock_delays\n", out);
    for (int place = 0; place < set.n_places; place++) {
        int before = bars;
        char delays[DELAYS_BYTES];
        name_drawn_delays(&set, place, false, delays, sizeof delays);
        for (size_t i = 0; i < CB_COUNTOF(microbenchmarks); i++) {
            const char *separator = bars == before ? block_separator(before) : "";
            int written =
                write_recall_row(out, separator, &set, place, microbenchmarks[i], slot, delays);
            bars += written;
            slot += written > 0;
        }
        slot += bars > before; /* a gap between devices */
    }
    cb_points_free(&set);
    return bars;
}

/* A point of Fig. 8. */
struct timing {
    int protocol;
    double wg, bound, found, median, q1, q3;
};

static int order_of(double x, double y)
{
    return (x > y) - (x < y);
}

static int by_time(const void *a, const void *b)
{
    const struct timing *x = a, *y = b;
    int order = x->protocol - y->protocol;
    order = order ? order : order_of(x->bound, y->bound);
    order = order ? order : order_of(x->median, y->median);
    return order ? order : order_of(y->wg, x->wg);
}

static int by_wg(const void *a, const void *b)
{
    const struct timing *x = a, *y = b;
    return x->protocol != y->protocol ? x->protocol - y->protocol : order_of(x->wg, y->wg);
}

/* The sweep of one protocol on one device. Returns the number of rows. */
static int collect_timings(const struct cb_points *set, int place, int protocol,
                           struct timing *rows)
{
    int n = 0;
    for (int i = 0; i < set->n; i++) {
        const struct cb_point *p = &set->points[i];
        if (!cb_point_is(p, place, protocols[protocol], NULL) || !is_drawn(set, i))
            continue;
        struct timing t = {protocol,
                           p->wg,
                           cb_point_stat(p, "groups_bound", "median"),
                           cb_point_stat(p, "groups_found", "mean"),
                           cb_point_stat(p, "protocol_time", "median"),
                           cb_point_stat(p, "protocol_time", "q1"),
                           cb_point_stat(p, "protocol_time", "q3")};
        bool complete = !isnan(t.bound) && !isnan(t.found) && t.q1 > 0 && t.q3 > 0;
        if (complete && t.median > 0) /* the axis is logarithmic */
            rows[n++] = t;
    }
    return n;
}

static bool bound_varies(const struct timing *rows, int n)
{
    for (int i = 1; i < n; i++)
        if (rows[i].bound != rows[0].bound)
            return true;
    return false;
}

/* A line needs two sizes of workgroup. */
static bool has_lines(const struct timing *rows, int n)
{
    for (int i = 1; i < n; i++)
        if (rows[i].wg != rows[0].wg)
            return true;
    return false;
}

/* Keeps one row per protocol and bound. Many sizes of workgroup share a bound: the one with the
 * median time (the lower of two) stands for them, a measured point with its own quartiles and
 * number, where all of them would pile up over one place of the axis. Returns the number kept. */
static int thin_timings(struct timing *rows, int n)
{
    int kept = 0;
    qsort(rows, (size_t)n, sizeof *rows, by_time);
    for (int first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && rows[end].protocol == rows[first].protocol &&
                              rows[end].bound == rows[first].bound;)
            end++;
        rows[kept++] = rows[(first + end - 1) / 2];
    }
    return kept;
}

/* The sweeps on one device, a block per protocol. */
static int write_timings(FILE *out, int points_before, const struct cb_points *set, int place,
                         struct timing *rows)
{
    char delays[DELAYS_BYTES];
    int n = 0;
    name_drawn_delays(set, place, true, delays, sizeof delays);
    for (size_t i = 0; i < CB_COUNTOF(protocols); i++)
        n += collect_timings(set, place, (int)i, rows + n);
    if (!has_lines(rows, n))
        return 0;
    if (bound_varies(rows, n))
        n = thin_timings(rows, n);
    else /* the picture is against the size of the workgroup */
        qsort(rows, (size_t)n, sizeof *rows, by_wg);
    for (int i = 0; i < n; i++) {
        const struct timing *t = &rows[i];
        if (i == 0 || t->protocol != rows[i - 1].protocol)
            fputs(block_separator(points_before + i), out);
        fprintf(out, "%d\t%d\t\"%s\"\t\"%s\"\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t\"%s\"\n", place,
                t->protocol, set->places[place].label, protocols[t->protocol], t->wg, t->bound,
                t->found, t->median, t->q1, t->q3, delays);
    }
    return n;
}

static int write_fig8(FILE *out, cJSON *const *runs, int n)
{
    struct cb_points set = cb_points_of(runs, n);
    struct timing *rows = calloc((size_t)set.n + 1, sizeof *rows);
    int points = 0;
    fputs("# device_number\tprotocol_number\tdevice\tprotocol\twg\tgroups_bound\tgroups_found_mean"
          "\tprotocol_time_median_ns\tprotocol_time_q1_ns\tprotocol_time_q3_ns\tlock_delays\n",
          out);
    for (int place = 0; rows && place < set.n_places; place++)
        points += write_timings(out, points, &set, place, rows);
    free(rows);
    cb_points_free(&set);
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
static const struct cb_point *find_delayed(const struct cb_points *set, int place,
                                           const char *microbenchmark, const char *delay)
{
    for (int i = 0; i < set->n; i++) {
        const struct cb_point *p = &set->points[i];
        if (cb_point_is(p, place, "ticket", microbenchmark) && strcmp(p->delay, delay) == 0 &&
            !isnan(cb_point_stat(p, "groups_found", "mean")))
            return p;
    }
    return NULL;
}

/* The distinct delays of the microbenchmarks, in the order of the axis; delays has room for set->n.
 */
static int list_delays(const struct cb_points *set, const char **delays)
{
    int n = 0;
    for (int i = 0; i < set->n; i++) {
        const struct cb_point *p = &set->points[i];
        bool listed = !p->microbenchmark || strcmp(p->protocol, "ticket") != 0 || !*p->delay ||
                      isnan(cb_point_stat(p, "groups_found", "mean"));
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
static int write_delays(FILE *out, const char *separator, const struct cb_points *set, int place,
                        const char *microbenchmark, const char *const *delays, int n_delays)
{
    int points = 0;
    for (int d = 0; d < n_delays; d++)
        points += find_delayed(set, place, microbenchmark, delays[d]) != NULL;
    if (points < 2)
        return 0;
    fputs(separator, out);
    for (int d = 0; d < n_delays; d++) {
        const struct cb_point *p = find_delayed(set, place, microbenchmark, delays[d]);
        if (p)
            fprintf(out, "%d\t%d\t\"%s\"\t\"%s\"\t\"%s\"\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\n",
                    place, d, set->places[place].label, microbenchmark, delays[d],
                    cb_point_stat(p, "groups_bound", "median"),
                    cb_point_stat(p, "groups_found", "mean"),
                    cb_point_stat(p, "groups_found", "stddev"),
                    cb_point_stat(p, "protocol_time", "median"),
                    cb_point_stat(p, "protocol_time", "q1"),
                    cb_point_stat(p, "protocol_time", "q3"));
    }
    return points;
}

static int write_tab5(FILE *out, cJSON *const *runs, int n)
{
    struct cb_points set = cb_points_of(runs, n);
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
    cb_points_free(&set);
    return points;
}

const struct cb_figure cb_discover_figures[] = {
    {"fig7", "plots/discover_fig7.gp",
     "Discovered occupancy and compute units compared to the occupancy bound", write_fig7},
    {"fig8", "plots/discover_fig8.gp", "Time of the discovery protocol", write_fig8},
    {"tab5", "plots/discover_tab5.gp", "Ticket lock with a delay between polling and closing",
     write_tab5},
    {0},
};
