/* SPDX-License-Identifier: Apache-2.0
 *
 * The options of `coopbench compare`, read.
 */
#pragma once

#include "analysis/compare/compare.h"
#include "analysis/compare/mismatch.h"
#include "measure/param.h"

extern const struct cb_param cb_compare_params[];

/* Rows of a command's table: which cases and metrics of runs are looked at (choice.h). */
#define CB_COMPARE_CHOICE_PARAMS                                                                   \
    {.name = "filter",                                                                             \
     .letter = 'f',                                                                                \
     .type = CB_PARAM_TEXT,                                                                        \
     .list = CB_LIST_REPEAT,                                                                       \
     .value_name = "GLOB",                                                                         \
     .help = "Look only at the cases whose id matches this glob. May be given several times: "     \
             "any of them."},                                                                      \
        {.name = "exclude",                                                                        \
         .letter = 'x',                                                                            \
         .type = CB_PARAM_TEXT,                                                                    \
         .list = CB_LIST_REPEAT,                                                                   \
         .value_name = "GLOB",                                                                     \
         .help = "Leave out the cases whose id matches this glob; several times as well."},        \
    {                                                                                              \
        .name = "metric", .letter = 'm', .type = CB_PARAM_TEXT, .list = true,                      \
        .value_name = "GLOB",                                                                      \
        .help = "Look only at these metrics. Without it: all of which one way is better."          \
    }

/* Rows of a command's table: what cb_compare_rules_read reads. */
#define CB_COMPARE_RULE_PARAMS                                                                     \
    {.name = "threshold",                                                                          \
     .letter = 't',                                                                                \
     .type = CB_PARAM_TEXT,                                                                        \
     .list = true,                                                                                 \
     .default_value = "5%",                                                                        \
     .value_name = "[METRIC=]PERCENT",                                                             \
     .help = "Smallest change of a median that counts, and below which it is called the same; "    \
             "METRIC (a glob) has its own."},                                                      \
        {.name = "alpha",                                                                          \
         .type = CB_PARAM_REAL,                                                                    \
         .default_value = "0.01",                                                                  \
         .min = 1e-9,                                                                              \
         .max = 0.5,                                                                               \
         .help = "Share of false findings that is accepted, over all cases together."},            \
        {.name = "of",                                                                             \
         .type = CB_PARAM_CHOICE,                                                                  \
         .default_value = "adjusted",                                                              \
         .choices = "adjusted,median,best",                                                        \
         .help = "What of each round is compared, of runs in rounds: its median, adjusted for "    \
                 "the speed of the processor's cores where the runs tell it (metric core_speed); " \
                 "its median as it is; or its best sample, which others on the machine disturb "   \
                 "least, but which does not tell of a change that makes only some slower."},       \
    {                                                                                              \
        .name = "allow-mismatch", .type = CB_PARAM_CHOICE, .list = true,                           \
        .choices = CB_MISMATCH_CHOICES,                                                            \
        .help = "Compare although these differ; else such cases are incomparable."                 \
    }

/* Thresholds, alpha and what is allowed. CB_USAGE: a threshold that is none. */
enum cb_status cb_compare_rules_read(const cJSON *options, struct cb_compare_rules *rules,
                                     struct cb_err *err);
void cb_compare_rules_free(struct cb_compare_rules *rules);
