/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/discover/findings_protocols.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/estimate.h"
#include "measure/text/json.h"

/* A protocol with its delay, in all configurations. */
struct contender {
    const cJSON *first; /* its first row */
    int points, full;   /* number of its rows, and of those where every run found all */
    double worst;       /* least mean recall */
    double log_time;    /* sum of the logarithms of its median times */
    int met;            /* number of its configurations that the best one has, too */
    /* Where it is slower than the best, and where faster; elsewhere intervals overlap. */
    int wins, losses;
};

struct entry {
    int contender, configuration; /* index of each */
    struct cb_estimate time;
};

/* All contenders; a contender has one entry for a configuration, the first of several. */
struct field {
    struct contender *contenders;
    struct entry *entries;
    int n_contenders, n_entries, n_configurations, most_points;
};

/* Whether the row counts: a protocol that is safe, with ids of its own, launched as usual. */
static bool competes(const cJSON *row)
{
    const char *protocol = cb_row_text(row, "protocol"), *launch = cb_row_text(row, "launch");
    return *protocol && strcmp(protocol, "bound") != 0 && strcmp(protocol, "unsafe") != 0 &&
           !*cb_row_text(row, "ids") && (!*launch || strcmp(launch, "auto") == 0) &&
           !isnan(cb_json_metric(row, "recall", "mean"));
}

/* Keeps the competing rows; of duplicates, the first. */
static int keep_competing(const cJSON **rows, int n)
{
    static const char *const both[] = {"protocol", "delay", "microbenchmark", "wg-size", NULL};
    int kept = 0;
    for (int i = 0; i < n; i++)
        if (competes(rows[i]))
            rows[kept++] = rows[i];
    return cb_rows_keep_firsts(rows, kept, both);
}

/* The metric that all rows share: launch_time where there is no device clock. */
static const char *time_metric(const cJSON *const *rows, int n)
{
    for (int i = 0; i < n; i++)
        if (!isnan(cb_json_metric(rows[i], "protocol_time", "median")))
            return "protocol_time";
    return "launch_time";
}

static void add_entry(struct field *f, const cJSON *row, struct entry entry)
{
    struct contender *c = &f->contenders[entry.contender];
    if (c->points == 0)
        *c = (struct contender){.first = row, .worst = 1};
    c->points++;
    c->full += cb_json_metric(row, "recall", "min") == 1;
    c->worst = fmin(c->worst, cb_json_metric(row, "recall", "mean"));
    c->log_time += log(entry.time.median);
    f->most_points = c->points > f->most_points ? c->points : f->most_points;
    f->entries[f->n_entries++] = entry;
}

static void fill_field(struct field *f, const cJSON *const *rows, int n, int *contender,
                       int *configuration)
{
    static const char *const of_contender[] = {"protocol", "delay", NULL};
    static const char *const of_configuration[] = {"microbenchmark", "wg-size", NULL};
    const char *time = time_metric(rows, n);
    f->n_contenders = cb_rows_number(rows, n, of_contender, contender);
    f->n_configurations = cb_rows_number(rows, n, of_configuration, configuration);
    if (f->n_configurations == 0)
        f->n_contenders = 0;
    for (int i = 0; i < n && f->n_contenders > 0; i++)
        add_entry(f, rows[i],
                  (struct entry){contender[i], configuration[i], cb_estimate_of(rows[i], time)});
}

/* Makes the field of all competing rows; empty if there are none, or there is no memory. */
static struct field field_of(const struct cb_rows *all)
{
    const cJSON **rows;
    int n = cb_rows_list(all, &rows);
    n = keep_competing(rows, n);
    struct field f = {.contenders = calloc((size_t)n + 1, sizeof *f.contenders),
                      .entries = calloc((size_t)n + 1, sizeof *f.entries)};
    int *contender = calloc((size_t)n + 1, sizeof *contender);
    int *configuration = calloc((size_t)n + 1, sizeof *configuration);
    if (f.contenders && f.entries && contender && configuration)
        fill_field(&f, rows, n, contender, configuration);
    free(contender);
    free(configuration);
    free(rows);
    return f;
}

/* Whether the protocol's poll ends after a number of turns, whoever is still to come. */
static bool is_in_turns(const struct contender *c)
{
    const char *delay = cb_row_text(c->first, "delay");
    return delay[0] >= '0' && delay[0] <= '9';
}

