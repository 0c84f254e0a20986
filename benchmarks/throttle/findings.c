/* SPDX-License-Identifier: Apache-2.0 */
#include "benchmarks/throttle/findings.h"

#include <math.h>
#include <string.h>

#include "benchmarks/throttle/report.h"
#include "measure/run/column.h"
#include "measure/text/json.h"

static const char *text_of(const cJSON *item, const char *key)
{
    return cb_json_text(cb_json_params(item), key, "");
}

static double median_of(const cJSON *item, const char *metric)
{
    return cb_json_metric(item, metric, "median");
}

static bool is_cap(const cJSON *item)
{
    return !isnan(cb_json_number(cb_json_params(item), "power-cap"));
}

/* The step of the app that takes the least energy for a run (or draws the least power). NULL: there
 * is no power. */
static const cJSON *least(const struct cb_findings *f, const char *app, const char *metric)
{
    const cJSON *best = NULL;
    for (const cJSON *item = cb_findings_next(f, NULL); item; item = cb_findings_next(f, item))
        if (strcmp(text_of(item, "app"), app) == 0 && !is_cap(item) &&
            !isnan(median_of(item, metric)) &&
            (!best || median_of(item, metric) < median_of(best, metric)))
            best = item;
    return best;
}

static bool is_first_of_app(const struct cb_findings *f, const cJSON *item)
{
    const cJSON *before = cb_findings_next(f, NULL);
    while (before != item &&
           (strcmp(text_of(before, "app"), text_of(item, "app")) != 0 || is_cap(before)))
        before = cb_findings_next(f, before);
    return before == item;
}

/* The most times that a step of an app on the device was measured. */
static double samples_of(const struct cb_findings *f)
{
    double n = 1;
    for (const cJSON *item = cb_findings_next(f, NULL); item; item = cb_findings_next(f, item))
        n = fmax(n, cb_json_metric(item, "progress", "n"));
    return n;
}

/* "bfs with N/2 (90 % of its progress with the most)" of the best step of each app; how many. */
static int list_apps(const struct cb_findings *f, const char *metric, FILE *out)
{
    int n = 0;
    for (const cJSON *item = cb_findings_next(f, NULL); item; item = cb_findings_next(f, item)) {
        const char *app = text_of(item, "app");
        const cJSON *best =
            is_cap(item) || !is_first_of_app(f, item) ? NULL : least(f, app, metric);
        if (!best)
            continue;
        double full = cb_throttle_full_progress(f->run, cb_json_text(f->device, "id", ""), app);
        fprintf(out, "%s%s with %.40s (%.0f %%%s)", n ? ", " : "", app, text_of(best, "groups"),
                100 * median_of(best, "progress") / full,
                n ? "" : " of its progress with all workgroups");
        n++;
    }
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

static bool has_steps(const struct cb_findings *f)
{
    for (const cJSON *item = cb_findings_next(f, NULL); item; item = cb_findings_next(f, item))
        if (!is_cap(item))
            return true;
    return false;
}

static void find_steps(struct cb_findings *f)
{
    bool power = find_least(f, "energy", "energy_per_run", "Least energy for a run");
    power = find_least(f, "power", "power", "Least power") || power;
    if (!power && has_steps(f))
        cb_finding_add(f, "power",
                       "The power of this device cannot be read: what it saves to take workgroups "
                       "away is not known.");
}

/* "bfs held it 96 % of the time (5 workgroups)", "mis always (1 workgroup)", "game never" */
static void print_cap(FILE *out, const cJSON *item, bool is_first)
{
    double above = median_of(item, "over_cap"), groups = median_of(item, "active");
    fprintf(out, "%s%s ", text_of(item, "app"), is_first ? " held it" : "");
    if (isnan(above))
        fputs("never", out);
    else if (above > 0)
        fprintf(out, "%.0f %% of the time", floor(100 * (1 - above)));
    else
        fputs("always", out);
    if (!isnan(above) && groups > 0)
        fprintf(out, " (%.0f workgroup%s)", groups, groups == 1 ? "" : "s");
}

/* One sentence for all apps under the cap of this case, the first of them. */
static void find_cap(struct cb_findings *f, const cJSON *first)
{
    char *apps = NULL;
    size_t size;
    double cap = cb_json_number(cb_json_params(first), "power-cap");
    FILE *out = open_memstream(&apps, &size);
    for (const cJSON *item = first; out && item; item = cb_findings_next(f, item)) {
        if (cb_json_number(cb_json_params(item), "power-cap") != cap)
            continue;
        fputs(item == first ? "" : ", ", out);
        print_cap(out, item, item == first);
    }
    if (out)
        fclose(out);
    if (apps)
        cb_finding_add(f, "cap", "A cap of %g W: %s.", cap, apps);
    free(apps);
}

static bool is_first_of_cap(const struct cb_findings *f, const cJSON *item)
{
    const cJSON *before = cb_findings_next(f, NULL);
    while (before != item && cb_json_number(cb_json_params(before), "power-cap") !=
                                 cb_json_number(cb_json_params(item), "power-cap"))
        before = cb_findings_next(f, before);
    return before == item;
}

void cb_throttle_findings(struct cb_findings *f)
{
    char command[CB_COMMAND_BYTES];
    find_steps(f);
    for (const cJSON *item = cb_findings_next(f, NULL); item; item = cb_findings_next(f, item))
        if (is_cap(item) && is_first_of_cap(f, item))
            find_cap(f, item);
    if (samples_of(f) > 1)
        cb_finding_add(f, "next", "`%s` tells what urgent tasks take from an app.",
                       cb_findings_command(f, "multitask", command));
    else
        cb_finding_add(f, "next",
                       "`%s` measures each step three times, for intervals between processes.",
                       cb_findings_command(f, "throttle --rounds 3", command));
}
