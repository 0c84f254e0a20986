/* SPDX-License-Identifier: Apache-2.0 */
#include "benchmarks/discover/findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/discover/points.h"
#include "measure/estimate.h"
#include "measure/text/json.h"

/* A protocol with its delay, in all configurations. */
struct contender {
    const struct cb_point *first; /* of its points */
    int points, full;             /* full: that found all in every run */
    double worst;                 /* mean recall */
    double log_time;              /* sum of the logarithms of its median times */
};

struct entry {
    const struct cb_point *point;
    int contender, configuration; /* numbers */
    struct cb_estimate time;
};

/* A contender has one entry for a configuration, the first of several. */
struct field {
    const char *time; /* the metric */
    struct contender *contenders;
    struct entry *entries;
    int n_contenders, n_entries, n_configurations, most_points;
};

/* ---- The bound ------------------------------------------------------------------------------- */

static bool is_bound(const struct cb_point *p)
{
    return strcmp(p->protocol, "bound") == 0;
}

static bool takes_all_local_memory(const struct cb_point *p)
{
    return cb_json_number(cb_json_params(p->item), "local_bytes") > 1;
}

/* The configuration with the lowest (sign -1) or highest (+1) bound of all without local memory: of
 * several, the one that says most, which has the least or the most work-items. */
static const struct cb_point *extreme(const struct cb_points *set, int sign)
{
    const struct cb_point *best = NULL;
    for (int i = 0; i < set->n; i++) {
        const struct cb_point *p = &set->points[i];
        if (!is_bound(p) || takes_all_local_memory(p))
            continue;
        double more = best ? sign * (cb_point_stat(p, "groups_bound", "median") -
                                     cb_point_stat(best, "groups_bound", "median"))
                           : 1;
        if (more > 0 || (more == 0 && sign * (p->wg - best->wg) > 0))
            best = p;
    }
    return best;
}

/* The small workgroup that takes all local memory: it tells what that alone costs. */
static double bound_with_local_memory(const struct cb_points *set)
{
    for (int i = 0; i < set->n; i++)
        if (is_bound(&set->points[i]) && takes_all_local_memory(&set->points[i]) &&
            set->points[i].wg == 1)
            return cb_point_stat(&set->points[i], "groups_bound", "median");
    return NAN;
}

static void find_bound(struct cb_findings *f, const struct cb_points *set)
{
    const struct cb_point *few = extreme(set, -1), *many = extreme(set, 1);
    double most_found = 0, local = bound_with_local_memory(set);
    for (int i = 0; i < set->n; i++)
        most_found = fmax(most_found, cb_point_stat(&set->points[i], "groups_found", "max"));
    if (!few && most_found > 0) {
        cb_finding_add(f, "bound",
                       "The protocols found up to %.0f workgroup%s at once; `--bound search` tells "
                       "whether more could run.",
                       most_found, most_found == 1 ? "" : "s");
        return;
    }
    if (!few)
        return;
    double least = cb_point_stat(few, "groups_bound", "median");
    double most = cb_point_stat(many, "groups_bound", "median");
    char memory[96] = "";
    if (local > 0 && local != most)
        snprintf(memory, sizeof memory, ", and %.0f where each takes all local memory", local);
    if (least < most)
        cb_finding_add(f, "bound",
                       "%.0f workgroups of up to %.0f work-items run at once, %.0f of %.0f%s.",
                       most, many->wg, least, few->wg, memory);
    else if (few->wg < many->wg)
        cb_finding_add(f, "bound",
                       "%.0f workgroup%s at once, whatever the size (%.0f to %.0f work-items)%s.",
                       most, most == 1 ? " runs" : "s run", few->wg, many->wg, memory);
    else
        cb_finding_add(f, "bound", "%.0f workgroup%s of %.0f work-item%s run%s at once%s.", most,
                       most == 1 ? "" : "s", few->wg, few->wg == 1 ? "" : "s", most == 1 ? "s" : "",
                       memory);
}