/* Formats a name: "`ticket` (delay 0)". */
static const char *name_of(const struct contender *c, char text[64])
{
    const char *delay = cb_row_text(c->first, "delay");
    const char *protocol = cb_row_text(c->first, "protocol");
    if (*delay)
        snprintf(text, 64, "`%.20s` (%s%.20s)", protocol, is_in_turns(c) ? "delay " : "", delay);
    else
        snprintf(text, 64, "`%.20s`", protocol);
    return text;
}

/* The contender with the least geometric mean of times among those that always found all; NULL:
 * there is none. */
static const struct contender *fastest(const struct field *f)
{
    const struct contender *best = NULL;
    for (int i = 0; i < f->n_contenders; i++) {
        const struct contender *c = &f->contenders[i];
        if (c->full == f->most_points && (!best || c->log_time < best->log_time))
            best = c;
    }
    return best;
}

/* Counts how the best one does against each where both were measured. False: no memory. */
static bool compare_with(struct field *f, const struct contender *best)
{
    const struct entry **of_best = calloc((size_t)f->n_configurations + 1, sizeof *of_best);
    if (!of_best)
        return false;
    for (int i = 0; i < f->n_entries; i++)
        if (&f->contenders[f->entries[i].contender] == best)
            of_best[f->entries[i].configuration] = &f->entries[i];
    for (int i = 0; i < f->n_entries; i++) {
        const struct entry *e = &f->entries[i], *b = of_best[e->configuration];
        struct contender *c = &f->contenders[e->contender];
        if (!b)
            continue;
        c->met++;
        c->wins += cb_estimate_below(b->time, e->time);
        c->losses += cb_estimate_below(e->time, b->time);
    }
    free(of_best);
    return true;
}

/* Formats the medians of a contender's times: "3.46 µs to 11.2 µs". */
static void format_times(const struct field *f, const struct contender *c,
                         char text[CB_ESTIMATE_BYTES])
{
    struct cb_estimate least = {INFINITY, NAN, NAN}, most = {0, NAN, NAN};
    for (int i = 0; i < f->n_entries; i++) {
        struct cb_estimate e = f->entries[i].time;
        if (&f->contenders[f->entries[i].contender] != c)
            continue;
        least = e.median < least.median ? e : least;
        most = e.median > most.median ? e : most;
    }
    char high[CB_ESTIMATE_BYTES];
    cb_estimate_time(text, least);
    if (least.median == most.median)
        return;
    most.low = least.low = NAN;
    cb_estimate_time(text, least);
    cb_estimate_time(high, most);
    size_t n = strlen(text);
    snprintf(text + n, CB_ESTIMATE_BYTES - n, " to %.30s", high);
}

/* The mean recall of a contender where it was worst, rounded down, in percent. */
static double percent_of(const struct contender *c)
{
    return floor(1000 * c->worst) / 10;
}

static void find_incomplete(struct cb_findings *findings, const struct field *f)
{
    const struct contender *best = &f->contenders[0];
    char name[64];
    for (int i = 1; i < f->n_contenders; i++)
        if (f->contenders[i].points == f->most_points && f->contenders[i].worst > best->worst)
            best = &f->contenders[i];
    cb_finding_add(findings, "protocol",
                   "No protocol found all of them in every run. %s came nearest, with %.3g %% on "
                   "average where it was worst. A busy machine lowers this; %s raises it.",
                   name_of(best, name), fmin(99.9, percent_of(best)),
                   is_in_turns(best) ? "`--delay adaptive`" : "a longer `--quiet-time`");
}

/* The contender that `best` beats least often, among those that found all; NULL: it always beats
 * all. */
static const struct contender *hardest_rival(const struct field *f, const struct contender *best)
{
    const struct contender *hardest = NULL;
    for (int i = 0; i < f->n_contenders; i++) {
        const struct contender *c = &f->contenders[i];
        int open = c->met - c->wins, most = hardest ? hardest->met - hardest->wins : 0;
        if (c != best && c->full == f->most_points && open > most)
            hardest = c;
    }
    return hardest;
}

/* Formats " `lockfree` and `spin` find all of them, too.", which names all that found all but
 * `best` and `rival`. */
