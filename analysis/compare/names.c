/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/compare/names.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "measure/text/json.h"
#include "measure/text/nearest.h"
#include "runtime/host/text.h"

#define MOST_NAMES 256
#define MOST_SAID  12

/* Names of metrics, each once: those of the runs, then what else benchmarks of this program have.
 */
struct names {
    const char *all[MOST_NAMES];
    int n, of_runs;
};

static void add(struct names *names, const char *name)
{
    for (int i = 0; i < names->n; i++)
        if (strcmp(names->all[i], name) == 0)
            return;
    if (names->n < MOST_NAMES && *name)
        names->all[names->n++] = name;
}

static void add_run(struct names *names, const cJSON *run)
{
    const cJSON *c, *metric;
    cJSON_ArrayForEach (c, cJSON_GetObjectItemCaseSensitive(run, "cases"))
        cJSON_ArrayForEach (metric, cJSON_GetObjectItemCaseSensitive(c, "metrics"))
            add(names, cb_json_text(metric, "name", ""));
}

static const char *name_at(const void *context, int i)
{
    const struct names *names = context;
    return i < names->n ? names->all[i] : NULL;
}

static enum cb_status refuse(const struct names *names, const char *option, const char *glob,
                             struct cb_err *err)
{
    char known[512] = "";
    const char *near = cb_nearest(glob, name_at, names);
    for (int i = 0; i < names->of_runs && i < MOST_SAID; i++)
        cb_text_join(known, sizeof known, "%s", names->all[i]);
    return cb_fail(err, CB_USAGE, "--%s: no metric is called \"%s\"%s%s%s\n  These runs have %s%s",
                   option, glob, near ? " (did you mean \"" : "", near ? near : "",
                   near ? "\"?)" : "", *known ? known : "none",
                   names->of_runs > MOST_SAID ? ", ..." : "");
}

static enum cb_status check(const struct names *names, const char *option, const char *glob,
                            struct cb_err *err)
{
    for (int i = 0; i < names->n; i++)
        if (fnmatch(glob, names->all[i], 0) == 0)
            return CB_OK;
    return refuse(names, option, glob, err);
}

enum cb_status cb_compare_check_names(const cJSON *const *runs, int n,
                                      const struct cb_compare_rules *rules, struct cb_err *err)
{
    struct names names = {.n = 0};
    for (int i = 0; i < n; i++)
        add_run(&names, runs[i]);
    names.of_runs = names.n;
    for (int i = 0; cb_benches[i]; i++)
        for (const struct cb_metric *m = cb_benches[i]->metrics; m->name; m++)
            add(&names, m->name);
    enum cb_status status = CB_OK;
    for (int i = 0; i < rules->choice.metrics.n && status == CB_OK; i++)
        status = check(&names, "metric", cb_texts_at(rules->choice.metrics, i), err);
    for (int i = 0; i < rules->n_thresholds && status == CB_OK; i++)
        if (rules->thresholds[i].metric)
            status = check(&names, "threshold", rules->thresholds[i].metric, err);
    return status;
}
