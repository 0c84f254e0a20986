/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/compare/rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_THRESHOLD 0.05

#define OPTION(name, member) CB_OPTION(struct cb_compare_options, name, member)

const struct cb_param cb_compare_params[] = {
    CB_HELP_PARAM,
    {OPTION("baseline", baselines), .letter = 'b', .value_name = "RUN",
     .help = "Runs to compare with: folders, run.json files, or names in --output-dir. Several of "
             "one state (three or more, better five) tell where one more of them would lie: a "
             "change has to lie outside."},
    {OPTION("output-dir", output_dir), .letter = 'o', .default_value = "results",
     .value_name = "DIR", .help = "Where runs are looked up by name."},
    CB_COMPARE_CHOICE_PARAMS(struct cb_compare_options),
    CB_COMPARE_RULE_PARAMS(struct cb_compare_options),
    {OPTION("fail-on", fail_on), .default_value = "regression",
     .choices = "regression,inconclusive,missing,none",
     .help = "What makes the exit code other than 0: regressions (5) and that nothing could be "
             "compared (6) always, unless none; and with inconclusive (incomparable as well) or "
             "missing, these (6)."},
    {OPTION("bisect", bisect),
     .help = "Exit codes for 'git bisect run': 0 good, 1 a regression, 125 cannot be told (the "
             "next commit is tried), 128 wrong usage or no baseline (bisecting stops)."},
    {OPTION("all", all), .letter = 'a', .help = "Also list what is the same."},
    {OPTION("format", format), .default_value = "table",
     .choices = "table,markdown,json,csv,github,none",
     .help = "What goes to standard output; github: annotations of GitHub Actions."},
    CB_OUTPUT_PARAM(struct cb_compare_options, json, "the comparison as JSON"),
    CB_OUTPUT_PARAM(struct cb_compare_options, csv, "a line per comparison as CSV"),
    CB_MARKDOWN_PARAM(struct cb_compare_options),
    {0},
};

/* "5%", "5", "time*=10%"; percent. The text is kept in thresholds, cut in two. */
static enum cb_status read_threshold(char *text, struct cb_threshold *t, struct cb_err *err)
{
    char whole[128], *equals = strrchr(text, '='), *number = equals ? equals + 1 : text, *end;
    snprintf(whole, sizeof whole, "%s", text);
    if (equals)
        *equals = '\0';
    double percent = strtod(number, &end);
    bool read = end != number && (*end == '\0' || strcmp(end, "%") == 0);
    if (!read || !(percent > 0) || percent > 1000 || (equals && equals == text))
        return cb_fail(
            err, CB_USAGE,
            "--threshold: expected a percentage above 0, as 5%% or launch_time=10%%, got "
            "\"%s\"",
            whole);
    *t = (struct cb_threshold){equals ? text : NULL, percent / 100};
    return CB_OK;
}

/* The first threshold is for all metrics; globs come after, in the order in which they were given.
 */
static enum cb_status read_thresholds(struct cb_texts given, struct cb_compare_rules *rules,
                                      struct cb_err *err)
{
    const int n = given.n;
    struct cb_threshold *all = calloc((size_t)n + 1, sizeof *all), one;
    rules->thresholds = all;
    rules->n_thresholds = 1;
    if (!all)
        return cb_no_memory(err);
    all[0].relative = DEFAULT_THRESHOLD;
    for (int i = 0; i < n; i++) {
        char *text = strdup(cb_texts_at(given, i));
        if (!text)
            return cb_no_memory(err);
        enum cb_status status = read_threshold(text, &one, err);
        if (status == CB_OK && one.metric) {
            all[rules->n_thresholds++] = one;
            continue;
        }
        free(text);
        if (status != CB_OK)
            return status;
        all[0] = one;
    }
    return CB_OK;
}

enum cb_status cb_compare_rules_read(const struct cb_compare_rule_options *options,
                                     struct cb_compare_rules *rules, struct cb_err *err)
{
    *rules = (struct cb_compare_rules){.alpha = options->alpha,
                                       .bests = strcmp(options->of, "best") == 0,
                                       .unadjusted = strcmp(options->of, "median") == 0};
    for (int i = 0; i < options->allowed_mismatches.n; i++)
        rules->allowed |= cb_mismatch_bit(cb_texts_at(options->allowed_mismatches, i));
    enum cb_status status = read_thresholds(options->thresholds, rules, err);
    if (status != CB_OK)
        cb_compare_rules_free(rules);
    return status;
}

void cb_compare_rules_free(struct cb_compare_rules *rules)
{
    for (int i = 1; rules->thresholds && i < rules->n_thresholds; i++)
        free((char *)(uintptr_t)rules->thresholds[i].metric);
    free((struct cb_threshold *)(uintptr_t)rules->thresholds);
    *rules = (struct cb_compare_rules){0};
}
