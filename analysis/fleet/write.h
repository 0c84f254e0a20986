/* SPDX-License-Identifier: Apache-2.0
 *
 * A fleet in the forms that people and machines read.
 */
#pragma once

#include <stdio.h>

#include "analysis/fleet/fleet.h"
#include "analysis/fleet/load.h"
#include "analysis/fleet/portable.h"

struct cb_fleet_report {
    const struct cb_fleet *fleet;
    const struct cb_fleet_rules *rules;
    const struct cb_portables *portables;
    const struct cb_fleet_gap *gaps;
    int n_gaps;
    int exit_code;
};

/* For people: what is missing, devices that stray first, their cases, how far devices differ, and
 * the portable best. */
void cb_fleet_write_table(FILE *out, const struct cb_fleet_report *report);

/* Writes GitHub-flavoured Markdown. */
void cb_fleet_write_markdown(FILE *out, const struct cb_fleet_report *report);

/* docs/fleet.schema.json */
void cb_fleet_write_json(FILE *out, const struct cb_fleet_report *report);

/* "8 devices of 1 kind, 30 cases and metrics: 1 slow, 7 alike". */
void cb_fleet_counts(FILE *out, const struct cb_fleet *fleet);

/* "8 x NVIDIA H100 (132 compute units), driver 580.1": a kind, with what differs among its devices,
 * and why it is not tested. */
void cb_fleet_kind_text(char *text, size_t size, const struct cb_fleet *fleet, int kind);

/* "node05, 0000:45:00.0": host and PCI address, as far as they are known, else the run. */
void cb_fleet_device_text(char *text, size_t size, const struct cb_fleet_device *device);

/* "+4.9 %", "3.2x": what a factor of a time is more than 1. */
void cb_fleet_factor_text(char *text, size_t size, double factor);

/* "8 of 10 cases, 2 not ok": what a device has; "" if it has all. */
void cb_fleet_part_text(char *text, size_t size, const struct cb_fleet *fleet, int device);

/* Outliers among the values, the largest first, at most `room` of them. Returns how many there are.
 */
struct cb_fleet_place {
    const struct cb_fleet_series *series;
    const struct cb_fleet_value *value; /* NULL: the series as a whole */
};
int cb_fleet_outliers(const struct cb_fleet *fleet, struct cb_fleet_place *places, int room);

/* The series of two devices or more, the widest spread first. Returns how many there are. */
int cb_fleet_widest(const struct cb_fleet *fleet, struct cb_fleet_place *places, int room);

/* The portable best of a choice as a sentence. */
void cb_fleet_write_best(FILE *out, const struct cb_fleet *fleet,
                         const struct cb_portable *portable);