/* ---- The protocols --------------------------------------------------------------------------- */

/* Whether the point counts: a protocol that is safe, launched as is usual. */
static bool competes(const struct cb_point *p)
{
    return !is_bound(p) && strcmp(p->protocol, "unsafe") != 0 &&
           strcmp(cb_json_text(cb_json_params(p->item), "launch", "auto"), "auto") == 0 &&
           !isnan(cb_point_stat(p, "recall", "mean"));
}

static bool same_contender(const struct cb_point *a, const struct cb_point *b)
{
    return strcmp(a->protocol, b->protocol) == 0 && strcmp(a->delay, b->delay) == 0;
}

static bool same_configuration(const struct cb_point *a, const struct cb_point *b)
{
    return cb_point_is(a, b->place, a->protocol, b->microbenchmark) && a->wg == b->wg;
}

/* The number of the configuration of a point, a new one if no entry has it. */
static int configuration_of(struct field *f, const struct cb_point *p)
{
    for (int i = 0; i < f->n_entries; i++)
        if (same_configuration(f->entries[i].point, p))
            return f->entries[i].configuration;
    return f->n_configurations++;
}

static int contender_of(struct field *f, const struct cb_point *p)
{
    int i = 0;
    while (i < f->n_contenders && !same_contender(f->contenders[i].first, p))
        i++;
    if (i == f->n_contenders)
        f->contenders[f->n_contenders++] = (struct contender){.first = p, .worst = 1};
    return i;
}

/* NULL: there is none. */
static const struct entry *entry_of(const struct field *f, int contender, int configuration)
{
    for (int i = 0; i < f->n_entries; i++)
        if (f->entries[i].contender == contender && f->entries[i].configuration == configuration)
            return &f->entries[i];
    return NULL;
}

static void add_point(struct field *f, const struct cb_point *p)
{
    struct entry e = {p, contender_of(f, p), configuration_of(f, p),
                      cb_estimate_of(p->item, f->time)};
    if (entry_of(f, e.contender, e.configuration))
        return;
    f->entries[f->n_entries++] = e;
    struct contender *c = &f->contenders[e.contender];
    c->points++;
    c->full += cb_point_stat(p, "recall", "min") == 1;
    c->worst = fmin(c->worst, cb_point_stat(p, "recall", "mean"));
    c->log_time += log(e.time.median);
    f->most_points = c->points > f->most_points ? c->points : f->most_points;
}

/* False: no memory. */
static bool field_of(const struct cb_points *set, struct field *f)
{
    *f = (struct field){.time = "launch_time", /* without a device clock, there is no other */
                        .contenders = calloc((size_t)set->n + 1, sizeof *f->contenders),
                        .entries = calloc((size_t)set->n + 1, sizeof *f->entries)};
    for (int i = 0; i < set->n; i++)
        if (competes(&set->points[i]) &&
            !isnan(cb_point_stat(&set->points[i], "protocol_time", "median")))
            f->time = "protocol_time";
    for (int i = 0; f->contenders && f->entries && i < set->n; i++)
        if (competes(&set->points[i]))
            add_point(f, &set->points[i]);
    return f->contenders && f->entries;
}

/* `ticket` with a delay of 0, as people call it. */
static const char *name_of(const struct contender *c, char text[64])
{
    const char *delay = c->first->delay;
    bool number = delay[0] >= '0' && delay[0] <= '9';
    if (*delay)
        snprintf(text, 64, "`%.20s` (%s%.20s)", c->first->protocol, number ? "delay " : "", delay);
    else
        snprintf(text, 64, "`%.20s`", c->first->protocol);
    return text;
}

/* Of those that found all everywhere, the one with the least geometric mean of times; NULL: none
 * did. */
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

/* How two contenders compare in the configurations that both have. */
struct match {
    const struct contender *rival;
    int n, wins, losses; /* of the first; the intervals of the others overlap, or there are none */
};

