/* SPDX-License-Identifier: Apache-2.0
 *
 * The options of `coopbench compare`, read.
 */
#pragma once

#include "analysis/compare/compare.h"
#include "analysis/compare/mismatch.h"
#include "measure/param.h"

/* What cb_compare_rules_read() reads. */
struct cb_compare_rule_options {
    struct cb_texts thresholds, allowed_mismatches;
    double alpha;
    const char *of;
};

struct cb_compare_options {
    struct cb_compare_choice_options choice;
    struct cb_compare_rule_options rules;
    bool bisect, all;
    struct cb_texts baselines, fail_on;
    const char *output_dir, *format, *json, *csv, *markdown;
};

extern const struct cb_param cb_compare_params[];

/* Rows of a command's table, whose struct has the member `choice`. */
#define CB_COMPARE_CHOICE_PARAMS(STRUCT)                                                           \
    {CB_OPTION(STRUCT, "filter", choice.filters), .letter = 'f', .list = CB_LIST_REPEAT,           \
     .value_name = "GLOB",                                                                         \
     .help = "Look only at the cases whose id matches this glob. May be given several times: "     \
             "any of them."},                                                                      \
        {CB_OPTION(STRUCT, "exclude", choice.excludes), .letter = 'x', .list = CB_LIST_REPEAT,     \
         .value_name = "GLOB",                                                                     \
         .help = "Leave out the cases whose id matches this glob; several times as well."},        \
    {                                                                                              \
        CB_OPTION(STRUCT, "metric", choice.metrics),                                               \
            .letter = 'm', .value_name = "GLOB",                                                   \
            .help = "Look only at these metrics. Without it: all of which one way is better."      \
    }

/* Rows of a command's table, whose struct has the member `rules`. */
#define CB_COMPARE_RULE_PARAMS(STRUCT)                                                             \
    {CB_OPTION(STRUCT, "threshold", rules.thresholds), .letter = 't', .default_value = "5%",       \
     .value_name = "[METRIC=]PERCENT",                                                             \
     .help = "Smallest change of a median that counts, and below which it is called the same; "    \
             "METRIC (a glob) has its own."},                                                      \
        {CB_OPTION(STRUCT, "alpha", rules.alpha), .default_value = "0.01", .min = 1e-9,            \
         .max = 0.5,                                                                               \
         .help = "Share of false findings that is accepted, over all cases together."},            \
        {CB_OPTION(STRUCT, "of", rules.of), .default_value = "adjusted",                           \
         .choices = "adjusted,median,best",                                                        \
         .help = "What of each round is compared, of runs in rounds: its median, adjusted for "    \
                 "the speed of the processor's cores where the runs tell it (metric core_speed); " \
                 "its median as it is; or its best sample, which others on the machine disturb "   \
                 "least, but which does not tell of a change that makes only some slower."},       \
    {                                                                                              \
        CB_OPTION(STRUCT, "allow-mismatch", rules.allowed_mismatches),                             \
            .choices = CB_MISMATCH_CHOICES,                                                        \
            .help = "Compare although these differ; else such cases are incomparable."             \
    }

/* Thresholds, alpha and what is allowed. CB_USAGE: a threshold that is none. */
enum cb_status cb_compare_rules_read(const struct cb_compare_rule_options *options,
                                     struct cb_compare_rules *rules, struct cb_err *err);
void cb_compare_rules_free(struct cb_compare_rules *rules);