static void format_others(const struct field *f, const struct contender *best,
                          const struct contender *rival, char text[256])
{
    char name[64];
    int n = 0, all = 0;
    for (int i = 0; i < f->n_contenders; i++)
        all += f->contenders[i].full == f->most_points;
    *text = '\0';
    for (int i = 0; i < f->n_contenders; i++) {
        const struct contender *c = &f->contenders[i];
        if (c == best || c == rival || c->full != f->most_points)
            continue;
        const size_t used = strlen(text);
        snprintf(text + used, 256 - used, "%s%s",
                 n == 0         ? " "
                 : n + 3 == all ? " and "
                                : ", ",
                 name_of(c, name));
        n++;
    }
    const size_t used = strlen(text);
    if (n > 0)
        snprintf(text + used, 256 - used, " find%s all of them, too.", n == 1 ? "s" : "");
}

/* Formats " in 1 of 2 configurations", those in which neither is sooner; "" if these are all. */
static const char *format_open(const struct contender *rival, char text[48])
{
    *text = '\0';
    if (rival->wins > 0)
        snprintf(text, 48, " in %d of %d configurations", rival->met - rival->wins, rival->met);
    return text;
}

static void find_protocol(struct cb_findings *findings, struct field *f)
{
    char name[64], other[64], others[256], times[CB_ESTIMATE_BYTES], where[48];
    const struct contender *best = fastest(f);
    if (!best) {
        find_incomplete(findings, f);
        return;
    }
    if (!compare_with(f, best))
        return;
    const struct contender *rival = hardest_rival(f, best);
    name_of(best, name);
    format_times(f, best, times);
    format_others(f, best, rival, others);
    if (!rival)
        cb_finding_add(findings, "protocol", "%s finds all of them in %s%s: use it.", name, times,
                       f->n_contenders > 1 ? ", sooner than every other that does" : "");
    else if (rival->losses > 0)
        cb_finding_add(findings, "protocol",
                       "%s and %s both find all of them: %s sooner in %d of %d configurations, %s "
                       "in %d.%s Measure yours: `--wg-sizes`.",
                       name, name_of(rival, other), name, rival->wins, rival->met, other,
                       rival->losses, others);
    else
        cb_finding_add(findings, "protocol",
                       "%s and %s both find all of them; which is sooner, these intervals do not "
                       "tell%s.%s Use either, or measure more: --runs %d.",
                       name, name_of(rival, other), format_open(rival, where), others,
                       cb_findings_runs(best->first));
}

/* The same protocol with the delay that finds most; NULL: none finds more than `c`. */
static const struct contender *more_patient(const struct field *f, const struct contender *c)
{
    const struct contender *best = NULL;
    for (int i = 0; i < f->n_contenders; i++) {
        const struct contender *other = &f->contenders[i];
        if (other->worst > (best ? best->worst : c->worst) &&
            cb_rows_same(other->first, c->first, (const char *const[]){"protocol", NULL}))
            best = other;
    }
    return best;
}

/* Finds the delay in turns that misses most workgroups, because it ends the poll before all have
 * come. */
static void find_delay(struct cb_findings *findings, const struct field *f)
{
    const struct contender *least = NULL;
    char name[64], other[64], more[128] = "`--delay adaptive` waits for them";
    for (int i = 0; i < f->n_contenders; i++) {
        const struct contender *c = &f->contenders[i];
        if (is_in_turns(c) && c->worst < (least ? least->worst : 1))
            least = c;
    }
    const struct contender *patient = least ? more_patient(f, least) : NULL;
    if (!least || (!patient && !fastest(f))) /* find_incomplete() has told it already */
        return;
    if (patient)
        snprintf(more, sizeof more, "%s found %.3g %%", name_of(patient, other),
                 percent_of(patient));
    cb_finding_add(findings, "delay",
                   "%s found %.3g %% of them on average where it was worst, since its poll ended "
                   "before the others came; %s.",
                   name_of(least, name), percent_of(least), more);
}

void cb_discover_find_protocols(struct cb_findings *findings, const struct cb_rows *rows)
{
    struct field f = field_of(rows);
    if (f.n_contenders > 0) {
        find_protocol(findings, &f);
        find_delay(findings, &f);
    }
    free(f.contenders);
    free(f.entries);
}
