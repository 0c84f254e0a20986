/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices of one kind side by side: which stray from the others, and how far they differ.
 */
#pragma once

#include "analysis/compare/choice.h"
#include "analysis/fleet/devices.h"
#include "analysis/fleet/outliers.h"

struct cb_fleet_rules {
    double alpha;     /* share of false findings that is accepted, over all tests together */
    double threshold; /* smallest distance from the median that counts, relative */
    struct cb_compare_choice_options choice;
};

/* p of 0.01, 3 %, all cases. */
extern const struct cb_fleet_rules cb_fleet_rules;

/* By weight: the first comes first. */
enum cb_fleet_verdict {
    CB_FLEET_SLOW,       /* over all its cases */
    CB_FLEET_SLOW_CASES, /* in some cases */
    CB_FLEET_FAST,       /* over all its cases */
    CB_FLEET_ALIKE,
    CB_FLEET_UNTESTED, /* too few devices of its kind, or too few of their cases */
    CB_FLEET_VERDICTS,
};

/* A metric of a case on a device. */
struct cb_fleet_value {
    int device;
    const struct cb_run_case *c;
    const struct cb_measurement *m;
    double value; /* median */
    double loss;  /* against the median of the devices, relative: 0.05 is 5 % worse */
    double z, p;  /* robust; adjusted for all values and devices, NaN: not tested */
    bool outlier; /* p and loss, either way, are beyond the rules */
};

/* A metric of a case on all devices of a kind. */
struct cb_fleet_series {
    int kind;
    const struct cb_run_case *c; /* case of the first device */
    const struct cb_measurement *m;
    bool ratios; /* all are positive: logarithms are judged */
    struct cb_fleet_value *values;
    int n;
    double min, median, max;
    double spread; /* robust coefficient of variation; NaN: of a median that is 0, or one device */
};

/* What was found of a device, in the place that it has among the devices. */
struct cb_fleet_judgement {
    enum cb_fleet_verdict verdict;
    int series, of;    /* that it has, and that its kind has */
    int slow, fast;    /* values that are outliers */
    int failed, other; /* cases that are not ok; that have other parameters than most */
    int disturbed;     /* cases during which others used the device: left out */
    double loss, z, p; /* median over its series; as those of a value; NaN: not known */
};

struct cb_fleet {
    struct cb_fleet_devices devices;
    struct cb_fleet_series *series; /* by kind, by case */
    int n_series;
    struct cb_fleet_judgement *judgements; /* one for each device */
    int *order;                            /* order of the devices, by weight of the verdicts */
    int tests;                             /* values that were tested */
    int of[CB_FLEET_VERDICTS];
};

/* Judges the devices of the runs, which have to outlive the fleet, against those of their kind.
 * CB_USAGE: there is no case; as cb_compare_nothing(): there is none to judge. */
enum cb_status cb_fleet_find(const struct cb_run_table *runs, int n,
                             const struct cb_fleet_rules *rules, struct cb_fleet *out,
                             struct cb_err *err);
void cb_fleet_free(struct cb_fleet *fleet);

/* "slow", "slow in cases", "fast", "alike", "untested". */
const char *cb_fleet_verdict_name(enum cb_fleet_verdict verdict);

/* Whether a device is slow, in whatever way. */
bool cb_fleet_is_slow(const struct cb_fleet *fleet, int device);