static struct match match_of(const struct field *f, const struct contender *a,
                             const struct contender *b)
{
    struct match m = {.rival = b};
    for (int i = 0; i < f->n_entries; i++) {
        const struct entry *of_a = &f->entries[i];
        const struct entry *of_b = entry_of(f, (int)(b - f->contenders), of_a->configuration);
        if (&f->contenders[of_a->contender] != a || !of_b)
            continue;
        m.n++;
        m.wins += cb_estimate_below(of_a->time, of_b->time);
        m.losses += cb_estimate_below(of_b->time, of_a->time);
    }
    return m;
}

/* "3.46 µs to 11.2 µs": the medians of its times. */
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

static void find_incomplete(struct cb_findings *findings, const struct field *f)
{
    const struct contender *best = &f->contenders[0];
    char name[64];
    for (int i = 1; i < f->n_contenders; i++)
        if (f->contenders[i].points == f->most_points && f->contenders[i].worst > best->worst)
            best = &f->contenders[i];
    cb_finding_add(findings, "protocol",
                   "No protocol found all of them in every run. %s came nearest, with %.3g %% on "
                   "average where it was worst. A busy machine lowers this; a longer "
                   "`--quiet-time` raises it.",
                   name_of(best, name), fmin(99.9, floor(1000 * best->worst) / 10));
}

/* Of those that found all, the one that `best` beats least often; no rival: it beats all always. */
static struct match hardest_match(const struct field *f, const struct contender *best)
{
    struct match hardest = {0};
    for (int i = 0; i < f->n_contenders; i++) {
        const struct contender *c = &f->contenders[i];
        struct match m = match_of(f, best, c);
        if (c != best && c->full == f->most_points && m.n - m.wins > hardest.n - hardest.wins)
            hardest = m;
    }
    return hardest;
}

static void find_protocol(struct cb_findings *findings, const struct field *f)
{
    char name[64], other[64], times[CB_ESTIMATE_BYTES];
    const struct contender *best = fastest(f);
    if (!best) {
        find_incomplete(findings, f);
        return;
    }
    struct match m = hardest_match(f, best);
    name_of(best, name);
    format_times(f, best, times);
    if (!m.rival)
        cb_finding_add(findings, "protocol", "%s finds all of them in %s%s: use it.", name, times,
                       f->n_contenders > 1 ? ", sooner than every other that does" : "");
    else if (m.losses > 0)
        cb_finding_add(findings, "protocol",
                       "%s and %s both find all of them: %s sooner in %d of %d configurations, %s "
                       "in %d. Measure yours: `--wg-sizes`.",
                       name, name_of(m.rival, other), name, m.wins, m.n, other, m.losses);
    else
        cb_finding_add(findings, "protocol",
                       "%s and %s both find all of them; which is sooner, these intervals do not "
                       "tell in %d of %d configurations. Use either, or measure more: --runs %d.",
                       name, name_of(m.rival, other), m.n - m.wins, m.n,
                       cb_findings_runs(best->first->item));
}

void cb_discover_findings(struct cb_findings *findings)
{
    cJSON *run = cJSON_CreateObject(); /* with this device alone */
    cJSON *devices = cJSON_AddArrayToObject(run, "devices");
    cJSON_AddItemReferenceToArray(devices, (cJSON *)findings->device);
    cJSON_AddItemReferenceToObject(run, "cases",
                                   cJSON_GetObjectItemCaseSensitive(findings->run, "cases"));
    struct cb_points set = cb_points_of(&run, 1);
    struct field f;
    char command[CB_COMMAND_BYTES];
    find_bound(findings, &set);
    if (field_of(&set, &f) && f.n_contenders > 0)
        find_protocol(findings, &f);
    cb_finding_add(findings, "next", "`%s` tells which barrier between them is fastest.",
                   cb_findings_command(findings, "primitives", command));
    free(f.contenders);
    free(f.entries);
    cb_points_free(&set);
    cJSON_Delete(run);
}
