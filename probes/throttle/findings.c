/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/throttle/findings.h"

#include <math.h>
#include <stdlib.h>

#include "measure/text/json.h"
#include "probes/throttle/report.h"
#include "runtime/host/text.h"

static double median_of(const cJSON *row, const char *metric)
{
    return cb_json_metric(row, metric, "median");
}

static struct cb_rows steps_of(const struct cb_findings *f)
{
    struct cb_rows rows = cb_findings_rows(f);
    cb_rows_lack(&rows, "power-cap");
    return rows;
}

/* The step that takes the least energy for a run (or draws the least power), of the app of a row.
 * NULL: there is no power. */
static const cJSON *least(struct cb_rows rows, const cJSON *like, const char *metric)
{
    const cJSON *best = NULL;
    cb_rows_like(&rows, like, "app");
    rows.metric = metric;
    for (const cJSON *row = cb_rows_next(&rows, NULL); row; row = cb_rows_next(&rows, row))
        if (!best || median_of(row, metric) < median_of(best, metric))
            best = row;
    return best;
}

/* The most times that a step of an app on the device was measured. */
static double samples_of(const struct cb_findings *f)
{
    const struct cb_rows rows = cb_findings_rows(f);
    double n = 1;
    for (const cJSON *row = cb_rows_next(&rows, NULL); row; row = cb_rows_next(&rows, row))
        n = fmax(n, cb_json_metric(row, "progress", "n"));
    return n;
}

/* "bfs with N/2 (90 % of its progress with the most)" of the best step of each app; how many. */
static int list_apps(const struct cb_findings *f, const char *metric, FILE *out)
{
    static const char *const app[] = {"app", NULL};
    const struct cb_rows steps = steps_of(f);
    const cJSON **firsts;
    int apps = cb_rows_distinct(&steps, app, &firsts), n = 0;
    for (int i = 0; i < apps; i++) {
        const cJSON *best = least(steps, firsts[i], metric);
        if (!best)
            continue;
        fprintf(out, "%s%s with %.40s (%.0f %%%s)", n ? ", " : "", cb_row_text(best, "app"),
                cb_row_text(best, "groups"),
                100 * median_of(best, "progress") / cb_throttle_full_progress(f->run, best),
                n ? "" : " of its progress with all workgroups");
        n++;
    }
    free(firsts);
    return n;
}

/* False: no app has the metric. */
static bool find_least(struct cb_findings *f, const char *id, const char *metric, const char *what)
{
    char *apps = NULL;
    size_t size;
    FILE *out = open_memstream(&apps, &size);
    int n = out ? list_apps(f, metric, out) : 0;
    if (out)
        fclose(out);
    if (n > 0)
        cb_finding_add(f, id, "%s: %s%s.", what, apps,
                       samples_of(f) == 1 ? "; each step was measured once" : "");
    free(apps);
    return n > 0;
}

static void find_steps(struct cb_findings *f)
{
    const struct cb_rows steps = steps_of(f);
    bool power = find_least(f, "energy", "energy_per_run", "Least energy for a run");
    power = find_least(f, "power", "power", "Least power") || power;
    if (!power && cb_rows_next(&steps, NULL))
        cb_finding_add(f, "power",
                       "The power of this device cannot be read: what it saves to take workgroups "
                       "away is not known.");
}

/* "bfs held it 96 % of the time (5 workgroups)", "mis always (1 workgroup)", "game never" */
static void print_cap(FILE *out, const cJSON *row, bool is_first)
{
    double above = median_of(row, "over_cap"), groups = median_of(row, "active");
    fprintf(out, "%s%s ", cb_row_text(row, "app"), is_first ? " held it" : "");
    if (isnan(above))
        fputs("never", out);
    else if (above > 0)
        fprintf(out, "%.0f %% of the time", floor(100 * (1 - above)));
    else
        fputs("always", out);
    if (!isnan(above) && groups > 0)
        fprintf(out, " (%.0f workgroup%s)", groups, CB_PLURAL(groups));
}

/* One sentence for all apps under the cap of a row. */
static void find_cap(struct cb_findings *f, struct cb_rows caps, const cJSON *first)
{
    char *apps = NULL;
    size_t size;
    FILE *out = open_memstream(&apps, &size);
    cb_rows_like(&caps, first, "power-cap");
    for (const cJSON *row = first; out && row; row = cb_rows_next(&caps, row)) {
        fputs(row == first ? "" : ", ", out);
        print_cap(out, row, row == first);
    }
    if (out)
        fclose(out);
    if (apps)
        cb_finding_add(f, "cap", "A cap of %g W: %s.", cb_row_number(first, "power-cap"), apps);
    free(apps);
}

static void find_caps(struct cb_findings *f)
{
    static const char *const cap[] = {"power-cap", NULL};
    struct cb_rows caps = cb_findings_rows(f);
    const cJSON **firsts;
    cb_rows_have(&caps, "power-cap");
    int n = cb_rows_distinct(&caps, cap, &firsts);
    for (int i = 0; i < n; i++)
        find_cap(f, caps, firsts[i]);
    free(firsts);
}

void cb_throttle_findings(struct cb_findings *f)
{
    char command[CB_COMMAND_BYTES];
    find_steps(f);
    find_caps(f);
    if (samples_of(f) > 1)
        cb_finding_add(f, "next", "`%s` tells what urgent tasks take from an app.",
                       cb_findings_command(f, "multitask", command));
    else
        cb_finding_add(f, "next",
                       "`%s` measures each step three times, for intervals between processes.",
                       cb_findings_command(f, "throttle --rounds 3", command));
}
